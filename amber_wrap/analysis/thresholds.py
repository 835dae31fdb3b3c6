"""The thresholds of alignment beyond AMBER's, in one object.

AMBER's own, which the paper varies, are `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class AlignmentThresholds:
    """The numbers that decide which texts become attributes, all used as `ALIGNMENT`.

    Shares are shares of the records of an area, or of the texts at a path.
    """

    least_texts: int = 3
    """The number of records or texts that must agree on what isn't annotated: on the
    line of a value, on a delimiter, on the values at a path."""
    nearly_all: float = 0.8
    """The share that counts as all: of texts that agree on a line or have a label, and
    of a text that the values must fill, for the other texts to be values, too."""
    least_fill: float = 0.15
    """The share of a text that must be recognised for the whole text to be the value.
    """
    equal_merit: float = 0.95
    """The share of the highest merit from which on a path counts as equally good."""
    description: int = 150
    """The length in characters from which on a text is a description."""
    described: float = 0.5
    """The share of the records in which descriptions must have a value for their path
    to count."""
    known_share: float = 0.05
    """The share of the texts at a path that must have an annotation, for the others to
    be values, too."""
    few_texts: int = 5
    """The number of texts up to which a single annotation may be enough."""
    least_variety: float = 0.2
    """The share of the texts that must differ, since labels repeat."""
    longest_trimmed: int = 200
    """The length in characters up to which a text with a value is no description."""
    common_words: float = 0.9
    """The share of the texts that must have the words at an end that are removed."""
    delimiter_support: float = 0.25
    """The share of the texts with a delimiter that must support it."""
    delimiter_dissent: float = 0.2
    """The share of the texts with evidence that may contradict a delimiter."""
    gathered: float = 0.5
    """The share of records in which several child elements must have values for their
    parent to have the value."""
    one_state: float = 0.95
    """The share of the records from which on all of them have one of the states."""
    headline: int = 20
    """The length in characters from which on the text of a link has full weight."""
    price_label: int = 30
    """The length in characters of a label before or around an amount of money."""
    deepest_cut: float = 0.2
    """The least share of a former price that the current one must be."""
    discounts: int = 3
    """The number of different ratios of two prices from which on they are discounts,
    not taxes."""
    instalments: int = 12
    """How many times an instalment a whole price must be."""

    def least(self, share: float, texts: int) -> float:
        """Return the number of texts that is this share of them, but not too few."""
        return max(self.least_texts, share * texts)


ALIGNMENT: Final = AlignmentThresholds()
"""The thresholds that are in use."""
