"""The pass `identify`: every list that a page may hold, good and bad alike.

AMBER clusters pivot nodes (section 3.3).  Here elements that look alike, stand alike or
hold one pivot of a role each are lists, too: `features` and `choice` tell which of them
is meant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from amber_wrap.analysis.boilerplate import element_words
from amber_wrap.analysis.extraction_typing import DataArea, Record, Segmentation
from amber_wrap.analysis.relative_paths import marks
from amber_wrap.annotate.list_headers import is_head_row
from amber_wrap.dom.measure import lowest_common_ancestor
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

LEAST_RECORDS: Final = 2
"""Elements that make a list."""
LEAST_LED, MOST_FOLLOWING, NEARLY_ALL = 3, 4, 0.8
"""Records of several siblings that make a list; siblings that follow the first of one,
and the share of the records that have any."""
MOST_CANDIDATES: Final = 250
"""Lists that are looked into, those that display most first."""
MOST_TEXT: Final = 400
"""Characters that count of a record."""
TABS: Final = frozenset("tab pane tabpanel".split())
OPENED: Final = frozenset("active current selected".split())
"""Words of tabs, and of the one that is open."""
BODIES: Final = frozenset({"tbody"})
"""What is in a table whether its author wrote it or not."""
_SKIPPED: Final = frozenset(
    "html head body script style noscript template option br hr img input svg path "
    "col colgroup meta link source thead tbody".split()
)
"""Tags of elements that are no records."""


def like_elements(page: Page) -> tuple[Segmentation, ...]:
    """Lists of elements that look or stand alike, one element a record.

    Elements are alike by a class token or another mark, by the tags above them, with
    and without their classes, or as children of one parent, with one tag, and with one
    look.  Those within another of their list are left out.
    """
    groups: dict[Hashable, list[NodeId]] = defaultdict(list)
    paths = _numbered_paths(page, BODIES)
    looks = common_marks(page)
    closed = closed_nodes(page)
    for node in page.elements():
        if page.tag[node] in _SKIPPED or not page.text_length(node):
            continue
        if page.is_within_hidden(node) or closed[node]:
            continue
        tag, parent, look = page.tag[node], page.parent[node], looks[node]
        groups["path", paths[node]].append(node)
        groups["parent", parent, tag].append(node)
        groups["path, parent's look", paths[node], looks[parent]].append(node)
        if look:
            groups["path, look", paths[node], look].append(node)
            groups["parent, look", parent, tag, look].append(node)
            groups["look", tag, look].append(node)
        groups["parent, any tag", parent].append(node)
        for mark in sorted(look):  # In one order, whatever a process hashes to.
            groups["mark", tag, mark].append(node)
            groups["path, mark", paths[node], mark].append(node)
    lists = dict.fromkeys(
        tuple(outermost(page, group))
        for group in groups.values()
        if len(group) >= LEAST_RECORDS
    )
    for nodes in tuple(lists):
        # A header row looks like the others, and has the names of columns.
        rows = tuple(node for node in nodes if not is_header(page, node))
        if len(rows) < len(nodes):
            del lists[nodes]
            lists[rows] = None
    wide = (one for one in lists if len(one) >= LEAST_RECORDS)
    return tuple(single(page, nodes) for nodes in wide)


def multi_sibling_lists(page: Page) -> Iterator[Segmentation]:
    """Lists whose records are several siblings each: an element that leads, and those
    that follow it up to the next one like it.

    A title row and its details, a term and what it means, a box and its paragraphs.
    Leaders look alike, or are made alike: of the same children.
    """
    looks, closed = common_marks(page), closed_nodes(page)
    for parent in page.elements():
        if closed[parent] or page.is_within_hidden(parent):
            continue
        children = [one for one in page.child_elements(parent) if page.text_length(one)]
        if len(children) < 2 * LEAST_LED:
            continue
        groups: dict[Hashable, list[int]] = defaultdict(list)
        made = [
            (page.tag[child], *((page.tag[one], looks[one]) for one in found))
            for child in children
            for found in [page.child_elements(child)]
        ]
        for place, child in enumerate(children):
            groups["look", page.tag[child], looks[child]].append(place)
            groups["made", looks[child], made[place]].append(place)
        for places in dict.fromkeys(map(tuple, groups.values())):
            follow = {one + 1 for one in places[:-1]}.difference(places)
            # Odd rows don't lead the even ones, which are made like them.
            if len(places) >= LEAST_LED and not any(
                made[one] == made[one - 1] for one in follow
            ):
                yield from _led(page, children, places)


def _led(
    page: Page, children: Sequence[NodeId], leading: Sequence[int]
) -> Iterator[Segmentation]:
    """Yield the list of what follows each leading child, if something follows
    nearly all.
    """
    follow = [there - here - 1 for here, there in pairwise(leading)]
    most = max(follow)
    if most > MOST_FOLLOWING or sum(map(bool, follow)) < NEARLY_ALL * len(follow):
        return
    ends = [*leading[1:], leading[-1] + 1 + most]
    records = tuple(
        Record(tuple(children[here:end]))
        for here, end in zip(leading, ends, strict=True)
    )
    parent, starts = page.parent[children[0]], [children[one] for one in leading]
    yield Segmentation(DataArea(parent, tuple(starts), (parent,)), records, 1 + most)


@remembered
def closed_nodes(page: Page) -> Sequence[bool]:
    """Of each node whether it is not rendered until somebody opens what it is in.

    HTML, section 15.3 (rendering): what a closed `details` holds beside its summary, a
    dialog that is not open, popovers, what is hidden.  By the words of authors: tabs
    beside the one that is open.
    """
    found = [False] * len(page)
    for node in page.elements():
        attributes, size = page.attributes[node], page.size
        if (
            page.is_hidden(node)
            or "popover" in attributes
            or (page.tag[node] == "dialog" and "open" not in attributes)
        ):
            found[node : node + size[node]] = [True] * size[node]
        elif page.tag[node] == "details" and "open" not in attributes:
            for child in page.child_elements(node):
                if page.tag[child] != "summary":
                    found[child : child + size[child]] = [True] * size[child]
        for child in _other_tabs(page, node):
            found[child : child + size[child]] = [True] * size[child]
    return found


def _other_tabs(page: Page, parent: NodeId) -> Iterator[NodeId]:
    """Yield the children that are tabs of which another one is open."""
    words = element_words(page)
    tabs = [one for one in page.child_elements(parent) if words[one] & TABS]
    opened = [one for one in tabs if words[one] & OPENED]
    if opened and len(tabs) > len(opened):
        yield from (one for one in tabs if one not in opened)


@remembered
def is_header(page: Page, node: NodeId) -> bool:
    """Return whether an element is a row of headers."""
    cells = page.child_elements(node)
    if page.tag[node] != "tr":
        return is_head_row(page, node)
    return bool(cells) and (
        page.tag[page.parent[node]] == "thead"
        or all(page.tag[one] == "th" for one in cells)
    )


def single(page: Page, nodes: Sequence[NodeId]) -> Segmentation:
    """Return the list whose records are single elements, given in document order."""
    parents = tuple(dict.fromkeys(page.parent[node] for node in nodes))
    root = lowest_common_ancestor(page, parents)
    records = tuple(Record((node,)) for node in nodes)
    return Segmentation(DataArea(root, tuple(nodes), parents), records, 1)


def outermost(page: Page, nodes: Iterable[NodeId]) -> Iterator[NodeId]:
    """Of elements in document order those that are in no other of them."""
    end = -1
    for node in nodes:
        if node >= end:
            end = node + page.size[node]
            yield node


def different(page: Page, lists: Iterable[Segmentation]) -> list[Segmentation]:
    """Lists whose records display different texts, those that display most first.

    Of several that cut the same texts in the same way the one with the fewest elements
    a record, of these the outermost: no image or link of a record is lost.
    """
    before, size = page.characters, page.size
    unique: dict[tuple[tuple[int, int], ...], Segmentation] = {}

    def rank(one: Segmentation) -> tuple[int, list[NodeId]]:
        return one.record_length, [record.start for record in one.records]

    for one in lists:
        if len(one.records) >= LEAST_RECORDS:
            spans = tuple(
                (before[r.nodes[0]], before[r.nodes[-1] + size[r.nodes[-1]]])
                for r in one.records
            )
            unique[spans] = min(unique.get(spans, one), one, key=rank)
    ranked = sorted(unique.values(), key=lambda one: -_displayed(page, one))
    return ranked[:MOST_CANDIDATES]


def _displayed(page: Page, one: Segmentation) -> int:
    return sum(
        min(MOST_TEXT, sum(map(page.text_length, record.nodes)))
        for record in one.records
    )


@remembered
def tag_paths(page: Page) -> Sequence[int]:
    """Of each element a number that stands for the tags from it up to the root."""
    return _numbered_paths(page)


def _numbered_paths(page: Page, skipped: Collection[str] = ()) -> Sequence[int]:
    """Return the same without the `skipped` tags."""
    numbers: dict[tuple[int, str], int] = {}
    found = [-1] * len(page)
    for node in page.elements():
        above = found[page.parent[node]]  # Of the root, its own: not known yet.
        way = above, page.tag[node]
        found[node] = (
            above if way[1] in skipped else numbers.setdefault(way, len(numbers))
        )
    return found


@remembered
def common_marks(page: Page) -> Sequence[frozenset[str]]:
    """Return the marks of each node that another element of its tag bears, too.

    What one element alone bears is an identity (`post-1234`), not a look.
    """
    counts = Counter(
        (page.tag[node], mark)
        for node, found in enumerate(marks(page))
        for mark in found
    )
    known: dict[tuple[str, frozenset[str]], frozenset[str]] = {}

    def shared(tag: str, found: frozenset[str]) -> frozenset[str]:
        if (tag, found) not in known:
            common = (mark for mark in found if counts[tag, mark] > 1)
            known[tag, found] = frozenset(common)
        return known[tag, found]

    return [shared(page.tag[node], found) for node, found in enumerate(marks(page))]
