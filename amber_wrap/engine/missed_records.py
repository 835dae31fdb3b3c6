"""Count the records that a wrapper probably missed on a page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import takewhile

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.engine.contract_report import regular_fields
from amber_wrap.engine.locators import record_starts_in_tree
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import AreaRule, Contract


def count_missed_records(
    area_records: list[FoundRecord],
    all_records: list[FoundRecord],
    starts: set[Node],
    landmarks: list[Node],
) -> int:
    """Return the estimated number of a list's records that were missed.

    `starts` has nodes that an expression for records selects. `landmarks` has elements
    that usually occur once in each record. Such nodes and elements outside of records
    show missed records.
    """
    rows = {row for record in all_records for row in record.rows}
    around_records = {ancestor for row in rows for ancestor in row.iterancestors()}
    structures = cache(lambda: [_structure(record.rows[0]) for record in area_records])
    tag_pairs = cache(lambda: [_tag_pairs(record.rows[0]) for record in area_records])
    likeness_of = cache(lambda node: likeness(_structure(node), structures()))
    is_moved_record = cache(
        lambda node: (
            _tag_pair_likeness(_tag_pairs(node), tag_pairs()) >= CHECK.tag_pair_likeness
        )
    )

    @cache
    def least_likeness() -> float:
        """Return the similarity from which an element counts as a record."""
        indexes = range(len(structures()))
        likenesses = [_likeness_to_others(structures(), index) for index in indexes]
        return min([CHECK.record_likeness, *likenesses])

    def is_outside(node: Node) -> bool:
        """Return whether a node is displayed, and neither in a record nor around
        one.
        """
        node_and_ancestors = (node, *node.iterancestors())
        if node in around_records or not rows.isdisjoint(node_and_ancestors):
            return False
        return not any(map(is_hidden, node_and_ancestors))

    def is_in_record_like(landmark: Node, limits: set[Node]) -> bool:
        """Return whether an element, or an element around it, resembles a record.

        Only the ancestors below the first ancestor in `limits` are compared.
        """
        # A landmark alone isn't enough: links like those in records may stand anywhere.
        boxes = takewhile(lambda node: node not in limits, landmark.iterancestors())
        return any(
            likeness_of(node) >= least_likeness()
            # Within a record the element may be the record's content.
            or (limits is around_records and is_moved_record(node))
            for node in (landmark, *boxes)
        )

    candidates = dict.fromkeys(elements_beside(area_records), CHECK.sibling_likeness)
    candidates |= dict.fromkeys(starts, CHECK.record_likeness)
    record_like = {
        node
        for node, least in candidates.items()
        if is_outside(node) and (likeness_of(node) >= least or is_moved_record(node))
    }
    outermost = sum(
        record_like.isdisjoint(node.iterancestors()) for node in record_like
    )
    landmarks_in = _by_row({record.rows[0] for record in area_records}, landmarks)
    merged = 0
    for row, in_row in landmarks_in.items():
        if len(in_row) > 1:
            record_like_count = sum(is_in_record_like(node, {row}) for node in in_row)
            merged += min(len(in_row) - 1, record_like_count)
    outside = sum(
        is_outside(landmark) and is_in_record_like(landmark, around_records)
        for landmark in landmarks
    )
    return max(outermost, merged + outside, _count_joined(set(landmarks_in), starts))


def _count_joined(rows: set[Node], starts: set[Node]) -> int:
    """Return the number of records that were missed because several were read as one.

    `rows` are the first nodes of the records that were read. A node of `rows` with
    several similar nodes of `starts` in it stands for as many records. Return 0 unless
    most of `rows` do so.
    """
    structures_in_rows = (
        list(map(_structure, within))
        for within in _by_row(rows, starts - rows).values()
    )
    missed_in_rows = [
        len(structures) - 1
        for structures in structures_in_rows
        if len(structures) > 1
        and all(
            _likeness_to_others(structures, index) >= CHECK.sibling_likeness
            for index in range(len(structures))
        )
    ]
    return sum(missed_in_rows) if 2 * len(missed_in_rows) > len(rows) else 0


def _by_row(rows: set[Node], nodes: Iterable[Node]) -> Mapping[Node, list[Node]]:
    """Return the `nodes` within each of the `rows`, the top nodes of records."""
    within: dict[Node, list[Node]] = {row: [] for row in rows}
    for node in nodes:
        for row in rows.intersection(node.iterancestors()):
            within[row].append(node)
    return within


def missed_in_area(
    area: AreaRule,
    root: Node,
    area_records: list[FoundRecord],
    all_records: list[FoundRecord],
) -> int:
    """Return the estimated number of records of one list that were missed on a page.

    `area_records` are the known records of the list, and `all_records` those of all
    lists.
    """
    starts = {
        start for place in area.places for start in record_starts_in_tree(place, root)
    }
    landmarks = xpath(str(area.witness))(root) if area.witness else []
    return count_missed_records(area_records, all_records, starts, landmarks)


def elements_beside(records: list[FoundRecord]) -> Iterator[Node]:
    """Yield the siblings of records, and the elements within these siblings that have
    the same tag as a record.
    """
    rows = {row for record in records for row in record.rows}
    tags = {record.rows[0].tag for record in records}
    for parent in {record.rows[0].getparent() for record in records}:
        for sibling in parent.iterchildren("*") if parent is not None else ():
            if sibling not in rows:
                yield sibling
                # lxml can't search for tags whose names contain control characters.
                descendants = sibling.iterdescendants("*")
                yield from (node for node in descendants if node.tag in tags)


def count_intruders(contract: Contract, records: list[FoundRecord]) -> int:
    """Return the number of records that are probably something else, such as adverts.

    Such a record resembles no other record, and lacks more than half of the fields in
    `regular_fields`.
    """
    usual = regular_fields(contract)
    structures = [_structure(record.rows[0]) for record in records]
    return sum(
        2 * len(usual & record.values.keys()) < len(usual)
        and _likeness_to_others(structures, index) < CHECK.record_likeness
        for index, record in enumerate(records)
    )


def _structure(node: Node) -> frozenset[str]:
    """Return the tag paths to all elements below an element.

    A path is a text such as "/ul/li". The path of the element itself is "".
    """
    path_of = {node: ""}
    for descendant in node.iterdescendants("*"):
        parent = descendant.getparent()
        if parent is not None:
            path_of[descendant] = f"{path_of[parent]}/{descendant.tag}"
    return frozenset(path_of.values())


def _tag_pairs(node: Node) -> Counter[tuple[str, str]]:
    """Return the number of times that each (parent's tag, child's tag) occurs below an
    element.
    """
    # Most counts stay the same if a redesign puts an element around others.
    return Counter(
        (parent.tag, descendant.tag)
        for descendant in node.iterdescendants("*")
        if (parent := descendant.getparent()) is not None
    )


def _tag_pair_likeness(
    pairs: Counter[tuple[str, str]], others: list[Counter[tuple[str, str]]]
) -> float:
    """Return the similarity (0 to 1) of an element to the most similar other element.

    Elements are compared by their counts of pairs (parent's tag, child's tag), which
    `_tag_pairs` returns.
    """
    if (size := pairs.total()) < CHECK.least_tag_pairs:
        return 0.0
    similarities = (
        (pairs & other).total() / (pairs | other).total()
        for other in others
        if CHECK.tag_pair_likeness * size
        <= other.total()
        <= size / CHECK.tag_pair_likeness
    )
    return max(similarities, default=0.0)


def _likeness_to_others(structures: list[frozenset[str]], index: int) -> float:
    """Return the similarity (0 to 1) of one of the structures to the most similar other
    structure.

    A structure is the tag paths in an element. Return 0 if there is only one.
    """
    others = structures[:index] + structures[index + 1 :]
    return likeness(structures[index], others)


def likeness(structure: frozenset[str], others: list[frozenset[str]]) -> float:
    """Return the Jaccard similarity (0 to 1) of a structure to the most similar one in
    `others`.

    A structure is the tag paths in an element. Return 0 if `others` is empty.
    """
    similarities = (len(structure & other) / len(structure | other) for other in others)
    return max(similarities, default=0.0)
