"""Report doubts about columns of a wrapper, and advise the user to give a second sample
page.

A report names the command-line option that settles the doubt.
"""

from __future__ import annotations

import shlex
from collections.abc import Collection, Iterator, Sequence
from typing import Final

from amber_wrap.columns.naming.distinct_names import is_numbered
from amber_wrap.columns.naming.names_in_attributes_and_classes import TITLE
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.record_reading import FoundRecord, shown_values
from amber_wrap.errors import Diagnostic
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.generalise.user_decisions import Decisions
from amber_wrap.wrapper.ir import Wrapper

NAMELESS, SPARSE, DIFFER = "no-name", "in-some-records", "samples-differ"
"""The codes of messages about doubtful columns. The columns have no name on the page,
or are only in some records, or are only on some sample pages."""
SETTLED: Final = frozenset({NAMELESS, SPARSE, "two-prices"})
"""The codes of messages about doubts that a command-line option can settle."""
_LONGEST_QUOTE: Final = 28
"""The greatest length of a quoted text in characters. Longer texts are cut."""
_MOST_LISTED: Final = 3
"""The greatest number of columns that a message names."""


def column_doubts(
    wrapper: Wrapper,
    records: Sequence[Sequence[FoundRecord]],
    decisions: Decisions,
    free: Collection[str],
) -> Iterator[Diagnostic]:
    """Yield messages for the user on columns without a name on the page, and on columns
    that are empty in some records.

    `records` has the records of each sample page. The columns in `free` have no known
    type, and are listed last.
    """
    columns = [name for name, _ in wrapper.fields if name in wrapper.keys]
    all_records = [record for sample in records for record in sample]
    nameless = [name for name in columns if is_numbered(name, ())]
    if nameless:
        listed = [
            f"{name} ({_quoted(next(iter(shown_values(name, all_records)), ''))})"
            for name in nameless
        ]
        have = "has" if len(nameless) == 1 else "have"
        yield Diagnostic(
            "info",
            NAMELESS,
            f"{_listed(listed)} {have} no name on the page: "
            f"use --rename {nameless[0]}=NAME or --drop {nameless[0]}",
        )
    settled = {
        decision.name for decision in decisions.columns if decision.required is not None
    }
    old_names = dict(wrapper.renamed)
    domain_first = sorted(columns, key=lambda name: old_names.get(name, name) in free)
    sparse = [
        name
        for name in domain_first
        if name not in {*settled, *nameless}
        and RULE.least_reported_share
        <= _filled_count(name, all_records) / max(1, len(all_records))
        < RULE.nearly_all
    ]
    if sparse:
        parts = [_missing_in(name, wrapper, records) for name in sparse]
        yield Diagnostic(
            "info",
            SPARSE,
            f"only in some records: {_listed(parts)}: if one of the other records "
            f"shows a value, give it with --example {sparse[0]}=TEXT",
        )


def sample_differences(
    wrapper: Wrapper,
    records: Sequence[Sequence[FoundRecord]],
    free: Collection[str],
    alone: Collection[str],
) -> Iterator[Diagnostic]:
    """Yield a message for the user if sample pages differ in their columns.

    `records` has the records of each sample page. `free` has the columns without a
    known type, and `alone` the columns that result from the first sample page alone.
    """
    if len(wrapper.samples) < 2:
        return
    columns = [name for name, _ in wrapper.fields if name in wrapper.keys]
    old_names = dict(wrapper.renamed)
    files = [sample.name for sample in wrapper.samples]
    differences = []
    for name in columns:
        counts = [_filled_count(name, sample) for sample in records]
        shares = [
            count / max(1, len(sample))
            for count, sample in zip(counts, records, strict=True)
        ]
        if max(shares) >= RULE.least_reported_share and not min(shares):
            fullest, empty = shares.index(max(shares)), shares.index(0)
            differences.append(
                f"{name} is in {counts[fullest]} of {len(records[fullest])} records of "
                f"{files[fullest]}, and in none of {files[empty]}"
            )
    only_alone = sorted(name for name in alone if name not in free)
    never_alone = [
        name
        for name in columns
        if (old_name := old_names.get(name, name)) in free and old_name not in alone
    ]
    if only_alone:
        differences.append(f"{files[0]} alone would also give {_listed(only_alone)}")
    if never_alone:
        differences.append(f"{files[0]} alone would give no {_listed(never_alone)}")
    if differences:
        yield Diagnostic("info", DIFFER, "; ".join(differences))


