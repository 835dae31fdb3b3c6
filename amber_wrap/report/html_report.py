"""Build a report as one HTML file that opens from disk and loads nothing else."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.codegen.other_languages import CONTROL, Written, fill
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.contract_report import ContractReport
from amber_wrap.engine.output_rows import ExtractedRecord, interpret, to_rows
from amber_wrap.lowering.helpers import template
from amber_wrap.lowering.xpath_simplification import short
from amber_wrap.pipeline import Compilation
from amber_wrap.report.page_copy import page_snapshot
from amber_wrap.report.pass_steps import PassTimes, candidate_lines, pass_steps
from amber_wrap.report.text_report import column_reasons, locator_text
from amber_wrap.report.value_origins import (
    ValueKey,
    rejected_annotations,
    rejected_lines,
    value_origins,
    value_readings,
)
from amber_wrap.wrapper.ir import Wrapper

RECORD, AREA, REJECTED = "record", "area", "rejected"
"""The kinds of highlighted elements that have no value: records, lists, rejected texts.

A rejected text looks like a value, but wasn't taken as a value. The kind of an element
with a value is "field".
"""
_LONGEST_CELL: Final = 300
"""The most characters of a value that a cell of the report's table shows."""
_MOST_REJECTED: Final = 3_000
"""The most texts that are highlighted because they weren't taken as values."""


@dataclass(frozen=True, slots=True)
class _Mark:
    """An element that the report highlights, with its tooltip."""

    node: NodeId
    kind: str
    """One of "record", "area" (a list), "field" (a value) and "rejected" (no value)."""
    field: str = ""
    """The name of the value's field, or the type that a rejected text seems to have."""
    lines: tuple[str, ...] = ()
    """The lines of the tooltip."""


def view_of_sample(compilation: Compilation, source: str, times: PassTimes) -> str:
    """Return the HTML report on how a wrapper was made from its first sample page.

    `source` is the text of the generated file.
    """
    page, wrapper = compilation.pages[0], compilation.wrapper
    analysis = compilation.analysis
    reasons = column_reasons(compilation)
    records = interpret(wrapper, page)
    step_lines = [
        f"{step.title}: {step.summary}" for step in pass_steps(page, analysis)
    ]
    rejected = list(rejected_annotations(page, analysis))
    rejected_marks = [
        _Mark(refusal.annotation.node, REJECTED, refusal.annotation.type, refusal.lines)
        for refusal in rejected[:_MOST_REJECTED]
    ]
    unread_texts = [note for note in compilation.columns.notes if not note.is_read]
    sections = [
        ("Lists", list(candidate_lines(page, analysis.choices[0]))),
        ("Findings", [str(finding) for finding in compilation.diagnostics]),
        ("Paths", list(_path_lines(compilation))),
        ("Rejected", list(rejected_lines(rejected))),
        ("Unused texts", [f"{note.text}: {note.reason}" for note in unread_texts]),
        ("Passes", [*step_lines, "", *times.lines()]),
    ]
    title = f"{compilation.sources[0].name}: {len(records)} records of {analysis}"
    origins = value_origins(compilation, list(reasons))
    return _view(
        title,
        page,
        wrapper,
        records,
        reasons,
        origins,
        rejected_marks,
        sections,
        source,
    )


def view_of_page(
    name: str, page: Page, wrapper: Wrapper, report: ContractReport, source: str
) -> str:
    """Return an HTML report on the records that a wrapper selects on a page.

    `source` is the text of the generated file.
    """
    records = interpret(wrapper, page)
    failures = [
        f"{failure['clause']} {failure['field']}: {failure['message']}"
        for failure in report["failed"]
    ]
    sections = [
        ("Check", [report["status"], *failures, *report["notes"]]),
    ]
    title = f"{name}: {report['status']}, {len(records)} records"
    return _view(title, page, wrapper, records, {}, {}, [], sections, source)


