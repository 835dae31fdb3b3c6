"""Number the positions of elements in records, so that the positions of different
records can be compared.

AMBER uses characteristic tag paths (section 3.5), which count siblings, so that an
optional icon shifts everything behind it. `Marks` uses class tokens and names instead:
elements with the same mark have the same position.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import chain, pairwise
from math import ceil
from operator import or_
from typing import Protocol

from amber_wrap.analysis.marks import NO_MARKS, marks, marks_of, without_ids
from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.names import LABELLING, icons, is_icon
from amber_wrap.annotate.words import is_label
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

PathNumber = int
"""The number of a position; equal positions of one `Places` have equal numbers."""

_Step = tuple[PathNumber, str, str]
NO_STATES: Mapping[frozenset[str], frozenset[str]] = {}


class Places(Protocol):
    """A numbering of positions in the records of an area, which are given by their
    rows.

    Several elements of a record may have the same position.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None: ...

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return the position of each element of a record, its rows included."""
        ...

    def text(self, path: PathNumber) -> str:
        """Return the position as text for people."""
        ...


class TagPaths:
    """Characteristic tag paths: each element of a record has its own.

    A path has steps to first children and next siblings only, without text nodes. The
    rows of a record are siblings of its first one.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None:
        self._steps = _Steps()

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return the path of each element of a record."""
        found: dict[NodeId, PathNumber] = {}
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

    def text(self, path: PathNumber) -> str:
        """Return the path in the paper's notation: a/first-child::p/next-sibl::i."""
        steps = self._steps.back_from(path)
        return "/".join(f"{axis}::{tag}" if axis else tag for axis, tag in steps)


