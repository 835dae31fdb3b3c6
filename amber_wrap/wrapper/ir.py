"""The wrapper: page-free rules, the compiler's intermediate representation.

How a wrapper is read is in `engine`: records and values in `reading`, which of several
ways to them is taken in `ensemble`, what they should be like in `contract`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from amber_wrap.dom.ending import WHOLE_PAGE, Ending
from amber_wrap.dom.page import TEXT
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.wrapper.xpath import Expression, Path, Pinned, node_test

FORMAT = 4
"""The number of this representation: a wrapper of another number isn't read."""
PINNED = "pinned"
"""The family of what a person wrote instead of what induction would choose."""
Constant = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Locator:
    """One way to a value: `xpath` is relative to the record's row number `row`.

    `source` is one of `dom.markup.read_node`; `pattern` names one of the
    wrapper's patterns, None takes the text as it is.
    """

    xpath: Expression
    source: str = TEXT
    pattern: str | None = None
    row: int = 0


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One way to the values of a field; `family` says what its expressions rest on.

    Records differ in layout: of each the first locator that gives a value counts.
    """

    family: str
    locators: tuple[Locator, ...]


@dataclass(frozen=True, slots=True)
class FieldRule:
    """How one attribute type is read from a record: an ensemble of ways, best first."""

    name: str
    readings: tuple[FieldReading, ...]

    @property
    def is_of_page(self) -> bool:
        """Whether its value is the page's: it doesn't tell a record from an advert."""
        xpath = self.readings[0].locators[0].xpath
        return isinstance(xpath, Pinned) and xpath.is_of_page


@dataclass(frozen=True, slots=True)
class RecordLocator:
    """One way to the records of an area: its roots, and from there their starts.

    With `climb` a record starts so many elements above what `record` selects, counting
    those that have `tag`.
    """

    family: str
    root: Path
    record: Path | Pinned
    climb: int = 0
    tag: str = "*"

    @property
    def rise(self) -> str:
        """The steps from what `record` selects to the start, as XPath."""
        if self.tag == "*":
            return "/.." * self.climb
        return f"/ancestor::{node_test(self.tag)}[{self.climb}]"


@dataclass(frozen=True, slots=True)
class Contract:
    """What the records of an area were like on the samples.

    `records` are the least and the most on a page, `alone` is the share of what looks
    like a record that is one; `fill`, `distinct` and `recognised` are lower bounds of
    shares, by field, and `whole` is that of the share of records that have a value of
    each regular field; `agreement` is the share of records that no other reading of the
    field contradicts; `shapes` are those of a field's values; `order` are the fields as
    they follow one another in a record.  `varied` are the fields whose displayed values
    differ.  `beside` is how many elements outside of the records look like some, and
    `claimed` how often annotators claim a type there; `unread` is, by field, how much a
    record shows besides, in the mean, that is shaped like its values.
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