def _missing_in(
    name: str, wrapper: Wrapper, records: Sequence[Sequence[FoundRecord]]
) -> str:
    """Return a text for the user on the records without a value of the field `name`.

    The text says how many records have a value, and describes the first record without
    one.
    """
    all_records = [record for sample in records for record in sample]
    file, number, record = next(
        (sample.name, number, record)
        for sample, sample_records in zip(wrapper.samples, records, strict=True)
        for number, record in enumerate(sample_records, 1)
        if name not in record.values
    )
    texts = [
        record.values[field].shown
        for field, kind in wrapper.fields
        if kind is ValueKind.TEXT and field in record.values
    ]
    title = record.values.get(TITLE)
    known_text = title.shown if title else max(texts, key=len, default="")
    where = f"no. {number}"
    if len(records) > 1:
        where += f" of {file}"
    if known_text:
        where += f", {_quoted(known_text)}"
    count = _filled_count(name, all_records)
    return f"{name} {count} of {len(all_records)} (not in {where})"


def _filled_count(name: str, records: Sequence[FoundRecord]) -> int:
    """Return the number of records that have a value of the field `name`."""
    return sum(name in record.values for record in records)


def _listed(parts: Sequence[str]) -> str:
    """Return the first few of the `parts`, separated by commas, and the number of the
    other parts.
    """
    more = len(parts) - _MOST_LISTED
    rest = f" and {more} more" if more > 0 else ""
    return ", ".join(parts[:_MOST_LISTED]) + rest


def _quoted(text: str) -> str:
    """Return the text in quotes, on one line, cut if it is long."""
    text = " ".join(text.split())
    if len(text) > _LONGEST_QUOTE:
        text = f"{text[: _LONGEST_QUOTE - 1]}…"
    return repr(text)


def second_sample_advice(
    wrapper: Wrapper, records: Sequence[FoundRecord], columns: Collection[str]
) -> Iterator[Diagnostic]:
    """Yield advice to give a second sample page, if the only sample page leaves doubts.

    For example, there are doubts if it has few records, or if a column has only one
    value.
    """
    if len(wrapper.samples) > 1 or not records or not columns:
        return
    values_by_column = {
        name: values for name in columns if (values := shown_values(name, records))
    }
    most_rare = max(1, RULE.most_chance_share * len(records))
    rare = [
        name for name, values in values_by_column.items() if len(values) <= most_rare
    ]
    constant = [
        name
        for name, values in values_by_column.items()
        if name not in rare and len(set(values)) == 1
    ]
    reasons = []
    if len(records) < RULE.least_sample_records:
        reasons.append(f"only {len(records)} records")
    if rare:
        verb = "are" if len(rare) > 1 else "is"
        reasons.append(f"{first_names(rare)} {verb} in few records")
    if constant:
        verb = "have" if len(constant) > 1 else "has"
        reasons.append(f"{first_names(constant)} always {verb} the same value")
    if reasons:
        sample = shlex.quote(wrapper.samples[0].name)
        yield Diagnostic(
            "info",
            "one-sample",
            f"one sample may not be enough ({', '.join(reasons)}): add a "
            f"second one with amber-wrap induce {sample} ANOTHER",
        )


def first_names(names: Sequence[str], most: int = _MOST_LISTED) -> str:
    """Return the first `most` of the `names`, separated by commas.

    An ellipsis follows if there are more names.
    """
    return ", ".join([*names[:most], *["..."] * (len(names) > most)])
