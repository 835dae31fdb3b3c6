"""Compare a wrapper's output with the gold (known records): precision, recall and F1.

Areas (the lists of a page), records and values are counted. The rules are those of
AMBER paper, section 6.1, and are in `docs/evaluation-format.md`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from amber_wrap.dom.link_addresses import without_query
from amber_wrap.domain.normal_form import Value, with_joined_items
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.evaluation.agreement import Comparable, comparable
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.precision_and_recall import (
    Count,
    Score,
)

ScoredRow = Mapping[str, Value]
"""A record of the output: the raw value of each type."""
Forms = frozenset[Comparable]
"""All right values of one attribute type, in the form in which values are compared."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference between gold (known records) and output, in a value or a whole
    record.

    `where` names the record. `type` is "" for a whole record. `gold` and `given` are
    the texts in the gold and in the output, None for a missing value or record.
    """

    where: str
    type: str
    gold: str | None
    given: str | None


@dataclass(frozen=True, slots=True)
class _Record:
    """A record of the gold (the known records) or of the output.

    `area` identifies the list with the record. `name` is the record's name in a report.
    `shown` has the displayed value of each type.
    """

    area: str
    name: str
    shown: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{name} {value!r}" for name, value in self.shown.items())


@dataclass(frozen=True, slots=True)
class _OutputRecord(_Record):
    """A record of the output, with each value in the form in which values are
    compared.
    """

    forms: Mapping[str, Comparable]


@dataclass(frozen=True, slots=True)
class _ScoredGold(_Record):
    """A record of the gold (known records), with its values in the form for comparison.

    `forms` has the right values of each type. `optional` has values of further types
    that count neither as right nor as wrong.
    """

    forms: Mapping[str, Forms]
    optional: Mapping[str, Forms]

    def agreed_types(self, output: _OutputRecord) -> frozenset[str]:
        """Return the types whose values in the output's record `output` are right."""
        return frozenset(
            type_name
            for type_name, right_forms in self.forms.items()
            if output.forms.get(type_name) in right_forms
        )

    def without_optional_values(self, output: _OutputRecord) -> _OutputRecord:
        """Return the output's record `output` without the values in `self.optional`.

        Optional values count neither as right nor as wrong.
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
    """Return the score of a page, and the differences between the output and the gold.

    `page` has the gold, the known records. `rows` are the records that a wrapper read
    on the page, in document order, with values as displayed. They come from the
    function `interpret.to_rows`. `types` are the types whose values are scored.
    """
    kinds = {
        attribute_type.name: attribute_type.kind
        for attribute_type in types
        if attribute_type.name not in page.unscored
    }
    compared_by_path = {
        name for name in kinds if _paths_suffice(page, name, kinds[name])
    }

    def form(name: str, value: str) -> Comparable:
        whole = comparable(kinds[name], value)
        return without_query(str(whole)) if name in compared_by_path else whole

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
        area_name = str(row.get("_area", ""))
        output_records.append(
            _OutputRecord(area_name, f"output {position}", shown, row_forms)
        )
    agreement = [
        [
            len(gold_record.agreed_types(output_record))
            for output_record in output_records
        ]
        for gold_record in gold_records
    ]
    record_pairs = dict(align_records(agreement))
    for i, j in record_pairs.items():
        output_records[j] = gold_records[i].without_optional_values(output_records[j])
    type_names = [attribute_type.name for attribute_type in types]
    score = _score(gold_records, output_records, record_pairs, type_names)
    return score, tuple(_differences(gold_records, output_records, record_pairs))


def _score(
    gold_records: Sequence[_ScoredGold],
    output_records: Sequence[_OutputRecord],
    record_pairs: Mapping[int, int],
    type_names: Sequence[str],
) -> Score:
    """Return the score of the records of a page.

    `record_pairs` maps the index of a gold record (known record) to the index of the
    matching output record. A pair is right if at least half of the gold record's values
    are right. `type_names` are the attribute types whose values are counted.
    """
    agreed = {
        i: gold_records[i].agreed_types(output_records[j])
        for i, j in record_pairs.items()
    }
    right_pairs = {
        i: j
        for i, j in record_pairs.items()
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
    """Return pairs of indices of matching records.

    The first index of a pair belongs to a gold record (known record), and the second to
    an output record. `agreement[i][j]` is the number of equal values of gold record `i`
    and output record `j`. The pairs keep the order of records, and have the greatest
    total of equal values. Records without equal values aren't paired.
    """
    width = len(agreement[0]) if agreement else 0
    # The greatest total of the gold records from i on and the output from j on.
    best_totals = [[0] * (width + 1) for _ in range(len(agreement) + 1)]
    for i, gold_row in reversed(list(enumerate(agreement))):
        for j in reversed(range(width)):
            total_if_paired = best_totals[i + 1][j + 1] + gold_row[j]
            best_totals[i][j] = max(
                total_if_paired, best_totals[i + 1][j], best_totals[i][j + 1]
            )
    record_pairs = []
    i = j = 0
    while i < len(agreement) and j < width:
        equal_values = agreement[i][j]
        total_if_paired = best_totals[i + 1][j + 1] + equal_values
        if equal_values and best_totals[i][j] == total_if_paired:
            record_pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best_totals[i][j] == best_totals[i + 1][j]:
            i += 1
        else:
            j += 1
    return record_pairs


def _paths_suffice(page: GoldPage, type_name: str, value_kind: ValueKind) -> bool:
    """Return whether values of a type can be compared by the paths of URLs.

    The values must be URLs. Different URLs of the type on the gold page must have
    different paths. `value_kind` is the kind of the values.
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
    """Return the numbers of right areas, of areas in the output, and of areas in the
    gold.

    An area is a list of records. The gold has the known records. `right_pairs` maps the
    index of a gold record to the index of the matching output record. An output area is
    right if more than half of its records match records of one gold area. The matching
    records must also be more than half of the gold area's records.
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
    """Yield the differences between the output and the gold (the known records).

    `record_pairs` maps the index of a gold record to the index of the aligned output
    record. Differences in gold records come first, and then output records that match
    no gold record.
    """
    for i, gold_record in enumerate(gold_records):
        if i not in record_pairs:
            yield Difference(gold_record.name, "", str(gold_record), None)
            continue
        output_record = output_records[record_pairs[i]]
        right_types = gold_record.agreed_types(output_record)
        for type_name in dict.fromkeys((*gold_record.forms, *output_record.forms)):
            if type_name not in right_types:
                gold_text = gold_record.shown.get(type_name)
                output_text = output_record.shown.get(type_name)
                yield Difference(gold_record.name, type_name, gold_text, output_text)
    paired = set(record_pairs.values())
    for j, output_record in enumerate(output_records):
        if j not in paired:
            yield Difference(output_record.name, "", None, str(output_record))
