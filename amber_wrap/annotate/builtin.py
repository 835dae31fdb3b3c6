"""Annotators for what markup says by itself: links, headlines, images."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.names import WORD
from amber_wrap.dom.page import TEXT, NodeId, Page

HEADINGS = frozenset(f"h{level}" for level in range(1, 7))
NO_PAGE = ("#", "javascript:", "mailto:", "tel:", "data:")
IMAGE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""Where the address of an image is, the lazy forms first: where one is there, `src`
holds a placeholder."""
TITLE_MARK = re.compile(r"(?i:title|headline|heading|subject)|(?<![a-z])name(?![a-z])")
"""What authors call a headline in class tokens and the like."""
ICON_WORDS = frozenset({"icon", "icons", "logo", "avatar"})
"""What authors call images that don't show the object of a record."""
ICON_SIZE = 48
"""Pixels up to which an image is an icon."""
HEADLINE_LENGTH = 10
"""Characters from which on the text of a link may be a headline; menus are shorter."""


def links(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Every link to a page."""
    for node in page.elements():
        href = page.attributes[node].get("href", "").strip().lower()
        if page.tag[node] == "a" and href and not href.startswith(NO_PAGE):
            yield node, "@href"


def headline_links(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Every link that is a heading, is in one, or reads like one."""
    for node, source in links(page):
        text = page.string(node)
        in_heading = _in_heading(page, node) or any(
            page.tag[one] in HEADINGS for one in page.elements(node)
        )
        if any(c.isalpha() for c in text) and (
            in_heading or len(text) >= HEADLINE_LENGTH
        ):
            yield node, source


def headlines(page: Page) -> Iterator[tuple[NodeId, str]]:
    """The text of every heading and headline link, of nested ones the inner.

    Of a link around a whole card, the part that its author calls a title.
    """
    linked = {node for node, _ in headline_links(page)}
    for node in page.elements():
        below = page.elements(node)
        if page.tag[node] in HEADINGS:
            if page.string(node) and not any(one in linked for one in below):
                yield node, TEXT
        elif node in linked and not any(page.tag[one] in HEADINGS for one in below):
            yield _title(page, node), TEXT


def _title(page: Page, link: NodeId) -> NodeId:
    """The element below a link that is marked as a title, else the link."""
    for node in page.elements(link):
        if node != link and page.text_length(node) and is_titled(page, node):
            return node
    return link


def is_titled(page: Page, node: NodeId) -> bool:
    """Whether the author calls an element a title."""
    attributes = page.attributes[node]
    marks = " ".join(attributes.get(name, "") for name in ("class", "itemprop"))
    return TITLE_MARK.search(marks) is not None


def is_linked(page: Page, node: NodeId) -> bool:
    """Whether an element is a link, is within one, or holds one."""
    if any(page.tag[one] == "a" for one in page.elements(node)):
        return True
    while node > 0 and page.tag[node] != "a":
        node = page.parent[node]
    return page.tag[node] == "a"


def images(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Every image that has an address and is no icon."""
    for node in page.elements():
        if page.tag[node] == "img" and not _is_icon(page, node):
            for name in IMAGE_SOURCES:
                address = page.attributes[node].get(name, "").strip()
                if address and not address.startswith("data:"):
                    yield node, f"@{name}"
                    break


def _is_icon(page: Page, node: NodeId) -> bool:
    """Whether an image is called an icon or a logo, is drawn, or is tiny."""
    attributes = page.attributes[node]
    alt = attributes.get("alt", "")
    words = f"{attributes.get('class', '')} {alt if len(alt.split()) < 4 else ''}"
    sizes = [attributes.get(name, "") for name in ("width", "height")]
    return (
        any(word.lower() in ICON_WORDS for word in WORD.findall(words))
        or attributes.get("src", "").partition("?")[0].lower().endswith(".svg")
        or all(size.isdecimal() and int(size) <= ICON_SIZE for size in sizes)
    )


def _in_heading(page: Page, node: NodeId) -> bool:
    while node > 0:
        if page.tag[node] in HEADINGS:
            return True
        node = page.parent[node]
    return False


BUILT_IN: Mapping[str, Callable[[Page], Iterator[tuple[NodeId, str]]]] = {
    "link": links,
    "headline-link": headline_links,
    "headline": headlines,
    "image": images,
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
        for node, source in BUILT_IN[self.name](page):
            text = page.source_text(node, source)
            yield Annotation(
                node, source, 0, len(text), self.type, text, text, self.name
            )
