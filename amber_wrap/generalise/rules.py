"""From extraction typings to page-free rules, and to the wrapper that holds them.

Each expression is chosen by what it does on the samples: it must select what the
typing says, and of those that do so equally well the cheapest is taken.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.cuts import Cut, part_pattern
from amber_wrap.analysis.typing import AreaTyping, Attribute, ExtractionTyping, Record
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.gazetteer_file import whole_words
from amber_wrap.domain.pattern_file import closure, gazetteer_pattern
from amber_wrap.domain.schema import Domain
from amber_wrap.generalise.candidates import (
    DOCUMENT,
    TOKEN_COST,
    Candidate,
    Vocabulary,
    paths,
)
from amber_wrap.generalise.fields import TypedRecord, field_rule, spread
from amber_wrap.wrapper.interpret import Patterns
from amber_wrap.wrapper.ir import AreaRule, Place, Sample, Wrapper
from amber_wrap.wrapper.xpath import Every, Holds, Path, Step, Test

MAX_TERMS = 300
"""The longest gazetteer that a wrapper carries as a pattern."""
MAX_STARTS = 12
"""Records that the tests of a record expression are drawn from."""
ANYWHERE = "//body"
MISSED = 8
"""How many records beyond the typing are as bad as one that is missed: of the former
many are right, since what an analysis overlooks looks like a record all the same."""
MAX_HELD = 24
"""Paths into a record that are tried as such tests."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A sample page with its typing."""

    page: Page
    typing: ExtractionTyping


