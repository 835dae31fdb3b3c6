"""Compare elements by their marks, such as `.price` or `[itemprop=price]`.

Marks are classes and attributes that name an element, such as `itemprop`, in CSS
notation. They show which elements of different records correspond to each other.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache

from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page

NO_MARKS = frozenset[str]()
"""The empty set of marks, for an element without classes and without attributes that
name it, such as `itemprop`."""

MARKING_ATTRIBUTES = ("class", *NAMING_ATTRIBUTES)
"""The HTML attributes by which elements are compared: `class`, `itemprop` and
others."""

MarkSet = frozenset[str]
"""The marks of an element: its classes, such as `.badge`, and attributes that name it,
such as `[itemprop=price]`."""


def marks_of_nodes(page: Page) -> Sequence[MarkSet]:
    """Return for each node of a page its marks.

    Marks are classes, such as `.price`, and attributes that name an element, such as
    `[itemprop=price]`.
    """
    return [marks_of(page, node) for node in range(len(page))]


def marks_of(page: Page, node: NodeId) -> MarkSet:
    """Return the marks of an element.

    Marks are classes, such as `.price`, and attributes that name an element, such as
    `[itemprop=price]`.
    """
    attributes = page.attributes[node]
    return _marks(*map(attributes.get, MARKING_ATTRIBUTES)) if attributes else NO_MARKS


@lru_cache(maxsize=1 << 14)
def _marks(class_value: str | None, *naming_values: str | None) -> MarkSet:
    """Return an element's marks, such as `.price` and `[itemprop=price]`.

    `class_value` is the value of the attribute `class`. `naming_values` are the values
    of `NAMING_ATTRIBUTES`, in order. A value is None if the element lacks the
    attribute.
    """
    marks = {f".{token}" for token in (class_value or "").split()}
    for name, value in zip(NAMING_ATTRIBUTES, naming_values, strict=True):
        if value is not None:
            marks.add(f"[{name}={value}]")
    return frozenset(marks)


RECORD_ID = re.compile(r"(?<![^\W_])(?=[a-f]*\d)[\da-f]{8,}(?![^\W_])|\d+")
"""Matches a number in a class or name that may be the id of a record. It is a decimal
number, or a long hexadecimal number.
"""


def marks_without_record_ids(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[str, str]:
    """Return a mapping from class names with a record's id to class names with "#"
    instead.

    For example, `.price_7001` and `.price_7014` become `.price_#`.
    """
    records_with: dict[str, set[int]] = defaultdict(set)
    for record_index, rows in enumerate(records):
        mark_sets = {
            marks_of(page, node) for row in rows for node in page.elements(row)
        }
        for mark_set in mark_sets:
            for mark in _marks_with_id(mark_set):
                records_with[mark].add(record_index)
    record_by_mark: dict[str, dict[str, int]] = defaultdict(dict)
    for mark, indexes in records_with.items():
        if len(indexes) == 1:
            record_by_mark[RECORD_ID.sub("#", mark)][mark] = min(indexes)
    return {
        mark: shape
        for shape, record_of in record_by_mark.items()
        if 2 * len(set(record_of.values())) > len(records) > 1
        for mark in record_of
    }


@lru_cache(maxsize=1 << 14)
def _marks_with_id(mark_set: MarkSet) -> Sequence[str]:
    """Return the marks in `mark_set` that contain a number.

    The number may be the id of a record, such as 7001 in `.price_7001`.
    """
    return [mark for mark in mark_set if RECORD_ID.search(mark)]


def marks_without_states(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[MarkSet, MarkSet]:
    """Return a mapping from sets of classes to the same sets without the state of a
    record.

    For example, `.badge.full` and `.badge.cancelled` become `.badge`, because the other
    class differs between records.
    """
    mark_sets = marks_of_nodes(page)
    best: dict[MarkSet, tuple[int, str, MarkSet]] = {}
    for mark, nodes in _elements_by_mark(page, records).items():
        texts: dict[MarkSet, set[str]] = defaultdict(set)
        for node in nodes:
            texts[mark_sets[node]].add(page.string(node))
        common = frozenset.intersection(*texts)
        states = frozenset.union(*texts) - common
        are_classes = all(state.startswith(".") for state in states)
        if not (len(texts) > 1 and are_classes and _are_alike(page, nodes)):
            continue
        is_flag = all(len(texts_of_set) == 1 for texts_of_set in texts.values())
        if (
            common in texts  # No expression selects only the elements without a state.
            or len(nodes) >= ALIGNMENT.least_with_one_state * len(records)
            or (is_flag and len(nodes) > len(texts))
        ):
            candidate = len(nodes), mark, common
            for mark_set in texts:
                known = best.get(mark_set, candidate)
                best[mark_set] = max(known, candidate, key=lambda entry: entry[:2])
    return {mark_set: common for mark_set, (_, _, common) in best.items()}


def _elements_by_mark(
    page: Page, records: Sequence[Sequence[NodeId]]
) -> Mapping[str, list[NodeId]]:
    """Return the elements within records by their classes, such as `.badge`.

    Attributes that name an element, such as `itemprop`, count as classes. A class that
    occurs twice in a record is left out, except for classes that spell the text, as in
    `<b class="full">Full</b>`.
    """
    mark_sets = marks_of_nodes(page)
    sets_with: dict[str, set[MarkSet]] = defaultdict(set)
    for mark_set in set(mark_sets):
        for mark in mark_set:
            sets_with[mark].add(mark_set)
    shared = frozenset(mark for mark, sets in sets_with.items() if len(sets) > 1)
    marked_nodes = [node for node, marks in enumerate(mark_sets) if marks & shared]
    nodes_with: dict[str, list[NodeId]] = defaultdict(list)
    repeated: set[str] = set()
    for rows in records:
        marks_in_record: set[str] = set()
        for row in rows:
            begin = bisect_left(marked_nodes, row + 1)
            end = bisect_left(marked_nodes, row + page.size[row], begin)
            for node in marked_nodes[begin:end]:
                for mark in mark_sets[node] & shared:
                    if mark in marks_in_record:
                        repeated.add(mark)
                    marks_in_record.add(mark)
                    nodes_with[mark].append(node)
    return {
        mark: nodes
        for mark, nodes in nodes_with.items()
        if mark not in repeated or all(_spells_text(page, node) for node in nodes)
    }


def _spells_text(page: Page, node: NodeId) -> bool:
    """Return whether a class token of an element spells the element's text.

    For example, `.full-time` spells "Full Time".
    """
    letters = _letters(page.string(node))
    return bool(letters) and letters in map(_letters, page.classes(node))


def _letters(text: str) -> str:
    """Return the letters and digits of a text in lower case."""
    return "".join(filter(str.isalnum, text.casefold()))


def _are_alike(page: Page, nodes: Sequence[NodeId]) -> bool:
    """Return whether all elements have the same tag, and all their parents have a class
    in common.

    Attributes that name an element, such as `itemprop`, count as classes. If a parent
    has no class, its tag counts as a class.
    """
    if len({page.tag[node] for node in nodes}) > 1:
        return False
    parents = {page.parent[node] for node in nodes}
    looks = [
        marks_of(page, parent) or frozenset({page.tag[parent]}) for parent in parents
    ]
    return bool(frozenset.intersection(*looks))
