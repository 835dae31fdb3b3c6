"""Define the program of a generated file: expressions, patterns and helpers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.dates import NO_DATES, Calendar
from amber_wrap.lowering.helpers import SHORT_TEXT
from amber_wrap.wrapper.ir import Constant


@dataclass(frozen=True, slots=True)
class Read:
    """An XPath expression relative to a record, and a pattern for the selected texts.

    The value is in the first selected text that matches `pattern`.  The value is the
    group of the match, or the whole match if `pattern` has no group.  Without a
    pattern, the value is the whole text.  `first` is an expression whose first node has
    the value, "" if unknown.  If `is_exact`, `first` selects nothing in records without
    the value.
    """

    xpath: str
    pattern: str = ""
    first: str = ""
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """A further key of a field, such as the currency of an amount.

    `pattern` finds a sign in the field's text: a currency symbol, a unit or a period
    ("per month").  `meanings` are pairs of a sign and the key's value, for example
    `("€", "EUR")`.  Without a pattern, the only pair gives the value.
    """

    key: str
    meanings: tuple[tuple[str, str], ...]
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a record, and how to read it.

    The `reads` are tried in order until a value is found.  `convert` names the helper
    that converts the text, "" for none.  A number is multiplied by `scale`.  `derived`
    are further keys, such as the currency of a price.  `calendar` has the date formats.
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
    """The records of one data area.

    `records` are XPath expressions that together select the first element of each
    record.  An element with values of fewer than `least` fields is no record.  If
    `is_shown`, hidden elements are left out.
    """

    name: str
    records: tuple[str, ...]
    columns: tuple[Column, ...]
    least: int = 1
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """The content of a generated file.

    `lists` has the records of each data area.  `keys` are the keys of a record, in
    output order.  `constants` are values that all records have.  `next_page` is an
    XPath expression for the address of the next page, "" if unknown.  `text` names the
    variant of the helper that reads an element's text.  If `has_base`, a sample has a
    `base` element.

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
    constants: Mapping[str, Constant] = field(default_factory=dict)
    next_page: str = ""
    is_closed: bool = False
