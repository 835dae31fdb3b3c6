"""Find XPath expressions that select landmark elements of records.

A landmark element occurs once in nearly each record and hardly anywhere else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import select_nodes
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.selectors.costs_and_limits import COSTS, ELEMENT, SEARCH, VETOED
from amber_wrap.selectors.field_rules import spread
from amber_wrap.selectors.path_generation import SEMANTIC_TAGS
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.wrapper.xpath import Path, Step

LandmarkStep = tuple[int, str]
"""The number of an XPath step, and the kind of feature that the step tests, such as
"class"."""


def landmark_paths(
    group: AreaGroup,
    known: Sequence[tuple[Page, Set[NodeId], Set[NodeId]]],
    paths: PathGenerator,
) -> tuple[dict[str, Path], float]:
    """Return a dict of XPath expressions for elements that occur once in nearly each
    record, and the share of errors (0 to 1) that is allowed.

    The keys of the dict are the kinds of features that the expressions test, such as
    "class". Without any such element, return {} and 0.0. `known` has, for each page,
    the first nodes of known records and of possible records.
    """
    candidates = list(_landmark_candidates(group, paths))
    for error_share in (0.0, SEARCH.most_landmark_errors):
        landmarks: dict[str, Path] = {}
        used_elements: set[tuple[Page, NodeId]] = set()
        for path, family, element in candidates:
            if element not in used_elements and all(
                _selects_one_per_record(page, starts, likely_starts, path, error_share)
                for page, starts, likely_starts in known
            ):
                used_elements.add(element)
                number = sum(name.startswith(family) for name in landmarks)
                landmarks[f"{family} {number + 1}" if number else family] = path
            if len(landmarks) == SEARCH.most_landmarks:
                break
        if landmarks:
            return landmarks, error_share
    return {}, 0.0


def _landmark_candidates(
    group: AreaGroup, paths: PathGenerator
) -> Iterator[tuple[Path, str, tuple[Page, NodeId]]]:
    """Yield XPath expressions for elements that may occur once in each record, the best
    first.

    Each expression comes with the kind of feature that it tests, such as "class", and
    with the first element that it selects.
    """
    first_elements: dict[LandmarkStep, tuple[Page, NodeId]] = {}
    records_with: dict[LandmarkStep, int] = defaultdict(int)
    records_with_several: dict[LandmarkStep, int] = defaultdict(int)
    records = spread(list(group.records()), SEARCH.most_test_records)
    for page, record in records:
        counts: dict[LandmarkStep, int] = defaultdict(int)
        for node in page.elements(record.start)[1:]:
            for step in _steps(page, node, paths):
                counts[step] += 1
                first_elements.setdefault(step, (page, node))
        for step, count in counts.items():
            records_with[step] += 1
            records_with_several[step] += count > 1

    def rank(step: LandmarkStep) -> tuple[object, ...]:
        number, family = step
        page, node = first_elements[step]
        return (
            records_with[step] < len(records),
            records_with_several[step],
            family == ELEMENT,
            COSTS[family],
            # An element without a text may be decoration.
            not page.text_length(node),
            str(paths.numbering.path((number,))),
        )

    frequent_steps = [
        step
        for step, count in records_with.items()
        if count >= SEARCH.least_record_share * len(records)
        and records_with_several[step] <= SEARCH.most_landmark_errors * len(records)
    ]
    for step in sorted(frequent_steps, key=rank)[: SEARCH.most_landmarks_tried]:
        number, family = step
        yield paths.numbering.path((number,)), family, first_elements[step]


def _steps(page: Page, node: NodeId, paths: PathGenerator) -> Iterator[LandmarkStep]:
    """Yield steps that select an element at any depth.

    A step comes with the kind of feature that it tests, such as "class".
    """
    for anchor in (*paths.own_anchors(page, node), *paths.link_anchors(page, node)):
        if anchor.family not in VETOED:
            yield anchor.step, anchor.family
    if page.tag[node] in SEMANTIC_TAGS:
        yield paths.numbering.number(Step(page.tag[node], deep=True)), ELEMENT


def _selects_one_per_record(
    page: Page,
    starts: Set[NodeId],
    likely_starts: Set[NodeId],
    path: Path,
    error_share: float,
) -> bool:
    """Return whether a path selects one node in most records, and few other nodes.

    `starts` has the first nodes of known records, and `likely_starts` those of possible
    records. Errors are nodes outside of records, and records with several nodes. The
    number of errors may be at most `error_share` (0 to 1) times the number of known
    records.
    """
    selected_in: dict[NodeId, int] = defaultdict(int)
    for node in select_nodes(page, path):
        start = node
        while start >= 0 and start not in starts and start not in likely_starts:
            start = page.parent[start]
        selected_in[start] += 1
    outside = selected_in.pop(-1, 0)
    with_several = sum(count > 1 for count in selected_in.values())
    if max(outside, with_several) > error_share * len(starts):
        return False
    return len(starts & selected_in.keys()) >= SEARCH.least_record_share * len(starts)
