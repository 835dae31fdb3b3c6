"""What is built like a record and is none, and what is one and isn't built like it."""

from collections.abc import Iterator
from functools import cache
from itertools import takewhile
from typing import Final

from amber_wrap.dom.expressions import Node
from amber_wrap.dom.markup import is_hidden
from amber_wrap.engine.contract import regular
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.reading import record_rows
from amber_wrap.wrapper.ir import AreaRule, Contract

# How much a record has in common with the one that is most like it; and another
# element beside the records that may be one.
_ALIKE: Final = 0.6
SAME: Final = 0.75


def left_out(
    records: list[Found], found: list[Found], starts: set[Node], marked: list[Node]
) -> int:
    """How many elements that look like records of an area are in none that was found.

    They are built like them, and `starts` at one of its places or beside them, or
    `marked` by its witness, as records are.  Two such marks in one record are one too
    many.
    """
    rows = {row for record in found for row in record.rows}
    around = {one for row in rows for one in row.iterancestors()}
    built = cache(lambda: [_build(record.rows[0]) for record in records])
    likeness_of = cache(lambda node: likeness(_build(node), built()))

    @cache
    def least_alike() -> float:
        each = (_likeness_to_others(built(), at) for at in range(len(built())))
        return min([_ALIKE, *each])

    def is_out(node: Node) -> bool:
        outer = (node, *node.iterancestors())
        is_other = node not in around and rows.isdisjoint(outer)
        return is_other and not any(map(is_hidden, outer))

    def is_in_one(mark: Node, outer: set[Node]) -> bool:
        """Whether it is in an element below these that has as much in common with the
        records as they have with one another: a link like those in records may be
        anywhere."""
        within = takewhile(lambda one: one not in outer, mark.iterancestors())
        return any(likeness_of(one) >= least_alike() for one in (mark, *within))

    likely = [(one, _ALIKE) for one in starts]
    likely += [(one, SAME) for one in set(beside(records)) - starts]
    alike = sum(is_out(one) and likeness_of(one) >= least for one, least in likely)
    held: dict[Node, list[Node]] = {record.rows[0]: [] for record in records}
    for mark in marked:
        for row in held.keys() & set(mark.iterancestors()):
            held[row].append(mark)
    swallowed = sum(
        min(len(marks) - 1, sum(is_in_one(mark, {row}) for mark in marks))
        for row, marks in held.items()
        if len(marks) > 1
    )
    out = sum(is_out(mark) and is_in_one(mark, around) for mark in marked)
    return max(alike, swallowed + out)


def starts_of(area: AreaRule, root: Node) -> set[Node]:
    """The starts at all places of an area."""
    return {rows[0] for place in area.places for rows in record_rows(place, 1, root)}


def beside(records: list[Found]) -> Iterator[Node]:
    """The elements beside records, and in these what has the tag of a record."""
    rows = {row for record in records for row in record.rows}
    tags = {record.rows[0].tag for record in records}
    for parent in {record.rows[0].getparent() for record in records}:
        for one in parent.iterchildren("*") if parent is not None else ():
            if one not in rows:
                yield one
                # Some names of tags can't be asked for: they hold control characters.
                yield from (it for it in one.iterdescendants("*") if it.tag in tags)


def intruders(contract: Contract, records: list[Found]) -> int:
    """How many records are unlike all others, and lack most of what all should."""
    usual = regular(contract)
    built = [_build(record.rows[0]) for record in records]
    return sum(
        2 * len(usual & one.values.keys()) < len(usual)
        and _likeness_to_others(built, at) < _ALIKE
        for at, one in enumerate(records)
    )


def _build(node: Node) -> frozenset[str]:
    """What an element is made of: the ways down to all below it, as tags."""
    paths = {node: ""}
    for one in node.iterdescendants("*"):
        above = one.getparent()
        if above is not None:
            paths[one] = f"{paths[above]}/{one.tag}"
    return frozenset(paths.values())


def _likeness_to_others(built: list[frozenset[str]], at: int) -> float:
    """What one of some elements has in common with the others."""
    return likeness(built[at], built[:at] + built[at + 1 :])


def likeness(build: frozenset[str], others: list[frozenset[str]]) -> float:
    """What it has in common with the one of the others that is most like it, as a
    share of all that the two are made of (Jaccard)."""
    shares = (len(build & one) / len(build | one) for one in others)
    return max(shares, default=0.0)
