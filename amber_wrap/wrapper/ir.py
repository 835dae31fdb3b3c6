"""The wrapper, the compiler's intermediate representation: rules to extract records.

`engine` interprets wrappers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from amber_wrap.dom.page import TEXT
from amber_wrap.dom.truncation import WHOLE_PAGE, Ending
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.wrapper.xpath import Expression, Path, Pinned, node_test

FORMAT = 4
"""The version of the format of wrappers. A wrapper of another version isn't read."""
PINNED = "pinned"
"""The `family` of an XPath expression that a person wrote. Other families are features
of the page, such as "class"."""
Constant = str | int | float | bool
"""The type of a value that a person added to all records."""


class RuleError(ValueError):
    """The error for an inconsistent rule of a wrapper.

    `path` has the keys and indices of the wrong part in the JSON of the wrapper.
    """

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Locator:
    """An XPath expression for a value, and how to read the value from an element."""

    xpath: Expression
    source: str = TEXT
    """The part to read, such as "text", or "@href" for an HTML attribute."""
    pattern: str | None = None
    """The name of the regular expression that finds the value, or None for the whole
    text."""
    row: int = 0
    """The index of the record's sibling node from which `xpath` is evaluated."""


@dataclass(frozen=True, slots=True)
class FieldReading:
    """Alternative XPath expressions for the values of a field, tried in order in each
    record."""

    family: str
    """The feature of the page that all the expressions use, such as "class"."""
    locators: tuple[Locator, ...]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule for a field: alternative groups of XPath expressions for its values."""

    name: str
    readings: tuple[FieldReading, ...]
    """The groups, the best first, each for another feature of the page, such as
    classes."""

    @property
    def is_of_page(self) -> bool:
        """Whether the field's XPath expression starts at the page's root, not at the
        record.
        """
        xpath = self.readings[0].locators[0].xpath
        return isinstance(xpath, Pinned) and xpath.is_of_page


@dataclass(frozen=True, slots=True)
class RecordLocator:
    """XPath expressions that select the records of a list on a page."""

    family: str
    """The feature of the page that the expressions use, such as "class"."""
    root: Path
    """The expression for the containers of the records."""
    record: Path | Pinned
    """The expression for one element of each record in a container."""
    climb: int = 0
    """The number of ancestors with the tag `tag` to go up from the element to the
    record's first node."""
    tag: str = "*"
    """The tag of the ancestors, or "*" for any tag."""

    @property
    def rise(self) -> str:
        """The XPath steps up from a selected element to the record's first node, such
        as `/../..`."""
        if self.tag == "*":
            return "/.." * self.climb
        return f"/ancestor::{node_test(self.tag)}[{self.climb}]"


@dataclass(frozen=True, slots=True)
class Contract:
    """Conditions that the records of a list must meet on other pages.

    Shares are numbers from 0 to 1. A least share is the lower confidence bound of the
    share on the sample pages.
    """

    records: tuple[int, int] = (1, 1)
    """The smallest and the largest number of records on a page."""
    alone: float = 1.0
    """The share of records among all elements that are built like a record."""
    whole: float = 0.0
    """The least share of records with all fields that most records have."""
    fill: Mapping[str, float] = field(default_factory=dict)
    """The least share of records with a value, by field."""
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The coarse patterns of the values, such as "words 16", by field."""
    distinct: Mapping[str, float] = field(default_factory=dict)
    """The least share of different values among all values, by field."""
    order: tuple[str, ...] = ()
    """The fields in the order of their values in a record."""
    agreement: Mapping[str, float] = field(default_factory=dict)
    """The share of records for which alternative expressions give the same value, by
    field."""
    recognised: Mapping[str, float] = field(default_factory=dict)
    """The least share of values that are recognised as values of the field's type."""
    varied: tuple[str, ...] = ()
    """The fields whose displayed values differ within a page."""
    beside: int = 0
    """The greatest number of nodes on a page that look like records outside of the
    list."""
    claimed: Mapping[str, int] = field(default_factory=dict)
    """The greatest number of values on a page outside of records that are recognised as
    values of the field's type."""
    unread: Mapping[str, float] = field(default_factory=dict)
    """The mean number of texts in a record that look like the field's values, but that
    no field reads."""
    least_fill: Mapping[str, float] = field(default_factory=dict)
    """The share of records with a value that hardly any other page goes below, by
    field."""
    odd: int = 0
    """The greatest number of records on a page that lack most usual fields and have
    another structure."""


