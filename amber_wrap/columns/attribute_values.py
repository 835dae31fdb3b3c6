"""Values that no text shows: attributes of elements without any, and links of icons.

Stars say `title="4.5 out of 5"`, flags `alt="Norway"`, microdata
`content="2024-05-12"`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from amber_wrap.analysis.text_leaves import is_telling
from amber_wrap.annotate.names import LABELLING
from amber_wrap.annotate.words import name_words
from amber_wrap.columns.filters import LINK, Cell
from amber_wrap.columns.kinds import DAY, column_form
from amber_wrap.dom.addresses import path_and_query, path_of
from amber_wrap.dom.page import ITEM_PROPERTY, NodeId, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.node_tests import SHORT_VALUE, squeeze
from amber_wrap.values import dates
from amber_wrap.values.typed import to_number

CONTENT: Final = "content"
"""The attribute in which microdata says what isn't displayed."""
_DATA: Final = re.compile(
    r"data-(?:[a-z-]+-)?(?:rating|score|stars|votes|count|date|time|timestamp|price)"
)
"""Attributes of a page's own that are called after a value."""
_LONGEST: Final = 60
"""Characters up to which an attribute is a value and not a description."""
_NEARLY_ALL: Final = 0.9
"""The share of the records in which a column must not repeat another one, and in which
the links of one must differ."""
_LEAST: Final = 2
"""Different values that a column has."""
_NUMBER: Final = re.compile(r"[^\d\w]*(\d+(?:[.,]\d+)*)[^\d\w]*")
_TIME: Final = re.compile(r"\d\d?[:.]\d\d(?!\d|[./-])")
_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+$", re.IGNORECASE)
"""What is displayed of a link's target."""
_Key = tuple[Page, NodeId]
"""A page and the start of a record."""


class Meaning(NamedTuple):
    """What a text says: a day, a number, an address, or `words`."""

    exact: str
    words: str = ""


_SCHEMES: Final[Mapping[str, str]] = {
    "magnet:": "magnet",
    "mailto:": "email",
    "tel:": "phone",
    "geo:": "coordinates",
}
"""What links are that lead to no page, by how they begin."""
NO_LINK: Final = re.compile(
    r"#|javascript:|data:|$|(?!magnet:).+(?:https?:|%3A%2F%2F)"
    r"|[^?]*\.(?:jpe?g|png|gif|webp)(?:$|\?)",
    re.IGNORECASE,
)
"""What leads nowhere, to a page that another one is sent to (a share button), or to a
picture."""
ACTIONS: Final = frozenset(
    "add cart basket compare wishlist favorite favourite share print login vote like "
    "report delete edit reply follow subscribe".split()
)
"""Words of links that do something."""


def unseen_columns(
    group: Group, columns: Sequence[Sequence[Cell]], least: int
) -> list[list[Cell]]:
    """The columns of attributes that at least so many records have and that are values,
    but say nothing that a type or one of the `columns` says."""
    others = [
        _comparable((one.page, one.start, one.text) for one in column)
        for column in columns
    ]
    by_type: dict[str, list[tuple[Page, NodeId, str]]] = defaultdict(list)
    for page, start, attributes in group.attributes():
        for one in attributes:
            by_type[one.type].append((page, start, one.text or ""))
    others += map(_comparable, by_type.values())
    found = []
    count = sum(1 for _ in group.records())
    for column in _by_place(group):
        if len(column) >= least and _are_values(column, count):
            mine = _comparable((one.page, one.start, one.text) for one in column)
            is_link = column[0].source == LINK
            if not any(_repeats(mine, other, is_link) for other in others):
                others.append(mine)
                found.append(column)
    return found


def _by_place(group: Group) -> Iterable[list[Cell]]:
    """What elements without text say in attributes, by their places in records."""
    found: dict[tuple[str, int], list[Cell]] = defaultdict(list)
    marks = group.places(labelled=False)
    for (page, area), places in zip(group.members, marks, strict=True):
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            seen: Counter[str] = Counter()
            for node in (one for row in record.nodes for one in page.elements(row)[1:]):
                for name in () if page.text_length(node) else _telling(page, node):
                    place, source = places.text(paths[node]), f"@{name}"
                    text = page.source_text(node, source)
                    if 0 < len(text) <= (_LONGEST if source != LINK else len(text)):
                        cell = Cell(page, record.start, node, text, source)
                        found[f"{source} {place}", seen[place]].append(cell)
                seen[places.text(paths[node])] += 1
    return found.values()


