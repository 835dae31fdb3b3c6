"""Find labels beside values, such as "Fax" beside a number.

A label shows which values of several records belong together.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from math import ceil
from typing import Final, NamedTuple

from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.annotate.element_labels import label_before_text, label_in
from amber_wrap.annotate.labels_and_titles import COLONS, is_label
from amber_wrap.annotate.spoken_texts import label_run_on
from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.elements_with_texts import leaf_elements
from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import label_before
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.selectors.area_groups import AreaGroup

_TERM_TAGS: Final = frozenset({"dt", "th"})
"""HTML tags of table headers and terms, whose text is a label even if it has many
words, or no capital letter."""


_FIRST_OF_TWO: Final = ":first-of-two"
"""A suffix of the tags and classes of a label whose parent contains only the label and
its value."""


class LabelledValue(NamedTuple):
    """The label of an element, and where in the element the value is."""

    source: str
    """Where the value is: in the whole text of the element, or only in the text
    directly in it."""
    label: str


class Labels(NamedTuple):
    """The labels on a page, such as "Rooms:".

    Each attribute has the labels at one position in relation to the value.
    """

    words: frozenset[NodeId]
    """The elements that hold only a label."""
    values: Mapping[NodeId, LabelledValue]
    """The labels in elements other than that of the value, by the element of the value.
    """
    own: Mapping[NodeId, str]
    """The labels at the start of their value's text, such as "Rooms:" in "Rooms: 3", by
    the element of the text."""
    tails: Mapping[NodeId, str]
    """The labels before a text of the same parent, such as "Rooms:" in `<b>Rooms:</b>
    3`, by the label's element."""
    split: frozenset[NodeId]
    """The parents of the elements in `tails`."""

    def is_behind_label(self, page: Page, node: NodeId, part: NodeId) -> bool:
        """Return whether the element `part` displays the text of the element `node`
        except for the label at its start.

        Return False if the text has no label.
        """
        label = self.own.get(node)
        if label is None:
            return False
        return page.string(node).removeprefix(label).strip() == page.string(part)

    def split_label(self, page: Page, start: NodeId, node: NodeId) -> tuple[str, Cell]:
        """Return the label of the element `node`, and its text as a cell of the record
        that starts at `start`.

        The label is "" if there is none. A label that is the start of the text, such as
        "Rooms:" in "Rooms: 3", stays in the text, too.
        """
        holder = node
        while holder not in self.values and holder > start:
            holder = page.parent[holder]
        labelled = self.values.get(holder)
        if labelled is None:
            label = self.own.get(node, "")
            return label, Cell(page, start, node, page.string(node), label=label)
        if page.text_length(holder) == page.text_length(node):
            node = holder  # All of the holder's text is the value.
        source = labelled.source if node == holder else TEXT
        text = page.source_text(node, source)
        return labelled.label, Cell(page, start, node, text, source)


class _LabelPair(NamedTuple):
    """An element of a record that may be a label, and the element with the value that
    it may name.
    """

    page: Page
    start: NodeId
    """The first node of the record."""
    label: NodeId
    """The element of the label."""
    text: str
    """The text of the label."""
    label_place: str
    """The tags and classes from the record down to the label."""
    value: NodeId
    """The element that the label may name."""
    source: str
    """Where in its element the value is, for example in the whole text."""
    value_place: str
    """The tags and classes from the record down to the named element."""

    @property
    def record(self) -> RecordKey:
        """The page and the first node of the record."""
        return self.page, self.start

    def classes_of_label(self) -> list[str]:
        """Return the classes that the label has and the labelled element lacks.

        For example, return ["seats"] for `<b class="key seats">` beside `<b
        class="key">`.
        """
        named = self.page.classes(self.value)
        return [name for name in self.page.classes(self.label) if name not in named]


class _LabelledNode(NamedTuple):
    """An element in the record that starts at `start`, and its label."""

    page: Page
    start: NodeId
    node: NodeId
    label: str


