"""The thresholds for choosing lists, values of records, and the link to the next page.

The thresholds of AMBER are in `domain.schema.Thresholds`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SelectionThresholds:
    """The thresholds that decide which lists of a page are results, with the instance
    `SELECTION`.

    Shares refer to the records of a list, and scores to the models that
    `benchmarks/fit.py` fits.
    """

    least_records: int = 2
    """The least number of records of a list. If lists are chosen by values, such as a
    user's example or prices, at least this number of records must have such a value.
    """
    least_certain_records: int = 3
    """The least number of records of a list besides the chosen list, and of a list
    whose records are several siblings. Fewer records may be a coincidence."""
    nearly_all: float = 0.8
    """The share that counts as nearly all. For example, a list whose records are
    several siblings is accepted only if nearly all records are several siblings.
    """
    most_following: int = 4
    """The greatest number of siblings that may follow the first sibling of a record."""
    most_candidates: int = 250
    """The greatest number of lists that are rated. Lists with the most text are rated
    first."""
    most_areas: int = 20
    """The greatest number of data areas that `identify_by_role` returns. A data area is
    a part of the page with one list. Areas with the most text come first."""
    counted_record_text: int = 400
    """The number of characters of a record that count when lists are compared by text.
    With the limit, a single long article doesn't decide the order."""
    tied_scores: float = 1.0
    """The greatest difference in score between lists that count as equally good."""
    tied_scores_of_groups: float = 0.5
    """A list of events may replace a list of days with the same events if its score is
    lower by at most this number.
    """
    least_count_above_groups: float = 0.1
    """A list of events replaces a list of days with the same events only if its feature
    `record_count`, on a logarithmic scale, is higher by more than this number.
    """
    least_probability: float = 0.2
    """A list is accepted as a list of results if the probability for this is at least
    this number.
    """
    least_probability_beside: float = 0.36
    """A list is reported besides the chosen list if its probability is at least this
    number. The probability is estimated without a comparison with other lists.
    """
    most_beside: int = 3
    """The greatest number of lists that are reported besides the chosen list."""
    further_list_probability: float = 0.5
    """A list is taken for a further list with the same kind of records if the
    probability for this is above this number.
    """
    most_copied: float = 0.5
    """A list has no further results if more than this share of its records have a link
    that the chosen list has, too. Such a list is a copy for another screen size.
    """
    known_type_mean: float = 0.3
    """If the records of the chosen list have on average more identifying types than
    this number, other lists should have such types, too. An identifying type is a type
    that each record should have, except for links.
    """
    least_with_pivot: float = 0.1
    """The least share of a list's records that must have a value of a type that each
    record should have, such as the price."""
    least_merged_text: float = 0.9
    """A list merges the records of another list if it has fewer records, and the
    records of the other list have at least this share of its text.
    """
    largest_aside: float = 2 / 3
    """The greatest share of a page's text in an element that may be a menu or
    advert."""
    common_type_share: float = 0.6
    """A type is common on a page if at least this share of the records has a value of
    the type."""
    least_own_types: float = 0.25
    """To recognise a domain (kind of records), most records must have values of at
    least this share of the domain's own types, and of two such types. Own types are
    types that no competing domain has.
    """
    likely_weight: float = 0.6
    """The weight of a domain (kind of records) that the page confirms only partly. Most
    records have all types that each record should have, and a type that no competing
    domain has. With enough such types (`least_own_types`), the weight is 1.
    """
    unrecognised_weight: float = 0.25
    """The lowest weight of a domain (kind of records). The weight is used if the values
    of the page don't show that the records are of this kind."""
    most_items: int = 30
    """The number of items of a list in a script that are sought in the page."""
    least_item_values: int = 4
    """The items of a list in a script must have at least this number of values on
    average. Items of menus have only a label, an address and an icon.
    """
    least_item_text: int = 8
    """The least length in characters of the texts of a script's items that are sought
    in the page. A shorter text may be in the page by chance."""


SELECTION: Final = SelectionThresholds()
"""The thresholds by which all modules choose the lists of results on a page."""


