"""Field rules: from the attributes of one type to an ensemble of ways to read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import inf
from typing import NamedTuple, TypeVar

from amber_wrap.analysis.cuts import part_pattern
from amber_wrap.analysis.typing import Attribute
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType
from amber_wrap.generalise.candidates import Paths, chain_between
from amber_wrap.generalise.headings import expression
from amber_wrap.generalise.numbering import Steps
from amber_wrap.generalise.preferences import COSTS, POSITION, SHAPE, TAG, VETOED
from amber_wrap.wrapper.evaluator import Select, printed_selector, selector
from amber_wrap.wrapper.ir import FieldRule, Locator, Reading
from amber_wrap.wrapper.readout import Readout

T = TypeVar("T")

BEYOND = -0.5
"""What a whole text is worth where the typing has none: no list is ever complete, it
may be a value all the same."""
MAX_LOCATORS, MAX_OTHERS = 4, 2
"""Locators that the first reading may have, and any other."""
MAX_READINGS = 5
MAX_TRIED, MAX_OTHERS_TRIED = 32, 8
"""Candidates that are tried for a reading, those of the most records first."""
MAX_RECORDS = 60
"""Records that candidates are drawn from and tried on."""
SHARED = 0.2
"""The share of the records that another reading's locator must be of."""
ABOVE = 3
"""Levels above a value on which a pattern may find it, too."""
AS_GOOD = 0.9
"""The share of what the first reading gains that another one must."""
ANY_TAG = ", any tag"
"""What a reading of the same family as the first, but on any tag, is called by."""


@dataclass(frozen=True, slots=True)
class TypedRecord:
    """A record's rows on its page, and its attribute of the type in question."""

    page: Page
    rows: tuple[NodeId, ...]
    attribute: Attribute | None

    @property
    def text(self) -> str | None:
        """The value that a locator should give."""
        return self.attribute.text if self.attribute else None


def field_rule(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    readout: Readout,
    paths: Paths,
) -> FieldRule | None:
    """The readings of a type, best first, each of another family; None without any.

    Diversity is what survives: what a change of the site takes from one family, others
    still have.
    """
    pool = Pool(kind, spread(records, MAX_RECORDS), readout, paths)
    pool.fill()
    first = pool.cover(pool.ways, MAX_LOCATORS, MAX_TRIED)
    if not first:
        return None
    loosened = pool.loosen()
    family = first[0].family
    found = {family: first}
    least = AS_GOOD * pool.gain(first)
    loose = tuple(dict.fromkeys(loosened.get(one, one) for one in first))
    if loose != first and pool.gain(loose) >= least:
        found[family + ANY_TAG] = loose
    used = pool.quoted(first)
    by_family: dict[str, list[Contender]] = defaultdict(list)
    for one in dict.fromkeys(loosened.values()):
        by_family[one.family].append(one)
    for other in (one for one in COSTS if one in by_family and one not in VETOED):
        if len(found) == MAX_READINGS:
            break
        free = [one for one in by_family[other] if not used & pool.quoted([one])]
        locators = pool.cover(free, MAX_OTHERS, MAX_OTHERS_TRIED)
        if locators not in found.values() and pool.gain(locators) >= least:
            found[f"another {other}" if other == family else other] = locators
            used |= pool.quoted(locators)
    return FieldRule(
        kind.name,
        tuple(
            Reading(name, tuple(map(pool.locator, chosen)))
            for name, chosen in found.items()
        ),
    )


class Manner(NamedTuple):
    """What is read of a selected element, and in which row of a record."""

    source: str
    pattern: str | None
    row: int


Records = int
"""A set of a pool's records, as bits: most of what is asked of one is how many."""


@dataclass(slots=True, eq=False)
class Contender:
    """A locator that may read a type: a path, or the way to a heading.

    `readers` are the records that it was drawn from.
    """

    way: Steps | str
    manner: Manner
    cost: int
    family: str
    readers: Records


class Outcome(NamedTuple):
    """On which records a locator is right, wrong, and gives what may be one more."""

    right: Records
    wrong: Records
    beyond: Records

    def gain(self, among: Records) -> float:
        """What it is worth on some of the records: 1 for each that it gets right."""
        right, wrong, beyond = ((some & among).bit_count() for some in self)
        return right - wrong + BEYOND * beyond

    @property
    def given(self) -> Records:
        """The records for which it gives a value."""
        return self.right | self.wrong | self.beyond