def find_labels(group: AreaGroup, marks: Sequence[Marks]) -> dict[Page, Labels]:
    """Return the labels, such as "Rooms:", on each page with similar lists.

    `marks` gives the tags and classes around each element for each list in `group`.
    """
    pairs_by_place: dict[str, list[_LabelPair]] = defaultdict(list)
    for pair in _label_pairs(group):
        for place in (pair.label_place, *pair.classes_of_label()):
            pairs_by_place[place].append(pair)
    words: dict[Page, set[NodeId]] = defaultdict(set)
    values: dict[Page, dict[NodeId, LabelledValue]] = defaultdict(dict)
    least = COLUMN.least(sum(1 for _ in group.records()))
    for pairs in pairs_by_place.values():
        record_counts = Counter(
            text for _, text in {(pair.record, pair.text) for pair in pairs}
        )
        usual = [pair for pair in pairs if record_counts[pair.text] >= least]
        if not _are_labels(usual):
            continue
        for pair in usual:
            words[pair.page].add(pair.label)
            values[pair.page][pair.value] = LabelledValue(pair.source, pair.text)
    own, tails = _own_labels(group, marks), _tail_labels(group)
    return {
        page: Labels(
            frozenset((*words[page], *tails[page])),
            values[page],
            own[page],
            tails[page],
            frozenset(page.parent[node] for node in tails[page]),
        )
        for page in {page for page, _ in group.members}
    }


def _least_labels(group: AreaGroup) -> int:
    """Return the number of records that must have a text such as "Rooms:" to make it a
    label."""
    record_count = sum(1 for _ in group.records())
    return max(COLUMN.least_records, ceil(COLUMN.least_repeated_share * record_count))


def _tail_labels(group: AreaGroup) -> Mapping[Page, dict[NodeId, str]]:
    """Return, by page and element, each label that is directly before a text.

    For example, "Rooms:" is the label in `<b>Rooms:</b> 3`.
    """
    candidates: list[_LabelledNode] = []
    beside_others: set[str] = set()
    for page, area in group.members:
        for record in area.records:
            parents = (node for row in record.nodes for node in page.elements(row))
            for parent in parents:
                labels = {
                    node: label
                    for node in page.child_elements(parent)
                    if (label := label_before_text(page, node))
                }
                texts = sum(page.is_text(node) for node in page.children(parent))
                if 0 < len(labels) == texts == len(set(labels.values())):
                    candidates += [
                        _LabelledNode(page, record.start, node, label)
                        for node, label in labels.items()
                    ]
                    if texts > 1:
                        beside_others.update(labels.values())
    record_counts = Counter(
        label
        for _, _, label in {
            (page, start, label) for page, start, _, label in candidates
        }
    )
    least = _least_labels(group)
    labels_by_page: dict[Page, dict[NodeId, str]] = defaultdict(dict)
    for page, _, node, label in candidates:
        if label in beside_others and record_counts[label] >= least:
            labels_by_page[page][node] = label
    return labels_by_page


def _own_labels(
    group: AreaGroup, marks: Sequence[Marks]
) -> Mapping[Page, dict[NodeId, str]]:
    """Return, by page and element, each label at the start of an element's text.

    For example, the label of "Rooms: 3" is "Rooms:".
    """
    text_counts: Counter[str] = Counter()
    labelled_by_place: dict[str, list[_LabelledNode]] = defaultdict(list)
    for (page, area), places in zip(group.members, marks, strict=True):
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            leaves = (node for row in record.nodes for node in leaf_elements(page, row))
            for node in leaves:
                place = places.text(paths[node])
                text_counts[place] += 1
                if label := label_before(page.string(node)):
                    labelled = _LabelledNode(page, record.start, node, label)
                    labelled_by_place[place].append(labelled)
    least = _least_labels(group)
    labels_by_page: dict[Page, dict[NodeId, str]] = defaultdict(dict)
    for place, nodes in labelled_by_place.items():
        times = Counter((page, start, label) for page, start, _, label in nodes)
        record_counts = Counter(label for _, _, label in times)
        usual = {label for label, count in record_counts.items() if count >= least}
        usual_nodes = [labelled for labelled in nodes if labelled.label in usual]
        is_once_per_record = max(times.values()) == 1
        are_most = len(usual_nodes) >= COLUMN.all_with_exceptions * text_counts[place]
        if is_once_per_record and len(usual) > 1 and are_most:
            for page, _, node, label in usual_nodes:
                labels_by_page[page][node] = label
    return labels_by_page


def _label_pairs(group: AreaGroup) -> Iterator[_LabelPair]:
    """Yield each possible label in similar lists, with the element that it may
    label."""
    for page, area in group.members:
        places = Marks(page, [record.nodes for record in area.records])
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            for label, value, source in _possible_labels(page, record.nodes):
                label_place = places.text(paths[label])
                if _are_alone(page, label, value):
                    label_place += _FIRST_OF_TWO
                yield _LabelPair(
                    page,
                    record.start,
                    label,
                    page.string(label),
                    label_place,
                    value,
                    source,
                    places.text(paths[value]),
                )


