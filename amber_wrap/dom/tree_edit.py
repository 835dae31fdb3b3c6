"""Compute the relative tree edit distance of subtrees (AMBER paper, section 3.4).

Distances are only approximated after too many pairs of nodes have been compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, itemgetter
from typing import Protocol

from amber_wrap.errors import Diagnostic

_Shape = int
"""The number of a subtree. Equal subtrees have the same number."""
_EMPTY: _Shape = -1
"""The number (shape) that stands for a tree without nodes."""
BUDGET = 100_000
"""The greatest number of pairs of nodes that are compared to find exact distances.

The number applies to all subtrees of a page together. So many comparisons take about a
hundredth of a second.
"""
LONGEST_STRING = 4096
"""The greatest number of nodes of a tree that are compared when a distance is only
approximated.
"""
# The memory that `zss` needs is cubic in the number of nodes.
ZSS_NODES = 400
"""The greatest number of nodes of two trees together for which the package `zss`
computes the distance.
"""


class _PreorderColumns(Protocol):
    """The properties of a page's nodes from which the distances of subtrees are
    computed.

    Each property is a sequence, indexed by the rank of a node in preorder.
    """

    @property
    def tag(self) -> Sequence[str]:
        """The label of each node, which is the tag of an element."""

    @property
    def size(self) -> Sequence[int]:
        """The number of nodes of each subtree, its root included."""


@dataclass(frozen=True, slots=True)
class PostorderTree:
    """A tree as lists with an entry for each node, in postorder."""

    label: Sequence[str]
    """The label of each node."""
    shape: Sequence[_Shape]
    """The shape of each node's subtree, a number that equal subtrees share."""
    leftmost: Sequence[int]
    """The index of the leftmost leaf in each node's subtree."""
    keyroots: Sequence[_Shape]
    """The shapes of the subtrees whose root has a left sibling.

    The last entry is the shape of the whole tree.
    """
    forests: Callable[[Sequence[int]], tuple[int, ...]]
    """Takes a row of numbers, and returns the row's first entry and its entries at the
    indexes in `leftmost`.
    """
    trees: Callable[[Mapping[_Shape, int]], tuple[int, ...]]
    """Takes a dict from shapes to numbers, and returns the dict's numbers for the empty
    tree and for each shape in `shape`.
    """


class ShapeTable:
    """A table that numbers labelled ordered trees.

    Equal trees have the same number, called their shape.
    """

    def __init__(self) -> None:
        self.label: list[str] = []
        """The label of the root, by shape."""
        self.children: list[tuple[_Shape, ...]] = []
        """The shapes of the subtrees below the root, by shape."""
        self.size: list[int] = []
        """The number of nodes, by shape."""
        self._shapes: dict[tuple[str, tuple[_Shape, ...]], _Shape] = {}
        self._trees: dict[_Shape, PostorderTree] = {}

    def shapes(self, labels: Sequence[str], sizes: Sequence[int]) -> list[_Shape]:
        """Return the shape of each subtree, a number that equal subtrees share.

        `labels` has the label of each subtree's root, and `sizes` the subtree's number
        of nodes, both in preorder.
        """
        shapes = [_EMPTY] * len(labels)
        for node in reversed(range(len(labels))):
            below: list[_Shape] = []
            child, end = node + 1, node + sizes[node]
            while child < end:
                below.append(shapes[child])
                child += sizes[child]
            label, children = labels[node], tuple(below)
            shapes[node] = self._shapes.setdefault((label, children), len(self.label))
            if shapes[node] == len(self.label):
                self.label.append(label)
                self.children.append(children)
                self.size.append(sizes[node])
        return shapes

    def tree(self, shape: _Shape) -> PostorderTree:
        """Return the tree that a shape stands for.

        A shape is a number that equal trees share.
        """
        if shape in self._trees:
            return self._trees[shape]
        postorder, pending = [], [shape]
        while pending:  # Preorder from right to left is postorder, backwards.
            postorder.append(pending.pop())
            pending.extend(self.children[postorder[-1]])
        postorder.reverse()
        leftmost = [
            rank - self.size[subtree] + 1 for rank, subtree in enumerate(postorder)
        ]
        # For each leaf, the topmost node whose subtree starts with the leaf.
        highest_ranks = {leaf: rank for rank, leaf in enumerate(leftmost)}
        tree = PostorderTree(
            label=[self.label[subtree] for subtree in postorder],
            shape=postorder,
            leftmost=leftmost,
            keyroots=[postorder[rank] for rank in sorted(highest_ranks.values())],
            forests=itemgetter(0, *leftmost),
            trees=itemgetter(_EMPTY, *postorder),
        )
        return self._trees.setdefault(shape, tree)


