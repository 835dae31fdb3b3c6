"""Define the thresholds for checking whether a page meets a wrapper's conditions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class CheckThresholds:
    """The numbers that decide whether a page meets a wrapper's conditions for pages.

    A share is a number from 0 to 1. It refers to the records of a list unless its
    description says otherwise.
    """

    least_f1: float = 0.97
    """The least estimated F1, 0 to 1, of the values read from a page whose status is
    OK."""
    broken_f1: float = 0.5
    """The estimated F1 of the values read from a page, 0 to 1, below which the page's
    status is BROKEN."""
    chance_probability: float = 0.05
    """The probability (0 to 1) above which new lengths and kinds of texts are taken for
    chance."""
    chance_share: float = 0.05
    """The greatest share of deviations that may be chance.

    A deviation is a value with a new kind of text or length, a value that the field's
    other expressions contradict, or a record that is unlike all other records.
    """
    regular_fill: float = 0.7
    """The share of records with a value of a field on the sample pages above which
    every record should have a value."""
    usual_fill: float = 0.5
    """The share of records with a value of a field on the sample pages above which
    missing values of the field count as faults."""
    always_present: int = 3
    """If each sample has at least this number of records in a list, a page without
    records in the list fails the check."""
    most_records_factor: int = 5
    """The most records of a list on a page, as a multiple of the number of records on
    the fullest sample."""
    label_share: float = 0.5
    """The share of records with the same text above which the text counts as a label or
    a button, not as a lost value. Only texts that no field reads are counted."""
    record_likeness: float = 0.6
    """The least similarity of structure, 0 to 1, between an element and a record at
    which the element counts as a record, if an expression for records selects the
    element."""
    sibling_likeness: float = 0.75
    """The least similarity of structure, 0 to 1, between a record and an element beside
    records at which the element counts as a record."""
    tag_pair_likeness: float = 0.9
    """The least similarity between the tag pairs of an element and of a record, 0 to 1,
    at which the element counts as a record. A tag pair consists of the tags of a parent
    and its child, such as `ul` and `li`."""
    least_tag_pairs: int = 8
    """The least number of tag pairs in an element that is compared with records by tag
    pairs. A tag pair consists of the tags of a parent and its child, such as `ul` and
    `li`."""
    least_placeholders: int = 4
    """The least number of records at which equal values in all of them may be
    placeholders."""
    equal_field_share: float = 0.8
    """The least share of fields of which all values are equal, so that the values count
    as placeholders. Only fields whose values differ on the samples count."""
    least_equal_digits: int = 10
    """The least number of digits on a page that count as placeholders if all are
    equal."""
    frame_share: float = 0.6
    """The least share of the elements around the lists (`Wrapper.frame`) that a page
    without records must have. A page with fewer of these elements fails the check."""
    most_children: int = 6
    """The greatest number of child elements in an element whose text may be a single
    value."""
    words_between: int = 4
    """The most words between "no" and "results" in a notice."""
    garbled_share: float = 0.2
    """The share of garbled characters among the non-ASCII characters above which a page
    is garbled. The other characters may be written as character references, which no
    decoding changes.
    """


CHECK: Final = CheckThresholds()
"""The thresholds in use for checking whether a page meets the conditions of a
contract."""
