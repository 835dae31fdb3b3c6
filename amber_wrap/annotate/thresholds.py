"""The numbers by which texts are recognised as values, labels or headlines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AnnotationThresholds:
    """The numbers by which texts are recognised as values, labels or headlines.

    Lengths of texts are in characters.
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
    """The header row of a list must have at least this number of names, and as many
    rows below must have cells with the same tags.
    """
    most_label_words: int = 3
    """The greatest number of words in a label."""
    shortest_headline: int = 10
    """The least length of a link's text that may be a headline. Texts in menus are
    shorter."""
    largest_icon: int = 48
    """An image is an icon if neither its width nor its height exceeds this number of
    pixels.
    """
    least_decoration_uses: int = 4
    """An image is decoration if its address is used at least this number of times on a
    page. Links of one kind with the same text are no headlines if they have at least
    this number of targets.
    """
    least_confirming_words: int = 2
    """The number of function words, such as "the", that confirm the language that a
    page declares."""
    least_outvoting_words: int = 8
    """A language replaces a credibly declared language only if the text has at least
    this number of its function words, such as "the".
    """
    most_counted_of_word: int = 2
    """The greatest number of times that one function word is counted. One word alone
    must not decide on the language: the name "Di" isn't Italian.
    """
    least_language_lead: float = 1.5
    """The factor by which the function words of a page's most frequent language must
    outnumber the function words of any other language."""


ANNOTATION: Final = AnnotationThresholds()
"""The thresholds by which all modules recognise texts that may be values."""
