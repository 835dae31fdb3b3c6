"""Annotators for what markup says by itself: links, headlines, images."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import (
    Callable,
    Collection,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, chain, pairwise

from amber_wrap.annotate.annotator import Annotation, Basis, Texts
from amber_wrap.annotate.images import images, pictures
from amber_wrap.annotate.names import LONGEST_LABELLED
from amber_wrap.dom.measure import tags_above
from amber_wrap.dom.page import ITEM_PROPERTY, OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType
from amber_wrap.memo import remembered

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
NO_PAGE = ("#", "javascript:", "mailto:", "tel:", "data:")
TITLE_WORDS = (
    r"(?<!sub)(?<!sub[_-])(?i:title|headline)|(?i:(?<![a-z])(?<!sous[_-])"
    r"(?:titel|titre|titulo|titolo|tytul|tittel|otsikko|overskrift)(?![a-z]))"
)
TITLE_MARK = re.compile(
    rf"{TITLE_WORDS}|(?<!sub)(?<!sub[_-])(?i:heading|subject)|(?<![a-z])"
    r"(?:name|nombre|nome|nom|naam|navn|namn|nazwa)(?![a-z])"
)
"""What authors call a headline in class tokens and the like."""
BARE_TITLE = re.compile(TITLE_WORDS)
"""The same of an element that is neither a heading nor a link."""
SPOKEN_MARK = re.compile(
    r"(?i:(?<![a-z])sr-?only|show-for-sr|visually[_-]?hidden|hidden-visually"
    r"|screen-?reader|assistive-text|a11y-(?:hidden|only)|off-?screen)"
)
"""What authors call a text that is for screen readers alone."""
_HEADLINE_LENGTH = 10
"""Characters from which on the text of a link may be a headline; menus are shorter."""
ACTION = re.compile(
    r"(?i:(?:enquir[ey]|contact|e-?mail|call|phone|message|whatsapp|register|log ?in"
    r"|sign (?:in|up)|save|shortlist|favou?rites?|compare|share|print|map|directions"
    r"|street ?view|finance|mortgage|brochure|floor ?plans?|add|remove|value"
    r"|(?:book|arrange|request)(?: an?)? (?:viewing|test drive|valuation|call|brochure)"
    r"|kontakt(?:ieren)?|anfragen?|merken|teilen|drucken|vergleichen|contacter|partager"
    r"|imprimer|comparer|contactar|compartir|imprimir|contatta|condividi|stampa"
    r"|confronta|bewaar|delen|vergelijk|spara|dela|jämför|porównaj|udostępnij)"
    r"(?: (?:about|to|for|from|an?|the|this|my|your|us|me|now|here|online|back|friend"
    r"|agents?|dealers?|sellers?|owners?|branch|property|home|house|car|vehicle|item"
    r"|product|ad|advert|details?|interest|quotes?|calculator|options|view|list"
    r"|favou?rites|shortlist|wishlist|basket|cart|compare|search|alerts?)){0,4})"
)
"""What links say that do something with a record, and don't lead to its object."""


@remembered
def link_annotations(page: Page) -> tuple[tuple[NodeId, str], ...]:
    """Every link to a page, unless all that lead there say that they do something."""
    found: dict[str, list[NodeId]] = defaultdict(list)
    for node in page.elements():
        if page.tag[node] == "a":
            href = page.attributes[node].get("href", "").strip()
            if href and not href.lower().startswith(NO_PAGE):
                found[href].append(node)
    kept = (
        nodes
        for nodes in found.values()
        if not all(ACTION.fullmatch(_shown(page, one)) for one in nodes)
    )
    return tuple((node, "@href") for node in sorted(chain.from_iterable(kept)))


def _shown(page: Page, link: NodeId) -> str:
    """Return what a link says in words, if only when pointed at."""
    attributes = page.attributes[link]
    labels = (attributes.get(name, "").strip() for name in ("aria-label", "title"))
    said = (page.string(link), *labels)
    return next((one for one in said if any(map(str.isalpha, one))), "")


@remembered
def headline_links(page: Page) -> tuple[tuple[NodeId, str], ...]:
    """Every link that is a heading, is in one, or reads like one."""
    roles: dict[tuple[object, ...], list[NodeId]] = defaultdict(list)
    pictured = set()
    for node, _ in link_annotations(page):
        if any(map(str.isalpha, page.string(node))):
            roles[_role(page, node)].append(node)
        if any(page.tag[one] == "img" for one in page.elements(node)):
            pictured.add(page.attributes[node]["href"])
    found = (_headlines_among(page, alike, pictured) for alike in roles.values())
    return tuple((node, "@href") for node in sorted(chain.from_iterable(found)))


