"""Find rows of page numbers, with the current page and the link to the next page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from amber_wrap.analysis.pagination.link_directions import (
    ancestors_or_self,
    is_filler,
    label_direction,
    link_above,
)
from amber_wrap.analysis.thresholds import PAGING
from amber_wrap.dom.page import NodeId, Page

_NUMBER: Final = re.compile(
    r"[\[(|·.,\s-]*(\d{1,3}(?:[.,' ]\d{3})+|\d{1,5})[\])|·.,:\s-]*"
)
"""Matches a page number with punctuation around it, such as "[3]"."""
_RANGE: Final = re.compile(r"[\[(|\s]*(\d{1,6})\s?[-–—]\s?(\d{1,6})[\])|\s]*")
"""Matches a range of records, such as "21-40", in place of a page number."""
_SEPARATOR: Final = re.compile(r"(?:[\W_]*|(?:\.\.\.|…)+)")
"""Matches punctuation between two page numbers."""
CURRENT_PAGE_WORD: Final = re.compile(
    r"(?:current\w*|active|activated|selected|actual|aktuell|attiva|actif|aktiv|sel|cur|on"
    r"|here|this|now|courante?|actuelle?|attuale|huidige)"
)
"""Words in class tokens of the current page, such as "active"."""
ITEM_TAGS: Final = frozenset(
    {"a", "button", "li", "td", "span", "strong", "b", "em", "i", "div", "font"}
)
"""Tags of elements that may contain a single page number."""
IGNORED_TAGS: Final = frozenset({"option", "textarea", "title", "sup"})
"""Tags of elements whose numbers aren't page numbers, such as options and footnotes."""
YEARS: Final = range(1900, 2101)
"""Numbers that may be years. A row of only such numbers isn't a row of page numbers."""


@dataclass(frozen=True, slots=True)
class PagerItem:
    """A page number, or a range of records such as "21-40", in a row of page
    numbers.
    """

    first: int
    """The page number, or the start of the range."""
    last: int
    """The page number, or the end of the range."""
    node: NodeId
    """The innermost element around the number."""
    link: NodeId | None
    """The link around the number, or None."""
    is_marked: bool
    """Whether the number is marked as the current page."""

    @property
    def shown(self) -> str:
        """The page number, or the range of records such as "21-40", as text."""
        if self.first == self.last:
            return str(self.first)
        return f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Pager:
    """A row of page numbers."""

    items: tuple[PagerItem, ...]
    """The pages in the order of the row."""
    box: NodeId
    """The largest element around the row with hardly any other text."""
    links: frozenset[NodeId]
    """The link elements in the row."""

    def current(self) -> PagerItem | None:
        """Return the only page marked as the current one, or else the only page without
        a link.

        Return None if there is neither.
        """
        marked = [item for item in self.items if item.is_marked]
        if len(marked) == 1:
            return marked[0]
        unlinked = [item for item in self.items if item.link is None]
        return unlinked[0] if len(unlinked) == 1 else None

    def after(self, item: PagerItem) -> PagerItem | None:
        """Return the page after `item` in the row, or None if the row has no link to
        that page.
        """
        for later in self.items:
            if later.first == item.last + 1 and later.link is not None:
                return later
        return None


def pagers(page: Page) -> list[Pager]:
    """Return the rows of page numbers in document order."""
    page_rows = []
    for items in _rising_numbers(page):
        if _counts_pages(page, items):
            links = frozenset(item.link for item in items if item.link is not None)
            page_rows.append(Pager(tuple(items), _box(page, items), links))
    return page_rows


def _rising_numbers(page: Page) -> Iterator[list[PagerItem]]:
    """Yield lists of rising numbers that may be rows of page numbers. Some of the lists
    are empty.

    Only separators, arrows and words such as "next" are between the numbers.
    """
    items: list[PagerItem] = []
    for node, text in enumerate(page.text):
        if not text or page.tag[page.parent[node]] in IGNORED_TAGS:
            continue
        if item := _item(page, node, text):
            if items and item.first <= items[-1].last:
                yield items
                items = []
            items.append(item)
        elif not _is_between(text):
            yield items
            items = []
    yield items


