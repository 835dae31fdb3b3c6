"""Turn a wrapper into the content of a generated Python file.

The file must read the sample pages in the same way as the wrapper.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from lxml import etree

from amber_wrap.dom.displayed_texts import INLINE, text_of
from amber_wrap.dom.expressions import Node
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.engine.output_rows import RowForm, records_on, row_keys
from amber_wrap.engine.record_reading import FoundRecord, family_basis
from amber_wrap.errors import Diagnostic
from amber_wrap.lowering.conversions import conversion_of
from amber_wrap.lowering.currency_signs import has_no_other_sign
from amber_wrap.lowering.expectations import expected
from amber_wrap.lowering.field_lowering import agrees, lower_field
from amber_wrap.lowering.helpers import (
    BLOCKS_TEXT,
    FULL_TEXT,
    SHORT_TEXT,
    SPACED_TEXT,
    helpers,
)
from amber_wrap.lowering.program import Column, List, Program, Read
from amber_wrap.lowering.record_lowering import lower_list
from amber_wrap.lowering.sample_cases import (
    OWN,
    Cases,
    LocatorCase,
    Samples,
    same_texts,
    tags_in,
)
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.lowering.xpath_simplification import (
    by_likeness,
    expression_names,
    first_node_path,
)
from amber_wrap.selectors.costs_and_limits import LABEL, NEIGHBOUR
from amber_wrap.wrapper.ir import AreaRule, FieldReading, FieldRule, Wrapper


@dataclass(frozen=True, slots=True)
class Lowered:
    """The result of turning a wrapper into the content of a Python file."""

    program: Program
    """The content of the file."""
    findings: tuple[Diagnostic, ...]
    """Warnings on fields that the file leaves out."""
    wrapper: Wrapper
    """A copy of the wrapper that names, in `followed`, the XPath expressions that the
    file uses."""


def lower_wrapper(wrapper: Wrapper, roots: Sequence[etree._Element]) -> Lowered:
    """Return the content of a Python file that extracts the same values as a wrapper.

    A field is left out if no simple expression reads its values on the sample pages
    `roots`. Raise WrapperError if no expression selects the records of a list.
    """
    records = tuple(tuple(records_on(wrapper, root)) for root in roots)
    samples = Samples(tuple(roots), records)
    text_variant = text_helpers(wrapper, samples)
    sample_text = " ".join(map(text_of, roots))
    cases = Cases(wrapper, helpers(text_variant), sample_text)
    columns: dict[str, dict[str, Column | None]] = {}
    areas: list[AreaRule] = []
    for area in wrapper.areas:
        lowered_area, columns[area.name] = lower_fields(wrapper, area, samples, cases)
        areas.append(lowered_area)
    all_columns = [one for by_name in columns.values() for one in by_name.items()]
    lost = {name for name, column in all_columns if column is None}
    lists: list[List] = []
    earlier_rows: set[Node] = set()
    for index, area in enumerate(areas):
        kept_columns = [
            column
            for column in columns[area.name].values()
            if column and column.name not in lost
        ]
        page_list, families = lower_list(
            area, kept_columns, samples, cases.text, earlier_rows
        )
        lists.append(page_list)
        if families != (area.places[0].family,):
            areas[index] = replace(area, followed={"": families, **area.followed})
        earlier_rows.update(record.rows[0] for record in samples.records_of(area.name))
    lowered_names = {name for name, _ in all_columns} - lost
    keys = program_keys(wrapper, lowered_names)
    form = RowForm(wrapper)
    rows = [
        [form.row(record.area, record.values) for record in page_records]
        for page_records in records
    ]
    program = Program(
        lists=tuple(lists),
        keys=keys,
        text=text_variant,
        expected=expected(wrapper, keys, rows),
        most=LOWERING.most_records_factor * max(map(len, records)),
        joins_cents=wrapper.joins_cents,
        has_base=any(root.find(".//base") is not None for root in roots),
        constants=dict(wrapper.constants),
        next_page=f"{wrapper.next_page}/@href" if wrapper.next_page else "",
        is_closed=wrapper.signs is not None and wrapper.signs.ending.closed,
    )
    findings = tuple(map(not_lowered, sorted(lost)))
    return Lowered(program, findings, replace(wrapper, areas=tuple(areas)))


def lower_fields(
    wrapper: Wrapper, area: AreaRule, samples: Samples, cases: Cases
) -> tuple[AreaRule, dict[str, Column | None]]:
    """Return how a generated file reads each field of a list, by the name of the field.

    The entry of a field is None if no simple expression reads the field. Also return a
    copy of the rule `area` whose `followed` names the groups of XPath expressions that
    are used.
    """
    columns: dict[str, Column | None] = {}
    followed: dict[str, tuple[str, ...]] = {}
    records = samples.records_of(area.name)
    rows = [record.rows[0] for record in records]
    for rule in area.fields:
        if not wrapper.keys or rule.name in wrapper.keys:
            column, families = lower_rule(wrapper, rule, records, cases)
            columns[rule.name] = column and with_first_nodes(column, rows, cases)
            if families not in ((), (rule.readings[0].family,)):
                followed[rule.name] = families
    lowered_area = replace(area, followed=followed)
    if not selects_same_records(wrapper, lowered_area, samples):
        # A second reading gives values to elements that had too few to be records.
        for name in followed:
            column = columns[name]
            columns[name] = column and replace(column, reads=column.reads[:1])
        followed = {name: families[:1] for name, families in followed.items()}
        lowered_area = replace(area, followed=followed)
    return lowered_area, columns


def program_keys(wrapper: Wrapper, lowered_names: Set[str]) -> tuple[str, ...]:
    """Return the keys of the records that a generated file extracts, in output order.

    `lowered_names` are the names of the fields that the file reads.
    """
    known_keys = set(dict(wrapper.constants))
    for name, kind in wrapper.fields:
        if name in lowered_names:
            known_keys.update(AttributeType(name, kind).keys)
    return tuple(key for key in row_keys(wrapper) if key in known_keys)


def with_first_nodes(column: Column, rows: Sequence[Node], cases: Cases) -> Column:
    """Return a copy of a column with XPath expressions whose first node has the value.

    These expressions are for tools that read only the first node. `rows` has the first
    element of each sample record.
    """
    if column.convert == "texts":
        return column
    # The helper `own` reads elements; its expressions end with a step to text nodes.
    end = OWN if column.convert == "own" else ""
    reads = []
    for read in column.reads:
        path = read.xpath.removesuffix(end)
        first, is_exact = first_node_path(path, read.pattern, rows, cases.text)
        reads.append(replace(read, first=first, is_exact=is_exact))
    return replace(column, reads=tuple(reads))


def selects_same_records(wrapper: Wrapper, area: AreaRule, samples: Samples) -> bool:
    """Return whether a list has the same records if each field is read only by its
    first group of XPath expressions.

    A second group, named in `area.followed`, may find values in an element that
    otherwise has too few values to be a record.
    """

    def rows(area: AreaRule) -> list[Node]:
        area_wrapper = replace(wrapper, areas=(area,))
        return [
            record.rows[0]
            for root in samples.roots
            for record in records_on(area_wrapper, root)
        ]

    return not area.followed or rows(area) == rows(replace(area, followed={}))


def not_lowered(name: str) -> Diagnostic:
    """Return the warning that the generated file lacks the field `name`."""
    message = (
        f"{name} is not in the generated file: no simple expression gives its values "
        "(`amber-wrap apply` reads it)"
    )
    return Diagnostic("warning", "not-lowered", message)


def text_helpers(wrapper: Wrapper, samples: Samples) -> str:
    """Return the name of the variant of the function `text(element)` that a generated
    file needs.

    It is the shortest variant that reads the displayed texts on the sample pages.
    """
    readings = [
        (samples.records_of(area.name), rule.readings[0])
        for area in wrapper.areas
        for rule in area.fields
    ]
    tags = {tag for records, reading in readings for tag in tags_in(records, reading)}
    variants = [BLOCKS_TEXT]
    if not tags & INLINE:
        variants.insert(0, SPACED_TEXT)
    # Without any tag, the shortest variant is risky: on other pages, a field may have
    # child elements.
    if tags and tags <= INLINE:
        variants.insert(0, SHORT_TEXT)
    for variant in variants:
        text = helpers(variant).text
        if all(same_texts(records, reading, text) for records, reading in readings):
            return variant
    return FULL_TEXT


def lower_rule(
    wrapper: Wrapper, rule: FieldRule, records: Sequence[FoundRecord], cases: Cases
) -> tuple[Column | None, tuple[str, ...]]:
    """Return how a generated file reads a field, and the names of the groups of XPath
    expressions that the file uses.

    These are the first group with simple expressions, and perhaps a second group.
    Return None and () if no group has simple expressions.
    """
    kinds, name = dict(wrapper.fields), rule.name
    column: Column | None = None
    for first in rule.readings:
        locator_cases = cases.locator_cases(name, first, records)
        if column := lower_field(name, kinds[name], locator_cases, kinds.keys()):
            break
    else:
        return None, ()
    spare_readings = [
        reading
        for reading in rule.readings
        # Where the marked element before it is missing, another element would be read.
        if family_basis(reading.family) not in (NEIGHBOUR, family_basis(first.family))
        and (column.reads[0].pattern or is_named_alike(first, reading))
        and cases.is_spare(name, reading, records)
        and same_texts(records, reading, cases.text)
    ]
    for spare in by_likeness(reading_names(first), spare_readings, reading_names):
        locator_cases = cases.locator_cases(name, spare, records)
        read = spare_read(kinds[name], column, locator_cases)
        is_by_position = family_basis(spare.family) == "movable"
        if read and (
            read.pattern
            or not is_by_position
            or cases.selects_one_text(read.xpath, records)
        ):
            column = replace(column, reads=(*column.reads, read))
            return column, (first.family, spare.family)
    return column, (first.family,)


def reading_names(reading: FieldReading) -> set[str]:
    """Return the tags and attribute values in a group of XPath expressions."""
    return expression_names(locator.xpath for locator in reading.locators)


def is_named_alike(first: FieldReading, spare: FieldReading) -> bool:
    """Return whether a second group of XPath expressions is as reliable as the first
    group.

    Return False if the first group finds the field by a label, such as "Fax:", and the
    second group only by a position or another feature that may change.
    """
    return (
        family_basis(first.family) != LABEL or family_basis(spare.family) != "movable"
    )


def spare_read(
    kind: ValueKind, column: Column, locator_cases: Sequence[LocatorCase]
) -> Read | None:
    """Return a second XPath expression that reads the right value of a column from all
    sample records.

    Return None if there is no such expression.
    """
    conversion, first = conversion_of(column), column.reads[0]
    for locator_case in locator_cases:
        for path, cases in locator_case.all_cases:
            if (
                path != first.xpath
                and (conversion.helper == "own") == path.endswith(OWN)
                and agrees(first.pattern, cases, conversion)
                and all(
                    has_no_other_sign(kind, derived, case)
                    for derived in column.derived
                    for case in cases
                )
            ):
                return Read(path, first.pattern)
    return None