def _view(
    title: str,
    page: Page,
    wrapper: Wrapper,
    records: Sequence[ExtractedRecord],
    reasons: dict[str, str],
    origins: Mapping[ValueKey, str],
    rejected: Sequence[_Mark],
    sections: Sequence[tuple[str, Sequence[str]]],
    source: str,
) -> str:
    """Return the HTML report of the records that a wrapper selects on a page.

    `reasons` explain the names of columns, `origins` say how values were found, and
    `rejected` are texts not taken as values. `sections` are pairs of a heading and
    lines.
    """
    column_names = [
        name for name, _ in wrapper.fields if name in wrapper.keys or not records
    ]
    by_field, readings = expressions(wrapper), value_readings(wrapper, page, records)
    fills = {
        name: sum(name in record.values for record in records) for name in column_names
    }
    marks = [
        *_area_marks(page, wrapper, records),
        *_value_marks(records, column_names, fills, readings, origins),
        *rejected,
    ]
    by_node: dict[NodeId, list[int]] = defaultdict(list)
    for number, mark in enumerate(marks):
        by_node[page.element(mark.node)].append(number)
    column_details = [
        {
            "name": name,
            "fill": f"{fills[name]} of {len(records)}",
            "expressions": by_field.get(name, []),
            "why": reasons.get(name, ""),
        }
        for name in column_names
    ]
    table_rows = to_rows(wrapper, page)
    report_data = {
        "marks": [
            {"kind": mark.kind, "field": mark.field, "lines": mark.lines}
            for mark in marks
        ],
        "fields": column_details,
        "keys": list(table_rows[0]) if table_rows else [],
        "rows": [[cell_text(value) for value in row.values()] for row in table_rows],
    }
    report_script = template("report/report.js")
    script_digest = base64.b64encode(
        hashlib.sha256(report_script.encode()).digest()
    ).decode()
    return fill(
        "report/report.html.jinja",
        title=_clean(title),
        policy=f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        f"script-src 'sha256-{script_digest}'",
        style=Written(template("report/report.css")),
        script=Written(report_script),
        data=in_script(report_data),
        frame=CONTROL.sub("", page_snapshot(page, by_node)),
        sections=[(name, _clean(*lines)) for name, lines in sections if lines],
        contract=_clean(*_contract_lines(wrapper)),
        source=_clean(source),
    )


def in_script(data: Any) -> Written:
    """Return data as JSON for a script element, with "<", ">" and "&" escaped."""
    text = json.dumps(data, ensure_ascii=True)
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Written(text)


def _clean(*lines: str) -> str:
    """Return lines as one text, without the characters that HTML can't hold."""
    return CONTROL.sub("", "\n".join(lines))


def cell_text(value: Any) -> str:
    """Return a record's value as the text of a table cell, cut to 300 characters.

    The items of a list are joined by "; ".
    """
    text = "; ".join(map(str, value)) if isinstance(value, list) else value
    return "" if text is None else str(text)[:_LONGEST_CELL]


def expressions(wrapper: Wrapper) -> dict[str, list[str]]:
    """Return the XPath expressions of each field, such as "tag: ./a/h3".

    The word before the colon is the feature by which the expression finds an element,
    here the tag.
    """
    return {
        rule.name: [
            f"{reading.family}: {short(locator_text(locator))}"
            for reading in rule.readings
            for locator in reading.locators
        ]
        for area in wrapper.areas
        for rule in area.fields
    }


def _area_marks(
    page: Page, wrapper: Wrapper, records: Sequence[ExtractedRecord]
) -> Iterator[_Mark]:
    """Yield an element to highlight for each list of records, and for each record.

    The element of a list is the parent of its records.
    """
    seen: set[NodeId] = set()
    for number, record in enumerate(records, 1):
        parent = page.parent[record.rows[0]]
        if parent not in seen and parent >= 0:
            seen.add(parent)
            area = next(area for area in wrapper.areas if area.name == record.area)
            lines = (f"area {record.area}", str(area.places[0].root))
            yield _Mark(parent, AREA, lines=lines)
        for row in record.rows:
            lines = (
                f"record {number} of {len(records)}",
                f"{len(record.values)} values",
            )
            yield _Mark(row, RECORD, lines=lines)


def _value_marks(
    records: Sequence[ExtractedRecord],
    names: Sequence[str],
    fills: dict[str, int],
    readings: Mapping[ValueKey, str],
    origins: Mapping[ValueKey, str],
) -> Iterator[_Mark]:
    """Yield an element to highlight for each value in the records.

    The tooltip of the element shows the value, its XPath expression (in `readings`) and
    its origin. `fills` has the number of records with a value, by name of the field.
    """
    for number, record in enumerate(records, 1):
        for name in names:
            if value := record.values.get(name):
                key = record.rows[0], name
                lines = (
                    f"{name}: {value.text}",
                    f"record {number}; {fills[name]} of {len(records)} have a value",
                    *(texts[key] for texts in (readings, origins) if key in texts),
                )
                yield _Mark(value.node, "field", name, lines)


def _path_lines(compilation: Compilation) -> Iterator[str]:
    """Yield a line on each path of tags that leads to values of an attribute type.

    The line has the share of records with a value at the path. A "dropped" path has
    values in too few records.
    """
    for area in compilation.analysis.typings[0].areas:
        for position in area.positions:
            verdict = "kept" if position.is_kept else "dropped"
            yield (
                f"{position.type} {position.support:.0%} {verdict} "
                f"({position.source}) {position.path}"
            )


def _contract_lines(wrapper: Wrapper) -> Iterator[str]:
    """Yield lines on the conditions that pages of a wrapper must meet.

    The lines have the number of records. For each field, they have the share of records
    with a value and the shapes of values.
    """
    for area in wrapper.areas:
        if contract := area.contract:
            low, high = contract.records
            yield f"{area.name}: {low} to {high} records on a sample"
            for name, share in contract.fill.items():
                shapes = ", ".join(contract.shapes.get(name, ()))
                yield f"  {name}: at least {share:.0%} of the records; {shapes}"
