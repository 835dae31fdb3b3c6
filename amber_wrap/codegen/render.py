"""From the IR to the text of a generated file, checked before it is handed out."""

from __future__ import annotations

import ast
from collections import Counter
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined

from amber_wrap.codegen.blocks import (
    Library,
    bound_names,
    embedded,
    global_names,
    import_block,
    imports_of,
)
from amber_wrap.codegen.literals import Code, assign, code_only, identifier
from amber_wrap.codegen.read import is_generated, read_wrapper
from amber_wrap.dom.page import TEXT
from amber_wrap.domain.schema import AttributeType
from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.ir import Wrapper, to_data

TEMPLATE = "wrapper.py.jinja"
HARMLESS = "harmless"


def render(wrapper: Wrapper, command: str) -> str:
    """The Python file of a wrapper; `command` is what makes it again.

    Same input, same bytes.  Raises WrapperError rather than give out a file in which
    data became code, or that is broken in another way.
    """
    data = compact(to_data(wrapper))
    keys = [key for one in wrapper.fields for key in AttributeType(*one).keys]
    if len(set(keys)) < len(keys):
        raise WrapperError(f"two fields claim one key of a record: {sorted(keys)}")
    try:
        source = fill(data, command)
        check(source, fill(harmless(data), HARMLESS))
    except (SyntaxError, ValueError) as error:
        raise WrapperError(f"the generated file would be no Python: {error}") from error
    if read_wrapper(source) != wrapper:
        raise WrapperError("the generated file would hold another wrapper")
    return source


def compact(data: dict[str, Any]) -> dict[str, Any]:
    """The data of `ir.to_data` as the file shows them; `read` has the way back.

    The first ways are parted from the `detours`, which few readers want to see, and
    what says no more than a locator's defaults is left out.
    """
    defaults = {"source": TEXT, "pattern": None, "row": 0}

    def bare(locators: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {
                key: value
                for key, value in locator.items()
                if key not in defaults or value != defaults[key]
            }
            for locator in locators
        ]

    areas, detours = [], {}
    for area in data["areas"]:
        places, more_places = _parted(area["places"])
        fields, more_fields = {}, {}
        for name, readings in area["fields"].items():
            short = {family: bare(locators) for family, locators in readings.items()}
            fields[name], more = _parted(short)
            if more:
                more_fields[name] = more
        areas.append({**area, "places": places, "fields": fields})
        if more_places or more_fields:
            detours[area["name"]] = {"places": more_places, "fields": more_fields}
    return {**data, "areas": areas, "detours": detours}


def _parted(ways: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The first of several ways, and the others."""
    first, *others = ways.items()
    return dict([first]), dict(others)


def harmless(data: dict[str, Any]) -> dict[str, Any]:
    """The same data with another text in place of every one but the field names."""

    def blank(value: Any) -> Any:
        match value:
            case str():
                return HARMLESS
            case list():
                return [blank(one) for one in value]
            case dict():
                return {key: blank(one) for key, one in value.items()}
        return value

    patterns = {f"{HARMLESS}{at}": HARMLESS for at in range(len(data["patterns"]))}
    return {**blank(data), "fields": data["fields"], "patterns": patterns}


# --- templates ------------------------------------------------------------------


def fill(data: dict[str, Any], command: str) -> str:
    """The text that the templates make of the data, unchecked."""
    template = environment().get_template(TEMPLATE)
    bare = template.render(data=data, command=command, library=Library())
    library = embedded().select(global_names(bare))
    return template.render(data=data, command=command, library=library)


@cache
def environment() -> Environment:
    """Jinja, set up so that a template prints code only."""
    folder = template_folder()
    jinja = Environment(
        loader=FunctionLoader(lambda name: (folder / name).read_text("utf-8")),
        finalize=code_only,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )
    jinja.globals["assign"] = assign
    jinja.filters["identifier"] = identifier
    jinja.filters["imports"] = lambda text: Code(import_block(imports_of(text)))
    return jinja


def template_folder() -> Traversable:
    """The templates: within the package in a wheel, beside it in a checkout."""
    packaged = resources.files("amber_wrap") / "_templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


# --- the check ------------------------------------------------------------------


def check(source: str, reference: str) -> None:
    """Raise WrapperError unless the text differs from the reference in literals only.

    The reference is the file of a wrapper of the same shape with harmless texts.  All
    that is beyond ASCII must be copied code.  Raises SyntaxError or ValueError for text
    that is no Python.
    """
    tree = ast.parse(source.encode())
    if not are_alike(tree, ast.parse(reference.encode())):
        raise WrapperError("the generated file would run what is data")
    copied = set(embedded().code.splitlines())
    for line in source.splitlines():
        if not line.isascii() and line not in copied:
            raise WrapperError(f"the generated file would hold {line!r}, beyond ASCII")
    names = Counter(name for one in tree.body for name in bound_names(one))
    if twice := [name for name, count in names.items() if count > 1]:
        raise WrapperError(f"the generated file would define {twice[0]!r} twice")
    if not is_generated(source):
        raise WrapperError("the generated file would not be known as one")


def are_alike(tree: ast.Module, other: ast.Module) -> bool:
    """Whether two syntax trees are the same but for their literals."""
    pairs: list[tuple[Any, Any]] = [(tree, other)]
    while pairs:
        one, two = pairs.pop()
        if type(one) is not type(two):
            return False
        if isinstance(one, ast.AST):
            if not isinstance(one, ast.Constant):
                pairs += ((getattr(one, it), getattr(two, it)) for it in one._fields)
        elif isinstance(one, list):
            if len(one) != len(two):
                return False
            pairs += zip(one, two, strict=True)
        elif one != two:
            return False
    return True
