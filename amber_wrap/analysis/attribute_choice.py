"""Choose the element with a record's value of one type, and read the value.

The AMBER paper takes the first element in which a value was recognised (section 3.5).
The function `best_scored` improves on this: it chooses the element at the best path, a
position in records. The properties of a path in all records (`PathScore`) decide which
path is best.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import permutations
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.record_annotations import (
    AnnotatedText,
    AnnotationsByRecord,
    TextSpan,
    ValuePlace,
    whole_source,
)
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.value_trimming import NO_CUT, Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.markup_annotators import NAME
from amber_wrap.annotate.pattern_and_gazetteer_annotators import displayed_span
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.values.regular_expressions import SEARCHED

_WORD = re.compile(r"\w+")


class Occurrence(NamedTuple):
    """An element of a record that may have the record's value of one type, such as the
    price.

    `place` is the position of the possible value in the record. `annotation` is None if
    no value of the type was recognised in the element.
    """

    node: NodeId
    place: ValuePlace
    annotation: Annotation | None

    @property
    def rank(self) -> NodeId:
        """The node by which elements are sorted in document order.

        It is the text node or element in which a value was recognised, or else `node`.
        """
        return self.annotation.node if self.annotation else self.node


@dataclass(frozen=True, slots=True)
class PathScore:
    """The properties of one path, as found in all records, for one type of values.

    A path is an element's position in a record. `support` is the share of records in
    which a value of the type was recognised at the path, as in AMBER. `fill` is the
    mean share of a text that a value fills, 0 to 1. `variety` is a number from 0 to 1,
    which is low if most records have equal values.

    `is_whole_text` says whether the values are whole texts. `cut` has the parts to
    remove from the whole texts. `line` is the part of an element's text that is the
    value, for example `FIRST_LINE`. `line` is None if no particular part is the value.
    `is_mention` says whether the texts only mention values, as a long description may
    mention a town.

    `is_vague_date` says whether most values are vague dates, such as "2 days ago".
    `is_exact_date` says whether the values are exact dates in HTML attributes of
    elements around vague dates, for example `2026-01-05` in `<time
    datetime="2026-01-05">2 days ago</time>`. `is_secondary_amount` says whether the
    values are amounts of money besides the price, such as fees. `fuller_paths` are the
    paths whose texts contain the texts at this path.
    """

    support: float
    fill: float
    variety: float = 1
    is_whole_text: bool = False
    is_mention: bool = False
    cut: Trimming = NO_CUT
    line: str | None = None
    is_vague_date: bool = False
    is_exact_date: bool = False
    fuller_paths: frozenset[ValuePlace] = frozenset()
    is_secondary_amount: bool = False

    @property
    def merit(self) -> float:
        """The overall rating of the path, which is higher for better paths.

        The rating grows with `support`, `fill` and `variety`. It is halved for
        secondary amounts. It is 0 if the texts only mention values. It is also 0 if the
        values should be whole texts, but fill less than the share
        `ALIGNMENT.least_fill` of the texts.
        """
        if self.is_mention:
            return 0.0
        if self.is_whole_text and self.fill < ALIGNMENT.least_fill:
            return 0.0
        merit = self.support * (1 + self.fill) * (1 + self.variety)
        return merit / 2 if self.is_secondary_amount else merit


OccurrenceChoice = Callable[[Sequence[tuple[Occurrence, PathScore]]], Occurrence | None]
"""A function that chooses the element with a record's value of one type.

