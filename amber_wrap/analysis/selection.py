"""The pass `select`: which of the typed areas hold results.

A pivot type that is recognised everywhere (links, prices) makes areas of menus, filters
and footers, too.  What the other annotators find in their records tells them from
results: mutual supervision, one step further than AMBER takes it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import sqrt

from amber_wrap.analysis.asides import asides_above, is_beside
from amber_wrap.analysis.places import are_groups, marks_of, stripes
from amber_wrap.analysis.typing import AreaTyping, Attribute
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import Schema, ValueKind

LEAST_RECORDS = 3
"""Records that another area than the main one must have: chance makes pairs."""
MOST_RECORDS = 100
"""Records that count of an area: beyond them it isn't the better the longer it is."""
LEAST_ATTRIBUTES = 0.3
"""The share of the main area's attributes per record that another area must have, two
of each element at most."""
LEAST_MORE = 0.7
"""The same for further records of the main area."""
LEAST_REGULAR = 0.6
"""The same for regular attributes."""
LEAST_SUPPORT = 0.8
"""The same for the mean support of attributes: boxes each of their own kind say
nothing at the same place."""
LEAST_TEXT = 0.25
"""The same for the text per record, in characters."""
ALIKE_ATTRIBUTES, ALIKE_TEXT = 0.7, 0.4
"""The same two where no domain says what all results are."""
OTHER_ATTRIBUTES, OTHER_TEXT = 0.5, 0.15
"""The same two for a list of other things: menus have less."""
GROUP_SHARE = 0.5
"""What an area is worth whose records look like several in one."""
HEADED_SHARE = 0.25
"""The same where these are an area of their own."""
MOST_OF = 0.75
"""The share of a group's text that stands in its parts."""
ASIDE_SHARE = 0.2
"""What an area in an aside is worth as the main one."""
MANY, NEARLY_ALL = 4, 0.8
"""Attributes per record, and their share of the main area's, that make up for less
text."""
MOST_TEXT = 400
"""Characters that count of a record: a long description is no better than a short."""


def select(
    page: Page, areas: Sequence[AreaTyping], schema: Schema
) -> tuple[AreaTyping, ...]:
    """The main area and those like it, in document order; no two of them overlap.

    The main area is the one whose records have many attributes and display more than
    these alone.
    """
    apart = _without_overlaps(page, areas)
    main = max(apart, key=lambda area: _weight(page, area), default=None)
    if main is None:
        return ()
    chosen = (
        area
        for area in apart
        if area is main
        or (
            _is_like(page, area, main, schema)
            and not _repeats(area, main, schema)
            and not is_beside(page, area.records[0].start, main.records[0].start)
        )
    )
    return tuple(sorted(chosen, key=lambda area: area.records[0].start))


def _without_overlaps(page: Page, areas: Sequence[AreaTyping]) -> list[AreaTyping]:
    """Of areas that overlap the one of most substance and unity.

    They are different views of the same records: cut by the current or by the former
    price, as single results or as groups of results.
    """
    kept: list[AreaTyping] = []
    covered: set[NodeId] = set()

    def rank(area: AreaTyping) -> float:
        share = HEADED_SHARE if any(_groups(page, area, one) for one in areas) else 1
        return share * _unity(page, area) * _substance(area)

    ranked = sorted(areas, key=rank, reverse=True)
    for area in ranked:
        if covered.isdisjoint(_nodes(page, area)):
            wider = (
                one
                for one in ranked
                if _is_more_of(one, area) and covered.isdisjoint(_nodes(page, one))
            )
            whole = next(wider, area)
            covered.update(_nodes(page, whole))
            kept.append(whole)
    return kept


def _groups(page: Page, area: AreaTyping, parts: AreaTyping) -> bool:
    """Whether most records of an area are several of another one, under a heading."""
    whole, in_parts = (
        sum(page.text_length(row) for record in one.records for row in record.nodes)
        for one in (area, parts)
    )
    if in_parts < MOST_OF * whole or _length(parts) > 1:
        return False
    starts = [record.start for record in parts.records]
    held = [
        sum(
            bisect_left(starts, node + page.size[node]) - bisect_left(starts, node + 1)
            for node in record.nodes
        )
        for record in area.records
    ]
    return 2 * sum(count > 1 for count in held) > len(held)


def _is_more_of(area: AreaTyping, part: AreaTyping) -> bool:
    """Whether an area has all records of another one, and others nearly as good."""
    starts = {record.start for record in part.records}
    more = [
        len(found)
        for record, found in zip(area.records, area.attributes, strict=True)
        if record.start not in starts
    ]
    has_all = len(area.records) - len(more) == len(starts)
    if not more or not has_all or _length(area) != _length(part):
        return False
    return sum(more) >= LEAST_MORE * len(more) * _spread(part)


def _length(area: AreaTyping) -> int:
    """The number of siblings of a record."""
    return area.segmentation.record_length


def _substance(area: AreaTyping) -> float:
    """Many records with many attributes each, in elements of their own.

    What records hold counts for more than how many they are; but two attributes of one
    element at most: the link of a menu is no more.
    """
    return _spread(area) ** 3 * min(MOST_RECORDS, len(area.records))


def _spread(area: AreaTyping) -> float:
    """The mean number of attributes of a record, at most two of each element."""
    counted = sum(
        min(len(found), 2 * len({attribute.node for attribute in found}))
        for found in area.attributes
    )
    return counted / len(area.records)


