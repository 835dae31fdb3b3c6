"""Choose the element with a record's value of one type, and read the value.

`first_occurrence` chooses the first element, as AMBER does (AMBER paper, section 3.5).
`best_scored` chooses the element whose path is rated best over all records.
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
    TextSpan,
    TypeClaims,
    ValuePlace,
    whole_source,
)
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.words_to_trim import NO_CUT, Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.name_annotator import NAME
from amber_wrap.annotate.pattern_annotator import displayed_span
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.values.regular_expressions import SEARCHED

_WORD = re.compile(r"\w+")


class Occurrence(NamedTuple):
    """An element that may have a record's value of one type, such as the price."""

    node: NodeId
    place: ValuePlace
    annotation: Annotation | None
    """The text that may be the value, or None if the element was found only by its path
    from the record.
    """

    @property
    def rank(self) -> NodeId:
        """The node by which elements are sorted in document order.

        It is the node of `annotation`, or `node` if `annotation` is None.
        """
        return self.annotation.node if self.annotation else self.node


@dataclass(frozen=True, slots=True)
class PathScore:
    """A rating of the elements at one path in the records, such as `li > b`, as values
    of one type.
    """

    support: float
    """The share of records with a possible value at the path."""
    fill: float
    """The mean share of an element's text that the value fills, 0 to 1."""
    variety: float = 1
    """A number from 0 to 1, which is low if most values are equal."""
    is_whole_text: bool = False
    """Whether the value is the whole text of an element, apart from `cut`."""
    is_mention: bool = False
    """Whether the texts only mention values, as a description may mention a town."""
    cut: Trimming = NO_CUT
    """What to remove from whole texts, such as the label "Price:"."""
    line: str | None = None
    """The line of the text to read, such as `FIRST_LINE`, or None for the whole text.
    """
    is_vague_date: bool = False
    """Whether most values are vague dates, such as "2 days ago"."""
    is_exact_date: bool = False
    """Whether the values are HTML attributes with the exact dates of vague dates."""
    fuller_paths: frozenset[ValuePlace] = frozenset()
    """The other paths whose texts contain the texts at this path."""
    is_secondary: bool = False
    """Whether the values are amounts of money that aren't prices, or dates within
    sentences.
    """

    @property
    def merit(self) -> float:
        """The overall rating, which is higher for more likely values.

        It is 0 if the texts only mention values, or if a text is much longer than its
        value.
        """
        if self.is_mention:
            return 0.0
        if self.is_whole_text and self.fill < ALIGNMENT.least_fill:
            return 0.0
        merit = self.support * (1 + self.fill) * (1 + self.variety)
        return merit / 2 if self.is_secondary else merit


OccurrenceChoice = Callable[[Sequence[tuple[Occurrence, PathScore]]], Occurrence | None]
"""A function that chooses the element with a record's value of one type.

The argument has the elements that may have the value, each with the score of its path
in the records. The function returns None if no element is good enough.
"""


def first_occurrence(candidates: Sequence[tuple[Occurrence, PathScore]]) -> Occurrence:
    """Return the element that comes first in the document (AMBER paper, section 3.5).

    `candidates` has at least one element.
    """
    occurrences = [occurrence for occurrence, _ in candidates]
    return min(occurrences, key=lambda occurrence: occurrence.rank)


def best_scored(
    candidates: Sequence[tuple[Occurrence, PathScore]],
) -> Occurrence | None:
    """Return the element whose path has the highest rating, `PathScore.merit`.

    Of elements with nearly equal ratings, the first in the document is returned. Return
    None if no rating is above 0.
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
    """Return the paths in records whose values mostly belong to something other than
    the record.

    For example, the author's portrait isn't the image of a post if most posts also have
    a photo.
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
    """Return whether a value is in an HTML attribute, such as `href`, instead of a
    displayed text.
    """
    return place.source.startswith("@")


def chosen_attribute(
    page: Page,
    kind: AttributeType,
    occurrence: Occurrence,
    score: PathScore,
    patterns: Mapping[str, re.Pattern[str]],
) -> Attribute:
    """Return the value of the type `kind` in the element that `occurrence` names.

    The value is the recognised text, the match of a regular expression in `patterns`,
    or the whole text without the parts in `score.cut`.
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
    """Return the value in a text, the text that a pattern matches, and the pattern's
    name.

    For a type without patterns, the value is the whole text. All three are None if the
    type has patterns, but none of them matches.
    """
    recognisers = [name for name in kind.readers if name in patterns]
    for recogniser in recognisers:
        if match := patterns[recogniser].search(text, 0, SEARCHED):
            start, end = displayed_span(match)
            return text[start:end], match[0], recogniser
    # Gazetteers are never complete (section 4), so without patterns any text is a
    # value.
    return (None, None, None) if recognisers else (text, text, None)


def scores_with_fuller_paths(
    found: TypeClaims,
    scores: Mapping[ValuePlace, PathScore],
    texts_at: Mapping[ValuePlace, Sequence[AnnotatedText]],
    lines: Mapping[ValuePlace, str],
) -> Mapping[ValuePlace, PathScore]:
    """Return new scores for the paths in records whose texts are mostly contained in
    the texts at other paths.

    For example, "Oxford" is contained in "1 High Street, Oxford".
    `PathScore.fuller_paths` has the other paths. `scores` has the score of each path,
    and `texts_at` its texts. Paths to HTML attributes, and paths with a `merit` of 0,
    are left out.
    """
    page = found.page
    scores = {
        place: score
        for place, score in scores.items()
        if score.merit and not is_in_html_attribute(place)
    }
    by_text = {
        place: {annotated.text: annotated for annotated in texts}
        for place, texts in texts_at.items()
    }
    counts = Counter[ValuePlace]()
    fuller_counts = Counter[tuple[ValuePlace, ValuePlace]]()
    for claims in found.of_type:
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
    return {
        place: replace(scores[place], fuller_paths=frozenset(fuller_places))
        for place, fuller_places in fuller.items()
    }


def _is_fuller(text: AnnotatedText, contained: AnnotatedText) -> bool:
    """Return whether `text` contains all words of `contained`, and has longer
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


def part_pattern(kind: str) -> str:
    """Return the name of the pattern that finds values of a type in longer texts, such
    as "part:postcode".
    """
    return f"part:{kind}"
