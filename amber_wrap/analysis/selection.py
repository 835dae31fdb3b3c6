"""The pass `select`: which of the areas hold results.

A pivot type that is recognised everywhere (links, prices) makes areas of menus, filters
and footers, too.  What the other annotators find in their records tells them from
results: mutual supervision, one step further than AMBER takes it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from heapq import heapify, heapreplace
from math import sqrt

from amber_wrap.analysis.asides import asides_above, is_beside, is_postscript
from amber_wrap.analysis.places import are_groups, marks, marks_of, stripes
from amber_wrap.analysis.prospects import Ground, Prospect, lengths
from amber_wrap.analysis.typing import AreaTyping, Attribute
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import Schema, ValueKind

Segmented = Prospect | AreaTyping
"""An area with its records."""

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
LEAST_DISTINCT = 0.75
"""The share of the links of parts that no other part has, if the parts are records."""
ASIDE_SHARE = 0.2
"""What an area in an aside is worth as the main one."""
MANY, NEARLY_ALL = 4, 0.8
"""Attributes per record, and their share of the main area's, that make up for less
text."""
MOST_TEXT = 400
"""Characters that count of a record: a long description is no better than a short."""


def select(
    page: Page, areas: Sequence[Prospect], schema: Schema
) -> tuple[AreaTyping, ...]:
    """The main area and those like it, in document order; no two of them overlap.

    The main area is the one whose records have many attributes and display more than
    these alone.
    """

    def stands_beside(area: Segmented, main: AreaTyping) -> bool:
        return is_beside(page, area.records[0].start, main.records[0].start)

    def is_settled(apart: Sequence[AreaTyping], left: Iterable[Prospect]) -> bool:
        main = max(apart, key=lambda area: _weight(page, area, _spread(area)))
        spread, text = _spread(main), _text(page, main)
        least = _weight(page, main, spread)
        return not any(
            _weight(page, one, one.most) >= least
            or (
                _says_enough(page, one, one.most, spread, text)
                and not stands_beside(one, main)
            )
            for one in left
        )

    apart = _without_overlaps(page, areas, is_settled)
    main = max(apart, key=lambda area: _weight(page, area, _spread(area)), default=None)
    if main is None:
        return ()
    chosen = (
        area
        for area in apart
        if area is main
        or (
            _is_like(page, area, main, schema)
            and not _repeats(area, main, schema)
            and not stands_beside(area, main)
            and not is_postscript(page, area.records, main.records)
        )
    )
    return tuple(sorted(chosen, key=lambda area: area.records[0].start))


def _without_overlaps(
    page: Page,
    areas: Sequence[Prospect],
    is_settled: Callable[[Sequence[AreaTyping], Iterable[Prospect]], bool],
) -> list[AreaTyping]:
    """Of areas that overlap the one of most substance and unity, that one first.

    They are different views of the same records: cut by the current or by the former
    price, as single results or as groups of results.

    An area is aligned when no other can be ahead of it: what is known of it before is
    more than its rank.  It ends where it `is_settled`, by the areas found and by those
    that may follow, that none of these matters.
    """
    kept: list[AreaTyping] = []
    ground = Ground(page)
    queue = [(-_rank(page, areas, i, 0), i, 0) for i in range(len(areas))]
    heapify(queue)
    while queue:
        _, i, known = queue[0]
        if known < ALIGNED:
            if kept and is_settled(kept, (areas[one] for _, one, _ in queue)):
                break
            rank = _rank(page, areas, i, known + 1)
            heapreplace(queue, (-rank, i, known + 1))
            continue
        area = areas[i]
        wider = (
            (-_rank(page, areas, other, ALIGNED), other)
            for _, other, _ in queue
            if _holds(areas[other], area)
            and _is_more_of(areas[other].typing, area.typing)
        )
        _, best = min(wider, default=(0.0, i))
        kept.append(areas[best].typing)
        ground.take(areas[best].records)
        queue = [one for one in queue if ground.is_free(areas[one[1]].records)]
        heapify(queue)
    return kept


ALIGNED = 2
"""How much is known of an area: nothing but texts and claims, the look of its records,
or their attributes."""


def _rank(page: Page, areas: Sequence[Prospect], i: int, known: int) -> float:
    """The substance and unity of an area; more than that where not all is `known`."""
    area = areas[i]
    headed = known and any(_groups(area, one) for one in areas)
    unity = _likeness(page, area) if known else 1.0
    if known == ALIGNED:
        unity *= _distinct(area.typing)
    spread = _spread(area.typing) if known == ALIGNED else area.most
    share = HEADED_SHARE if headed else 1
    return share * (unity * sqrt(_text(page, area))) * _substance(area, spread)


def _groups(area: Prospect, parts: Prospect) -> bool:
    """Whether most records of an area are several of another one, under a heading.

    Parts that lead to one page are no records: they are parts of one.
    """
    if parts.segmentation.record_length > 1 or len(parts.records) <= len(area.records):
        return False
    if sum(parts.lengths) < MOST_OF * sum(area.lengths):
        return False
    size, starts = area.page.size, [record.start for record in parts.records]
    held = [
        sum(
            bisect_left(starts, node + size[node]) - bisect_left(starts, node + 1)
            for node in record.nodes
        )
        for record in area.records
    ]
    several = 2 * sum(count > 1 for count in held) > len(held)
    return several and _distinct(parts.typing) >= LEAST_DISTINCT


def _holds(area: Prospect, part: Prospect) -> bool:
    """Whether an area has all records of another one, as long as there, and others."""
    return (
        area.segmentation.record_length == part.segmentation.record_length
        and len(area.records) > len(part.records)
        and {record.start for record in area.records}.issuperset(
            record.start for record in part.records
        )
    )


def _is_more_of(area: AreaTyping, part: AreaTyping) -> bool:
    """Whether the records that another area lacks are nearly as good as its own."""
    starts = {record.start for record in part.records}
    more = [
        len(found)
        for record, found in zip(area.records, area.attributes, strict=True)
        if record.start not in starts
    ]
    return sum(more) >= LEAST_MORE * len(more) * _spread(part)


def _substance(area: Segmented, spread: float) -> float:
    """Many records with many attributes each, in elements of their own.

    What records hold counts for more than how many they are; but two attributes of one
    element at most: the link of a menu is no more.
    """
    return spread**3 * min(MOST_RECORDS, len(area.records))


def _spread(area: AreaTyping) -> float:
    """The mean number of attributes of a record, at most two of each element."""
    counted = sum(
        min(len(found), 2 * len({attribute.node for attribute in found}))
        for found in area.attributes
    )
    return counted / len(area.records)


def _likeness(page: Page, area: Segmented) -> float:
    """How alike the record starts are.

    The mark (a class token, else the tag) that most starts share.
    """
    rows = [record.nodes for record in area.records]
    state = stripes(page, rows)
    marked = marks(page)
    counts = Counter(
        mark
        for record in area.records
        for mark in marked[record.start] - state or {page.tag[record.start]}
    )
    share = max(counts.values()) / len(area.records)
    return share * GROUP_SHARE if are_groups(page, rows) else share


def _distinct(area: AreaTyping) -> float:
    """The share of the links of records that no other record has: two that lead to one
    page, or to a place on it, are parts of one."""
    links = [
        {one.text for one in found if one.source == "@href" and one.text}
        for found in area.attributes
    ]
    known = set().union(*links)
    pages = [
        frozenset(
            base if (base := one.partition("#")[0]) in known else one for one in some
        )
        for some in filter(None, links)
    ]
    return len(set(pages)) / len(pages) if pages else 1.0


def _weight(page: Page, area: Segmented, spread: float) -> float:
    """Substance, and text besides; a long menu is made of many short entries.

    What stands in a menu or another aside is the main area if nothing else is.
    """
    share = ASIDE_SHARE if asides_above(page, area.records[0].start) else 1
    substance = _substance(area, spread) / sqrt(sqrt(len(area.records)))
    return share * substance * _text(page, area)


def _is_like(page: Page, area: AreaTyping, main: AreaTyping, schema: Schema) -> bool:
    """Whether the records of an area say about as much as those of the main area."""
    return (
        _says_enough(page, area, _spread(area), _spread(main), _text(page, main))
        and _support(area) >= LEAST_SUPPORT * _support(main)
        and _regular(area, schema) >= LEAST_REGULAR * _regular(main, schema)
    )


def _says_enough(
    page: Page, area: Segmented, spread: float, main_spread: float, main_text: float
) -> bool:
    """Whether records of so many attributes say enough to be results.

    The others are the attributes and the text per record of the main area.
    """
    return (
        len(area.records) >= LEAST_RECORDS
        and spread >= LEAST_ATTRIBUTES * main_spread
        and (
            _text(page, area) >= LEAST_TEXT * main_text
            or spread >= max(MANY, NEARLY_ALL * main_spread)
        )
    )


def alike(page: Page, areas: Sequence[AreaTyping]) -> tuple[AreaTyping, ...]:
    """Of selected areas the main one, and those that are much like it.

    Where nobody says what is sought, a list beside the main one is another list.
    """
    if not areas:
        return ()
    main = max(areas, key=lambda area: _weight(page, area, _spread(area)))
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
    page: Page,
    areas: Sequence[Prospect],
    chosen: Sequence[AreaTyping],
    is_open: bool,
) -> tuple[AreaTyping, ...]:
    """The areas that are lists of other things: not chosen, and in no aside.

    Those that merely follow the results unless it `is_open` what is sought.
    """
    if not chosen:
        return ()
    main = max(chosen, key=lambda area: _weight(page, area, _spread(area)))
    ground = Ground(page)
    for area in chosen:
        ground.take(area.records)

    main_spread, least_text = _spread(main), OTHER_TEXT * _text(page, main)

    def is_other(area: Segmented, spread: float) -> bool:
        return (
            len(area.records) >= LEAST_RECORDS
            and spread >= OTHER_ATTRIBUTES * main_spread
            and (
                _text(page, area) >= least_text
                or spread >= max(MANY, NEARLY_ALL * main_spread)
            )
            and ground.is_free(area.records)
            and not is_beside(page, area.records[0].start, main.records[0].start)
            and (is_open or is_postscript(page, area.records, main.records))
        )

    def is_settled(_: Sequence[AreaTyping], left: Iterable[Prospect]) -> bool:
        return not any(is_other(one, one.most) for one in left)

    apart = _without_overlaps(page, areas, is_settled)
    return tuple(area for area in apart if is_other(area, _spread(area)))


def _look(page: Page, area: AreaTyping) -> set[str]:
    """The tags and marks of record starts."""
    starts = [record.start for record in area.records]
    borne = set[str]().union(*(marks_of(page, start) for start in starts))
    return borne | {page.tag[start] for start in starts}


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


def _text(page: Page, area: Segmented) -> float:
    """The mean number of characters that a record displays, as far as they count."""
    shown = area.lengths if isinstance(area, Prospect) else lengths(page, area.records)
    return sum(min(MOST_TEXT, length) for length in shown) / len(shown)
