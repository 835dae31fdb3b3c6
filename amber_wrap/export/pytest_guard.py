"""Export a pytest file that checks the sample pages."""

from __future__ import annotations

import json
from typing import Any

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.export.generated_module import (
    module_of,
    record_fields,
    render_export,
    sample_readings,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject


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
