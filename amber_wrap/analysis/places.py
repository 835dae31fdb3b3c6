"""Where in a record an element is, so that records can be compared.

AMBER's answer are characteristic tag paths (section 3.5).  They count siblings: one
optional icon, and all that follows it is elsewhere.  Marks don't: what an author calls
by one name is one place.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Protocol

from amber_wrap.annotate.names import (
    LABELLED,
    LABELLING,
    has_icons,
    icons,
    is_label,
    label_beside,
)
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.memo import remembered

Path = int
"""A place: equal numbers of one `Places` are equal places."""

Step = tuple[Path, str, str]


class Places(Protocol):
    """A way to tell places of the records of an area, given by their rows.

    Several elements of a record may share one.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None: ...

    def of_record(self, page: Page, rows: Sequence[NodeId]) -> Mapping[NodeId, Path]:
        """The place of each element of a record, its rows included."""
        ...

    def text(self, path: Path) -> str:
        """The place for people."""
        ...


class TagPaths:
    """Characteristic tag paths: no two elements of a record share one.

    A path steps to first children and next siblings only and skips text nodes; the
    rows of a record are siblings of its start.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None:
        self._steps = _Steps()

    def of_record(self, page: Page, rows: Sequence[NodeId]) -> Mapping[NodeId, Path]:
        """The path of each element of a record."""
        found: dict[NodeId, Path] = {}
        top = -1
        for i, row in enumerate(rows):
            top = self._steps.number(top, "next-sibl" if i else "", page.tag[row])
            found[row] = top
            pending = [row]
            while pending:
                parent = pending.pop()
                path, axis = found[parent], "first-child"
                for child in page.child_elements(parent):
                    path = self._steps.number(path, axis, page.tag[child])
                    found[child] = path
                    pending.append(child)
                    axis = "next-sibl"
        return found

    def text(self, path: Path) -> str:
        """The path as the paper writes it: a/first-child::p/next-sibl::i."""
        steps = self._steps.back_from(path)
        return "/".join(f"{axis}::{tag}" if axis else tag for axis, tag in steps)


class Marks:
    """The nearest marked element above an element, and the tags on the way to it.

    An element is marked by class tokens or by an attribute that names what it shows;
    not by the `stripes` of the records, which tell odd ones from even.  What tells
    numbers apart are icons and labels: "3" beside a bed, "2" beside a bath.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None:
        self._steps = _Steps()
        self._stripes = stripes(page, records)
        labels = Counter(
            label
            for rows in records
            for label in {one for row in rows for one in _labels_within(page, row)}
        )
        common = (one for one, n in labels.items() if 2 * n >= len(records))
        self._labels = frozenset(common)
        self._known = _known_marks(page, self._stripes, self._labels)

    def of_record(self, page: Page, rows: Sequence[NodeId]) -> Mapping[NodeId, Path]:
        """The place of each element of a record."""
        found: dict[NodeId, Path] = {}
        for i, row in enumerate(rows):
            # A row's own marks may tell its state: first, featured, sold.
            found[row] = self._steps.number(-1, "row", str(i))
            for node in page.elements(row)[1:]:
                if (mark := self._known.get(node)) is None:
                    mark = self._mark(page, node)
                above = -1 if mark else found[page.parent[node]]
                found[node] = self._steps.number(above, page.tag[node], mark)
        return found

    def text(self, path: Path) -> str:
        """The place, much like a CSS selector."""
        return " > ".join(tag + mark for tag, mark in self._steps.back_from(path))

    def _mark(self, page: Page, node: NodeId) -> str:
        marks = marks_of(page, node) - self._stripes
        labels = self._labels.intersection(labels_of(page, node))
        mark = "".join([*sorted(marks), *sorted(labels)])
        self._known[node] = mark
        return mark


@remembered
def marks_of(page: Page, node: NodeId) -> frozenset[str]:
    """What an element is marked by, as a CSS selector says it."""
    attributes = page.attributes[node]
    names = (
        f"[{name}={attributes[name]}]"
        for name in NAMING_ATTRIBUTES
        if name in attributes
    )
    return frozenset([*(f".{token}" for token in page.classes(node)), *names])


