"""Find the XPath expressions that read the values of a type, such as price, from
records.

Expressions are generated from single records, then tried on all records.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import partial, reduce
from itertools import groupby
from math import inf
from operator import attrgetter, itemgetter, or_
from typing import NamedTuple

from amber_wrap.analysis.attribute_choice import part_pattern
from amber_wrap.cache import cached_method
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType
from amber_wrap.engine.evaluator import selector
from amber_wrap.engine.locators import PageValueReader
from amber_wrap.selectors.area_groups import TypedRecord
from amber_wrap.selectors.costs_and_limits import COSTS, POSITION, SEARCH, SHAPE, TAG
from amber_wrap.selectors.locator_outcome import (
    CandidateOrder,
    LocatorCandidate,
    LocatorOutcome,
    ReadingMode,
    RecordSet,
)
from amber_wrap.selectors.path_generation import PathCandidate, PathPart, Rank
from amber_wrap.selectors.step_numbers import StepNumbers
from amber_wrap.selectors.xpath_candidates import ChainKey, PathGenerator
from amber_wrap.wrapper.ir import Locator
from amber_wrap.wrapper.xpath import Expression, Heading

_PathsAndModes = tuple[PathPart, tuple[ReadingMode, ...]]
"""Paths to the element of a value, and ways to read the value there, such as from an
HTML attribute."""


class _AttributeFeatures(NamedTuple):
    """The features of a value's element that determine which XPath expressions are
    generated.
    """

    chain_key: ChainKey
    """The features of the elements from the record's top node down to the value."""
    mode: ReadingMode
    has_children: bool
    """Whether the value is the text of an element with child elements."""


PathEnds = tuple[Page, NodeId, NodeId]
"""A page, a top node of a record, and the element within it that holds a value."""
_CandidateByPath = dict[StepNumbers | Heading, "LocatorCandidate"]
FIRST_RANK: Rank = (-3, 0, 0, 0)
_WHOLE_ROW = PathPart([PathCandidate((), COSTS[SHAPE], SHAPE, FIRST_RANK)])
"""The path to a top node of a record, for values that a regular expression finds in its
text."""


