"""Export Spidermon monitors, which check the values of scraped items.

The monitors also check the share of items with a value for each field.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.python import (
    Field,
    class_of,
    module_of,
    record_fields,
    renamed,
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
_LENGTHS = re.compile(r"\.\{(\d+),(\d+)\}")
"""The pattern that generated files expect of texts.  The groups are the least and the
greatest length."""
_DIGITS = re.compile(r"\\d\{(\d+),(\d+)\}\(\?:\\\.\\d\+\)\?")
"""The pattern that generated files expect of numbers.  The groups are the least and the
greatest number of digits before the decimal point."""
_ANY = (".+", ".*", "")


def _make(subject: Subject) -> Exported:
    """Return a file of Spidermon monitors, and a file of settings for a Scrapy project.

    Raise WrapperError if the generated file has no import path.
    """
    module, program = module_of(subject), subject.program
    fields = record_fields(program)
    item = class_of(module, "Item")
    rules = {
        f"{item}/{one.name}": program.expected[one.key][0]
        for one in fields
        if one.key in program.expected
    }
    monitors = render_export(
        "spidermon/monitors.py.jinja",
        rules=assign("RULES", rules),
        schema=assign("SCHEMA: dict[str, Any]", schema_of(program, fields)),
        item=python_literal(str(item)),
        suite=class_of(module, "Monitors"),
    )
    files = {
        f"{stem_of(module)}_monitors.py": monitors,
        "spidermon_settings.py": render_export("spidermon/settings.py.jinja"),
    }
    findings = (*renamed(fields), *_losses(program, fields))
    return Exported(files, findings)


def schema_of(program: Program, fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return the JSON Schema of an item, in which any value may be null."""
    properties = {
        str(one.name): {"type": [json_type(one), "null"]}
        | limits(one, program.expected.get(one.key, (0.0, ""))[1])
        for one in fields
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def json_type(field: Field) -> str:
    """Return the JSON Schema type of a field."""
    return JSON_TYPES[field.type.removesuffix(" | None")]


def limits(field: Field, form: str) -> dict[str, Any]:
    """Return the JSON Schema keywords that limit a field's values.

    `form` is the pattern that the generated file expects of the values.  Return {} if
    there is no limit, or if JSON Schema can't express the pattern.
    """
    kind = json_type(field)
    if kind == "array":
        return {"items": {"type": "string"}}
    if field.kind == ValueKind.URL:
        return {"pattern": "^https?://"}
    if kind == "string" and (found := _LENGTHS.fullmatch(form)):
        return {"minLength": int(found[1]), "maxLength": int(found[2])}
    if kind == "string" and form not in _ANY:
        return {"pattern": f"^(?:{form})$"}
    if kind in ("number", "integer") and (found := _DIGITS.fullmatch(form)):
        least = 10 ** (int(found[1]) - 1) if int(found[1]) > 1 else 0
        return {"minimum": least, "exclusiveMaximum": 10 ** int(found[2])}
    return {}


def _losses(program: Program, fields: tuple[Field, ...]) -> Iterator[Diagnostic]:
    if not program.expected:
        yield lost(
            "", "the wrapper has no expected shares of fields: nothing is monitored"
        )
    for one in fields:
        form = program.expected.get(one.key, (0.0, ""))[1]
        if form not in _ANY and one.kind != ValueKind.URL and not limits(one, form):
            yield lost(one.key, f"the form {form} of numbers isn't checked")


SPIDERMON = ExportTarget(
    "spidermon", "monitors for the shares and forms of fields", _make
)