def _telling(page: Page, node: NodeId) -> Iterator[str]:
    """The attributes of an element that may hold a value."""
    given = page.attributes[node]
    if ITEM_PROPERTY in given and CONTENT in given:
        yield CONTENT
    yield from (name for name in given if _DATA.fullmatch(name))
    said = (name for name in LABELLING if given.get(name, "").strip())
    yield from islice(said, 1)
    if page.tag[node] == "a" and _leads(page, node):
        yield "href"


def _leads(page: Page, link: NodeId) -> bool:
    """Whether a link without text leads to something of its own."""
    given = page.attributes[link]
    said = " ".join(given.get(name, "") for name in ("href", "class", *LABELLING))
    shows_picture = any(page.tag[one] == "img" for one in page.elements(link))
    is_other = NO_LINK.match(given.get("href", "").strip()) or shows_picture
    return not is_other and ACTIONS.isdisjoint(name_words(said))


def with_targets(column: list[Cell]) -> list[Cell]:
    """The column of where its links lead, if what these show are addresses."""
    links = [_link_of(cell) for cell in column]
    if any(link < 0 for link in links) or not all(
        _ADDRESS.match(cell.text) for cell in column
    ):
        return column
    return [
        replace(cell, node=link, text=cell.page.source_text(link, LINK), source=LINK)
        for cell, link in zip(column, links, strict=True)
    ]


def _link_of(cell: Cell) -> NodeId:
    """The link that is all of a cell, or around it; else -1."""
    page, length = cell.page, cell.page.text_length(cell.node)
    around = (
        one for one in range(cell.node, cell.start, -1) if page.contains(one, cell.node)
    )
    found = (
        one
        for one in (*page.elements(cell.node), *around)
        if page.tag[one] == "a"
        and page.text_length(one) == length
        and not NO_LINK.match(page.attributes[one].get("href", "").strip())
    )
    return next(found, -1)


def scheme_of(link: str) -> str:
    """What a link is that leads to no page, "" for others."""
    found = (name for one, name in _SCHEMES.items() if link.startswith(one))
    return next(found, "")


def _are_values(column: Sequence[Cell], count: int) -> bool:
    """Whether attributes are values: links, numbers and dates, microdata, or states of
    most of so many records, which several share."""
    texts = [cell.text for cell in column]
    distinct = len(set(texts))
    if distinct < _LEAST or not all(map(is_telling, texts)):
        return False
    if column[0].source == LINK:
        return distinct >= _NEARLY_ALL * len(texts)
    is_state = 2 * distinct <= len(texts) >= count / 2
    is_data = column[0].source == f"@{CONTENT}"
    return is_state or is_data or column_form(texts).kind is not ValueKind.TEXT


def _comparable(said: Iterable[tuple[Page, NodeId, str]]) -> dict[_Key, Meaning]:
    """What the texts of records can be compared by."""
    return {(page, start): _meaning(text) for page, start, text in said if text}


def _meaning(text: str) -> Meaning:
    if DAY.match(day := dates.date(text) or ""):
        return Meaning(day if _TIME.search(text) else day[:10])
    if number := _NUMBER.fullmatch(text):
        return Meaning(f"{to_number(number[1])}")
    if "/" in text and " " not in text:
        return Meaning(path_of(path_and_query(text)))
    return Meaning(text, squeeze(text))


def _repeats(
    mine: Mapping[_Key, Meaning], other: Mapping[_Key, Meaning], is_link: bool
) -> bool:
    """Whether nearly all texts of a column are said by another one; of what is no link
    if they hold, or are part of, what that says."""

    def is_said(one: Meaning, two: Meaning | None) -> bool:
        if two is None or one.exact == two.exact:
            return two is not None
        is_word = min(len(one.words), len(two.words)) >= SHORT_VALUE
        is_nested = one.words in two.words or two.words in one.words
        return not is_link and is_word and is_nested

    same = sum(is_said(one, other.get(key)) for key, one in mine.items())
    return same >= _NEARLY_ALL * len(mine)
