"""Export a pandas script that reads saved pages into a typed data frame."""

from __future__ import annotations

from collections.abc import Iterator

from amber_wrap.codegen.python_source import assign
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.python import (
    Field,
    module_of,
    record_fields,
    render_export,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost
from amber_wrap.lowering.expectations import ISO
from amber_wrap.lowering.program import Program

DTYPES = {
    "bool": "boolean",
    "float": "Float64",
    "int": "Int64",
    "list[str]": "object",
    "str": "string",
}


def _make(subject: Subject) -> Exported:
    """Return the pandas script for a wrapper.

    Raise WrapperError if the generated file has no import path.
    """
    module, program = module_of(subject), subject.program
    fields = record_fields(program, taken=())
    dates = iso_dates(program)
    script = render_export(
        "pandas/frame.py.jinja",
        module=module,
        types=assign("TYPES", {one.key: dtype(one) for one in fields}),
        dates=assign("DATES", dates),
        url=assign("URL", subject.url),
        has_dates=bool(dates),
    )
    return Exported(
        {f"{stem_of(module)}_frame.py": script}, tuple(_losses(fields, dates))
    )


def dtype(field: Field) -> str:
    """Return the pandas type of a column while the script reads it.

    Dates are read as strings first.
    """
    return DTYPES[field.type.removesuffix(" | None")]


def iso_dates(program: Program) -> list[str]:
    """Return the keys of the date columns whose values are ISO dates in all samples."""
    dates = {
        column.name
        for one in program.lists
        for column in one.columns
        if column.kind == ValueKind.DATE
    }
    forms = {key: form for key, (_, form) in program.expected.items()}
    return [
        key
        for key in program.keys
        if key in dates and forms.get(key, "").startswith(ISO.pattern)
    ]


def _losses(fields: tuple[Field, ...], dates: list[str]) -> Iterator[Diagnostic]:
    for one in fields:
        if one.key in dates:
            yield lost(one.key, "a date that isn't in ISO format becomes NaT")
        elif one.kind == ValueKind.DATE:
            yield lost(one.key, "dates stay texts: not all samples have ISO dates")
        elif dtype(one) == "object":
            yield lost(one.key, "lists of texts become Python objects")


PANDAS = ExportTarget(
    "pandas", "a script that reads saved pages into a typed frame, or Parquet", _make
)
