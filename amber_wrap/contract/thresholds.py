"""The thresholds of inducing a contract, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ContractThresholds:
    """The numbers that decide what a contract promises, all used as `CONTRACT`.

    Shares are shares of the records of an area on the samples.
    """

    rare: float = 0.01
    """The share of pages that may have an emptier column, if nothing else shows that
    values are lost."""
    seldom: float = 0.05
    """The same share for types with annotators, which vary less."""
    page_records: int = 20
    """The number of records of a typical page; on shorter pages emptiness is more often
    chance."""
    distinct: float = 0.9
    """The share with different values from which on a field may identify its record."""
    same_picture: float = 0.3
    """The part of that share that must hold on other pages for addresses of pictures,
    as many records may share a placeholder; for others it is `induction.DIFFERING`."""
    in_order: float = 0.95
    """The share in which one field must follow another for a fixed order."""
    levels_above: int = 2
    """How many levels above a value's element an annotation may be; there a value is
    annotated with its label."""
    empty_texts: int = 3
    """The number of texts of a page without results that are kept."""
    frame: int = 8
    """The number of elements of a frame."""


CONTRACT: Final = ContractThresholds()
"""The thresholds that are in use."""
