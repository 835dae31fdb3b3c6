"""Thresholds for finding columns: shares, numbers and lengths."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import Final


@dataclass(frozen=True, slots=True)
class ColumnThresholds:
    """Thresholds for finding and naming columns.

    Shares are numbers from 0 to 1, of the records of a list or of the texts of a
    column.
    """

    least_share: float = 0.05
    """The least share of a list's records that must have a text in a column, or have a
    label. Otherwise, the column or label is ignored."""
    least_records: int = 2
    """The least number of records that must have a text in a column, or have a label.
    Also the least number of different values in a column."""
    most_columns: int = 40
    """The greatest number of columns of a list. The columns with texts in the most
    records are kept."""
    nearly_all: float = 0.9
    """The least share that counts as all. For example, all records of a list count as
    having a heading if at least this share of them has one."""
    all_with_exceptions: float = 0.75
    """The least share that counts as nearly all where exceptions are expected. For
    example, this share of a column's texts must equal a JSON-LD property to give the
    column its name."""
    least_repeated_share: float = 0.2
    """The least share of records that must have the same label at the start of a text,
    such as "Rooms:". Also the least share of list items with a text that is at
    different indexes in different records."""
    least_named_share: float = 0.51
    """The least share of a column's texts that must give the same name, if the column
    is to get this name. Labels and markup give names."""
    least_sharing: int = 4
    """The least number of classes that must begin with the same words, as
    `event_card_venue` and `event_card_title` do. The common words are left out of
    names."""
    half: float = 0.5
    """A column is called a date if more than this share of its texts have a date. A
    JSON-LD list is used if it describes at least this share of a page's records."""
    most_action_texts: float = 0.1
    """The greatest share of different texts among links for actions, such as "details".
    """
    longest_label: int = 40
    """The greatest length of a label in characters."""
    most_label_variants: int = 2
    """The greatest number of different labels, such as "Price:" and "Sale price:", of
    which each record has only one."""
    most_forms: int = 4
    """The greatest number of forms of a value, such as "3 h ago" and "yesterday". A
    value that has more forms isn't recognised by its form among the values of a text.
    """
    most_parts: int = 8
    """The greatest number of values in a text that separators divide."""
    longest_divided: int = 200
    """The greatest mean length in characters of texts that separators divide."""
    longest_amount: int = 20
    """The greatest length of an amount of money whose parts, such as the cents, stand
    in elements of their own."""
    longest_name: int = 30
    """The greatest length of a column's name in characters."""
    least_ranks: int = 3
    """The least number of records on a page at which texts such as 1, 2, 3 are taken
    for numbers of the records."""
    shortest_stem: int = 3
    """The least number of letters that the forms of a word, such as "room" and "rooms",
    must share at the start."""
    longest_plural_ending: int = 2
    """The greatest number of letters that the plural adds to a word, as in "boxes"."""
    longest_heading: int = 80
    """The greatest length of a heading in characters."""
    heading_levels: int = 3
    """The number of levels above a record at which its heading is sought."""
    shortest_description: int = 60
    """The least mean length in characters of texts that are descriptions. Also the
    greatest length of a value in an HTML attribute other than `href`."""
    least_own_text_share: float = 0.05
    """The least share of a long text that must be outside of child elements. Otherwise,
    the text doesn't count as one passage."""

    def least(self, record_count: int) -> int:
        """Return the least number of records in which a column or a label must occur.

        `record_count` is the number of all records of the list.
        """
        return max(self.least_records, ceil(self.least_share * record_count))


COLUMN: Final = ColumnThresholds()
"""The thresholds by which all modules find and name the columns of a list."""
