"""Find the links of a page, and the links that are headlines of records."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from amber_wrap.annotate.images import (
    images,
)
from amber_wrap.annotate.labels_and_titles import (
    holds_heading,
    in_heading,
    is_titled,
)
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page, tags_above
from amber_wrap.values.dates import without_dates

NO_PAGE = ("#", "javascript:", "mailto:", "tel:", "data:")
"""The starts of link targets that don't lead to another page."""
ACTION = re.compile(
    r"(?i:(?:enquir[ey]|contact|e-?mail|call|phone|message|whatsapp|register|log ?in"
    r"|sign (?:in|up)|save|shortlist|favou?rites?|compare|share|print|map|directions"
    r"|street ?view|finance|mortgage|brochure|floor ?plans?|add|remove|value"
    r"|(?:book|arrange|request)(?: an?)? (?:viewing|test drive|valuation|call|brochure)"
    r"|kontakt(?:ieren)?|anfragen?|merken|teilen|drucken|vergleichen|contacter|partager"
    r"|imprimer|comparer|contactar|compartir|imprimir|contatta|condividi|stampa"
    r"|confronta|bewaar|delen|vergelijk|spara|dela|jämför|porównaj|udostępnij"
    r"|edit|delete|reply|bearbeiten|löschen|modifier|supprimer|editar|eliminar|borrar"
    r"|excluir|modifica|elimina|bewerken|verwijderen|redigera|ta bort|edytuj|usuń"
    r"|редактировать|изменить|удалить|hapus|ubah)"
    r"(?: (?:about|to|for|from|an?|the|this|my|your|us|me|now|here|online|back|friend"
    r"|agents?|dealers?|sellers?|owners?|branch|property|home|house|car|vehicle|item"
    r"|product|ad|advert|details?|interest|quotes?|calculator|options|view|list"
    r"|favou?rites|shortlist|wishlist|basket|cart|compare|search|alerts?)){0,4})"
)
"""Texts of links that do something with a record, such as "Add to favourites", instead
of leading to the record's page."""

_DELIMITER = re.compile(r"[/?#&]")
"""Matches a character between two parts of an address, such as "/" or "#"."""
_MOST_STEPS = 4
"""The greatest number of delimiters at which an address is cut, to find the pages to
which the address may belong.
"""


@dataclass(frozen=True, slots=True)
class Links:
    """The links of a page, and the texts that describe links and images."""

    pages: Sequence[NodeId]
    """The links to other pages in document order, without links for actions such as
    "Share".
    """
    image_targets: Collection[str]
    """The targets of links that display an image and no text."""
    names: Collection[str]
    """The labels and tooltips of links and the `alt` texts of images, in lower case."""
    headlines: frozenset[NodeId]
    """The links that may be the headline of a record."""
    beside_headings: frozenset[NodeId]
    """The links without a text that stand beside the heading of a record. The heading
    itself is no link.
    """
    second_addresses: frozenset[NodeId]
    """The links that display an address such as "example.org", and have the target of a
    link that displays a name.
    """

    def is_name(self, page: Page, node: NodeId) -> bool:
        """Return whether an element's text equals a label, tooltip or `alt` in `names`,
        regardless of case.

        Return False for long texts.
        """
        is_short = 0 < page.text_length(node) <= ANNOTATION.longest_value
        return is_short and page.string(node).casefold() in self.names

    def has_linked_image(self, page: Page, node: NodeId) -> bool:
        """Return whether the link of an element has the same target as a link that
        displays only an image.
        """
        return _target(page, node) in self.image_targets


def links_of(page: Page) -> Links:
    """Return the links of a page, and the texts that describe its links and images."""
    links = _links_to_pages(page)
    image_nodes = [image for image, _ in images(page)]
    image_targets = _image_targets(page, links, frozenset(image_nodes))
    return Links(
        pages=links,
        image_targets=image_targets,
        names=_names(page, links, image_nodes),
        headlines=_headlines(page, links, image_targets),
        beside_headings=_links_beside_headings(page, links),
        second_addresses=_second_addresses(page, links),
    )


def _links_to_pages(page: Page) -> Sequence[NodeId]:
    """Return the links to other pages, in document order.

    A link is left out if all links to its target have texts such as "Share".
    """
    links_by_target: dict[str, list[NodeId]] = defaultdict(list)
    for node in page.elements():
        if page.tag[node] == "a":
            target = page.attributes[node].get("href", "").strip()
            if target and not target.lower().startswith(NO_PAGE):
                links_by_target[target].append(node)
    return sorted(
        link
        for links in links_by_target.values()
        if not all(ACTION.fullmatch(_link_text(page, link)) for link in links)
        for link in links
    )


