"""Rate the paths in records, such as `li > b`, at which values of a type are
recognised.

AMBER rates a path only by the share of records with a value there (AMBER paper, section
3.5).
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
    TypeClaims,
    ValuePlace,
    texts_at_paths,
)
from amber_wrap.analysis.secondary_amounts import are_secondary_amounts
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.vague_dates import dates_with_year, vague_and_exact_dates
from amber_wrap.analysis.words_to_trim import Trimming
from amber_wrap.annotate.labels_and_titles import in_heading, is_titled
from amber_wrap.annotate.links import Links, is_linked
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import ValueKind

LearnCut = Callable[[Sequence[AnnotatedText], str | None], Trimming]
"""A function that finds what to remove from texts, such as labels.

The arguments are the texts, and the topic of the page: the texts of its title and main
headings. If the topic is None, less is removed.
"""

_LAST_LETTER, _FIRST_LETTER = re.compile(r"[^\W\d_] ?$"), re.compile(r" ?[^\W\d_]")
"""Match a letter at the end of the text before a value, and at the start of the text
behind it."""
_LABEL = re.compile(r"\w ?: ")
"""The separator between a label and its value."""


def score_paths(
    found: TypeClaims,
    links: Links,
    learn_cut: LearnCut,
    lines: Mapping[ValuePlace, str],
) -> dict[ValuePlace, PathScore]:
    """Return a score for each path in records, such as `li > b`, at which values of the
    type `found.kind` are recognised.

    `lines` says which line of an element's text to read, such as `FIRST_LINE`.
    """
    page, kind, type_claims = found.page, found.kind, found.of_type
    claims_at = _claims_by_place(type_claims)
    main_link_nodes = main_links(type_claims)
    if kind.whole:
        texts_at = texts_at_paths(found, lines)
        topic = _topic(page)
        scores = {
            place: _whole_text_score(
                page,
                links,
                place_claims,
                len(type_claims),
                texts_at[place],
                topic,
                main_link_nodes,
                learn_cut,
                lines.get(place),
            )
            for place, place_claims in claims_at.items()
        }
        if not kind.annotators:
            scores |= scores_with_fuller_paths(found, scores, texts_at, lines)
        return scores
    dates_at = claims_at if kind.kind is ValueKind.DATE else {}
    vague, exact = vague_and_exact_dates(page, dates_at)
    with_year = dates_with_year(type_claims) if dates_at else {}
    scores = {}
    for place, place_claims in claims_at.items():
        support = len(place_claims) / len(type_claims)
        first_claims = [record_claims[0] for record_claims in place_claims]
        fill = _mean_fill(page, links, place_claims, main_link_nodes)
        scores[place] = PathScore(
            support,
            fill,
            _headline_variety(page, links, place_claims),
            is_mention=_in_passing(page, place_claims, support),
            is_vague_date=place in vague,
            is_exact_date=place in exact,
            fuller_paths=with_year.get(place, frozenset()),
            is_secondary=(
                kind.kind is ValueKind.MONEY
                and are_secondary_amounts(page, first_claims, type_claims)
            )
            or (kind.kind is ValueKind.DATE and _in_sentences(page, first_claims)),
        )
    return scores


def _claims_by_place(
    type_claims: AnnotationsByRecord,
) -> Mapping[ValuePlace, list[list[PlacedAnnotation]]]:
    """Return the recognised values by their path in the records, with one list for each
    record.

    A record without values at a path has no list there.
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
    """Return how much the headlines at one path in the records differ, 0 to 1.

    Return 1 for values that aren't headlines, and for elements with a class such as
    `title`.
    """
    first_claim = place_claims[0][0]
    # Titles of different records may well be equal.
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
    """Return the score of a path in records at which each value is the whole text of an
    element, apart from labels.

    `topic` has the page's title and main headings.
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
    """Return the mean of `filled_share` over the records.

    This is the share of an element's text that its recognised value fills, 0 to 1.
    """
    shares = [
        filled_share(page, links, claims[0], main_link_nodes) for claims in place_claims
    ]
    return sum(shares) / len(shares)


def _in_passing(page: Page, place_claims: AnnotationsByRecord, support: float) -> bool:
    """Return whether the texts at one path in the records are long descriptions that
    rarely mention a value.

    `support` is the share of records with a recognised value at the path.
    """
    total_length = sum(len(_annotated_text(page, claims[0])) for claims in place_claims)
    is_long = total_length > ALIGNMENT.description_length * len(place_claims)
    return is_long and support < ALIGNMENT.least_described


def _in_sentences(page: Page, claims: Sequence[PlacedAnnotation]) -> bool:
    """Return whether most of the recognised values stand between words of a long text.

    An example is the date in "Offers must be sent before 12 May 2026 by letter".
    """
    count = 0
    for claim in claims:
        text = _annotated_text(page, claim)
        before, _, after = text.partition(claim.annotation.text)
        is_between = _LAST_LETTER.search(before) and _FIRST_LETTER.match(after)
        count += is_between is not None and len(text) >= ALIGNMENT.sentence_length
    return 2 * count > len(claims)


def _annotated_text(page: Page, claim: PlacedAnnotation) -> str:
    """Return the whole text of the element or HTML attribute that contains a recognised
    value.
    """
    return page.source_text(claim.node, claim.place.source)


def _whole_fill(texts: Sequence[AnnotatedText]) -> float:
    """Return the mean share of a text that the values in `type_spans` fill, 0 to 1.

    Return 0 if there are no texts.
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
    """Return three times the share of different texts, at most 1.

    Return 0 if there are no texts.
    """
    different = {annotated.text for annotated in texts}
    return min(1, 3 * len(different) / max(1, len(texts)))


