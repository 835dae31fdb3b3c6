"""Define the result of trying an XPath expression on the records of the samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from amber_wrap.selectors.costs_and_limits import SEARCH
from amber_wrap.selectors.path_generation import Rank
from amber_wrap.selectors.step_numbers import StepNumbers
from amber_wrap.wrapper.xpath import Heading

CandidateOrder = tuple[int, Rank, int]
"""The sort key of equally good expressions. It has the index of the first record with
the path, the rank of the path, and the index of the way to read the value."""

RecordSet = int
"""A set of records as one number, whose bit i stands for record i."""


@dataclass(slots=True, eq=False)
class LocatorCandidate:
    """A candidate for reading a value: an XPath expression, and how to read the value
    from the element.
    """

    path: StepNumbers | Heading
    """The path from the record's top node to an element, or the heading above the
    record."""
    mode: ReadingMode
    cost: int
    """The cost of the expression, which is low if it tests features that seldom change.
    """
    family: str
    """The kind of feature that the expression tests, such as ids."""
    origins: RecordSet
    """The records from which the expression was generated."""
    order: CandidateOrder
    """The sort key among expressions that are equally good."""


class LocatorOutcome(NamedTuple):
    """The sets of records in which an XPath expression reads right and wrong values."""

    right: RecordSet
    """The records in which the value that the analysis found is read."""
    wrong: RecordSet
    """The records in which a text other than the value that the analysis found is read.
    """
    unknown: RecordSet
    """The records in which a text is read, although the analysis found no value."""
    skipping: RecordSet = 0
    """The records of `right` in which the expression also selects another text that
    could be the value."""

    def gain(self, records: RecordSet) -> float:
        """Return the number of right minus the number of wrong values in `records`.

        A value in a record in which the analysis found none counts as a fraction of a
        wrong value.
        """
        right, wrong, unknown, skipping = [
            (part & records).bit_count() for part in self
        ]
        loss = (1 - SEARCH.skipping_gain) * skipping
        return right - wrong - loss + SEARCH.unknown_value_gain * unknown

    def is_good(self, records: RecordSet) -> bool:
        """Return whether an XPath expression reads few wrong values in `records`, and
        selects no other text that could be the value.
        """
        right, wrong = [(part & records).bit_count() for part in self[:2]]
        few_wrong = wrong <= SEARCH.most_wrong_share * (right + wrong)
        return few_wrong and not self.skipping & records

    @property
    def read(self) -> RecordSet:
        """The records for which the XPath expression reads a value."""
        return self.right | self.wrong | self.unknown


class ReadingMode(NamedTuple):
    """A way to read a value from an element, such as from its text."""

    source: str
    """Where the value is, for example in the text or in an HTML attribute of the
    element."""
    pattern: str | None
    """The name of the regular expression for the value, or None for the whole text."""
    row: int
    """The index of the record's top node that contains the element."""
