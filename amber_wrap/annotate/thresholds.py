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
    """The greatest length of a value. A longer text is a description."""
    longest_joined_text: int = 80
    """The greatest length of a text that is joined from several child elements."""
    longest_example_text: int = 200
    """The greatest length of a text in which a user's example is sought."""
    longest_header: int = 40
    """The greatest length of a column header."""
    least_header_names: int = 2
    """The least number of names in the header row of a list, and the least number of
    rows of the list whose cells have the same tags."""
    most_label_words: int = 3
    """The greatest number of words in a label."""
    shortest_headline: int = 10
    """The least length of a link's text that may be a headline. Texts in menus are
    shorter."""
    largest_icon: int = 48
    """The width or height in pixels up to which an image is an icon."""
    least_decoration_uses: int = 4
    """An image is decoration if its address occurs at least this often on a page. A
    text that all links of one kind repeat is decoration if they have so many targets.
    """
    least_confirming_words: int = 2
    """The number of function words, such as "the", that confirm the language that a
    page declares."""
    least_outvoting_words: int = 8
    """The number of function words, such as "the", from which on their language may
    replace a declared language that is confirmed."""
    most_counted_of_word: int = 2
    """The greatest number of occurrences of one function word that are counted. One
    word alone must not replace a declared language: the name "Di" isn't Italian."""
    least_language_lead: float = 1.5
    """The factor by which the function words of a page's most frequent language must
    outnumber the function words of any other language."""


ANNOTATION: Final = AnnotationThresholds()
"""The thresholds by which all modules recognise texts that may be values."""
