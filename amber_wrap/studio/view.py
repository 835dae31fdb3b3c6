"""Describe a page under a wrapper as JSON: marks, fields, records and texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from amber_wrap.dom.addresses import base_of
from amber_wrap.dom.page import NodeId
from amber_wrap.engine.interpret import RowForm
from amber_wrap.generalise.user_decisions import ColumnDecision
from amber_wrap.lowering.paths import short, value_paths
from amber_wrap.report.view import expressions, shown
from amber_wrap.spec.reader import parse_spec, spec_text
from amber_wrap.studio.opened import Look
from amber_wrap.wrapper.ir import Wrapper

_LONGEST: Final = 40_000
"""Characters of the code that are shown."""


def view(look: Look, spec: Path | None) -> dict[str, Any]:
    """Return what the browser shows of a page under a spec's wrapper."""
    if look.wrapper is None or spec is None:
        return {"records": 0, "fields": [], "marks": empty_marks(), "table": no_table()}
    wrapper = look.wrapper
    text = spec_text(spec)
    decided = parse_spec(text, spec).options
    examples = {one.name: one.value for one in decided.examples}
    names = [one.name for one in decided.decisions.columns]
    report = look.report
    code = spec.with_suffix(".py")
    return {
        "records": len(look.found),
        "status": report["status"] if report else "",
        "told": [*_told(look)],
        "fields": [
            field(look, wrapper, one, examples) for one in decided.decisions.columns
        ],
        "dropped": sorted(decided.decisions.dropped),
        "marks": _marks(look, names),
        "table": _table(look, wrapper),
        "within": decided.within,
        "without": decided.without,
        "next_page": str(wrapper.next_page or ""),
        "spec": text,
        "code": code.read_text("utf-8", "replace")[:_LONGEST] if code.is_file() else "",
    }


def field(
    look: Look, wrapper: Wrapper, one: ColumnDecision, examples: dict[str, str]
) -> dict[str, Any]:
    """Return what the browser shows of a column."""
    kinds = dict(wrapper.fields)
    if one.constant is not None:
        origin = f"the same in all records: {one.constant}"
    elif one.xpath:
        origin = "an expression of yours"
    elif one.known_as in examples:
        origin = f"your example: {shown(examples[one.known_as])}"
    elif one.source != one.name:
        origin = f"found by induction, which calls it {one.source}"
    else:
        origin = "found by induction"
    filled = sum(one.name in record.values for record in look.found)
    if one.constant is not None:
        filled = len(look.found)
    return {
        "name": one.name,
        "kind": str(kinds.get(one.name, "")),
        "fill": filled,
        "origin": origin,
        "required": one.required,
        "xpath": one.xpath,
        "now": first_way(wrapper, one.name),
        "pattern": one.pattern,
        "ways": expressions(wrapper).get(one.name, [])[:4],
    }


def first_way(wrapper: Wrapper, name: str) -> str:
    """Return the first expression of a column as a spec writes it, without pattern.

    Return "" for a column without one.
    """
    rules = (rule for area in wrapper.areas for rule in area.fields)
    ways = [rule.readings[0].locators[0] for rule in rules if rule.name == name]
    return short(next(value_paths(ways[0]), "")) if ways else ""


def _told(look: Look) -> Iterator[str]:
    """Yield the lines of the contract check."""
    if look.report is None:
        return
    for one in look.report["failed"]:
        name = one["field"] and f"{one['field']}: "
        yield f"{name}{one['message']}"
    yield from look.report["notes"]


def empty_marks() -> dict[str, Any]:
    """Return the marks of a page without records."""
    return {"areas": [], "records": [], "values": []}


def _marks(look: Look, names: Sequence[str]) -> dict[str, Any]:
    """Return the elements of areas, of records, and of values with field and record."""
    page, rows = look.page, look.rows()
    areas: dict[NodeId, str] = {}
    for record, nodes in zip(look.found, rows, strict=True):
        areas.setdefault(page.parent[nodes[0]], record.area)
    at = {name: number for number, name in enumerate(names)}
    return {
        "areas": [[node, name] for node, name in areas.items() if node >= 0],
        "records": rows,
        "values": [
            [page.node_of(value.node), at[name], number]
            for number, record in enumerate(look.found)
            for name, value in record.values.items()
            if name in at
        ],
    }


def no_table() -> dict[str, Any]:
    """Return the table of a page without records."""
    return {"keys": [], "rows": []}


def _table(look: Look, wrapper: Wrapper) -> dict[str, Any]:
    """Return the records as rows of texts."""
    form, base = RowForm(wrapper), base_of(look.page.root, look.page.url)
    rows = [form.row(one.area, one.values, base) for one in look.found]
    if not rows:
        return no_table()
    return {
        "keys": list(rows[0]),
        "rows": [[shown(value) for value in row.values()] for row in rows],
    }