class Marks:
    """Positions that consist of the nearest marked ancestor of an element and the tags
    below it.

    Marks are class tokens and attributes that name an element's content. Ignored are
    `stripes`, which mark odd and even records, and the ids of records (`without_ids`).
    If `labelled`, icons and labels distinguish numbers: "3" beside a bed, "2" beside a
    bath. `stateless` maps sets of marks with a state to those without. `striped` are
    the stripes of other pages of the template.
    """

    def __init__(
        self,
        page: Page,
        records: Sequence[Sequence[NodeId]],
        stateless: Mapping[frozenset[str], frozenset[str]] = NO_STATES,
        labelled: bool = True,
        striped: frozenset[str] = NO_MARKS,
    ) -> None:
        labels = Counter(
            label
            for rows in (records if labelled else ())
            for label in {one for row in rows for one in _labels_within(page, row)}
        )
        common = (one for one, n in labels.items() if 2 * n >= len(records))
        self._rows = _rows(
            page,
            stripes(page, records) | striped,
            frozenset(without_ids(page, records).items()),
            frozenset(common),
            frozenset(stateless.items()),
        )

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return the position of each element of a record."""
        found = [self._rows.places(page, *one) for one in enumerate(rows)]
        return found[0] if len(found) == 1 else reduce(or_, found)

    def text(self, path: PathNumber) -> str:
        """Return the position in a notation like a CSS selector."""
        return " > ".join(tag + mark for tag, mark in self._rows.back_from(path))


@remembered
def _rows(
    page: Page,
    stripes: frozenset[str],
    ids: frozenset[tuple[str, str]],
    labels: frozenset[str],
    states: frozenset[tuple[frozenset[str], frozenset[str]]],
) -> _Rows:
    """Return the numbering that areas with the same stripes, ids, labels and states
    share.
    """
    stateless, left = dict(states), dict(ids)
    known = {
        one: "".join(
            sorted({left.get(mark, mark) for mark in stateless.get(one, one) - stripes})
        )
        for one in set(marks(page))
    }
    found = [known[one] for one in marks(page)]
    for node, own in _labels(page).items() if labels else ():
        found[node] += "".join(sorted(labels.intersection(own)))
    return _Rows(found)


def are_groups(page: Page, records: Sequence[Sequence[NodeId]]) -> bool:
    """Return whether most records seem to be several records: further rows have the
    look of the first ones.

    Without marks this can't be decided, because all rows of a table look alike.
    """

    if all(len(rows) == 1 for rows in records):
        return False

    def look(node: NodeId) -> tuple[str, frozenset[str]]:
        return page.tag[node], marks_of(page, node)

    starts = {look(rows[0]) for rows in records if marks_of(page, rows[0])}
    groups = sum(any(look(row) in starts for row in rows[1:]) for rows in records)
    return 2 * groups > len(records)


@remembered
def _labels(page: Page) -> Mapping[NodeId, tuple[str, ...]]:
    """Return the labels of all elements that have some."""
    iconic = {page.parent[node] for node in page.elements() if is_icon(page, node)}
    return {
        node: labels
        for node in page.elements()
        if (
            page.tag[node] in LABELLED
            or node in iconic
            or (
                (attributes := page.attributes[node])
                and not attributes.keys().isdisjoint(LABELLING)
            )
        )
        if (labels := tuple(_labels_at(page, node)))
    }


def _labels_at(page: Page, node: NodeId) -> Iterator[str]:
    attributes = page.attributes[node]
    for name in LABELLING:
        if is_label(attributes.get(name, "")):
            yield f"[{name}={attributes[name]}]"
    if page.tag[node] in LABELLED and (label := label_beside(page, node)):
        yield f":labelled({label})"
    found = icons(page, node)
    if len(found) == 1 and page.tag[found[0]] != "img":
        yield f":has({''.join(sorted(marks_of(page, found[0])))})"


def _labels_within(page: Page, row: NodeId) -> frozenset[str]:
    """Return the labels of an element and its descendants."""
    labels, nodes = _labels(page), _labelled(page)
    begin = bisect_left(nodes, row)
    within = nodes[begin : bisect_left(nodes, row + page.size[row], begin)]
    return frozenset(one for node in within for one in labels[node])


@remembered
def _labelled(page: Page) -> Sequence[NodeId]:
    """Return the elements with labels, in document order."""
    return list(_labels(page))


LEAST_STRIPED = 6
"""The number of records from which on a mark of every second one is no chance."""
NEARLY_STRICT = 0.9
"""The share of neighbouring records that a stripe must distinguish; adverts break the
rhythm.
"""


def stripes(page: Page, records: Sequence[Sequence[NodeId]]) -> frozenset[str]:
    """Return the marks that every second record has, on its rows or within."""
    return _stripes(page, tuple(map(tuple, records)))


@remembered
def _stripes(page: Page, records: tuple[tuple[NodeId, ...], ...]) -> frozenset[str]:
    if len(records) < LEAST_STRIPED:
        return frozenset()
    numbered, borne_at = _numbered_marks(page)
    borne = [
        reduce(or_, chain(*(borne_at[row : row + page.size[row]] for row in rows)))
        for rows in records
    ]
    # A bit is set where one of two neighbours has the mark and the other hasn't.
    differ = [one ^ other for one, other in pairwise(borne)]
    enough = NEARLY_STRICT * len(differ)
    alike = len(differ) - ceil(enough)  # The number of neighbours that may be alike.
    left = reduce(or_, differ)
    for i in range(0, len(differ) - alike, alike + 1):
        left &= reduce(or_, differ[i : i + alike + 1])

    def is_stripe(rank: int) -> bool:
        has = sum(one >> rank & 1 for one in borne)
        changes = sum(one >> rank & 1 for one in differ)
        return min(changes, 2 * has, 2 * (len(borne) - has)) >= enough

    maybe = (rank for rank in range(left.bit_length()) if left >> rank & 1)
    return frozenset(numbered[rank] for rank in maybe if is_stripe(rank))


@remembered
def _numbered_marks(page: Page) -> tuple[Sequence[str], Sequence[int]]:
    """Return the marks that several elements have, and the marks of each node as bits
    of a number.
    """
    times = Counter[str]()
    for together, count in Counter(marks(page)).items():
        times.update(dict.fromkeys(together, count))
    numbered = [mark for mark, count in times.items() if count > 1]
    bits = {mark: 1 << rank for rank, mark in enumerate(numbered)}
    number = {
        together: sum(bits.get(mark, 0) for mark in together)
        for together in set(marks(page))
    }
    return numbered, [number[one] for one in marks(page)]


class _Steps:
    """A numbering of paths: each path is a step behind the number of a shorter path."""

    def __init__(self) -> None:
        self._numbers: dict[_Step, PathNumber] = {}
        self._steps: list[_Step] = []

    def number(self, path: PathNumber, axis: str, tag: str) -> PathNumber:
        step = (path, axis, tag)
        if (number := self._numbers.get(step)) is None:
            self._numbers[step] = number = len(self._steps)
            self._steps.append(step)
        return number

    def back_from(self, path: PathNumber) -> list[tuple[str, str]]:
        steps: list[tuple[str, str]] = []
        while path >= 0:
            path, axis, tag = self._steps[path]
            steps.append((axis, tag))
        return steps[::-1]


class _Rows(_Steps):
    """The positions in the rows of records, by the marks of each node."""

    def __init__(self, mark_of: Sequence[str]) -> None:
        super().__init__()
        self._mark_of = mark_of
        self._known: dict[tuple[int, NodeId], dict[NodeId, PathNumber]] = {}

    def places(self, page: Page, i: int, row: NodeId) -> dict[NodeId, PathNumber]:
        """Return the position of each element of row number `i` of a record."""
        if (i, row) in self._known:
            return self._known[i, row]
        # The marks of a row may be states: first, featured, sold.
        found = {row: self.number(-1, "row", str(i))}
        number, mark_of = self.number, self._mark_of
        tag, parent = page.tag, page.parent
        for node in page.elements(row)[1:]:
            mark = mark_of[node]
            above = -1 if mark else found[parent[node]]
            found[node] = number(above, tag[node], mark)
        return self._known.setdefault((i, row), found)
