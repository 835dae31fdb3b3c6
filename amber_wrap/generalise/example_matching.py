"""Find the element that shows a person's example value, and the matching element of
each record.

Matching elements have the same tags and classes from the record down, the same table
column, or the same label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.analysis.words_to_trim import STRONG_DELIMITER
from amber_wrap.annotate.definition_terms import LABELLED, label_beside
from amber_wrap.annotate.element_labels import label_in, label_of
from amber_wrap.annotate.examples import Example, ExampleSighting, Fit, sightings
from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.patterns_of_examples import (
    DELIMITERS_AFTER,
    DELIMITERS_BEFORE,
)
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.area_groups import RowKey, row_kinds

CELL: Final = "td"
"""The HTML tag of table cells."""

UNLABELLED: Final = ":labelled()"
"""The ending that `_label` gives to the key of a table cell without a label. Such a key
distinguishes cells by their table column."""

PageRecords = tuple[Page, Sequence[Record]]
"""A page, and the records of one of its lists."""

_ElementKey = tuple[str, int]
"""The key that matching elements of different records have in common. The text is the
tags and classes, the label or the table column of an element. The number counts the
earlier elements of the record with the same text."""

_RecordKey = tuple[Page, NodeId]
"""A page, and the first node of a record on it."""


class _Site(NamedTuple):
    """An element that shows a person's example value, with its page and record."""

    sighting: ExampleSighting
    page: Page
    record: Record

    @property
    def text(self) -> str:
        """The text of the element or HTML attribute that shows the example."""
        return self.page.source_text(self.sighting.node, self.sighting.source)


@dataclass(frozen=True, slots=True)
class ExampleSite:
    """The element that shows a person's example value, and the matching element of each
    record.
    """

    page: Page
    text: str
    """The text of the element, which may be longer than the example."""
    source: str
    """Where the element has the text: in its content, or in an HTML attribute such as
    `@href`."""
    values: Mapping[_RecordKey, tuple[NodeId, str]]
    """The matching element of each record, with its text."""
    is_moving: bool
    """Whether records have different numbers of matching elements. If so, `values` may
    be wrong."""


def example_site(example: Example, areas: Sequence[PageRecords]) -> ExampleSite | None:
    """Return the element that shows a person's example value, and the matching element
    of each record.

    `areas` are lists of records with their pages. Return None if no record contains the
    example.
    """
    sites = sorted(_sites(areas, example), key=lambda site: site.sighting)
    if not sites:
        return None
    kinds = row_kinds((page, record) for page, records in areas for record in records)
    keys_by_record = {
        (page, start): element_keys
        for page, records in areas
        for start, element_keys in _element_keys(page, records, kinds).items()
    }

    def key_of(site: _Site) -> _ElementKey:
        """Return the key that the element with the example has in common with matching
        elements."""
        return keys_by_record[site.page, site.record.start][site.sighting.node]

    site, example_key = sites[0], key_of(sites[0])
    if site.sighting.fit is Fit.WHOLE:
        # Some records display the value alone, and others within a longer text.
        in_longer_text = (
            candidate
            for candidate in sites
            if key_of(candidate) == example_key and _is_delimited(example, candidate)
        )
        site = next(in_longer_text, site)
    source = site.sighting.source
    values = {
        (page, start): (node, page.source_text(node, source))
        for (page, start), element_keys in keys_by_record.items()
        for node, key in element_keys.items()
        if key == example_key
    }
    example_path, _ = example_key
    counts = {
        sum(path == example_path for path, _ in element_keys.values())
        for element_keys in keys_by_record.values()
    }
    is_moving = len(counts - {0}) > 1
    return ExampleSite(site.page, site.text, source, values, is_moving)


def _is_delimited(example: Example, site: _Site) -> bool:
    """Return whether strong delimiters enclose the example within a longer text, as in
    "Ann Poe | 9 May".

    The start and the end of the text are strong delimiters, too.
    """
    head, _, tail = site.text.partition(example.text)
    if head and not _has_strong_sign(DELIMITERS_BEFORE.search(head)):
        return False
    if tail and not _has_strong_sign(DELIMITERS_AFTER.search(tail)):
        return False
    return bool(head or tail)