class TreeEditDistance:
    """The function editDist of the AMBER paper, section 3.4, for the subtrees of a
    page.

    The result is the edit distance of two ordered trees (Zhang and Shasha, SIAM Journal
    on Computing 18(6), 1989), divided by the number of nodes in both trees.
    """

    def __init__(self, page: _PreorderColumns, budget: int = BUDGET) -> None:
        self.table = ShapeTable()
        self.budget = budget
        """The number of pairs of nodes that may still be compared."""
        self.approximated = 0
        """The number of distances that were approximated for lack of budget."""
        self._page = page
        self._shapes: Sequence[_Shape] = ()
        self._distances: dict[tuple[_Shape, _Shape], float] = {}
        # The edits that are saved by matching two subtrees, by their shapes.
        self._saved = defaultdict[_Shape, dict[_Shape, int]](lambda: {_EMPTY: 0})

    def shape(self, node: int) -> _Shape:
        """Return the shape of a node's subtree, a number that equal subtrees share.

        `node` is the node's rank in preorder.
        """
        if not self._shapes:  # Many pages need no shapes.
            self._shapes = self.table.shapes(self._page.tag, self._page.size)
        return self._shapes[node]

    def between(self, first: _Shape, second: _Shape) -> float:
        """Return the edit distance, from 0 to 1, of the trees with the given shapes.

        The distance is symmetric, and 0 only for equal trees.
        """
        if first == second:
            return 0.0
        pair = a, b = min(first, second), max(first, second)
        if (distance := self._distances.get(pair)) is not None:
            return distance
        edits = self._edits(a, b)
        if edits is None:
            self.approximated += 1
            edits = self._approximate_edits(a, b)
        distance = edits / (self.table.size[a] + self.table.size[b])
        return self._distances.setdefault(pair, distance)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """A tuple with a message on approximated distances, or () if there are none."""
        if not self.approximated:
            return ()
        message = (
            f"{self.approximated} of {len(self._distances)} tree edit distances "
            "approximated: the subtrees are too large or too many"
        )
        return (Diagnostic("detail", "tree-edit-approximated", message),)

    def _spend(self, cells: int) -> bool:
        """Subtract a number of table cells (pairs of nodes) from the remaining budget.

        Return False, and subtract nothing, if the budget is too small.
        """
        suffices = cells <= self.budget
        if suffices:
            self.budget -= cells
        return suffices

    def _approximate_edits(self, a: _Shape, b: _Shape) -> int:
        """Return the edit distance of two different trees, approximated from their
        labels in postorder.

        The result is at least 1.
        """
        labels_a, labels_b = without_common_ends(
            self.table.tree(a).label, self.table.tree(b).label
        )
        start_a, start_b = labels_a[:LONGEST_STRING], labels_b[:LONGEST_STRING]
        rest_a, rest_b = len(labels_a) - len(start_a), len(labels_b) - len(start_b)
        edits = string_edit_distance(start_a, start_b) + abs(rest_a - rest_b)
        # The label sequences of different trees may be equal.
        return max(1, edits)

    def _edits(self, a: _Shape, b: _Shape) -> int | None:
        """Return the edit distance of two different trees, or None if the budget is too
        small.
        """
        size, saved, tree = self.table.size, self._saved, self.table.tree
        keyroots_a = dict.fromkeys(tree(a).keyroots)
        keyroots_b = dict.fromkeys(tree(b).keyroots)
        # The lookup of each pair costs time, too.
        if not self._spend(len(keyroots_a) * len(keyroots_b)):
            return None
        missing_pairs = [
            (i, j) for i in keyroots_a for j in keyroots_b if j not in saved[i]
        ]
        if not self._spend(sum(size[i] * size[j] for i, j in missing_pairs)):
            return None
        for pair in missing_pairs:  # Long rows are computed faster than many rows.
            smaller, larger = sorted(pair, key=size.__getitem__)
            self._compare(tree(smaller), tree(larger))
        # A kept node saves its deletion and its insertion, and a renamed node one edit.
        return size[a] + size[b] - saved[a][b]

    def _compare(self, a: PostorderTree, b: PostorderTree) -> None:
        """Store how many edits are saved by matching subtrees of `a` with subtrees of
        `b`.

        Subtrees are matched if both contain the leftmost leaf of their tree. Savings
        for all other pairs of subtrees must have been stored before.
        """
        leftmost_path = [rank for rank, leaf in enumerate(b.leftmost) if leaf == 0]
        # Cell y of row x is the saving for the first x nodes of `a` and the first y
        # nodes of `b`.
        rows = [[0] * (len(b.label) + 1)]
        for label, shape, leftmost in zip(a.label, a.shape, a.leftmost, strict=True):
            row_above, saved = rows[-1], self._saved[shape]
            root_ranks = leftmost_path if leftmost == 0 else ()
            for rank in root_ranks:  # Match the roots and their descendants.
                saving = row_above[rank] + 1 + (label == b.label[rank])
                saved.setdefault(b.shape[rank], saving)
            # Match the subtrees, and the forests to their left.
            savings_with_node = map(add, b.forests(rows[leftmost]), b.trees(saved))
            most, row = 0, []
            for saving_without_node, saving in zip(
                row_above, savings_with_node, strict=True
            ):
                if saving_without_node > most:
                    most = saving_without_node
                if saving > most:
                    most = saving
                row.append(most)
            rows.append(row)
            for rank in root_ranks:
                tree = b.shape[rank]
                saved[tree] = self._saved[tree][shape] = row[rank + 1]