@dataclass(frozen=True, slots=True)
class Group:
    """The areas of one kind over all samples: one area rule comes of them."""

    members: tuple[tuple[Page, AreaTyping], ...]

    @property
    def size(self) -> int:
        """The number of attributes."""
        return sum(len(a) for _, area in self.members for a in area.attributes)

    @property
    def least(self) -> int:
        """Half of the values that the poorest record has: adverts have fewer."""
        counts = (
            sum(attribute.text is not None for attribute in found)
            for _, area in self.members
            for found in area.attributes
        )
        return max(1, min(counts) // 2)

    @property
    def span(self) -> int:
        """The number of siblings of the longest record."""
        return max(len(record.nodes) for _, record in self.records())

    def records(self) -> Iterator[tuple[Page, Record]]:
        """Each record with its page."""
        for page, area in self.members:
            for record in area.records:
                yield page, record

    def attributes(self) -> Iterator[tuple[Page, NodeId, tuple[Attribute, ...]]]:
        """The attributes of each record, with its page and start."""
        for page, area in self.members:
            for record, attributes in zip(area.records, area.attributes, strict=True):
                yield page, record.start, attributes

    def typed_records(self, name: str) -> Iterator[TypedRecord]:
        """Each record with its attribute of type `name`, if it has one."""
        for page, area in self.members:
            for record, attributes in zip(area.records, area.attributes, strict=True):
                found = (a for a in attributes if a.type == name)
                yield TypedRecord(page, record.nodes, next(found, None))


def generalise(
    typed: Sequence[Typed], samples: Sequence[Sample], domain: Domain
) -> Wrapper:
    """The wrapper that does on every page of the template what the typings say.

    `samples` name the pages of `typed`, in the same order.
    """
    vocabulary = Vocabulary(
        attribute.text
        for one in typed
        for area in one.typing.areas
        for attributes in area.attributes
        for attribute in attributes
        if attribute.text
    )
    patterns = value_patterns(domain) | _part_patterns(typed)
    pages = [one.page for one in typed]
    compiled = Patterns(patterns)
    rules = []
    for rank, group in enumerate(_groups(typed)):
        fields = tuple(
            rule
            for kind in domain.schema.types
            if (
                rule := field_rule(
                    kind, list(group.typed_records(kind.name)), compiled, vocabulary
                )
            )
        )
        root, record = expressions(group, pages, vocabulary)
        rules.append(
            AreaRule(
                name="results" if rank == 0 else f"results-{rank + 1}",
                places=(Place("class", root, record),),
                span=group.span,
                least=group.least,
                fields=fields,
            )
        )
    used = {
        locator.pattern
        for rule in rules
        for field in rule.fields
        for reading in field.readings
        for locator in reading.locators
        if locator.pattern
    }
    return Wrapper(
        domain=domain.name,
        samples=tuple(samples),
        fields=tuple((kind.name, kind.kind) for kind in domain.schema.types),
        patterns=tuple(closure(used, patterns).items()),
        areas=tuple(rules),
    )


def value_patterns(domain: Domain) -> dict[str, str]:
    """The recognisers that a wrapper can carry: patterns, and short gazetteers."""
    gazetteers = {
        gazetteer_pattern(name): whole_words(gazetteer)
        for name, gazetteer in domain.gazetteers.items()
        if len(gazetteer.terms) <= MAX_TERMS
    }
    return {**gazetteers, **domain.patterns}


def _part_patterns(typed: Iterable[Typed]) -> dict[str, str]:
    """The patterns that cut off what the typings do, on any sample."""
    cuts: dict[str, list[Cut]] = defaultdict(list)
    for one in typed:
        for area in one.typing.areas:
            for kind, cut in area.cuts.items():
                cuts[kind].append(cut)
    return {
        part_pattern(kind): Cut.union(found).pattern for kind, found in cuts.items()
    }


def _groups(typed: Sequence[Typed]) -> list[Group]:
    """Areas of the same kind together, the kind with the most attributes first."""
    groups: dict[tuple[object, ...], list[tuple[Page, AreaTyping]]] = defaultdict(list)
    # What the roots of one sample alone are marked with (`page-2`) is of that page.
    marks_of = [_marks(one) for one in typed if one.typing.areas]
    marks = frozenset[str]().union(*marks_of).intersection(*marks_of)
    for one in typed:
        for area in one.typing.areas:
            if area.records:
                groups[_kind(one.page, area, marks)].append((one.page, area))
    found = [Group(tuple(members)) for members in groups.values()]
    return sorted(found, key=lambda group: -group.size)


def _marks(typed: Typed) -> frozenset[str]:
    """The class tokens of a sample's area roots."""
    roots = (area.segmentation.area.root for area in typed.typing.areas)
    return frozenset(token for root in roots for token in typed.page.classes(root))


def _kind(page: Page, area: AreaTyping, marks: frozenset[str]) -> tuple[object, ...]:
    """What areas of one kind share: record length, way down to a record, marks."""
    start = area.records[0].start
    tags = []
    node = start
    while node >= 0:
        tags.append(page.tag[node])
        node = page.parent[node]
    root = area.segmentation.area.root
    return (
        area.segmentation.record_length,
        tuple(tags),
        marks.intersection(page.classes(root)),
    )


# --- data areas and records -----------------------------------------------------


def expressions(
    group: Group, pages: Sequence[Page], vocabulary: Vocabulary
) -> tuple[str, str]:
    """What selects the group's area, or the parents of its records; and the records.

    Records whose parents no expression tells from others are sought anywhere below the
    area's root, or on the page where that is as good: what isn't said can't be wrong.
    """
    near = _expressions(group, pages, vocabulary, deep=False)
    if not any(
        len(area.segmentation.area.record_parents) > 1 for _, area in group.members
    ):
        return near
    if group.span > 1 or not _wrong(group, pages, *near):
        return near
    root, record = _expressions(group, pages, vocabulary, deep=True)
    options = [(ANYWHERE, record), (root, record), near]
    return min(options, key=lambda option: _wrong(group, pages, *option))


def _expressions(
    group: Group, pages: Sequence[Page], vocabulary: Vocabulary, deep: bool
) -> tuple[str, str]:
    """The best expression of the contexts of records, and of records from there.

    The contexts are the areas' roots where `deep`, else the parents of records.
    """

    def contexts(area: AreaTyping) -> tuple[NodeId, ...]:
        found = area.segmentation.area
        return (found.root,) if deep else found.record_parents

    wanted: dict[int, set[NodeId]] = {id(page): set() for page in pages}
    for page, area in group.members:
        wanted[id(page)].update(contexts(area))

    def context_errors(candidate: Candidate) -> int:
        return sum(
            len(wanted[id(page)].symmetric_difference(page.select(str(candidate))))
            for page in pages
        )

    def record_errors(candidate: Candidate) -> int:
        return sum(
            _errors(page, [area], contexts(area), str(candidate))
            for page, area in group.members
        )

    page, area = group.members[0]
    roots = (
        candidate
        for context in contexts(area)
        for candidate in paths(page, DOCUMENT, context, vocabulary)
    )
    records = _start_paths(group, vocabulary, deep)
    return str(_best(roots, context_errors)), str(_best(records, record_errors))


def _wrong(group: Group, pages: Sequence[Page], root: str, record: str) -> int:
    """How far the starts that two expressions select are from the group's records."""
    wrong = 0
    for page in pages:
        areas = [area for own, area in group.members if own is page]
        wrong += _errors(page, areas, page.select(root), record)
    return wrong


def _errors(
    page: Page,
    areas: Iterable[AreaTyping],
    contexts: Iterable[NodeId],
    expression: str,
) -> int:
    """How far the starts that an expression selects are from the areas' records."""
    starts = {record.start for area in areas for record in area.records}
    selected = {
        start for context in contexts for start in page.select(expression, context)
    }
    return MISSED * len(starts - selected) + len(selected - starts)


def _start_paths(
    group: Group, vocabulary: Vocabulary, deep: bool
) -> Iterator[Candidate]:
    """Steps to a record start: by its own marks, then by what it holds.

    A mark is preferred to the bare tag: what it leaves out on another page, an advert
    between the records, is not on this one to be seen.
    """
    starts = [(page, record.start) for page, record in group.records()]
    tags = Counter(page.tag[start] for page, start in starts)
    tag = next(iter(tags)) if len(tags) == 1 else "*"
    marks = Counter(
        (test, cost)
        for page, start in starts
        for test, cost in vocabulary.tests(page, start)
    )
    # A mark that the page uses elsewhere, too, says less of what a record is.
    common = sorted(
        (mark for mark, count in marks.items() if count == len(starts)),
        key=lambda mark: (mark[1], _uses(starts[0][0], mark[0])),
    )
    for test, cost in common:
        yield Candidate(Path((Step(tag, (test,), deep),)), cost)
    yield Candidate(Path((Step(tag, (), deep),)), 2 * TOKEN_COST)
    for hold in _held(group, vocabulary):
        step = Step(tag, (Holds(str(hold)),), deep)
        yield Candidate(Path((step,)), 4 * TOKEN_COST + hold.cost)
        for test, cost in common:
            step = Step(tag, (test, Holds(str(hold))), deep)
            yield Candidate(Path((step,)), 4 * TOKEN_COST + cost + hold.cost)
    for offset in range(group.span if group.span > 1 else 0):
        step = Step(tag, (Every(group.span, offset),))
        yield Candidate(Path((step,)), 8 * TOKEN_COST)


def _held(group: Group, vocabulary: Vocabulary) -> Iterator[Candidate]:
    """Paths from record starts to their attributes, those of the most records first.

    A header row lacks what they lead to, and so does the second row of a record.
    """
    costs: dict[str, Candidate] = {}
    support: Counter[str] = Counter()
    for page, start, attributes in spread(list(group.attributes()), MAX_STARTS):
        nodes = {one.node for one in attributes if page.contains(start, one.node)}
        found = {
            str(path): path
            for node in nodes - {start}
            for path in paths(page, start, node, vocabulary)
        }
        support.update(found.keys())
        costs |= found
    for name, _ in support.most_common(MAX_HELD):
        yield costs[name]


def _uses(page: Page, test: Test) -> int:
    """The number of elements of a page that pass a test."""
    anywhere = Path((Step("*", (test,), deep=True),), absolute=True)
    return len(page.select(str(anywhere)))


def _best(
    candidates: Iterable[Candidate], errors: Callable[[Candidate], int]
) -> Candidate:
    """The candidate with the fewest errors, of equals the cheapest, then the first."""
    ranked = sorted(dict.fromkeys(candidates), key=lambda one: one.cost)
    best, fewest = ranked[0], errors(ranked[0])
    for candidate in ranked[1:]:
        if fewest == 0:
            break
        if (wrong := errors(candidate)) < fewest:
            best, fewest = candidate, wrong
    return best
