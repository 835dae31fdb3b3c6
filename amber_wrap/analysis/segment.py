"""The step `segment`: divide a data area, or list, into records (AMBER paper, section
3.4).

Pivot nodes show where records are. They have a value of a type that each record has,
such as a price.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations, pairwise, product, zip_longest
from math import fsum
from operator import and_
from typing import Protocol

from amber_wrap.analysis.class_marks import marks_of
from amber_wrap.analysis.extraction_typing import DataArea, Record, Segmentation, Trial
from amber_wrap.analysis.relative_paths import are_groups
from amber_wrap.dom.page import NodeId, Page, child_above, siblings

_Shape = int
"""A number that stands for a subtree of a page. Equal subtrees have equal numbers."""


class SubtreeDistance(Protocol):
    """A distance between subtrees of a page, as needed to compare records."""

    def shape(self, node: NodeId) -> _Shape:
        """Return a number for a node's subtree.

        Equal subtrees have the same number.
        """
        ...

    def between(self, first: _Shape, second: _Shape) -> float:
        """Return the relative tree edit distance of two subtrees, a number from 0 to 1.

        `first` and `second` are the numbers that `shape` returns for the subtrees.
        """
        ...


def segment(page: Page, area: DataArea, distance: SubtreeDistance) -> Segmentation:
    """Return the division of a list into records of one length (AMBER paper, section
    3.4).

    Each record has a pivot node, which has a value such as a price. A leading node is a
    child of a records' parent that contains a pivot node. The length of all records, in
    siblings, is the most frequent distance between leading nodes.

    Each record starts the same number of siblings before its leading node. The number
    is chosen so that the records are most alike according to `distance`. A number is
    impossible if a record would start or end outside its parent. The division has no
    records if all numbers are impossible, or if `area` has no leading nodes.
    """
    divisions, trials = _possible_divisions(page, area, distance)
    best_shift = min(
        divisions, key=lambda shift: _trial_order(trials[shift]), default=None
    )
    records = () if best_shift is None else divisions[best_shift]
    return Segmentation(area, records, len(trials), trials)


def segment_without_fillers(
    page: Page, area: DataArea, distance: SubtreeDistance
) -> Segmentation:
    """Return the division of a list into records that don't start or end with empty
    siblings.

    An empty sibling displays nothing, such as a spacer row or the container of an
    advert. The function `segment` would add the sibling to a record. Here, the sibling
    separates records. Some records may be shorter than other records, and the last
    record of a parent may be incomplete.
    """
    divisions, trials = _possible_divisions(page, area, distance)
    if not divisions:
        divisions, trials = _possible_divisions(page, area, distance, may_end=True)
        divisions = {
            shift: records
            for shift, records in divisions.items()
            if not are_groups(page, [record.nodes for record in records])
        }
    trimmed = {shift: _trimmed(page, records) for shift, records in divisions.items()}
    best_shift = min(
        trimmed,
        key=lambda shift: (len(trimmed[shift][0].nodes), *_trial_order(trials[shift])),
        default=None,
    )
    if best_shift is None:
        return Segmentation(area, (), len(trials), trials)
    records = trimmed[best_shift]
    length = max(len(record.nodes) for record in records)
    if length > 1 and not are_groups(page, [record.nodes for record in records]):
        records = tuple(_with_short_ones(page, area, records, length))
    return Segmentation(area, records, length, trials)


def _with_short_ones(
    page: Page, area: DataArea, records: Sequence[Record], length: int
) -> Iterator[Record]:
    """Yield the given records and shorter records between them, in document order.

    AMBER drops the shorter records as noise. A leading node is a sibling with a value
    that each record has, such as a price. A shorter record starts at a leading node
    that is fewer than `length` siblings after the previous leading node. The leading
    node must have all class tokens and names that the first nodes of all `records`
    share. `length` is the greatest number of siblings in a record.
    """
    record_at = {record.start: record for record in records}
    common_marks = frozenset.intersection(
        *(marks_of(page, start) for start in record_at)
    )
    for parent in area.record_parents:
        row = _row(page, parent, area.pivots)
        starts = record_at.keys() & set(row.children)
        if common_marks:
            for i in row.leading:
                if marks_of(page, row.children[i]) >= common_marks:
                    starts.add(row.children[i])
        indexes = [i for i, child in enumerate(row.children) if child in starts]
        for begin, end in pairwise([*indexes, row.end]):
            nodes = row.children[begin : min(end, begin + length)]
            record = record_at.get(row.children[begin])
            if record:
                nodes = tuple(node for node in record.nodes if node in nodes)
            yield Record(nodes)


def _possible_divisions(
    page: Page, area: DataArea, distance: SubtreeDistance, may_end: bool = False
) -> tuple[dict[int, tuple[Record, ...]], tuple[Trial, ...]]:
    """Return the possible divisions of a list into records, and all tried divisions.

    A leading node is a sibling with a value that each record has, such as a price. In
    one division, all records start the same number of siblings, the shift, before their
    leading nodes. A division is possible if all records have the same number of
    siblings, and no record would start or end outside its parent. If `may_end`, a
    record at the end of its parent may be shorter. `distance` compares the records.

    The first result maps the shift of each possible division to the records. The second
    result has a `Trial` for each shift that was tried. Both results are empty for a
    list without leading nodes.
    """
    all_rows = [_row(page, parent, area.pivots) for parent in area.record_parents]
    rows = [row for row in all_rows if row.leading]
    if not rows:
        return {}, ()
    length = record_length(
        [space for row in rows for space in leading_spaces(row.leading, row.end)]
    )
    leading_of_records = [
        (row, index)
        for row in rows
        for index in drop_noise(row.leading, length, row.end)
    ]
    divisions: dict[int, tuple[Record, ...]] = {}
    for shift in range(length):
        starts = [(row, index - shift) for row, index in leading_of_records]
        if all(
            start >= 0 and (may_end or start + length <= row.end)
            for row, start in starts
        ):
            divisions[shift] = tuple(
                Record(row.children[start : start + length]) for row, start in starts
            )
    # A single division needs no comparison, so for length 1 no distance is computed.
    irregularity = irregularities(divisions, distance) if len(divisions) > 1 else {}
    trials = [
        Trial(
            shift, len(leading_of_records), irregularity.get(shift), shift in divisions
        )
        for shift in range(length)
    ]
    return divisions, tuple(trials)


def _trial_order(trial: Trial) -> tuple[float, int]:
    """Return a sort key for tried divisions into records, by which the best is first.

    The best division has the most similar records (the least `irregularity`). Of equal
    divisions, the one with the least `shift` is the best.
    """
    return trial.irregularity or 0.0, trial.shift


def _trimmed(page: Page, records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records without nodes at their start and end that display nothing.

    Nodes with the same index in their records are removed together, if they display
    nothing in most records. A record that would have no nodes left is dropped. Return
    all records unchanged if no node is to be removed, or if no node displays anything.
    """
    nodes_by_index = list(zip_longest(*(record.nodes for record in records)))
    if len(nodes_by_index) == 1:
        return tuple(records)
    are_displayed = [
        _are_displayed(page, [node for node in nodes if node is not None])
        for nodes in nodes_by_index
    ]
    if not any(are_displayed):
        return tuple(records)
    begin = are_displayed.index(True)
    end = len(are_displayed) - are_displayed[::-1].index(True)
    if end - begin == len(are_displayed):
        return tuple(records)
    trimmed = [record.nodes[begin:end] for record in records]
    # A record cut by the end of its parent may have consisted of such nodes only.
    return tuple(Record(nodes) for nodes in trimmed if nodes)


