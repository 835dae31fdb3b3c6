"""Find lists of records on a page by its tags alone, with the algorithm MDR.

The algorithm is that of Liu, Grossman and Zhai: Mining Data Records in Web Pages (KDD
2003).

A *generalized node* is a sequence of adjacent children of one node. A *data region*
(list) is a sequence of generalized nodes. They have equally many children, and similar
sequences of tags (*tag strings*). All limits and thresholds are those of the paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from amber_wrap.dom.hidden_elements import UNSEEN
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.tree_edit import string_edit_distance
from baselines.scoring import shown

MOST_NODES = 10
"""The paper's K: the greatest number of children that a generalized node combines."""
THRESHOLD = 0.3
"""The paper's T: the greatest edit distance of two tag strings that count as alike.

The distance is divided by the mean length of the two tag strings.
"""
LEAST_LEVELS = 3
"""The least height of a node that may contain a data region.

The node, its children and its grandchildren are three levels.
"""
BUDGET = 30_000_000
"""The number of tags that may be compared on a page. Once it is exceeded, only equal
tag strings count as alike."""

Nodes = tuple[NodeId, ...]
"""Adjacent siblings that form a record, or that are compared with the next siblings."""


@dataclass(frozen=True, slots=True)
class DataRegion:
    """A data region (list of records) that MDR found on a page.

    A generalized node is a sequence of adjacent children of one node. All generalized
    nodes of a region have the same number of children.
    """

    generalized_nodes: tuple[Nodes, ...]
    records: tuple[Nodes, ...]
    """The nodes of each data record. A generalized node may contain several records."""


def mine(page: Page) -> list[DataRegion]:
    """Return the data regions (lists of records) of a page, the paper's FindDRs.

    No regions are searched within the nodes of a region.
    """
    strings = _TagStrings(page)
    regions = []
    pending = [0]
    while pending:
        node = pending.pop()
        if strings.levels[node] < LEAST_LEVELS:
            continue
        children = strings.children(node)
        covered: set[NodeId] = set()
        for generalized_nodes in identify(strings.alike(children), len(children)):
            named_nodes = tuple(
                tuple(children[i] for i in generalized_node)
                for generalized_node in generalized_nodes
            )
            covered.update(child for named_node in named_nodes for child in named_node)
            records = tuple(
                record
                for named_node in named_nodes
                for record in records_of(strings, named_node)
            )
            regions.append(DataRegion(named_nodes, records))
        pending += (child for child in reversed(children) if child not in covered)
    return regions


def comparisons(count: int, most_nodes: int = MOST_NODES) -> Iterator[tuple[int, int]]:
    """Yield (length, start) for each two neighbouring runs of children to compare.

    A run is `length` adjacent children of the `count` children. The first run starts at
    index `start`, and the second directly behind it. `most_nodes` is the greatest
    length. This is the paper's CombComp.
    """
    for offset in range(most_nodes):
        for length in range(offset + 1, most_nodes + 1):
            for start in range(offset, count - 2 * length + 1, length):
                yield length, start


def identify(
    alike: Mapping[tuple[int, int], bool], count: int, most_nodes: int = MOST_NODES
) -> Iterator[list[range]]:
    """Yield the data regions (lists) among `count` children, the paper's IdentDRs.

    A region is a list of runs of children, as ranges of indices. `alike` says for each
    (length, start) whether the run of `length` children at `start` is like the next
    run. `most_nodes` is the greatest length. No two regions overlap.
    """
    start = 0
    while start < count:
        best_length = best_start = covered = 0
        for length in range(1, most_nodes + 1):
            for offset in range(length):
                first, extent = _run(alike, length, start + offset, count)
                if extent > covered and (not covered or first <= best_start):
                    best_length, best_start, covered = length, first, extent
        if not covered:
            return
        end = best_start + covered
        yield [range(i, i + best_length) for i in range(best_start, end, best_length)]
        start = end


def _run(
    alike: Mapping[tuple[int, int], bool], length: int, start: int, count: int
) -> tuple[int, int]:
    """Return the start of the first data region of one length, and its number of
    children.

    The region consists of sequences of `length` children, each like the next. It is
    searched from index `start` of `count` children. `alike` has an entry for each
    length and index. Return (0, 0) if there is no region.
    """
    first, extent = 0, 0
    for i in range(start, count - 2 * length + 1, length):
        if alike[length, i]:
            first, extent = (first, extent + length) if extent else (i, 2 * length)
        elif extent:
            break
    return first, extent