def _link_text(page: Page, link: NodeId) -> str:
    """Return the text of a link, or else its `aria-label`, or else its tooltip.

    A text without a letter is skipped. Return "" if no text is left.
    """
    attributes = page.attributes[link]
    labels = (attributes.get(name, "").strip() for name in ("aria-label", "title"))
    texts = (page.string(link), *labels)
    return next(filter(_has_letter, texts), "")


def _has_letter(text: str) -> bool:
    """Return whether a text contains a letter."""
    return any(map(str.isalpha, text))


def _image_targets(
    page: Page, links: Sequence[NodeId], image_nodes: frozenset[NodeId]
) -> Collection[str]:
    """Return the targets of the links that display an image and no text."""
    return {
        page.attributes[link]["href"].strip()
        for link in links
        if not page.text_length(link)
        and not image_nodes.isdisjoint(page.elements(link))
    }


def _names(
    page: Page, links: Sequence[NodeId], image_nodes: Sequence[NodeId]
) -> Collection[str]:
    """Return the labels and tooltips of links and the `alt` texts of images, in lower
    case.

    Texts without letters, and texts of actions such as "Share", are left out.
    """
    attributes_of_links = [page.attributes[link] for link in links]
    texts = [
        *(attributes.get("aria-label", "") for attributes in attributes_of_links),
        *(attributes.get("title", "") for attributes in attributes_of_links),
        *(page.attributes[image].get("alt", "") for image in image_nodes),
    ]
    names = {" ".join(text.split()) for text in texts if _has_letter(text)}
    return {name.casefold() for name in names if not ACTION.fullmatch(name)}


def _headlines(
    page: Page, links: Sequence[NodeId], image_targets: Collection[str]
) -> frozenset[NodeId]:
    """Return the links to other pages that may be headlines of records.

    `image_targets` are the targets of links that display an image and no text.
    """
    links_by_role: dict[tuple[object, ...], list[NodeId]] = defaultdict(list)
    pictured_targets = set()
    for link in links:
        if _has_letter(page.string(link)):
            links_by_role[_role(page, link)].append(link)
        if any(page.tag[node] == "img" for node in page.elements(link)):
            pictured_targets.add(page.attributes[link]["href"])
    headlines = {
        headline
        for same_role in links_by_role.values()
        for headline in _headlines_among(
            page, same_role, pictured_targets, image_targets
        )
    }
    return frozenset(headlines - _dates_beside_headlines(page, headlines))


def _links_beside_headings(page: Page, links: Sequence[NodeId]) -> frozenset[NodeId]:
    """Return the links without a text that stand beside a heading that is no link.

    An example is a link around an image. Such links have different targets, and each of
    them has a heading of its own.
    """
    links_by_role: dict[tuple[object, ...], list[NodeId]] = defaultdict(list)
    for link in links:
        if not page.text_length(link):
            links_by_role[_role(page, link)].append(link)
    found: set[NodeId] = set()
    for same_role in links_by_role.values():
        headings = [_plain_heading_beside(page, link) for link in same_role]
        are_different = len({_target(page, link) for link in same_role}) > 1
        if are_different and len({*headings} - {-1}) == len(same_role):
            found.update(same_role)
    return frozenset(found)


def _plain_heading_beside(page: Page, link: NodeId) -> NodeId:
    """Return the first heading in a link's nearest ancestor with a heading.

    Return -1 if there is no heading, or if the heading is a link.
    """
    top = page.parent[link]
    while top >= 0 and not holds_heading(page, top):
        top = page.parent[top]
    headings = (node for node in page.elements(max(top, 0)) if in_heading(page, node))
    heading = next(headings, -1)
    return -1 if heading < 0 or is_linked(page, heading) else heading


def _dates_beside_headlines(
    page: Page, headlines: Collection[NodeId]
) -> frozenset[NodeId]:
    """Return the links in `headlines` that display only the date of another headline.

    Such a link leads to the page of the other headline, or to a part of that page, as
    "/talks/1#last" is a part of "/talks/1".
    """
    dates = {link for link in headlines if _displays_date(page, link)}
    pages = {_target(page, link) for link in headlines if link not in dates}
    parts = Counter(whole for target in pages for whole in _pages_of(target) & pages)
    records = {target for target in pages if parts[target] == 1}
    return frozenset(link for link in dates if _pages_of(_target(page, link)) & records)


