"""Convert a program to and from JSON values, and check an untrusted program.

The JSON values are stored in the `.json` file beside the generated file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from lxml import etree

from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.dates import Calendar
from amber_wrap.lowering.program import Column, Derived, List, Program, Read
from amber_wrap.values.patterns import fault_of_pattern

_Place = tuple[str | int, ...]
"""The keys and indices of a value in a stored wrapper."""


def program_to_data(program: Program) -> dict[str, Any]:
    """Return the JSON values of a program; `program_from_data` is the inverse."""
    return asdict(program)


def program_from_data(data: Mapping[str, Any]) -> Program:
    """Return the program of JSON values; `program_to_data` is the inverse.

    Raise WrapperError for values that describe no program.
    """
    try:
        return Program(
            **dict(data)
            | {
                "lists": tuple(map(_list, data["lists"])),
                "keys": tuple(data["keys"]),
                "expected": {
                    name: (share, form)
                    for name, (share, form) in data["expected"].items()
                },
            }
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrapperError(f"this is no program of a wrapper: {error}") from error


def _list(data: Mapping[str, Any]) -> List:
    columns = tuple(map(_column, data["columns"]))
    return List(**dict(data) | {"records": tuple(data["records"]), "columns": columns})


def _column(data: Mapping[str, Any]) -> Column:
    calendar = data["calendar"]
    return Column(
        **dict(data)
        | {
            "kind": ValueKind(data["kind"]),
            "reads": tuple(Read(**one) for one in data["reads"]),
            "derived": tuple(map(_derived, data["derived"])),
            "calendar": Calendar(tuple(calendar["forms"]), tuple(calendar["months"])),
        }
    )


def _derived(data: Mapping[str, Any]) -> Derived:
    meanings = tuple((sign, meaning) for sign, meaning in data["meanings"])
    return Derived(**dict(data) | {"meanings": meanings})


def check_program(data: Mapping[str, Any]) -> None:
    """Check the keys, patterns and XPath expressions of an untrusted program.

    `data` must follow the JSON schema.  Raise WrapperError for a key without a column,
    an invalid name or expression, and an invalid or slow pattern.
    """
    known = set(data["constants"])
    for here, column in _columns(data):
        try:
            known.update(AttributeType(column["name"], ValueKind(column["kind"])).keys)
        except ValueError as error:
            raise WrapperError(str(error), ("program", *here, "name")) from error
    for number, key in enumerate(data["keys"]):
        if key not in known:
            raise WrapperError(
                f"no column gives the key {key!r}", ("program", "keys", number)
            )
    for path, pattern in _patterns(data):
        if fault := fault_of_pattern(pattern):
            raise WrapperError(f"a pattern is wrong: {fault}", ("program", *path))
    for path, expression in _expressions(data):
        try:
            etree.XPath(expression)
        except etree.XPathError as error:
            message = f"an expression is wrong: {error}"
            raise WrapperError(message, ("program", *path)) from error


def _patterns(data: Mapping[str, Any]) -> Iterator[tuple[_Place, str]]:
    """Yield the patterns of a program, each with its path in the JSON data."""
    for here, column in _columns(data):
        for key in ("reads", "derived"):
            for number, one in enumerate(column[key]):
                yield (*here, key, number, "pattern"), one["pattern"]
        for number, form in enumerate(column["calendar"]["forms"]):
            yield (*here, "calendar", "forms", number), form
    for name, (_, form) in data["expected"].items():
        yield ("expected", name, 1), form


def _expressions(data: Mapping[str, Any]) -> Iterator[tuple[_Place, str]]:
    """Yield the XPath expressions of a program, each with its path in the JSON data."""
    for number, one in enumerate(data["lists"]):
        for n, expression in enumerate(one["records"]):
            yield ("lists", number, "records", n), expression
    for here, column in _columns(data):
        for number, read in enumerate(column["reads"]):
            for key in ("xpath", "first"):
                if read.get(key):
                    yield (*here, "reads", number, key), read[key]
    if data["next_page"]:
        yield ("next_page",), data["next_page"]


def _columns(data: Mapping[str, Any]) -> Iterator[tuple[_Place, Mapping[str, Any]]]:
    for number, one in enumerate(data["lists"]):
        for at, column in enumerate(one["columns"]):
            yield ("lists", number, "columns", at), column
