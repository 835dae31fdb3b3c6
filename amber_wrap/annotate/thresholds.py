"""Thresholds for the annotation of texts, in one object."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AnnotationThresholds:
    """The numbers on which the annotation of texts depends.

    Code uses the instance `ANNOTATION`. Lengths of texts are in characters.
    """

    longest_value: int = 120
    """The length up to which a text is a value, not a description."""
    composed: int = 80
    """The length up to which the parts of an element's text form one text."""
    example: int = 200
    """The length of the longest text in which a user's example is sought."""
    longest_header: int = 40
    """The length of a header of a column, at most."""
    header_row: int = 2
    """The least number of names in the header row of a list, and of similar rows
    below."""
    label_words: int = 3
    """The number of words of a label, at most."""
    headline: int = 10
    """The length from which on a link's text may be a headline; texts in menus are
    shorter."""
    icon: int = 48
    """The width or height in pixels up to which an image is an icon."""
    repeated: int = 4
    """The number of times from which on a repeated image is decoration."""
    confirming: int = 2
    """The number of function words that confirm the declared language."""
    outvoting: int = 8
    """The number of function words by which another language replaces the declared
    language."""
    counted_word: int = 3
    """The greatest number of occurrences of one function word that are counted."""
    clear: float = 1.5
    """The least ratio of the function words of the first language to those of the
    second."""


ANNOTATION: Final = AnnotationThresholds()
"""The thresholds that are in use."""
