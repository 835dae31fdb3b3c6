"""The thresholds for checking whether a page meets a contract.

A contract has the conditions that each page must meet if a wrapper (the rules for
reading one site's pages) still fits the site.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CheckThresholds:
    """The numbers that decide whether a page meets a contract.

    A contract has the conditions that each page must meet if a wrapper (the rules for
    reading one site's pages) still fits the site. `CHECK` is the instance in use. A
    share is a number from 0 to 1. It is a share of the records of a list, unless its
    description says otherwise. The fill rate of a field is the share of records with a
    value.
    """

    least_f1: float = 0.97
    """The least estimated F1, 0 to 1, of the values of an OK page."""
    broken_f1: float = 0.5
    """The estimated F1 below which a page is broken."""
    chance_probability: float = 0.05
    """The probability, 0 to 1, above which a difference from the samples may be
    chance."""
    chance_share: float = 0.05
    """The greatest share of deviations that may be chance.

    A deviation is a value with a new shape, a value that the field's other expressions
    contradict, or a record that is unlike all other records.
    """
    regular_fill: float = 0.7
    """The fill rate of a field above which every record should have the field."""
    usual_fill: float = 0.5
    """The fill rate above which a field counts as usual."""
    always_present: int = 3
    """The least number of records that each sample must have in an area (list), so that
    a page without records in this area always fails."""
    most_records_factor: int = 5
    """The most records of an area on a page, as a multiple of the number of records on
    the fullest sample."""
    label_share: float = 0.5
    """The share of records with the same unread text, above which the text counts as a
    label or a button, not as a lost value."""
    record_likeness: float = 0.6
    """The least similarity, 0 to 1, to another record's structure, at which an element
    that an expression for records selects counts as a record."""
    sibling_likeness: float = 0.75
    """The least similarity to a record, 0 to 1, at which an element beside the records
    counts as a record."""
    tag_pair_likeness: float = 0.9
    """The least similarity to a record, 0 to 1, at which an element counts as a record,
    whatever its other structure. Compared is how often each pair of a parent's and a
    child's tag, such as `ul` and `li`, occurs."""
    least_tag_pairs: int = 8
    """The least number of pairs of a parent's and a child's tag, such as `ul` and `li`,
    in an element whose pairs are compared with those in the records."""
    least_placeholders: int = 4
    """The least number of records whose equal values may be placeholders."""
    equal_field_share: float = 0.8
    """The least share of fields that have one value in all records, so that the records
    count as placeholders. Only fields whose values differ on the samples count."""
    least_equal_digits: int = 10
    """The least number of digits that count as placeholders if all are equal."""
    frame_share: float = 0.6
    """The share of the elements around the lists (`Wrapper.frame`) that a page without
    records must have, so that the page counts as one of the template."""
    most_children: int = 6
    """The number of child elements above which the text of an element is no single
    value."""
    words_between: int = 4
    """The most words between "no" and "results" in a notice."""
    garbled_share: float = 0.2
    """The share of garbled characters among the non-ASCII characters above which a page
    is garbled. The other characters may be written as character references, which no
    decoding changes.
    """


CHECK: Final = CheckThresholds()
"""The thresholds for checking whether a page meets a contract.

A contract has the conditions that the pages of a site must meet.
"""
