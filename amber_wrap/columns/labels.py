"""Labels: words before values that say what these are.

Where records leave some out, "Fax" isn't the third one in all of them: such values are
told apart by their labels, and labels are no values.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import ceil
from typing import Final, NamedTuple

from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.analysis.text_leaves import cells
from amber_wrap.annotate.names import label_in
from amber_wrap.annotate.words import COLONS, is_label
from amber_wrap.columns.filters import Cell
from amber_wrap.columns.kinds import label_before
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.selectors.area_groups import Group

_TERMS: Final = frozenset({"dt", "th"})
"""Tags of labels."""
_LONGEST: Final = 40
"""Characters of a label."""
_MOST: Final = 0.75
"""The share of the texts at a place that begin with labels, if that tells them."""
_MANY: Final = 0.2
"""The share of the records that have a text with such a label."""
LEAST_SHARE, LEAST_RECORDS = 0.05, 2
"""The share and the number of an area's records that have a label."""


class Labelled(NamedTuple):
    """Where in an element with a label its value is, and the label."""

    source: str
    label: str


class Labels(NamedTuple):
    """The elements of a page that are labels, those that these belong to, and those
    whose texts begin with labels: `<li>Rooms: 3</li>`."""

    words: frozenset[NodeId]
    values: Mapping[NodeId, Labelled]
    own: Mapping[NodeId, str]

    def is_told(self, page: Page, node: NodeId, part: NodeId) -> bool:
        """Whether a part of an element is what stands behind the label there."""
        label = self.own.get(node)
        return label is not None and page.string(node).removeprefix(
            label
        ).strip() == page.string(part)

    def told(self, page: Page, start: NodeId, node: NodeId) -> tuple[str, Cell]:
        """The label of an element of a record, and what the element shows beside it."""
        holder = node
        while holder not in self.values and holder > start:
            holder = page.parent[holder]
        found = self.values.get(holder)
        if found is None:
            label = self.own.get(node, "")
            return label, Cell(page, start, node, page.string(node), label=label)
        if page.text_length(holder) == page.text_length(node):
            node = holder  # It is beside the label.
        source = found.source if node == holder else TEXT
        text = page.source_text(node, source)
        return found.label, Cell(page, start, node, text, source)


class _Pair(NamedTuple):
    """What may be a label, what it may belong to, and the places of both in a record,
    which is known by its start."""

    page: Page
    start: NodeId
    word: NodeId
    text: str
    place: str
    value: NodeId
    source: str
    value_place: str

    @property
    def record(self) -> tuple[Page, NodeId]:
        """What the record is known by among those of all pages."""
        return self.page, self.start


def labels_of(group: Group) -> dict[Page, Labels]:
    """The labels on each page of a group, by page."""
    pairs = list(_pairs(group))
    by_place: dict[str, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        by_place[pair.place].append(pair)
    words: dict[Page, set[NodeId]] = defaultdict(set)
    values: dict[Page, dict[NodeId, Labelled]] = defaultdict(dict)
    least = max(LEAST_RECORDS, ceil(LEAST_SHARE * sum(1 for _ in group.records())))
    for here in by_place.values():
        said = Counter(text for _, text in {(one.record, one.text) for one in here})
        usual = [one for one in here if said[one.text] >= least]
        for one in usual if _are_labels(usual) else ():
            words[one.page].add(one.word)
            values[one.page][one.value] = Labelled(one.source, one.text)
    own = _own_labels(group)
    return {
        page: Labels(frozenset(words[page]), values[page], own[page])
        for page in {page for page, _ in group.members}
    }


def _own_labels(group: Group) -> Mapping[Page, dict[NodeId, str]]:
    """By page the elements whose texts begin with labels, and these.

    Of what stands at one place, most begins with one of several labels that many
    records have, none of them twice: those of few make no columns.
    """
    count = sum(1 for _ in group.records())
    least = max(LEAST_RECORDS, ceil(_MANY * count))
    shown: Counter[str] = Counter()
    by_place: dict[str, list[tuple[Page, NodeId, NodeId, str]]] = defaultdict(list)
    for (page, area), places in zip(group.members, group.places(), strict=True):
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            for node in chain.from_iterable(cells(page, row) for row in record.nodes):
                place = places.text(paths[node])
                shown[place] += 1
                if label := label_before(page.string(node)):
                    by_place[place].append((page, record.start, node, label))
    found: dict[Page, dict[NodeId, str]] = defaultdict(dict)
    for place, here in by_place.items():
        times = Counter((page, start, label) for page, start, _, label in here)
        usual = {
            one
            for one, count in Counter(label for _, _, label in times).items()
            if count >= least
        }
        mine = [one for one in here if one[-1] in usual]
        is_once = max(times.values()) == 1
        if is_once and len(usual) > 1 and len(mine) >= _MOST * shown[place]:
            for page, _, node, label in mine:
                found[page][node] = label
    return found


def _pairs(group: Group) -> Iterator[_Pair]:
    for page, area in group.members:
        places = Marks(page, [record.nodes for record in area.records])
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            for word, value, source in _neighbours(page, record.nodes):
                said = word, page.string(word), places.text(paths[word])
                meant = value, source, places.text(paths[value])
                yield _Pair(page, record.start, *said, *meant)


def _neighbours(
    page: Page, rows: Iterable[NodeId]
) -> Iterator[tuple[NodeId, NodeId, str]]:
    """Elements that begin like labels, what each may belong to, and the source there:
    the element behind it, or the one around it, which has a text of its own."""
    for row in rows:
        for node in page.elements(row)[1:]:
            if not 0 < page.text_length(node) <= _LONGEST:
                continue
            after, parent = node + page.size[node], page.parent[node]
            if after >= parent + page.size[parent] or not _is_word(page, node):
                continue
            if not page.is_text(after):
                if page.text_length(after):
                    yield node, after, TEXT
            elif node == parent + 1 and label_in(page, parent):
                own = page.source_text(parent, OWN_TEXT)
                yield node, parent, TEXT if own.startswith(COLONS) else OWN_TEXT


def _is_word(page: Page, node: NodeId) -> bool:
    text = page.string(node)
    is_titled = text[:1].isupper() or text.endswith(COLONS)
    return is_label(text) and (is_titled or page.tag[node] in _TERMS)


def _are_labels(pairs: Sequence[_Pair]) -> bool:
    """Whether what stands at a place in several records are labels.

    Terms are, and what ends with a colon.  Else records have several of them, each one
    once, and not always the same one at the same rank: some records lack some.
    """
    if any(one.place == one.value_place for one in pairs):
        return False
    if all(one.page.tag[one.word] in _TERMS for one in pairs):
        return True
    if 2 * sum(one.text.endswith(COLONS) for one in pairs) > len(pairs):
        return True
    records: dict[tuple[Page, NodeId], list[str]] = defaultdict(list)
    for one in pairs:
        records[one.record].append(one.text)
    said = records.values()
    if any(len(set(texts)) < len(texts) for texts in said):
        return False
    ranks: dict[str, set[int]] = defaultdict(set)
    for rank, text in chain.from_iterable(map(enumerate, said)):
        ranks[text].add(rank)
    several = sum(len(texts) > 1 for texts in said)
    return 2 * several > len(said) and any(len(one) > 1 for one in ranks.values())
