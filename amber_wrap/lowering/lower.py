"""The pass from a wrapper and its samples to the program of its generated file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from lxml import etree

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.markup import is_hidden, text_of
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.engine.ensemble import Found, basis
from amber_wrap.engine.interpret import RowForm, found_on
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.lowering.cases import Cases, Way, same_texts
from amber_wrap.lowering.expectations import expectation
from amber_wrap.lowering.fields import Conversion, is_told, lower_field, lower_way
from amber_wrap.lowering.helpers import FULL_TEXT, SHORT_TEXT, helpers
from amber_wrap.lowering.paths import joined, records_paths
from amber_wrap.lowering.program import Column, List, Program, Read
from amber_wrap.wrapper.ir import AreaRule, Place, Wrapper

MANY = 4
"""Times as many records as on a sample are too many."""
NOTHING = "/.."
"""An expression that selects no element."""
Select = Callable[[Node], Iterable[Node]]
REGULAR = 0.9
"""The share of a page's records that a field with a second way has."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The roots of the samples, with the records that the interpreter finds there."""

    roots: tuple[Node, ...]
    records: tuple[tuple[Found, ...], ...]

    def of(self, area: str) -> list[Found]:
        """The records of one kind of area, on all samples."""
        found = chain.from_iterable(self.records)
        return [record for record in found if record.area == area]


@dataclass(frozen=True, slots=True)
class Lowered:
    """The program of a wrapper, what is to be said of it, and the wrapper with the
    second ways that the program has."""

    program: Program
    findings: tuple[Diagnostic, ...]
    wrapper: Wrapper


def lower(wrapper: Wrapper, roots: Sequence[etree._Element]) -> Lowered:
    """The program that gives what the interpreter gives on all samples.

    Raises WrapperError where no expression selects the records.
    """
    records = [tuple(found_on(wrapper, one)) for one in roots]
    samples = Samples(tuple(roots), tuple(records))
    text = text_helpers(wrapper, samples)
    cases = Cases(wrapper, helpers(text))
    columns: dict[str, dict[str, Column | None]] = {}
    spares: dict[str, dict[str, str]] = {}
    for area in wrapper.areas:
        of_area = columns[area.name] = {}
        of_spares = spares[area.name] = {}
        for rule in area.fields:
            if not wrapper.keys or rule.name in wrapper.keys:
                column, spare = lower_rule(wrapper, area, rule.name, samples, cases)
                of_area[rule.name] = column
                if spare:
                    of_spares[rule.name] = spare
        if not is_unchanged(wrapper, replace(area, spares=of_spares), samples):
            # What was no record for want of values would be one.
            for name in of_spares:
                of_area[name] = first_only(of_area[name])
            of_spares.clear()
    lost = {name for found in columns.values() for name in found if not found[name]}
    form = RowForm(wrapper)
    read = helpers(text).text
    keys = tuple(
        key
        for name, kind in wrapper.fields
        if name not in lost and any(name in found for found in columns.values())
        for key in AttributeType(name, kind).keys
        if not wrapper.keys or key in wrapper.keys
    )
    lists: list[List] = []
    elsewhere: set[Node] = set()
    for area in wrapper.areas:
        found = [one for one in columns[area.name].values() if one]
        kept = [one for one in found if one.name not in lost]
        lists.append(lower_list(area, kept, samples, read, elsewhere))
        elsewhere.update(record.rows[0] for record in samples.of(area.name))
    rows = [[form.row(one.area, one.values) for one in some] for some in records]
    program = Program(
        *(tuple(lists), keys, text),
        {
            key: expectation([[row[key] for row in some] for some in rows], is_url)
            for key in keys
            if (kind := dict(wrapper.fields).get(key))
            for is_url in (kind is ValueKind.URL,)
        },
        MANY * max(map(len, samples.records)),
        any(root.find(".//base") is not None for root in roots),
    )
    areas = tuple(replace(one, spares=spares[one.name]) for one in wrapper.areas)
    findings = tuple(map(not_lowered, sorted(lost)))
    return Lowered(program, findings, replace(wrapper, areas=areas))


def is_unchanged(wrapper: Wrapper, area: AreaRule, samples: Samples) -> bool:
    """Whether an area gives the same records of the samples without its spares."""

    def rows(area: AreaRule) -> list[Node]:
        alone = replace(wrapper, areas=(area,))
        found = (found_on(alone, root) for root in samples.roots)
        return [record.rows[0] for record in chain.from_iterable(found)]

    return not area.spares or rows(area) == rows(replace(area, spares={}))


def first_only(column: Column | None) -> Column | None:
    """The column without its second way."""
    return column and replace(column, reads=column.reads[:-1])


