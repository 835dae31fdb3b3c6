"""Compute the relative tree edit distance of subtrees (AMBER, section 3.4).

Equal subtrees share one number, their *shape*. The records of a page have few different
shapes, and each pair of shapes is compared once. The distance is exact until a budget
of table cells is spent, and approximate afterwards.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import add, itemgetter
from typing import Protocol

from amber_wrap.errors import Diagnostic

_Shape = int  # A number for all equal subtrees.
_EMPTY: _Shape = -1
"""The shape of a tree without nodes."""
BUDGET = 100_000
"""The greatest number of table cells that are computed for a page. The computation
takes about a hundredth of a second."""
LONGEST_STRING = 4096
"""The greatest number of labels of a tree that the approximation compares."""
ZSS_NODES = 400
"""The greatest number of nodes of two trees together that `zss` compares."""


class _Columns(Protocol):
    """The columns of a page from which the distance is computed, indexed by preorder
    rank.
    """

    @property
    def tag(self) -> Sequence[str]:
        """The label of each node."""

    @property
    def size(self) -> Sequence[int]:
        """The number of nodes of each subtree, its root included."""


@dataclass(frozen=True, slots=True)
class PostorderTree:
    """A tree as columns indexed by postorder rank, the node numbers of Zhang and
    Shasha.

    `label` is the label of each node. `shape` is the number of each subtree in a
    `ShapeTable`. `leftmost` is the rank of the leftmost leaf in each subtree.
    `keyroots` are the shapes of nodes with a left sibling, followed by the shape of the
    root.

    `forests` takes a row of the distance table, and returns the entry for the forest to
    the left of each subtree. `trees` takes a value for each shape, and returns the
    value of each subtree. Both results begin with a zero, for the empty tree.
    """

    label: Sequence[str]
    shape: Sequence[_Shape]
    leftmost: Sequence[int]
    keyroots: Sequence[_Shape]
    forests: Callable[[Sequence[int]], tuple[int, ...]]
    trees: Callable[[Mapping[_Shape, int]], tuple[int, ...]]


class ShapeTable:
    """A table that gives equal labelled ordered trees the same number, their shape.

    The columns are indexed by shape. `label` is the label of a tree's root. `children`
    are the shapes of the subtrees below the root, from left to right. `size` is the
    number of nodes.
    """

    def __init__(self) -> None:
        self.label: list[str] = []
        self.children: list[tuple[_Shape, ...]] = []
        self.size: list[int] = []
        self._shapes: dict[tuple[str, tuple[_Shape, ...]], _Shape] = {}
        self._trees: dict[_Shape, PostorderTree] = {}

    def shapes(self, labels: Sequence[str], sizes: Sequence[int]) -> list[_Shape]:
        """Return the shape of every subtree of a tree or forest.

        `labels` and `sizes` have an entry for each node in preorder. The size of a node
        is the number of nodes in its subtree.
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
        """Return the tree with a given shape."""
        if shape in self._trees:
            return self._trees[shape]
        order, stack = [], [shape]
        while stack:  # Preorder from right to left is postorder, backwards.
            order.append(stack.pop())
            stack.extend(self.children[order[-1]])
        order.reverse()
        leftmost = [rank - self.size[s] + 1 for rank, s in enumerate(order)]
        label = [self.label[s] for s in order]
        highest = {leaf: rank for rank, leaf in enumerate(leftmost)}
        keyroots = [order[rank] for rank in sorted(highest.values())]
        pick = itemgetter(0, *leftmost), itemgetter(_EMPTY, *order)
        tree = PostorderTree(label, order, leftmost, keyroots, *pick)
        return self._trees.setdefault(shape, tree)


