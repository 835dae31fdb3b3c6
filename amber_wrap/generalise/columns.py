"""Columns: what else varies over records, named by what the page says about it.

A type is known before a page is seen; a column is whatever the records of an area show
at one place, where that isn't the same in all of them.
"""

from __future__ import annotations

import keyword
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil

from amber_wrap.analysis.places import Marks
from amber_wrap.analysis.typing import AreaTyping, Attribute, Record
from amber_wrap.annotate.names import label_of
from amber_wrap.dom.page import NAMING_ATTRIBUTES, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.generalise.groups import Group, Typed, groups_of
from amber_wrap.generalise.vetoes import CLASS, veto

LEAST_SHARE, LEAST_RECORDS = 0.1, 2
"""The share and the number of an area's records that must have a column."""
NEARLY_ALL = 0.95
"""The share of the records from which on one text is boilerplate; in fewer a flag."""
MOST_COLUMNS = 40
"""Columns of an area, those of the most records first."""
PASSAGE = 120
"""Characters from which on a text is a passage: what stands in it is no column."""
LONGEST_NAME = 30
INLINE = frozenset({"b", "strong", "em", "i", "u", "mark", "font", "wbr", "sub", "sup"})
"""Tags that set off words of a text, and make no other text of them."""
TITLES = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
TEXT_NAME = "text"
"""What a column is called of which the page says nothing."""

Key = tuple[str, int]
"""A place within records, and the how manyeth element there."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of a record: its page, the record's number in the group, its element."""

    page: Page
    record: int
    node: NodeId
    text: str


def with_columns(
    typed: Sequence[Typed], domain: Domain
) -> tuple[tuple[Typed, ...], Domain]:
    """The typings with columns as further attributes, and the domain with their types.

    Areas of one kind have the same columns; what is called alike in areas of two kinds
    is one type.
    """
    taken = {kind.name for kind in domain.schema.types}
    names: dict[str, None] = {}
    added: dict[tuple[int, NodeId], list[Attribute]] = defaultdict(list)
    for group in groups_of(typed):
        used = set(taken)
        count = sum(1 for _ in group.records())
        for cells in _columns(group):
            name = _free(_name(cells), used)
            used.add(name)
            names.setdefault(name)
            for cell in cells:
                start = _start(group, cell)
                added[id(cell.page), start].append(
                    _attribute(name, cell, len(cells) / count)
                )
    kinds = tuple(AttributeType(name, ValueKind.TEXT, whole=True) for name in names)
    schema = replace(domain.schema, types=(*domain.schema.types, *kinds))
    found = tuple(
        replace(
            one,
            typing=replace(
                one.typing,
                areas=tuple(_extended(one.page, area, added) for area in one.typing.areas),
            ),
        )
        for one in typed
    )
    return found, replace(domain, schema=schema)


def _start(group: Group, cell: Cell) -> NodeId:
    return next(
        record.start
        for number, (_, record) in enumerate(group.records())
        if number == cell.record
    )


def _attribute(name: str, cell: Cell, support: float) -> Attribute:
    return Attribute(
        type=name,
        node=cell.node,
        source=TEXT,
        text=cell.text,
        matched=cell.text,
        recogniser=None,
        support=support,
        origin="inferred",
    )


def _extended(
    page: Page,
    area: AreaTyping,
    added: Mapping[tuple[int, NodeId], Sequence[Attribute]],
) -> AreaTyping:
    attributes = tuple(
        tuple(
            sorted(
                (*found, *added.get((id(page), record.start), ())),
                key=lambda one: one.node,
            )
        )
        for record, found in zip(area.records, area.attributes, strict=True)
    )
    return replace(area, attributes=attributes)


# --- which there are ------------------------------------------------------------------


