"""Export a pytest guard: samples, their expected records, and a test for each field."""

from __future__ import annotations

import json
from typing import Any

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.export.python import (
    module_of,
    readings,
    record_fields,
    render_export,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject


def _make(subject: Subject) -> Exported:
    """Return a pytest file, and a folder with the samples and their expected records.

    Raise WrapperError if there are no samples.  Raise it also if the generated file is
    missing, can't be imported, or fails.
    """
    module, program = module_of(subject), subject.program
    fields = [one.key for one in record_fields(program)]
    name = f"test_{stem_of(module)}"
    files: dict[str, str | bytes] = {}
    addresses: dict[str, str] = {}
    for number, one in enumerate(readings(subject), 1):
        addresses[f"page-{number}"] = one.url
        files[f"{name}/page-{number}.html"] = one.body
        known: dict[str, Any] = {"records": one.records}
        if program.next_page:
            known["next_page"] = one.next_page
        text = json.dumps(known, ensure_ascii=False, indent=1)
        files[f"{name}/page-{number}.json"] = f"{text}\n"
    guard = render_export(
        "pytest/guard.py.jinja",
        module=module,
        folder=python_literal(name),
        fields=assign("FIELDS", fields),
        pages=assign("PAGES", addresses),
        has_next=bool(program.next_page),
    )
    return Exported({f"{name}.py": guard} | files)


PYTEST = ExportTarget("pytest", "a test for each field on stored pages", _make)
