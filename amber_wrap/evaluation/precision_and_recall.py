"""Count right objects (areas, records or values), and compute precision,
recall and F1."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Count:
    """The numbers of right objects, of the output's objects, and of the gold's objects.

    An object is an area, a record or a value.
    """

    right: int = 0
    given: int = 0
    gold: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.right + other.right, self.given + other.given, self.gold + other.gold
        )

    @property
    def precision(self) -> float:
        """The share of right objects among the output's objects, 0 if the output is
        empty."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of right objects among the gold's objects, 0 if the
        gold is empty."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.given + self.gold
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """The counts of one page, or the sums over several pages.

    `types` has a count of values for each attribute type. `perfect` is the number of
    gold records whose matching output record has all values right and no others.
    """

    areas: Count = Count()
    records: Count = Count()
    types: Mapping[str, Count] = field(default_factory=dict)
    perfect: int = 0

    def __add__(self, other: Score) -> Score:
        types = dict(self.types)
        for name, count in other.types.items():
            types[name] = self.of_type(name) + count
        return Score(
            self.areas + other.areas,
            self.records + other.records,
            types,
            self.perfect + other.perfect,
        )

    @property
    def attributes(self) -> Count:
        """The count of the values of all types."""
        return sum(self.types.values(), Count())

    def of_type(self, name: str) -> Count:
        """Return the count of the values of an attribute type."""
        return self.types.get(name, Count())

    @property
    def perfect_records(self) -> Count:
        """The count of records, with only perfect records counted as right."""
        return Count(self.perfect, self.records.given, self.records.gold)


def total(scores: Iterable[Score]) -> Score:
    """Return the sum of the scores of several pages."""
    return sum(scores, Score())


@dataclass(frozen=True, slots=True)
class Average:
    """Precision, recall and F1 averaged over sites."""

    precision: float
    recall: float
    f1: float


def average(counts: Iterable[Count]) -> Average:
    """Return the average precision, recall and F1 of several counts.

    A count without any object of the gold or the output is ignored. Each average is 0
    if no count is left.
    """
    some = [one for one in counts if one.given or one.gold]
    number = len(some) or 1
    return Average(
        sum(one.precision for one in some) / number,
        sum(one.recall for one in some) / number,
        sum(one.f1 for one in some) / number,
    )
