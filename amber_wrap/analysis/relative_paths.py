"""Number the paths from records to the elements in them, so that records can be
compared.

`TagPaths` distinguishes paths by tags, as AMBER does (AMBER paper, section 3.5).
`Marks` also distinguishes them by classes, and by attributes that name an element, such
as `itemprop`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from functools import reduce
from itertools import chain, pairwise
from operator import or_
from typing import Final, Protocol

from amber_wrap.analysis.class_marks import NO_MARKS, marks_of, marks_without_record_ids
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.annotate.definition_terms import LABELLED, label_beside
from amber_wrap.annotate.element_icons import drawing_of, named_icons
from amber_wrap.annotate.element_labels import fact_label
from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.dom.page import NodeId, Page

PathNumber = int
"""The number of a path from a record to an element. Within one numbering (`Places`),
equal paths have equal numbers.
"""

_Step = tuple[PathNumber, str, str]
"""The last step of the path from a record to an element: the number of the path before
the step, and two texts that describe the step.
"""
NO_STATES: Mapping[frozenset[str], frozenset[str]] = {}
"""An empty mapping for `Marks`, with which no class tokens count as states of records,
such as `sold`."""

_LABELLED: Final = ":labelled("
"""The text before an element's label in a path such as `td:labelled(Price)`."""
_DRAWN: Final = ":drawn("
"""The text before the name of an icon's drawing in a path such as `li:drawn(#bed)`."""


class Places(Protocol):
    """A numbering of the paths from the records of a list to the elements in them.

    Each record is given as the sequence of its top elements.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None: ...

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return for each element of a record the number of its path from the record.

        `rows` are the top elements of the record, which have numbers, too.
        """
        ...

    def text(self, path: PathNumber) -> str:
        """Return the path with the number `path` as text for people."""
        ...


