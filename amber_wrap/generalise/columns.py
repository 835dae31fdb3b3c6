"""Columns: what else varies over records, named by what the page says about it.

A type is known before a page is seen; a column is whatever the records of an area show
at one place, where that isn't the same in all of them.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import ceil
from typing import NamedTuple

from amber_wrap.analysis.cells import cells, is_level, is_telling, set_off_parts
from amber_wrap.analysis.places import Marks
from amber_wrap.analysis.typing import AreaTyping, Attribute, Record
from amber_wrap.annotate.builtin import is_beside_spoken
from amber_wrap.dom.markup import parts_of, shows_value
from amber_wrap.dom.page import LISTS, OWN_TEXT, TAIL, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.groups import Group, Typed, groups_of, with_attributes
from amber_wrap.generalise.headings import headings
from amber_wrap.generalise.items import unquoted, whole_lists
from amber_wrap.generalise.kinds import Form, common_label, form_of
from amber_wrap.generalise.labels import Labels, labels_of
from amber_wrap.generalise.linked import Linked, linked_of
from amber_wrap.generalise.naming import (
    UNNAMED,
    free_of_keys,
    homes_of,
    is_named,
    name_of_label,
    names_of,
    tell_apart,
    usage_of,
)
from amber_wrap.generalise.prices import FORMER_PRICE, is_former_price, is_part_of
from amber_wrap.generalise.repetition import Place, unrepeated, words_in
from amber_wrap.generalise.retold import Told, attribute_of, retold, told_better
from amber_wrap.generalise.transliteration import in_ascii
from amber_wrap.generalise.unseen import scheme_of, unseen_columns, with_targets
from amber_wrap.generalise.vocabulary import squeeze
from amber_wrap.generalise.worth import (
    LINK,
    Cell,
    informative,
    is_boilerplate,
    without_unit,
)

TYPED, ALL = "typed", "all"
LEAST_SHARE, LEAST_RECORDS = 0.05, 2
"""The share and the number of an area's records that must have a column."""
NEARLY_ALL = 0.95
"""The share of the records that have equally many of what is a text of its own."""
MOST_COLUMNS = 40
"""Columns of an area, those of the most records first."""
Key = tuple[str, int]
"""A place within records, and the how manyeth element there."""
CELL_TAG = "td"
HEADING: Key = ("heading", 0)


class Fields(NamedTuple):
    """The typings with what a wrapper reads, the types of that, and the patterns that
    find values in the texts of columns."""

    typed: tuple[Typed, ...]
    kinds: tuple[AttributeType, ...]
    patterns: Mapping[str, str]


