"""Export a pandas script that reads saved pages, and a pytest file with sample pages.

The pytest file has a test for each field.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic
from amber_wrap.export.generated_module import (
    Field,
    module_of,
    record_fields,
    render_export,
    sample_readings,
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


def pytest_guard(subject: Subject) -> Exported:
    """Return a pytest file, and a folder of sample pages and their expected records.

    Raise WrapperError if samples or the generated file are missing, or if the file
    fails.
    """
    module, program = module_of(subject), subject.program
    field_keys = [field.key for field in record_fields(program)]
    test_name = f"test_{stem_of(module)}"
    guard_files: dict[str, str | bytes] = {}
    page_urls: dict[str, str] = {}
    for number, reading in enumerate(sample_readings(subject), 1):
        page_urls[f"page-{number}"] = reading.url
        guard_files[f"{test_name}/page-{number}.html"] = reading.body
        expected: dict[str, Any] = {"records": reading.records}
        if program.next_page:
            expected["next_page"] = reading.next_page
        expected_json = json.dumps(expected, ensure_ascii=False, indent=1)
        guard_files[f"{test_name}/page-{number}.json"] = f"{expected_json}\n"
    guard_file = render_export(
        "pytest/guard.py.jinja",
        module=module,
        folder=python_literal(test_name),
        fields=assign("FIELDS", field_keys),
        pages=assign("PAGES", page_urls),
        has_next=bool(program.next_page),
    )
    return Exported({f"{test_name}.py": guard_file} | guard_files)


PYTEST = ExportTarget("pytest", "a test for each field on stored pages", pytest_guard)
