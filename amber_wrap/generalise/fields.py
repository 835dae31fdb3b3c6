"""Field rules: from the attributes of one type to an ensemble of ways to read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from math import inf
from typing import TypeVar

from amber_wrap.analysis.cuts import part_pattern
from amber_wrap.analysis.typing import Attribute
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType
from amber_wrap.embedded.markup import shows_value
from amber_wrap.generalise.candidates import Paths, chain_between
from amber_wrap.generalise.headings import expression
from amber_wrap.generalise.preferences import COSTS, POSITION, SHAPE, TAG, VETOED
from amber_wrap.generalise.vocabulary import Vocabulary
from amber_wrap.wrapper.evaluator import evaluate
from amber_wrap.wrapper.interpret import Patterns
from amber_wrap.wrapper.ir import FieldRule, Locator, Reading
from amber_wrap.wrapper.xpath import Path, Step

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
    patterns: Patterns,
    paths: Paths,
) -> FieldRule | None:
    """The readings of a type, best first, each of another family; None without any.

    Diversity is what survives: what a change of the site takes from one family, others
    still have.
    """
    pool = Pool(kind, spread(records, MAX_RECORDS), patterns)
    pool.fill(paths)
    first = pool.cover(pool.paths, MAX_LOCATORS, MAX_TRIED)
    if not first:
        return None
    pool.loosen()
    family = pool.family[first[0]]
    found = {family: first}
    least = AS_GOOD * pool.gain(first)
    loose = tuple(dict.fromkeys(pool.loosened.get(one, one) for one in first))
    if loose != first and pool.gain(loose) >= least:
        found[family + ANY_TAG] = loose
    used = set().union(*(pool.paths[one].quoted for one in first))
    by_family: dict[str, list[Locator]] = defaultdict(list)
    for locator in dict.fromkeys(pool.loosened.values()):
        by_family[pool.family[locator]].append(locator)
    for other in (one for one in COSTS if one in by_family and one not in VETOED):
        if len(found) == MAX_READINGS:
            break
        free = [
            one for one in by_family[other] if used.isdisjoint(pool.paths[one].quoted)
        ]
        locators = pool.cover(free, MAX_OTHERS, MAX_OTHERS_TRIED)
        if locators not in found.values() and pool.gain(locators) >= least:
            found[f"another {other}" if other == family else other] = locators
            used.update(*(pool.paths[one].quoted for one in locators))
    return FieldRule(kind.name, tuple(Reading(*one) for one in found.items()))


@dataclass(slots=True)
class Pool:
    """The locators that may read a type, and what each gives on the records.

    `loosened` has of those that many records share the one on elements of any tag at
    any depth: slower, and harder to break.
    """

    kind: AttributeType
    records: Sequence[TypedRecord]
    patterns: Patterns
    cost: dict[Locator, int] = field(default_factory=dict)
    family: dict[Locator, str] = field(default_factory=dict)
    readers: dict[Locator, set[int]] = field(default_factory=lambda: defaultdict(set))
    paths: dict[Locator, Path] = field(default_factory=dict)
    loosened: dict[Locator, Locator] = field(default_factory=dict)
    given: dict[Locator, list[str | None]] = field(default_factory=dict)

    def fill(self, paths: Paths) -> None:
        """Draw candidates from all records; those that are alike give the same."""
        alike: dict[tuple[object, ...], set[int]] = defaultdict(set)
        for i, record in enumerate(self.records):
            if record.text is not None:
                alike[self._look(record, paths)].add(i)
        for readers in alike.values():
            record = self.records[min(readers)]
            for path, locator, cost, family in self._locators(record, paths):
                self._add(path, locator, readers, cost, family)

    def _look(self, record: TypedRecord, paths: Paths) -> tuple[object, ...]:
        """What `_locators` looks at."""
        page, attribute = record.page, record.attribute
        assert attribute is not None
        node, row = attribute.node, _row(record, attribute)
        said = attribute.source, attribute.recogniser, row
        if row is None:
            return *said, expression(page, node)
        way = paths.way(page, record.rows[row], node)
        return *said, bool(page.child_elements(node)), *way

    def loosen(self) -> None:
        """Add the loosened twins of what reads enough of the records."""
        least = SHARED * sum(record.text is not None for record in self.records)
        for locator, path in list(self.paths.items()):
            readers = self.readers[locator]
            if len(readers) < least:
                continue
            cost, family, loose = self.cost[locator], self.family[locator], locator
            if family not in (TAG, POSITION):
                path = path.loosened()
                loose = Locator(str(path), locator.source, locator.pattern, locator.row)
            self.loosened[locator] = loose
            self._add(path, loose, readers, cost, family)

    def _add(
        self, path: Path, locator: Locator, readers: set[int], cost: int, family: str
    ) -> None:
        self.paths.setdefault(locator, path)
        self.readers[locator] |= readers
        if cost < self.cost.get(locator, cost + 1):
            self.cost[locator], self.family[locator] = cost, family

    def _locators(
        self, record: TypedRecord, paths: Paths
    ) -> Iterator[tuple[Path, Locator, int, str]]:
        """The locators of a record's attribute, with their paths, costs, families."""
        attribute = record.attribute
        if attribute is None or attribute.text is None:
            return
        page, node = record.page, attribute.node
        recogniser = attribute.recogniser
        known = recogniser in self.patterns and (
            not self.kind.whole or recogniser == part_pattern(self.kind.name)
        )
        pattern = recogniser if known else None
        row = _row(record, attribute)
        if row is None:
            yield Path(), Locator(expression(page, node)), COSTS[TAG], TAG
            return
        sources = [attribute.source]
        if attribute.source == TEXT and page.child_elements(node):
            sources.append(OWN_TEXT)
        found = paths.between(page, record.rows[row], node)
        if pattern and attribute.source in (TEXT, OWN_TEXT):
            yield Path(), Locator(".", TEXT, pattern, row), COSTS[SHAPE], SHAPE
        if pattern and attribute.source == TEXT:
            yield from self._above(
                page, record.rows[row], node, paths.vocabulary, pattern, row
            )
        for one in found:
            for cost, source in enumerate(sources, one.cost):
                locator = Locator(one.text, source, pattern, row)
                yield one.path, locator, cost, one.family

    def _above(
        self,
        page: Page,
        top: NodeId,
        node: NodeId,
        vocabulary: Vocabulary,
        pattern: str,
        row: int,
    ) -> Iterator[tuple[Path, Locator, int, str]]:
        """The same for marked elements around the value, which a pattern finds there.

        What is around a value keeps its name when the value's own tag is another.
        """
        for level, one in enumerate(
            chain_between(page, top, node)[-2 : -2 - ABOVE : -1]
        ):
            for mark in vocabulary.marks(page, one):
                path = Path((Step(page.tag[one], (mark.test,), deep=True),))
                locator = Locator(str(path), TEXT, pattern, row)
                yield path, locator, COSTS[mark.family] + 1 + level, mark.family

    def cover(
        self, locators: Iterable[Locator], most: int, tried: int
    ) -> tuple[Locator, ...]:
        """Up to `most` locators that together read the most attributes.

        Greedy: each is the one that gets most right and least wrong of the records that
        those before it gave no value for.
        """
        locators = list(locators)
        chosen: list[Locator] = []
        left = set(range(len(self.records)))
        while len(chosen) < most:
            promising = sorted(
                (one for one in locators if self.readers[one] & left),
                key=lambda one: (-len(self.readers[one] & left), self.cost[one]),
            )
            # The first, hence the cheapest, of equals.
            cheapest = sorted(promising[:tried], key=lambda one: self.cost[one])
            best = self._best(cheapest, left)
            if best is None or self._gain(best, left) <= 0:
                break
            chosen.append(best)
            left = {i for i in left if self._given(best)[i] is None}
        return tuple(chosen)

    def _best(self, locators: Iterable[Locator], left: Set[int]) -> Locator | None:
        """The locator with the most support, of equals the first."""
        typed = sum(self.records[i].text is not None for i in left)
        best, most = None, (-inf, -inf)
        for locator in locators:
            support = self._support(locator, left)
            if best is None or support > most:
                best, most = locator, support
            if most >= (1, typed):  # There is no more to gain.
                break
        return best

    def gain(self, locators: Iterable[Locator]) -> float:
        """What locators are worth, one after the other."""
        left, total = set(range(len(self.records))), 0.0
        for locator in locators:
            total += self._gain(locator, left)
            left = {i for i in left if self._given(locator)[i] is None}
        return total

    def _support(self, locator: Locator, left: Iterable[int]) -> tuple[float, float]:
        """What a locator is worth on the page where it is worth the least, and in all.

        What holds on every sample holds more likely on the next page of the template.
        """
        pages: dict[int, list[int]] = defaultdict(list)
        for i in left:
            pages[id(self.records[i].page)].append(i)
        shares = []
        for mine in pages.values():
            typed = sum(self.records[i].text is not None for i in mine)
            if typed:
                shares.append(self._gain(locator, mine) / typed)
        return min(shares, default=0.0), self._gain(locator, left)

    def _gain(self, locator: Locator, left: Iterable[int]) -> float:
        given = self._given(locator)
        return sum(
            _worth(self.kind, given[i], self.records[i].text)
            for i in left
            if given[i] is not None
        )

    def _given(self, locator: Locator) -> list[str | None]:
        if locator not in self.given:
            path = self.paths[locator]
            is_path = locator.xpath == str(path)  # What leads to headings is none.
            self.given[locator] = [
                self._read(locator, path if is_path else None, one)
                for one in self.records
            ]
        return self.given[locator]

    def _read(
        self, locator: Locator, path: Path | None, record: TypedRecord
    ) -> str | None:
        """What `embedded.reading.Reader` reads, on the columns of the page."""
        if locator.row >= len(record.rows):
            return None
        page, row = record.page, record.rows[locator.row]
        nodes = evaluate(page, path, row) if path else page.select(locator.xpath, row)
        for node in nodes:
            content = page.source_text(node, locator.source)
            if locator.pattern is None:
                shown = content if shows_value(content) else None
            else:
                shown = self.patterns.shown(locator.pattern, content)
            if shown:
                return shown
        return None


def _row(record: TypedRecord, attribute: Attribute) -> int | None:
    """The number of the row that an attribute is in; None if it is above them all."""
    for i, top in enumerate(record.rows):
        if record.page.contains(top, attribute.node):
            return i
    return None


def _worth(kind: AttributeType, given: str | None, typed: str | None) -> float:
    """What a value is worth: 1 if it is right."""
    if given == typed:
        return 1
    return BEYOND if kind.whole and typed is None else -1


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of the items: half of them the first, the others evenly spread.

    Evenly spread ones alone could miss every second row of a table, say.
    """
    head, rest = items[: most // 2], items[most // 2 :]
    step = max(1, -(-len(rest) // (most - most // 2)))
    return [*head, *rest[::step]]
