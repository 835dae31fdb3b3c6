"""Distinguish vague dates, such as "2 days ago" or "9 May", from exact dates."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping

from amber_wrap.analysis.attribute_choice import is_in_html_attribute
from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    PlacedAnnotation,
    ValuePlace,
)
from amber_wrap.dom.page import Page
from amber_wrap.values.dates import date, day_or_month_first

_WORD = re.compile(r"\d+|[^\W\d_]+")
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
"""Matches the start of a date in ISO form."""


def vague_and_exact_dates(
    page: Page, claims_at: Mapping[ValuePlace, AnnotationsByRecord]
) -> tuple[Collection[ValuePlace], Collection[ValuePlace]]:
    """Return the paths in records to vague dates, such as "2 days ago", and the paths
    to exact dates.

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


def dates_with_year(
    type_claims: AnnotationsByRecord,
) -> Mapping[ValuePlace, frozenset[ValuePlace]]:
    """Return the paths in records to dates without a year, each with the paths to the
    same dates with the year.

    An example is `<i>9</i><i>May</i>` beside "9 May 2026". The days must be equal in
    most records. Paths to HTML attributes are left out.
    """
    texts_of_records: list[dict[ValuePlace, str]] = []
    texts_at: dict[ValuePlace, list[str]] = defaultdict(list)
    for record_claims in type_claims:
        texts = {
            claim.place: claim.annotation.text
            for claim in reversed(record_claims)
            if not is_in_html_attribute(claim.place)
        }
        texts_of_records.append(texts)
        for place, text in texts.items():
            texts_at[place].append(text)
    firsts = {place: day_or_month_first(texts) for place, texts in texts_at.items()}
    counts = Counter[tuple[ValuePlace, ValuePlace]]()
    for texts in texts_of_records:
        days = {
            place: day[:10]
            for place, text in texts.items()
            if (day := date(text, firsts[place]) or "")
        }
        for place in texts.keys() - days.keys():
            words = " ".join(_WORD.findall(texts[place]))
            counts.update(
                (place, other)
                for other, day in days.items()
                if date(f"{words} {day[:4]}") == day
            )
    return {
        place: frozenset(
            other for other in texts_at if 2 * counts[place, other] > len(texts)
        )
        for place, texts in texts_at.items()
    }


def _is_readable_date(claim: PlacedAnnotation) -> bool:
    """Return whether a recognised date can be converted to an ISO date."""
    return bool(_ISO_DATE.match(date(claim.annotation.text) or ""))


def _is_majority(votes: Iterable[bool]) -> bool:
    """Return whether more votes are True than False."""
    counted = Counter(votes)
    return counted[True] > counted[False]
