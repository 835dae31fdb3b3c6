"""The thresholds for inducing a contract, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class ContractThresholds:
    """The thresholds that decide which properties a contract demands of other pages.

    `CONTRACT` is the instance that all modules use. Shares refer to the records of an
    area on the samples.
    """

    rare: float = 0.01
    """The share of pages that may have an emptier column, if nothing else shows that
    values are lost."""
    seldom: float = 0.05
    """The share of pages that may have an emptier column, if the column's type has
    annotators. These columns vary less.
    """
    page_records: int = 20
    """The number of records of a typical page; on shorter pages emptiness is more often
    chance."""
    distinct: float = 0.9
    """The least share of different values of a field that may identify its record."""
    same_picture: float = 0.3
    """The part of the samples' share of different values that other pages must reach,
    for addresses of pictures, as many records may share a placeholder. For other fields
    it is in `induction.DIFFERING`."""
    in_order: float = 0.95
    """The least share of the records in which one field follows another, if their order
    counts as fixed."""
    levels_above: int = 2
    """The number of levels above a value's element up to which annotations count; an
    annotation of an ancestor spans the value and its label."""
    empty_texts: int = 3
    """The greatest number of texts that are kept of pages without results."""
    frame: int = 8
    """The greatest number of elements of a frame."""


CONTRACT: Final = ContractThresholds()
"""The thresholds that are in use."""