def _has_strong_sign(delimiters: re.Match[str] | None) -> bool:
    """Return whether the matched delimiters include a strong one, such as "|".

    Return False if there are no delimiters.
    """
    return bool(delimiters and STRONG_DELIMITER.search(delimiters[0]))


def _sites(areas: Iterable[PageRecords], example: Example) -> Iterator[_Site]:
    """Yield the elements that show a person's example value.

    `areas` are the lists of records in which the elements are sought.
    """
    for page, records in areas:
        for sighting in sightings(example, page):
            for record in records:
                if any(page.contains(row, sighting.node) for row in record.nodes):
                    yield _Site(sighting, page, record)


def _element_keys(
    page: Page, records: Sequence[Record], kinds: Mapping[RowKey, int]
) -> Mapping[NodeId, Mapping[NodeId, _ElementKey]]:
    """Return a key for each element in the records of a page, by record and element.

    Matching elements of different records have equal keys. A key has a label or the
    tags and classes from the record down, and an index. `kinds` has, for each table
    row, the number of its group of similar rows.
    """
    places = Marks(page, [record.nodes for record in records])
    paths_by_record = {
        record.start: {
            node: places.text(path)
            for node, path in places.of_record(page, record.nodes).items()
        }
        for record in records
    }
    labels = {
        node: _label(page, node) for paths in paths_by_record.values() for node in paths
    }
    unlabelled_paths = _unlabelled_paths(paths_by_record.values(), labels)
    keys_by_record = {}
    for record in records:
        paths = paths_by_record[record.start]
        keys: dict[NodeId, _ElementKey] = {}
        # The label of each element, or of its nearest ancestor with a label.
        nearest_labels: dict[NodeId, str] = {}
        seen = Counter[str]()
        for row in record.nodes:
            kind = kinds.get((page, row), 0)
            for node in page.elements(row):
                label = "" if paths[node] in unlabelled_paths else labels[node]
                if label.endswith(UNLABELLED) and kind and page.parent[node] == row:
                    label = f"{label} of kind {kind}"
                parent_label = nearest_labels.get(page.parent[node], "")
                nearest_labels[node] = label or parent_label
                is_labelled_cell = label and page.tag[node] == CELL
                path = "" if is_labelled_cell else paths[node]
                place = f"{nearest_labels[node]} {path}"
                keys[node] = place, seen[place]
                seen[place] += 1
        keys_by_record[record.start] = keys
    return keys_by_record


def _unlabelled_paths(
    records: Iterable[Mapping[NodeId, str]], labels: Mapping[NodeId, str]
) -> frozenset[str]:
    """Return the paths of tags and classes whose elements are matched without regard to
    labels.

    At such a path, only a few elements have a label, such as "Pinned:" before a few
    titles. `records` has, for each record, the path of each element. `labels` has the
    labels by element.
    """
    record_counts, labelled_counts = Counter[str](), Counter[str]()
    repeated = set[str]()
    for paths in records:
        element_counts = Counter(paths.values())
        record_counts.update(element_counts.keys())
        repeated |= {path for path, count in element_counts.items() if count > 1}
        labelled_counts.update({path for node, path in paths.items() if labels[node]})
    return frozenset(
        path
        for path, count in labelled_counts.items()
        if count < RULE.least_labelled_share * record_counts[path]
        and path not in repeated
    )


def _label(page: Page, node: NodeId) -> str:
    """Return a text that identifies an element in its record, by a label or by the
    table column.

    For example, return `:labelled(Rooms:)` for an element with a label, or
    `td2:labelled()` for the third cell. Return "" for any other element.
    """
    if page.tag[node] not in LABELLED:
        label = label_of(page, node) or label_in(page, node)
        return f":labelled({label})" if label.endswith(COLONS) else ""
    label = label_beside(page, node)
    siblings = page.child_elements(page.parent[node])
    sibling_labels = [label_beside(page, sibling) for sibling in siblings]
    has_unique_label = label and sibling_labels.count(label) == 1
    column = ""
    if page.tag[node] == CELL and not has_unique_label:
        column = f"{siblings.index(node)}"
    return f"{page.tag[node]}{column}:labelled({label})" if column or label else ""
