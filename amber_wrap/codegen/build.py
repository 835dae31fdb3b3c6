"""Build a generated Python file from a wrapper, the rules for reading a site's pages,
and test the file.

The tests ensure that texts of pages don't become code, and that the file extracts the
right records.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from types import ModuleType
from typing import Any, Final

from amber_wrap.codegen.helper_library import bound_names
from amber_wrap.codegen.python_source import Code, is_printable
from amber_wrap.codegen.render import PatternConstants, TemplateView, filled_template
from amber_wrap.dom.parse import parse
from amber_wrap.engine.output_rows import Row, next_page_address, to_rows
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.lowering.date_patterns import Calendar
from amber_wrap.lowering.lower import lower_wrapper
from amber_wrap.lowering.program import (
    Column,
    Derived,
    List,
    Program,
    Read,
    program_to_data,
)
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored_wrapper import StoredWrapper, digest_of

HARMLESS = "harmless"
"""The beginning of harmless texts, such as "harmless3". Such texts replace the texts of
pages when a generated file is tested for injected code."""
_NAMES: Final = {
    Program: frozenset({"keys", "text"}),
    Column: frozenset({"name", "kind", "convert"}),
    Derived: frozenset({"key"}),
}
"""For each class that describes the content of a generated file, the attributes that
hold names. Other attributes may hold texts of pages."""
NEXT = "the next page"
"""The words for the address of the next page in error messages."""


@dataclass(frozen=True, slots=True)
class Built:
    """A generated file, the data to be stored beside it, and warnings for the user."""

    source: str
    """The text of the file."""
    stored: StoredWrapper
    """The wrapper, the command that made the file, and a description of its content."""
    findings: tuple[Diagnostic, ...]
    """Warnings on parts of the wrapper that the file leaves out."""


def build_file(
    wrapper: Wrapper, bodies: Sequence[bytes], command: str, url: str = ""
) -> Built:
    """Generate a Python file from a wrapper, test the file, and return it.

    Raise WrapperError if the file and the wrapper extract different values from a
    sample page, or if the wrapper extracts no records. `bodies` are the sample pages,
    and `command` is the command that the user entered.
    """
    pages = [parse(body, url) for body in bodies]
    lowered = lower_wrapper(wrapper, [page.root for page in pages])
    wrapper = lowered.wrapper
    source = render_program(lowered.program, command)
    module, keys = import_file(source), lowered.program.keys
    for sample, body, page in zip(wrapper.samples, bodies, pages, strict=True):
        prove(module.extract(body, url), to_rows(wrapper, page), keys, sample.name)
        if wrapper.next_page:
            extracted = {NEXT: module.next_page(body, url)}
            wanted: Row = {NEXT: next_page_address(wrapper, page)}
            prove([extracted], [wanted], [NEXT], sample.name)
    program = program_to_data(lowered.program)
    stored = StoredWrapper(wrapper, command, digest_of(source.encode()), program)
    return Built(source, stored, lowered.findings)


def render_program(program: Program, command: str) -> str:
    """Return the source of the Python file whose content is `program`.

    The source is the same in each run. Raise WrapperError if a text of a page would run
    as code, or if the source isn't valid Python.
    """
    try:
        source = filled_template(program, command, PatternConstants.of(program))
        check_literals_only(source, harmless_source(program, command))
    except (SyntaxError, ValueError) as error:
        raise WrapperError(
            f"the generated file would be invalid Python: {error}"
        ) from error
    return source


def harmless_source(program: Program, command: str) -> str:
    """Return the source of a generated file in which each text of a page is replaced.

    Equal texts get the same replacement, such as "harmless1".
    """
    known = {"": ""}

    def harmless(value: Any) -> Any:
        """Return a copy of `value`, a part of a generated file's content, in which all
        texts of pages are replaced.

        Names, such as those of fields, stay.
        """
        match value:
            case Code():
                return value
            case str():
                return known.setdefault(value, f"{HARMLESS}{len(known)}")
            case tuple():
                return tuple(map(harmless, value))
            case dict():
                return {key: harmless(item) for key, item in value.items()}
            case Program() | List() | Column() | Read() | Derived() | Calendar():
                names = {field.name for field in fields(value)}
                texts = names - _NAMES.get(type(value), frozenset())
                return replace(
                    value, **{name: harmless(getattr(value, name)) for name in texts}
                )
        return value

    constants = PatternConstants.of(program)
    separate = TemplateView(program, constants).columns_to_separate()
    harmless_constants = PatternConstants(
        {harmless(pattern): name for pattern, name in constants.names.items()},
        harmless(constants.parts),
    )
    return filled_template(
        harmless(program), harmless(command), harmless_constants, separate
    )


def check_literals_only(source: str, reference: str) -> None:
    """Raise WrapperError if `source` and `reference` differ in more than literals.

    Raise it also for an unprintable character, or for a name that is defined twice.
    Raise SyntaxError or ValueError for invalid Python.
    """
    tree = ast.parse(source.encode())
    if not are_alike(tree, ast.parse(reference.encode())):
        raise WrapperError("the generated file would run data as code")
    for line in source.splitlines():
        if not is_printable(line):
            raise WrapperError(
                f"the generated file would have an unprintable character: {line!r}"
            )
    names = Counter(name for node in tree.body for name in bound_names(node))
    for name, count in names.items():
        if count > 1:
            raise WrapperError(f"the generated file would define {name!r} twice")


def are_alike(tree: ast.Module, other: ast.Module) -> bool:
    """Return whether two syntax trees differ only in literals.

    For example, the trees of `x = "a"` and `x = 2` are alike.
    """
    pairs: list[tuple[Any, Any]] = [(tree, other)]
    while pairs:
        first, second = pairs.pop()
        if type(first) is not type(second):
            return False
        if isinstance(first, ast.AST):
            if not isinstance(first, ast.Constant):
                pairs += (
                    (getattr(first, name), getattr(second, name))
                    for name in first._fields
                )
        elif isinstance(first, list):
            if len(first) != len(second):
                return False
            pairs += zip(first, second, strict=True)
        elif first != second:
            return False
    return True


def import_file(source: str) -> ModuleType:
    """Run the source of a generated file, and return the module that the source
    defines."""
    module = ModuleType("generated")
    exec(compile(source, "<generated>", "exec"), module.__dict__)
    return module


def prove(
    extracted: Sequence[Row], wanted: Sequence[Row], keys: Sequence[str], name: str
) -> None:
    """Raise WrapperError if a generated file doesn't extract the `wanted` records of a
    page.

    Raise it also if `wanted` is empty. Only the `keys` of the records are compared.
    `name` is the name of the page.
    """
    if not wanted:
        raise WrapperError(f"{name}: the wrapper reads no records from its own sample")
    if len(extracted) != len(wanted):
        raise WrapperError(
            f"{name}: the generated file reads {len(extracted)} records from its own "
            f"sample, not {len(wanted)}"
        )
    for record, wanted_record in zip(extracted, wanted, strict=True):
        for key in keys:
            value, wanted_value = record.get(key), wanted_record.get(key)
            if not prints_alike(value, wanted_value):
                raise WrapperError(
                    f"{name}: the generated file reads {key} {value!r} from its own "
                    f"sample, not {wanted_value!r}"
                )


def prints_alike(value: Any, other: Any) -> bool:
    """Return whether two values are the same JSON text.

    For example, 2 and 2.0 differ.
    """
    return json.dumps(value) == json.dumps(other)
