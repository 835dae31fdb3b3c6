"""Columns: what else varies over records, named by what the page says about it.

A type is known before a page is seen; a column is whatever the records of an area show
at one place, where that isn't the same in all of them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil

from amber_wrap.analysis.places import Marks
from amber_wrap.analysis.typing import AreaTyping, Attribute, Record
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.groups import Group, Typed, groups_of
from amber_wrap.generalise.naming import names_of, tell_apart
from amber_wrap.generalise.vocabulary import squeeze

TYPED, ALL = "typed", "all"
LEAST_SHARE, LEAST_RECORDS = 0.1, 2
"""The share and the number of an area's records that must have a column."""
NEARLY_ALL = 0.95
"""The share of the records from which on one text is boilerplate; in fewer a flag."""
MOST_COLUMNS = 40
"""Columns of an area, those of the most records first."""
PASSAGE = 120
"""Characters from which on a text is a passage: what stands in it is no column."""
INLINE = frozenset({"b", "strong", "em", "i", "u", "mark", "font", "wbr", "sub", "sup"})
"""Tags that set off words of a text, and make no other text of them."""
TITLES = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})

Key = tuple[str, int]
"""A place within records, and the how manyeth element there."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of a record, which is known by its start."""

    page: Page
    start: NodeId
    node: NodeId
    text: str


def with_fields(
    typed: Sequence[Typed], kinds: Sequence[AttributeType], fields: str
) -> tuple[tuple[Typed, ...], tuple[AttributeType, ...]]:
    """The typings with what a wrapper should read, and the types of that.

    "typed": `kinds`, those of a domain.  "all": those that were found, and all columns.
    Else the names of some of these, with commas between; raises SelectionError.
    """
    if fields == TYPED:
        return tuple(typed), tuple(kinds)
    typed, kinds = with_columns(typed, kinds)
    found = {
        attribute.type
        for one in typed
        for area in one.typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    }
    known = [kind.name for kind in kinds if kind.name in found]
    names = known if fields == ALL else [name.strip() for name in fields.split(",")]
    for name in names:
        if name not in known:
            raise SelectionError(
                f"no field {name!r} was found: there are {', '.join(known)}"
            )

    def kept(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        return [attribute for attribute in found if attribute.type in names]

    read = tuple(kind for kind in kinds if kind.name in names)
    return tuple(_changed(one, kept) for one in typed), read


def with_columns(
    typed: Sequence[Typed], kinds: Sequence[AttributeType]
) -> tuple[tuple[Typed, ...], tuple[AttributeType, ...]]:
    """The typings with columns as further attributes, and the types with theirs.

    Areas of one kind have the same columns; what is called alike in areas of two kinds
    is one type.
    """
    types = {kind.name for kind in kinds}
    names: dict[str, None] = {}
    added: dict[tuple[int, NodeId], list[Attribute]] = defaultdict(list)
    for group in groups_of(typed):
        count = sum(1 for _ in group.records())
        columns = _columns(group)
        said = [names_of([(one.page, one.node) for one in some]) for some in columns]
        for name, column in zip(tell_apart(said, types), columns, strict=True):
            names.setdefault(name)
            for cell in column:
                added[id(cell.page), cell.start].append(
                    Attribute(
                        type=name,
                        node=cell.node,
                        source=TEXT,
                        text=cell.text,
                        matched=cell.text,
                        recogniser=None,
                        support=len(column) / count,
                        origin="inferred",
                    )
                )

    def more(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        columns = added.get((id(page), record.start), ())
        return sorted((*found, *columns), key=lambda one: one.node)

    new = (AttributeType(name, ValueKind.TEXT, whole=True) for name in names)
    return tuple(_changed(one, more) for one in typed), (*kinds, *new)


def _changed(
    typed: Typed,
    change: Callable[[Page, Record, Sequence[Attribute]], Sequence[Attribute]],
) -> Typed:
    """The typing with other attributes of its records."""

    def changed(area: AreaTyping) -> AreaTyping:
        pairs = zip(area.records, area.attributes, strict=True)
        found = tuple(tuple(change(typed.page, *pair)) for pair in pairs)
        return replace(area, attributes=found)

    areas = tuple(map(changed, typed.typing.areas))
    return replace(typed, typing=replace(typed.typing, areas=areas))


def _columns(group: Group) -> list[list[Cell]]:
    """The cells of each column, those of the most records first."""
    columns: dict[Key, list[Cell]] = defaultdict(list)
    known: Counter[Key] = Counter()
    count = 0
    for page, area in group.members:
        places = Marks(page, [record.nodes for record in area.records])
        for record, attributes in zip(area.records, area.attributes, strict=True):
            said = {squeeze(one.text) for one in attributes if one.text}
            count += 1
            for key, node in _keyed(page, record, places):
                cell = Cell(page, record.start, node, page.string(node))
                columns[key].append(cell)
                known[key] += squeeze(cell.text) in said
    least = max(LEAST_RECORDS, ceil(LEAST_SHARE * count))
    kept = [
        column
        for key, column in columns.items()
        if len(column) >= least
        and 2 * known[key] <= len(column)
        and (len(column) < NEARLY_ALL * count or len({one.text for one in column}) > 1)
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
    length = page.text_length(node)
    apart = sum(page.text_length(one) for one in parts)
    if own or (set_off and (len(parts) == 1 or page.tag[node] in TITLES)):
        # What several parts say is not said again as a whole.
        if set_off or length > PASSAGE or len(parts) < 2 or 4 * apart < 3 * length:
            yield node
        if set_off or length > PASSAGE:
            return
    for part in parts:
        if page.tag[part] not in INLINE or not own:
            yield from cells(page, part)
