"""Keep the sets of records in which a locator reads right and wrong values.

A locator is an XPath expression for the values of one field. A locator is rated by the
sizes of the sets.
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
    reads a text that may be right, since no value is known.

    `skipping` is the part of `right` in which the locator also selects a text that may
    be taken for the value on another page. The text is skipped because it is no bare
    number, or because it is in a cell after the cell of the value.
    """

    right: RecordSet
    wrong: RecordSet
    unknown: RecordSet
    skipping: RecordSet = 0

    def gain(self, records: RecordSet) -> float:
        """Return a number that rates the values that the locator reads in some
        `records`.

        A right value adds 1, and a wrong value subtracts 1. A value in a record without
        a known value (`unknown`) adds `SEARCH.unknown_value_gain`, which is negative. A
        right value adds only `SEARCH.skipping_gain` if the locator also selects a text
        that may be taken for the value on another page (`skipping`).
        """
        right, wrong, unknown, skipping = [
            (part & records).bit_count() for part in self
        ]
        loss = (1 - SEARCH.skipping_gain) * skipping
        return right - wrong - loss + SEARCH.unknown_value_gain * unknown

    def is_good(self, records: RecordSet) -> bool:
        """Return whether a locator reads few wrong values in some `records`.

        Return False if, in one of the records, the locator also selects a text that may
        be taken for the value on another page (`skipping`).
        """
        right, wrong = [(part & records).bit_count() for part in self[:2]]
        few_wrong = wrong <= SEARCH.most_wrong_share * (right + wrong)
        return few_wrong and not self.skipping & records

    @property
    def read(self) -> RecordSet:
        """The records for which the locator reads a value."""
        return self.right | self.wrong | self.unknown
