"""Divide a list into records by values that each record has, such as prices (AMBER
paper, section 3.4).
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
    """A distance between subtrees of a page, by which records are compared."""

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
    """Return the list in `area` divided into records with the same number of siblings
    (AMBER paper, section 3.4).

    Of all possible divisions, the one with the most similar records is chosen. The
    result has no records if no division is possible.
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
    """Return the list in `area` divided into records that neither start nor end with
    fillers.

    Fillers are siblings that display nothing, such as spacers. Records may have
    different numbers of siblings.
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
    """Yield `records` and the shorter records between them, in document order.

    `length` is the number of siblings in a full record. AMBER drops the shorter records
    as noise.
    """
    record_at = {record.start: record for record in records}
    common_marks = frozenset.intersection(
        *(marks_of(page, start) for start in record_at)
    )
    for parent in area.record_parents:
        row = _row(page, parent, area.pivots)
        starts = record_at.keys() & set(row.children)
        if common_marks:
            # A shorter record starts like the others, but has fewer siblings.
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
    """Return the possible divisions of a list into records by shift, and all attempted
    divisions.

    The shift is the number of siblings in a record before the sibling with its
    identifying value, such as the price. If `may_end`, the last record in a parent may
    have fewer siblings.
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
    """Return the sort key of an attempted division, by which the most regular one comes
    first.
    """
    return trial.irregularity or 0.0, trial.shift


def _trimmed(page: Page, records: Sequence[Record]) -> tuple[Record, ...]:
    """Return the records without the nodes at their start and end that display nothing.

    All records lose the nodes at the same indexes, if most of these nodes display
    nothing.
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
    """The child elements of an element that is the parent of records."""

    children: tuple[NodeId, ...]
    leading: tuple[int, ...]
    """The indexes of the children with a value that each record has, such as a price.
    """

    @property
    def end(self) -> int:
        """The number of children of the parent."""
        return len(self.children)


def _row(page: Page, parent: NodeId, pivots: Sequence[NodeId]) -> _Row:
    """Return the children of a parent of records, and which of them contain a node of
    `pivots`.

    `pivots` are the nodes with a value that each record has, such as a price, in
    document order.
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
    """Yield the distance from each index in `leading` to the next index, and last from
    the last index to `end`.

    `leading` is ascending.
    """
    for first, second in pairwise([*leading, end]):
        yield second - first


def record_length(spaces: Sequence[int]) -> int:
    """Return the number of siblings in a record (Len in the AMBER paper).

    `spaces` has the distances between siblings with a value such as the price. The most
    frequent distance is the result, or the least of several equally frequent distances.
    """
    counts = Counter(spaces)
    highest_count = max(counts.values())
    return min(space for space, count in counts.items() if count == highest_count)


def drop_noise(leading: Sequence[int], length: int, end: int) -> list[int]:
    """Return the indexes in `leading` at which records of `length` siblings can start.

    `leading` is ascending, and `end` is the number of siblings. A single index is
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
    """Return for each division of a list into records how irregular it is compared with
    the most regular division.

    A division is irregular if its records differ from each other. The most regular
    division has the result 0.
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
