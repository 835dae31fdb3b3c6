"""What is built like a record and is none, and what is one and isn't built like it."""

from collections import Counter
from collections.abc import Iterator
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

    They are `marked` by its witness, as records are, and two such marks in one record
    are one too many; or built like them, and `starts` at one of its places or beside
    them.
    """
    rows = {row for record in found for row in record.rows}
    around = {one for row in rows for one in row.iterancestors()}

    def is_out(node: Node) -> bool:
        outer = (node, *node.iterancestors())
        is_other = node not in around and rows.isdisjoint(outer)
        return is_other and not any(map(is_hidden, outer))

    likely = [(one, _ALIKE) for one in starts if is_out(one)]
    likely += [(one, SAME) for one in set(beside(records)) - starts if is_out(one)]
    built = [_build(record.rows[0]) for record in records] if likely else []
    alike = sum(likeness(_build(one), built) >= least for one, least in likely)
    held = Counter(one for node in marked for one in node.iterancestors())
    swallowed = sum(max(0, held[record.rows[0]] - 1) for record in records)
    return max(alike, swallowed + sum(map(is_out, marked)))


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
        and likeness(built[i], built[:i] + built[i + 1 :]) < _ALIKE
        for i, one in enumerate(records)
    )


def _build(node: Node) -> frozenset[str]:
    """What an element is made of: the ways down to all below it, as tags."""
    paths = {node: ""}
    for one in node.iterdescendants("*"):
        above = one.getparent()
        if above is not None:
            paths[one] = f"{paths[above]}/{one.tag}"
    return frozenset(paths.values())


def likeness(build: frozenset[str], others: list[frozenset[str]]) -> float:
    """What it has in common with the one of the others that is most like it, as a
    share of all that the two are made of (Jaccard)."""
    shares = (len(build & one) / len(build | one) for one in others)
    return max(shares, default=0.0)
