"""Describe a generated Python file for exports: its names, types and records."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from w3lib.encoding import html_to_unicode

from amber_wrap.codegen.build import import_file
from amber_wrap.codegen.python_source import Code, identifier
from amber_wrap.codegen.render import environment
from amber_wrap.codegen.statements import type_of
from amber_wrap.dom.decoding import decode
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.target import Subject, lost
from amber_wrap.lowering.program import Program

MODULE_NAME = re.compile(r"[A-Za-z]\w{0,40}(?:\.[A-Za-z]\w{0,40})*", re.ASCII)
"""Matches the dotted name of a module that Python can import."""
TYPES = frozenset({"bool", "float", "int", "list", "str"})
"""The names of types in annotations. A field of a class can't have such a name."""
_AREA = "_area"
"""The key of a record with the name of the record's list, used if a page has several
lists.
"""


@dataclass(frozen=True, slots=True)
class Field:
    """A key of the records, and the attribute for it in a Python class."""

    key: str
    """The key of the field in the dict of a record."""
    name: Code
    """The name of the attribute in the Python class."""
    kind: ValueKind
    type: Code
    """The type annotation of the attribute, such as `str | None`."""


@dataclass(frozen=True, slots=True)
class SampleReading:
    """A sample page, and the records that the generated file extracts from it."""

    body: bytes
    """The HTML of the page."""
    url: str
    """The address of the page, "" if unknown."""
    records: list[dict[str, Any]]
    next_page: str | None
    """The address of the next page, None if there is none."""


def module_of(subject: Subject) -> Code:
    """Return the import path of a generated file.

    Raise WrapperError if Python can't import a file of that name.
    """
    name = subject.name
    if not MODULE_NAME.fullmatch(name) or any(map(keyword.iskeyword, name.split("."))):
        raise WrapperError(
            f"Python can't import a module called {name!r}: rename the wrapper's files "
            "to up to 41 letters, digits and underscores, with a letter first, and "
            "export again"
        )
    return Code(name)


def stem_of(module: Code) -> Code:
    """Return the last part of a module's dotted name: `homes` for `sites.homes`."""
    return Code(module.rpartition(".")[2])


def class_of(module: Code, suffix: str) -> Code:
    """Return a class name for the records of a module.

    For the module `sites.homes` and the suffix "Item", the name is `HomesItem`.
    """
    name_words = stem_of(module).split("_")
    return Code("".join(word[:1].upper() + word[1:] for word in name_words) + suffix)


def record_fields(
    program: Program, taken: Collection[str] = TYPES
) -> tuple[Field, ...]:
    """Return the fields of a class for the records of a generated file.

    The fields are in the order of the output, and no attribute gets a name in `taken`.
    Raise WrapperError for a key that can't name a field.
    """
    attribute_names = {key: identifier(key) for key in program.keys}
    annotations_by_key: dict[str, tuple[ValueKind, Code]] = {
        key: (column.kind if key == column.name else ValueKind.TEXT, annotation)
        for page_list in program.lists
        for column in page_list.columns
        for key in AttributeType(column.name, column.kind).keys
        for annotation in [type_of(column, key)]
    }
    for key, value in program.constants.items():
        annotations_by_key[key] = ValueKind.TEXT, Code(f"{type(value).__name__} | None")
    class_fields = list(_fields(attribute_names, annotations_by_key, taken))
    if len(program.lists) > 1:
        class_fields.append(
            Field(_AREA, Code(_AREA), ValueKind.TEXT, Code("str | None"))
        )
    return tuple(class_fields)


def _fields(
    names: Mapping[str, Code],
    types: Mapping[str, tuple[ValueKind, Code]],
    taken: Collection[str],
) -> Iterator[Field]:
    """Yield a field for each key of records, with an attribute name that no other field
    has.

    `names` has the preferred attribute name of each key. Underscores are added to a
    name that is in `taken`, or that another field has. `types` has the kind of values
    and the type annotation of each key.
    """
    used = {*taken, *names}
    for key, name in names.items():
        while (name != key and name in used) or name in taken:
            name = Code(f"{name}_")
        used.add(name)
        kind, annotation = types[key]
        yield Field(key, name, kind, annotation)


