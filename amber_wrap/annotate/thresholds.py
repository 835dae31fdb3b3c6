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
    """The least number of names in the header row of a list, and the least number of
    rows below with cells of the same tags.
    """
    most_label_words: int = 3
    """The greatest number of words in a label."""
    shortest_headline: int = 10
    """The least length of a link's text that may be a headline. Texts in menus are
    shorter."""
    largest_icon: int = 48
    """The width or height in pixels up to which an image is an icon."""
    least_decoration_uses: int = 4
    """The least number of uses on a page that make the address of an image decoration.
    Links of one kind with the same text are no headlines if they have so many targets.
    """
    least_confirming_words: int = 2
    """The number of function words, such as "the", that confirm the language that a
    page declares."""
    least_outvoting_words: int = 8
    """The least number of function words, such as "the", by which a language can
    replace a credibly declared language.
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
