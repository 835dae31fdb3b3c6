"""A guard for pytest: the samples, what is read off them, and a test for each field."""

from __future__ import annotations

import json

from amber_wrap.codegen.literals import assign, literal
from amber_wrap.export.python import fields_of, module_of, readings, render, stem_of
from amber_wrap.export.target import Exported, Subject, Target


def make(subject: Subject) -> Exported:
    """The test file, and a folder of pages with their records; raises WrapperError."""
    module = module_of(subject)
    fields = [one.key for one in fields_of(subject.program)]
    name = f"test_{stem_of(module)}"
    files: dict[str, str | bytes] = {}
    addresses: dict[str, str] = {}
    for number, one in enumerate(readings(subject), 1):
        addresses[f"page-{number}"] = one.url
        files[f"{name}/page-{number}.html"] = one.body
        files[f"{name}/page-{number}.json"] = (
            json.dumps(one.records, ensure_ascii=False, indent=1) + "\n"
        )
    guard = render(
        "pytest/guard.py.jinja",
        module=module,
        folder=literal(name),
        fields=assign("FIELDS", fields),
        pages=assign("PAGES", addresses),
    )
    return Exported({f"{name}.py": guard} | files)


PYTEST = Target("pytest", "a guard: stored pages, a test for each field", make)