def records_of(strings: _TagStrings, nodes: Nodes) -> list[Nodes]:
    """Return the data records in the adjacent siblings `nodes`.

    They may be one record, or contain several: a row of titles above a row of prices
    contains a record for each column. These are the paper's FindRecords-1 and -n.
    """
    if len(nodes) > 1 and strings.all_alike(nodes):
        return [record for node in nodes for record in records_of(strings, (node,))]
    children = [strings.children(node) for node in nodes]
    if len(children[0]) < 2 or not all(map(strings.all_alike, children)):
        return [nodes]
    if len(nodes) == 1:
        cells = any(len(shown(strings.page, [child])) < 2 for child in children[0])
        return [nodes] if cells else [(child,) for child in children[0]]
    if len(set(map(len, children))) > 1:
        return [nodes]
    return list(zip(*children, strict=True))


@dataclass(slots=True)
class _TagStrings:
    """The sequences of tags (tag strings) below the nodes of a page.

    `tags` has one character for each tag. `rank` has the number of tags before each
    node, so that the tag string of adjacent siblings is a slice of `tags`. Elements
    that aren't displayed, such as scripts, have no tags.
    """

    page: Page
    tags: str = ""
    rank: list[int] = field(default_factory=list)
    levels: list[int] = field(default_factory=list)
    spent: int = 0
    known_pairs: dict[tuple[str, str], bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        page = self.page
        character_of_tag = dict[str, str]()
        tag_characters = list[str]()
        end_of_unseen = 0
        for node in range(len(page)):
            self.rank.append(len(tag_characters))
            if not page.is_text(node) and page.tag[node] in UNSEEN:
                end_of_unseen = max(end_of_unseen, node + page.size[node])
            if node >= end_of_unseen and not page.is_text(node):
                tag_characters.append(
                    character_of_tag.setdefault(
                        page.tag[node], chr(len(character_of_tag))
                    )
                )
        self.rank.append(len(tag_characters))
        self.tags = "".join(tag_characters)
        self.levels = [1] * len(page)
        for node in range(len(page) - 1, 0, -1):
            if self.of(node, node):
                parent = page.parent[node]
                self.levels[parent] = max(self.levels[parent], self.levels[node] + 1)

    def of(self, first: NodeId, last: NodeId) -> str:
        """Return the tags in adjacent siblings and their descendants, one character
        each.

        `first` and `last` are the first and the last sibling. Texts have no tags.
        """
        return self.tags[self.rank[first] : self.rank[last + self.page.size[last]]]

    def children(self, node: NodeId) -> list[NodeId]:
        """Return the child elements of a node, without those that are never
        displayed."""
        return [
            child for child in self.page.child_elements(node) if self.of(child, child)
        ]

    def alike(self, children: Sequence[NodeId]) -> dict[tuple[int, int], bool]:
        """Return for each (length, start) whether a run of children is like the next
        run.

        A run is `length` adjacent children, here from index `start`. Two runs are alike
        if their sequences of tags are similar (`are_alike`).
        """
        return {
            (length, start): self.are_alike(
                self.of(children[start], children[start + length - 1]),
                self.of(children[start + length], children[start + 2 * length - 1]),
            )
            for length, start in comparisons(len(children))
        }

    def all_alike(self, nodes: Sequence[NodeId]) -> bool:
        """Return whether the tags within each node are similar to the tags in the next
        node.
        """
        strings = [self.of(node, node) for node in nodes]
        return all(map(self.are_alike, strings, strings[1:]))

    def are_alike(self, first: str, second: str) -> bool:
        """Return whether the edit distance of two tag strings, as a share of their mean
        length, is at most `THRESHOLD`."""
        limit = THRESHOLD * (len(first) + len(second)) / 2
        if first == second or abs(len(first) - len(second)) > limit:
            return first == second
        if self.spent > BUDGET:
            return False
        pair = first, second
        if pair not in self.known_pairs:
            self.spent += len(first) + len(second)
            self.known_pairs[pair] = string_edit_distance(first, second) <= limit
        return self.known_pairs[pair]