def _role(page: Page, link: NodeId) -> tuple[object, ...]:
    """Return what tells where a link stands: the tags above it, its class and its
    parent's.
    """
    classes = (page.attributes[one].get("class") for one in (link, page.parent[link]))
    return tags_above(page, link), *classes


def _headlines_among(
    page: Page, alike: Sequence[NodeId], pictured: Collection[str]
) -> Sequence[NodeId]:
    """Return the headlines among links of one role; `pictured` is where images
    lead.

    Menus are short, and so are names: these where authors call most of the links
    titles, or link images to the same pages.  One that is alone among long ones leads
    to the next page.
    """
    long = [
        node
        for node in alike
        if page.text_length(node) >= _HEADLINE_LENGTH
        or _in_heading(page, node)
        or _holds_heading(page, node)
        or (is_pictured(page, node) and not ACTION.fullmatch(page.string(node)))
    ]
    if len({page.string(node) for node in set(alike).difference(long)}) < 2:
        return long
    names = sum(
        is_titled(page, node) or page.attributes[node]["href"] in pictured
        for node in alike
    )
    return alike if 2 * names > len(alike) else long


def headlines(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Yield the text of every heading and headline link, of nested ones the inner.

    Of a link around a whole card, the part that its author calls a title, or that the
    link or an image is called; and such elements where they are neither.
    """
    linked = {node for node, _ in headline_links(page)}
    yield from ((node, TEXT) for node in _bare_titles(page))
    yield from ((node, TEXT) for node in _bare_names(page, linked))
    for node in page.elements():
        if page.tag[node] in HEADINGS:
            if page.string(node) and linked.isdisjoint(page.elements(node)):
                yield node, TEXT
        elif node in linked and not _holds_heading(page, node):
            yield _title(page, node), TEXT


def _title(page: Page, link: NodeId) -> NodeId:
    """Return the element below a link that is marked as a title, or that repeats
    what it or another is called, else the link.

    Where a screen reader says more than is seen, the only child that is seen.
    """
    below = [node for node in page.elements(link)[1:] if page.text_length(node)]
    for is_meant in (is_titled, is_link_name, _is_tipped):
        for node in below:
            if is_meant(page, node):
                return node
    parts = [node for node in page.children(link) if page.text_length(node)]
    seen = [node for node in parts if not _is_spoken(page, node)]
    if len(seen) == 1 < len(parts) and not page.is_text(seen[0]):
        return seen[0]
    return link


def _bare_titles(page: Page) -> Iterator[NodeId]:
    """Yield the elements that are called titles, without a heading or a link around
    or in them; of nested ones the inner.
    """

    def is_bare(node: NodeId) -> bool:
        return (
            _is_bare_title(page.attributes[node].get("class", ""))
            and 0 < page.text_length(node) <= LONGEST_LABELLED
            and any(map(str.isalpha, page.string(node)))
            and not is_linked(page, node)
            and not _in_heading(page, node)
            and not _holds_heading(page, node)
        )

    found = filter(is_bare, page.elements())
    for node, after in pairwise([*found, len(page)]):
        if not page.contains(node, after):
            yield node


def _bare_names(page: Page, linked: Collection[NodeId]) -> Iterator[NodeId]:
    """Yield the innermost elements that are named, outside of headings and of the
    links that are headlines, and that nobody calls a title.
    """
    for node in page.elements():
        if (
            is_link_name(page, node)
            and not is_titled(page, node)
            and not any(
                is_link_name(page, child) for child in page.child_elements(node)
            )
            and not _in_heading(page, node)
            and _link_of(page, node) not in linked
        ):
            yield node


def is_link_name(page: Page, node: NodeId) -> bool:
    """Return whether an element displays what a link or an image is called, seen or
    not.
    """
    if not 0 < page.text_length(node) <= LONGEST_LABELLED:
        return False
    return page.string(node).casefold() in _names(page)


def _is_tipped(page: Page, node: NodeId) -> bool:
    """Return whether an element shows its text again when pointed at: it may be cut
    short.
    """
    text = page.string(node)
    return page.attributes[node].get("title", "").strip() == text != ""


@remembered
def _names(page: Page) -> Collection[str]:
    """Return what links to pages, and images, are called, in lower case."""
    called = [
        page.attributes[node].get(name, "")
        for nodes, names in (
            (link_annotations, ("aria-label", "title")),
            (images, ("alt",)),
        )
        for node, _ in nodes(page)
        for name in names
    ]
    names = {" ".join(one.split()) for one in called if any(map(str.isalpha, one))}
    return {one.casefold() for one in names if not ACTION.fullmatch(one)}


@lru_cache(maxsize=1 << 14)
def _is_bare_title(classes: str) -> bool:
    return BARE_TITLE.search(classes) is not None


def is_titled(page: Page, node: NodeId) -> bool:
    """Return whether the author calls an element a title, or what shows little but
    a link.
    """
    if _is_called_title(page, node):
        return True
    parent = page.parent[node]
    return (
        page.tag[node] == "a"
        and page.text_length(parent) <= 2 * page.text_length(node)
        and _is_called_title(page, parent)
    )


def _is_called_title(page: Page, node: NodeId) -> bool:
    attributes = page.attributes[node]
    marks = " ".join(attributes.get(name, "") for name in ("class", ITEM_PROPERTY))
    return TITLE_MARK.search(marks) is not None


def is_beside_spoken(page: Page, node: NodeId) -> bool:
    """Return whether an element has a text of its own, and beside it, for screen
    readers, all that is in others.
    """
    spoken = [part for part in page.elements(node) if _is_spoken(page, part)]
    return bool(spoken and page.source_text(node, OWN_TEXT)) and all(
        page.parent[one] == node or any(page.contains(part, one) for part in spoken)
        for one in range(node + 1, node + page.size[node])
        if page.is_text(one)
    )


def is_said_twice(page: Page, node: NodeId) -> bool:
    """Return whether an element has a text of its own, and just the same again
    within it.
    """
    own = page.source_text(node, OWN_TEXT)
    return bool(own) and page.string(node) == f"{own} {own}"


def _is_spoken(page: Page, node: NodeId) -> bool:
    return SPOKEN_MARK.search(page.attributes[node].get("class", "")) is not None


def is_linked(page: Page, node: NodeId) -> bool:
    """Return whether an element is a link, is within one, or holds one."""
    return _link_of(page, node) >= 0


def is_pictured(page: Page, node: NodeId) -> bool:
    """Return whether an element's link leads where an image leads that is a link by
    itself.
    """
    link = _link_of(page, node)
    target = page.attributes[link].get("href", "") if link >= 0 else ""
    return target.strip() in _targets_of_images(page)


def _link_of(page: Page, node: NodeId) -> NodeId:
    """Return the first link in an element, the element included, or the one around
    it; else -1.
    """
    for one in page.elements(node):
        if page.tag[one] == "a":
            return one
    while node >= 0 and page.tag[node] != "a":
        node = page.parent[node]
    return node


@remembered
def _targets_of_images(page: Page) -> Collection[str]:
    """Return where links lead that show an image and no text."""
    shown = {node for node, _ in images(page)}
    return {
        page.attributes[link]["href"].strip()
        for link, _ in link_annotations(page)
        if not page.text_length(link) and not shown.isdisjoint(page.elements(link))
    }


def _in_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading or within one."""
    return node in _headed(page)


def _holds_heading(page: Page, node: NodeId) -> bool:
    """Return whether an element is a heading or holds one."""
    before = _headings_before(page)
    return before[node] < before[node + page.size[node]]


@remembered
def _headed(page: Page) -> Collection[NodeId]:
    """Return the nodes of all headings."""
    return {
        node
        for heading, tag in enumerate(page.tag)
        if tag in HEADINGS
        for node in range(heading, heading + page.size[heading])
    }


@remembered
def _headings_before(page: Page) -> Sequence[int]:
    """Return how many headings there are before each node, and in all."""
    return tuple(accumulate((tag in HEADINGS for tag in page.tag), initial=0))


_HEADLINES = frozenset({"headline-link", "headline"})
"""The built-in annotators that look for what a record is called."""
BUILT_IN_RECOGNISERS: Mapping[str, Callable[[Page], Iterable[tuple[NodeId, str]]]] = {
    "link": link_annotations,
    "headline-link": headline_links,
    "headline": headlines,
    "image": pictures,
}
"""The names that a domain uses in `annotators`, beside those of plugins: each finds
(element, source) pairs."""


@dataclass(frozen=True, slots=True)
class BuiltInAnnotator:
    """Claims for type `type` what the built-in annotator `name` finds."""

    type: str
    name: str

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """One annotation per find: the whole of its source."""
        for node, source in BUILT_IN_RECOGNISERS[self.name](page):
            text = page.source_text(node, source)
            span = 0, len(text)
            basis = Basis.HEADLINE if self.name in _HEADLINES else Basis.LINK
            yield Annotation(
                node, source, *span, self.type, text, text, self.name, basis
            )


def headline_annotator(kind: AttributeType) -> str | None:
    """Return the built-in annotator of headlines that a type names; None without
    one.
    """
    return next((name for name in kind.annotators if name in _HEADLINES), None)
