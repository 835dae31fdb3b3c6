"""Areas of which nothing is known but their structure: rows and items side by side.

Where no annotator marks records, a table without links say, siblings of one tag that
show several texts each are records of columns.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.analysis.asides import asides_above
from amber_wrap.analysis.cells import texts
from amber_wrap.analysis.places import marks_of
from amber_wrap.analysis.typing import (
    AreaTyping,
    DataArea,
    ExtractionTyping,
    Record,
    Segmentation,
)
from amber_wrap.dom.page import NodeId, Page

LEAST_RECORDS: Final = 3
LEAST_CELLS: Final = 2
"""The mean number of texts of a record."""
MOST_TEXT: Final = 400
"""Characters that count of a record."""
NEARLY_ALL: Final = 0.8
HEADER: Final = "th"
PARAGRAPH: Final = "p"


def repeated(page: Page) -> ExtractionTyping:
    """The siblings of one tag that show most, texts and characters; or nothing."""
    best = max(_groups(page), key=lambda group: _weight(page, group), default=None)
    if best is None or not _weight(page, best):
        return ExtractionTyping(())
    parent = page.parent[best[0]]
    records = tuple(Record((node,)) for node in best)
    found = Segmentation(DataArea(parent, tuple(best)), records, 1)
    return ExtractionTyping((AreaTyping(found, ((),) * len(records)),))


def _groups(page: Page) -> Iterator[list[NodeId]]:
    """Siblings of one tag that show something; rows of headers are left out."""
    for parent in page.elements():
        groups: dict[str, list[NodeId]] = defaultdict(list)
        for child in page.child_elements(parent):
            is_head = any(page.tag[one] == HEADER for one in page.child_elements(child))
            is_text = page.tag[child] == PARAGRAPH or not page.text_length(child)
            if not (is_text or is_head or page.is_hidden(child)):
                groups[page.tag[child]].append(child)
        for group in groups.values():
            if len(group) >= LEAST_RECORDS and _are_alike(page, group):
                yield group


def _are_alike(page: Page, group: Sequence[NodeId]) -> bool:
    """Whether most siblings bear one mark, or are not marked at all."""
    borne = [marks_of(page, node) or {""} for node in group]
    counts = Counter(mark for marks in borne for mark in marks)
    return max(counts.values()) >= NEARLY_ALL * len(group)


def _weight(page: Page, group: Sequence[NodeId]) -> float:
    """Characters, times the texts of a record beyond the first, times how many records
    show equally many texts; 0 for an aside."""
    if asides_above(page, group[0]):
        return 0.0
    counts = [sum(1 for _ in texts(page, node)) for node in group]
    mean = sum(counts) / len(group)
    if mean < LEAST_CELLS:
        return 0.0
    alike = Counter(counts).most_common(1)[0][1] / len(group)
    length = sum(min(MOST_TEXT, page.text_length(node)) for node in group)
    return (mean - 1) * alike * length