def _displays_date(page: Page, link: NodeId) -> bool:
    """Return whether a link displays a date or a time, and no other words."""
    length, text = page.text_length(link), page.string(link)
    return not _has_letter(without_dates(text)) or any(
        page.tag[node] == "time" and page.text_length(node) == length
        for node in page.elements(link)
    )


def _pages_of(target: str) -> set[str]:
    """Return a link target, and the beginnings of the target that may be addresses of
    pages.

    For "/talks/1#last", these are "/talks/1", "/talks/" and "/".
    """
    ends = [match.start() for match in _DELIMITER.finditer(target)][-_MOST_STEPS:]
    return {
        target,
        *(target[:end] for end in ends),
        *(target[: end + 1] for end in ends),
    }


def _second_addresses(page: Page, links: Sequence[NodeId]) -> frozenset[NodeId]:
    """Return the links that display an address, such as "example.org", and repeat
    another link.

    The other link has the same target and displays a name. If a link repeats no other
    link, all links of its kind are left out.
    """
    with_text = [link for link in links if _has_letter(page.string(link))]
    addresses = [link for link in with_text if _displays_address(page, link)]
    named = sorted({*with_text}.difference(addresses))
    counts = Counter(page.string(link) for link in named)
    named_role = {
        _target(page, link): _role(page, link)
        for link in named
        if counts[page.string(link)] == 1  # Not "Visit site".
    }
    named_roles: dict[object, set[object]] = defaultdict(set)
    for link in addresses:
        named_roles[_role(page, link)].add(named_role.get(_target(page, link)))
    return frozenset(
        link
        for link in addresses
        if len(roles := named_roles[_role(page, link)]) == 1 and None not in roles
    )


def _displays_address(page: Page, link: NodeId) -> bool:
    """Return whether the text of a link is an address at the host of the link's target.

    For example, the text is "example.org/docs", and the target is
    "https://www.example.org/docs/".
    """
    target, text = _target(page, link), page.string(link)
    host = _without_scheme(target).partition("/")[0]
    has_host = "//" in target and "." in host
    return has_host and " " not in text and _without_scheme(text).startswith(host)


def _without_scheme(address: str) -> str:
    """Return an address without its scheme and without "www."."""
    return re.sub(r"\A(?:https?:)?(?://)?(?:www\.)?", "", address)


def _role(page: Page, link: NodeId) -> tuple[object, ...]:
    """Return a key that links of the same kind have in common, such as all menu items.

    The key consists of the tags from the link up to the root, and the class attributes
    of the link and its parent.
    """
    own_class = page.attributes[link].get("class")
    class_of_parent = page.attributes[page.parent[link]].get("class")
    return tags_above(page, link), own_class, class_of_parent


def _headlines_among(
    page: Page,
    same_role: Sequence[NodeId],
    pictured_targets: Collection[str],
    image_targets: Collection[str],
) -> Sequence[NodeId]:
    """Return the links in `same_role` that may be headlines of records.

    Such a link has a long text or a heading, or a target in `image_targets`. All links
    are returned if most are titles, or have a target in `pictured_targets`, the targets
    of links with an image.
    """
    if len({page.string(link) for link in same_role}) == 1:
        targets = {_target(page, link) for link in same_role}
        are_many = len(targets) >= ANNOTATION.least_decoration_uses
        if are_many and targets.isdisjoint(image_targets):
            return []
    long_links = [
        link
        for link in same_role
        if page.text_length(link) >= ANNOTATION.shortest_headline
        or in_heading(page, link)
        or holds_heading(page, link)
        or (
            _target(page, link) in image_targets
            and not ACTION.fullmatch(page.string(link))
        )
    ]
    short_links = set(same_role).difference(long_links)
    if len({page.string(link) for link in short_links}) < 2:
        return long_links
    title_count = sum(
        is_titled(page, link) or page.attributes[link]["href"] in pictured_targets
        for link in same_role
    )
    return same_role if 2 * title_count > len(same_role) else long_links


def is_linked(page: Page, node: NodeId) -> bool:
    """Return whether an element is a link, contains a link, or is within a link."""
    return link_of(page, node) >= 0


def _target(page: Page, node: NodeId) -> str:
    """Return the target of an element's link, or "" if the element has no link.

    An element's link is the first link in the element, or else the link around the
    element.
    """
    link = link_of(page, node)
    return page.attributes[link].get("href", "").strip() if link >= 0 else ""


def link_of(page: Page, node: NodeId) -> NodeId:
    """Return the first link in an element, or else the link around the element.

    Return -1 if there is neither.
    """
    for descendant in page.elements(node):
        if page.tag[descendant] == "a":
            return descendant
    while node >= 0 and page.tag[node] != "a":
        node = page.parent[node]
    return node
