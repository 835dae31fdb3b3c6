"""Places of values of which few are known by themselves.

AMBER infers an attribute where most records have a claim (section 3.5), and wants that
of lists that know one value in five (section 6.1, robustness).  What tells the place
then is not how many of its texts are known, but that nothing else is said there.  Of
headlines, too, the short ones are told by where they stand.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from amber_wrap.analysis.path_scores import LEAST_FILL, PathScore
from amber_wrap.analysis.record_annotations import Claims, PlacedAnnotation, ValuePlace
from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.annotate.annotator import COMPOSED_LENGTH, Annotation, Basis
from amber_wrap.annotate.builtin import (
    headline_annotator,
    link_annotations,
)
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind

LEAST_KNOWN, KNOWN_SHARE = 3, 0.05
"""Records, and the share of the texts at a place, that must have a claim there."""
_FEW = 5
"""Texts of which a single claim may be enough."""
LEAST_VARIETY = 0.2
"""The share of the texts that must differ: the same few are labels."""


def may_be_presumed(kind: AttributeType) -> bool:
    """Return whether texts without a claim may be values of a type where others
    have one.
    """
    is_listed = kind.whole and bool(kind.gazetteers)
    return is_listed or headline_annotator(kind) is not None


def presumed(
    kind: AttributeType,
    claimed: Sequence[Mapping[ValuePlace, PlacedAnnotation]],
    standing_of: Mapping[ValuePlace, PathScore],
    texts_at: Callable[[ValuePlace], Sequence[str]],
    keep: float,
) -> Iterator[tuple[ValuePlace, PathScore]]:
    """Yield the best place of a type, supported by all records that show a text
    there.

    For types of whole texts that lists recognise, at places with short texts that
    differ and of which some are claimed, and not mostly for other types.  (What is part
    of a text, a status, has few values: lists know them, and badges say other things.)
    `claimed` has a claim per record and place, `texts_at` is what the records show at a
    place, claimed or not; `keep` is the threshold for optional types.
    """
    if not kind.gazetteers or not kind.whole:
        return
    known = {
        place: [found[place].annotation for found in claimed if place in found]
        for place, standing in standing_of.items()
        if not standing.mentioned and not place[1].startswith("@")
        if standing.fill >= LEAST_FILL
    }
    most = max(map(len, known.values()), default=0)
    for place, claims in known.items():
        if len(claims) < most or claims[0].is_of_markup:
            continue
        texts = texts_at(place)
        if (
            are_enough(claims, texts, keep)
            and len(set(texts)) >= max(LEAST_KNOWN, LEAST_VARIETY * len(texts))
            and sum(map(len, texts)) <= COMPOSED_LENGTH * len(texts)
            and len(texts) > len(claims)
            and not _is_prose(texts)
        ):
            support = len(texts) / len(claimed)
            yield place, replace(standing_of[place], support=support)


def short_names(
    page: Page,
    kind: AttributeType,
    own: Claims,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
) -> Claims:
    """Return what is said, or linked, where other records have headlines, claimed
    as such.

    Where no record has one, the links that lead to a page of its own from each record.
    `own` are the claims of the type in each record, `nodes_at` its elements.
    """
    known = {
        claim.place: claim.annotation
        for found in own
        for claim in found
        if claim.annotation.basis is Basis.HEADLINE
    }
    if not known:
        known = dict(_pages_of_their_own(page, kind, nodes_at))
    linked = set(link_annotations(page)) if known else set()

    def short(place: ValuePlace, nodes: Sequence[NodeId]) -> Iterator[PlacedAnnotation]:
        source = place[1]
        if (
            len(nodes) == 1
            and any(map(str.isalpha, page.string(nodes[0])))
            and (source == TEXT or (nodes[0], source) in linked)
        ):
            text = page.source_text(nodes[0], source)
            annotation = known[place]._replace(
                node=nodes[0], end=len(text), text=text, matched=text
            )
            yield PlacedAnnotation(nodes[0], place, annotation)

    return [
        [
            claim
            for place in known
            if place not in {one.place for one in found}
            for claim in short(place, at.get(place[0], ()))
        ]
        for found, at in zip(own, nodes_at, strict=True)
    ]


def _pages_of_their_own(
    page: Page,
    kind: AttributeType,
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
) -> Iterator[tuple[ValuePlace, Annotation]]:
    """Yield the places with a link in most records that differ in where they lead
    and in what they show, with what is claimed there.
    """
    source = "@href" if kind.kind is ValueKind.URL else TEXT
    recogniser = headline_annotator(kind) or ""
    linked = {node for node, _ in link_annotations(page)}
    found: dict[PathNumber, list[NodeId]] = defaultdict(list)
    for at in nodes_at:
        for path, nodes in at.items():
            if len(nodes) == 1 and nodes[0] in linked:
                found[path] += nodes
    for path, nodes in found.items():
        shown = {page.string(one) for one in nodes}
        led_to = {page.attributes[one]["href"].strip() for one in nodes}
        if 2 * len(nodes) > len(nodes_at) and LEAST_KNOWN <= len(nodes) == len(
            led_to
        ) == len(shown):
            claim = Annotation(
                *(nodes[0], source, 0, 0, kind.name, "", "", recogniser),
                basis=Basis.HEADLINE,
            )
            yield (path, source), claim


def are_enough(claims: Sequence[Annotation], texts: Sequence[str], keep: float) -> bool:
    """Return whether so many claims, of so many texts, are no chance.

    Three, if they are several terms or no mere words of something longer; else of the
    different texts a share that lets a place keep its claims (AMBER, section 3.5).
    """
    terms = {claim.text for claim in claims}
    if len(terms) > 1 and len(claims) >= LEAST_KNOWN:
        return len(claims) >= KNOWN_SHARE * len(texts)
    known = [text for text in texts if any(_is_component(t, text) for t in terms)]
    if len(terms) == 1 and len(known) >= LEAST_KNOWN:
        return len(known) >= KNOWN_SHARE * len(texts)
    least = 1 if len(texts) <= _FEW else 2
    return len(known) >= least and len(set(known)) >= keep * len(set(texts))


def _is_component(term: str, text: str) -> bool:
    """Return whether a term is all of a text, or all between two signs: "Oxford,
    Jericho".
    """
    before, found, after = text.partition(term)
    neighbours = before.rstrip(" ")[-1:] + after.lstrip(" ")[:1]
    return bool(found) and not any(map(str.isalnum, neighbours))


def _is_prose(texts: Sequence[str]) -> bool:
    """Return whether texts are sentences rather than names: most words are in lower
    case.
    """
    words = " ".join(texts).split()
    return 2 * sum(word[0].islower() for word in words) > len(words)
