"""Export a pandas script that reads saved pages."""

from __future__ import annotations

from collections.abc import Iterator

from amber_wrap.codegen.python_source import assign
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.generated_module import (
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
"""A dict from the Python types of values to the types of pandas columns."""


def pandas_script(subject: Subject) -> Exported:
    """Return a pandas script that reads saved pages into a typed data frame.

    Raise WrapperError if Python can't import the generated file by its name.
    """
    module, program = module_of(subject), subject.program
    frame_fields = record_fields(program, taken=())
    date_keys = iso_dates(program)
    frame_script = render_export(
        "pandas/frame.py.jinja",
        module=module,
        types=assign(
            "TYPES",
            {frame_field.key: dtype(frame_field) for frame_field in frame_fields},
        ),
        dates=assign("DATES", date_keys),
        url=assign("URL", subject.url),
        has_dates=bool(date_keys),
    )
    return Exported(
        {f"{stem_of(module)}_frame.py": frame_script},
        tuple(_date_and_list_losses(frame_fields, date_keys)),
    )


def dtype(field: Field) -> str:
    """Return the pandas type with which the exported script first reads a field.

    A field of dates has a string type, because the script converts dates later.
    """
    return DTYPES[field.type.removesuffix(" | None")]


def iso_dates(program: Program) -> list[str]:
    """Return the keys of the date fields whose values are expected to be ISO dates.

    `program` describes the generated file that reads the fields.
    """
    dates = {
        column.name
        for page_list in program.lists
        for column in page_list.columns
        if column.kind == ValueKind.DATE
    }
    patterns = {key: pattern for key, (_, pattern) in program.expected.items()}
    return [
        key
        for key in program.keys
        if key in dates and patterns.get(key, "").startswith(ISO.pattern)
    ]


def _date_and_list_losses(
    fields: tuple[Field, ...], dates: list[str]
) -> Iterator[Diagnostic]:
    """Yield a warning for each field of dates or lists that pandas may change.

    `dates` are the keys of the fields that become pandas dates.
    """
    for field in fields:
        if field.key in dates:
            yield lost(field.key, "a date that isn't in ISO format becomes NaT")
        elif field.kind == ValueKind.DATE:
            yield lost(field.key, "dates stay texts: not all samples have ISO dates")
        elif dtype(field) == "object":
            yield lost(field.key, "lists of texts become Python objects")


PANDAS = ExportTarget(
    "pandas",
    "a script that reads saved pages into a typed frame, or Parquet",
    pandas_script,
)