class TreeEditDistance:
    """The function editDist of AMBER, section 3.4, between the subtrees of one page.

    The result is the edit distance of ordered trees with unit costs (Zhang, Shasha,
    SIAM J. Comput. 18(6), 1989), divided by the number of nodes of both trees.

    `budget` is the number of table cells (pairs of nodes) that may still be computed.
    If the budget is too small for two trees, the label sequences of the trees are
    compared instead. `approximated` is the number of distances computed in this way.
    """

    def __init__(self, page: _Columns, budget: int = BUDGET) -> None:
        self.table = ShapeTable()
        self.budget = budget
        self.approximated = 0
        self._page = page
        self._shapes: Sequence[_Shape] = ()
        self._distances: dict[tuple[_Shape, _Shape], float] = {}
        self._saved = defaultdict[_Shape, dict[_Shape, int]](lambda: {_EMPTY: 0})

    def shape(self, node: int) -> _Shape:
        """Return the shape of a node's subtree.

        `node` is the node's rank in preorder.
        """
        if not self._shapes:  # Many pages need no shapes.
            self._shapes = self.table.shapes(self._page.tag, self._page.size)
        return self._shapes[node]

    def between(self, first: _Shape, second: _Shape) -> float:
        """Return the distance of two shapes, from 0 to 1.

        The distance is symmetric. Only equal shapes have the distance 0.
        """
        if first == second:
            return 0.0
        pair = a, b = (first, second) if first < second else (second, first)
        if (known := self._distances.get(pair)) is not None:
            return known
        edits = self._edits(a, b)
        if edits is None:
            self.approximated += 1
            edits = self._approximate_edits(a, b)
        distance = edits / (self.table.size[a] + self.table.size[b])
        return self._distances.setdefault(pair, distance)

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """A message about approximated distances, or () if all distances are exact."""
        if not self.approximated:
            return ()
        ratio = f"{self.approximated} of {len(self._distances)} tree edit distances"
        message = f"{ratio} approximated: the subtrees are too large or too many"
        return (Diagnostic("detail", "tree-edit-approximated", message),)

    def _spend(self, cells: int) -> bool:
        """Return whether the budget suffices for a number of table cells.

        If the budget suffices, the cells are subtracted.
        """
        enough = cells <= self.budget
        self.budget -= cells if enough else 0
        return enough

    def _approximate_edits(self, a: _Shape, b: _Shape) -> int:
        labels = (self.table.tree(shape).label for shape in (a, b))
        whole = without_common_ends(*labels)
        first, second = (one[:LONGEST_STRING] for one in whole)
        rest = len(whole[0]) - len(first) - len(whole[1]) + len(second)
        # The label sequences of different trees may be equal.
        return max(1, string_edit_distance(first, second) + abs(rest))

    def _edits(self, a: _Shape, b: _Shape) -> int | None:
        """Return the edit distance of two different trees, or None if the budget
        doesn't suffice.

        The distance is the number of nodes of both trees, less the edits saved. A kept
        node saves its deletion and its insertion. A renamed node saves one edit.
        """
        size, saved, tree = self.table.size, self._saved, self.table.tree
        first, second = dict.fromkeys(tree(a).keyroots), dict.fromkeys(tree(b).keyroots)
        # The lookup of each pair costs time, too.
        if not self._spend(len(first) * len(second)):
            return None
        missing = [(i, j) for i in first for j in second if j not in saved[i]]
        if not self._spend(sum(size[i] * size[j] for i, j in missing)):
            return None
        for pair in missing:  # Long rows are computed faster than many rows.
            self._compare(*map(tree, sorted(pair, key=size.__getitem__)))
        return size[a] + size[b] - saved[a][b]

    def _compare(self, a: PostorderTree, b: PostorderTree) -> None:
        """Compute how many edits are saved by matching subtrees of two trees, and store
        the numbers.

        Only pairs of subtrees with roots on the leftmost paths of the trees are stored.
        All other pairs must have been stored before.
        """
        spine = [rank for rank, leaf in enumerate(b.leftmost) if leaf == 0]
        # Cell y of row x is the saving for the first x nodes of `a` and the first y
        # nodes of `b`.
        rows = [[0] * (len(b.label) + 1)]
        for label, shape, leftmost in zip(a.label, a.shape, a.leftmost, strict=True):
            above, saved = rows[-1], self._saved[shape]
            heads = spine if leftmost == 0 else ()
            for rank in heads:  # Match the roots and their descendants.
                match = above[rank] + 1 + (label == b.label[rank])
                saved.setdefault(b.shape[rank], match)
            # Match the subtrees, and the forests to their left.
            matches = map(add, b.forests(rows[leftmost]), b.trees(saved))
            most, row = 0, []
            for without, match in zip(above, matches, strict=True):
                if without > most:
                    most = without
                if match > most:
                    most = match
                row.append(most)
            rows.append(row)
            for rank in heads:
                tree = b.shape[rank]
                saved[tree] = self._saved[tree][shape] = row[rank + 1]


class ZssDistance(TreeEditDistance):
    """The distance of `TreeEditDistance` computed by the package `zss`, for comparison
    in tests.

    The memory of `zss` is cubic. Trees with more than `ZSS_NODES` nodes together are
    therefore always approximated.
    """

    def _edits(self, a: _Shape, b: _Shape) -> int | None:
        import zss  # The import is slow and rarely needed.

        size, tree, labels = self.table.size, self.table.tree, self.table.label
        first, second = (sum(size[s] for s in tree(one).keyroots) for one in (a, b))
        if size[a] + size[b] > ZSS_NODES or not self._spend(first * second):
            return None
        options = {
            "get_children": self.table.children.__getitem__,
            # `zss` takes a node with the label "" for a missing one.
            "get_label": lambda shape: f"<{labels[shape]}>",
            "label_dist": lambda label, other: int(label != other),
        }
        return int(zss.simple_distance(a, b, **options))


DISTANCES = {"fast": TreeEditDistance, "zss": ZssDistance}  # By name in options.


def without_common_ends(
    first: Sequence[str], second: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return two sequences without their common prefix and suffix.

    The common ends make no difference to the Levenshtein distance.
    """
    shorter = min(len(first), len(second))
    begin = 0
    while begin < shorter and first[begin] == second[begin]:
        begin += 1
    end = 0
    while end < shorter - begin and first[-1 - end] == second[-1 - end]:
        end += 1
    return first[begin : len(first) - end], second[begin : len(second) - end]


def string_edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the Levenshtein distance of two sequences.

    Two bit vectors encode each column of the table of distances (Hyyrö, Nordic J.
    Comput. 10(1), 2003).
    """
    if len(first) < len(second):  # Long vectors cost less than many columns.
        first, second = second, first
    if not second:
        return len(first)
    rows: dict[str, int] = {}
    for i, item in enumerate(first):
        rows[item] = rows.get(item, 0) | 1 << i
    every, last = (1 << len(first)) - 1, 1 << len(first) - 1
    # Bit i of `more` is set where row i of a column is one more than the row above,
    # and bit i of `less` where it is one less.
    more, less, distance = every, 0, len(first)
    for item in second:
        equal = rows.get(item, 0)
        same = (((equal & more) + more) ^ more) | equal | less
        right_more, right_less = less | (every & ~(same | more)), more & same
        distance += bool(right_more & last) - bool(right_less & last)
        right_more, right_less = right_more << 1 | 1, right_less << 1
        more = every & (right_less | ~(same | right_more))
        less = every & right_more & same
    return distance
