"""The thresholds for finding the next page, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PagingThresholds:
    """The thresholds for finding the link to the next page.

    `PAGING` is the instance that all modules use.
    """

    enough: int = 3
    """The weight of evidence from which on a link is accepted."""
    ancestors: int = 4
    """The number of ancestors of a link whose names count as the names of its
    surroundings."""
    paginators: int = 2
    """The number of paginators of one list, above and below it, at most. More of them
    belong to records, such as "continue reading"."""
    longest_label: int = 60
    """The length of a label in characters, at most."""
    class_word: int = 4
    """The least number of letters of a word in a class token, because "sig" is in
    "design"."""
    counter: int = 9
    """The number of digits of a counter in an address, at most."""
    room: int = 80
    """The number of characters beside the numbers in the box of a pager, at most."""
    month: int = 28
    """The number of consecutive numbers in several table rows from which on they are
    days."""


PAGING: Final = PagingThresholds()
"""The thresholds that are in use."""