def _is_between(text: str) -> bool:
    """Return whether a text is a separator, arrow or word that may stand between page
    numbers.

    A word between page numbers is, for example, "next".
    """
    is_separator = _SEPARATOR.fullmatch(text) is not None
    return is_separator or label_direction(text) is not None or is_filler(text)


def _item(page: Page, node: NodeId, text: str) -> PagerItem | None:
    """Return the page number or range of records that a text node displays.

    Return None if the text is neither.
    """
    if match := _NUMBER.fullmatch(text):
        first = last = int(re.sub(r"\D", "", match[1]))
    elif (match := _RANGE.fullmatch(text)) and int(match[1]) < int(match[2]):
        first, last = int(match[1]), int(match[2])
    else:
        return None
    element = page.element(node)
    link = link_above(page, node)
    return PagerItem(first, last, element, link, _is_marked(page, element, text))


def _is_marked(page: Page, node: NodeId, text: str) -> bool:
    """Return whether a class or `aria-current` marks a page number as the current page.

    The mark may be on an ancestor that displays little else.
    """
    for element in ancestors_or_self(page, node):
        is_long = page.text_length(element) > len(text) + PAGING.longest_label
        if page.tag[element] not in ITEM_TAGS or is_long:
            return False
        if re.findall(r"\d+", page.string(element)) != re.findall(r"\d+", text):
            return False
        attributes = page.attributes[element]
        if attributes.get("aria-current", "false") != "false":
            return True
        if any(map(is_current, page.classes(element))):
            return True
    return False


def is_current(token: str) -> bool:
    """Return whether a class token marks the current page, for example `is-active`."""
    words = (word.lower() for word in re.findall(r"[A-Z]?[a-z]+", token))
    return any(CURRENT_PAGE_WORD.fullmatch(word) for word in words)


def _counts_pages(page: Page, items: Sequence[PagerItem]) -> bool:
    """Return whether the numbers in a row are page numbers.

    Return False for years, for the days of a calendar, and for numbers without links.
    """
    links = [item.link for item in items if item.link is not None]
    if len(items) < 2 or not links:
        return False
    if not any(item.last + 1 == following.first for item, following in pairwise(items)):
        return False
    if all(item.first in YEARS for item in items):
        return False
    table_rows = {
        ancestor
        for item in items
        for ancestor in ancestors_or_self(page, item.node)
        if page.tag[ancestor] == "tr"
    }
    if len(items) >= PAGING.days_of_month and len(table_rows) > 2:
        return False
    return _are_alike([page.attributes[link]["href"] for link in links])


def _are_alike(hrefs: Iterable[str]) -> bool:
    """Return whether all addresses, except for at most one, differ only in numbers.

    Return False if all addresses are named fragments, such as `#top`.
    """
    forms = [re.sub(r"\d+", "0", href) for href in hrefs]
    highest_count = max(Counter(forms).values())
    if all(form.startswith("#") and form != "#" for form in forms):
        return False
    # The first page may have a special address.
    return highest_count >= len(forms) - 1


def _box(page: Page, items: Sequence[PagerItem]) -> NodeId:
    """Return the largest element that has a row of page numbers and hardly any other
    text.

    `items` are the pages of the row.
    """
    first, last = items[0].node, items[-1].node
    row_length = sum(page.text_length(item.node) for item in items)
    containers = [
        element
        for element in ancestors_or_self(page, first)
        if page.contains(element, last)
    ]
    box = containers[0]
    for element in containers:
        is_long = page.text_length(element) > row_length + PAGING.most_other_text
        if is_long or page.tag[element] == "body":
            break
        box = element
    return box