class LocatorPool:
    """Candidates for XPath expressions that read the values of one type, such as price.

    The pool has the results of trying the candidates on records.
    """

    def __init__(
        self,
        kind: AttributeType,
        records: Sequence[TypedRecord],
        readout: PageValueReader,
        paths: PathGenerator,
    ) -> None:
        self.candidates: list[LocatorCandidate] = []
        self._kind, self._records = kind, records
        self._readout, self._paths = readout, paths
        self._by_mode: dict[ReadingMode, _CandidateByPath] = defaultdict(dict)
        self._may_lack_values = kind.whole and kind.is_recognised
        self.outcome = cached_method(self._try)
        self._all: RecordSet = (1 << len(records)) - 1
        self._with_value: RecordSet = 0
        self._by_page: dict[Page, RecordSet] = defaultdict(int)
        for index, record in enumerate(records):
            if record.text is not None:
                self._with_value |= 1 << index
            self._by_page[record.page] |= 1 << index

    def fill(self) -> None:
        """Add XPath expressions for the values of all records, each only once."""
        records_of: dict[_AttributeFeatures, RecordSet] = defaultdict(int)
        ends_of: dict[_AttributeFeatures, PathEnds] = {}
        for index, record in enumerate(self._records):
            if found := self._features_and_ends(index, record):
                features, ends = found
                records_of[features] |= 1 << index
                ends_of.setdefault(features, ends)
        origins_of: dict[_PathsAndModes, RecordSet] = defaultdict(int)
        for features, records in records_of.items():
            for part_and_modes in self._paths_and_modes(features, ends_of[features]):
                origins_of[part_and_modes] |= records
        for (part, modes), origins in origins_of.items():
            first_record = (origins & -origins).bit_length() - 1
            for mode_index, mode in enumerate(modes):
                for steps, path_cost, family, rank in part.candidates:
                    order = first_record, rank, mode_index
                    cost = path_cost + mode_index
                    self._add(steps, mode, origins, cost, family, order)
        self.candidates.sort(key=attrgetter("order"))

    def _features_and_ends(
        self, index: int, record: TypedRecord
    ) -> tuple[_AttributeFeatures, PathEnds] | None:
        """Return the features of a record's value, and the elements between which paths
        to the value lead.

        Return None if the record lacks the value. Also return None for a heading above
        the record, and add the heading to the pool.
        """
        page, attribute = record.page, record.attribute
        if attribute is None or attribute.text is None:
            return None
        node, row_index = attribute.node, record.row_of(attribute)
        if row_index is None:
            heading, mode = Heading(page.tag[node]), ReadingMode(TEXT, None, 0)
            order = index, FIRST_RANK, 0
            self._add(heading, mode, 1 << index, COSTS[TAG], TAG, order)
            return None
        pattern: str | None = attribute.recogniser
        if pattern not in self._readout.patterns or (
            self._kind.whole and pattern != part_pattern(self._kind.name)
        ):
            pattern = None
        mode = ReadingMode(attribute.source, pattern, row_index)
        has_children = mode.source == TEXT and bool(page.child_elements(node))
        row = record.rows[row_index]
        chain_key = self._paths.chain_key(page, row, node)
        return _AttributeFeatures(chain_key, mode, has_children), (page, row, node)

    def _paths_and_modes(
        self, features: _AttributeFeatures, ends: PathEnds
    ) -> Iterator[_PathsAndModes]:
        """Yield groups of paths to a record's value, each with the ways to read the
        value there.

        The ways to read the value are sorted by their costs, the cheapest first.
        """
        chain_key, mode, has_children = features
        page, row, node = ends
        as_text = (ReadingMode(TEXT, mode.pattern, mode.row),)
        if mode.pattern and mode.source in (TEXT, OWN_TEXT):
            yield _WHOLE_ROW, as_text
        if mode.pattern and mode.source == TEXT:
            yield self._paths.around(page, row, node, chain_key), as_text
        modes: tuple[ReadingMode, ...] = (mode,)
        if has_children:
            # A part pattern removes a label, which may already be in a child element.
            is_part = mode.pattern == part_pattern(self._kind.name)
            for pattern in (None, mode.pattern) if is_part else (mode.pattern,):
                modes += (ReadingMode(OWN_TEXT, pattern, mode.row),)
        for part in self._paths.parts(page, row, node, chain_key):
            yield part, modes

    def loosen(self) -> dict[LocatorCandidate, LocatorCandidate]:
        """Add looser copies of expressions to the pool, and return the copy of each
        expression.

        A copy selects elements with any tag at any depth. An expression that tests only
        tags or positions is its own copy. Expressions from few records are left out.
        """
        least_origins = SEARCH.least_origin_share * self._with_value.bit_count()
        copies = {}
        for original in list(self.candidates):
            origins, path, family = original.origins, original.path, original.family
            if origins.bit_count() < least_origins:
                continue
            if family not in (TAG, POSITION) and not isinstance(path, Heading):
                path = self._paths.numbering.loosened(path)
            last = len(self._records), FIRST_RANK, len(self.candidates)
            mode, cost = original.mode, original.cost
            copies[original] = self._add(path, mode, origins, cost, family, last)
        return copies

    def _add(
        self,
        path: StepNumbers | Heading,
        mode: ReadingMode,
        origins: RecordSet,
        cost: int,
        family: str,
        order: CandidateOrder,
    ) -> LocatorCandidate:
        """Add an XPath expression to the pool, and return the candidate.

        If the pool already has the expression, add `origins` to its records, and keep
        the lower cost. `mode` says how to read the value from the selected element.
        """
        by_path = self._by_mode[mode]
        if (known := by_path.get(path)) is None:
            added = LocatorCandidate(path, mode, cost, family, origins, order)
            by_path[path] = added
            self.candidates.append(added)
            return added
        known.origins |= origins
        if cost < known.cost:
            known.cost, known.family = cost, family
        return known

    def cover(
        self, locators: Iterable[LocatorCandidate], most: int, batch_size: int
    ) -> tuple[LocatorCandidate, ...]:
        """Return up to `most` XPath expressions that together read many values.

        Each expression is the best for the records in which the earlier ones read no
        value.
        """
        locators = list(locators)
        chosen: list[LocatorCandidate] = []
        unread = self._all
        while len(chosen) < most and (
            best := self._best_with_gain(locators, unread, batch_size)
        ):
            chosen.append(best)
            unread &= ~self.outcome(best).read
        return tuple(chosen)

    def _best_with_gain(
        self, locators: Sequence[LocatorCandidate], records: RecordSet, batch_size: int
    ) -> LocatorCandidate | None:
        """Return the XPath expression that reads the values of `records` best.

        Return None if no expression reads more right than wrong values.
        """
        best = None
        promising = sorted(
            (-origins.bit_count(), locator.cost, index)
            for index, locator in enumerate(locators)
            if (origins := locator.origins & records)
        )
        for start in range(0, len(promising), batch_size):
            # Of locators with equal support the cheapest is taken.
            batch = sorted(promising[start : start + batch_size], key=itemgetter(1))
            tried = [locators[index] for *_, index in batch]
            best = self._best([best, *tried] if best else tried, records)
            if best and self.outcome(best).gain(records) <= 0:
                best = None
            if best and self.outcome(best).is_good(records):
                break
        return best

    def _best(
        self, locators: Iterable[LocatorCandidate], records: RecordSet
    ) -> LocatorCandidate | None:
        """Return the best XPath expression for `records`, or None if there are none.

        The best expression has the greatest gain per value on its worst page. A gain is
        the number of right minus the number of wrong values. The total gain decides
        between equal expressions.
        """
        value_count = (self._with_value & records).bit_count()
        best, most_support = None, (-inf, -inf)
        for locator in locators:
            support = self._support(locator, records)
            if best is None or support > most_support:
                best, most_support = locator, support
            if most_support >= (1, value_count):  # No locator can gain more.
                break
        return best

    def gain(self, locators: Iterable[LocatorCandidate]) -> float:
        """Return the number of right minus the number of wrong values that are read.

        Each XPath expression is applied only to the records in which the earlier
        expressions read no value.
        """
        unread, total = self._all, 0.0
        for locator in locators:
            outcome = self.outcome(locator)
            total += outcome.gain(unread)
            unread &= ~outcome.read
        return total

    def _support(
        self, locator: LocatorCandidate, records: RecordSet
    ) -> tuple[float, float]:
        """Return an XPath expression's gain per value on its worst page, and its total
        gain.

        A gain is the number of right minus the number of wrong values in `records`.
        """
        outcome = self.outcome(locator)
        gain_per_value = [
            outcome.gain(on_page & records) / value_count
            for on_page in self._by_page.values()
            if (value_count := (self._with_value & on_page & records).bit_count())
        ]
        return min(gain_per_value, default=0.0), outcome.gain(records)

    def _try(self, locator: LocatorCandidate) -> LocatorOutcome:
        """Return the sets of records in which an XPath expression reads right and wrong
        values.
        """
        right = wrong = unknown = skipping = 0
        mode, bit = locator.mode, 1
        pattern = self._readout.patterns(mode.pattern) if mode.pattern else None
        is_bare = pattern is not None and pattern.search("1") is not None
        expression = self._expression(locator)
        for page, page_records in groupby(self._records, key=attrgetter("page")):
            records = list(page_records)
            rows = [
                record.rows[mode.row] if mode.row < len(record.rows) else None
                for record in records
            ]
            select = selector(page, expression)
            read = partial(self._readout.column, page, select, mode.source, rows=rows)
            values = read(mode.pattern)
            firsts = read(None) if is_bare else values
            for record, value, first in zip(records, values, firsts, strict=True):
                if value is None:
                    pass
                elif value == record.text:
                    right |= bit
                    if first != value or (
                        pattern
                        and not record.are_in_cell(
                            node
                            for node in select(record.rows[mode.row])
                            if pattern.search(page.source_text(node, mode.source))
                        )
                    ):
                        skipping |= bit
                elif self._may_lack_values and record.text is None:
                    unknown |= bit
                else:
                    wrong |= bit
                bit <<= 1
        return LocatorOutcome(right, wrong, unknown, skipping)

    def quoted_tests(self, locators: Iterable[LocatorCandidate]) -> int:
        """Return a bit set with a bit for each test of an id, class or text in the
        paths of `locators`.
        """
        paths = (locator.path for locator in locators)
        quoted = self._paths.numbering.quoted
        tests = (quoted(path) for path in paths if not isinstance(path, Heading))
        return reduce(or_, tests, 0)

    def stored_locator(self, candidate: LocatorCandidate) -> Locator:
        """Return the rule that reads a value by the XPath expression of a candidate."""
        return Locator(self._expression(candidate), *candidate.mode)

    def _expression(self, candidate: LocatorCandidate) -> Expression:
        """Return the XPath expression of a candidate."""
        path = candidate.path
        return path if isinstance(path, Heading) else self._paths.numbering.path(path)
