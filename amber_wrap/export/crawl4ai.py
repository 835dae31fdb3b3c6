"""Export XPath expressions to crawl4ai."""

from __future__ import annotations

import json
from typing import Any

from amber_wrap.export.plain_xpath import SelectedColumn, selection
from amber_wrap.export.selectors_and_patterns import (
    dotted_xpath,
    group_of,
    loose_pattern,
    of_one_pattern,
    source_losses,
    untyped,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost


def crawl4ai(subject: Subject) -> Exported:
    """Return a schema for crawl4ai's JsonXPathExtractionStrategy.

    The result also has warnings on what crawl4ai can't express.
    """
    main_list, findings = selection(subject.program)
    schema_fields: list[dict[str, Any]] = []
    for column in main_list.fields:
        schema_column = of_one_pattern(column)
        schema_fields.append(_crawl4ai_field(schema_column))
        if schema_column.several:
            findings.append(lost(column.name, 'becomes a list of {"value": ...}'))
            continue
        findings += source_losses(schema_column)
        if len(schema_column.alternatives) < len(column.alternatives):
            findings.append(lost(column.name, "its second expression is left out"))
    crawl4ai_schema = {
        "name": subject.name,
        "baseSelector": main_list.records,
        "fields": schema_fields,
    }
    schema_json = json.dumps(crawl4ai_schema, indent=2, ensure_ascii=False) + "\n"
    losses = (*findings, *untyped(subject.program, "crawl4ai"))
    return Exported({f"{subject.name}.json": schema_json}, losses)


def _crawl4ai_field(column: SelectedColumn) -> dict[str, Any]:
    """Return a column, which is a field of records, as a field of a crawl4ai schema."""
    schema_field: dict[str, Any] = {
        "name": column.name,
        "selector": dotted_xpath(column.elements),
    }
    if column.several:
        parts = [{"name": "value", "type": "text"}]
        return {**schema_field, "type": "list", "fields": parts}
    first = column.alternatives[0]
    crawl4ai_steps = ["attribute" if first.attribute else "text"]
    if first.attribute:
        schema_field["attribute"] = first.attribute
    if first.pattern:
        crawl4ai_steps.append("regex")
        schema_field["pattern"] = loose_pattern(first.pattern)
        schema_field["group"] = group_of(first.pattern)
    return {
        **schema_field,
        "type": crawl4ai_steps if len(crawl4ai_steps) > 1 else crawl4ai_steps[0],
    }


CRAWL4AI = ExportTarget("crawl4ai", "a crawl4ai schema, JSON with XPath", crawl4ai)