def _are_displayed(page: Page, nodes: Iterable[NodeId]) -> bool:
    """Return whether most of the nodes display something."""
    votes = [page.text_length(node) > 0 for node in nodes]
    return 2 * sum(votes) > len(votes)


@dataclass(frozen=True, slots=True)
class _Row:
    """The children of one parent of records.

    `leading` are the indexes of the leading nodes. These children contain a value that
    each record has, such as a price.
    """

    children: tuple[NodeId, ...]
    leading: tuple[int, ...]

    @property
    def end(self) -> int:
        """The number of children of the parent."""
        return len(self.children)


def _row(page: Page, parent: NodeId, pivots: Sequence[NodeId]) -> _Row:
    """Return the children of a parent of records, with the indexes of leading nodes.

    A leading node contains a pivot node, which has a value that each record has, such
    as a price. `pivots` are the pivot nodes of the list in document order.
    """
    children = siblings(page, parent)
    index_of = {child: i for i, child in enumerate(children)}
    begin = bisect_left(pivots, parent + 1)
    end = bisect_left(pivots, parent + page.size[parent])
    # A pivot that is a text node of the parent is in no child element.
    leading = {child_above(page, parent, pivot) for pivot in pivots[begin:end]}
    return _Row(
        children, tuple(sorted(index_of[node] for node in leading if node in index_of))
    )


