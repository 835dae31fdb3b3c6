"""Find the element of an example that a person gave, and the matching elements of all
records.

Elements match if they have the same tag path in their records. Table cells and labelled
values match by their columns and labels, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.analysis.value_trimming import STRONG
from amber_wrap.annotate.examples import Example, ExampleSighting, Fit, sightings
from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.names import label_in, label_of
from amber_wrap.annotate.words import COLONS
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.span_patterns import AFTER, BEFORE
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.row_widths import RowKey, row_kinds

CELL: Final = "td"
UNLABELLED: Final = ":labelled()"
Area = tuple[Page, Sequence[Record]]
"""A page, and the records of one of its areas."""
_Key = tuple[str, int]
"""A tag path in records, and the index among the elements there."""
_RecordKey = tuple[Page, NodeId]
"""A page, and the first node of a record on it."""


class _Site(NamedTuple):
    """The element that shows an example, its page and its record."""

    sighting: ExampleSighting
    page: Page
    record: Record


@dataclass(frozen=True, slots=True)
class ExampleSite:
    """The element that shows an example, and the matching elements of all records.

    `text` is the text of the example's element, read from `source`. `values` holds the
    element with the same tag path and index in each record, and its text. `is_moving`
    is true if some records have more elements at the tag path than others. Only the
    index then identifies the value.
    """

    page: Page
    text: str
    source: str
    values: Mapping[_RecordKey, tuple[NodeId, str]]
    is_moving: bool


def example_site(example: Example, areas: Sequence[Area]) -> ExampleSite | None:
    """Return the element of an example and the matching elements of all records.

    Return None if no record contains the example.
    """
    sites = sorted(_sites(areas, example), key=lambda one: one.sighting)
    if not sites:
        return None
    kinds = row_kinds((page, one) for page, records in areas for one in records)
    keys = {
        (page, start): found
        for page, records in areas
        for start, found in _keys(page, records, kinds).items()
    }

    def key_of(site: _Site) -> _Key:
        return keys[site.page, site.record.start][site.sighting.node]

    site, key = sites[0], key_of(sites[0])
    if site.sighting.fit is Fit.WHOLE:
        # Some records display the value alone, and others within a longer text.
        parted = (
            one for one in sites if key_of(one) == key and _is_parted(example, one)
        )
        site = next(parted, site)
    source = site.sighting.source
    values = {
        (page, start): (node, page.source_text(node, source))
        for (page, start), found in keys.items()
        for node, other in found.items()
        if other == key
    }
    alike = [sum(one == key[0] for one, _ in some.values()) for some in keys.values()]
    text = site.page.source_text(site.sighting.node, source)
    return ExampleSite(site.page, text, source, values, len(set(alike) - {0}) > 1)


def _is_parted(example: Example, site: _Site) -> bool:
    """Return whether the example is only a part of its element's text, set off by
    delimiters."""
    text = site.page.source_text(site.sighting.node, site.sighting.source)
    head, _, tail = text.partition(example.text)
    return bool(head or tail) and all(
        STRONG.search(run[0] if (run := by.search(side)) else "")
        for side, by in ((head, BEFORE), (tail, AFTER))
        if side
    )


def _sites(areas: Iterable[Area], example: Example) -> Iterator[_Site]:
    """Yield the elements that show an example in the records of the areas."""
    for page, records in areas:
        for sighting in sightings(example, page):
            for record in records:
                if any(page.contains(row, sighting.node) for row in record.nodes):
                    yield _Site(sighting, page, record)


def _keys(
    page: Page, records: Sequence[Record], kinds: Mapping[RowKey, int]
) -> Mapping[NodeId, Mapping[NodeId, _Key]]:
    """Return the tag path and index of each element in a record, by first node of the
    record.

    A table cell is identified by its column index and label instead of a tag path,
    since its classes may mark a state. The paths of elements within the cell begin with
    this index and label. `kinds` numbers the kinds of table rows, which have different
    columns.
    """
    places = Marks(page, [record.nodes for record in records])
    texts = {
        record.start: {
            node: places.text(path)
            for node, path in places.of_record(page, record.nodes).items()
        }
        for record in records
    }
    labels = {node: _label(page, node) for some in texts.values() for node in some}
    plain = _unlabelled(texts.values(), labels)
    found = {}
    for record in records:
        paths = texts[record.start]
        keys: dict[NodeId, _Key] = {}
        cells: dict[NodeId, str] = {}
        seen = Counter[str]()
        for row in record.nodes:
            kind = kinds.get((page, row), 0)
            for node in page.elements(row):
                own = "" if paths[node] in plain else labels[node]
                if own.endswith(UNLABELLED) and kind and page.parent[node] == row:
                    own = f"{own} of kind {kind}"
                cells[node] = own or cells.get(page.parent[node], "")
                path = "" if own and page.tag[node] == CELL else paths[node]
                place = f"{cells[node]} {path}"
                keys[node] = place, seen[place]
                seen[place] += 1
        found[record.start] = keys
    return found


def _unlabelled(
    records: Iterable[Mapping[NodeId, str]], labels: Mapping[NodeId, str]
) -> frozenset[str]:
    """Return the tag paths that identify an element without its label.

    No record has two elements at such a path, and most elements at the path have no
    label. An example is the path of titles of which only a few follow the label
    "Pinned:".
    """
    seen, labelled, twice = Counter[str](), Counter[str](), set[str]()
    for paths in records:
        counts = Counter(paths.values())
        seen.update(counts.keys())
        twice |= {path for path, count in counts.items() if count > 1}
        labelled.update({path for node, path in paths.items() if labels[node]})
    return frozenset(
        path
        for path, count in labelled.items()
        if count < RULE.labelled * seen[path] and path not in twice
    )


def _label(page: Page, node: NodeId) -> str:
    """Return a text that distinguishes a table cell or a labelled value by its column
    or label.

    Elements with the same tags and classes thus get different paths. Return "" for
    other elements.
    """
    if page.tag[node] not in LABELLED:
        label = label_of(page, node) or label_in(page, node)
        return f":labelled({label})" if label.endswith(COLONS) else ""
    label = label_beside(page, node)
    siblings = page.child_elements(page.parent[node])
    is_told = label and [label_beside(page, one) for one in siblings].count(label) == 1
    at = f"{siblings.index(node)}" if page.tag[node] == CELL and not is_told else ""
    return f"{page.tag[node]}{at}:labelled({label})" if at or label else ""
