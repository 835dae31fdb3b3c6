"""The pass from a wrapper and its samples to the program of its generated file."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
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
from amber_wrap.lowering.fields import Conversion, lower_field, lower_way, taken
from amber_wrap.lowering.helpers import FULL_TEXT, SHORT_TEXT, helpers
from amber_wrap.lowering.paths import records_paths
from amber_wrap.lowering.program import Column, List, Program, Read
from amber_wrap.wrapper.ir import AreaRule, Place, Wrapper

MANY = 4
"""Times as many records as on a sample are too many."""
MOST_PLACES = 2
"""Expressions for records."""
MOST_WAYS = 2
"""Expressions for one field, the first included."""
REGULAR = 0.9
"""The share of a page's records that a field with several expressions has."""


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
    """The program of a wrapper, and what is to be said of it."""

    program: Program
    findings: tuple[Diagnostic, ...]


def lower(wrapper: Wrapper, roots: Sequence[etree._Element]) -> Lowered:
    """The program that gives what the interpreter gives on all samples.

    Raises WrapperError where no expression selects the records.
    """
    records = [tuple(found_on(wrapper, one)) for one in roots]
    samples = Samples(tuple(roots), tuple(records))
    text = text_helpers(wrapper, samples)
    cases = Cases(wrapper, helpers(text))
    columns = {
        area.name: {
            rule.name: lower_rule(wrapper, area, rule.name, samples, cases)
            for rule in area.fields
            if not wrapper.keys or rule.name in wrapper.keys
        }
        for area in wrapper.areas
    }
    lost = {name for found in columns.values() for name in found if not found[name]}
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
        read = helpers(text).text
        lists.append(lower_list(area, kept, samples, read, elsewhere))
        elsewhere.update(record.rows[0] for record in samples.of(area.name))
    form = RowForm(wrapper)
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
    return Lowered(program, tuple(map(not_lowered, sorted(lost))))


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
) -> Column | None:
    """The column of a field, by the first of its readings that can be lowered."""
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
                return column
            others: list[Read] = []
            bases = {basis(reading.family)}
            for more in range(at + 1, len(rule.readings)):
                family = basis(rule.readings[more].family)
                if family in bases or len(others) + 1 == MOST_WAYS:
                    continue
                if read := other_read(kind, column, ways(more)):
                    bases.add(family)
                    others.append(read)
            return replace(column, reads=(*column.reads, *others))
    return None


def other_read(kind: ValueKind, column: Column, ways: Sequence[Way]) -> Read | None:
    """Another way to the values of a column, if there is one."""
    convert = Conversion(column.convert, column.scale, column.calendar)
    for way in ways:
        read = lower_way(kind, way.alone, convert)
        if read and read.xpath != column.reads[0].xpath:
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

    def is_full(row: Node) -> bool:
        return filled(columns, row, text) >= least

    wanted = [
        [record.rows[0] for record in records if record.area == area.name]
        for records in samples.records
    ]
    needed: list[bool] = []
    tags = {str(row.tag) for row in chain(*wanted)}
    counts = (filled(columns, row, text) for row in chain(*wanted))
    least = min((area.least, *counts))
    for keep in (always, is_displayed):
        right: list[tuple[Place, str]] = []
        for place in area.places:
            for path in records_paths(place, area.places[0], tags):
                found = starts(path, samples)
                kept = [
                    [row for row in some if keep(row) and row not in elsewhere]
                    for some in found
                ]
                full = [list(filter(is_full, some)) for some in kept]
                if full == wanted:
                    needed.append(kept != wanted)
                    right.append((place, path))
                    break
        if right:
            return List(
                *(area.name, chosen(right), tuple(columns)),
                least=least if least > 1 or any(needed) else 0,
                is_shown=keep is is_displayed,
            )
    raise WrapperError(
        f"area {area.name!r}: no single expression selects its records on the samples"
    )


def chosen(ways: Sequence[tuple[Place, str]]) -> tuple[str, ...]:
    """The first way to the records, and another that rests on what they hold, if there
    is one, else the next."""
    (_, first), *others = ways
    inner = [path for place, path in others if place.climb]
    return (first, *[*inner, *(path for _, path in others)][: MOST_PLACES - 1])


def always(node: Node) -> bool:
    """Whether an element counts, however it is displayed."""
    return True


def filled(columns: Iterable[Column], row: Node, text: Callable[..., str]) -> int:
    """How many keys of a record have a value that begins in a row."""
    count = 0
    for column in columns:
        convert = Conversion(column.convert, column.scale, column.calendar)
        texts = [list(map(text, xpath(one.xpath)(row))) for one in column.reads]
        values = map(convert, texts, (one.pattern for one in column.reads))
        if any(value is not None for value in values):
            signs = (
                taken(texts[0], one.pattern) for one in column.derived if one.pattern
            )
            constant = sum(not one.pattern for one in column.derived)
            count += 1 + constant + sum(sign is not None for sign in signs)
    return count


def is_displayed(node: Node) -> bool:
    """Whether neither a node nor what is around it is hidden."""
    return not any(map(is_hidden, [node, *node.iterancestors()]))


def starts(path: str, samples: Samples) -> list[list[Node]]:
    """What an expression selects on each sample."""
    return [xpath(path)(root) for root in samples.roots]