def leading_spaces(leading: Sequence[int], end: int) -> Iterator[int]:
    """Yield the distance from each leading node to the next leading node.

    The last distance is to `end`, the number of siblings. `leading` are the ascending
    indexes of the leading nodes, the siblings with a value that each record has, such
    as a price.
    """
    for first, second in pairwise([*leading, end]):
        yield second - first


def record_length(spaces: Sequence[int]) -> int:
    """Return the most frequent distance between leading nodes, which is the record
    length.

    A leading node is a sibling with a value that each record has, such as a price.
    `spaces` has the distances, and isn't empty. Of equally frequent distances, return
    the least (AMBER's Len).
    """
    counts = Counter(spaces)
    highest_count = max(counts.values())
    return min(space for space, count in counts.items() if count == highest_count)


def drop_noise(leading: Sequence[int], length: int, end: int) -> list[int]:
    """Return the indexes of leading nodes that are at least `length` siblings apart.

    A leading node is a sibling that contains a value that each record has, such as a
    price. `leading` are the ascending indexes of all leading nodes among `end`
    siblings.

    The first index returned is of the first leading node that is at least `length`
    siblings before the next leading node or the end. After that, each leading node too
    close to the last one returned is left out. The index of a single leading node is
    always returned.
    """
    if len(leading) == 1:
        return list(leading)
    spaces = list(leading_spaces(leading, end))
    fitting = [i for i, space in enumerate(spaces) if space >= length]
    if not fitting:
        return []
    starts: list[int] = []
    for index in leading[fitting[0] :]:
        if not starts or index - starts[-1] >= length:
            starts.append(index)
    return starts


def irregularities(
    divisions: Mapping[int, Sequence[Record]], distance: SubtreeDistance
) -> dict[int, float]:
    """Return how irregular the records are in each possible division of a list.

    A division is one way to divide the siblings in a list into records. Each record
    contains one sibling with a value that all records have, such as the price. In one
    division, all records start the same number of siblings, the shift, before this
    sibling. `divisions` maps each shift to the records.

    The irregularity of a division is the sum of the tree edit distances over all pairs
    of nodes of different records. The result maps each shift to the irregularity minus
    the least irregularity of all divisions. Thus the most regular division has the
    result 0.
    """
    shapes_of_records = {
        shift: [[distance.shape(node) for node in record.nodes] for record in records]
        for shift, records in divisions.items()
    }
    # Equal subtrees are counted together, and pairs that all divisions have are left
    # out. Therefore the time grows with the number of records, not with its square.
    counts = {
        shift: Counter(shape for shapes in records for shape in shapes)
        for shift, records in shapes_of_records.items()
    }
    common = reduce(and_, counts.values())

    def measured(shift: int) -> float:
        extra = counts[shift] - common
        to_common = fsum(
            extra[first] * common[second] * distance.between(first, second)
            for first, second in product(sorted(extra), sorted(common))
        )
        among_extra = fsum(
            extra[first] * extra[second] * distance.between(first, second)
            for first, second in combinations(sorted(extra), 2)
        )
        within_records = fsum(
            distance.between(first, second)
            for shapes in shapes_of_records[shift]
            for first, second in combinations(shapes, 2)
        )
        return to_common + among_extra - within_records

    sums = {shift: measured(shift) for shift in divisions}
    least = min(sums.values())
    # Rounded, so that equal irregularities are equal whatever the order of summing.
    return {shift: round(total - least, 9) for shift, total in sums.items()}
