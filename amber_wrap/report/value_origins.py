"""Explain for each value which expression reads it, and how the value was found.

Also list the texts that look like values but weren't taken as values, with the reasons.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.locators import PatternCache, TreeValueReader
from amber_wrap.engine.output_rows import ExtractedRecord
from amber_wrap.lowering.xpath_simplification import short
from amber_wrap.passes.analysis import Analysis
from amber_wrap.pipeline import Compilation
from amber_wrap.report.text_report import column_reasons, locator_text
from amber_wrap.wrapper.ir import AreaRule, FieldRule, Locator, Wrapper

ValueKey = tuple[NodeId, str]
"""The key of a value: the first element of its record, and the name of the field."""


def value_readings(
    wrapper: Wrapper, page: Page, records: Sequence[ExtractedRecord]
) -> dict[ValueKey, str]:
    """Return the expression that reads each value, such as "tag: ./a/h3".

    The word before the colon is the feature by which the expression finds an element,
    here the tag. If the field has several expressions, " (expression 1 of 3)" follows.
    """
    readings: dict[ValueKey, str] = {}
    by_area: dict[str, list[ExtractedRecord]] = defaultdict(list)
    for record in records:
        by_area[record.area].append(record)
    for area in wrapper.areas:
        area_records = by_area[area.name]
        record_rows = [
            [page.element_of(row) for row in record.rows] for record in area_records
        ]
        value_reader = TreeValueReader(PatternCache(dict(wrapper.patterns)))
        for rule in area.fields:
            locators = [*_followed_locators(area, rule)]
            for number, (family, locator) in enumerate(locators, 1):
                reading = f"{family}: {short(locator_text(locator))}"
                if len(locators) > 1:
                    reading += f" (expression {number} of {len(locators)})"
                values = value_reader.column([locator], record_rows)
                for record, value in zip(area_records, values, strict=True):
                    if value is not None:
                        readings.setdefault((record.rows[0], rule.name), reading)
    return readings


def _followed_locators(
    area: AreaRule, rule: FieldRule
) -> Iterator[tuple[str, Locator]]:
    """Yield a pair (feature, expression) for each expression that the wrapper uses for
    a field.

    The expression finds an element by the feature, for example by its "class".
    """
    for reading in area.followed_readings(rule):
        for locator in reading.locators:
            yield reading.family, locator


def value_origins(
    compilation: Compilation, names: Sequence[str]
) -> Mapping[ValueKey, str]:
    """Return a text for each value on the first sample page that says how the value was
    found.

    For example, a pattern found it, or other records have a value at its position.
    `names` are the names of the fields with the values.
    """
    origins: dict[ValueKey, str] = {}
    sources = {name: name for name in names} | dict(compilation.wrapper.renamed)
    reasons = column_reasons(compilation)
    for area in compilation.analysis.typings[0].areas:
        for record, attributes in zip(area.records, area.attributes, strict=True):
            by_type = {attribute.type: attribute for attribute in attributes}
            for name in names:
                attribute = by_type.get(sources[name])
                if attribute is None:
                    origin = f"a text at the column's position; name: {reasons[name]}"
                elif attribute.origin == "annotated":
                    origin = f"annotated by {attribute.recogniser or 'the markup'}"
                else:
                    origin = "inferred: other records have a value at this position"
                origins[record.start, name] = f"origin: {origin}"
    return origins


@dataclass(frozen=True, slots=True)
class RejectedAnnotation:
    """A text that looks like a value but wasn't taken as a value, and the reason."""

    annotation: Annotation
    reason: str

    @property
    def lines(self) -> tuple[str, ...]:
        """Three lines: the type and the text, the reason, and the recogniser.

        A recogniser is the pattern, word list or code that found the text.
        """
        return (
            f"{self.annotation.type}? {self.annotation.text}",
            f"rejected: {self.reason}",
            f"annotated by {self.annotation.recogniser}",
        )

    @property
    def short_reason(self) -> str:
        """The reason why the text wasn't taken as a value, without details.

        An example of a detail is the text of another value.
        """
        return self.reason.partition(":")[0].partition(" (")[0]


def rejected_annotations(
    page: Page, analysis: Analysis
) -> Iterator[RejectedAnnotation]:
    """Yield the texts that look like values but weren't taken as values, with reasons.

    `page` is the first sample page.
    """
    areas = analysis.typings[0].areas
    records = sorted(
        (
            (record, {attribute.type: attribute for attribute in attributes})
            for area in areas
            for record, attributes in zip(area.records, area.attributes, strict=True)
        ),
        key=lambda record_and_attributes: record_and_attributes[0].start,
    )
    starts = [record.start for record, _ in records]
    noise = {
        annotation
        for area in areas
        for annotation in chain.from_iterable(area.noise.values())
    }
    dropped_supports: dict[str, set[float]] = defaultdict(set)
    for area in areas:
        for position in area.positions:
            if not position.is_kept:
                dropped_supports[position.type].add(position.support)
    for annotation in analysis.annotations[0]:
        index = bisect_right(starts, annotation.node) - 1
        record, attributes = records[index] if index >= 0 else (None, {})
        if record is None or not any(
            page.contains(row, annotation.node) for row in record.nodes
        ):
            yield RejectedAnnotation(annotation, "the text is outside all records")
            continue
        attribute = attributes.get(annotation.type)
        text = attribute.text or "" if attribute else ""
        if attribute and (
            attribute.node == annotation.node
            or (
                page.contains(attribute.node, annotation.node)
                and text == annotation.text
            )
        ):
            continue
        value = f"a value of {annotation.type}"
        if annotation in noise:
            supports = sorted(dropped_supports[annotation.type])
            shares = ", ".join(f"{support:.0%}" for support in supports)
            reason = f"too few records have {value} at this path ({shares})"
        elif attribute:
            reason = f"the record has another {annotation.type}: {text}"
        else:
            reason = f"the text at this path is not {value} in this record"
        yield RejectedAnnotation(annotation, reason)


def rejected_lines(rejected: Iterable[RejectedAnnotation]) -> Iterator[str]:
    """Yield a line with the number of rejected texts for each type and reason.

    A rejected text looks like a value, but wasn't taken as a value.
    """
    counts = Counter(
        (refusal.annotation.type, refusal.short_reason) for refusal in rejected
    )
    for (kind, reason), count in sorted(counts.items()):
        yield f"{kind:14} {count:5}  {reason}"
