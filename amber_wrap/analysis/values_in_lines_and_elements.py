"""Find out whether a value is one line of a text, a text with child elements, or
several elements.

For example, an address is one line of "5 new flats<br>12 Old Lane, Oxford".
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import NamedTuple

from amber_wrap.analysis.record_annotations import (
    AnnotationsByRecord,
    PlacedAnnotation,
    TypeClaims,
    ValuePlace,
    claims_by_type_name,
)
from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.annotate.headlines import (
    has_lines_behind,
    has_spoken_copy,
    repeats_own_text,
)
from amber_wrap.annotate.labels_and_titles import in_heading, is_titled
from amber_wrap.annotate.spoken_texts import label_run_on
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import FIRST_LINE, LAST_LINE, OWN_TEXT, TEXT, NodeId, Page

_LINE = "line"
"""Stands for a child element that begins a line of its own."""


def line_sources(found: TypeClaims) -> dict[ValuePlace, str]:
    """Return for each path in records which part of an element's text is the value of
    the type `found.kind`.

    The part is `FIRST_LINE`, `LAST_LINE`, `OWN_TEXT` or `TEXT`. A path is missing if
    the records don't agree on a part.
    """
    page = found.page
    line_votes: dict[ValuePlace, Counter[str]] = defaultdict(Counter)
    badge_votes: dict[ValuePlace, Counter[str]] = defaultdict(Counter)
    repeated: set[ValuePlace] = set()
    for record_claims, record_type_claims in found.by_record():
        for place, claim in _last_by_place(record_type_claims).items():
            if not claim.annotation.is_of_markup:
                line_votes[place][_line(page, claim, record_claims)] += 1
                continue
            badge = _beside_own_text(page, claim)
            if repeats_own_text(page, claim.node) or (
                badge and has_spoken_copy(page, claim.node)
            ):
                badge = ""
                repeated.add(place)
            badge_votes[place][badge] += 1
    parts = dict.fromkeys(_continued_places(found), TEXT)
    for place, votes in line_votes.items():
        texts_of_lines = votes.total() - votes[""]
        enough = ALIGNMENT.least(ALIGNMENT.nearly_all, texts_of_lines)
        for line in (FIRST_LINE, LAST_LINE):
            if votes[line] >= enough:
                parts[place] = line
    for place, votes in badge_votes.items():
        is_known = votes.total() >= ALIGNMENT.least_texts and votes[""] > 0
        is_only_repeated = place in repeated and len(votes) == 1
        if (is_known and _is_badge(votes)) or is_only_repeated:
            parts[place] = OWN_TEXT
    return parts | dict.fromkeys(_places_of_own_text(found), OWN_TEXT)


def _places_of_own_text(found: TypeClaims) -> Iterator[ValuePlace]:
    """Yield the paths in records at which a value is only the text directly in an
    element.

    The texts of child elements are left out. They are a label that runs on into the
    value, or lines behind a headline. Headlines must mostly differ from each other.
    """
    votes: dict[ValuePlace, Counter[str]] = defaultdict(Counter)
    headlines: dict[ValuePlace, set[str]] = defaultdict(set)
    page = found.page
    for record_claims in found.of_type:
        nodes = {claim.place: claim.node for claim in record_claims}
        for place, node in nodes.items():
            if place.source == TEXT:
                label = label_run_on(page, node)
                is_line = found.kind.is_headline and has_lines_behind(page, node)
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


def _last_by_place(
    claims: Iterable[PlacedAnnotation],
) -> Mapping[ValuePlace, PlacedAnnotation]:
    """Return the last recognised value of a record at each path.

    `claims` are in document order.
    """
    return {claim.place: claim for claim in claims}


def _is_badge(votes: Counter[str]) -> bool:
    """Return whether all texts in child elements of headlines are the same badge, such
    as "New".

    `votes` counts the headlines by the text in their child elements, which may be "".
    """
    texts = [text for text in votes if text]
    if len(texts) != 1:
        return False
    [badge] = texts
    return any(map(str.isalnum, badge)) and votes[badge] > 1


def _continued_places(found: TypeClaims) -> Iterator[ValuePlace]:
    """Yield the paths in records at which most values continue in child elements, as in
    `Oxford<i>, OX1</i>`.
    """
    page, apart_types = found.page, found.apart_types
    votes: dict[ValuePlace, Counter[bool]] = defaultdict(Counter)
    for record_claims, record_type_claims in found.by_record():
        for place, claim in _last_by_place(record_type_claims).items():
            if place.source == TEXT and not claim.annotation.is_of_markup:
                is_continued = _is_continued(page, claim, record_claims, apart_types)
                votes[place][is_continued] += 1
    return (place for place, count in votes.items() if count[True] > count[False])


def _is_continued(
    page: Page,
    claim: PlacedAnnotation,
    record_claims: Sequence[PlacedAnnotation],
    apart_types: AbstractSet[str],
) -> bool:
    """Return whether a value continues in child elements, as in `Oxford<i>, OX1</i>`.

    Each child element must have a recognised value. None of these values may be of the
    types `apart_types`.
    """
    children = shown_children(page, claim.node)
    if not children or not page.source_text(claim.node, OWN_TEXT):
        return False
    inner_claims = [
        inner
        for inner in record_claims
        if inner.place.source == TEXT and page.contains(claim.node, inner.node)
    ]
    if any(inner.annotation.type in apart_types for inner in inner_claims):
        return False
    return all(
        any(page.contains(child, inner.node) for inner in inner_claims)
        for child in children
    )


def _line(
    page: Page, claim: PlacedAnnotation, record_claims: Sequence[PlacedAnnotation]
) -> str:
    """Return which line of an element has the values of the type of `claim`.

    It is `FIRST_LINE` or `LAST_LINE`, or `OWN_TEXT` if no single line can be chosen.
    Return "" if the element has only one line, or if the source of `claim` isn't
    `TEXT`.
    """
    if claim.place.source != TEXT:
        return ""
    lines = [child for child in page.children(claim.node) if page.is_text(child)]
    if len(lines) < 2:
        return ""
    kind = claim.annotation.type
    annotations = [inner.annotation for inner in record_claims]
    type_nodes = {inner.node for inner in annotations if inner.type == kind}
    other_nodes = {inner.node for inner in annotations if inner.type != kind}
    type_lines = type_nodes.intersection(lines)
    if type_lines == {lines[0]} and other_nodes.intersection(lines[1:]):
        return FIRST_LINE
    if type_lines == {lines[-1]} and other_nodes.intersection(lines[:-1]):
        return LAST_LINE
    return OWN_TEXT


def _beside_own_text(page: Page, claim: PlacedAnnotation) -> str:
    """Return the text of an element's child elements, such as "New" for `Flat
    <b>New</b>`.
    """
    own_text = page.source_text(claim.node, OWN_TEXT)
    whole_text = page.source_text(claim.node, TEXT)
    return whole_text.replace(own_text, "").strip() if own_text else whole_text


def gather_value_parts(
    found: TypeClaims, path_of: Sequence[Mapping[NodeId, PathNumber]]
) -> TypeClaims:
    """Return the recognised values of each record, after moving the parts of one value
    to their common parent element.

    An example of parts is `<span>12 Old Lane</span> <span>Oxford</span>`. Return
    `found` itself if no value has parts.
    """
    page, kind, apart_types = found.page, found.kind, found.apart_types

    def is_mixed(holder: Holder) -> bool:
        """Return whether an element has a recognised value of another type than the
        parts in its children.

        Values that were recognised only by markup, such as headlines, don't count.
        """
        return any(
            claim.annotation.type in apart_types
            and not claim.annotation.is_of_markup
            and page.contains(holder.node, claim.node)
            for claim in found.claims[holder.record]
        )

    holders = list(_holders(page, found.of_type, path_of))
    # A title and a subtitle side by side are two texts, unless both are in a headline.
    if kind.is_headline:
        holders = [holder for holder in holders if _is_headline(page, holder.node)]
    least = ALIGNMENT.least_gathered * len(found.claims)
    gathering = _agreed_paths(page, holders, least, is_mixed)
    gathering |= _sparsely_annotated(page, holders, is_mixed)
    if not gathering:
        return found

    def moved(
        claim: PlacedAnnotation, paths: Mapping[NodeId, PathNumber]
    ) -> PlacedAnnotation:
        parent = page.parent[claim.node]
        is_part = claim.annotation.type == kind.name and claim.place.source == TEXT
        if not is_part or paths.get(parent) not in gathering:
            return claim
        annotation = claim.annotation._replace(node=parent)
        return PlacedAnnotation(parent, ValuePlace(paths[parent], TEXT), annotation)

    claims = [
        [moved(claim, paths) for claim in record_claims]
        for record_claims, paths in zip(found.claims, path_of, strict=True)
    ]
    of_type = [claims_by_type_name(it).get(kind.name, ()) for it in claims]
    return replace(found, claims=claims, of_type=of_type)


def _is_headline(page: Page, node: NodeId) -> bool:
    """Return whether an element is a link, is within a heading, or is named a title."""
    return page.tag[node] == "a" or in_heading(page, node) or is_titled(page, node)


class Holder(NamedTuple):
    """An element of a record with values of one type in its child elements."""

    record: int
    """The index of the record."""
    path: PathNumber
    """The number of the path from the record to the element."""
    node: NodeId
    children: AbstractSet[NodeId]
    """The child elements with recognised values."""


def _holders(
    page: Page,
    type_claims: AnnotationsByRecord,
    path_of: Sequence[Mapping[NodeId, PathNumber]],
) -> Iterator[Holder]:
    """Yield the elements of records whose child elements have values of one type.

    `type_claims` has the recognised values of the type in each record, and `path_of`
    the path of each element.
    """
    for i, (claims, paths) in enumerate(zip(type_claims, path_of, strict=True)):
        annotated_children: dict[NodeId, set[NodeId]] = defaultdict(set)
        for claim in claims:
            if claim.place.source == TEXT:
                annotated_children[page.parent[claim.node]].add(claim.node)
        for parent, children in annotated_children.items():
            if parent in paths:
                yield Holder(i, paths[parent], parent, children)


def _agreed_paths(
    page: Page,
    holders: Iterable[Holder],
    least: float,
    is_mixed: Callable[[Holder], bool],
) -> set[PathNumber]:
    """Return the paths to elements that contain several parts of one value in at least
    `least` records.

    `holders` are the elements of all records with values in their child elements. Those
    for which `is_mixed` returns True don't count.
    """
    holders_at: dict[PathNumber, list[Holder]] = defaultdict(list)
    for holder in holders:
        is_short = page.text_length(holder.node) <= ANNOTATION.longest_joined_text
        if len(holder.children) > 1 and is_short:
            holders_at[holder.path].append(holder)

    def is_agreed(holders_of_path: Sequence[Holder]) -> bool:
        pure = sum(not is_mixed(holder) for holder in holders_of_path)
        return len(holders_of_path) >= least and pure >= max(1, least)

    return {
        path
        for path, holders_of_path in holders_at.items()
        if is_agreed(holders_of_path)
    }


def _sparsely_annotated(
    page: Page, holders: Iterable[Holder], is_mixed: Callable[[Holder], bool]
) -> set[PathNumber]:
    """Return the paths to short elements whose child elements are all values, although
    some aren't recognised as values.

    `holders` are the elements with recognised values in their child elements. Paths to
    an element for which `is_mixed` returns True are left out.
    """
    holders_at: dict[PathNumber, list[Holder]] = defaultdict(list)
    for holder in holders:
        holders_at[holder.path].append(holder)

    def is_list(holders_of_path: Sequence[Holder]) -> bool:
        if any(
            page.text_length(holder.node) > ANNOTATION.longest_joined_text
            for holder in holders_of_path
        ):
            return False
        children_of = [shown_children(page, holder.node) for holder in holders_of_path]
        annotated_indexes = Counter(
            children.index(child)
            for holder, children in zip(holders_of_path, children_of, strict=True)
            for child in holder.children
        )
        most_children = max(map(len, children_of))
        least = max(1, min(ALIGNMENT.least_texts, len(holders_of_path) // 4))
        return (
            len(annotated_indexes) > 1
            and all(annotated_indexes[i] >= least for i in range(most_children))
            and not any(map(is_mixed, holders_of_path))
        )

    return {
        path for path, holders_of_path in holders_at.items() if is_list(holders_of_path)
    }


def shown_children(page: Page, node: NodeId) -> list[NodeId]:
    """Return the child elements of a node that display a text."""
    return [child for child in page.child_elements(node) if page.text_length(child)]
