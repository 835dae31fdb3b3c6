"""Export Spidermon monitors, which check the items of a Scrapy spider."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.generated_module import (
    Field,
    class_of,
    module_of,
    record_fields,
    renaming_warnings,
    render_export,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost
from amber_wrap.lowering.program import Program

JSON_TYPES: Final[Mapping[str, str]] = {
    "bool": "boolean",
    "float": "number",
    "int": "integer",
    "list[str]": "array",
    "str": "string",
}
"""A dict from the Python types of values to the types of JSON Schema."""

_LENGTHS = re.compile(r"\.\{(\d+),(\d+)\}")
"""Matches a regular expression that only limits the length of a text, such as
`.{3,40}`.

The groups are the least and the greatest length.
"""

_DIGITS = re.compile(r"\\d\{(\d+),(\d+)\}\(\?:\\\.\\d\+\)\?")
"""A regular expression for patterns such as `\\d{1,4}(?:\\.\\d+)?`, which the numbers
of a column are expected to match.  The groups are the least and the greatest number of
digits before the decimal point."""

_ANY = (".+", ".*", "")
"""The patterns that needn't be checked, since any text matches; "" means no pattern."""


def spidermon_monitors(subject: Subject) -> Exported:
    """Return a file of Spidermon monitors, and a file of settings for a Scrapy project.

    Raise WrapperError if Python can't import the generated file by its name.
    """
    module, program = module_of(subject), subject.program
    item_fields = record_fields(program)
    item_class = class_of(module, "Item")
    fill_rules = {
        f"{item_class}/{item_field.name}": program.expected[item_field.key][0]
        for item_field in item_fields
        if item_field.key in program.expected
    }
    monitors_file = render_export(
        "spidermon/monitors.py.jinja",
        rules=assign("RULES", fill_rules),
        schema=assign("SCHEMA: dict[str, Any]", item_schema(program, item_fields)),
        item=python_literal(str(item_class)),
        suite=class_of(module, "Monitors"),
    )
    files = {
        f"{stem_of(module)}_monitors.py": monitors_file,
        "spidermon_settings.py": render_export("spidermon/settings.py.jinja"),
    }
    findings = (*renaming_warnings(item_fields), *_unchecked(program, item_fields))
    return Exported(files, findings)


def item_schema(program: Program, fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return the JSON Schema of a Scrapy item, in which any value may be null."""
    properties = {
        str(field.name): {
            "type": [json_type(field), "null"],
            **value_limits(field, expected_pattern(program, field)),
        }
        for field in fields
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def json_type(field: Field) -> str:
    """Return the JSON Schema type of a field's values, such as "number"."""
    return JSON_TYPES[field.type.removesuffix(" | None")]


def value_limits(field: Field, pattern: str) -> dict[str, Any]:
    """Return the JSON Schema keywords that limit a field's values, or {} for no limits.

    `pattern` is the regular expression that the values should match. A pattern for
    numbers becomes the keywords of a range, such as `minimum`.
    """
    kind = json_type(field)
    if kind == "array":
        return {"items": {"type": "string"}}
    if field.kind == ValueKind.URL:
        return {"pattern": "^https?://"}
    if kind == "string" and (match := _LENGTHS.fullmatch(pattern)):
        return {"minLength": int(match[1]), "maxLength": int(match[2])}
    if kind == "string" and pattern not in _ANY:
        return {"pattern": f"^(?:{pattern})$"}
    if kind in ("number", "integer") and (match := _DIGITS.fullmatch(pattern)):
        fewest, most = int(match[1]), int(match[2])
        minimum = 10 ** (fewest - 1) if fewest > 1 else 0
        return {"minimum": minimum, "exclusiveMaximum": 10**most}
    return {}


def expected_pattern(program: Program, field: Field) -> str:
    """Return the regular expression that the values of a field should match, or ""."""
    _, pattern = program.expected.get(field.key, (0.0, ""))
    return pattern


def _unchecked(program: Program, fields: tuple[Field, ...]) -> Iterator[Diagnostic]:
    """Yield a warning for each field whose regular expression Spidermon can't check."""
    if not program.expected:
        yield lost(
            "", "the wrapper has no expected shares of fields: nothing is monitored"
        )
    for field in fields:
        pattern = expected_pattern(program, field)
        has_pattern = pattern not in _ANY and field.kind != ValueKind.URL
        if has_pattern and not value_limits(field, pattern):
            yield lost(field.key, f"the form {pattern} of numbers isn't checked")


SPIDERMON = ExportTarget(
    "spidermon", "monitors for the shares and forms of fields", spidermon_monitors
)
