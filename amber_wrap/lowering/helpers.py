"""Find the templates of generated Python files, and run the functions in the
templates.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import ModuleType

from jinja2 import Environment, FunctionLoader, StrictUndefined

from amber_wrap.errors import WrapperError

SHORT_TEXT, SPACED_TEXT, BLOCKS_TEXT = "helpers", "spaced", "blocks"

FULL_TEXT = "displayed"
"""The name of the most exact of the four variants of the function `text(element)` in
generated files. The variant "helpers" joins the text nodes of an element without
blanks, and "spaced" joins them with blanks. The variant "blocks" puts blanks only
between blocks, and "displayed" also leaves out hidden elements.
"""

LAYERS = {
    SHORT_TEXT: (SHORT_TEXT,),
    SPACED_TEXT: (SPACED_TEXT, SHORT_TEXT),
    BLOCKS_TEXT: (BLOCKS_TEXT, SHORT_TEXT),
    FULL_TEXT: (FULL_TEXT, BLOCKS_TEXT, SHORT_TEXT),
}
"""For each variant of the function `text(element)` in generated files, the templates
that define it. If several templates define a function, the first of them counts."""


def template_folder() -> Traversable:
    """Return the folder of the templates of all generated files.

    An installed package contains the folder. In a checkout, it is beside the package.
    """
    packaged = resources.files("amber_wrap") / "_templates"
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / "templates"


def template(name: str) -> str:
    """Return the text of the template of a generated file.

    `name` is the path of the template below `template_folder`.
    """
    return (template_folder() / name).read_text("utf-8")


def template_environment(source_type: type[str], fault: str) -> Environment:
    """Return a Jinja environment whose templates can print only one type of texts.

    A value of another type raises WrapperError, with `fault` as a part of the message.
    """

    def source_only(value: object) -> object:
        if not isinstance(value, source_type):
            raise WrapperError(f"a template prints {value!r}, which is {fault}")
        return value

    return Environment(
        loader=FunctionLoader(template),
        finalize=source_only,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


@cache
def helpers(text: str = SHORT_TEXT) -> ModuleType:
    """Return a module with the functions that are copied into generated Python files.

    `text` is a key of `LAYERS`. It selects a variant of the function that reads an
    element's text.
    """
    module = ModuleType(f"amber_wrap_{text}")
    for name in reversed(LAYERS[text]):
        exec(compile(template(f"python/{name}.py"), name, "exec"), module.__dict__)
    return module


def text_found(texts: Iterable[str], pattern: str) -> str | None:
    """Return the first text that a regular expression finds in the texts, or None.

    If the expression has a group, return only the text of the group. If `pattern` is
    "", return the first text that isn't empty.
    """
    filled_texts = [text for text in texts if text]
    if not filled_texts:
        return None
    # `find` takes the texts of an expression that it has evaluated before.
    known_texts = {helpers().xpath("."): filled_texts}
    found_text: str | None = helpers().find(None, known_texts, ".", pattern=pattern)
    return found_text
