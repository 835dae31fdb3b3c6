"""The wrapper: rules that extract the records from the pages of a website.

`engine` applies the rules to pages.
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
"""The version of the format of wrappers. Wrappers of another version can't be
loaded."""
PINNED = "pinned"
"""The `family` of an XPath expression that a person wrote. For other expressions,
`family` is the kind of feature that they test, such as "class"."""
Constant = str | int | float | bool
"""The type of a value that a person added to all records."""


class RuleError(ValueError):
    """The error for an inconsistent rule of a wrapper.

    `path` has the keys and indices that lead to the faulty part of the wrapper's JSON.
    """

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Locator:
    """An XPath expression for a value, and how to read the value from an element."""

    xpath: Expression
    source: str = TEXT
    """Where the element has the value: "text" for its text, or "@href" for an HTML
    attribute."""
    pattern: str | None = None
    """The name of the regular expression that finds the value, or None for the whole
    text."""
    row: int = 0
    """The index of the sibling node, among those of the record, from which `xpath` is
    evaluated."""


@dataclass(frozen=True, slots=True)
class FieldReading:
    """Alternative XPath expressions for the values of a field, which are tried in
    order.
    """

    family: str
    """The kind of feature that all the expressions test, such as "class"."""
    locators: tuple[Locator, ...]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule for a field: alternative groups of XPath expressions for its values."""

    name: str
    readings: tuple[FieldReading, ...]
    """The groups, the best first. Each group tests another kind of feature, such as
    classes."""

    @property
    def is_of_page(self) -> bool:
        """Whether the field's XPath expression starts at the root of the page, and not
        at the record.
        """
        xpath = self.readings[0].locators[0].xpath
        return isinstance(xpath, Pinned) and xpath.is_of_page


@dataclass(frozen=True, slots=True)
class RecordLocator:
    """XPath expressions that together select the records of a list on a page.

    `root` selects the containers of the records, and `record` selects an element of
    each record.
    """

    family: str
    """The kind of feature that the expressions test, such as "class"."""
    root: Path
    """The expression for the elements that contain the records."""
    record: Path | Pinned
    """The expression for one element of each record in a container."""
    climb: int = 0
    """The number of steps up from the selected element to the record's first node. Each
    step leads to the next ancestor with the tag `tag`."""
    tag: str = "*"
    """The tag of the ancestors to go up to, or "*" for any tag."""

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
    """The share of records among all elements on the sample pages that look like
    records."""
    whole: float = 0.0
    """The least share of records with values of all those fields that most records
    have."""
    fill: Mapping[str, float] = field(default_factory=dict)
    """For each field, the least share of records with a value."""
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each field, the coarse patterns of its values, such as "words 16"."""
    distinct: Mapping[str, float] = field(default_factory=dict)
    """For each field, the least share of different values among its values."""
    order: tuple[str, ...] = ()
    """The fields in the order of their values in a record."""
    agreement: Mapping[str, float] = field(default_factory=dict)
    """For each field, the share of records in which alternative expressions read the
    same value."""
    recognised: Mapping[str, float] = field(default_factory=dict)
    """For each field, the least share of values that are recognised as values of its
    type."""
    varied: tuple[str, ...] = ()
    """The fields whose displayed values differ within a page."""
    beside: int = 0
    """The greatest number of elements outside of the list on a page that look like
    records."""
    claimed: Mapping[str, int] = field(default_factory=dict)
    """For each field, the greatest number of texts outside of records on a page that
    are recognised as values of its type."""
    unread: Mapping[str, float] = field(default_factory=dict)
    """For each field, the mean number of texts in a record that look like its values,
    but that no field reads."""
    least_fill: Mapping[str, float] = field(default_factory=dict)
    """For each field, a share of records with a value such that hardly any page has a
    lower share."""
    odd: int = 0
    """The greatest number of records on a page that lack most fields and resemble no
    other record."""


@dataclass(frozen=True, slots=True)
class AreaRule:
    """The rule for one list of a page: how to select its records, and how to read their
    fields.
    """

    name: str
    places: tuple[RecordLocator, ...]
    """Alternative expressions for the records."""
    span: int
    """The greatest number of sibling nodes that a record consists of."""
    least: int
    """The least number of values that an element must have to count as a record."""
    fields: tuple[FieldRule, ...]
    witness: Path | None = None
    """An expression that selects one element in each record, and nothing outside of
    records."""
    contract: Contract | None = None
    followed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The groups of expressions in use, by field. A group is named by its `family`. The
    key "" stands for the groups in `places`. For a missing key, only the first group is
    in use."""

    @property
    def followed_places(self) -> tuple[RecordLocator, ...]:
        """The groups of XPath expressions in use for the records of the list.

        A record that any of these groups selects is a record of the list.
        """
        return _of_families(self.places, self.followed.get(""))

    def followed_readings(self, rule: FieldRule) -> tuple[FieldReading, ...]:
        """Return the groups of XPath expressions in use for the values of a field.

        `followed` has the names of these groups, such as "class".
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
    """Features of the sample pages by which incomplete and empty pages are
    recognised.
    """

    ending: Ending = WHOLE_PAGE
    """How the HTML of the sample pages ends: whether all have the end tag of `html` or
    `body`, and the greatest number of unclosed elements."""
    denials: int = 0
    """The greatest number of texts such as "no results" on a sample page that has
    results."""
    garbled: float = 0.0
    """The greatest share (0 to 1) of non-ASCII characters on a sample page that look
    wrongly decoded."""
    empty: tuple[str, ...] = ()
    """Texts that occur only on pages without results."""


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Rules that extract the records from all pages of a website with the same
    template.
    """

    domain: str
    samples: tuple[Sample, ...]
    fields: tuple[tuple[str, ValueKind], ...]
    """Pairs (name, kind of the values) of the fields, in output order."""
    patterns: tuple[tuple[str, str], ...]
    """Pairs (name, regular expression). In an expression, `{name}` stands for the
    expression with this name."""
    areas: tuple[AreaRule, ...]
    """The rules for each list of a page."""
    frame: tuple[Path, ...] = ()
    """Expressions for elements outside of the lists, such as `<header>`, that every
    page has."""
    keys: tuple[str, ...] = ()
    """The keys of a record in output order, or () for all keys."""
    firsts: tuple[tuple[str, str], ...] = ()
    """Pairs of a field and the first part of its numeric dates, "day" or "month"."""
    dollars: tuple[tuple[str, str], ...] = ()
    """Pairs of a field and the currency that "$" means in its values, or "" if it is
    unknown. In fields that aren't listed, "$" means USD."""
    constants: tuple[tuple[str, Constant], ...] = ()
    """Pairs of a key and a value that all records have."""
    renamed: tuple[tuple[str, str], ...] = ()
    """Pairs of the name that a person chose for a field, and the original name."""
    next_page: Path | Pinned | None = None
    """The expression for the link to the next page, or None if there is none."""
    urls: str = ""
    """A regular expression for the addresses of the pages, or "" if unknown."""
    signs: Signs | None = None
    """Features of the sample pages, or None in a wrapper by an older version or another
    tool."""
    joins_cents: bool = False
    """Whether cents that have an element of their own are first joined to their
    amounts."""

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

    For example, the rule lacks XPath expressions, or names a field that isn't in
    `kinds`.
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
    """Return the groups of XPath expressions with the given names, in the order of the
    names.

    A group is named after the kind of feature that it tests, such as "class". If
    `families` is None, return only the first group.
    """
    if families is None:
        return alternatives[:1]
    by_family = {alternative.family: alternative for alternative in alternatives}
    return tuple(by_family[family] for family in families)