def with_fields(
    typed: Sequence[Typed],
    kinds: Sequence[AttributeType],
    fields: str,
    wished: Iterable[str] = (),
    ascii_names: bool = False,
) -> Fields:
    """The typings with what a wrapper should read.

    "typed": `kinds`, those of a domain.  "all": those that were found, and all columns.
    Else the names of some of these, with commas between, and those that are `wished`;
    raises SelectionError.  Columns are called in any script, or by `ascii_names`.
    """
    if fields == TYPED:
        return Fields(tuple(typed), tuple(kinds), {})
    typed, kinds, patterns = with_columns(typed, kinds, ascii_names)
    found = {
        attribute.type
        for one in typed
        for area in one.typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text is not None
    }
    known = [kind.name for kind in kinds if kind.name in found]
    names = (
        known
        if fields == ALL
        else [
            *(name.strip() for name in fields.split(",")),
            *wished,
        ]
    )
    for name in names:
        if name not in known:
            raise SelectionError(
                f"no field {name!r} was found: there are {', '.join(known)}"
            )

    def kept(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        return [attribute for attribute in found if attribute.type in names]

    read = tuple(kind for kind in kinds if kind.name in names)
    return Fields(tuple(with_attributes(one, kept) for one in typed), read, patterns)


def with_columns(
    typed: Sequence[Typed], kinds: Sequence[AttributeType], ascii_names: bool = False
) -> Fields:
    """The typings with columns as further attributes, and the types with theirs.

    Areas of one kind have the same columns; what is called alike in areas of two kinds
    is one type.
    """
    types = {kind.name: kind.kind for kind in kinds}
    found: dict[str, list[tuple[list[Cell], float]]] = defaultdict(list)
    told: dict[str, dict[Place, Cell]] = defaultdict(dict)
    for group in groups_of(typed):
        count = sum(1 for _ in group.records())
        columns, better = told_better(_columns(group, types), group, types)
        for name, by_record in better.items():
            told[name] |= by_record
        typed_said, dates = _said(group, types, better)
        columns = unrepeated(columns, typed_said, dates, is_named)[:MOST_COLUMNS]
        usage = usage_of(group.records())
        homes = homes_of(group)
        linked = linked_of(group)
        said = [_names(column, usage, homes, linked) for column in columns]
        if ascii_names:
            said = [in_ascii(names) for names in said]
        for name, column in zip(tell_apart(said, types), columns, strict=True):
            found[name].append((column, len(column) / count))
    added: dict[Place, list[Attribute]] = defaultdict(list)
    others: list[AttributeType] = []
    patterns: dict[str, str] = {}
    forms = {
        name: _form(name, [cell for column, _ in columns_of_name for cell in column])
        for name, columns_of_name in found.items()
    }
    names = free_of_keys({one: form.kind for one, form in forms.items()}, kinds)
    for called, columns_of_name in found.items():
        name, form = names[called], forms[called]
        by = (column_pattern(name),) if form.pattern else ()
        others.append(AttributeType(name, form.kind, patterns=by, whole=not by))
        patterns |= dict.fromkeys(by, form.pattern)
        for column, support in columns_of_name:
            for attribute, cell in _attributes(name, column, support, form):
                added[id(cell.page), cell.start].append(attribute)

    def more(page: Page, record: Record, found: Sequence[Attribute]) -> list[Attribute]:
        columns = added.get((id(page), record.start), ())
        kept = retold(page, record, found, told)
        return sorted((*kept, *columns), key=lambda one: one.node)

    read = tuple(with_attributes(one, more) for one in typed)
    return Fields(read, (*kinds, *others), patterns)


def column_pattern(name: str) -> str:
    """The name of the pattern that finds the values in the texts of a column."""
    return f"column:{name}"


def _form(name: str, column: Sequence[Cell]) -> Form:
    """How the cells of a column are read."""
    if any(cell.source in LISTS for cell in column):
        return Form(ValueKind.TEXTS)  # What is a list in one area is one in all.
    if all(cell.source == LINK for cell in column):
        return Form(ValueKind.URL)
    labels = {cell.label for cell in column}
    label = labels.pop() if len(labels) == 1 else ""
    return form_of([cell.text for cell in column], [name], label)


def _attributes(
    name: str, column: Iterable[Cell], support: float, form: Form
) -> Iterator[tuple[Attribute, Cell]]:
    """The values in the cells of a column."""
    pattern = re.compile(form.pattern) if form.pattern else None
    for cell in column:
        found = pattern.search(cell.text) if pattern else None
        group = "value" if pattern and "value" in pattern.groupindex else 0
        if found or pattern is None:
            attribute = attribute_of(name, cell, support)
            if found:
                attribute = replace(
                    attribute,
                    text=found[group],
                    matched=found[0],
                    recogniser=column_pattern(name),
                )
            yield attribute, cell


def _names(
    column: Sequence[Cell],
    usage: Counter[str],
    homes: Collection[str],
    linked: Linked,
) -> list[str]:
    """What the cells are called by; a heading is called one, if by nothing else."""
    if is_former_price(column):
        return [FORMER_PRICE]
    cell = column[0]
    if cell.source == LINK and (scheme := scheme_of(cell.text)):
        return [scheme]
    names = names_of(column, usage, homes, linked)
    label = cell.label or common_label([one.text for one in column])
    if label := name_of_label(label):
        names = [label, *(name for name in names if name not in (label, UNNAMED))]
    if cell.source in LISTS:
        names = unquoted(names, column) or [UNNAMED]
    is_within = cell.page.contains(cell.start, cell.node)
    is_tail = cell.node > cell.start  # Of a record of several rows.
    return names if is_within or is_tail or names != [UNNAMED] else [HEADING[0]]


def _columns(group: Group, types: Mapping[str, ValueKind]) -> list[list[Cell]]:
    """The cells of each column, those of the most records first.

    `types` are the kinds of those that were found.
    """
    columns: dict[Key, list[Cell]] = defaultdict(list)
    cells_at: dict[str, list[list[Cell]]] = defaultdict(list)
    known: Counter[Key] = Counter()
    parts: dict[str, list[int]] = defaultdict(list)
    count = 0
    labels = labels_of(group)
    plain: dict[Key, Key] = {}
    marks = zip(group.places(), group.places(labelled=False), strict=True)
    for (page, area), places in zip(group.members, marks, strict=True):
        for record, attributes in zip(area.records, area.attributes, strict=True):
            said = {squeeze(one.text) for one in attributes if one.text}
            prices = [one for one in attributes if types[one.type] is ValueKind.MONEY]
            count += 1
            seen: Counter[str] = Counter()
            here: dict[str, list[Cell]] = defaultdict(list)
            told = labels[id(page)]
            for key, bare, cell, is_part in _keyed(page, record, *places, told):
                plain[key] = bare, key[1]
                shows = is_telling(cell.text) or is_level(cell.text)
                if not shows or is_part_of(cell, prices):
                    continue
                columns[key].append(cell)
                known[key] += not said.isdisjoint(_shown(cell))
                seen[key[0]] += is_part
                if not is_part:
                    here[key[0]].append(cell)
            for place in +seen:
                parts[place].append(seen[place])
            for place, found in here.items():
                cells_at[place].append(found)
        for key, cell in _behind(page, area):
            columns[key].append(cell)
        for start, node in headings(page, area).items():
            columns[HEADING].append(Cell(page, start, node, page.string(node)))
    lists = {place: whole_lists(found) for place, found in cells_at.items()}
    for key in list(columns):
        if lists.get(key[0]):  # All items are one value, and no type's.
            columns[key], known[key] = [] if key[1] else lists[key[0]], 0
    for key, other in _unlabelled(columns, plain):
        columns[other] += columns.pop(key)
        known[other] += known[key]
    least = max(LEAST_RECORDS, ceil(LEAST_SHARE * count))
    kept = [
        column
        for key, column in columns.items()
        if len(column) >= least
        and _is_regular(parts[key[0]], count)
        and 2 * known[key] <= len(column)
        and not is_boilerplate(column, count)
    ]
    kept.sort(key=len, reverse=True)
    shown = informative(list(map(without_unit, kept)), group)
    shown = list(map(with_targets, shown))
    return [*shown, *unseen_columns(group, shown, least)]


def _said(
    group: Group, types: Mapping[str, ValueKind], told: Told
) -> tuple[dict[str, dict[Place, str]], list[str]]:
    """What attributes say that are texts, by type, and which of the types are dates."""
    said: dict[str, dict[Place, str]] = defaultdict(dict)
    for page, start, attributes in group.attributes():
        for one in attributes:
            if one.text and not one.source.startswith("@"):
                said[one.type][id(page), start] = words_in(one.text)
    for name, found in told.items():
        said[name] = {place: words_in(cell.text) for place, cell in found.items()}
    return said, [name for name in said if types[name] is ValueKind.DATE]


def _shown(cell: Cell) -> Iterator[str]:
    """The text of a cell, and that without what only screen readers say."""
    yield squeeze(cell.text)
    if is_beside_spoken(cell.page, cell.node):
        yield squeeze(cell.page.source_text(cell.node, OWN_TEXT))


def _behind(page: Page, area: AreaTyping) -> Iterator[tuple[Key, Cell]]:
    """The texts between a record and the next one: a file index shows dates there.

    By parts, if all have equally many.
    """
    lasts = [record.nodes[-1] for record in area.records]
    tails = [page.element_of(last).tail or "" for last in lasts]
    counts = {len(parts_of(tail)) for tail in tails} - {0}
    count = counts.pop() if len(counts) == 1 else 1
    sources = [TAIL] if count == 1 else [f"{TAIL}-{i + 1}" for i in range(count)]
    for record, last in zip(area.records, lasts, strict=True):
        for source in sources:
            if shows_value(text := page.source_text(last, source)):
                yield (source, 0), Cell(page, record.start, last, text, source)


def _is_regular(counts: Sequence[int], records: int) -> bool:
    """Whether what is set off at a place is a text of its own: nearly all records have
    equally many there.  Words that a search was for are emphasised here and there."""
    if not counts:
        return True
    usual = Counter(counts).most_common(1)[0][1]
    return usual >= NEARLY_ALL * records


def _unlabelled(
    columns: Mapping[Key, Sequence[Cell]], plain: Mapping[Key, Key]
) -> list[tuple[Key, Key]]:
    """The columns at places with an icon or label, each with that of the elements that
    are alike but for it, if no record has both: some lack the icon."""
    variants: dict[Key, list[Key]] = defaultdict(list)
    for key, bare in plain.items():
        if key != bare and columns[key]:
            variants[bare].append(key)

    def is_one(key: Key, other: Key) -> bool:
        column, others = columns[key], columns.get(other)
        if not others or column[0].source != others[0].source:
            return False
        starts = {(id(one.page), one.start) for one in others}
        return starts.isdisjoint((id(one.page), one.start) for one in column)

    return [
        (some[0], bare)
        for bare, some in variants.items()
        if len(some) == 1 and is_one(some[0], bare)
    ]


def _keyed(
    page: Page, record: Record, places: Marks, unlabelled: Marks, labels: Labels
) -> Iterator[tuple[Key, str, Cell, bool]]:
    """The cells of a record with their places, the same without icons and labels, and
    whether they are set off only."""
    paths = places.of_record(page, record.nodes)
    bare_paths = unlabelled.of_record(page, record.nodes)
    seen: Counter[str] = Counter()
    for row in record.nodes:
        for node in cells(page, row):
            for one in (node, *set_off_parts(page, node)):
                if one in labels.words or labels.is_told(page, node, one):
                    continue
                label, cell = labels.told(page, record.start, one)
                place = places.text(paths[cell.node])
                bare = unlabelled.text(bare_paths[cell.node])
                if label:
                    place = bare = f"{label} {place}"
                elif page.tag[one] == CELL_TAG:  # Whatever its class says of its state.
                    row_cells = list(page.child_elements(page.parent[one]))
                    place = bare = f"{CELL_TAG} {row_cells.index(one)}"
                yield (place, seen[place]), bare, cell, one != node
                seen[place] += 1
