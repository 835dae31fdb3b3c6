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
"""A page number with punctuation around it, such as "[3]"."""
_RANGE: Final = re.compile(r"[\[(|\s]*(\d{1,6})\s?[-–—]\s?(\d{1,6})[\])|\s]*")
"""A range of records, such as "21-40", in place of a page number."""
_SEPARATOR: Final = re.compile(r"(?:[\W_]*|(?:\.\.\.|…)+)")
"""Punctuation between two page numbers."""
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
    """A page in a row of page numbers.

    For a page number, `first` and `last` are both the number. For a range of records
    such as "21-40", `first` and `last` are the ends of the range. `node` is the
    innermost element around the number. `link` is the link element around the number,
    or None. `is_marked` says whether the number is marked as the current page.
    """

    first: int
    last: int
    node: NodeId
    link: NodeId | None
    is_marked: bool

    @property
    def shown(self) -> str:
        """The page number, or the range of records such as "21-40", as text."""
        if self.first == self.last:
            return str(self.first)
        return f"{self.first}-{self.last}"


@dataclass(frozen=True, slots=True)
class Pager:
    """A row of page numbers.

    `items` are the pages in the order of the row. `box` is the largest element around
    the row with hardly any text besides the row. `links` are the link elements in the
    row.
    """

    items: tuple[PagerItem, ...]
    box: NodeId
    links: frozenset[NodeId]

    def current(self) -> PagerItem | None:
        """Return the current page, or None if the current page is unknown.

        The current page is the only item marked as current. If no single item is
        marked, the current page is the only item without a link.
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
    """Yield lists of rising numbers that may be rows of page numbers.

    The text between two numbers of a list is only separators, arrows and words such as
    "next". Some lists are empty.
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
    """Return whether a page number is marked as the current page.

    The mark is a class token or `aria-current`. `node` is the element with the number,
    and `text` is the number. An ancestor of `node` may have the mark if the ancestor
    displays little besides the number.
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

    Two numbers must be consecutive, and the addresses of links must differ only in
    numbers. Return False for years, for the days of a calendar, and for numbers without
    any link.
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
    """Return whether the addresses of page numbers differ only in numbers.

    One address may also differ in other parts, because the first page may have a
    special address. Return False if all addresses are named fragments, such as `#top`.
    `hrefs` has the addresses as written.
    """
    forms = [re.sub(r"\d+", "0", href) for href in hrefs]
    highest_count = max(Counter(forms).values())
    if all(form.startswith("#") and form != "#" for form in forms):
        return False
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
