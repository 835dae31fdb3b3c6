"""Find the lists of similar elements on a page.

AMBER finds lists by values such as prices instead (AMBER paper, section 3.3).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from amber_wrap.analysis.class_marks import marks_of_nodes
from amber_wrap.analysis.extraction_typing import DataArea, Record, Segmentation
from amber_wrap.analysis.table_rows import find_header_rows
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.json_in_scripts import (
    JSON_LD,
    ItemList,
    JsonItem,
    item_lists,
    item_values,
)
from amber_wrap.dom.page import NodeId, Page, lowest_common_ancestor

INSERTED_TAGS: Final = frozenset({"tbody"})
"""Tags of elements that parsers may insert. `like_elements` compares tag paths without
these tags.
"""

_TAGS_WITHOUT_RECORDS: Final = frozenset(
    "html head body script style noscript template option br hr img input svg path "
    "col colgroup meta link source thead tbody".split()
)
"""Tags of elements that can't be records."""


def like_elements(
    page: Page, looks: Sequence[frozenset[str]], closed: Sequence[bool]
) -> tuple[Segmentation, ...]:
    """Return lists of similar displayed elements, each of which is one record.

    `looks` has the classes of each node (`common_marks`), and `closed` says whether a
    node isn't displayed (`closed_nodes`).
    """
    groups: dict[Hashable, list[NodeId]] = defaultdict(list)
    paths, headers = _numbered_paths(page, INSERTED_TAGS), find_header_rows(page)
    for node in page.elements():
        if page.tag[node] in _TAGS_WITHOUT_RECORDS or not page.text_length(node):
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
        for mark in sorted(look):  # The order of a set differs between processes.
            groups["mark", tag, mark].append(node)
            groups["path, mark", paths[node], mark].append(node)
    lists = dict.fromkeys(
        tuple(outermost_nodes(page, group))
        for group in groups.values()
        if len(group) >= SELECTION.least_records
    )
    for nodes in tuple(lists):
        # A header row looks like the other rows, but holds the names of columns.
        rows = tuple(node for node in nodes if node not in headers)
        if len(rows) < len(nodes):
            del lists[nodes]
            lists[rows] = None
    return tuple(
        single_element_list(page, nodes)
        for nodes in lists
        if len(nodes) >= SELECTION.least_records
    )


def multi_sibling_lists(
    page: Page, looks: Sequence[frozenset[str]], closed: Sequence[bool]
) -> Iterator[Segmentation]:
    """Yield lists whose records are several siblings, such as a heading and its
    paragraphs.

    `looks` has the classes of each node (`common_marks`), and `closed` says whether a
    node isn't displayed (`closed_nodes`).
    """
    for parent in page.elements():
        if closed[parent] or page.is_within_hidden(parent):
            continue
        children = [
            child for child in page.child_elements(parent) if page.text_length(child)
        ]
        if len(children) < 2 * SELECTION.least_certain_records:
            continue
        structures = [_structure(page, looks, child) for child in children]
        groups: dict[Hashable, list[int]] = defaultdict(list)
        for rank, child in enumerate(children):
            groups["look", page.tag[child], looks[child]].append(rank)
            groups["structure", structures[rank]].append(rank)
        distinct = dict.fromkeys(map(tuple, groups.values()))
        for leading in distinct:
            if len(leading) < SELECTION.least_certain_records:
                continue
            is_second = leading[-1] == len(children) - 1
            if is_second and tuple(rank - 1 for rank in leading) in distinct:
                continue
            followers = {rank + 1 for rank in leading[:-1]}.difference(leading)
            # Odd rows with the structure of even rows lead no records.
            if not any(structures[rank] == structures[rank - 1] for rank in followers):
                yield from _list_led_by(page, children, leading)


def _structure(
    page: Page, looks: Sequence[frozenset[str]], element: NodeId
) -> Hashable:
    """Return a key that is equal for elements of the same tag whose child elements have
    the same tags and classes.

    `looks` has the classes of each node.
    """
    children = page.child_elements(element)
    return (page.tag[element], *((page.tag[child], looks[child]) for child in children))


def _list_led_by(
    page: Page, children: Sequence[NodeId], leading: Sequence[int]
) -> Iterator[Segmentation]:
    """Yield the list whose records start at the indexes `leading` of `children`.

    Yield nothing if too few records have several elements, or if a record has too many
    elements.
    """
    following_counts = [second - first - 1 for first, second in pairwise(leading)]
    most_following = max(following_counts)
    long_records = sum(count > 0 for count in following_counts)
    if long_records < SELECTION.nearly_all * len(following_counts):
        return
    if most_following > SELECTION.most_following:
        return
    ends = [*leading[1:], leading[-1] + 1 + most_following]
    records = tuple(
        Record(tuple(children[begin:end]))
        for begin, end in zip(leading, ends, strict=True)
    )
    parent = page.parent[children[0]]
    leading_nodes = tuple(children[rank] for rank in leading)
    area = DataArea(parent, leading_nodes, (parent,))
    yield Segmentation(area, records, 1 + most_following)


