"""The thresholds for choosing lists and aligning attributes, in addition to AMBER's.

The thresholds of AMBER are in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SelectionThresholds:
    """The thresholds that decide which lists a page has, and which domain the lists
    belong to.

    `SELECTION` is the instance that all modules use. Shares refer to the records of a
    list. Scores and probabilities come from the models that `benchmarks/fit.py` fits.
    """

    least_records: int = 2
    """The number of records of a list, and of its records that must have a pivot or a
    user's example."""
    several: int = 3
    """The number of records that a list must have where a coincidence is likely: if its
    records are several siblings, or if it stands beside the chosen list.
    """
    nearly_all: float = 0.8
    """The share that counts as all: of records of several siblings, since some may lack
    the others; of the nodes of groups that the records within them must fill."""
    most_following: int = 4
    """The number of siblings behind the first one of a record."""
    most_candidates: int = 250
    """The number of lists that are rated, those with the most text first."""
    most_areas: int = 20
    """The number of areas found by the roles of pivots that are rated, those with the
    most text first.
    """
    record_text: int = 400
    """The number of characters of a record that count for the order of lists by their
    text, so that an article among the records doesn't outweigh them."""
    tie: float = 1.0
    """The difference in score up to which candidates count as equally good."""
    tie_with_groups: float = 0.5
    """The difference in score up to which groups and the records within them count as
    equally good.
    """
    more_than_groups: float = 0.1
    """The difference in the feature `record_count` from which on groups have several
    records, 1.7 on average."""
    probable: float = 0.2
    """The probability from which on a candidate is accepted as a list."""
    beside: float = 0.36
    """The probability, without comparison to other candidates, from which on a list
    beside the chosen one is reported."""
    most_beside: int = 3
    """The number of lists beside the chosen one that are reported."""
    further: float = 0.5
    """The probability above which a list is a further list of the same records."""
    copied: float = 0.5
    """The share of records with a link that is also in the chosen list, above which a
    list is its copy for other screens."""
    known_type: float = 0.3
    """The share of the chosen list's records from which on a type counts as missing in
    other lists."""
    with_pivot: float = 0.1
    """The share of records that must have a regular type of the domain."""
    merged: float = 0.9
    """The share of a list's text that is in the records of another list, from which on
    the list only merges records of that list.
    """
    aside: float = 2 / 3
    """The share of the page's text up to which an element may be a menu, an advert or
    the like, whatever its class says."""
    common_type: float = 0.6
    """The share of records with a value from which on a type counts as common."""
    own_types: float = 0.25
    """The share of a domain's own types that must be common to recognise the domain."""
    likely: float = 0.6
    """The weight of a domain's values if the regular types and one own type are common.
    """
    unrecognised: float = 0.25
    """The weight of a domain's values if its types hardly occur."""
    items: int = 30
    """The number of items of a list in a script that are searched for in the page."""
    item_values: int = 4
    """The mean number of values that items in a script must have; entries of menus have
    a label, an address and a mark.
    """
    item_text: int = 8
    """The length in characters of a text of several words that isn't in the page by
    chance."""


SELECTION: Final = SelectionThresholds()
"""The thresholds that are in use."""


@dataclass(frozen=True, slots=True)
class AlignmentThresholds:
    """The thresholds that decide which texts become attributes.

    `ALIGNMENT` is the instance that all modules use. Shares refer to the records of an
    area, or to the texts at a path.
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
    """The number of texts at a path up to which a single annotation may be enough."""
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
    """The share of the records with a state from which on all records count as having
    one.
    """
    headline: int = 20
    """The length in characters from which on the text of a link has full weight."""
    price_label: int = 30
    """The length in characters of a label before or around an amount of money."""
    deepest_cut: float = 0.2
    """The least share of a former price that the current one must be."""
    discounts: int = 3
    """The number of different ratios of two prices from which on they are discounts,
    not taxes."""
    striped: int = 6
    """The number of records from which on a mark on every second record is no
    coincidence.
    """
    stripe: float = 0.9
    """The share of neighbouring records of which one has the mark of a stripe and the
    other hasn't; less than 1, since adverts break the rhythm.
    """
    instalments: int = 12
    """The factor by which a whole price must exceed an instalment."""

    def least(self, share: float, texts: int) -> float:
        """Return `share * texts`, but at least `least_texts`."""
        return max(self.least_texts, share * texts)


ALIGNMENT: Final = AlignmentThresholds()
"""The thresholds that are in use."""
