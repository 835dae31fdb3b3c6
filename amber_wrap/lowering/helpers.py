"""The helpers of generated files, run at compile time: one text, two uses."""

from __future__ import annotations

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType

SHORT_TEXT, FULL_TEXT = "helpers", "displayed"
"""The helpers that read the text of elements: as XPath does, as it is displayed."""


def template_folder() -> Traversable:
    """The templates: within the package in a wheel, beside it in a checkout."""
    packaged = resources.files("amber_wrap") / "_templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


def template(name: str) -> str:
    """The text of a template, by its path below the folder."""
    return (template_folder() / name).read_text("utf-8")


@cache
def helpers(text: str = SHORT_TEXT) -> ModuleType:
    """The helpers as a module; its `text` is that of the template of that name."""
    module = ModuleType(f"amber_wrap_{text}")
    for name in dict.fromkeys((SHORT_TEXT, text)):
        exec(compile(template(f"python/{name}.py"), name, "exec"), module.__dict__)
    return module