class ZssDistance(TreeEditDistance):
    """The distance of `TreeEditDistance`, computed by the package `zss` for tests.

    Trees with more than `ZSS_NODES` nodes together are always approximated.
    """

    def _edits(self, a: _Shape, b: _Shape) -> int | None:
        import zss  # The import is slow and rarely needed.

        size, labels = self.table.size, self.table.label
        keyroot_nodes_a = sum(size[keyroot] for keyroot in self.table.tree(a).keyroots)
        keyroot_nodes_b = sum(size[keyroot] for keyroot in self.table.tree(b).keyroots)
        cells = keyroot_nodes_a * keyroot_nodes_b
        if size[a] + size[b] > ZSS_NODES or not self._spend(cells):
            return None
        options = {
            "get_children": self.table.children.__getitem__,
            # `zss` takes a node with the label "" for a missing one.
            "get_label": lambda shape: f"<{labels[shape]}>",
            "label_dist": lambda label, other: int(label != other),
        }
        return int(zss.simple_distance(a, b, **options))


DISTANCES = {"fast": TreeEditDistance, "zss": ZssDistance}
"""The implementations of the tree edit distance, by their names in the options."""


def without_common_ends(
    first: Sequence[str], second: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return two sequences without their common prefix and suffix.

    The common ends make no difference to the Levenshtein distance.
    """
    shorter = min(len(first), len(second))
    prefix = 0
    while prefix < shorter and first[prefix] == second[prefix]:
        prefix += 1
    suffix = 0
    while suffix < shorter - prefix and first[-1 - suffix] == second[-1 - suffix]:
        suffix += 1
    return first[prefix : len(first) - suffix], second[prefix : len(second) - suffix]


def string_edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the Levenshtein distance of two sequences (Hyyrö, Nordic Journal of
    Computing 10(1), 2003).
    """
    if len(first) < len(second):  # Long vectors cost less than many columns.
        first, second = second, first
    if not second:
        return len(first)
    rows_of_item: dict[str, int] = {}
    for row, item in enumerate(first):
        rows_of_item[item] = rows_of_item.get(item, 0) | 1 << row
    all_rows, last_row = (1 << len(first)) - 1, 1 << len(first) - 1
    # Bit i of `more` is set where row i of a column is one more than the row above,
    # and bit i of `less` where row i is one less. `right_more` and `right_less` compare
    # each row with the same row of the next column.
    more, less, distance = all_rows, 0, len(first)
    for item in second:
        equal = rows_of_item.get(item, 0)
        same = (((equal & more) + more) ^ more) | equal | less
        right_more = less | (all_rows & ~(same | more))
        right_less = more & same
        if right_more & last_row:
            distance += 1
        elif right_less & last_row:
            distance -= 1
        right_more, right_less = right_more << 1 | 1, right_less << 1
        more = all_rows & (right_less | ~(same | right_more))
        less = all_rows & right_more & same
    return distance
