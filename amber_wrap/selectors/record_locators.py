"""Build alternative XPath expressions that select the records of a list.

Each alternative tests a different feature of the records, such as a class.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from itertools import chain
from math import inf

from amber_wrap.analysis.extraction_typing import AreaTyping
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import DOCUMENT, select_nodes, selector
from amber_wrap.engine.locators import record_starts_on_page
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.selectors.costs_and_limits import (
    COSTS,
    GENERATED,
    POSITION,
    SEARCH,
    TAG,
    weakest_family,
)
from amber_wrap.selectors.field_rules import ANY_TAG, spread
from amber_wrap.selectors.node_tests import FOLLOWS_ROW, ElementTest, NodeTests
from amber_wrap.selectors.path_generation import (
    PathCandidate,
    cheapest_first,
    least_multiple_step_cost,
)
from amber_wrap.selectors.record_landmarks import landmark_paths
from amber_wrap.selectors.step_numbers import StepNumbers
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.wrapper.ir import RecordLocator
from amber_wrap.wrapper.xpath import EveryNth, Path, PathExists, Step, Test

_WHOLE_PAGE = Path((Step("body", deep=True),), absolute=True)
"""The XPath expression for the `body`, within which the records of the whole page are
sought."""
_SAME_RANK = (0, 0, 0, 0)
"""The rank of all paths to records. A rank sorts paths of equal cost, so equal ranks
keep their order."""


def record_locators(
    group: AreaGroup,
    pages: Sequence[Page],
    all_starts: Mapping[Page, Set[NodeId]],
    paths: PathGenerator,
) -> tuple[tuple[RecordLocator, ...], Path | None]:
    """Return alternative XPath expressions for the records of similar lists, the best
    first, and a path to a landmark element.

    The landmark element occurs once in nearly each record. The path is None if there is
    none. `all_starts` has the first nodes of all known records.
    """
    first = _first_locator(group, pages, paths)
    starts = {page: set[NodeId]() for page in pages}
    for page, record in group.records():
        starts[page].add(record.start)

    # Most further nodes that the first locator selects are records, too.
    known = [
        (page, starts[page], record_starts_on_page(page, first) | all_starts[page])
        for page in pages
    ]
    landmarks, error_share = landmark_paths(group, known, paths)
    locators = {first.family: first}
    for locator in _alternatives(first, group, paths.node_tests, landmarks):
        if len(locators) == SEARCH.most_record_locators:
            break
        if locator.family not in locators and all(
            _selects_most(page, locator, own_starts, likely_starts, error_share)
            for page, own_starts, likely_starts in known
        ):
            locators[locator.family] = locator
    # A landmark path without tests also selects elements in adverts.
    with_tests = (path for path in landmarks.values() if path.quoted)
    return tuple(locators.values()), next(with_tests, None)


def _selects_most(
    page: Page,
    locator: RecordLocator,
    starts: Set[NodeId],
    likely_starts: Set[NodeId],
    error_share: float,
) -> bool:
    """Return whether an expression for records selects most of the known records, and
    few unknown nodes.

    `starts` has the first nodes of known records, and `likely_starts` those of possible
    records. The number of unknown nodes may be at most `error_share` (0 to 1) times the
    number of known records.
    """
    selected = record_starts_on_page(page, locator)
    unknown = selected - starts - likely_starts
    if len(unknown) > error_share * len(starts):
        return False
    return len(selected & starts) >= SEARCH.least_record_share * len(starts)


def _alternatives(
    first: RecordLocator,
    group: AreaGroup,
    node_tests: NodeTests,
    landmarks: Mapping[str, Path],
) -> Iterator[RecordLocator]:
    """Yield alternatives to the best expression for records, `first`.

    The alternatives search the whole page. `landmarks` has paths to elements that occur
    once in each record, by the kind of feature that they test.
    """
    first_steps = _path_of(first).steps
    tests = [
        test for test in _common_tests(group, node_tests) if test.family != GENERATED
    ]
    if not tests:
        name = f"{first.family}, anywhere"
        record = Path((replace(first_steps[0], deep=True), *first_steps[1:]))
        yield replace(first, family=name, root=_WHOLE_PAGE, record=record)
    tag = _common_tag(group)
    for test in tests:
        if any(test.predicate in step.tests for step in first_steps):
            name, step_tag = test.family + ANY_TAG, "*"
        else:
            name, step_tag = test.family, tag
        record = Path((Step(step_tag, (test.predicate,), deep=True),))
        yield RecordLocator(name, _WHOLE_PAGE, record)
    for name, path in landmarks.items():
        landmark = Path(tuple(replace(step, deep=True) for step in path.steps))
        if position := _ancestor_position(group, landmark):
            yield RecordLocator(f"around {name}", _WHOLE_PAGE, landmark, *position)
    for name, path in landmarks.items():
        holding = Step(tag, (PathExists(path.loosened()),), deep=True)
        yield RecordLocator(f"holding {name}", _WHOLE_PAGE, Path((holding,)))


def _path_of(locator: RecordLocator) -> Path:
    """Return the path that selects records.

    Raise ValueError if a person wrote the expression for the records.
    """
    if not isinstance(locator.record, Path):
        raise ValueError(f"no strategy can generalise {locator.record}")
    return locator.record


def _ancestor_position(group: AreaGroup, path: Path) -> tuple[int, str] | None:
    """Return the position of a record's first node among the ancestors of a landmark
    element.

    For example, (2, "li") is the second nearest `li` ancestor. Return None if no
    position is right for most landmark elements. `path` selects these elements.
    """
    starts = {(page, record.start) for page, record in group.records()}
    positions: Counter[tuple[int, str]] = Counter()
    total = 0
    for page in dict.fromkeys(page for page, _ in group.records()):
        for node in select_nodes(page, path):
            tags_between: Counter[str] = Counter()
            ancestor = page.parent[node]
            while ancestor >= 0 and (page, ancestor) not in starts:
                tags_between[page.tag[ancestor]] += 1
                ancestor = page.parent[ancestor]
            if ancestor >= 0:
                tag = page.tag[ancestor]
                total += 1
                positions[tags_between.total() + 1, "*"] += 1
                positions[tags_between[tag] + 1, tag] += 1
    for position, count in positions.most_common(1):
        if count >= SEARCH.least_record_share * total:
            return position
    return None


def _first_locator(
    group: AreaGroup, pages: Sequence[Page], paths: PathGenerator
) -> RecordLocator:
    """Return the best XPath expressions for the records of similar lists.

    The records are sought in the parents of records, in the whole list, or on the whole
    page.
    """

    def errors(locator: RecordLocator) -> int:
        return _locator_errors(group, pages, locator.root, _path_of(locator))

    by_parent = _locator(group, pages, paths, deep=False)
    if not any(
        len(area.segmentation.area.record_parents) > 1 for _, area in group.members
    ):
        return by_parent
    if group.span > 1 or errors(by_parent) == 0:
        return by_parent
    in_area = _locator(group, pages, paths, deep=True)
    on_page = replace(in_area, root=_WHOLE_PAGE)
    return min([on_page, in_area, by_parent], key=errors)


def _locator(
    group: AreaGroup, pages: Sequence[Page], paths: PathGenerator, deep: bool
) -> RecordLocator:
    """Return an expression for the containers of records, and an expression for the
    records in a container.

    A container is the root of a list if `deep` is true, else the parent of a record.
    """

    def contexts(area: AreaTyping) -> tuple[NodeId, ...]:
        segmented = area.segmentation.area
        return (segmented.root,) if deep else segmented.record_parents

    context_nodes: dict[Page, set[NodeId]] = {page: set() for page in pages}
    for page, area in group.members:
        context_nodes[page].update(contexts(area))

    def context_errors(path: Path) -> int:
        return sum(
            len(context_nodes[page].symmetric_difference(select_nodes(page, path)))
            for page in pages
        )

    def record_errors(path: Path) -> int:
        return sum(
            _selection_errors([area], _selected(page, contexts(area), path))
            for page, area in group.members
        )

    page, area = group.members[0]
    one_step_paths = (
        path for node in contexts(area) for path in paths.in_one_step(page, node)
    )
    all_paths = (
        path for node in contexts(area) for path in paths.between(page, DOCUMENT, node)
    )
    root_paths = cheapest_first(one_step_paths, all_paths, least_multiple_step_cost())
    root, _ = _best(root_paths, paths, context_errors)
    record, family = _best(_start_paths(group, paths, deep), paths, record_errors)
    return RecordLocator(family, root, record)


def _locator_errors(
    group: AreaGroup, pages: Sequence[Page], root: Path, record: Path
) -> int:
    """Return the weighted number of errors that two expressions make on the sample
    pages.

    `root` selects the containers of records, and `record` selects the records in a
    container. Errors are missed records and wrongly selected nodes.
    """
    return sum(
        _selection_errors(
            [area for area_page, area in group.members if area_page is page],
            _selected(page, select_nodes(page, root), record),
        )
        for page in pages
    )


def _selection_errors(areas: Iterable[AreaTyping], selected: Set[NodeId]) -> int:
    """Return the weighted number of wrongly selected nodes and of missed records.

    A wrongly selected node is no record.
    """
    starts = {record.start for area in areas for record in area.records}
    return SEARCH.extra_per_missed * len(starts - selected) + len(selected - starts)


def _selected(page: Page, contexts: Iterable[NodeId], path: Path) -> Set[NodeId]:
    """Return the nodes that a path selects from any of the elements `contexts`."""
    select = selector(page, path)
    return {start for context in contexts for start in select(context)}


def _start_paths(
    group: AreaGroup, paths: PathGenerator, deep: bool
) -> Iterator[PathCandidate]:
    """Yield candidate paths to the first node of a record.

    If `deep` is true, the paths select nodes at any depth.
    """
    tag, tests = _common_tag(group), _common_tests(group, paths.node_tests)
    order_tests = [ElementTest(FOLLOWS_ROW, POSITION)] if tag == "tr" else []

    def start_path(cost: int, family: str, *step_tests: Test) -> PathCandidate:
        step_number = paths.numbering.number(Step(tag, step_tests, deep))
        return PathCandidate((step_number,), cost, family, _SAME_RANK)

    by_start = [
        start_path(COSTS[test.family], test.family, test.predicate)
        for test in (*tests, *order_tests)
    ]
    by_start.append(start_path(COSTS[TAG], TAG))

    def by_contents_or_position() -> Iterator[PathCandidate]:
        for path in _paths_to_attributes(group, paths):
            has_attribute = PathExists(paths.numbering.path(path.steps))
            cost = 2 * COSTS[TAG] + path.cost
            yield start_path(cost, path.family, has_attribute)
            for test in tests or order_tests:
                family = weakest_family(test.family, path.family)
                both_cost = cost + COSTS[test.family]
                yield start_path(both_cost, family, test.predicate, has_attribute)
        for offset in range(group.span if group.span > 1 else 0):
            yield start_path(COSTS[POSITION], POSITION, EveryNth(group.span, offset))

    least = min(COSTS[POSITION], 2 * COSTS[TAG] + min(COSTS.values()))
    return cheapest_first(by_start, chain(by_start, by_contents_or_position()), least)


def _common_tag(group: AreaGroup) -> str:
    """Return the common tag of the records' first nodes, or `*` if the tags differ."""
    tags = {page.tag[record.start] for page, record in group.records()}
    return next(iter(tags)) if len(tags) == 1 else "*"