def _columns(group: Group) -> list[list[Cell]]:
    """The cells of each column, in the order of their first appearance."""
    columns: dict[Key, list[Cell]] = defaultdict(list)
    known: Counter[Key] = Counter()
    number = 0
    for page, area in group.members:
        places = Marks(page, [record.nodes for record in area.records])
        for record, attributes in zip(area.records, area.attributes, strict=True):
            said = {squeezed(one.text) for one in attributes if one.text}
            for key, node in _keyed(page, record, places):
                cell = Cell(page, number, node, page.string(node))
                columns[key].append(cell)
                known[key] += squeezed(cell.text) in said
            number += 1
    least = max(LEAST_RECORDS, ceil(LEAST_SHARE * number))
    kept = [
        cells
        for key, cells in columns.items()
        if len(cells) >= least
        and (len(cells) < NEARLY_ALL * number or len({one.text for one in cells}) > 1)
        and 2 * known[key] <= len(cells)
    ]
    return sorted(kept, key=len, reverse=True)[:MOST_COLUMNS]


def _keyed(page: Page, record: Record, places: Marks) -> Iterator[tuple[Key, NodeId]]:
    """The cells of a record with their places."""
    paths = places.of_record(page, record.nodes)
    seen: Counter[str] = Counter()
    for row in record.nodes:
        for node in cells(page, row):
            place = places.text(paths[node])
            yield (place, seen[place]), node
            seen[place] += 1


def cells(page: Page, node: NodeId) -> Iterator[NodeId]:
    """The elements that show a text of their own, from a node on down."""
    if not page.text_length(node) or page.is_hidden(node):
        return
    parts = [one for one in page.child_elements(node) if page.text_length(one)]
    own = any(page.is_text(one) for one in page.children(node))
    set_off = all(page.tag[one] in INLINE for one in parts)
    if own or (set_off and (len(parts) == 1 or page.tag[node] in TITLES)):
        yield node
        if set_off or page.text_length(node) > PASSAGE:
            return
    for part in parts:
        if page.tag[part] not in INLINE or not own:
            yield from cells(page, part)


def squeezed(text: str) -> str:
    """Letters and digits only, in one case."""
    return "".join(c for c in text.casefold() if c.isalnum())


# --- what they are called -------------------------------------------------------------


def _name(cells: Sequence[Cell]) -> str:
    """What most of the cells are called by, else "text"."""
    for say in (_by_attribute, _by_class, _by_label):
        found = Counter(name for cell in cells for name in dict.fromkeys(say(cell)))
        if found:
            name, count = found.most_common(1)[0]
            if 2 * count > len(cells):
                return name
    return TEXT_NAME


def _around(cell: Cell) -> Iterator[NodeId]:
    """The element, and those around it with nothing else in them."""
    page, node = cell.page, cell.node
    length = page.text_length(node)
    while node > 0 and page.text_length(node) == length:
        yield node
        node = page.parent[node]


def _by_attribute(cell: Cell) -> Iterator[str]:
    for node in _around(cell):
        for attribute in NAMING_ATTRIBUTES:
            yield from _names([cell.page.attributes[node].get(attribute, "")], attribute)


def _by_class(cell: Cell) -> Iterator[str]:
    for node in _around(cell):
        yield from _names(reversed(cell.page.classes(node)), CLASS)


def _by_label(cell: Cell) -> Iterator[str]:
    yield from filter(None, [snake(label_of(cell.page, cell.node))])


def _names(words: Iterable[str], attribute: str) -> Iterator[str]:
    for word in words:
        if word and veto(word, attribute) is None and (name := snake(word)):
            yield name


def snake(text: str) -> str:
    """A name in lower case of the words of a text; "" if there are too few letters."""
    words = [word.lower() for word in TOKEN.findall(text.rpartition("__")[2])]
    while len("_".join(words)) > LONGEST_NAME:
        words.pop(0)
    while words and not words[0].isalpha():
        words.pop(0)
    name = "_".join(words)
    return name if len(name) > 1 and not keyword.iskeyword(name) else ""


def _free(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if it is taken; texts without a name are all numbered."""
    number = 1 if name == TEXT_NAME else 2
    free = f"{name}_{number}" if name == TEXT_NAME else name
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    return free