def not_lowered(name: str) -> Diagnostic:
    """What is said of a field that no straight-line code reads."""
    message = (
        f"{name} is not in the generated file: no simple expression gives its values "
        "(`amber-wrap apply` does)"
    )
    return Diagnostic("warning", "not-lowered", message)


def text_helpers(wrapper: Wrapper, samples: Samples) -> str:
    """The helpers that read elements: the short ones where they give all texts."""
    short = helpers(SHORT_TEXT).text
    is_short = all(
        same_texts(samples.of(area.name), rule.readings[0], short, text_of)
        for area in wrapper.areas
        for rule in area.fields
    )
    return SHORT_TEXT if is_short else FULL_TEXT


def lower_rule(
    wrapper: Wrapper, area: AreaRule, name: str, samples: Samples, cases: Cases
) -> tuple[Column | None, str]:
    """The column of a field, by the first of its readings that can be lowered; and
    which of the others is its second way, "" for none."""
    kind = dict(wrapper.fields)[name]
    records = samples.of(area.name)
    (rule,) = (one for one in area.fields if one.name == name)

    def ways(at: int) -> list[Way]:
        reading = rule.readings[at]
        return cases.ways(name, reading, records)

    for at, reading in enumerate(rule.readings):
        if column := lower_field(name, kind, ways(at)):
            filled = sum(name in record.values for record in records)
            if filled < REGULAR * len(records):
                return column, ""
            for more in range(at + 1, len(rule.readings)):
                other = rule.readings[more]
                if basis(other.family) == basis(reading.family):
                    continue
                if cases.invents(name, other, records):
                    continue
                if read := other_read(kind, column, ways(more)):
                    return replace(column, reads=(*column.reads, read)), other.family
            return column, ""
    return None, ""


def other_read(kind: ValueKind, column: Column, ways: Sequence[Way]) -> Read | None:
    """Another way to the values of a column, if there is one."""
    convert = Conversion(column.convert, column.scale, column.calendar)
    for way in ways:
        read = lower_way(kind, way.alone, convert)
        if read and read.xpath != column.reads[0].xpath:
            cases = dict(way.every)[read.xpath]
            if all(
                is_told(kind, one, case) for one in column.derived for case in cases
            ):
                return read
    return None


def lower_list(
    area: AreaRule,
    columns: Sequence[Column],
    samples: Samples,
    text: Callable[..., str],
    elsewhere: Set[Node],
) -> List:
    """The list of an area: the expressions that select all its records, but for rows
    of areas before it, which are `elsewhere`."""

    wanted = [
        [record.rows[0] for record in records if record.area == area.name]
        for records in samples.records
    ]
    counts = {row: filled(columns, row, text) for row in chain(*wanted)}
    least = min((area.least, *counts.values()))
    tags = {str(row.tag) for row in counts}

    def is_right(select: Select) -> bool:
        found = (
            [row for row in select(root) if keep(row) and row not in elsewhere]
            for root in samples.roots
        )
        return wanted == [
            [row for row in some if filled(columns, row, text) >= least]
            for some in found
        ]

    for keep in (always, is_displayed):
        paths = (
            path
            for place in area.places
            for path in records_paths(place, area.places[0], tags)
        )
        first = next((path for path in paths if is_right(xpath(path))), "")
        if first:
            ways = (first, *inner_paths(area.places, first, is_right))
            is_shown = keep is is_displayed
            return List(area.name, ways, tuple(columns), least, is_shown)
    raise WrapperError(
        f"area {area.name!r}: no single expression selects its records on the samples"
    )


def inner_paths(
    places: Sequence[Place], first: str, is_right: Callable[[Select], bool]
) -> Iterator[str]:
    """What each record has one of, by which it is found where the first way fails:
    what it holds, if there is such a thing, else it itself."""
    for place in sorted(places, key=lambda one: not one.climb):
        path = joined(place)
        ways = (
            partial(helpers().records, first=one, inner=path)
            for one in (NOTHING, first)
        )
        if path != first and all(map(is_right, ways)):
            yield path
            return


def always(node: Node) -> bool:
    """Whether an element counts, however it is displayed."""
    return True


def filled(columns: Iterable[Column], row: Node, text: Callable[..., str]) -> int:
    """How many fields of a record have a value that begins in a row."""
    count = 0
    for column in columns:
        convert = Conversion(column.convert, column.scale, column.calendar)
        texts = [list(map(text, xpath(one.xpath)(row))) for one in column.reads]
        values = map(convert, texts, (one.pattern for one in column.reads))
        count += any(value is not None for value in values)
    return count


def is_displayed(node: Node) -> bool:
    """Whether neither a node nor what is around it is hidden."""
    return not any(map(is_hidden, [node, *node.iterancestors()]))
