"""Which columns are worth reading: not what all records show, nor what others say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.analysis.text_leaves import is_level
from amber_wrap.annotate.words import COLONS
from amber_wrap.dom.addresses import path_and_query, path_of
from amber_wrap.dom.page import ITEM_PROPERTY, OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.node_tests import squeeze

_NEARLY_ALL: Final = 0.95
"""The share of the records from which on one text is boilerplate; in fewer a flag."""
_FEW: Final = 0.1
"""The share of links up to which the texts on them are few."""
ENDING: Final = 2
"""Letters that make a plural."""
LINK: Final = "@href"
BUTTON: Final = "button"
_Said = dict[tuple[Page, NodeId], str]
"""Texts by the page and the start of their record, squeezed."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of a record, which is known by its start.

    What it begins with is its `label` if others beside it have others.
    """

    page: Page
    start: NodeId
    node: NodeId
    text: str
    source: str = TEXT
    label: str = ""


def boilerplate(column: Sequence[Cell], records: int) -> str:
    """Why a column is no data, "" if it is: nearly all records show the same, and
    nothing says that it is data; or what they show is there to click on."""
    shown = {cell.text for cell in column}
    if len(shown) == 1 and column[0].text.casefold() in _particles():
        return "it is a word before another value"
    if sum(map(_is_control, column)) > len(column) / 2:
        return "it is a button" if len(shown) <= len(column) / 2 else ""
    if len(shown) <= max(1, _FEW * len(column)) and _is_action(column):
        return "it is a link to click on, the same in all records"
    is_all = len(column) >= _NEARLY_ALL * records
    # The sign of a price that only some have is no flag.
    is_nothing = is_all or is_level(column[0].text)
    if is_one_word(shown) and is_nothing and not _is_data(column[0]):
        return "all records show the same"
    return ""


@cache
def _particles() -> frozenset[str]:
    """Words that say nothing alone: prepositions, conjunctions, articles."""
    path = files(__package__).joinpath("data/particles.txt")
    lines = path.read_text("utf-8").splitlines()
    return frozenset(
        one for line in lines if not line.startswith("#") for one in line.split()
    )


def is_one_word(texts: Collection[str]) -> bool:
    """Whether texts are the same, or a word in the singular and in the plural."""
    shortest = min(texts, key=len)
    return len(texts) == 1 or (
        shortest.isalpha()
        and all(
            one.startswith(shortest) and len(one) <= len(shortest) + ENDING
            for one in texts
        )
    )


def without_unit(column: list[Cell]) -> list[Cell]:
    """The column without a word that all its texts have in an element of their own:
    of `201 <dfn>Replies</dfn>` the number."""
    own = [one.page.source_text(one.node, OWN_TEXT) for one in column]
    words = {_rest(one, text) for one, text in zip(column, own, strict=True)}
    if len(set(own)) < 2 or "" in own or "" in words or not is_one_word(words):
        return column
    return [
        replace(one, text=text, source=OWN_TEXT)
        for one, text in zip(column, own, strict=True)
    ]


def _rest(cell: Cell, own: str) -> str:
    """What the elements within a cell show beside its own text, if these are words."""
    if cell.source != TEXT or len(cell.page.child_elements(cell.node)) != 1:
        return ""
    rest = cell.text.removeprefix(own) if cell.text.startswith(own) else ""
    rest = rest or cell.text.removesuffix(own)
    return "" if any(map(str.isdigit, rest)) else squeeze(rest)


def _is_control(cell: Cell) -> bool:
    return any(
        BUTTON in (cell.page.tag[one], cell.page.attributes[one].get("role"))
        for one in _within(cell)
    )


def _is_action(column: Sequence[Cell]) -> bool:
    """Whether the cells are links that lead elsewhere from each record, and count
    nothing: "details"."""
    paths = [_link(cell) for cell in column]
    counts = any(one.isdigit() for cell in column for one in cell.text)
    return not counts and all(paths) and 2 * len(set(paths)) > len(paths)


def _is_data(cell: Cell) -> bool:
    return any(ITEM_PROPERTY in cell.page.attributes[one] for one in _within(cell))


def _within(cell: Cell) -> Iterator[NodeId]:
    """The element of a cell and those around it, up to its record."""
    node = cell.node
    while node > cell.start:
        yield node
        node = cell.page.parent[node]


def uninformative(
    columns: Sequence[list[Cell]], group: Group
) -> Iterator[tuple[list[Cell], str]]:
    """The columns that repeat others, label their values, or lead where the record
    does, with the reason."""
    by_type: dict[str, _Said] = defaultdict(dict)
    targets: dict[str, _Said] = defaultdict(dict)
    for page, start, attributes in group.attributes():
        for one in attributes:
            if one.text:
                by_type[one.type][page, start] = squeeze(one.text)
            if one.text and one.source == LINK:
                targets[one.type][page, start] = path_of(path_and_query(one.text))
    said = list(by_type.values())
    found = []
    for column in columns:
        texts = _said(column)
        if any(_repeats(texts, other) for other in said):
            yield column, "another column says the same"
        else:
            found.append(column)
            said.append(texts)
    varied = {frozenset(texts) for texts in said if len(set(texts.values())) > 1}
    for column in found:
        if _is_label(column, varied):
            yield column, "it is the label of another column"
        elif any(_is_more(column, leads) for leads in targets.values()):
            yield column, "it is a link to where another column leads"


def _is_more(column: Sequence[Cell], targets: _Said) -> bool:
    """Whether it is one text, a link to where those of a type lead: "view details"."""
    found = {(one.page, one.start): _path(one) for one in column}
    is_one = len({one.text for one in column}) == 1
    return is_one and all(found.values()) and _repeats(found, targets)


def _path(cell: Cell) -> str:
    """The path to which the link that is the cell leads, "" without one."""
    link = _link(cell)
    return path_of(path_and_query(link)) if link else ""


def _link(cell: Cell) -> str:
    """Where the link that is the cell leads, "" without one."""
    page, length = cell.page, cell.page.text_length(cell.node)
    links = (
        page.attributes[one].get("href", "")
        for one in _within(cell)
        if page.text_length(one) == length  # Not a link that is all of the record.
    )
    return next(filter(None, links), "")


def _said(column: Sequence[Cell]) -> _Said:
    return {(one.page, one.start): squeeze(one.text) or one.text for one in column}


def _repeats(texts: _Said, others: _Said) -> bool:
    """Whether others say the same in nearly all records."""
    same = sum(others.get(record) == text for record, text in texts.items())
    return same >= _NEARLY_ALL * len(texts)


def _is_label(column: Sequence[Cell], varied: Collection[Collection[object]]) -> bool:
    """Whether it is a word and a colon, in the very records that others have values
    in."""
    texts = _said(column)
    is_one = len(set(texts.values())) == 1 and column[0].text.endswith(COLONS)
    return is_one and frozenset(texts) in varied
