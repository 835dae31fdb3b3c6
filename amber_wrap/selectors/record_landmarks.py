"""Witnesses: what stands once in each record, or most, and hardly anywhere else.

They tell records that an area rule leaves out, and lead to records whose own marks are
gone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.evaluator import select_nodes
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.field_rules import spread
from amber_wrap.selectors.robustness_costs import COSTS, ELEMENT, VETOED
from amber_wrap.selectors.xpath_candidates import Paths
from amber_wrap.selectors.xpath_shapes import ELEMENTS
from amber_wrap.wrapper.xpath import Path, Step

Sought = tuple[int, str]
"""The number of a step, and its family."""
MAX_LOOKED_AT = 12
"""Records in which marks are sought."""
MAX_TRIED = 40
MAX_WITNESSES = 3
MOST = 0.8
"""The share of the records that have a witness; a partner's card may look otherwise."""
_FEW = 0.1
"""As large a share of records may have two, or be none that is known, if nothing is
clean: an analysis may miss some records, or take two for one."""


def witnesses(
    group: Group,
    known: Sequence[tuple[Page, Set[NodeId], Set[NodeId]]],
    paths: Paths,
) -> tuple[dict[str, Path], float]:
    """Witnesses of a group's records on different elements, the cheapest first.

    `known` are the starts of records on each page, those of the typing and those that
    are likely more.  The names tell what the witnesses rest on; with them comes the
    share of records that need not be clean.
    """
    candidates = list(_once_each(group, paths))
    for few in (0.0, _FEW):
        found: dict[str, Path] = {}
        taken: set[tuple[Page, NodeId]] = set()
        for path, family, element in candidates:
            if element not in taken and all(
                _is_one_each(page, typed, more, path, few)
                for page, typed, more in known
            ):
                taken.add(element)
                number = sum(name.startswith(family) for name in found)
                found[f"{family} {number + 1}" if number else family] = path
            if len(found) == MAX_WITNESSES:
                break
        if found:
            return found, few
    return {}, 0.0


def _once_each(
    group: Group, paths: Paths
) -> Iterator[tuple[Path, str, tuple[Page, NodeId]]]:
    """The paths to what stands once in most of some records, twice in hardly any.

    With their families, and the element that they lead to in the first record.
    """
    elements: dict[Sought, tuple[Page, NodeId]] = {}
    once: dict[Sought, int] = defaultdict(int)
    twice: dict[Sought, int] = defaultdict(int)
    looked_at = spread(list(group.records()), MAX_LOOKED_AT)
    for page, record in looked_at:
        seen: dict[Sought, int] = defaultdict(int)
        for node in page.elements(record.start)[1:]:
            for step in _steps(page, node, paths):
                seen[step] += 1
                elements.setdefault(step, (page, node))
        for step, count in seen.items():
            once[step] += 1
            twice[step] += count > 1
    least, most = MOST * len(looked_at), _FEW * len(looked_at)

    def rank(one: Sought) -> tuple[object, ...]:
        (number, family), (page, node) = one, elements[one]
        return (
            *(once[one] < len(looked_at), twice[one], family == ELEMENT, COSTS[family]),
            # Of equals what displays something: the rest may be there for the looks.
            *(not page.text_length(node), str(paths.numbering.path((number,)))),
        )

    ranked = sorted(
        (one for one, count in once.items() if count >= least and twice[one] <= most),
        key=rank,
    )
    for one in ranked[:MAX_TRIED]:
        number, family = one
        yield paths.numbering.path((number,)), family, elements[one]


def _steps(page: Page, node: NodeId, paths: Paths) -> Iterator[Sought]:
    """The steps that one mark of an element gives, or its tag, with their families."""
    for mark in (*paths.marked(page, node), *paths.linked(page, node)):
        if mark.family not in VETOED:
            yield mark.step, mark.family
    if page.tag[node] in ELEMENTS:
        yield paths.numbering.number(Step(page.tag[node], deep=True)), ELEMENT


def _is_one_each(
    page: Page, typed: Set[NodeId], more: Set[NodeId], path: Path, few: float
) -> bool:
    """Whether a path selects one node in most records, and few beside them."""
    seen: dict[NodeId, int] = defaultdict(int)
    for node in select_nodes(page, path):
        start = node
        while start >= 0 and start not in typed and start not in more:
            start = page.parent[start]
        seen[start] += 1
    beside = seen.pop(-1, 0)
    double = sum(count > 1 for count in seen.values())
    is_clean = max(beside, double) <= few * len(typed)
    return is_clean and len(typed & seen.keys()) >= MOST * len(typed)
