"""Distinguish vague dates, such as "2 days ago", from exact ones in HTML attributes."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Mapping

from amber_wrap.analysis.attribute_choice import is_in_html_attribute
from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    PlacedAnnotation,
    ValuePlace,
)
from amber_wrap.dom.page import Page
from amber_wrap.values.dates import date

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
"""The start of a date in ISO form."""


def vague_and_exact_dates(
    page: Page, claims_at: Mapping[ValuePlace, AnnotationsByRecord]
) -> tuple[Collection[ValuePlace], Collection[ValuePlace]]:
    """Return the places in records with vague dates, such as "2 days ago", and the
    places with exact dates.

    An exact date is in an HTML attribute of an element around a vague date. Both
    results are empty if no date is in an HTML attribute.
    """
    if not any(map(is_in_html_attribute, claims_at)):
        return (), ()
    first_claims = {
        place: [claims[0] for claims in place_claims]
        for place, place_claims in claims_at.items()
    }
    are_readable = {
        place: _is_majority(map(_is_readable_date, claims))
        for place, claims in first_claims.items()
    }
    vague = {
        place
        for place in first_claims
        if not are_readable[place] and not is_in_html_attribute(place)
    }
    vague_nodes = sorted(claim.node for place in vague for claim in first_claims[place])

    def is_around_vague_date(claim: PlacedAnnotation) -> bool:
        i = bisect_left(vague_nodes, claim.node)
        return i < len(vague_nodes) and page.contains(claim.node, vague_nodes[i])

    exact = {
        place
        for place, claims in first_claims.items()
        if is_in_html_attribute(place)
        and are_readable[place]
        and _is_majority(map(is_around_vague_date, claims))
    }
    return vague, exact


def _is_readable_date(claim: PlacedAnnotation) -> bool:
    """Return whether a recognised date can be converted to an ISO date."""
    return bool(_ISO_DATE.match(date(claim.annotation.text) or ""))


def _is_majority(votes: Iterable[bool]) -> bool:
    """Return whether more votes are True than False."""
    counted = Counter(votes)
    return counted[True] > counted[False]
