"""Rate the paths at which values of a type are recognised, to choose a value per
record.

A path is an element's position in the records. AMBER compares paths only by their
support, the share of records with a recognised value at the path (AMBER paper, section
3.5). A `PathScore` has further properties of a path, such as whether its values differ
between records.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from math import sqrt

from amber_wrap.analysis.attribute_choice import (
    PathScore,
    scores_with_fuller_paths,
    span_size,
)
from amber_wrap.analysis.record_annotations import (
    AnnotatedText,
    AnnotationsByRecord,
    PlacedAnnotation,
    ValuePlace,
    texts_at_paths,
)
from amber_wrap.analysis.secondary_amounts import are_secondary_amounts
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.vague_dates import vague_and_exact_dates
from amber_wrap.analysis.value_trimming import Trimming
from amber_wrap.annotate.labels_and_titles import in_heading, is_titled
from amber_wrap.annotate.links import Links, is_linked
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind

LearnCut = Callable[[Sequence[AnnotatedText], str | None], Trimming]
"""A function that returns the parts to remove from texts.

The arguments are the texts, and the topic of the page: the texts of its title and main
headings. If the topic is None, less is removed.
"""

_LABEL = re.compile(r"\w ?: ")
"""The separator between a label and its value."""


def score_paths(
    page: Page,
    links: Links,
    kind: AttributeType,
    schema: Schema,
    claims: AnnotationsByRecord,
    type_claims: AnnotationsByRecord,
    learn_cut: LearnCut,
    lines: Mapping[ValuePlace, str],
) -> dict[ValuePlace, PathScore]:
    """Return the score of each position at which values of the type `kind` are
    recognised.

    A position is the path from a record to an element. `claims` has all recognised
    values of each record. `type_claims` has only the values of the type `kind`.
    `learn_cut` returns the parts to remove from the whole texts at a position. `lines`
    maps positions to the part of an element's text that is the value, for example
    `FIRST_LINE`.
    """
    claims_at = _claims_by_place(type_claims)
    main_link_nodes = main_links(type_claims)
    if kind.whole:
        texts_at = texts_at_paths(page, kind, schema, claims, lines)
        topic = _topic(page)
        scores = {
            place: _whole_text_score(
                page,
                links,
                place_claims,
                len(claims),
                texts_at[place],
                topic,
                main_link_nodes,
                learn_cut,
                lines.get(place),
            )
            for place, place_claims in claims_at.items()
        }
        if not kind.annotators:
            scores |= scores_with_fuller_paths(
                page, scores, texts_at, type_claims, lines
            )
        return scores
    dates_at = claims_at if kind.kind is ValueKind.DATE else {}
    vague, exact = vague_and_exact_dates(page, dates_at)
    scores = {}
    for place, place_claims in claims_at.items():
        support = len(place_claims) / len(claims)
        first_claims = [record_claims[0] for record_claims in place_claims]
        fill = _mean_fill(page, links, place_claims, main_link_nodes)
        scores[place] = PathScore(
            support,
            fill,
            _headline_variety(page, links, place_claims),
            is_mention=_in_passing(page, place_claims, support),
            is_vague_date=place in vague,
            is_exact_date=place in exact,
            is_secondary_amount=kind.kind is ValueKind.MONEY
            and are_secondary_amounts(page, first_claims, type_claims),
        )
    return scores


def _claims_by_place(
    type_claims: AnnotationsByRecord,
) -> Mapping[ValuePlace, list[list[PlacedAnnotation]]]:
    """Return for each position the recognised values of all records at the position.

    A position is the path from a record to an element. The result has a list for each
    position, with an entry for each record that has values there. The entry is the list
    of these values. `type_claims` has the recognised values of one type in each record.
    """
    claims_at: dict[ValuePlace, list[list[PlacedAnnotation]]] = defaultdict(list)
    for record_claims in type_claims:
        in_record: dict[ValuePlace, list[PlacedAnnotation]] = {}
        for claim in record_claims:
            if claim.place not in in_record:
                in_record[claim.place] = []
                claims_at[claim.place].append(in_record[claim.place])
            in_record[claim.place].append(claim)
    return claims_at


def _headline_variety(
    page: Page, links: Links, place_claims: AnnotationsByRecord
) -> float:
    """Return how much the headlines at a position differ, 0 to 1.

    A position is the path from a record to an element. `place_claims` has the
    recognised values at the position in each record. Return 1 if the values aren't
    headlines. Return 1 also if the markup names the headlines as titles, as in `<p
    class="title">`, because then headlines of different records may well be equal. Only
    the first value of the first record is tested for both conditions.
    """
    first_claim = place_claims[0][0]
    if first_claim.annotation.is_of_markup and not is_titled(page, first_claim.node):
        return value_variety(page, links, place_claims)
    return 1


def _whole_text_score(
    page: Page,
    links: Links,
    place_claims: AnnotationsByRecord,
    record_count: int,
    texts: Sequence[AnnotatedText],
    topic: str,
    main_link_nodes: Collection[NodeId],
    learn_cut: LearnCut,
    line: str | None,
) -> PathScore:
    """Return the score of a position at which the values of a type are whole texts.

    A position is the path from a record to an element. Labels around the values are
    removed before the score is computed.

    `place_claims` has the recognised values at the position, for each record with such
    a value. `record_count` is the number of all records. `texts` are the texts at the
    position. `learn_cut` returns the parts to remove from the texts, such as labels.
    `topic` has the title and main headings of the page. `main_link_nodes` has the links
    to the records' own pages. `line` is the part of an element's text that is the
    value, or None.
    """
    first_claim = place_claims[0][0]
    is_headline = first_claim.annotation.is_of_markup
    variety = _headline_variety(page, links, place_claims)
    cut = learn_cut(texts, None if is_headline else topic)
    trimmed_texts = [text.within(cut.value_span(text.text)) for text in texts]
    recognised = [value for value in trimmed_texts if value.type_spans]
    if is_headline:
        fill = _mean_fill(page, links, place_claims, main_link_nodes)
        if variety == 1 and is_linked(page, first_claim.node):
            # A link that differs in each record names the record.
            fill = max(fill, ALIGNMENT.least_fill)
    else:
        fill = _whole_fill(recognised)
        if not is_titled(page, first_claim.node):
            variety = _variety(recognised)
    own_size = span_size(value.type_spans for value in trimmed_texts)
    other_size = span_size(value.other_spans for value in trimmed_texts)
    label_lists = sum(map(_is_list_of_labels, trimmed_texts))
    return PathScore(
        len(place_claims) / record_count,
        fill,
        variety,
        is_whole_text=True,
        # A headline that is nearly all price names no record.
        is_mention=other_size > own_size * (ALIGNMENT.nearly_all if is_headline else 1)
        or 2 * label_lists > len(trimmed_texts),
        cut=cut,
        line=line,
    )


def _topic(page: Page) -> str:
    """Return the texts of `<title>` and `<h1>`, separated by spaces."""
    titles = (node for node, tag in enumerate(page.tag) if tag in ("title", "h1"))
    return " ".join(map(page.string, titles))


def _mean_fill(
    page: Page,
    links: Links,
    place_claims: AnnotationsByRecord,
    main_link_nodes: Collection[NodeId],
) -> float:
    """Return the mean share of the elements' texts that recognised values fill, 0 to 1.

    The mean is taken over the first value of each record. For a headline, link or
    image, a rating takes the place of the share (`filled_share`). `place_claims` has
    the recognised values at one position in each record. `main_link_nodes` has the
    links to the records' own pages.
    """
    shares = [
        filled_share(page, links, claims[0], main_link_nodes) for claims in place_claims
    ]
    return sum(shares) / len(shares)


def _in_passing(page: Page, place_claims: AnnotationsByRecord, support: float) -> bool:
    """Return whether the texts at a position are long descriptions that rarely mention
    a value.

    A position is the path from a record to an element. The mean length must be above
    `ALIGNMENT.description_length` characters. `support`, the share of records with a
    recognised value, must be below `ALIGNMENT.least_described`. `place_claims` has the
    recognised values at the position in each record.
    """
    total_length = sum(len(_annotated_text(page, claims[0])) for claims in place_claims)
    is_long = total_length > ALIGNMENT.description_length * len(place_claims)
    return is_long and support < ALIGNMENT.least_described


def _annotated_text(page: Page, claim: PlacedAnnotation) -> str:
    """Return the whole text of an element or HTML attribute with a recognised value."""
    return page.source_text(claim.node, claim.place.source)


def _whole_fill(texts: Sequence[AnnotatedText]) -> float:
    """Return the mean share of a text that values of the wanted type fill, 0 to 1.

    The values are at the spans `type_spans` of each text. Return 0 if there are no
    texts.
    """
    shares = [
        min(1, span_size([annotated.type_spans]) / len(annotated.text))
        for annotated in texts
    ]
    return sum(shares) / max(1, len(shares))


def _is_list_of_labels(annotated: AnnotatedText) -> bool:
    """Return whether a text has several labels, as in "Beds: 2 Baths: 1"."""
    return len(_LABEL.findall(annotated.text)) > 1


def _variety(texts: Sequence[AnnotatedText]) -> float:
    """Return a number from 0 to 1 that is low if many texts are equal.

    The number is three times the share of different texts, but at most 1. Return 0 if
    there are no texts.
    """
    different = {annotated.text for annotated in texts}
    return min(1, 3 * len(different) / max(1, len(texts)))


_NUMBER = re.compile(r"\d[\d., ]*")
"""Matches the numbers that are removed from texts before the texts are compared.