def _are_alone(page: Page, label: NodeId, value: NodeId) -> bool:
    """Return whether an element holds exactly a label and the value behind it.

    An example is `<li><b>Seats</b><b>12</b></li>`.
    """
    parent = page.parent[label]
    return list(page.child_elements(parent)) == [label, value]


def _possible_labels(
    page: Page, rows: Iterable[NodeId]
) -> Iterator[tuple[NodeId, NodeId, str]]:
    """Yield (label, element, source) for each element that may be the label of another
    element.

    The elements are in `rows`, the top elements of a record. `source` says where in the
    labelled element the value is, for example in the whole text.
    """
    for row in rows:
        for node in page.elements(row)[1:]:
            if not 0 < page.text_length(node) <= COLUMN.longest_label:
                continue
            following, parent = node + page.size[node], page.parent[node]
            is_last = following >= parent + page.size[parent]
            if is_last or not _may_be_label(page, node):
                continue
            if not page.is_text(following):
                if page.text_length(following):
                    yield node, following, TEXT
            elif node == parent + 1 and label_in(page, parent):
                own_text = page.source_text(parent, OWN_TEXT)
                yield node, parent, TEXT if own_text.startswith(COLONS) else OWN_TEXT


def _may_be_label(page: Page, node: NodeId) -> bool:
    """Return whether the text of an element can be a label.

    A `dt` or `th` is a label by its tag. Any other element must have few words, which
    begin with a capital letter or end with a colon.
    """
    text = page.string(node)
    is_titled = text[:1].isupper() or text.endswith(COLONS)
    return page.tag[node] in _TERM_TAGS or (is_label(text) and is_titled)


def _are_labels(pairs: Sequence[_LabelPair]) -> bool:
    """Return whether elements with the same tags and classes above them are labels.

    For example, they are labels if all are `dt` or `th`, or if most texts end with a
    colon. Texts are labels, too, if they have different indexes in different records,
    because some labels are optional.
    """
    if any(pair.label_place == pair.value_place for pair in pairs):
        return False
    if any(pair.label_place == pair.value_place + _FIRST_OF_TWO for pair in pairs):
        record_counts = Counter(
            text for _, text in {(it.record, it.text) for it in pairs}
        )
        record_count = len({pair.record for pair in pairs})
        usual = sum(2 * record_counts[pair.text] > record_count for pair in pairs)
        if usual < COLUMN.all_with_exceptions * len(pairs):
            return False
    if all(pair.page.tag[pair.label] in _TERM_TAGS for pair in pairs):
        return True
    if len({pair.text for pair in pairs}) == 1 and all(
        label_run_on(pair.page, pair.value) for pair in pairs
    ):
        return True
    texts_by_record: dict[RecordKey, list[str]] = defaultdict(list)
    for pair in pairs:
        texts_by_record[pair.record].append(pair.text)
    if 2 * sum(pair.text.endswith(COLONS) for pair in pairs) > len(pairs):
        return not _stand_for_each_other(texts_by_record.values())
    if any(len(set(texts)) < len(texts) for texts in texts_by_record.values()):
        return False
    ranks: dict[str, set[int]] = defaultdict(set)
    for texts in texts_by_record.values():
        for rank, text in enumerate(texts):
            ranks[text].add(rank)
    several = sum(len(texts) > 1 for texts in texts_by_record.values())
    has_moving_text = any(len(text_ranks) > 1 for text_ranks in ranks.values())
    return 2 * several > len(texts_by_record) and has_moving_text


def _stand_for_each_other(texts_by_record: Collection[Sequence[str]]) -> bool:
    """Return whether texts that end with a colon are values, and not labels.

    An example is the city in "London : Faber, 1988" and "Oxford : Clarendon, 2001".
    Each record must have one such text. There must be more than two different texts,
    and none may name a usual field, as "Author:" does.
    """
    different = {text for texts in texts_by_record for text in texts}
    is_one_per_record = all(len(texts) == 1 for texts in texts_by_record)
    return (
        is_one_per_record
        and len(different) > COLUMN.most_label_variants
        and not any(map(usual_field, different))
    )
