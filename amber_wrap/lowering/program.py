"""The straight-line program that a generated file is: data without any page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from amber_wrap.domain.schema import ValueKind
from amber_wrap.lowering.dates import NO_DATES, Calendar
from amber_wrap.lowering.helpers import SHORT_TEXT
from amber_wrap.wrapper.ir import Constant


@dataclass(frozen=True, slots=True)
class Read:
    """An expression that selects elements or strings in a record, and what is taken of
    the first whose text fits: the first group of `pattern`, else its match.

    Without a pattern it is the whole text.  Of what `first` selects the first node
    has the text, on all samples; "" where no expression is known that does so.  It
    `is_exact` if it selects nothing in records that lack the value.
    """

    xpath: str
    pattern: str = ""
    first: str = ""
    is_exact: bool = False


@dataclass(frozen=True, slots=True)
class Derived:
    """Another key of a field: the currency of an amount, say.

    There is one only where the field has a value.  `pattern` finds the sign whose
    meaning it is; without a pattern it is always the one in `meanings`.
    """

    key: str
    meanings: tuple[tuple[str, str], ...]
    pattern: str = ""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of a record: its `reads` are tried in turn in each record.

    `convert` names the helper that makes a value of a text, "" for none; `scale` is
    what a number is multiplied by.
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
    """A kind of data area: `records` are expressions that together select the first
    rows of its records.

    Of several, what holds more than one other row is none.  A record has values of at
    least `least` fields.
    """

    name: str
    records: tuple[str, ...]
    columns: tuple[Column, ...]
    least: int = 1
    is_shown: bool = False


@dataclass(frozen=True, slots=True)
class Program:
    """All that a generated file does; `text` names the helpers that read elements.

    `keys` are those of a record, in output order.  `expected` are, by key, the least
    share of the records that have a value, and a pattern that most values match; no
    page has more than `most` records.  `has_base`: pages say where their links start.
    `constants` are values that all records have.
    `next_page` selects the hrefs of links to the next page.  A page that `is_closed`
    holds an end tag of the document, or part of it is missing.
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