class Pool:
    """The locators that may read a type, and what each gives on the records."""

    def __init__(
        self,
        kind: AttributeType,
        records: Sequence[TypedRecord],
        readout: Readout,
        paths: Paths,
    ) -> None:
        self.kind, self.records = kind, records
        self.readout, self.paths = readout, paths
        self.ways: list[Contender] = []
        self._ways: dict[Manner, dict[Steps | str, Contender]] = defaultdict(dict)
        self._outcomes: dict[Contender, Outcome] = {}
        self._all: Records = (1 << len(records)) - 1
        self._typed: Records = 0
        self._by_page: dict[int, Records] = defaultdict(int)
        for i, record in enumerate(records):
            self._typed |= (record.text is not None) << i
            self._by_page[id(record.page)] |= 1 << i

    def fill(self) -> None:
        """Draw candidates from all records; those that are alike give the same."""
        alike: dict[tuple[object, ...], Records] = defaultdict(int)
        first: dict[tuple[object, ...], TypedRecord] = {}
        for i, record in enumerate(self.records):
            if record.text is not None:
                look = self._look(record)
                alike[look] |= 1 << i
                first.setdefault(look, record)
        for look, readers in alike.items():
            self._draw(first[look], readers)

    def _look(self, record: TypedRecord) -> tuple[object, ...]:
        """What `_draw` looks at."""
        page, attribute = record.page, record.attribute
        assert attribute is not None
        node, row = attribute.node, _row(record, attribute)
        said = attribute.source, attribute.recogniser, row
        if row is None:
            return *said, expression(page, node)
        way = self.paths.way(page, record.rows[row], node)
        return *said, bool(page.child_elements(node)), way

    def loosen(self) -> dict[Contender, Contender]:
        """Add to each locator that reads enough of the records the one on elements of
        any tag at any depth, if it is another: slower, and harder to break."""
        least = SHARED * self._typed.bit_count()
        found = {}
        for one in list(self.ways):
            if one.readers.bit_count() < least:
                continue
            way = one.way
            if one.family not in (TAG, POSITION) and not isinstance(way, str):
                way = self.paths.numbering.loosened(way)
            found[one] = self._add(way, one.manner, one.readers, one.cost, one.family)
        return found

    def _add(
        self,
        way: Steps | str,
        manner: Manner,
        readers: Records,
        cost: int,
        family: str,
    ) -> Contender:
        known = self._ways[manner]
        if (one := known.get(way)) is None:
            one = known[way] = Contender(way, manner, cost, family, readers)
            self.ways.append(one)
            return one
        one.readers |= readers
        if cost < one.cost:
            one.cost, one.family = cost, family
        return one

    def _draw(self, record: TypedRecord, readers: Records) -> None:
        """Add the locators of a record's attribute."""
        page, attribute = record.page, record.attribute
        assert attribute is not None
        node, recogniser = attribute.node, attribute.recogniser
        known = recogniser in self.readout.patterns and (
            not self.kind.whole or recogniser == part_pattern(self.kind.name)
        )
        pattern = recogniser if known else None
        row = _row(record, attribute)
        if row is None:
            heading = expression(page, node)
            self._add(heading, Manner(TEXT, None, 0), readers, COSTS[TAG], TAG)
            return
        manners = [Manner(attribute.source, pattern, row)]
        if attribute.source == TEXT and page.child_elements(node):
            manners.append(Manner(OWN_TEXT, pattern, row))
        displayed = Manner(TEXT, pattern, row)
        if pattern and attribute.source in (TEXT, OWN_TEXT):
            self._add((), displayed, readers, COSTS[SHAPE], SHAPE)
        if pattern and attribute.source == TEXT:
            for step, cost, family in self._above(page, record.rows[row], node):
                self._add((step,), displayed, readers, cost, family)
        for one in self.paths.between(page, record.rows[row], node):
            for cost, manner in enumerate(manners, one.cost):
                self._add(one.steps, manner, readers, cost, one.family)

    def _above(
        self, page: Page, top: NodeId, node: NodeId
    ) -> Iterator[tuple[int, int, str]]:
        """Steps to marked elements around the value, which a pattern finds there, with
        their costs and families.

        What is around a value keeps its name when the value's own tag is another.
        """
        for level, one in enumerate(
            chain_between(page, top, node)[-2 : -2 - ABOVE : -1]
        ):
            for mark in self.paths.marked(page, one):
                yield mark.step, mark.cost + 1 + level, mark.family

    def cover(
        self, locators: Iterable[Contender], most: int, tried: int
    ) -> tuple[Contender, ...]:
        """Up to `most` locators that together read the most attributes.

        Greedy: each is the one that gets most right and least wrong of the records that
        those before it gave no value for.
        """
        locators = list(locators)
        chosen: list[Contender] = []
        left = self._all
        while len(chosen) < most:
            promising = sorted(
                (one for one in locators if one.readers & left),
                key=lambda one: (-(one.readers & left).bit_count(), one.cost),
            )
            # The first, hence the cheapest, of equals.
            cheapest = sorted(promising[:tried], key=lambda one: one.cost)
            best = self._best(cheapest, left)
            if best is None or self.outcome(best).gain(left) <= 0:
                break
            chosen.append(best)
            left &= ~self.outcome(best).given
        return tuple(chosen)

    def _best(self, locators: Iterable[Contender], left: Records) -> Contender | None:
        """The locator with the most support, of equals the first."""
        typed = (self._typed & left).bit_count()
        best, most = None, (-inf, -inf)
        for locator in locators:
            support = self._support(locator, left)
            if best is None or support > most:
                best, most = locator, support
            if most >= (1, typed):  # There is no more to gain.
                break
        return best

    def gain(self, locators: Iterable[Contender]) -> float:
        """What locators are worth, one after the other."""
        left, total = self._all, 0.0
        for locator in locators:
            outcome = self.outcome(locator)
            total += outcome.gain(left)
            left &= ~outcome.given
        return total

    def _support(self, locator: Contender, left: Records) -> tuple[float, float]:
        """What a locator is worth on the page where it is worth the least, and in all.

        What holds on every sample holds more likely on the next page of the template.
        """
        outcome = self.outcome(locator)
        shares = [
            outcome.gain(mine & left) / typed
            for mine in self._by_page.values()
            if (typed := (self._typed & mine & left).bit_count())
        ]
        return min(shares, default=0.0), outcome.gain(left)

    def outcome(self, locator: Contender) -> Outcome:
        """What a locator does on all records."""
        if (found := self._outcomes.get(locator)) is None:
            found = self._outcomes[locator] = self._tried(locator)
        return found

    def _tried(self, locator: Contender) -> Outcome:
        right = wrong = beyond = 0
        manner, bit = locator.manner, 1
        for page, records in groupby(self.records, key=lambda one: one.page):
            mine = list(records)
            rows = (
                one.rows[manner.row] if manner.row < len(one.rows) else None
                for one in mine
            )
            select = self._select(page, locator)
            values = self.readout.column(
                page, select, manner.source, manner.pattern, rows
            )
            for record, value in zip(mine, values, strict=True):
                if value is None:
                    pass
                elif value == record.text:
                    right |= bit
                elif self.kind.whole and record.text is None:
                    beyond |= bit
                else:
                    wrong |= bit
                bit <<= 1
        return Outcome(right, wrong, beyond)

    def _select(self, page: Page, locator: Contender) -> Select:
        if isinstance(locator.way, str):
            return printed_selector(page, locator.way)
        return selector(page, self.paths.numbering.path(locator.way))

    def quoted(self, locators: Iterable[Contender]) -> int:
        """The set of the page's own names in locators, as bits."""
        found = 0
        for one in locators:
            if not isinstance(one.way, str):
                found |= self.paths.numbering.quoted(one.way)
        return found

    def locator(self, one: Contender) -> Locator:
        """The locator as it is written down."""
        way = one.way
        xpath = way if isinstance(way, str) else str(self.paths.numbering.path(way))
        return Locator(xpath, *one.manner)


def _row(record: TypedRecord, attribute: Attribute) -> int | None:
    """The number of the row that an attribute is in; None if it is above them all."""
    for i, top in enumerate(record.rows):
        if record.page.contains(top, attribute.node):
            return i
    return None


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of the items: half of them the first, the others evenly spread.

    Evenly spread ones alone could miss every second row of a table, say.
    """
    head, rest = items[: most // 2], items[most // 2 :]
    step = max(1, -(-len(rest) // (most - most // 2)))
    return [*head, *rest[::step]]
