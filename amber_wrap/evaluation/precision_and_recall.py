"""Compute precision, recall and F1 from counts of right, wrong and missing values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Count:
    """Numbers of items of one kind, such as records or values, on one or several pages.

    `right` is the number of items that the output has right. `given` is the number of
    items in the output. `gold` is the number of items in the gold, the known records.
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
        """The share of right areas, records or values in the output, or 0 for no
        output.
        """
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of the known areas, records or values that the output has right.

        It is 0 if nothing is known.
        """
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, or 0 if nothing was counted."""
        total_count = self.given + self.gold
        return 2 * self.right / total_count if total_count else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """The counts of one page, or the sums over several pages.

    Each `Count` has the numbers of items in the gold (the known records), of items in
    the output, and of right items. `types` has a count of values for each attribute
    type. `perfect` is the number of gold records for which the matching record in the
    output has exactly the right values.
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
        """The sum of the counts of values over all types."""
        return sum(self.types.values(), Count())

    def of_type(self, name: str) -> Count:
        """Return the count of the values of the type `name`."""
        return self.types.get(name, Count())

    @property
    def perfect_records(self) -> Count:
        """The numbers of perfect records, of output records and of gold (known)
        records.

        A perfect record has exactly the right values.
        """
        return Count(self.perfect, self.records.given, self.records.gold)


def total_score(scores: Iterable[Score]) -> Score:
    """Return the sum of the scores of several pages."""
    return sum(scores, Score())


@dataclass(frozen=True, slots=True)
class Average:
    """Precision, recall and F1 averaged over sites."""

    precision: float
    recall: float
    f1: float


def average_quality(counts: Iterable[Count]) -> Average:
    """Return the average precision, recall and F1 of several counts.

    A count is ignored if both the gold (known records) and the output have nothing to
    count. Each average is 0 if no count is left.
    """
    nonempty = [count for count in counts if count.given or count.gold]
    number = len(nonempty) or 1
    return Average(
        sum(count.precision for count in nonempty) / number,
        sum(count.recall for count in nonempty) / number,
        sum(count.f1 for count in nonempty) / number,
    )
