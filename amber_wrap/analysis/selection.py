"""The pass `select`: which of the typed areas hold results.

A pivot type that is recognised everywhere (links, prices) makes areas of menus, filters
and footers, too.  What the other annotators find in their records tells them from
results: mutual supervision, one step further than AMBER takes it.
"""

from __future__ import annotations

from collections.abc import Sequence

from amber_wrap.analysis.typing import AreaTyping
from amber_wrap.dom.page import NodeId, Page

LEAST_ATTRIBUTES = 0.5
"""The share of the main area's attributes per record that another area must have."""
LEAST_TEXT = 0.25
"""The same for the text per record, in characters."""
MOST_TEXT = 400
"""Characters that count of a record: a long description is no better than a short."""


def select(page: Page, areas: Sequence[AreaTyping]) -> tuple[AreaTyping, ...]:
    """The main area and those like it, in document order; no two of them overlap.

    The main area is the one that covers most of the page with records that have many
    attributes.  Areas that overlap, such as those of a current and of a former price
    in one record, are different views of the same records: the better one stays.
    """
    ranked = sorted(areas, key=lambda area: -_text(page, area) * _attributes(area))
    chosen: list[AreaTyping] = []
    covered: set[NodeId] = set()
    for area in ranked:
        nodes = set(_nodes(page, area))
        if nodes & covered or (chosen and not _is_like(page, area, chosen[0])):
            continue
        covered |= nodes
        chosen.append(area)
    return tuple(sorted(chosen, key=lambda area: area.records[0].start))


def _is_like(page: Page, area: AreaTyping, main: AreaTyping) -> bool:
    """Whether the records of an area say about as much as those of the main area."""
    attributes, text = _attributes(area), _text(page, area) / len(area.records)
    return attributes >= LEAST_ATTRIBUTES * _attributes(
        main
    ) and text >= LEAST_TEXT * _text(page, main) / len(main.records)


def _attributes(area: AreaTyping) -> float:
    """The mean number of attributes of a record."""
    return sum(map(len, area.attributes)) / len(area.records)


def _text(page: Page, area: AreaTyping) -> int:
    """The number of characters that the records of an area display."""
    return sum(
        min(
            MOST_TEXT,
            sum(
                len(page.text[node])
                for top in record.nodes
                for node in range(top, top + page.size[top])
            ),
        )
        for record in area.records
    )


def _nodes(page: Page, area: AreaTyping) -> list[NodeId]:
    """All nodes of an area's records."""
    return [
        node
        for record in area.records
        for top in record.nodes
        for node in range(top, top + page.size[top])
    ]
