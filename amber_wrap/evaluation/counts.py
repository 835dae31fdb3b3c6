"""Count right objects, and compute precision, recall and F1 (AMBER, section 6.1)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Count:
    """The number of right objects, of objects in the output, and of objects in the
    gold."""

    right: int = 0
    given: int = 0
    gold: int = 0

    def __add__(self, other: Count) -> Count:
        return Count(
            self.right + other.right, self.given + other.given, self.gold + other.gold
        )

    @property
    def precision(self) -> float:
        """The share of the output's objects that are right, 0 if the output
        is empty."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of the gold objects that were found, 0 if there are none."""
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        both = self.given + self.gold
        return 2 * self.right / both if both else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """The counts of one page, or the sums over several pages.

    `types` has a count for each attribute type. `perfect` is the number of gold records
    for which the output has all attributes right, and no others.
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
        """The count of attributes of all types."""
        return sum(self.types.values(), Count())

    def of_type(self, name: str) -> Count:
        """Return the count of attributes of a type."""
        return self.types.get(name, Count())

    @property
    def perfect_records(self) -> Count:
        """The count in which only perfect records are right.

        Its recall is the share of perfect records.
        """
        return Count(self.perfect, self.records.given, self.records.gold)


def total(scores: Iterable[Score]) -> Score:
    """Return the sum of scores."""
    return sum(scores, Score())


@dataclass(frozen=True, slots=True)
class Average:
    """Precision, recall and F1 averaged over sites."""

    precision: float
    recall: float
    f1: float


def average(counts: Iterable[Count]) -> Average:
    """Return the average over the non-empty counts, 0 if there are none."""
    some = [one for one in counts if one.given or one.gold]
    number = len(some) or 1
    return Average(
        sum(one.precision for one in some) / number,
        sum(one.recall for one in some) / number,
        sum(one.f1 for one in some) / number,
    )
