"""Cases by number: the same number is the same case, on every machine."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from hostile import (
    deep,
    encodings,
    formats,
    names,
    patterns,
    quotes,
    stored,
    structure,
)
from hostile.case import Case, Family

FAMILIES: dict[str, Family] = {
    "structure": structure.KINDS,
    "encodings": encodings.KINDS,
    "names": names.KINDS,
    "quotes": quotes.KINDS,
    "huge and deep": deep.KINDS,
    "patterns": patterns.KINDS,
    "formats": formats.KINDS,
    "stored wrappers": stored.KINDS,
}
KINDS = [(family, kind) for family, kinds in FAMILIES.items() for kind in kinds]


def kinds(count: int, first: int = 0) -> Iterator[tuple[int, str, str]]:
    """(number, family, kind) of so many cases: the families take turns, and in each
    its kinds."""
    families = list(FAMILIES)
    for number in range(first, first + count):
        turn, at = divmod(number, len(families))
        own = list(FAMILIES[families[at]])
        yield number, families[at], own[turn % len(own)]


def case(number: int, family: str, kind: str) -> Case:
    """The case of that number."""
    return FAMILIES[family][kind](Random(f"{number} {family} {kind}"))