@dataclass(frozen=True, slots=True)
class AlignmentThresholds:
    """The thresholds that decide which texts of records become values, with the
    instance `ALIGNMENT`.

    Shares refer to the records of a list, or to the texts at one path in the records,
    such as `li > b`.
    """

    least_texts: int = 3
    """The number of texts or records that is enough to infer, for example, a common
    label.
    """
    nearly_all: float = 0.8
    """The share that counts as nearly all. For example, it is the least share of texts
    at one path that must have the same label.
    """
    least_fill: float = 0.15
    """The least share of a text that must be recognised, if the whole text is the
    value."""
    equal_merit_share: float = 0.95
    """The rating of a path counts as equal to the highest rating if it is at least this
    share of the highest rating.
    """
    description_length: int = 150
    """The mean length in characters above which the texts at one path are descriptions.
    """
    sentence_length: int = 50
    """The least length in characters of a text that may be a sentence around a
    value."""
    least_described: float = 0.5
    """If less than this share of the records have a value in their description, the
    descriptions only mention values.
    """
    least_known_share: float = 0.05
    """The least share of the texts at one path that must be recognised as values to
    accept all texts there as values. At least three recognised texts are needed.
    """
    few_texts: int = 5
    """At a path with at most this number of texts, a single recognised value may show
    that all texts there are values.
    """
    least_different_share: float = 0.2
    """The least number of different texts at a path of values, as a share of all texts
    there. Texts such as labels are the same in many records.
    """
    longest_trimmed: int = 200
    """The greatest length in characters of texts that are compared to learn what to
    remove from them. Longer texts are descriptions.
    """
    common_words_share: float = 0.9
    """The least share of texts that start or end with the words to remove."""
    least_delimiter_support: float = 0.25
    """Texts are cut at a delimiter only if at least this share of the texts with the
    delimiter should be cut there."""
    most_delimiter_dissent: float = 0.2
    """Texts are cut at a delimiter only if the cut is wrong for at most this share of
    the texts in which it is clearly right or wrong.
    """
    least_gathered: float = 0.5
    """Values in several child elements count as one value of the parent if at least
    this share of the records has such a parent.
    """
    least_with_one_state: float = 0.95
    """Class tokens that differ between similar elements, such as `sold`, may be ignored
    if at least this share of the records has such an element."""
    full_headline_length: int = 20
    """A text with at least this number of characters counts fully as a headline. A
    shorter text counts less, in proportion to its length.
    """
    pictured_headline: float = 0.7
    """How suitable a link is as a headline if another link to its page shows an image,
    0 to 1. A long link in a heading is more suitable."""
    longest_price_label: int = 30
    """The greatest length in characters of a label before or around an amount of
    money."""
    least_discount_ratio: float = 0.2
    """The first of two prices counts as the former price only if the second price is at
    least this share of the first.
    """
    least_discount_ratios: int = 3
    """A first price counts as the former price only if the ratios of the second price
    to the first have at least this number of different values. Prices with and without
    tax have few different ratios.
    """
    least_striped_records: int = 6
    """The least number of records of a list in which class tokens such as `odd` are
    sought."""
    least_stripe_changes: float = 0.9
    """The least share of pairs of neighbouring records that differ in a class token
    such as `odd`. Adverts may disturb the order."""
    least_instalment_ratio: int = 12
    """An amount per month or the like counts as an instalment if the record has a whole
    price of at least this many times the amount."""

    def least(self, share: float, text_count: int) -> float:
        """Return the least number of texts that must agree if there are `text_count`
        texts.

        It is the share `share` of the texts, but at least `least_texts`.
        """
        return max(self.least_texts, share * text_count)


ALIGNMENT: Final = AlignmentThresholds()
"""The thresholds by which all modules decide which texts of records are values."""


@dataclass(frozen=True, slots=True)
class PagingThresholds:
    """The thresholds for finding the link to the next page.

    `PAGING` is the instance that all modules use.
    """

    least_weight: int = 3
    """A link is accepted as the link to the next page if the weights of its reasons add
    up to at least this number.
    """
    named_ancestors: int = 4
    """The number of a link's ancestors whose class tokens and ids are examined, too."""
    most_paginators: int = 2
    """The greatest number of paginators (rows of page numbers) of a list, one above and
    one below the list. If there are more, they may belong to single records."""
    longest_label: int = 60
    """The greatest length in characters of a link's label that is interpreted."""
    least_class_word: int = 4
    """The least number of letters of a word that is sought within a class token. A
    shorter word may occur by chance, as "sig" occurs in "design"."""
    most_counter_digits: int = 9
    """The greatest number of digits of a page number or record number in an address."""
    most_other_text: int = 80
    """The greatest number of characters besides the page numbers in the element around
    a row of page numbers."""
    days_of_month: int = 28
    """The least number of rising numbers in several table rows that count as the days
    of a calendar, not as page numbers."""


PAGING: Final = PagingThresholds()
"""The thresholds by which all modules find the link to the next page."""