The argument has the elements that may have the value, each with the score of its
position in the record. The function returns None if no element is good enough.
"""


def first_occurrence(candidates: Sequence[tuple[Occurrence, PathScore]]) -> Occurrence:
    """Return the element that comes first in the document (AMBER paper, section 3.5).

    `candidates` has the elements of a record that may have its value, each with the
    score of its position in the record. The scores are ignored. `candidates` isn't
    empty.
    """
    occurrences = [occurrence for occurrence, _ in candidates]
    return min(occurrences, key=lambda occurrence: occurrence.rank)


def best_scored(
    candidates: Sequence[tuple[Occurrence, PathScore]],
) -> Occurrence | None:
    """Return the element whose position has the highest rating, `PathScore.merit`.

    `candidates` has the elements of a record that may have its value, each with the
    score of its position in the record. Values in HTML attributes are left out. So are
    texts that are parts of another candidate's text, as a town is a part of an address.
    If nothing would remain, none is left out.

    Ratings of at least `ALIGNMENT.equal_merit_share` times the highest rating are
    treated as equal. Of elements with equal ratings, the first in document order is
    returned. If it has a vague date, such as "2 days ago", the exact date in an HTML
    attribute is returned instead. Return None if no rating is above 0.
    """
    if len(candidates) == 1:
        [(only, score)] = candidates
        return only if score.merit else None
    places = {occurrence.place for occurrence, score in candidates if score.merit}
    preferred = [
        (occurrence, score)
        for occurrence, score in candidates
        if not is_in_html_attribute(occurrence.place)
        and score.fuller_paths.isdisjoint(places)
    ]
    rated = [
        (occurrence, score)
        for occurrence, score in preferred or candidates
        if score.merit
    ]
    if not rated:
        return None
    enough = ALIGNMENT.equal_merit_share * max(score.merit for _, score in rated)
    best, best_score = min(
        ((occurrence, score) for occurrence, score in rated if score.merit >= enough),
        key=lambda candidate: candidate[0].rank,
    )
    if not best_score.is_vague_date:
        return best
    exact_dates = [
        occurrence
        for occurrence, score in candidates
        if score.is_exact_date and occurrence.node <= best.node
    ]
    return max(exact_dates, key=lambda occurrence: occurrence.node, default=best)


def places_of_other_things(
    page: Page,
    candidates_of_records: Sequence[Sequence[tuple[Occurrence, PathScore]]],
    choice: OccurrenceChoice,
) -> Set[ValuePlace]:
    """Return the positions in records at which wrong values of a type would be chosen.

    For example, most posts show a photo beside the portrait of their author. The
    portrait would be chosen as the image of the posts without a photo. Therefore the
    position of the portraits is returned.

    A position is the path from a record to an element, with the text or HTML attribute
    that is read. A position is returned if its element is chosen in some records, but
    in more records another element is chosen instead. Elements with equal texts (or
    image addresses) count as one.

    `candidates_of_records` has for each record the elements that may have its value,
    each with the score of its position. `choice` chooses one of them.
    """
    others: set[ValuePlace] = set()
    while True:
        chosen_places: set[ValuePlace] = set()
        surplus = Counter[ValuePlace]()
        for candidates in candidates_of_records:
            rated = [it for it in candidates if it[0].place not in others]
            chosen = choice(rated) if rated else None
            if chosen is None:
                continue
            chosen_places.add(chosen.place)
            text = page.source_text(chosen.node, chosen.place.source)
            for (node, place, _), _ in rated:
                is_same = text == page.source_text(node, place.source)
                surplus[place] += -1 if node == chosen.node or is_same else 1
        found = {place for place in chosen_places if surplus[place] > 0}
        if not found:
            return others
        others |= found


def is_in_html_attribute(place: ValuePlace) -> bool:
    """Return whether the value at a position is in an HTML attribute, not displayed."""
    return place.source.startswith("@")


def chosen_attribute(
    page: Page,
    kind: AttributeType,
    occurrence: Occurrence,
    score: PathScore,
    patterns: Mapping[str, re.Pattern[str]],
) -> Attribute:
    """Return the attribute (the value with its type) at the chosen element of a record.

    `kind` is the type. The value comes from the element's annotation, if a value was
    recognised there. Otherwise, `patterns` read the value from the text. If
    `score.is_whole_text`, the value is the whole text without the parts that
    `score.cut` removes.
    """
    node, source = occurrence.node, occurrence.place.source
    annotation = occurrence.annotation
    text: str | None
    matched: str | None
    recogniser: str | None
    if annotation is not None:
        text, matched = annotation.text, annotation.matched
        recogniser = annotation.recogniser
    else:
        element_text = page.source_text(node, source)
        text, matched, recogniser = _unannotated_value(element_text, kind, patterns)
        if kind.kind is ValueKind.TEXT and score.fill < ALIGNMENT.nearly_all:
            # Values are parts of the texts here, and gazetteers don't show which part.
            text = matched = text if recogniser else None
    if score.is_whole_text:
        source = score.line or whole_source(page, node, source, annotation)
        text = matched = page.source_text(node, source)
        if not kind.whole and recogniser != NAME:
            recogniser = None  # Only a part of the text is recognised.
        if score.cut:
            start, end = score.cut.value_span(text)
            text = matched = text[start:end]
            recogniser = part_pattern(kind.name)
    return Attribute(
        type=kind.name,
        node=node,
        source=source,
        text=text,
        matched=matched,
        recogniser=recogniser,
        support=score.support,
        origin="inferred" if annotation is None else "annotated",
    )


def _unannotated_value(
    text: str, kind: AttributeType, patterns: Mapping[str, re.Pattern[str]]
) -> tuple[str | None, str | None, str | None]:
    """Return the value, the matched text and the pattern's name for an element's text.

    The text is one in which no value was recognised before. The first matching pattern
    of the type `kind` finds the value. If the type has patterns, but none matches, all
    three results are None. If the type has no patterns, the value and the matched text
    are the whole text, and the name is None.
    """
    recognisers = [name for name in kind.readers if name in patterns]
    for recogniser in recognisers:
        if match := patterns[recogniser].search(text, 0, SEARCHED):
            start, end = displayed_span(match)
            return text[start:end], match[0], recogniser
    # Gazetteers are never complete (section 4), so without patterns any text is a
    # value.
    return (None, None, None) if recognisers else (text, text, None)


def fuller_paths(
    page: Page,
    scores: Mapping[ValuePlace, PathScore],
    texts_at: Mapping[ValuePlace, Sequence[AnnotatedText]],
    type_claims: AnnotationsByRecord,
    lines: Mapping[ValuePlace, str],
) -> Mapping[ValuePlace, frozenset[ValuePlace]]:
    """Return for each position in records the positions with fuller texts.

    A fuller text contains all words of another text, and more characters in recognised
    values. For example, "1 High Street, Oxford" is fuller than "Oxford". A position is
    fuller than another position if its texts are fuller in most records, and its values
    vary at least as much. Only positions to which others are fuller are keys.

    `scores` has the positions to compare. `texts_at` has the texts at each position.
    `type_claims` has the recognised values of one type in each record. `lines` maps a
    position to the part of the text that is the value, such as the first line.
    """
    by_text = {
        place: {annotated.text: annotated for annotated in texts}
        for place, texts in texts_at.items()
    }
    counts = Counter[ValuePlace]()
    fuller_counts = Counter[tuple[ValuePlace, ValuePlace]]()
    for claims in type_claims:
        text_at: dict[ValuePlace, AnnotatedText] = {}
        for claim in claims:
            place = claim.place
            if place in text_at or place not in scores:
                continue
            source = lines.get(place) or whole_source(
                page, claim.node, place.source, claim.annotation
            )
            text = page.source_text(claim.node, source)
            if text in by_text[place]:
                span = scores[place].cut.value_span(text)
                text_at[place] = by_text[place][text].within(span)
        counts.update(text_at.keys())
        for (place, annotated), (other_place, other_annotated) in permutations(
            text_at.items(), 2
        ):
            if _is_fuller(other_annotated, annotated):
                fuller_counts[place, other_place] += 1
    fuller: dict[ValuePlace, set[ValuePlace]] = defaultdict(set)
    for (place, other_place), count in fuller_counts.items():
        varies_enough = scores[other_place].variety >= scores[place].variety
        if 2 * count > counts[place] and varies_enough:
            fuller[place].add(other_place)
    return {place: frozenset(fuller_places) for place, fuller_places in fuller.items()}


def _is_fuller(text: AnnotatedText, contained: AnnotatedText) -> bool:
    """Return whether `text` contains the words of `contained`, and more characters in
    recognised values.
    """
    words = f" {' '.join(_WORD.findall(text.text))} "
    contained_words = f" {' '.join(_WORD.findall(contained.text))} "
    return (
        len(words) > len(contained_words)
        and contained_words in words
        and span_size([text.inner_spans]) > span_size([contained.type_spans])
    )


def span_size(span_lists: Iterable[Sequence[TextSpan]]) -> int:
    """Return the total number of characters in all spans of the lists `span_lists`."""
    return sum(end - start for spans in span_lists for start, end in spans)


def scores_with_fuller_paths(
    page: Page,
    scores: Mapping[ValuePlace, PathScore],
    texts_at: Mapping[ValuePlace, Sequence[AnnotatedText]],
    type_claims: AnnotationsByRecord,
    lines: Mapping[ValuePlace, str],
) -> Mapping[ValuePlace, PathScore]:
    """Return new scores for the positions whose texts are parts of texts at other
    positions.

    The other positions become the `fuller_paths` of the new score. For example, a
    position of towns, such as "Oxford", gets the position of addresses, such as "1 High
    Street, Oxford". Positions in HTML attributes and positions with a `PathScore.merit`
    of 0 are neither compared nor returned.

    `scores` has the present score of each position. `texts_at` has the texts at each
    position. `type_claims` has the recognised values of one type in each record.
    `lines` maps a position to the part of the text that is the value, such as the first
    line.
    """
    eligible = {
        place: score
        for place, score in scores.items()
        if score.merit and not is_in_html_attribute(place)
    }
    fuller = fuller_paths(page, eligible, texts_at, type_claims, lines)
    return {
        place: replace(scores[place], fuller_paths=fuller_places)
        for place, fuller_places in fuller.items()
    }


def part_pattern(kind: str) -> str:
    """Return the name of the pattern that finds the values of a type in longer texts.

    For example, the name is "part:postcode" for the type "postcode". `kind` is the name
    of the type.
    """
    return f"part:{kind}"
