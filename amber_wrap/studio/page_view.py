"""Build the data and the page that the studio, a local web application, shows.

Only the studio's script can run in the page, and no file is loaded.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from amber_wrap.dom.link_addresses import base_url
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.output_rows import RowForm
from amber_wrap.generalise.user_decisions import ColumnDecision
from amber_wrap.lowering.helpers import template
from amber_wrap.lowering.xpath_simplification import short, value_paths
from amber_wrap.report.html_report import cell_text, expressions
from amber_wrap.report.page_copy import REMOVED_TAGS, page_snapshot
from amber_wrap.spec.reader import parse_spec, spec_text
from amber_wrap.studio.file_cache import OpenedPage
from amber_wrap.wrapper.ir import Wrapper

_LONGEST: Final = 40_000
"""The most characters of the generated file that are shown."""
_POLICY: Final = (
    "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; "
    "img-src data:; form-action 'none'; base-uri 'none'"
)
"""The content security policy (CSP) of the shown page.

Only the studio's script may run.
"""
SANDBOX: Final = "sandbox allow-scripts; frame-ancestors 'self'"
"""The part of the content security policy (CSP) that only an HTTP header can set."""


def view_data(opened: OpenedPage, spec: Path | None) -> dict[str, Any]:
    """Return the data that the browser shows of a page and its records.

    `spec` is the file of a person's decisions, or None for a page without records.
    """
    if opened.wrapper is None or spec is None:
        return {
            "records": 0,
            "fields": [],
            "marks": empty_marks(),
            "table": empty_table(),
        }
    wrapper = opened.wrapper
    spec_source = spec_text(spec)
    spec_options = parse_spec(spec_source, spec).options
    column_decisions = spec_options.decisions.columns
    example_values = {example.name: example.value for example in spec_options.examples}
    contract_report = opened.report
    generated_file = spec.with_suffix(".py")
    return {
        "records": len(opened.records),
        "status": contract_report["status"] if contract_report else "",
        "check_lines": list(_check_lines(opened)),
        "fields": [
            column_data(opened, wrapper, column_decision, example_values)
            for column_decision in column_decisions
        ],
        "dropped": sorted(spec_options.decisions.dropped),
        "marks": _marks(
            opened, [column_decision.name for column_decision in column_decisions]
        ),
        "table": _table(opened, wrapper),
        "within": spec_options.within,
        "without": spec_options.without,
        "next_page": str(wrapper.next_page or ""),
        "spec": spec_source,
        "code": generated_file.read_text("utf-8", "replace")[:_LONGEST]
        if generated_file.is_file()
        else "",
    }


def column_data(
    opened: OpenedPage,
    wrapper: Wrapper,
    column: ColumnDecision,
    examples: dict[str, str],
) -> dict[str, Any]:
    """Return the data that the browser shows of a column.

    `examples` maps the names of columns to example values. Under `fill` is the number
    of records with a value. Under `origin` is a text that says how the column is
    defined.
    """
    if column.constant is not None:
        origin = f"constant: {column.constant}"
    elif column.xpath:
        origin = "an expression in the spec"
    elif column.known_as in examples:
        origin = f"the example in the spec: {cell_text(examples[column.known_as])}"
    elif column.source != column.name:
        origin = f"found by induction as {column.source}"
    else:
        origin = "found by induction"
    if column.constant is not None:
        fill = len(opened.records)
    else:
        fill = sum(column.name in record.values for record in opened.records)
    return {
        "name": column.name,
        "kind": str(dict(wrapper.fields).get(column.name, "")),
        "fill": fill,
        "origin": origin,
        "required": column.required,
        "xpath": column.xpath,
        "current_xpath": first_expression(wrapper, column.name),
        "pattern": column.pattern,
        "expressions": expressions(wrapper).get(column.name, [])[:4],
    }


def first_expression(wrapper: Wrapper, name: str) -> str:
    """Return the first XPath expression of a column, as a person would write it, or "".

    In the expression, `@class~="x"` tests for the class `x`.
    """
    field_rules = (field_rule for area in wrapper.areas for field_rule in area.fields)
    first_locators = [
        field_rule.readings[0].locators[0]
        for field_rule in field_rules
        if field_rule.name == name
    ]
    return short(next(value_paths(first_locators[0]), "")) if first_locators else ""


def _check_lines(opened: OpenedPage) -> Iterator[str]:
    """Yield a message for each condition of the extraction rules that the page breaks.

    For example, the page may have too few records.
    """
    if opened.report is None:
        return
    for failure in opened.report["failed"]:
        column = failure["field"] and f"{failure['field']}: "
        yield f"{column}{failure['message']}"
    yield from opened.report["notes"]


def empty_marks() -> dict[str, Any]:
    """Return empty lists of elements to highlight, for a page without records."""
    return {"areas": [], "records": [], "values": []}


def _marks(opened: OpenedPage, names: Sequence[str]) -> dict[str, Any]:
    """Return the elements that the browser highlights: lists, records and values.

    A value is a triple: an element, the index of the column in `names`, and the number
    of the record.
    """
    page, record_rows = opened.page, opened.rows()
    area_names: dict[NodeId, str] = {}
    for record, nodes in zip(opened.records, record_rows, strict=True):
        area_names.setdefault(page.parent[nodes[0]], record.area)
    column_index = {name: number for number, name in enumerate(names)}
    return {
        "areas": [[node, name] for node, name in area_names.items() if node >= 0],
        "records": record_rows,
        "values": [
            [page.node_of(value.node), column_index[name], number]
            for number, record in enumerate(opened.records)
            for name, value in record.values.items()
            if name in column_index
        ],
    }


def empty_table() -> dict[str, Any]:
    """Return the table of a page without records: no columns and no rows."""
    return {"keys": [], "rows": []}


def _table(opened: OpenedPage, wrapper: Wrapper) -> dict[str, Any]:
    """Return the records as a table of texts.

    `keys` are the names of the columns, and `rows` the texts of each record.
    """
    row_form, page_base_url = (
        RowForm(wrapper),
        base_url(opened.page.root, opened.page.url),
    )
    table_rows = [
        row_form.row(record.area, record.values, page_base_url)
        for record in opened.records
    ]
    if not table_rows:
        return empty_table()
    return {
        "keys": list(table_rows[0]),
        "rows": [
            [cell_text(value) for value in table_row.values()]
            for table_row in table_rows
        ],
    }


def framed_page(page: Page, always_shown: Collection[NodeId]) -> tuple[str, str]:
    """Return the HTML of a page for a frame, and the HTML's security policy (CSP).

    Elements such as `template` are hidden unless they are in `always_shown`.
    """
    nonce = secrets.token_urlsafe(18)
    frame_policy = _POLICY.format(nonce=nonce)
    frame_css, frame_script = template("studio/frame.css"), template("studio/frame.js")
    frame_head = (
        f'<style>{frame_css}</style><script nonce="{nonce}">{frame_script}</script>'
    )
    element_marks = {node: [node] for node in _shown_elements(page, always_shown)}
    return page_snapshot(
        page, element_marks, frame_policy, frame_head
    ), f"{frame_policy}; {SANDBOX}"


def _shown_elements(page: Page, always_shown: Collection[NodeId]) -> set[NodeId]:
    """Return the elements that the browser shows.

    Elements with a tag in `REMOVED_TAGS`, such as `template`, and their descendants are
    shown only if `always_shown` has them.
    """
    hidden: set[NodeId] = set()
    for node in page.elements():
        if page.tag[node] in REMOVED_TAGS:
            hidden.update(range(node, node + page.size[node]))
    visible = {node for node in page.elements() if node not in hidden}
    return visible | set(always_shown)