class TagPaths:
    """A numbering of the paths from records to elements by tags (AMBER paper, section
    3.5).

    Each step of a path leads to a first child element or to the next sibling.
    """

    def __init__(self, page: Page, records: Sequence[Sequence[NodeId]]) -> None:
        self._steps = _Steps()

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return for each element of a record the number of the path to it.

        The path starts at the first of `rows`, the top elements of the record.
        """
        paths: dict[NodeId, PathNumber] = {}
        row_path = -1
        for i, row in enumerate(rows):
            axis = "next-sibl" if i else ""
            row_path = self._steps.number(row_path, axis, page.tag[row])
            paths[row] = row_path
            pending = [row]
            while pending:
                parent = pending.pop()
                path, axis = paths[parent], "first-child"
                for child in page.child_elements(parent):
                    path = self._steps.number(path, axis, page.tag[child])
                    paths[child] = path
                    pending.append(child)
                    axis = "next-sibl"
        return paths

    def text(self, path: PathNumber) -> str:
        """Return the path in the notation of AMBER, for example
        `a/first-child::p/next-sibl::i`.
        """
        steps = self._steps.steps_of(path)
        return "/".join(f"{axis}::{tag}" if axis else tag for axis, tag in steps)


class Marks:
    """A numbering of the paths from records to elements by tags and classes, such as
    `li.offer > b`.

    Classes in `striped`, such as `odd`, are ignored. `stateless` maps the classes of an
    element to the classes without states, such as `sold`. If `labelled`, a path
    includes the label beside the element. If also `facts`, it includes a label in a
    list such as `<p><b>Opens</b> 2 May</p>`.
    """

    def __init__(
        self,
        page: Page,
        records: Sequence[Sequence[NodeId]],
        stateless: Mapping[frozenset[str], frozenset[str]] = NO_STATES,
        labelled: bool = True,
        striped: frozenset[str] = NO_MARKS,
        facts: bool = False,
    ) -> None:
        striped |= stripes(page, records)
        without_id = marks_without_record_ids(page, records)
        labels = _common_labels(page, records, facts) if labelled else {}
        text_of_marks: dict[frozenset[str], str] = {}

        def mark_text(node: NodeId) -> str:
            mark_set = marks_of(page, node)
            if mark_set not in text_of_marks:
                # States and alternating classes such as `odd` name no place.
                lasting = stateless.get(mark_set, mark_set) - striped
                general = {without_id.get(mark, mark) for mark in lasting}
                text_of_marks[mark_set] = "".join(sorted(general))
            return text_of_marks[mark_set] + labels.get(node, "")

        self._steps = _Steps()
        self._in_boxes = _marks_in_several_boxes(page, records, mark_text)
        self._places: dict[tuple[int, NodeId], dict[NodeId, PathNumber]] = {}
        for rows in records:
            for i, row in enumerate(rows):
                self._places[i, row] = self._numbered(page, i, row, mark_text, labels)

    def _numbered(
        self,
        page: Page,
        i: int,
        row: NodeId,
        mark_text: Callable[[NodeId], str],
        labels: Mapping[NodeId, str],
    ) -> dict[NodeId, PathNumber]:
        """Return the numbers of the paths to `row`, a top element of a record, and to
        its descendants.

        `i` is the index of `row` in the record. `mark_text` returns an element's
        classes as text, and `labels` has the labels beside elements.
        """
        # The marks of a row may be states: first, featured, sold.
        paths = {row: self._steps.number(-1, "row", str(i))}
        # The cell of another table column holds another field, even if its link has the
        # same class.
        starts = {row: -1}
        boxes = {row: -1}
        for node in page.elements(row)[1:]:
            mark, parent = mark_text(node), page.parent[node]
            # Texts for screen readers have the same class all over a record.
            is_start = mark and not is_spoken(page, node)
            start = starts[parent] if is_start else paths[parent]
            if is_start and mark in self._in_boxes:
                start = boxes[parent]
            paths[node] = self._steps.number(start, page.tag[node], mark)
            is_labelled = _LABELLED in labels.get(node, "")
            starts[node] = paths[node] if is_labelled else starts[parent]
            boxes[node] = paths[node] if is_start else boxes[parent]
        return paths

    def of_record(
        self, page: Page, rows: Sequence[NodeId]
    ) -> Mapping[NodeId, PathNumber]:
        """Return for each element of a record the number of its path from the record.

        `rows` must be the top elements of a record that the constructor received.
        """
        paths_of_rows = [self._places[i, row] for i, row in enumerate(rows)]
        return reduce(or_, paths_of_rows)

    def text(self, path: PathNumber) -> str:
        """Return the path with the number `path` in a notation like a CSS selector.

        An example is `li.offer > b`.
        """
        return " > ".join(tag + mark for tag, mark in self._steps.steps_of(path))


def are_groups(page: Page, records: Sequence[Sequence[NodeId]]) -> bool:
    """Return whether most of the records seem to be groups of several records.

    In a group, a later top element looks like the first top element of a record.
    """
    if all(len(rows) == 1 for rows in records):
        return False

    def look(node: NodeId) -> tuple[str, frozenset[str]]:
        return page.tag[node], marks_of(page, node)

    starts = {look(rows[0]) for rows in records if marks_of(page, rows[0])}
    groups = sum(any(look(row) in starts for row in rows[1:]) for rows in records)
    return 2 * groups > len(records)


def _marks_in_several_boxes(
    page: Page,
    records: Sequence[Sequence[NodeId]],
    mark_text: Callable[[NodeId], str],
) -> frozenset[str]:
    """Return the classes that occur in several kinds of parents within the same record.

    For example, the class `user` is within `p.author` and within `p.last`. This must be
    so in more than half of the records with the class.
    """
    record_counts: Counter[str] = Counter()
    in_several: Counter[str] = Counter()
    for rows in records:
        boxes_of: dict[str, set[str]] = defaultdict(set)
        for row in rows:
            boxes = {row: ""}
            for node in page.elements(row)[1:]:
                box = boxes[page.parent[node]]
                mark = mark_text(node)
                boxes[node] = mark or box
                if mark:
                    boxes_of[mark].add(box)
        record_counts.update(boxes_of.keys())
        in_several.update(mark for mark, found in boxes_of.items() if len(found) > 1)
    return frozenset(
        mark for mark, count in in_several.items() if 2 * count > record_counts[mark]
    )


def _common_labels(
    page: Page, records: Sequence[Sequence[NodeId]], facts: bool
) -> Mapping[NodeId, str]:
    """Return for each element its labels and icons that at least half of the records
    have, as text in CSS notation.

    A drawing of an icon is left out if it doesn't say what the text beside it means. If
    `facts`, labels in lists such as `<p><b>Opens</b> 2 May</p>` are included.
    """
    labels_of: dict[NodeId, frozenset[str]] = {}
    labels_by_record: list[set[str]] = []
    for rows in records:
        labels_in_record: set[str] = set()
        for row in rows:
            for node in page.elements(row):
                if labels := frozenset(_labels_at(page, node, facts)):
                    labels_of[node] = labels
                    labels_in_record |= labels
        labels_by_record.append(labels_in_record)
    record_counts = Counter(chain.from_iterable(labels_by_record))
    common = {
        label for label, count in record_counts.items() if 2 * count >= len(records)
    }
    drawings = {label for label in common if label.startswith(_DRAWN)}
    common -= {it for it in drawings if not _names_kind(it, drawings, labels_by_record)}
    return {
        node: "".join(sorted(common & labels)) for node, labels in labels_of.items()
    }


def _names_kind(
    drawing: str, drawings: Set[str], labels_by_record: Sequence[Set[str]]
) -> bool:
    """Return whether the drawing of an icon says what the text beside it means, as a
    bed does beside "3".

    Records with this drawing must have another of the `drawings`, too. Records without
    it must not have a drawing in its place, as "closed" is in the place of "open".
    """
    beside = set().union(*(it for it in labels_by_record if drawing in it)) - {drawing}
    without = [labels for labels in labels_by_record if drawing not in labels]
    is_replaced = bool(without) and all(
        any(label.startswith(_DRAWN) for label in labels - beside) for labels in without
    )
    return not drawings.isdisjoint(beside) and not is_replaced


def _labels_at(page: Page, node: NodeId, facts: bool) -> Iterator[str]:
    """Yield the labels and icons of an element in CSS notation.

    If `facts`, labels in lists such as `<p><b>Opens</b> 2 May</p>` are included.
    """
    attributes = page.attributes[node]
    for name in LABELLING:
        if is_label(attributes.get(name, "")):
            yield f"[{name}={attributes[name]}]"
    label = label_beside(page, node) if page.tag[node] in LABELLED else ""
    if label := label or (fact_label(page, node) if facts else ""):
        yield f"{_LABELLED}{label})"
    icon_nodes = named_icons(page, node)
    if len(icon_nodes) == 1:
        [icon] = icon_nodes
        if page.tag[icon] != "img":
            yield f":has({''.join(sorted(marks_of(page, icon)))})"
        if drawing := drawing_of(page, icon):
            yield f"{_DRAWN}{drawing.text})"


def stripes(page: Page, records: Sequence[Sequence[NodeId]]) -> frozenset[str]:
    """Return the classes that about every second record has, such as `.odd`.

    Attributes that name an element, such as `itemprop`, count as classes. Return an
    empty set for a short list.
    """
    if len(records) < ALIGNMENT.least_striped_records:
        return frozenset()
    marks_of_records = [
        frozenset[str]().union(
            *{marks_of(page, node) for row in rows for node in page.elements(row)}
        )
        for rows in records
    ]
    record_counts = Counter(mark for marks in marks_of_records for mark in marks)
    enough = ALIGNMENT.least_stripe_changes * (len(records) - 1)

    def alternates(mark: str) -> bool:
        count = record_counts[mark]
        if 2 * min(count, len(records) - count) < enough:
            return False
        has_mark = [mark in marks for marks in marks_of_records]
        changes = sum(first != second for first, second in pairwise(has_mark))
        return changes >= enough

    return frozenset(filter(alternates, record_counts))


class _Steps:
    """A numbering of paths, each of which is a sequence of steps such as (axis, tag).

    The empty path has the number -1.
    """

    def __init__(self) -> None:
        self._numbers: dict[_Step, PathNumber] = {}
        self._steps: list[_Step] = []

    def number(self, path: PathNumber, axis: str, tag: str) -> PathNumber:
        """Return the number of the path that extends the numbered path `path` by one
        step.

        A new path gets a new number.
        """
        step = (path, axis, tag)
        if (number := self._numbers.get(step)) is None:
            self._numbers[step] = number = len(self._steps)
            self._steps.append(step)
        return number

    def steps_of(self, path: PathNumber) -> list[tuple[str, str]]:
        """Return the steps (`axis`, `tag`) of a path, from the first to the last."""
        steps: list[tuple[str, str]] = []
        while path >= 0:
            path, axis, tag = self._steps[path]
            steps.append((axis, tag))
        return steps[::-1]
