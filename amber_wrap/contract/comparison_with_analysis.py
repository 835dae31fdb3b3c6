"""Compare a wrapper's records with the records that the analysis of a page found.

The values that alternative XPath expressions read are compared, too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.extraction_typing import ExtractionTyping
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.dom.displayed_texts import CHOICES
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.engine.evaluator import selector
from amber_wrap.engine.locators import PageValueReader
from amber_wrap.engine.output_rows import interpret, with_node_numbers
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.errors import Diagnostic
from amber_wrap.wrapper.ir import FieldReading, FieldRule, Wrapper


@dataclass(frozen=True, slots=True)
class Agreement:
    """Counts that compare a wrapper's records with the records that the analysis found
    on a page."""

    records: tuple[int, int, int]
    """Three numbers of records: found by both, found by the wrapper, found by the
    analysis. Records are the same if they have the same first element."""
    values: tuple[int, int, int]
    """Three numbers of values: equal in both, read by the wrapper, found by the
    analysis. Of the values that the wrapper reads, only those of records that both
    found count."""
    differences: Mapping[tuple[str, str], int]
    """The number of values that differ, by (field, difference), such as ("price",
    "missing")."""


def typed_values(typing: ExtractionTyping) -> dict[NodeId, dict[str, str]]:
    """Return the texts of the values that the analysis found on a page, by the record's
    first node and by type.

    Values without a text are left out.
    """
    return {
        record.start: {
            attribute.type: attribute.text
            for attribute in attributes
            if attribute.text is not None
        }
        for area in typing.areas
        for record, attributes in zip(area.records, area.attributes, strict=True)
    }


def agreement(
    wrapper: Wrapper,
    page: Page,
    typing: ExtractionTyping,
    found: Sequence[FoundRecord] = (),
) -> Agreement:
    """Return counts that compare a wrapper's records and values with the analysis of
    the page.

    `typing` is the result of the analysis. `found` are the wrapper's records, by
    default those that it extracts from the page.
    """
    records = with_node_numbers(page, found) if found else interpret(wrapper, page)
    extracted = {record.rows[0]: record for record in records}
    typed_records = typed_values(typing)
    agreeing_starts = typed_records.keys() & extracted.keys()
    differences: Counter[tuple[str, str]] = Counter()
    agreeing_count = read_count = 0
    for start in agreeing_starts:
        typed_texts = typed_records[start]
        read_texts = {
            name: value.text for name, value in extracted[start].values.items()
        }
        read_count += len(read_texts)
        for field in typed_texts.keys() | read_texts.keys():
            if field not in read_texts:
                differences[field, "missing"] += 1
            elif field not in typed_texts:
                differences[field, "beyond the typing"] += 1
            elif typed_texts[field] != read_texts[field]:
                differences[field, "different"] += 1
            else:
                agreeing_count += 1
    typed_count = sum(map(len, typed_records.values()))
    return Agreement(
        records=(len(agreeing_starts), len(extracted), len(typed_records)),
        values=(agreeing_count, read_count, typed_count),
        differences=dict(sorted(differences.items())),
    )


def verify(
    wrapper: Wrapper,
    page: Page,
    typing: ExtractionTyping,
    name: str,
    found: Sequence[FoundRecord] = (),
) -> Iterator[Diagnostic]:
    """Yield a warning or detail for each difference between a wrapper's records and the
    analysis of the page.

    `typing` is the result of the analysis, and `name` the name of the page. `found` are
    the wrapper's records, by default those that it extracts.
    """
    page_agreement = agreement(wrapper, page, typing, found)
    agreeing, extracted, typed = page_agreement.records
    if missed := typed - agreeing:
        message = f"the wrapper misses {missed} of {typed} records found on the page"
        yield _finding("record-missed", f"{message}: {ANOTHER_SAMPLE}", name)
    if extra := extracted - agreeing:
        message = f"the wrapper reads {extra} records that were not found on the page"
        remedy = "if they are not records, leave out their part of the page (--without)"
        yield _finding("record-extra", f"{message}: {remedy}", name)
    read_fields = {rule.name for area in wrapper.areas for rule in area.fields}
    for (field, difference), count in page_agreement.differences.items():
        message = f"{field}: {count} {_EXPLANATIONS[difference]}"
        # For a field that no area reads, the finding is a detail, not a warning.
        yield _finding("field-differs", message, name, field in read_fields)


ANOTHER_SAMPLE = "a second sample may show how to tell them apart"
"""Advice to the user for values and records that the wrapper misses."""
CHECK_VALUES = "check them, and leave the field out if they are wrong (--fields)"
"""Advice to the user for values that the wrapper reads wrongly."""
_EXPLANATIONS = {
    "missing": f"values found on the page are missing: {ANOTHER_SAMPLE}",
    "beyond the typing": f"values come from records that show none: {CHECK_VALUES}",
    "different": f"values differ from those found on the page: {CHECK_VALUES}",
}
"""Messages for the user, by the kind of difference between the value that the analysis
found and the value that the wrapper reads."""


def _finding(code: str, message: str, name: str, is_warning: bool = True) -> Diagnostic:
    """Return a message about the sample page `name`: a warning, or else a detail."""
    return Diagnostic("warning" if is_warning else "detail", code, message, name)


def disputed_records(
    rule: FieldRule,
    page: Page,
    records: Sequence[FoundRecord],
    readout: PageValueReader,
) -> list[FoundRecord]:
    """Return the records in which an alternative XPath expression for a field reads
    another value.

    Expressions that read no value are ignored.
    """
    rows = [[page.node_of(row) for row in record.rows] for record in records]
    alternative_columns = [
        _column(reading, page, rows, readout) for reading in rule.readings[1:]
    ]
    disputed = []
    for index, record in enumerate(records):
        value = record.values.get(rule.name)
        agreeing = {None, value.shown if value else None}
        if not agreeing.issuperset(column[index] for column in alternative_columns):
            disputed.append(record)
    return disputed


def _column(
    reading: FieldReading,
    page: Page,
    records: Sequence[list[NodeId]],
    readout: PageValueReader,
) -> list[str | None]:
    """Return, for each record, the value that a group of alternative XPath expressions
    reads.

    The expressions are tried in order. A value is None if no expression finds one.
    """
    values: list[str | None] = [None] * len(records)
    for locator in reading.locators:
        without_value = [i for i, value in enumerate(values) if value is None]
        rows = (
            records[i][locator.row] if locator.row < len(records[i]) else None
            for i in without_value
        )
        select = selector(page, locator.xpath)
        texts = readout.column(page, select, locator.source, locator.pattern, rows)
        for i, text in zip(without_value, texts, strict=True):
            values[i] = text
    return values


def _types_on(
    page: Page, node: NodeId, shown: str, annotations: Mapping[NodeId, list[Annotation]]
) -> frozenset[str]:
    """Return the types of which the text `shown` of an element was recognised as a
    value.

    It may have been recognised in the element, in a descendant or in a near ancestor.
    `annotations` has the recognised texts by node.
    """
    nodes = list(range(node, node + page.size[node]))
    ancestor = page.parent[node]
    while ancestor >= 0 and len(nodes) < page.size[node] + CONTRACT.most_levels_above:
        nodes.append(ancestor)
        ancestor = page.parent[ancestor]
    return frozenset(
        annotation.type
        for annotated in nodes
        for annotation in annotations.get(annotated, ())
        if annotation.text in shown or shown in annotation.matched
    )


def annotated_outside(
    page: Page, annotations: Iterable[Annotation], records: Iterable[FoundRecord] = ()
) -> Counter[str]:
    """Return the number of texts outside of the given records that were recognised as
    possible values, by type.

    Options in forms aren't counted.
    """
    starts = [page.node_of(row) for record in records for row in record.rows]
    within = {
        node for start in starts for node in range(start, start + page.size[start])
    }
    outside: set[tuple[str, NodeId]] = set()
    for annotation in annotations:
        element = page.element(annotation.node)
        tags = {page.tag[element], page.tag[page.parent[element]]}
        is_outside = CHOICES.isdisjoint(tags) and annotation.node not in within
        if annotation.source == TEXT and is_outside:
            outside.add((annotation.type, annotation.node))
    return Counter(type_name for type_name, _ in outside)


def recognised_share(
    page: Page, annotations: Iterable[Annotation], records: Iterable[FoundRecord]
) -> Mapping[str, tuple[int, int, Counter[str]]]:
    """Return (recognised, all, other types) for the values of each field.

    `recognised` is the number of values that were recognised as values of the field's
    type, and `all` the number of all values. `other types` counts the types of which
    the other values were recognised.
    """
    by_node: dict[NodeId, list[Annotation]] = defaultdict(list)
    for annotation in annotations:
        by_node[annotation.node].append(annotation)
    recognised: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    other_types: dict[str, Counter[str]] = defaultdict(Counter)
    for record in records:
        for name, value in record.values.items():
            node = page.node_of(value.node)
            if page.is_within_hidden(node):  # Hidden texts aren't annotated.
                continue
            totals[name] += 1
            types = _types_on(page, node, value.shown, by_node)
            if name in types:
                recognised[name] += 1
            else:
                other_types[name].update(types)
    return {
        name: (recognised[name], total, other_types[name])
        for name, total in totals.items()
    }