_NUMBER = re.compile(r"\d[\d., ]*")
"""Matches the numbers that are removed from texts before the texts are compared.

Without the numbers, "12 reviews" and "15 reviews" count as equal.
"""

_LONG_NUMBER = re.compile(r"\d{4,}")
"""Matches a number that is long enough to identify a record."""


def main_links(type_claims: AnnotationsByRecord) -> Collection[NodeId]:
    """Return the links that probably lead to the records' own pages.

    These are several links of a record to the same target. No other target may have as
    many links in the record.
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
    """Return the share of an element's text that its recognised value fills, 0 to 1.

    For an element that was recognised as a link or headline, return how suitable it is
    as a headline instead. `main_link_nodes` are the links to the records' own pages.
    """
    if not claim.annotation.is_of_markup:
        text = _annotated_text(page, claim)
        return min(1, len(claim.annotation.text) / len(text))
    length = page.text_length(claim.node)
    if claim.node in links.beside_headings:
        return 1.0
    has_heading = in_heading(page, claim.node)
    if claim.node in main_link_nodes:
        return float(length > 0)
    if links.has_linked_image(page, claim.node):
        # The image of a link outside of headings may be an author's portrait.
        full = 1.0 if has_heading else ALIGNMENT.pictured_headline
        return full * (length > 0)
    signs = 1
    if is_linked(page, claim.node):
        signs += 1
    if has_heading:
        signs += 1
    if is_titled(page, claim.node) or links.is_name(page, claim.node):
        signs += 1
    return min(1, length / ALIGNMENT.full_headline_length) * min(1, signs / 3)


def _without_counts(text: str, target: str) -> str:
    """Return a text without its numbers.

    Return the text unchanged if `target`, the address of a link, contains a long number
    of the text.
    """
    names_target = any(number in target for number in _LONG_NUMBER.findall(text))
    return text if names_target else _NUMBER.sub("", text)


def value_variety(page: Page, links: Links, place_claims: AnnotationsByRecord) -> float:
    """Return how much the values at one path in the records differ, 0 to 1.

    Differences in numbers hardly count, as between "12 reviews" and "15 reviews".
    """
    first_claims = [claims[0] for claims in place_claims]
    whole_texts = [_annotated_text(page, claim) for claim in first_claims]
    if all(
        claim.place.source == "@href" and links.has_linked_image(page, claim.node)
        for claim in first_claims
    ):
        # The texts of such links may all be "Details".
        return len(set(whole_texts)) / len(place_claims)
    words = [
        _without_counts(page.string(claim.node), value) or value
        for claim, value in zip(first_claims, whole_texts, strict=True)
    ]
    return sqrt(len(set(whole_texts)) * len(set(words))) / len(place_claims)