def _unity(page: Page, area: AreaTyping) -> float:
    """How alike the record starts are, and how much more than attributes they hold.

    The mark (a class token, else the tag) that most starts share; and text, which parts
    of records have less of.
    """
    rows = [record.nodes for record in area.records]
    state = stripes(page, rows)
    marks = Counter(
        mark
        for record in area.records
        for mark in marks_of(page, record.start) - state or {page.tag[record.start]}
    )
    share = marks.most_common(1)[0][1] / len(area.records)
    if are_groups(page, rows):
        share *= GROUP_SHARE
    return share * _distinct(area) * sqrt(_text(page, area))


def _distinct(area: AreaTyping) -> float:
    """The share of the links of records that no other record has: two that lead to one
    page are parts of one."""
    links = [
        frozenset(one.text for one in found if one.source == "@href" and one.text)
        for found in area.attributes
    ]
    linked = list(filter(None, links))
    return len(set(linked)) / len(linked) if linked else 1.0


def _weight(page: Page, area: AreaTyping) -> float:
    """Substance, and text besides; a long menu is made of many short entries.

    What stands in a menu or another aside is the main area if nothing else is.
    """
    share = ASIDE_SHARE if asides_above(page, area.records[0].start) else 1
    substance = _substance(area) / sqrt(sqrt(len(area.records)))
    return share * substance * _text(page, area)


def _is_like(page: Page, area: AreaTyping, main: AreaTyping, schema: Schema) -> bool:
    """Whether the records of an area say about as much as those of the main area."""
    return (
        len(area.records) >= LEAST_RECORDS
        and _spread(area) >= LEAST_ATTRIBUTES * _spread(main)
        and _support(area) >= LEAST_SUPPORT * _support(main)
        and _regular(area, schema) >= LEAST_REGULAR * _regular(main, schema)
        and (
            _text(page, area) >= LEAST_TEXT * _text(page, main)
            or _spread(area) >= max(MANY, NEARLY_ALL * _spread(main))
        )
    )


def alike(page: Page, areas: Sequence[AreaTyping]) -> tuple[AreaTyping, ...]:
    """Of selected areas the main one, and those that are much like it.

    Where nobody says what is sought, a list beside the main one is another list.
    """
    if not areas:
        return ()
    main = max(areas, key=lambda area: _weight(page, area))
    return tuple(
        area
        for area in areas
        if area is main
        or (
            not _look(page, area).isdisjoint(_look(page, main))
            and _spread(area) >= ALIKE_ATTRIBUTES * _spread(main)
            and _text(page, area) >= ALIKE_TEXT * _text(page, main)
        )
    )


def left_out(
    page: Page, areas: Sequence[AreaTyping], chosen: Sequence[AreaTyping]
) -> tuple[AreaTyping, ...]:
    """The areas that are lists of other things: not chosen, and in no aside."""
    if not chosen:
        return ()
    main = max(chosen, key=lambda area: _weight(page, area))
    taken = {node for area in chosen for node in _nodes(page, area)}
    return tuple(
        area
        for area in _without_overlaps(page, areas)
        if taken.isdisjoint(_nodes(page, area))
        and len(area.records) >= LEAST_RECORDS
        and not is_beside(page, area.records[0].start, main.records[0].start)
        and _spread(area) >= OTHER_ATTRIBUTES * _spread(main)
        and _text(page, area) >= OTHER_TEXT * _text(page, main)
    )


def _look(page: Page, area: AreaTyping) -> set[str]:
    """The tags and marks of record starts."""
    starts = [record.start for record in area.records]
    marks = set[str]().union(*(marks_of(page, start) for start in starts))
    return marks | {page.tag[start] for start in starts}


def _repeats(area: AreaTyping, main: AreaTyping, schema: Schema) -> bool:
    """Whether most records of an area link to what those of the main area link to.

    A page may hold its results twice, for wide screens and for narrow ones.
    """
    known = {link for found in main.attributes for link in _links(found, schema)}
    repeated = (
        any(link in known for link in _links(found, schema))
        for found in area.attributes
    )
    return 2 * sum(repeated) > len(area.records)


def _links(attributes: Iterable[Attribute], schema: Schema) -> Iterator[str]:
    for attribute in attributes:
        if attribute.text and schema[attribute.type].kind is ValueKind.URL:
            yield attribute.text


def _support(area: AreaTyping) -> float:
    """The mean share of records that have an attribute where another has it."""
    found = [attribute.support for some in area.attributes for attribute in some]
    return sum(found) / max(1, len(found))


def _regular(area: AreaTyping, schema: Schema) -> float:
    """The mean number of regular attributes of a record."""
    regular = sum(
        schema[attribute.type].regular
        for attributes in area.attributes
        for attribute in attributes
    )
    return regular / len(area.records)


def _text(page: Page, area: AreaTyping) -> float:
    """The mean number of characters that a record displays, as far as they count."""
    lengths = (
        sum(page.text_length(row) for row in record.nodes) for record in area.records
    )
    return sum(min(MOST_TEXT, length) for length in lengths) / len(area.records)


def _nodes(page: Page, area: AreaTyping) -> list[NodeId]:
    """All nodes of an area's records."""
    return [
        node
        for record in area.records
        for top in record.nodes
        for node in range(top, top + page.size[top])
    ]