def are_groups(page: Page, records: Sequence[Sequence[NodeId]]) -> bool:
    """Whether most records look like several in one: what follows like the starts.

    Without marks nothing can be told: the rows of a table all look alike.
    """

    def look(node: NodeId) -> tuple[str, frozenset[str]]:
        return page.tag[node], marks_of(page, node)

    starts = {look(rows[0]) for rows in records if marks_of(page, rows[0])}
    groups = sum(any(look(row) in starts for row in rows[1:]) for rows in records)
    return 2 * groups > len(records)


def labels_of(page: Page, node: NodeId) -> tuple[str, ...]:
    """The labels that an element shows when pointed at, and the marks of its icon."""
    return _labels(page).get(node, ())


@remembered
def _labels(page: Page) -> Mapping[NodeId, tuple[str, ...]]:
    """The labels of the elements that have any."""
    return {
        node: labels
        for node in page.elements()
        if (
            not page.attributes[node].keys().isdisjoint(LABELLING)
            or page.tag[node] in LABELLED
            or has_icons(page, node)
        )
        if (labels := tuple(_labels_at(page, node)))
    }


def _labels_at(page: Page, node: NodeId) -> Iterator[str]:
    attributes = page.attributes[node]
    for name in LABELLING:
        if is_label(attributes.get(name, "")):
            yield f"[{name}={attributes[name]}]"
    if label := label_beside(page, node):
        yield f":labelled({label})"
    found = icons(page, node)
    if len(found) == 1 and page.tag[found[0]] != "img":
        yield f":has({''.join(sorted(marks_of(page, found[0])))})"


@remembered
def _known_marks(
    page: Page, stripes: frozenset[str], labels: frozenset[str]
) -> dict[NodeId, str]:
    """What areas that have the same stripes and labels say of elements; empty yet."""
    return {}


@remembered
def _labels_within(page: Page, row: NodeId) -> frozenset[str]:
    """The labels of an element and of all below it."""
    labels = _labels(page)
    within = (node for node in page.elements(row) if node in labels)
    return frozenset(one for node in within for one in labels[node])


@remembered
def _marks_within(page: Page, row: NodeId) -> frozenset[str]:
    """The marks of an element and of all below it."""
    marked = (one for one in page.elements(row) if page.attributes[one])
    return frozenset[str]().union(*(marks_of(page, one) for one in marked))


LEAST_STRIPED = 6
"""Records from which on it is no chance that every second one has a token."""
NEARLY_STRICT = 0.9
"""The share of neighbours that stripes tell apart; adverts break the rhythm."""


def stripes(page: Page, records: Sequence[Sequence[NodeId]]) -> frozenset[str]:
    """Marks that every second record bears, on its rows or within."""
    return _stripes(page, tuple(map(tuple, records)))


@remembered
def _stripes(page: Page, records: tuple[tuple[NodeId, ...], ...]) -> frozenset[str]:
    if len(records) < LEAST_STRIPED:
        return frozenset()
    borne = [
        frozenset[str]().union(*(_marks_within(page, row) for row in rows))
        for rows in records
    ]
    counts = Counter(mark for one in borne for mark in one)
    enough = NEARLY_STRICT * (len(borne) - 1)
    return frozenset(
        mark
        for mark, count in counts.items()
        # Where two neighbours differ, one has it and the other hasn't.
        if 2 * min(count, len(borne) - count) >= enough
        if sum((mark in one) != (mark in other) for one, other in pairwise(borne))
        >= enough
    )


class _Steps:
    """Paths as numbers: a step on the number of the path that it continues."""

    def __init__(self) -> None:
        self._numbers: dict[Step, Path] = {}
        self._steps: list[Step] = []

    def number(self, path: Path, axis: str, tag: str) -> Path:
        step = (path, axis, tag)
        number = self._numbers.setdefault(step, len(self._steps))
        if number == len(self._steps):
            self._steps.append(step)
        return number

    def back_from(self, path: Path) -> list[tuple[str, str]]:
        steps: list[tuple[str, str]] = []
        while path >= 0:
            path, axis, tag = self._steps[path]
            steps.append((axis, tag))
        return steps[::-1]