def _common_tests(group: AreaGroup, node_tests: NodeTests) -> list[ElementTest]:
    """Return the tests that the first nodes of all records pass, the cheapest first.

    Tests of equal cost are sorted by the number of elements on the first page that pass
    them, the smallest number first.
    """
    starts = [(page, record.start) for page, record in group.records()]
    counts = Counter(
        test for page, start in starts for test in node_tests.own_tests(page, start)
    )

    def cost_and_count(test: ElementTest) -> tuple[int, int]:
        anywhere = Path((Step("*", (test.predicate,), deep=True),), absolute=True)
        return COSTS[test.family], len(select_nodes(starts[0][0], anywhere))

    common = [test for test, count in counts.items() if count == len(starts)]
    return sorted(common, key=cost_and_count)


def _paths_to_attributes(
    group: AreaGroup, paths: PathGenerator
) -> Iterator[PathCandidate]:
    """Yield paths from a record's first node to its values.

    A path that leads to values in more records comes earlier.
    """
    path_of: dict[StepNumbers, PathCandidate] = {}
    record_counts: Counter[StepNumbers] = Counter()
    records = spread(list(group.attributes()), SEARCH.most_test_records)
    for page, start, attributes in records:
        nodes = {one.node for one in attributes if page.contains(start, one.node)}
        record_paths = {
            path.steps: path
            for node in nodes - {start}
            for path in paths.between(page, start, node)
        }
        record_counts.update(record_paths.keys())
        path_of |= record_paths
    for steps, _ in record_counts.most_common(SEARCH.most_record_tests):
        yield path_of[steps]


def _best(
    candidates: Iterable[PathCandidate],
    paths: PathGenerator,
    errors: Callable[[Path], int],
) -> tuple[Path, str]:
    """Return the path with the fewest errors, and the kind of feature that it tests.

    Return the path without steps if there are no candidates.
    """
    best, fewest = (Path(), TAG), inf
    for candidate in candidates:
        path = paths.numbering.path(candidate.steps)
        if (error_count := errors(path)) < fewest:
            best, fewest = (path, candidate.family), error_count
        if fewest == 0:
            break
    return best
