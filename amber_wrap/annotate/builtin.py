"""Annotators for values that HTML elements mark: links, headlines, images."""

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
from amber_wrap.annotate.thresholds import ANNOTATION
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
"""Words in class tokens and other attributes by which authors mark a headline."""
BARE_TITLE = re.compile(TITLE_WORDS)
"""The words that mark a headline without a heading or link around."""
SPOKEN_MARK = re.compile(
    r"(?i:(?<![a-z])sr-?only|show-for-sr|visually[_-]?hidden|hidden-visually"
    r"|screen-?reader|assistive-text|a11y-(?:hidden|only)|off-?screen)"
)
"""Class tokens by which authors mark a text as for screen readers only."""
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
"""Texts of links that do something with a record, instead of leading to its page."""


@remembered
def link_annotations(page: Page) -> tuple[tuple[NodeId, str], ...]:
    """Return every link to a page, unless the texts of all links to that page name an
    action.
    """
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
    """Return the text of a link, or else its tooltip."""
    attributes = page.attributes[link]
    labels = (attributes.get(name, "").strip() for name in ("aria-label", "title"))
    texts = (page.string(link), *labels)
    return next((one for one in texts if any(map(str.isalpha, one))), "")


@remembered
def headline_links(page: Page) -> tuple[tuple[NodeId, str], ...]:
    """Return every link that is a heading, is within one, or has a text like one."""
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
    """Return the features that links in the same role share: the tags above them, their
    class and their parent's class.
    """
    classes = (page.attributes[one].get("class") for one in (link, page.parent[link]))
    return tags_above(page, link), *classes


def _headlines_among(
    page: Page, alike: Sequence[NodeId], pictured: Collection[str]
) -> Sequence[NodeId]:
    """Return the headlines among links of one role; `pictured` are the targets of
    linked images.

    Links with short texts are menus or names. They are names if the author marks most
    of them as titles, or if images link to the same pages. A single short one among
    long ones leads to the next page.
    """
    long = [
        node
        for node in alike
        if page.text_length(node) >= ANNOTATION.headline
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
    """Yield the element and source of every heading and headline link; of nested ones,
    the inner.

    For a link around a whole card, yield the part that the author marks as a title, or
    whose text is also the name of a link or image. Elements outside of headings and
    links are yielded if they are marked like that.
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
    """Return the element within a link that is marked as a title, or repeats the name
    of a link or image; otherwise return the link.

    If a screen reader reads more than is visible, return the only visible child.
    """
    below = [node for node in page.elements(link)[1:] if page.text_length(node)]
    for is_name in (is_titled, is_link_name, _is_tipped):
        for node in below:
            if is_name(page, node):
                return node
    parts = [node for node in page.children(link) if page.text_length(node)]
    seen = [node for node in parts if not _is_spoken(page, node)]
    if len(seen) == 1 < len(parts) and not page.is_text(seen[0]):
        return seen[0]
    return link


def _bare_titles(page: Page) -> Iterator[NodeId]:
    """Yield elements marked as titles that have no heading or link around or within; of
    nested ones, the inner.
    """

    def is_bare(node: NodeId) -> bool:
        return (
            _is_bare_title(page.attributes[node].get("class", ""))
            and 0 < page.text_length(node) <= ANNOTATION.longest_value
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
    """Yield the innermost elements that repeat the name of a link or image, outside of
    headings and headline links, and aren't marked as titles.
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
    """Return whether an element displays the name of a link or image, such as its
    `title` or `alt`.
    """
    if not 0 < page.text_length(node) <= ANNOTATION.longest_value:
        return False
    return page.string(node).casefold() in _names(page)


def _is_tipped(page: Page, node: NodeId) -> bool:
    """Return whether an element's tooltip repeats its text, which may be cut short."""
    text = page.string(node)
    return page.attributes[node].get("title", "").strip() == text != ""


@remembered
def _names(page: Page) -> Collection[str]:
    """Return the names of links to pages and of images, in lower case."""
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
    """Return whether an element is marked as a title, or is a link that has at least
    half of the text of a parent so marked.
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


def has_spoken_copy(page: Page, node: NodeId) -> bool:
    """Return whether an element has a text of its own, and all texts of its descendants
    are for screen readers.
    """
    spoken = [part for part in page.elements(node) if _is_spoken(page, part)]
    return bool(spoken and page.source_text(node, OWN_TEXT)) and all(
        page.parent[one] == node or any(page.contains(part, one) for part in spoken)
        for one in range(node + 1, node + page.size[node])
        if page.is_text(one)
    )


def repeats_own_text(page: Page, node: NodeId) -> bool:
    """Return whether the descendants of an element repeat the element's own text."""
    own = page.source_text(node, OWN_TEXT)
    return bool(own) and page.string(node) == f"{own} {own}"


def _is_spoken(page: Page, node: NodeId) -> bool:
    return SPOKEN_MARK.search(page.attributes[node].get("class", "")) is not None


def is_linked(page: Page, node: NodeId) -> bool:
    """Return whether an element is a link, is within one, or contains one."""
    return _link_of(page, node) >= 0


def is_pictured(page: Page, node: NodeId) -> bool:
    """Return whether the link of an element has the same target as a linked image."""
    link = _link_of(page, node)
    target = page.attributes[link].get("href", "") if link >= 0 else ""
    return target.strip() in _targets_of_images(page)


def _link_of(page: Page, node: NodeId) -> NodeId:
    """Return the first link in an element, or the link around it, or -1."""
    for one in page.elements(node):
        if page.tag[one] == "a":
            return one
    while node >= 0 and page.tag[node] != "a":
        node = page.parent[node]
    return node


@remembered
def _targets_of_images(page: Page) -> Collection[str]:
    """Return the targets of links that display an image and no text."""
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
    """Return whether an element is a heading or contains one."""
    before = _headings_before(page)
    return before[node] < before[node + page.size[node]]


@remembered
def _headed(page: Page) -> Collection[NodeId]:
    """Return all headings with their descendants."""
    return {
        node
        for heading, tag in enumerate(page.tag)
        if tag in HEADINGS
        for node in range(heading, heading + page.size[heading])
    }


@remembered
def _headings_before(page: Page) -> Sequence[int]:
    """Return the number of headings before each node, with one more entry for the
    total.
    """
    return tuple(accumulate((tag in HEADINGS for tag in page.tag), initial=0))


_HEADLINES = frozenset({"headline-link", "headline"})
"""The built-in annotators that find the names of records."""
BUILT_IN_RECOGNISERS: Mapping[str, Callable[[Page], Iterable[tuple[NodeId, str]]]] = {
    "link": link_annotations,
    "headline-link": headline_links,
    "headline": headlines,
    "image": pictures,
}
"""The names that a domain may use in `annotators`, apart from plugins; each function
finds (element, source) pairs.
"""


@dataclass(frozen=True, slots=True)
class BuiltInAnnotator:
    """Annotates the results of the built-in annotator `name` with type `type`."""

    type: str
    name: str

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation of the whole source for each result."""
        for node, source in BUILT_IN_RECOGNISERS[self.name](page):
            text = page.source_text(node, source)
            span = 0, len(text)
            basis = Basis.HEADLINE if self.name in _HEADLINES else Basis.LINK
            yield Annotation(
                node, source, *span, self.type, text, text, self.name, basis
            )


def headline_annotator(kind: AttributeType) -> str | None:
    """Return the built-in annotator of headlines that a type uses, or None."""
    return next((name for name in kind.annotators if name in _HEADLINES), None)
