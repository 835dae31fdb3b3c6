"""Compare extracted records with known records: precision, recall and F1.

The rules are those of the AMBER paper, section 6.1, and are in
`docs/evaluation-format.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, field, replace
from operator import add

from amber_wrap.dom.link_addresses import without_query
from amber_wrap.domain.normal_form import Value, with_joined_items
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.evaluation.agreement import Comparable, comparable
from amber_wrap.evaluation.gold import GoldPage


@dataclass(frozen=True, slots=True)
class Count:
    """The numbers of right, extracted and known items, such as records or values."""

    right: int = 0
    """The number of items that were extracted rightly."""
    given: int = 0
    """The number of extracted items."""
    gold: int = 0
    """The number of known items."""

    def __add__(self, other: Count) -> Count:
        return Count(*map(add, astuple(self), astuple(other)))

    @property
    def precision(self) -> float:
        """The share of the extracted items that are right, or 0 if there are none."""
        return self.right / self.given if self.given else 0.0

    @property
    def recall(self) -> float:
        """The share of the known items that were extracted rightly, or 0 if there are
        none.
        """
        return self.right / self.gold if self.gold else 0.0

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall, or 0 if nothing was counted."""
        total_count = self.given + self.gold
        return 2 * self.right / total_count if total_count else 0.0


@dataclass(frozen=True, slots=True)
class Score:
    """The counts of lists, records and values on one page or several pages."""

    areas: Count = Count()
    """The numbers of right, extracted and known lists."""
    records: Count = Count()
    types: Mapping[str, Count] = field(default_factory=dict)
    """The numbers of right, extracted and known values, by attribute type."""
    perfect: int = 0
    """The number of known records that were extracted with exactly the right values."""

    def __add__(self, other: Score) -> Score:
        names = {**self.types, **other.types}
        types = {name: self.of_type(name) + other.of_type(name) for name in names}
        areas, records = self.areas + other.areas, self.records + other.records
        return Score(areas, records, types, self.perfect + other.perfect)

    @property
    def attributes(self) -> Count:
        """The sum of the counts of values over all attribute types."""
        return sum(self.types.values(), Count())

    def of_type(self, name: str) -> Count:
        """Return the numbers of right, extracted and known values of a type."""
        return self.types.get(name, Count())

    @property
    def perfect_records(self) -> Count:
        """The numbers of perfect records, of extracted records and of known records.

        A perfect record was extracted with exactly the right values.
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

    A count without known and extracted items is ignored. Without any count, all are 0.
    """
    used = [count for count in counts if count.given or count.gold] or [Count()]
    names = ("precision", "recall", "f1")
    return Average(
        *(sum(getattr(count, name) for count in used) / len(used) for name in names)
    )


ScoredRow = Mapping[str, Value]
"""An extracted record: a mapping from each type to the displayed value."""
Forms = frozenset[Comparable]
"""The right values of one attribute type in a record, in a form for comparison."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference in a value between a known record and its extracted record."""

    where: str
    """The record, as list and number: "area 1 2" is the second record of "area 1", for
    example.
    """
    type: str
    """The attribute type of the value that differs, "" for a missing record."""
    gold: str | None
    """The known text, None for a missing value or record."""
    given: str | None
    """The extracted text, None for a missing value or record."""


@dataclass(frozen=True, slots=True)
class _Record:
    """A known or an extracted record."""

    area: str
    """The name of the list that contains the record."""
    name: str
    """The name of the record in a report."""
    shown: Mapping[str, str]
    """The displayed value of each attribute type."""

    def __str__(self) -> str:
        return ", ".join(f"{name} {value!r}" for name, value in self.shown.items())


@dataclass(frozen=True, slots=True)
class _OutputRecord(_Record):
    """An extracted record, with each value in a form for comparison."""

    forms: Mapping[str, Comparable]


@dataclass(frozen=True, slots=True)
class _ScoredGold(_Record):
    """A known record, with its values in a form for comparison."""

    forms: Mapping[str, Forms]
    """The right values of each attribute type."""
    optional: Mapping[str, Forms]
    """Values that count neither as right nor as wrong, by attribute type."""

    def agreed_types(self, output: _OutputRecord) -> frozenset[str]:
        """Return the attribute types of which the record `output` has a right value."""
        return frozenset(
            name
            for name, right_forms in self.forms.items()
            if output.forms.get(name) in right_forms
        )

    def without_optional_values(self, output: _OutputRecord) -> _OutputRecord:
        """Return the extracted record `output` without values in `self.optional`.

        Such values count neither as right nor as wrong.
        """
        forms = {
            type_name: form
            for type_name, form in output.forms.items()
            if type_name in self.forms or form not in self.optional.get(type_name, ())
        }
        return replace(output, forms=forms)


