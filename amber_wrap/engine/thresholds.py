"""Define the thresholds for checking whether a page meets the conditions that a wrapper
sets.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CheckThresholds:
    """The thresholds for checking whether a page meets the conditions that a wrapper
    sets.

    A share is a number from 0 to 1. It refers to the records of a list unless its
    description says otherwise.
    """

    least_f1: float = 0.97
    """The least estimated F1 (0 to 1) of the values from a page that passes the
    check."""
    broken_f1: float = 0.5
    """The F1 (0 to 1) of the values from a page below which the page counts as
    broken."""
    chance_probability: float = 0.05
    """The probability (0 to 1) above which new forms of texts are regarded as
    chance."""
    chance_share: float = 0.05
    """The greatest share of deviations that may be chance. A deviation is, for example,
    a value of a new form, or a record that is unlike all other records."""
    regular_fill: float = 0.7
    """The share of the sample pages' records with a value of a field above which every
    record should have a value."""
    usual_fill: float = 0.5
    """The share of the sample pages' records with a value of a field above which
    missing values count as faults."""
    always_present: int = 3
    """If each sample page has at least this number of records in a list, every page
    must have records in this list."""
    most_records_factor: int = 5
    """The greatest number of records of a list on a page, as a multiple of the number
    on the largest sample page."""
    label_share: float = 0.5
    """The share of records with the same text above which the text counts as a label or
    a button. Such a text isn't a lost value."""
    record_likeness: float = 0.6
    """The least similarity (0 to 1) to a record at which an element counts as a record,
    if an expression for records selects it. The tag paths in the elements are compared.
    """
    sibling_likeness: float = 0.75
    """The least similarity (0 to 1) to a record at which an element beside records
    counts as a record. The tag paths in the elements are compared."""
    tag_pair_likeness: float = 0.9
    """The least similarity (0 to 1) to a record, in pairs of tags, at which an element
    counts as a record. A pair has the tags of a parent and its child, such as `ul` and
    `li`."""
    least_tag_pairs: int = 8
    """An element with fewer pairs of tags than this number isn't compared with records
    by such pairs. A pair has the tags of a parent and its child, such as `ul` and `li`.
    """
    least_placeholders: int = 4
    """Equal values may be placeholders only if at least this number of records have
    them."""
    equal_field_share: float = 0.8
    """If at least this share of the fields have the same value in all records, the
    values count as placeholders. Only fields whose values differ on the sample pages
    count.
    """
    least_equal_digits: int = 10
    """The least number of digits on a page that may be placeholders if all are
    equal."""
    frame_share: float = 0.6
    """The least share of the elements in `Wrapper.frame` that a page without records
    must have. These are elements outside of the lists that all sample pages have."""
    most_children: int = 6
    """The greatest number of child elements in an element whose text may be a single
    value."""
    words_between: int = 4
    """The greatest number of words between "no" and "results" in a notice."""
    garbled_share: float = 0.2
    """The share of garbled characters among a page's non-ASCII characters above which
    the page is garbled.
    """


CHECK: Final = CheckThresholds()
"""The thresholds in use for checking whether a page meets the conditions that a wrapper
sets."""