def have_plain_names(fields: Collection[Field]) -> bool:
    """Return whether the attribute name of each field is the same as its key."""
    return all(field.key == field.name for field in fields)


def renaming_warnings(fields: Collection[Field]) -> Iterator[Diagnostic]:
    """Yield a warning for each field whose attribute name isn't its key in records."""
    for field in fields:
        if field.key != field.name:
            message = f"the attribute of the class is called {field.name}"
            if not field.key.isascii():
                message += "; amber-wrap induce --ascii-names gives plain names"
            yield lost(field.key, message)


def render_export(template: str, **values: object) -> str:
    """Return the Python file that results from filling a template with values.

    Raise WrapperError if the file isn't valid Python.
    """
    rendered_file = environment().get_template(template).render(values)
    try:
        ast.parse(rendered_file)
    except (SyntaxError, ValueError) as error:
        raise WrapperError(f"{template} would give invalid Python: {error}") from error
    return rendered_file


def true_encoding(body: bytes) -> str:
    """Return the true encoding of a page that declares a wrong encoding.

    The result is "utf-8" or "cp1252". Return "" if the declared encoding is right.
    """
    try:
        declared, text = html_to_unicode(None, body, auto_detect_fun=lambda _: "utf-8")
    except (LookupError, ValueError):  # Python knows the codec, but not for text.
        return "utf-8"
    if text == decode(body):
        return ""
    return "cp1252" if declared == "utf-8" else "utf-8"


def encoding_warnings(subject: Subject, tool: str) -> Iterator[Diagnostic]:
    """Yield a warning for each sample page that declares a wrong encoding.

    `tool` is the name of the tool that trusts the declaration.
    """
    for source in subject.samples:
        if encoding := true_encoding(source.saved.body):
            yield lost(
                "",
                f"{source.name} is in {encoding} and declares another encoding, which "
                f"{tool} trusts: if texts are wrong, give the wrapper "
                "response.body instead of response.selector",
            )


def sample_readings(subject: Subject) -> tuple[SampleReading, ...]:
    """Return each sample page with the records that the generated file extracts.

    Raise WrapperError if there are no samples, if the file is missing or fails, or if a
    record lacks one of the file's keys.
    """
    if not subject.samples:
        raise WrapperError(
            f"no sample of {subject.name} was found: put its sample pages beside it, "
            "or create it again with amber-wrap induce --store"
        )
    if not subject.source:
        raise WrapperError(
            f"{subject.name}.py is missing: create it with amber-wrap build"
        )
    return tuple(_readings(subject))


def _readings(subject: Subject) -> Iterator[SampleReading]:
    """Yield each sample page with the records that the generated file extracts from it.

    Raise WrapperError if the file fails, or if a record lacks one of the file's keys.
    """
    try:
        generated_module = import_file(subject.source)
        next_page = getattr(generated_module, "next_page", lambda page, page_url: None)
        for source in subject.samples:
            saved_page = source.saved
            page_url = subject.url or saved_page.url
            records = [
                dict(record)
                for record in generated_module.extract(saved_page.body, page_url)
            ]
            _check(subject, records)
            next_url = next_page(saved_page.body, page_url)
            yield SampleReading(saved_page.body, page_url, records, next_url)
    except WrapperError:
        raise
    except Exception as error:  # Users may change the file: it may raise any error.
        raise WrapperError(f"{subject.name}.py fails: {error!r}") from error


def _check(subject: Subject, records: list[dict[str, Any]]) -> None:
    """Raise WrapperError if a record lacks a key that `subject.program` lists."""
    for key in subject.program.keys:
        if any(key not in record for record in records):
            raise WrapperError(
                f"{subject.name}.py gives no {key}, which its .json has: create both "
                "again with amber-wrap build --force, or restore the field"
            )
