"""Test that a public name stands for one thing in the whole package."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[1] / "amber_wrap"
SHARED = {
    "prices": "a feature of lists, and the annotator of the extra `values`",
    "main": "each program starts there",
}
"""Names that several modules have on purpose."""


def test_a_public_name_is_defined_in_one_module() -> None:
    modules: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.parent.name != "cli":  # Commands are called as users call them.
            for name in public_names(ast.parse(path.read_text("utf-8"))):
                modules[name].append(path.relative_to(PACKAGE).as_posix())
    several = {name: paths for name, paths in modules.items() if len(paths) > 1}
    assert {name for name in several if name not in SHARED} == set()


def test_names_in_the_notes_on_the_paper_are_defined() -> None:
    notes = (PACKAGE.parent / "docs" / "paper_notes.md").read_text("utf-8")
    named = re.findall(r"`([a-z_]+)\.([A-Za-z_]+)`", notes)
    assert named
    for module, name in named:
        definition = rf"(?m)^(?:def |class )?{name}\b"
        texts = [path.read_text("utf-8") for path in PACKAGE.rglob(f"{module}.py")]
        assert any(re.search(definition, text) for text in texts), (module, name)


def test_a_test_module_defines_each_name_once() -> None:
    for path in sorted(Path(__file__).parent.glob("*.py")):
        module = ast.parse(path.read_text("utf-8"))
        defined = [
            statement.name
            for statement in module.body
            if isinstance(statement, ast.FunctionDef)
        ]
        assert len(defined) == len(set(defined)), path.name


def public_names(module: ast.Module) -> Iterator[str]:
    """List the public names that a module defines, without type variables."""
    for node in module.body:
        names: list[ast.expr] = []
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            if not node.name.startswith("_"):
                yield node.name
        elif isinstance(node, ast.AnnAssign):
            names = [node.target]
        elif isinstance(node, ast.Assign) and not is_type_variable(node.value):
            names = node.targets
        for name in names:
            if isinstance(name, ast.Name) and not name.id.startswith("_"):
                yield name.id


def is_type_variable(value: ast.expr) -> bool:
    """Return whether a value is a call of `TypeVar`."""
    call = value.func if isinstance(value, ast.Call) else None
    return isinstance(call, ast.Name) and call.id == "TypeVar"


def test_nothing_is_kept_by_the_address_of_an_object() -> None:
    # Another object can have the same `id()` as soon as the first one is gone.
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = node.func if isinstance(node, ast.Call) else None
            is_id = isinstance(called, ast.Name) and called.id == "id"
            assert not is_id, f"{path.relative_to(PACKAGE)}: line {node.lineno}"


def test_no_module_is_longer_than_400_lines() -> None:
    lengths = {
        path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8").count("\n")
        for path in PACKAGE.rglob("*.py")
    }
    assert {name: lines for name, lines in lengths.items() if lines > 400} == {}