@dataclass(frozen=True, slots=True)
class AreaRule:
    """One kind of data area: an ensemble of ways to its records, and what these hold.

    What holds fewer than `least` values, an advert say, is no record.  `witness`
    selects one element in each record and none beside them.  `followed` are by field
    the families of the readings that values are taken from, the first that has one in a
    record; by "" those of the places whose records are put together.  What isn't in it
    is read in the first way.
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
        """The places whose records are put together."""
        return _chosen(self.places, self.followed.get(""))

    def followed_readings(self, rule: FieldRule) -> tuple[FieldReading, ...]:
        """The readings of a field that values are taken from, in turn."""
        return _chosen(rule.readings, self.followed.get(rule.name))

    @property
    def patterns(self) -> frozenset[str]:
        """The patterns that its fields are read through."""
        return frozenset(
            locator.pattern
            for field in self.fields
            for reading in field.readings
            for locator in reading.locators
            if locator.pattern
        )


@dataclass(frozen=True, slots=True)
class Sample:
    """A page that the wrapper was induced from: its file name and SHA-256 (hex)."""

    name: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Signs:
    """What tells whether a page is one of the template, and all of it is there.

    `ending` is how the samples end, that with most left open; `denials` are the texts
    around their lists that say that there are no results, though there are; `garbled`
    is the share of their signs beyond ASCII that a wrong decoding may have made.
    `empty` are texts of pages that a person gave as having no results, which no sample
    has.
    """

    ending: Ending = WHOLE_PAGE
    denials: int = 0
    garbled: float = 0.0
    empty: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wrapper:
    """All that induction knows of a template.

    `fields` are the attribute types of the records with their kinds, in output order;
    `patterns` are (name, regular expression) pairs, sorted by name; in them `{name}`
    stands for another one.  `frame` are expressions that select something around the
    lists of every page of the template, also of one without results.  `keys` are those
    of a record in output order, () for all that its fields may have; `firsts` say what
    the dates of a field begin with, "day" or "month"; `dollars` whose "$" is in the
    amounts of a field, "" where nobody knows, if it isn't that of the United States.
    `constants` are values that every record has, by key; `renamed` says what fields are
    called in the domain, or were by induction, if a person calls them otherwise.
    `next_page` selects the link to the next page, if there is one; `urls` is a regular
    expression that is found in the addresses of its pages, "" where nobody gave one.
    `signs` are None where the wrapper is by an older version, or by another tool.
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

    def __post_init__(self) -> None:
        for name, kind in self.fields:
            AttributeType(name, kind)
        names, patterns = dict(self.fields), dict(self.patterns)
        if len({area.name for area in self.areas}) < len(self.areas):
            raise ValueError("two areas have one name")
        for area in self.areas:
            if area.span < 1:
                raise ValueError(f"area {area.name!r}: a record spans at least one row")
            if not area.places:
                raise ValueError(f"area {area.name!r}: no way to its records")
            if area.least < 1:
                raise ValueError(f"area {area.name!r}: a record has at least one value")
            ways = {rule.name: rule.readings for rule in area.fields}
            for name, families in area.followed.items():
                there = {
                    one.family for one in ways.get(name, () if name else area.places)
                }
                if not families or not there.issuperset(families):
                    raise ValueError(f"area {area.name!r}: no such ways of {name!r}")
            for rule in area.fields:
                if rule.name not in names:
                    raise ValueError(f"area {area.name!r}: no field {rule.name!r}")
                if not (rule.readings and all(one.locators for one in rule.readings)):
                    raise ValueError(f"field {rule.name!r}: no way to its values")
                for locator in (one for way in rule.readings for one in way.locators):
                    if locator.pattern is not None and locator.pattern not in patterns:
                        raise ValueError(
                            f"field {rule.name!r}: no pattern {locator.pattern!r}"
                        )
                    if not 0 <= locator.row < area.span:
                        raise ValueError(f"field {rule.name!r}: no row {locator.row}")


Way = TypeVar("Way", RecordLocator, FieldReading)


def _chosen(ways: tuple[Way, ...], families: Iterable[str] | None) -> tuple[Way, ...]:
    """The ways of these families, in their order; the first way without any."""
    if families is None:
        return ways[:1]
    by_family = {one.family: one for one in ways}
    return tuple(by_family[one] for one in families)


def dump(wrapper: Wrapper) -> str:
    """The wrapper as text for people: one line per expression."""
    lines = [f"wrapper for {wrapper.domain}, from {len(wrapper.samples)} sample(s)"]
    for area in wrapper.areas:
        rows = "" if area.span == 1 else f", {area.span} rows each"
        lines.append(f"area {area.name}{rows}")
        for place in area.places:
            lines.append(
                f"  {place.family:14} {place.root}  {place.record}{place.rise}"
            )
        for rule in area.fields:
            lines.append(f"  {rule.name}")
            for reading in rule.readings:
                for locator in reading.locators:
                    row = f" in row {locator.row}" if locator.row else ""
                    pattern = f" ~ {locator.pattern}" if locator.pattern else ""
                    lines.append(
                        f"    {reading.family:14} {locator.xpath} {locator.source}"
                        f"{row}{pattern}"
                    )
    if wrapper.next_page:
        lines.append(f"next page {wrapper.next_page}")
    return "\n".join(lines) + "\n"
