"""The thresholds for choosing lists, values of records, and the link to the next page.

The thresholds of AMBER are in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SelectionThresholds:
    """The thresholds that decide which lists of a page are lists of results.

    Some also decide which domain (kind of records, such as cars) the page has.

    `SELECTION` is the instance that all modules use. Shares refer to the records of a
    list. Scores and probabilities come from the models that `benchmarks/fit.py` fits.
    """

    least_records: int = 2
    """The least number of records of a list. A list must also have at least as many
    records with a pivot or a user's example."""
    least_certain_records: int = 3
    """The least number of records of a list besides the chosen list, and of a list
    whose records are several siblings. Fewer records may be a coincidence."""
    nearly_all: float = 0.8
    """The share that counts as all: of records that are several siblings, and of a
    list's nodes that another list covers."""
    most_following: int = 4
    """The greatest number of siblings of a record after its first sibling."""
    most_candidates: int = 250
    """The greatest number of lists that are rated. Lists with the most text are rated
    first."""
    most_areas: int = 20
    """The greatest number of areas by the roles of pivots that are rated. Areas with
    the most text are rated first."""
    counted_record_text: int = 400
    """The number of characters of a record that count when lists are compared by text.
    With the limit, a single long article doesn't decide the order."""
    tied_scores: float = 1.0
    """The greatest difference in score between candidates that count as equally
    good."""
    tied_scores_of_groups: float = 0.5
    """The greatest difference in score at which a list may replace a list of groups of
    its records."""
    least_count_above_groups: float = 0.1
    """The least difference in `record_count` between a list and a list of groups of its
    records. The feature `record_count` is on a logarithmic scale."""
    least_probability: float = 0.2
    """The least probability of an accepted list."""
    least_probability_beside: float = 0.36
    """The least probability of a list that is reported besides the chosen list. The
    probability is estimated without a comparison of candidates."""
    most_beside: int = 3
    """The greatest number of lists that are reported besides the chosen list."""
    further_list_probability: float = 0.5
    """The probability above which a list is a further list with the same kind of
    records."""
    most_copied: float = 0.5
    """The greatest share of a further list's records with a link that the chosen list
    has, too. A list with a greater share is a copy for another screen size."""
    known_type_mean: float = 0.3
    """The mean number of identifying types (types that each record should have, without
    links) in a record of the chosen list. Only above the number are other lists
    expected to have identifying types."""
    least_with_pivot: float = 0.1
    """The least share of records with a value of a type that each record should
    have."""
    least_merged_text: float = 0.9
    """The least share of a list's text that the records of another list contain, if the
    list merges records of the other list."""
    largest_aside: float = 2 / 3
    """The greatest share of a page's text in an element that may be a menu or
    advert."""
    common_type_share: float = 0.6
    """The least share of records with a value of a common type."""
    least_own_types: float = 0.25
    """The least share of a domain's own types, which no competing domain has, that must
    be common to recognise the domain."""
    likely_weight: float = 0.6
    """The weight of a domain's values if few of its own types are common, but all types
    that each record should have."""
    unrecognised_weight: float = 0.25
    """The weight of a domain's values if its types hardly occur."""
    most_items: int = 30
    """The number of items of a list in a script that are sought in the page."""
    least_item_values: int = 4
    """The least mean number of values of items in a script. Items of menus have only a
    label, an address and an icon."""
    least_item_text: int = 8
    """The least length in characters of a text that isn't in a page by chance. The text
    has several words."""


SELECTION: Final = SelectionThresholds()
"""The thresholds that are in use."""


@dataclass(frozen=True, slots=True)
class AlignmentThresholds:
    """The thresholds that decide which texts of records become values of a type.

    `ALIGNMENT` is the instance that all modules use. Shares refer to the records of a
    list, or to the texts at one position in the records.
    """

    least_texts: int = 3
    """The least number of records or texts that are evidence for a line, a delimiter,
    or values at a path."""
    nearly_all: float = 0.8
    """The share that counts as all: of texts with the same line or label, and of a text
    that values fill."""
    least_fill: float = 0.15
    """The least share of a text that must be recognised, if the whole text is the
    value."""
    equal_merit_share: float = 0.95
    """The least share of the highest merit at which a path counts as equally good."""
    description_length: int = 150
    """The mean length in characters above which texts are descriptions."""
    least_described: float = 0.5
    """The least share of records whose descriptions must have a value. With a smaller
    share, the descriptions only mention values."""
    least_known_share: float = 0.05
    """The least share of the texts at a path with an annotation, if all texts at the
    path are values."""
    few_texts: int = 5
    """The greatest number of texts at a path for which a single annotation may be
    enough."""
    least_different_share: float = 0.2
    """The least share of different texts at a path of values. Labels are the same in
    many records."""
    longest_trimmed: int = 200
    """The greatest length in characters of a text that isn't a description."""
    common_words_share: float = 0.9
    """The least share of texts that start or end with the words to remove."""
    least_delimiter_support: float = 0.25
    """The least share of the texts with a delimiter that are in favour of a cut."""
    most_delimiter_dissent: float = 0.2
    """The greatest share of opinions against a cut at a delimiter. Texts without an
    opinion don't count."""
    least_gathered: float = 0.5
    """The least share of records in which several child elements must have values, if
    the value belongs to the parent element."""
    least_with_one_state: float = 0.95
    """The least share of records with an element whose class tokens for states are
    ignored."""
    full_headline_length: int = 20
    """The least length in characters of a link's text with full weight."""
    longest_price_label: int = 30
    """The greatest length in characters of a label before or around an amount of
    money."""
    least_discount_ratio: float = 0.2
    """The least ratio of a current price to the former price."""
    least_discount_ratios: int = 3
    """The least number of different ratios of two prices, if the ratios are discounts.
    Taxes give few different ratios."""
    least_striped_records: int = 6
    """The least number of records of a list in which class tokens such as `odd` are
    sought."""
    least_stripe_changes: float = 0.9
    """The least share of pairs of neighbouring records that differ in a class token
    such as `odd`. Adverts may disturb the order."""
    least_instalment_ratio: int = 12
    """The least ratio of a whole price to an instalment."""

    def least(self, share: float, text_count: int) -> float:
        """Return `share * text_count`, a number of texts, but at least `least_texts`.

        The result is the least number of texts that must agree if there are
        `text_count` texts.
        """
        return max(self.least_texts, share * text_count)


ALIGNMENT: Final = AlignmentThresholds()
"""The thresholds that are in use."""


@dataclass(frozen=True, slots=True)
class PagingThresholds:
    """The thresholds for finding the link to the next page.

    `PAGING` is the instance that all modules use.
    """

    least_weight: int = 3
    """The least weight of the evidence for an accepted link."""
    named_ancestors: int = 4
    """The number of a link's ancestors whose class tokens and ids are evidence about
    the link."""
    most_paginators: int = 2
    """The greatest number of paginators of a list, one above and one below the list. A
    greater number of equal links belongs to records."""
    longest_label: int = 60
    """The greatest length of a label in characters."""
    least_class_word: int = 4
    """The least number of letters of a word that is sought within a class token. A
    shorter word may occur by chance, as "sig" occurs in "design"."""
    most_counter_digits: int = 9
    """The greatest number of digits of a counter in an address."""
    most_other_text: int = 80
    """The greatest number of characters besides the page numbers in the element around
    a row of page numbers."""
    days_of_month: int = 28
    """The least count of consecutive numbers in several table rows that are the days of
    a calendar."""


PAGING: Final = PagingThresholds()
"""The thresholds that are in use."""