Without the numbers, "12 reviews" and "15 reviews" count as equal.
"""


def main_links(type_claims: AnnotationsByRecord) -> Collection[NodeId]:
    """Return the links that probably lead to the records' own pages.

    For each record, these are the links with the most frequent target in the record. A
    record has none if no target is more frequent than all other targets. `type_claims`
    has the recognised values of one type in each record. Some of these values are
    links.
    """
    main_link_nodes: set[NodeId] = set()
    for claims in type_claims:
        target_of = {
            claim.node: claim.annotation.text
            for claim in claims
            if claim.place.source == "@href" and claim.annotation.is_of_markup
        }
        counts = Counter(target_of.values()).most_common(2)
        if not counts:
            continue
        top_target, top_count = counts[0]
        second_count = counts[1][1] if len(counts) > 1 else 1
        if top_count > second_count:
            main_link_nodes |= {
                node for node, target in target_of.items() if target == top_target
            }
    return main_link_nodes


def filled_share(
    page: Page,
    links: Links,
    claim: PlacedAnnotation,
    main_link_nodes: Collection[NodeId],
) -> float:
    """Return how well a recognised value fits its element, 0 to 1.

    If `claim`, the value, was recognised by its text, return the share of the element's
    text that the value fills. If the element was recognised only by its markup, as a
    link, headline or image, return a rating of the element as the record's headline.

    The rating is 0 for an element without a text. It is 1 for a link in
    `main_link_nodes`, the links to the records' own pages, and for an element whose
    link has the same target as a linked image. Other elements have a higher rating if
    their text is long, if they are links or in headings, and for markup such as `<p
    class="title">`.
    """
    if not claim.annotation.is_of_markup:
        text = _annotated_text(page, claim)
        return min(1, len(claim.annotation.text) / len(text))
    length = page.text_length(claim.node)
    if claim.node in main_link_nodes or links.has_linked_image(page, claim.node):
        return float(length > 0)
    signs = 1
    if is_linked(page, claim.node):
        signs += 1
    if in_heading(page, claim.node):
        signs += 1
    if is_titled(page, claim.node) or links.is_name(page, claim.node):
        signs += 1
    return min(1, length / ALIGNMENT.full_headline_length) * min(1, signs / 3)


def value_variety(page: Page, links: Links, place_claims: AnnotationsByRecord) -> float:
    """Return how much the values of the records differ, 0 to 1.

    `place_claims` has the recognised values at one position in each record. Of each
    record, only the first value counts. The result is the geometric mean of two shares.
    The first share is the share of different values. The second share is the share of
    different texts after numbers are removed. For example, "12 reviews" and "15
    reviews" hardly differ.

    If each value is the target of a link, and each record's image has a link with the
    same target, only the first share is returned. The texts of such links may all be
    "Details".
    """
    first_claims = [claims[0] for claims in place_claims]
    whole_texts = [_annotated_text(page, claim) for claim in first_claims]
    if all(
        claim.place.source == "@href" and links.has_linked_image(page, claim.node)
        for claim in first_claims
    ):
        return len(set(whole_texts)) / len(place_claims)
    words = [
        _NUMBER.sub("", page.string(claim.node)) or value
        for claim, value in zip(first_claims, whole_texts, strict=True)
    ]
    return sqrt(len(set(whole_texts)) * len(set(words))) / len(place_claims)
