"""What is built like a record and is none, and what is one and isn't built like it."""

from collections.abc import Iterator
from typing import Final

from amber_wrap.embedded.contract import Contract, regular
from amber_wrap.embedded.ensemble import Area, Found
from amber_wrap.embedded.markup import is_hidden
from amber_wrap.embedded.paths import Node, xpath
from amber_wrap.embedded.reading import record_rows

# How much a record has in common with the one that is most like it; and another
# element beside the records that may be one.
ALIKE: Final = 0.6
SAME: Final = 0.75


def left_out(area: Area, records: list[Found], found: list[Found], root: Node) -> int:
    """How many elements that look like records of an area are in none that was found.

    They are marked as records are, and two such marks in one record are one too many;
    or built like them, and at one of their places or beside them.
    """
    rows = {row for record in found for row in record.rows}
    around = {one for row in rows for one in row.iterancestors()}
    built = [build(record.rows[0]) for record in records]

    def is_out(node: Node, least: float) -> bool:
        outer = (node, *node.iterancestors())
        if node in around or not rows.isdisjoint(outer) or any(map(is_hidden, outer)):
            return False
        return not least or likeness(build(node), built) >= least

    starts = {
        rows[0]
        for place in area["places"].values()
        for rows in record_rows(place, area["span"], root)
    }
    alike = sum(is_out(one, ALIKE) for one in starts)
    alike += sum(is_out(one, SAME) for one in set(beside(records)) - starts)
    if not area["witness"]:
        return alike
    marks = xpath(area["witness"])
    swallowed = sum(max(0, len(marks(record.rows[0])) - 1) for record in records)
    return max(alike, swallowed + sum(is_out(one, 0.0) for one in marks(root)))


def beside(records: list[Found]) -> Iterator[Node]:
    """The elements beside records, and in these what has the tag of a record."""
    rows = {row for record in records for row in record.rows}
    tags = {record.rows[0].tag for record in records}
    for parent in {record.rows[0].getparent() for record in records}:
        for one in parent.iterchildren("*") if parent is not None else ():
            if one not in rows:
                yield one
                yield from one.iterdescendants(*tags)


def intruders(contract: Contract, records: list[Found]) -> int:
    """How many records are unlike all others, and lack most of what all should."""
    usual = regular(contract)
    built = [build(record.rows[0]) for record in records]
    return sum(
        2 * len(usual & one.values.keys()) < len(usual)
        and likeness(built[i], built[:i] + built[i + 1 :]) < ALIKE
        for i, one in enumerate(records)
    )


def build(node: Node) -> frozenset[str]:
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
