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
    """The least weight of the evidence for an accepted link."""
    ancestors: int = 4
    """The number of a link's ancestors whose class tokens and ids are evidence about
    the link."""
    paginators: int = 2
    """The greatest number of paginators of a list, one above and one below the list. A
    greater number of equal links belongs to records."""
    longest_label: int = 60
    """The greatest length of a label in characters."""
    class_word: int = 4
    """The least number of letters of a word that is sought within a class token. A
    shorter word may occur by chance, as "sig" occurs in "design"."""
    counter: int = 9
    """The greatest number of digits of a counter in an address."""
    room: int = 80
    """The greatest number of characters besides the page numbers in the element around
    a row of page numbers."""
    month: int = 28
    """The least count of consecutive numbers in several table rows that are the days of
    a calendar."""


PAGING: Final = PagingThresholds()
"""The thresholds that are in use."""
