"""Make the contract of a wrapper: conditions that the records of other pages must meet.

The conditions are properties of the records that the wrapper extracts from the sample
pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.contract.comparison_with_analysis import (
    annotated_outside,
    disputed_records,
    recognised_share,
)
from amber_wrap.contract.fill_prediction import least_fill
from amber_wrap.contract.page_signs import page_signs, template_landmarks
from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.confidence import wilson_interval
from amber_wrap.engine.empty_page import count_record_like
from amber_wrap.engine.locators import PageValueReader, PatternCache
from amber_wrap.engine.missed_records import count_intruders, missed_in_area
from amber_wrap.engine.page_faults import displayed_texts
from amber_wrap.engine.record_reading import FoundRecord, shown_values
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.engine.unread_texts import UnreadTexts
from amber_wrap.engine.votes_of_expressions import (
    estimate_errors,
    position_pairs,
    value_positions,
)
from amber_wrap.selectors.node_tests import NodeTests
from amber_wrap.values.texts import LENGTHS, shape_of
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule, Wrapper

DISTINCT_FACTORS = {ValueKind.URL: 1.0, ValueKind.TEXT: 0.5, ValueKind.TEXTS: 0.5}
"""The least share of different values that other pages must have, by kind of value, as
a multiple of the share on the sample pages. The factor of texts is low, since all
results of a search may have the same text."""
_ACCEPTED_KINDS = {
    "number": ("number", "mixed"),
    "words": ("words", "mixed"),
    "mixed": ("mixed", "number", "words"),
}
"""The coarse kinds of texts that other pages may have, by the kind on the sample pages.
"number" stands for mostly digits, "words" for mostly letters, and "mixed" for both."""

_Shares = dict[str, tuple[float, int]]
"""Pairs (count, total) by field, such as (18, 20) for 18 of 20 records with a value."""


class _AreaSample(NamedTuple):
    """A sample page, and the records that a wrapper finds on it."""

    page: Page
    annotations: Iterable[Annotation]
    """The texts on the page that were recognised as possible values."""
    records: list[FoundRecord]
    """The records of one list."""
    all_records: list[FoundRecord]
    """The records of all lists."""


def with_contracts(
    wrapper: Wrapper,
    pages: Sequence[Page],
    records: Sequence[list[FoundRecord]],
    annotations: Sequence[Iterable[Annotation]],
) -> Wrapper:
    """Return the wrapper with conditions for the records of each list, and with
    features of whole pages.

    For each sample page, `records` has the records that the wrapper reads, and
    `annotations` the texts that were recognised as possible values.
    """
    readout = PageValueReader(PatternCache(dict(wrapper.patterns)))
    areas = []
    for rule in wrapper.areas:
        samples = [
            _AreaSample(
                page,
                page_annotations,
                [record for record in page_records if record.area == rule.name],
                page_records,
            )
            for page, page_annotations, page_records in zip(
                pages, annotations, records, strict=True
            )
        ]
        contract = _area_contract(rule, samples, dict(wrapper.fields), readout)
        areas.append(replace(rule, contract=contract))
    all_records = chain.from_iterable(records)
    texts = (value.shown for one in all_records for value in one.values.values())
    rows = [
        [page.node_of(row) for record in page_records for row in record.rows]
        for page, page_records in zip(pages, records, strict=True)
    ]
    return replace(
        wrapper,
        areas=tuple(areas),
        frame=template_landmarks(pages, rows, NodeTests(texts)),
        signs=page_signs(pages, records),
    )


def _area_contract(
    rule: AreaRule,
    samples: Sequence[_AreaSample],
    kinds: Mapping[str, ValueKind],
    readout: PageValueReader,
) -> Contract:
    """Return the conditions for the records of one list on other pages.

    `kinds` maps each field to the kind of its values, and `readout` reads values from
    elements.
    """
    distinct_factors = {
        name: DISTINCT_FACTORS[kind]
        for name, kind in kinds.items()
        if kind in DISTINCT_FACTORS
    }
    for field in rule.fields:
        source = field.readings[0].locators[0].source
        # An attribute such as `src` may have the address of a picture.
        is_picture = source.startswith("@") and source != "@href"
        if is_picture and field.name in distinct_factors:
            distinct_factors[field.name] = CONTRACT.picture_factor
    contradicted = {
        field.name: _contradicted_values(field, samples, readout)
        for field in rule.fields
    }
    records = [sample.records for sample in samples]
    contract = _value_contract(contradicted, records, distinct_factors)
    missed = sum(
        missed_in_area(rule, sample.page.root, sample.records, sample.all_records)
        for sample in samples
    )
    record_count = sum(map(len, records))
    contract = replace(
        contract,
        alone=round(record_count / max(1, record_count + missed), 3),
        recognised=_recognised(samples, kinds),
        varied=_varied_fields(records),
    )
    record_like: list[int] = []
    for sample in samples:
        rows = {row for record in sample.records for row in record.rows}
        root = sample.page.root
        record_like += count_record_like(rule, contract, root, readout.patterns, rows)
    contract = replace(
        contract,
        beside=max(record_like),
        claimed=_annotated_outside(samples, contract.recognised),
        odd=max(count_intruders(contract, page_records) for page_records in records),
    )
    return replace(contract, unread=_unread(rule, contract, records))


def _contradicted_values(
    rule: FieldRule, samples: Iterable[_AreaSample], readout: PageValueReader
) -> float:
    """Return the estimated number of a field's values that are wrong or missing on the
    sample pages.

    A value is probably wrong if alternative XPath expressions for the field give
    another value.
    """
    disputed = [
        record
        for sample in samples
        for record in disputed_records(rule, sample.page, sample.records, readout)
    ]
    errors = estimate_errors(rule, disputed, readout.patterns)
    return errors.wrong + errors.missing


def _value_contract(
    contradicted: Mapping[str, float],
    pages: Sequence[list[FoundRecord]],
    distinct_factors: Mapping[str, float],
) -> Contract:
    """Return the conditions that follow from the values of a list.

    `contradicted` has the estimated number of wrong or missing values of each field.
    Other pages must have a least share of different values of a field: the share on the
    sample pages times the field's number in `distinct_factors`.
    """
    records = [record for page_records in pages for record in page_records]
    record_counts = [len(page_records) for page_records in pages]
    fill: _Shares = {}
    distinct: _Shares = {}
    shapes = {}
    agreement = {}
    least_fills = {}
    for name, contradicted_count in contradicted.items():
        texts = shown_values(name, records)
        fill[name] = len(texts), len(records)
        shapes[name] = _shapes(texts)
        different = len(set(texts))
        if (
            name in distinct_factors
            and different >= CONTRACT.least_distinct_share * len(texts) > 0
        ):
            distinct[name] = distinct_factors[name] * different, len(texts)
        agreement[name] = round(1 - contradicted_count / max(1, len(records)), 3)
        filled_counts = [
            (sum(name in record.values for record in page_records), len(page_records))
            for page_records in pages
        ]
        least_fills[name] = least_fill(filled_counts, CONTRACT.most_failures)
    low_fill = _lower_bounds(fill)
    regular = {name for name, share in low_fill.items() if share > CHECK.regular_fill}
    whole = sum(regular <= record.values.keys() for record in records)
    return Contract(
        records=(min(record_counts), max(record_counts)),
        whole=round(wilson_interval(whole, len(records))[0], 3),
        fill=low_fill,
        shapes=shapes,
        distinct=_lower_bounds(distinct),
        order=field_order(records),
        agreement=agreement,
        least_fill=least_fills,
    )


def field_order(records: Sequence[FoundRecord]) -> tuple[str, ...]:
    """Return the names of fields in the order that their values have in nearly all
    records.

    A field is left out if its position in relation to a more frequent field varies.
    """
    positions = [value_positions(record) for record in records]
    counts = Counter(name for by_name in positions for name in by_name)
    mean = {
        name: sum(by_name[name] for by_name in positions if name in by_name) / count
        for name, count in counts.items()
    }

    def follows(first: str, second: str) -> bool:
        """Return whether the field `second` is after the field `first` in nearly all
        records that have both fields.
        """
        pairs = position_pairs(positions, first, second)
        ordered = sum(before <= after for before, after in pairs)
        return ordered >= CONTRACT.least_ordered_share * len(pairs)

    order: list[str] = []
    for name, _ in counts.most_common():
        longer = sorted([*order, name], key=lambda field: (mean[field], field))
        index = longer.index(name)
        if all(follows(first, name) for first in longer[:index]) and all(
            follows(name, second) for second in longer[index + 1 :]
        ):
            order = longer
    return tuple(order)


def _shapes(texts: Iterable[str]) -> tuple[str, ...]:
    """Return the coarse patterns, such as "words 16", that a field's values on other
    pages may have.

    These are the patterns of `texts`, the values on the sample pages, and similar
    patterns.
    """
    accepted = set()
    for shape in set(map(shape_of, texts)):
        sample_kind, _, least_length = shape.partition(" ")
        index = LENGTHS.index(int(least_length))
        near_lengths = LENGTHS[max(0, index - 1) : index + 2]
        for kind in _ACCEPTED_KINDS.get(sample_kind, (sample_kind,)):
            accepted |= {(kind, length) for length in near_lengths}
    return tuple(f"{kind} {length}" for kind, length in sorted(accepted))


def _lower_bounds(shares: _Shares) -> dict[str, float]:
    """Return the lower end of the Wilson interval of each field's share, with three
    decimals.

    For example, return 0.699 for 18 of 20.
    """
    return {
        name: round(wilson_interval(count, total)[0], 3)
        for name, (count, total) in shares.items()
    }


def _varied_fields(pages: Sequence[list[FoundRecord]]) -> tuple[str, ...]:
    """Return the sorted names of fields whose displayed values differ within a page.

    `pages` has the records of each page.
    """
    varied = {
        name
        for records in pages
        for name, texts in displayed_texts(records).items()
        if len(set(texts)) > 1
    }
    return tuple(sorted(varied))


def _unread(
    rule: AreaRule, contract: Contract, pages: Sequence[list[FoundRecord]]
) -> dict[str, float]:
    """Return, for each field, the mean number of texts per record that look like the
    field's values, but that no field reads.

    Fields without such texts are left out.
    """
    unread = [UnreadTexts(contract, records) for records in pages]
    means = {}
    for field in rule.fields:
        counts = [count for texts in unread for count in texts.count_value_like(field)]
        if any(counts):
            means[field.name] = round(sum(counts) / len(counts), 3)
    return means


def _annotated_outside(
    samples: Iterable[_AreaSample], types: Iterable[str]
) -> dict[str, int]:
    """Return, for each type, the greatest number of possible values outside of records
    on a sample page.

    Types without such values are left out.
    """
    greatest: Counter[str] = Counter()
    for sample in samples:
        # The union of two counters has the greater count of each type.
        greatest |= annotated_outside(sample.page, sample.annotations, sample.records)
    return {name: greatest[name] for name in types if greatest[name]}


def _recognised(
    samples: Iterable[_AreaSample], kinds: Mapping[str, ValueKind]
) -> dict[str, float]:
    """Return a lower bound for the share of each field's values that are recognised as
    values of the field's type.

    Fields with a bound of 0, and fields of URLs, are left out.
    """
    shares: _Shares = {}
    for sample in samples:
        recognised_counts = recognised_share(
            sample.page, sample.annotations, sample.records
        )
        for name, (recognised, total, _) in recognised_counts.items():
            if kinds[name] is ValueKind.URL:
                continue  # Annotators recognise addresses by position only.
            count_before, total_before = shares.get(name, (0, 0))
            shares[name] = count_before + recognised, total_before + total
    return {name: share for name, share in _lower_bounds(shares).items() if share}
