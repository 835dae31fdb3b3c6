"""Store in which records a locator reads right and wrong values, and rate the locator.

A locator is an XPath expression for the values of one field.
"""

from __future__ import annotations

from typing import NamedTuple

from amber_wrap.selectors.costs_and_limits import SEARCH

RecordSet = int
"""A set of records as one number, whose bit i stands for record i."""


class LocatorOutcome(NamedTuple):
    """The sets of records on which a locator (an XPath expression) reads right and
    wrong values.

    In the records of `right`, the locator reads the known value. In the records of
    `wrong`, the locator reads another text. In the records of `unknown`, the locator
    reads a text that may be right, since no value is known. `skipping` is a part of
    `right`. In the records of `skipping`, another selected text may be taken for the
    value on another page. The other text is skipped only because it is no bare number,
    or it matches the pattern, too, and is in another cell of a row.
    """

    right: RecordSet
    wrong: RecordSet
    unknown: RecordSet
    skipping: RecordSet = 0

    def gain(self, records: RecordSet) -> float:
        """Return a number that rates the values that the locator reads in some
        `records`.

        A right value adds 1, and a wrong value subtracts 1. A value for a record in
        `unknown` adds `SEARCH.unknown_value_gain`, which is negative. A right value in
        `skipping` adds only `SEARCH.skipping_gain`.
        """
        right, wrong, unknown, skipping = [
            (part & records).bit_count() for part in self
        ]
        loss = (1 - SEARCH.skipping_gain) * skipping
        return right - wrong - loss + SEARCH.unknown_value_gain * unknown

    def is_good(self, records: RecordSet) -> bool:
        """Return whether the locator skips no texts, and reads few wrong values, in
        some `records`."""
        right, wrong = [(part & records).bit_count() for part in self[:2]]
        few_wrong = wrong <= SEARCH.most_wrong_share * (right + wrong)
        return few_wrong and not self.skipping & records

    @property
    def read(self) -> RecordSet:
        """The records for which the locator reads a value."""
        return self.right | self.wrong | self.unknown