def score_page(
    page: GoldPage, rows: Sequence[ScoredRow], types: Sequence[AttributeType]
) -> tuple[Score, tuple[Difference, ...]]:
    """Return the score of a page, and the differences from the known records.

    `rows` are the extracted records in document order, with values as displayed. Only
    values of the given `types` are compared.
    """
    kinds = {kind.name: kind.kind for kind in types if kind.name not in page.unscored}
    by_path = {name for name in kinds if _paths_suffice(page, name, kinds[name])}

    def form(name: str, value: str) -> Comparable:
        whole = comparable(kinds[name], value)
        return without_query(str(whole)) if name in by_path else whole

    def forms(values: Mapping[str, Iterable[str]]) -> dict[str, Forms]:
        return {
            name: frozenset(form(name, value) for value in type_values)
            for name, type_values in values.items()
            if name in kinds
        }

    gold_records = [
        _ScoredGold(
            area=str(number),
            name=f"{area.name} {position}",
            shown={name: record[name] for name in kinds if name in record},
            forms=forms({name: record.right_values(name) for name in record}),
            optional=forms(record.optional),
        )
        for number, area in enumerate(page.areas)
        for position, record in enumerate(area.records, start=1)
    ]
    output_records = []
    for position, row in enumerate(rows, start=1):
        shown = {
            name: str(with_joined_items(row[name]))
            for name in kinds
            if row.get(name) not in (None, "")
        }
        row_forms = {name: form(name, value) for name, value in shown.items()}
        area, name = str(row.get("_area", "")), f"output {position}"
        output_records.append(_OutputRecord(area, name, shown, row_forms))
    agreement = [
        [len(gold.agreed_types(output)) for output in output_records]
        for gold in gold_records
    ]
    pairs = dict(align_records(agreement))
    for i, j in pairs.items():
        output_records[j] = gold_records[i].without_optional_values(output_records[j])
    names = [kind.name for kind in types]
    score = _score(gold_records, output_records, pairs, names)
    return score, tuple(_differences(gold_records, output_records, pairs))


def _score(
    gold_records: Sequence[_ScoredGold],
    output_records: Sequence[_OutputRecord],
    pairs: Mapping[int, int],
    type_names: Sequence[str],
) -> Score:
    """Return the score of the extracted records of a page.

    `pairs` maps the index of a known record to the index of its extracted record.
    """
    agreed = {
        i: gold_records[i].agreed_types(output_records[j]) for i, j in pairs.items()
    }
    right_pairs = {
        i: j
        for i, j in pairs.items()
        if 2 * len(agreed[i]) >= len(gold_records[i].forms)
    }
    right_counts = Counter(name for names in agreed.values() for name in names)
    gold_counts = Counter(name for record in gold_records for name in record.forms)
    output_counts = Counter(name for record in output_records for name in record.forms)
    return Score(
        areas=_area_count(gold_records, output_records, right_pairs),
        records=Count(len(right_pairs), len(output_records), len(gold_records)),
        types={
            name: Count(right_counts[name], output_counts[name], gold_counts[name])
            for name in type_names
        },
        perfect=sum(
            agreed[i] == gold_records[i].forms.keys() == output_records[j].forms.keys()
            for i, j in right_pairs.items()
        ),
    )


def align_records(agreement: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return pairs (i, j): known record i is compared with extracted record j.

    Both indexes ascend from pair to pair. The pairs are chosen so that the number of
    equal values, given by `agreement[i][j]`, is greatest in total.
    """
    width = len(agreement[0]) if agreement else 0
    # The greatest total of the gold records from i on and the output from j on.
    best = [[0] * (width + 1) for _ in range(len(agreement) + 1)]
    for i, gold_row in reversed(list(enumerate(agreement))):
        for j in reversed(range(width)):
            paired = best[i + 1][j + 1] + gold_row[j]
            best[i][j] = max(paired, best[i + 1][j], best[i][j + 1])
    record_pairs = []
    i = j = 0
    while i < len(agreement) and j < width:
        equal_values = agreement[i][j]
        paired = best[i + 1][j + 1] + equal_values
        if equal_values and best[i][j] == paired:
            record_pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return record_pairs


def _paths_suffice(page: GoldPage, type_name: str, value_kind: ValueKind) -> bool:
    """Return whether the known URLs of an attribute type differ even without queries.

    If so, URLs are compared without queries. Return False if the values aren't URLs.
    """
    if value_kind is not ValueKind.URL:
        return False
    gold_urls = {
        comparable(value_kind, record[type_name])
        for area in page.areas
        for record in area.records
        if type_name in record
    }
    return len(gold_urls) == len({without_query(str(url)) for url in gold_urls})


def _area_count(
    gold_records: Sequence[_Record],
    output_records: Sequence[_Record],
    right_pairs: Mapping[int, int],
) -> Count:
    """Return the numbers of right lists, of extracted lists and of known lists.

    `right_pairs` maps the index of a known record to the index of its extracted record.
    An extracted list is right if it shares more than half of its records with a known
    list, and more than half of the known list's records.
    """
    gold_sizes = Counter(record.area for record in gold_records)
    output_sizes = Counter(record.area for record in output_records)
    common_records = Counter(
        (gold_records[i].area, output_records[j].area) for i, j in right_pairs.items()
    )
    right_areas = sum(
        2 * common > max(gold_sizes[gold_area], output_sizes[output_area])
        for (gold_area, output_area), common in common_records.items()
    )
    return Count(right_areas, len(output_sizes), len(gold_sizes))


def _differences(
    gold_records: Sequence[_ScoredGold],
    output_records: Sequence[_OutputRecord],
    record_pairs: Mapping[int, int],
) -> Iterator[Difference]:
    """Yield the differences between known records and extracted records.

    `record_pairs` maps the index of a known record to the index of its extracted
    record.
    """
    for i, gold in enumerate(gold_records):
        if i not in record_pairs:
            yield Difference(gold.name, "", str(gold), None)
            continue
        output = output_records[record_pairs[i]]
        right_types = gold.agreed_types(output)
        for name in dict.fromkeys((*gold.forms, *output.forms)):
            if name not in right_types:
                gold_text = gold.shown.get(name)
                output_text = output.shown.get(name)
                yield Difference(gold.name, name, gold_text, output_text)
    paired = set(record_pairs.values())
    for j, output in enumerate(output_records):
        if j not in paired:
            yield Difference(output.name, "", None, str(output))