@dataclass(frozen=True, slots=True)
class AreaRule:
    """The rule for a list on the page: its records and their fields."""

    name: str
    places: tuple[RecordLocator, ...]
    """The expressions for the records."""
    span: int
    """The greatest number of sibling nodes of a record."""
    least: int
    """The least number of values of a record."""
    fields: tuple[FieldRule, ...]
    witness: Path | None = None
    """An expression for one element in each record, and none outside of records."""
    contract: Contract | None = None
    followed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The `family` of each group of expressions in use, by field, or under "" for
    `places`. A missing key means the first group."""

    @property
    def followed_places(self) -> tuple[RecordLocator, ...]:
        """The groups of XPath expressions that find the records of the list.

        The records of all these groups are merged.
        """
        return _of_families(self.places, self.followed.get(""))

    def followed_readings(self, rule: FieldRule) -> tuple[FieldReading, ...]:
        """Return the groups of XPath expressions that read the values of a field.

        `followed` has the features of a page, such as "class", that these groups use.
        """
        return _of_families(rule.readings, self.followed.get(rule.name))

    @property
    def patterns(self) -> frozenset[str]:
        """The names of the regular expressions that the fields of the list use."""
        return frozenset(
            locator.pattern
            for field in self.fields
            for reading in field.readings
            for locator in reading.locators
            if locator.pattern
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """A page from which the wrapper was made."""

    name: str
    """The file name."""
    sha256: str
    """The SHA-256 of the page in hexadecimal."""


@dataclass(frozen=True, slots=True)
class Signs:
    """Features of the sample pages by which `check` recognises incomplete and empty
    pages."""

    ending: Ending = WHOLE_PAGE
    """Whether all samples end with the end tag of `html` or `body`, and the greatest
    number of unclosed elements."""
    denials: int = 0
    """The greatest number of texts like "no results" on a sample, although it has
    results."""
    garbled: float = 0.0
    """The greatest share of non-ASCII characters that look wrongly decoded, from 0 to
    1."""
    empty: tuple[str, ...] = ()
    """Texts that occur only on pages without results."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Rules to extract the records from all pages of a website that have one
    template."""

    domain: str
    samples: tuple[Sample, ...]
    fields: tuple[tuple[str, ValueKind], ...]
    """The names and kinds of the values, in output order."""
    patterns: tuple[tuple[str, str], ...]
    """Regular expressions by name, in which `{name}` stands for another one."""
    areas: tuple[AreaRule, ...]
    """The rules for each list of a page."""
    frame: tuple[Path, ...] = ()
    """Expressions for elements outside of the lists, such as `<header>`, that every
    page has."""
    keys: tuple[str, ...] = ()
    """The keys of a record in output order, or () for all keys."""
    firsts: tuple[tuple[str, str], ...] = ()
    """The part that comes first in numeric dates, "day" or "month", by field."""
    dollars: tuple[tuple[str, str], ...] = ()
    """The currency that "$" means, "" if unknown, by field; USD for missing fields."""
    constants: tuple[tuple[str, Constant], ...] = ()
    """The values that all records have, by key."""
    renamed: tuple[tuple[str, str], ...] = ()
    """For each renamed field, the name that a person chose, and the original name."""
    next_page: Path | Pinned | None = None
    """The expression for the link to the next page, or None."""
    urls: str = ""
    """A regular expression for the addresses of the pages, or "" if unknown."""
    signs: Signs | None = None
    """Features of the samples, or None in a wrapper by an older version or another
    tool."""
    joins_cents: bool = False
    """Whether cents in elements of their own are first moved to the amounts before
    them."""

    def __post_init__(self) -> None:
        for name, kind in self.fields:
            AttributeType(name, kind)
        if len({area.name for area in self.areas}) < len(self.areas):
            raise RuleError("two areas have the same name", "areas")
        for index, area in enumerate(self.areas):
            try:
                _check_area(area, dict(self.fields), dict(self.patterns))
            except RuleError as error:
                raise RuleError(
                    f"area {area.name!r}: {error}", "areas", index, *error.path
                ) from error


def _check_area(
    area: AreaRule, kinds: Mapping[str, ValueKind], patterns: Mapping[str, str]
) -> None:
    """Raise RuleError if the rule for a list is inconsistent.

    For example, it may lack XPath expressions, or name an unknown field.
    """
    if area.span < 1:
        raise RuleError("a record spans at least one row", "span")
    if not area.places:
        raise RuleError("no locator for its records", "places")
    if area.least < 1:
        raise RuleError("a record has at least one value", "least")
    readings = {rule.name: rule.readings for rule in area.fields}
    for name, followed in area.followed.items():
        if name:
            families = {reading.family for reading in readings.get(name, ())}
        else:
            families = {locator.family for locator in area.places}
        if not followed or not families.issuperset(followed):
            raise RuleError(f"unknown families of {name!r}", "followed", name)
    for rule in area.fields:
        rule_path = "fields", rule.name
        if rule.name not in kinds:
            raise RuleError(f"unknown field {rule.name!r}", *rule_path)
        if not (rule.readings and all(reading.locators for reading in rule.readings)):
            raise RuleError(f"no locator for the values of {rule.name!r}", *rule_path)
        for reading in rule.readings:
            for index, locator in enumerate(reading.locators):
                locator_path = *rule_path, reading.family, index
                if locator.pattern is not None and locator.pattern not in patterns:
                    message = f"field {rule.name!r}: no pattern {locator.pattern!r}"
                    raise RuleError(message, *locator_path, "pattern")
                if not 0 <= locator.row < area.span:
                    message = f"field {rule.name!r}: no row {locator.row}"
                    raise RuleError(message, *locator_path, "row")


Alternative = TypeVar("Alternative", RecordLocator, FieldReading)


def _of_families(
    alternatives: tuple[Alternative, ...], families: Iterable[str] | None
) -> tuple[Alternative, ...]:
    """Return the groups of XPath expressions that use the given features of a page.

    They are in the order of the features in `families`, such as "class". If `families`
    is None, return only the first group.
    """
    if families is None:
        return alternatives[:1]
    by_family = {alternative.family: alternative for alternative in alternatives}
    return tuple(by_family[family] for family in families)
