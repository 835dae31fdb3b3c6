"""Define the class `Program`: the content of a generated Python file.

The content consists of XPath expressions, patterns and conversions. The module also
converts a program to and from JSON values, which are stored in the `.json` file beside
the generated file, and checks the JSON values of an untrusted program.
"""

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
    """A rule to read a record's value: an XPath expression and a regular expression.

    `xpath` selects nodes, relative to the record. The value is in the first text of
    these nodes that `pattern` matches. The value is the group of the match, or the
    whole match if `pattern` has no group. Without a pattern, the value is the first
    text that isn't empty.

    `first` is an XPath expression for tools that read only the first selected node.
    While `xpath` may select other nodes before the node with the value, `first` selects
    the node with the value first. If no such expression was found, `first` is "". If
    `is_exact`, `first` selects nothing in records without the value.
    """

    xpath: str
    pattern: str = ""
    first: str = ""
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """A further key that is read from a field's text, such as the currency of an
    amount.

    `pattern` finds a sign in the field's text: a currency symbol, a unit or a period
    ("per month"). `meanings` are pairs of a sign and the key's value, for example
    `("€", "EUR")`. If `pattern` is "", there is only one pair, and its value holds for
    all records.
    """

    key: str
    meanings: tuple[tuple[str, str], ...]
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a record, and how to read the field.

    `kind` is the kind of the values, such as money. `reads` are XPath expressions with
    patterns, tried in order until a value is found. `convert` names the function that
    converts the text, "" for none. A number is multiplied by `scale`. `derived` are
    further keys, such as the currency of a price. `calendar` has the date formats.
    """

    name: str
    kind: ValueKind
    reads: tuple[Read, ...]
    convert: str = ""
    scale: int = 1
    derived: tuple[Derived, ...] = ()
    calendar: Calendar = NO_DATES


@dataclass(frozen=True, slots=True)
class List:
    """One list of a page (data area): how to select its records and read their fields.

    `name` is the name of the list. `records` are XPath expressions that together select
    the first element of each record. `columns` are the fields of a record. An element
    with values of fewer than `least` fields is no record. If `is_shown`, hidden
    elements are left out.
    """

    name: str
    records: tuple[str, ...]
    columns: tuple[Column, ...]
    least: int = 1
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """The content of the Python file that is generated from a wrapper.

    A wrapper has the rules for reading one site's pages.

    `lists` has the rules for each list of records on a page. `keys` are the keys of a
    record, in output order. `constants` are values that all records have, by key.
    `next_page` is an XPath expression for the address of the next page, "" if unknown.
    `text` names the variant of the function that reads an element's text. `has_base` is
    True if a sample page has a `base` element. If `joins_cents`, cents in elements of
    their own are moved to their amounts before a page is read.

    `expected`, `most` and `is_closed` are conditions that `check` tests on a page.
    `expected` has two values for each key: the least share of records with a value, and
    a pattern for most values.  `most` is the largest number of records on a page.  If
    `is_closed`, a page must have the end tag of `body` or `html`.
    """

    lists: tuple[List, ...]
    keys: tuple[str, ...]
    text: str = SHORT_TEXT
    expected: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    most: int = 1
    has_base: bool = False
    joins_cents: bool = False
    constants: Mapping[str, Constant] = field(default_factory=dict)
    next_page: str = ""
    is_closed: bool = False


def program_to_data(program: Program) -> dict[str, Any]:
    """Return a program (the content of a generated file) as JSON values.

    `program_from_data` turns the values into the program again.
    """
    data = asdict(program)
    if not program.joins_cents:
        del data["joins_cents"]
    return data


def program_from_data(data: Mapping[str, Any]) -> Program:
    """Return the program (content of a generated file) that JSON values describe.

    `data` has the form that `program_to_data` returns. Raise WrapperError if the values
    describe no program.
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
    """Return the `List` (rules for one list of records) that JSON values describe."""
    columns = tuple(map(_column, data["columns"]))
    return List(**dict(data) | {"records": tuple(data["records"]), "columns": columns})


def _column(data: Mapping[str, Any]) -> Column:
    """Return the `Column` (rule for one field) that JSON values describe."""
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
    """Check the keys, patterns and XPath expressions of an untrusted program.

    `data` describes the program, the content of a generated file, and must follow the
    JSON schema.  Raise WrapperError for a key without a column, an invalid name or
    expression, and an invalid or slow pattern.
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
    """Yield (path, text) for each text in a JSON value, except empty texts.

    An example of a path is `("lists", 0, "records", 0)`. `path` leads to `value`.
    """
    if isinstance(value, str) and value:
        yield path, value
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from _texts((*path, key), item)


def _columns(data: Mapping[str, Any]) -> Iterator[tuple[_JsonPath, Mapping[str, Any]]]:
    """Yield (path, column) for each column (rule for a field) in a program's JSON data.

    The path leads to the column in the data, for example `("lists", 0, "columns", 2)`.
    """
    for list_index, page_list in enumerate(data["lists"]):
        for index, column in enumerate(page_list["columns"]):
            yield ("lists", list_index, "columns", index), column
