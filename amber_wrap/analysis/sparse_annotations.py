"""Find the paths in records that lead to values of a type, although only a few of the
values are recognised.

AMBER requires recognised values in most records (AMBER paper, section 3.5), although
its word lists are never complete (section 4).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from amber_wrap.analysis.attribute_choice import PathScore, is_in_html_attribute
from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    PlacedAnnotation,
    ValuePlace,
)
from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.analysis.words_to_trim import Trimming, label_within
from amber_wrap.annotate.annotator import Annotation, Basis
from amber_wrap.annotate.element_labels import label_of
from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.annotate.links import Links
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.displayed_texts import shows_value
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind


def presumed_value_paths(
    kind: AttributeType,
    claim_at: Sequence[Mapping[ValuePlace, PlacedAnnotation]],
    scores: Mapping[ValuePlace, PathScore],
    texts_at: Callable[[ValuePlace], Sequence[str]],
    keep: float,
) -> Iterator[tuple[ValuePlace, PathScore]]:
    """Yield the paths in records at which all texts are probably values of `kind`,
    although few are recognised.

    Each path comes with a new score. `claim_at` has the recognised values of each
    record by path, and `texts_at` returns all texts at a path. `keep` is the least
    share of different texts with a recognised value, if only one or two are recognised.
    """
    if not kind.gazetteers or not kind.whole:
        return
    annotations_at = {
        place: [claims[place].annotation for claims in claim_at if place in claims]
        for place, score in scores.items()
        if not score.is_mention
        and not is_in_html_attribute(place)
        and score.fill >= ALIGNMENT.least_fill
    }
    most = max(map(len, annotations_at.values()), default=0)
    for place, known in annotations_at.items():
        if len(known) < most or known[0].is_of_markup:
            continue
        texts = texts_at(place)
        least_different = ALIGNMENT.least(ALIGNMENT.least_different_share, len(texts))
        if (
            are_enough_annotations(known, texts, keep)
            and len(set(texts)) >= least_different
            and sum(map(len, texts)) <= ANNOTATION.longest_joined_text * len(texts)
            and len(texts) > len(known)
            and not _is_prose(texts)
        ):
            support = len(texts) / len(claim_at)
            yield place, replace(scores[place], support=support)


def short_headlines(
    page: Page,
    links: Links,
    kind: AttributeType,
    type_claims: AnnotationsByRecord,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
) -> AnnotationsByRecord:
    """Return for each record the elements that are probably headlines, but weren't
    recognised.

    The same path from the record leads to recognised headlines in other records. If no
    record has a recognised headline, the links to the records' own pages are returned.
    """
    headline_at = {
        claim.place: claim.annotation
        for claims in type_claims
        for claim in claims
        if claim.annotation.basis is Basis.HEADLINE
    }
    if not headline_at:
        headline_at = dict(_pages_of_their_own(page, links, kind, nodes_at))
    linked = frozenset(links.pages) if headline_at else frozenset()

    def new_claims(
        claims: Sequence[PlacedAnnotation],
        nodes_by_path: Mapping[PathNumber, Sequence[NodeId]],
    ) -> Iterator[PlacedAnnotation]:
        annotated = {claim.place for claim in claims}
        for place, headline in headline_at.items():
            nodes = nodes_by_path.get(place.path, ())
            if place in annotated or len(nodes) != 1:
                continue
            [node] = nodes
            is_link = place.source == "@href" and node in linked
            has_letters = any(map(str.isalpha, page.string(node)))
            if has_letters and (place.source == TEXT or is_link):
                text = page.source_text(node, place.source)
                annotation = headline._replace(
                    node=node, end=len(text), text=text, matched=text
                )
                yield PlacedAnnotation(node, place, annotation)

    return [
        list(new_claims(claims, nodes_by_path))
        for claims, nodes_by_path in zip(type_claims, nodes_at, strict=True)
    ]


def _pages_of_their_own(
    page: Page,
    links: Links,
    kind: AttributeType,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
) -> Iterator[tuple[ValuePlace, Annotation]]:
    """Yield the paths in records whose links probably lead to the records' own pages.

    Each path comes with an annotation that calls the first of the links a headline of
    the type `kind`.
    """
    source = "@href" if kind.kind is ValueKind.URL else TEXT
    linked = frozenset(links.pages)
    links_at: dict[PathNumber, list[NodeId]] = defaultdict(list)
    for nodes_by_path in nodes_at:
        for path, nodes in nodes_by_path.items():
            if len(nodes) == 1 and nodes[0] in linked:
                links_at[path] += nodes
    for path, nodes in links_at.items():
        texts = {page.string(node) for node in nodes}
        addresses = {page.attributes[node]["href"].strip() for node in nodes}
        differ = len(nodes) == len(addresses) == len(texts)
        is_usual = 2 * len(nodes) > len(nodes_at)
        if differ and is_usual and len(nodes) >= ALIGNMENT.least_texts:
            headline = Annotation(
                node=nodes[0],
                source=source,
                start=0,
                end=0,
                type=kind.name,
                text="",
                matched="",
                recogniser="headline",
                basis=Basis.HEADLINE,
            )
            yield ValuePlace(path, source), headline


def are_enough_annotations(
    annotations: Sequence[Annotation], texts: Sequence[str], keep: float
) -> bool:
    """Return whether enough of the texts at one path contain known words to accept all
    texts as values.

    `annotations` are the known words, such as towns, that were found in word lists. If
    only one or two are found, at least the share `keep` of the different texts must
    contain one (AMBER paper, section 3.5).
    """
    terms = {annotation.text for annotation in annotations}
    if len(terms) > 1 and len(annotations) >= ALIGNMENT.least_texts:
        return len(annotations) >= ALIGNMENT.least_known_share * len(texts)
    known_texts = [
        text for text in texts if any(_is_component(term, text) for term in terms)
    ]
    if len(terms) == 1 and len(known_texts) >= ALIGNMENT.least_texts:
        return len(known_texts) >= ALIGNMENT.least_known_share * len(texts)
    least = 1 if len(texts) <= ALIGNMENT.few_texts else 2
    different_known, different = set(known_texts), set(texts)
    return len(known_texts) >= least and len(different_known) >= keep * len(different)


def _is_component(term: str, text: str) -> bool:
    """Return whether `term` is the whole text, or a part that punctuation separates.

    For example, "Oxford" is a component of "Oxford, Jericho", but not of "Oxford
    Street".
    """
    before, found_term, after = text.partition(term)
    neighbours = before.rstrip(" ")[-1:] + after.lstrip(" ")[:1]
    return bool(found_term) and not any(map(str.isalnum, neighbours))


def _is_prose(texts: Sequence[str]) -> bool:
    """Return whether the texts at one path in the records are sentences, not names.

    Most words of sentences start in lower case.
    """
    words = " ".join(texts).split()
    return 2 * sum(word[0].islower() for word in words) > len(words)


def labelled_value_paths(
    page: Page,
    kind: AttributeType,
    claims: AnnotationsByRecord,
    scores: Mapping[ValuePlace, PathScore],
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
    keep: float,
    infer: float,
) -> Iterator[tuple[ValuePlace, PathScore]]:
    """Yield the paths in records at which the texts without their label are values of
    `kind`, with new scores.

    For example, the value of "Kind: house" is "house". `keep` and `infer` are the
    shares of recognised texts that are required with a label, and without one.
    """
    if kind.whole or kind.kind is not ValueKind.TEXT or not kind.gazetteers:
        return
    for place, score in scores.items():
        annotations_of_records = [
            [claim.annotation for claim in record_claims if claim.place == place]
            for record_claims in claims
        ]
        has_other_type = any(
            annotation.type != kind.name and not annotation.is_of_markup
            for annotations in annotations_of_records
            for annotation in annotations
        )
        if place.source != TEXT or has_other_type:
            continue
        nodes = single_nodes(nodes_at, place.path)
        texts = [text for text in map(page.string, nodes) if shows_value(text)]
        cut = Trimming(label_within(texts))
        trimmed_texts = []
        for text in texts:
            start, end = cut.value_span(text)
            trimmed_texts.append(text[start:end])
        short_values = sum(map(is_label, trimmed_texts))
        if short_values < max(1, ALIGNMENT.nearly_all * len(trimmed_texts)):
            continue
        type_annotations = _first_of_type(annotations_of_records, kind)
        has_label = bool(cut) or _have_common_label(page, nodes)
        if has_label and are_enough_annotations(type_annotations, trimmed_texts, keep):
            support = len(texts) / len(claims)
            yield (
                place,
                replace(score, support=support, fill=1, is_whole_text=True, cut=cut),
            )
            continue
        is_annotated = (
            len(type_annotations) == len(trimmed_texts) or score.support > infer
        )
        whole_values = sum(claim.text in trimmed_texts for claim in type_annotations)
        if is_annotated and 2 * whole_values > len(trimmed_texts):
            yield place, replace(score, fill=1, is_whole_text=True)


def _first_of_type(
    annotations_of_records: Iterable[Sequence[Annotation]], kind: AttributeType
) -> list[Annotation]:
    """Return the first recognised value of the type `kind` in each record that has
    one.
    """
    first_annotations = []
    for record_annotations in annotations_of_records:
        of_type = [claim for claim in record_annotations if claim.type == kind.name]
        first_annotations += of_type[:1]
    return first_annotations


def single_nodes(
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]], path: PathNumber
) -> list[NodeId]:
    """Return the elements at one path from the records.

    Records with no element or several elements there are left out. `nodes_at` has for
    each record the elements by path.
    """
    nodes_of_records = [nodes_by_path.get(path, ()) for nodes_by_path in nodes_at]
    return [nodes[0] for nodes in nodes_of_records if len(nodes) == 1]


def _have_common_label(page: Page, nodes: Sequence[NodeId]) -> bool:
    """Return whether the same label is beside nearly all of the elements.

    Return False if there are no elements.
    """
    most_frequent = Counter(label_of(page, node) for node in nodes).most_common(1)
    if not most_frequent:
        return False
    [(label, count)] = most_frequent
    return bool(label) and count >= ALIGNMENT.nearly_all * len(nodes)
