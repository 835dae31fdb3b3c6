"""Define the class `Program`: the content of a generated Python file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from lxml import etree

from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.date_patterns import NO_DATES, Calendar
from amber_wrap.lowering.helpers import SHORT_TEXT
from amber_wrap.values.regular_expressions import fault_of_pattern
from amber_wrap.wrapper.ir import Constant

_JsonPath = tuple[str | int, ...]
"""The keys and indices that lead to a value in JSON data."""


@dataclass(frozen=True, slots=True)
class Read:
    """An XPath expression and a regular expression by which a value of a record is
    read.
    """

    xpath: str
    """The expression for the nodes that may have the value."""
    pattern: str = ""
    """A regular expression for the value in a text. The value is its group, or the
    whole match. "" stands for any text."""
    first: str = ""
    """An expression whose first node has the value, or "" if none is known."""
    is_exact: bool = False
    """Whether `first` selects nothing in records without the value."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A key of a record whose value is found in a field's text, such as a price's
    currency.
    """

    key: str
    meanings: tuple[tuple[str, str], ...]
    """Pairs of a sign and its meaning, which is the key's value: `("€", "EUR")`."""
    pattern: str = ""
    """The regular expression for the sign, or "" if all records have the same value."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a record, and how to read the field."""

    name: str
    kind: ValueKind
    reads: tuple[Read, ...]
    """The expressions and patterns, tried in order until a value is found."""
    convert: str = ""
    """The name of the function that converts the text to a value, or "" for none."""
    scale: int = 1
    """The factor by which a number in the text is multiplied."""
    derived: tuple[Derived, ...] = ()
    """The rules for further keys of the record, such as the currency of a price."""
    calendar: Calendar = NO_DATES
    """The regular expressions for dates, if the field is a date."""


@dataclass(frozen=True, slots=True)
class List:
    """One list of a page: how to select its records and read their fields."""

    name: str
    records: tuple[str, ...]
    """The expressions that together select the first element of each record."""
    columns: tuple[Column, ...]
    """The fields of a record."""
    least: int = 1
    """The least number of fields with a value in an element that counts as a record."""
    is_shown: bool = False
    """Whether hidden elements are no records."""


@dataclass(frozen=True, slots=True)
class Program:
    """The content of the Python file that is generated from a wrapper."""

    lists: tuple[List, ...]
    keys: tuple[str, ...]
    """The keys of a record, in output order."""
    text: str = SHORT_TEXT
    """The name of the variant of the function that reads an element's text."""
    expected: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    """For each key, the least share of records (0 to 1) with a value, and a regular
    expression for the values."""
    most: int = 1
    """The largest number of records that the file expects on a page."""
    has_base: bool = False
    """Whether a sample page has a `base` element."""
    joins_cents: bool = False
    """Whether cents that have an element of their own are joined to their amounts."""
    constants: Mapping[str, Constant] = field(default_factory=dict)
    """Values that all records have, by key."""
    next_page: str = ""
    """An expression for the address of the next page, or "" if unknown."""
    is_closed: bool = False
    """Whether a page must have the end tag of `body` or `html`. Otherwise, it counts as
    truncated."""


def program_to_data(program: Program) -> dict[str, Any]:
    """Return a program as JSON values, from which `program_from_data` makes it
    again.
    """
    data = asdict(program)
    if not program.joins_cents:
        del data["joins_cents"]
    return data


def program_from_data(data: Mapping[str, Any]) -> Program:
    """Return the program that JSON values in the form of `program_to_data` describe.

    Raise WrapperError if the values describe no program.
    """
    try:
        expected = {
            key: (share, pattern) for key, (share, pattern) in data["expected"].items()
        }
        converted = {
            "lists": tuple(map(_list, data["lists"])),
            "keys": tuple(data["keys"]),
            "expected": expected,
        }
        return Program(**dict(data) | converted)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise WrapperError(
            f"the data is not a program of a wrapper: {error}"
        ) from error


def _list(data: Mapping[str, Any]) -> List:
    """Return the `List` that JSON values describe."""
    columns = tuple(map(_column, data["columns"]))
    return List(**dict(data) | {"records": tuple(data["records"]), "columns": columns})


def _column(data: Mapping[str, Any]) -> Column:
    """Return the `Column` that JSON values describe."""
    calendar = data["calendar"]
    return Column(
        **dict(data)
        | {
            "kind": ValueKind(data["kind"]),
            "reads": tuple(Read(**read) for read in data["reads"]),
            "derived": tuple(map(_derived, data["derived"])),
            "calendar": Calendar(tuple(calendar["forms"]), tuple(calendar["months"])),
        }
    )


def _derived(data: Mapping[str, Any]) -> Derived:
    """Return a derived key, such as `price_currency`, from its description in JSON
    values."""
    meanings = tuple((sign, meaning) for sign, meaning in data["meanings"])
    return Derived(**dict(data) | {"meanings": meanings})


def check_program(data: Mapping[str, Any]) -> None:
    """Raise WrapperError if a program has an invalid name, regular expression or XPath
    expression.

    `data` is the program as JSON values that follow the JSON schema.
    """
    known_keys = set(data["constants"])
    for path, column in _columns(data):
        try:
            kind = ValueKind(column["kind"])
            known_keys.update(AttributeType(column["name"], kind).keys)
        except ValueError as error:
            raise WrapperError(str(error), ("program", *path, "name")) from error
    for index, key in enumerate(data["keys"]):
        if key not in known_keys:
            raise WrapperError(
                f"no column gives the key {key!r}", ("program", "keys", index)
            )
    for path, text in _texts((), data):
        match path:
            case (
                ("lists", *_, "pattern")
                | ("lists", *_, "calendar", "forms", _)
                | ("expected", _, 1)
            ):
                if fault := fault_of_pattern(text):
                    message = f"a pattern is invalid: {fault}"
                    raise WrapperError(message, ("program", *path))
            case ("lists", _, "records", _) | ("next_page",) | (*_, "xpath" | "first"):
                try:
                    etree.XPath(text)
                except etree.XPathError as error:
                    message = f"an expression is invalid: {error}"
                    raise WrapperError(message, ("program", *path)) from error


def _texts(path: _JsonPath, value: Any) -> Iterator[tuple[_JsonPath, str]]:
    """Yield each text in a JSON value that isn't empty, with its path.

    `path` is the path of the value, such as `("lists", 0)`.
    """
    if isinstance(value, str) and value:
        yield path, value
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _texts((*path, key), item)


def _columns(data: Mapping[str, Any]) -> Iterator[tuple[_JsonPath, Mapping[str, Any]]]:
    """Yield each column in a program's JSON data, with its path there.

    An example of a path is `("lists", 0, "columns", 2)`.
    """
    for list_index, page_list in enumerate(data["lists"]):
        for index, column in enumerate(page_list["columns"]):
            yield ("lists", list_index, "columns", index), column
