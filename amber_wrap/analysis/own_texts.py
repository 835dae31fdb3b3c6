"""Find values that are the text of an element outside of its children.

An example is "Leeds" in `<p><i>Town</i>Leeds</p>`.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from amber_wrap.analysis.record_annotations import AnnotationsByRecord, ValuePlace
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.annotate.headlines import has_lines_behind
from amber_wrap.annotate.spoken_texts import label_run_on
from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import AttributeType

_LINE = "line"
"""Stands for a child element that begins a line of its own."""


def places_of_own_text(
    page: Page, kind: AttributeType, type_claims: AnnotationsByRecord
) -> Iterator[ValuePlace]:
    """Yield the places in records where a value is the element's own text.

    The children of such an element are a label that runs on into the value, or lines
    behind a headline. Most headlines must differ, unlike "The" in `<a>The <div>Old
    Mill</div></a>`.
    """
    votes: dict[ValuePlace, Counter[str]] = defaultdict(Counter)
    headlines: dict[ValuePlace, set[str]] = defaultdict(set)
    for record_claims in type_claims:
        nodes = {claim.place: claim.node for claim in record_claims}
        for place, node in nodes.items():
            if place.source == TEXT:
                label = label_run_on(page, node)
                is_line = kind.is_headline and has_lines_behind(page, node)
                votes[place][_LINE if is_line else label] += 1
                own_text = page.source_text(node, OWN_TEXT)
                if is_line and any(map(str.isalpha, own_text)):
                    headlines[place].add(own_text)
    for place, counts in votes.items():
        [(child, count)] = counts.most_common(1)
        if child == _LINE and 2 * len(headlines[place]) <= count:
            continue
        least = ALIGNMENT.nearly_all if child == _LINE else 1
        if child and count >= max(ALIGNMENT.least_texts, least * counts.total()):
            yield place