def single_element_list(page: Page, nodes: Sequence[NodeId]) -> Segmentation:
    """Return the list in which each of `nodes` is one record.

    `nodes` are in document order.
    """
    parents = tuple(dict.fromkeys(page.parent[node] for node in nodes))
    root = lowest_common_ancestor(page, parents)
    records = tuple(Record((node,)) for node in nodes)
    return Segmentation(DataArea(root, tuple(nodes), parents), records, 1)


def outermost_nodes(page: Page, nodes: Iterable[NodeId]) -> Iterator[NodeId]:
    """Yield the elements of `nodes` that have no ancestor in `nodes`.

    `nodes` are in document order.
    """
    end_of_last = -1
    for node in nodes:
        if node >= end_of_last:
            end_of_last = node + page.size[node]
            yield node


def distinct_lists(page: Page, lists: Iterable[Segmentation]) -> list[Segmentation]:
    """Return the lists without duplicates, ordered from the longest text to the
    shortest.

    Of lists with the same texts, the one with the fewest elements per record is kept.
    Lists with too few records, and lists beyond `SELECTION.most_candidates`, are left
    out.
    """
    characters_before, size = page.characters, page.size
    unique: dict[tuple[tuple[int, int], ...], Segmentation] = {}

    def rank(candidate: Segmentation) -> tuple[int, list[NodeId]]:
        starts = [record.start for record in candidate.records]
        return candidate.record_length, starts

    for candidate in lists:
        if len(candidate.records) < SELECTION.least_records:
            continue
        text_spans = tuple(
            (
                characters_before[record.nodes[0]],
                characters_before[record.nodes[-1] + size[record.nodes[-1]]],
            )
            for record in candidate.records
        )
        known = unique.get(text_spans, candidate)
        unique[text_spans] = min(known, candidate, key=rank)
    longest_first = sorted(
        unique.values(), key=lambda candidate: -_counted_length(page, candidate)
    )
    return longest_first[: SELECTION.most_candidates]


def _counted_length(page: Page, candidate: Segmentation) -> int:
    """Return the number of displayed characters in the records of a list.

    At most `SELECTION.counted_record_text` characters count for each record.
    """
    return sum(
        min(SELECTION.counted_record_text, sum(map(page.text_length, record.nodes)))
        for record in candidate.records
    )


def tag_paths(page: Page) -> Sequence[int]:
    """Return a number for each node, equal for elements with the same tags up to the
    root.

    The number is -1 for text nodes.
    """
    return _numbered_paths(page)


def _numbered_paths(page: Page, skipped: Collection[str] = ()) -> Sequence[int]:
    """Return a number for each node, equal for elements with the same tags up to the
    root.

    Tags in `skipped` don't count, and text nodes have the number -1.
    """
    number_of_path: dict[tuple[int, str], int] = {}
    path_numbers = [-1] * len(page)
    for node in page.elements():
        # The root's parent is -1. This index reads the last entry, which is still -1.
        parent_path = path_numbers[page.parent[node]]
        tag = page.tag[node]
        if tag in skipped:
            path_numbers[node] = parent_path
        else:
            path_numbers[node] = number_of_path.setdefault(
                (parent_path, tag), len(number_of_path)
            )
    return path_numbers


def common_marks(page: Page) -> Sequence[frozenset[str]]:
    """Return for each node its classes that another element of the same tag has, too.

    Attributes that name an element, such as `itemprop`, count as classes. All are
    written as in CSS, for example `.price` or `[itemprop=price]`.
    """
    mark_sets = marks_of_nodes(page)
    counts = Counter(
        (page.tag[node], mark)
        for node, mark_set in enumerate(mark_sets)
        for mark in mark_set
    )
    known: dict[tuple[str, frozenset[str]], frozenset[str]] = {}

    def common(tag: str, mark_set: frozenset[str]) -> frozenset[str]:
        if (tag, mark_set) not in known:
            known[tag, mark_set] = frozenset(
                mark for mark in mark_set if counts[tag, mark] > 1
            )
        return known[tag, mark_set]

    return [common(page.tag[node], marks) for node, marks in enumerate(mark_sets)]


def undisplayed_list(page: Page) -> ItemList | None:
    """Return the largest list of items in a script if the page displays at most half of
    the items.

    Return None if there is no such list, or if its items have too few values to be
    records.
    """
    largest = next(iter(item_lists(page)), None)
    if largest is None:
        return None
    items = largest.items[: SELECTION.most_items]
    value_count = sum(1 for item in items for _ in item_values(item))
    is_json_ld = largest.script == JSON_LD
    # A list with few values may be the settings of the page, but not in JSON-LD.
    if not is_json_ld and value_count < SELECTION.least_item_values * len(items):
        return None
    page_text = page.string(0)
    displayed_count = sum(_is_displayed_item(item, page_text) for item in items)
    return largest if 2 * displayed_count <= len(items) else None


def _is_displayed_item(item: JsonItem, page_text: str) -> bool:
    """Return whether a page displays a long text of an item that is in a script.

    `page_text` is the text that the page displays.
    """
    texts = [collapse(text) for _, text in item_values(item) if isinstance(text, str)]
    return any(
        len(text) >= SELECTION.least_item_text and " " in text and text in page_text
        for text in texts
    )
