"""How much links and headlines say, and which of a record's links is the main one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from math import sqrt

from amber_wrap.analysis.record_annotations import Claims, PlacedAnnotation
from amber_wrap.annotate.builtin import (
    is_link_name,
    is_linked,
    is_pictured,
    is_titled,
)
from amber_wrap.dom.page import NodeId, Page

_NUMBER = re.compile(r"\d[\d., ]*")
"""What may differ where nothing else does: "12 reviews"."""
_LINK = "@href"
_HEADLINE_LENGTH = 20
"""Characters from which on the text of a link says all that a headline can."""


def is_headline(claim: PlacedAnnotation) -> bool:
    """Return whether a claim is of a link, a headline or an image."""
    return claim.annotation.is_of_markup


def main_links(own: Claims) -> Collection[NodeId]:
    """Return the links that lead where most links of their record do, if not each
    of them leads elsewhere, given the claims of a type.
    """
    found: set[NodeId] = set()
    for claims in own:
        links = {one.node: one.annotation.text for one in claims if _is_link(one)}
        targets = Counter(links.values()).most_common(2)
        if targets and targets[0][1] > max([1, *(n for _, n in targets[1:])]):
            found |= {node for node, to in links.items() if to == targets[0][0]}
    return found


def _is_link(claim: PlacedAnnotation) -> bool:
    return claim.place[1] == _LINK and claim.annotation.is_of_markup


def filled_share(
    page: Page, claim: PlacedAnnotation, main: Collection[NodeId]
) -> float:
    """Return how much of its text the value is; of a link or headline, how much it
    says.

    A link of few words, or of none, is rarely the one that names its record, unless its
    image leads there, too, or other links do, those in `main`; nor is a heading that
    leads nowhere, and that neither its author calls a title nor a link or an image is
    called.
    """
    if is_headline(claim):
        length = page.text_length(claim.node)
        if claim.node in main or is_pictured(page, claim.node):
            return float(length > 0)
        says = min(1, length / _HEADLINE_LENGTH)
        called = is_titled(page, claim.node) or is_link_name(page, claim.node)
        return says * (1 + is_linked(page, claim.node) + called) / 3
    shown = page.source_text(claim.node, claim.place[1])
    return min(1, len(claim.annotation.text) / len(shown))


def distinct(page: Page, records: Sequence[Sequence[PlacedAnnotation]]) -> float:
    """Return the share of the values that no record before has.

    The geometric mean of that and the same of what is shown without its numbers: that
    there are as many reviews is as good as no difference.
    """
    values = [page.source_text(one[0].node, one[0].place[1]) for one in records]
    words = [
        _NUMBER.sub("", page.string(one[0].node)) or value
        for one, value in zip(records, values, strict=True)
    ]
    return sqrt(len(set(values)) * len(set(words))) / len(records)
