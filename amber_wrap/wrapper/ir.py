"""The wrapper, the compiler's intermediate representation: rules to extract records.

`engine` interprets wrappers: `locators` reads records and values by XPath expressions.
`ensemble` chooses between several groups of expressions (readings) for a field.
`drift_check` checks whether a page meets the contract, the conditions of the wrapper.
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
"""The `family` of an XPath expression that a person wrote. Other families, such as
"class", name what an automatic expression rests on.
"""
Constant = str | int | float | bool
"""The type of a value that a person added to all records."""


class RuleError(ValueError):
    """The error for an inconsistent rule of a wrapper.

    A wrapper has the rules for reading one site's pages. `path` has the keys and
    indices that lead to the wrong part in the JSON of a stored wrapper.
    """

    def __init__(self, message: str, *path: str | int) -> None:
        super().__init__(message)
        self.path = path


@dataclass(frozen=True, slots=True)
class Locator:
    """An XPath expression for a value, and how to read the value from an element.

    `xpath` is evaluated from one of the record's rows (sibling nodes), whose index is
    `row`. `source` is what is read, for example "text" for the element's text, or
    "@href" for an HTML attribute. `pattern` is the name of a regular expression that
    finds the value in the text, or None for the whole text.
    """

    xpath: Expression
    source: str = TEXT
    pattern: str | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class FieldReading:
    """Alternative XPath expressions for the values of a field, tried in order.

    In each record, the first item of `locators` that finds a value is used. `family`
    names the feature of the page that all the expressions rest on, for example "class".
    """

    family: str
    locators: tuple[Locator, ...]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """The rule for the field `name`: alternative groups of XPath expressions for its
    values.

    `readings` has the groups, the best first. The expressions of each group rest on a
    different feature of the page. For example, one group uses classes, and another
    labels.
    """

    name: str
    readings: tuple[FieldReading, ...]

    @property
    def is_of_page(self) -> bool:
        """Whether the field's XPath expression starts at the page's root, not at the
        record.
        """
        xpath = self.readings[0].locators[0].xpath
        return isinstance(xpath, Pinned) and xpath.is_of_page


@dataclass(frozen=True, slots=True)
class RecordLocator:
    """XPath expressions that select the records of an area (a list on the page).

    `root` selects the containers of the records. `record` selects, in a container, one
    element of each record. If `climb` is 0, this element is the first node of the
    record. Otherwise the first node is an ancestor of the element: the `climb`-th of
    the ancestors with the tag `tag`, counted upwards. The tag "*" stands for any tag.
    `family` names the feature that the expressions rest on, for example "class".
    """

    family: str
    root: Path
    record: Path | Pinned
    climb: int = 0
    tag: str = "*"

    @property
    def rise(self) -> str:
        """The XPath steps up from an element that `record` selects to the record's
        first node.

        An example of the steps is `/../..`.
        """
        if self.tag == "*":
            return "/.." * self.climb
        return f"/ancestor::{node_test(self.tag)}[{self.climb}]"


@dataclass(frozen=True, slots=True)
class Contract:
    """A contract: conditions that the records of a list must meet on other pages.

    The conditions are made from the sample pages. A least share is a lower confidence
    bound of the share on the sample pages. A usual field is a field with values in most
    records.

    These fields describe the records:

    - `records`: the smallest and the largest number of records on a page,
    - `alone`: the share of records among all elements that are built like a record,
      i.e. whose descendants have similar tag paths,
    - `whole`: the least share of records with a value for every usual field,
    - `beside`: the greatest number, on a page, of nodes outside of records that are
      selected by an expression for records, or whose texts look like values,
    - `odd`: the greatest number, on a page, of records that lack most usual fields and
      have another structure than all other records,
    - `order`: the fields in the order of their values in a record,
    - `varied`: the fields whose displayed values differ within a page.

    These mappings have an entry for each field:

    - `fill`: the least share of records with a value,
    - `least_fill`: a low share of records with a value, so that hardly any other page
      is expected to have a lower share,
    - `shapes`: coarse patterns of the values, for example "words 16",
    - `distinct`: the least share of different values among all values,
    - `agreement`: the share of records where the field's alternative XPath expressions
      give no other value than the first expressions,
    - `recognised`: the least share of values that are recognised as values of the
      field's type,
    - `claimed`: the greatest number, on a page, of texts outside of records that are
      recognised as values of the field's type,
    - `unread`: the mean number, in a record, of texts that look like the field's
      values, but that no field reads.
    """

    records: tuple[int, int] = (1, 1)
    alone: float = 1.0
    whole: float = 0.0
    fill: Mapping[str, float] = field(default_factory=dict)
    shapes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    distinct: Mapping[str, float] = field(default_factory=dict)
    order: tuple[str, ...] = ()
    agreement: Mapping[str, float] = field(default_factory=dict)
    recognised: Mapping[str, float] = field(default_factory=dict)
    varied: tuple[str, ...] = ()
    beside: int = 0
    claimed: Mapping[str, int] = field(default_factory=dict)
    unread: Mapping[str, float] = field(default_factory=dict)
    least_fill: Mapping[str, float] = field(default_factory=dict)
    odd: int = 0


@dataclass(frozen=True, slots=True)
class AreaRule:
    """The rule for an area, a list on the page: its records and their fields.

    `places` are expressions for the records. An element with fewer than `least` values
    is no record. `span` is the greatest number of sibling nodes of a record. The
    expression `witness` selects one element in each record, and no element outside of
    records.

    A family names the feature that XPath expressions rest on, for example "class".
    `followed` names the families in use: under the key "" those of `places`, and under
    a field's name those of the field's readings (groups of expressions). If a key is
    missing, only the first of `places` or the field's first reading is in use.
    """

    name: str
    places: tuple[RecordLocator, ...]
    span: int
    least: int
    fields: tuple[FieldRule, ...]
    witness: Path | None = None
    contract: Contract | None = None
    followed: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def followed_places(self) -> tuple[RecordLocator, ...]:
        """The groups of XPath expressions that are in use for selecting records.

        The records that all groups select are merged.
        """
        return _of_families(self.places, self.followed.get(""))

    def followed_readings(self, rule: FieldRule) -> tuple[FieldReading, ...]:
        """Return the groups of XPath expressions that are in use for a field."""
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
    """A page from which the wrapper was induced: its file name and SHA-256 (hex).

    A wrapper has the rules for reading one site's pages. To induce it is to make it
    from sample pages.
    """

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Signs:
    """Features of the sample pages by which `check` recognises incomplete and empty
    pages.

    `ending` has two facts: whether all sample pages end with the end tag of `html` or
    `body`, and the greatest number of unclosed elements of a sample page. `denials` is
    the greatest number of texts on a sample that say "no results", although the sample
    has results. `garbled` is the share of non-ASCII characters that look wrongly
    decoded. `empty` are texts that occur only on pages without results.
    """

    ending: Ending = WHOLE_PAGE
    denials: int = 0
    garbled: float = 0.0
    empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Rules to extract the records from all pages of a website that have one template.

    `areas` has the rules for each list of a page. `fields` are the names and kinds of
    the values, in output order. `patterns` are pairs of a name and a regular
    expression. In a regular expression, `{name}` stands for the regular expression with
    this name. Each expression in `frame` selects, on every page, an element outside of
    the lists, such as `<header>`. `keys` are the keys of a record in output order, or
    () for all keys.

    `firsts` maps fields of dates to "day" or "month", the part that comes first in a
    date. `dollars` maps fields to the currency that "$" means, or to "" if the currency
    is unknown. If `dollars` lacks a field, "$" means USD. `constants` are values that
    all records have, by key. `renamed` has a pair of names for each renamed field: the
    name that a person chose, and the name in the wrapper when it was induced.

    `next_page` selects the link to the next page. `urls` is a regular expression for
    the addresses of the template's pages, "" if unknown. `signs` has features of the
    sample pages, or is None in a wrapper by an older version or another tool. If
    `joins_cents`, cents in elements of their own are moved to the amounts before them
    before a page is read.
    """

    domain: str
    samples: tuple[Sample, ...]
    fields: tuple[tuple[str, ValueKind], ...]
    patterns: tuple[tuple[str, str], ...]
    areas: tuple[AreaRule, ...]
    frame: tuple[Path, ...] = ()
    keys: tuple[str, ...] = ()
    firsts: tuple[tuple[str, str], ...] = ()
    dollars: tuple[tuple[str, str], ...] = ()
    constants: tuple[tuple[str, Constant], ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    next_page: Path | Pinned | None = None
    urls: str = ""
    signs: Signs | None = None
    joins_cents: bool = False

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
    """Raise RuleError for an inconsistent rule for an area (a list on the page).

    A rule is inconsistent if expressions are missing, or if `span` or `least` is below
    1. A rule is also inconsistent if it names an unknown field, family of expressions,
    row or pattern. `kinds` are the fields with their kinds of values. `patterns` are
    the regular expressions by name.
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
    """Return the groups of XPath expressions with the given families, in their order.

    A family is the feature that a group rests on, for example "class". `alternatives`
    are the groups for the same records or for the same field. If `families` is None,
    return only the first group.
    """
    if families is None:
        return alternatives[:1]
    by_family = {alternative.family: alternative for alternative in alternatives}
    return tuple(by_family[family] for family in families)
