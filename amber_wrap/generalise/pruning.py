"""Remove lists and columns that a wrapper reads wrongly, or that have no values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.annotate.examples import Example
from amber_wrap.columns.cells import LINK
from amber_wrap.columns.naming.distinct_names import UNNAMED, is_numbered, unnumbered
from amber_wrap.columns.spaced_texts import spaced_words
from amber_wrap.contract.comparison_with_analysis import typed_values
from amber_wrap.dom.page import Page
from amber_wrap.domain.pattern_file import with_parts
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.output_rows import ExtractedValue, interpret
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.generalise.doubts import first_names
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.area_groups import TypedPage, with_attributes
from amber_wrap.values.texts import ITEM_END
from amber_wrap.wrapper.ir import AreaRule, Wrapper

_MOST_LISTED = 5
"""The greatest number of dropped columns that a message names."""


@dataclass
class _FieldCounts:
    """Counts of the values of one field on the sample pages."""

    read: int = 0
    """The number of values that the wrapper reads."""
    found: int = 0
    """The number of values that the analysis of the pages found."""
    right: int = 0
    """The number of records in which the value read equals the value found."""
    elsewhere: int = 0
    """The number of values that the wrapper reads in records that the analysis missed.
    """
    repeated: int = 0
    """The number of records in which an earlier field contains the value of this field.
    """
    same_as: Counter[str] = field(default_factory=Counter)
    """For each other field, the number of records in which its value equals this
    field's value."""
    within: Counter[str] = field(default_factory=Counter)
    """For each other field, the number of records in which the other value contains
    this field's value. The elements of the two values must be nested, unless the values
    are equal."""


class _ReadCounts(NamedTuple):
    """The numbers of records and values that a wrapper reads on the sample pages."""

    records: Mapping[str, int]
    """The number of records of each list."""
    fields: defaultdict[tuple[str, str], _FieldCounts]
    """The counts of values by list and field."""


def without_constant_links(typed_pages: Sequence[TypedPage]) -> tuple[TypedPage, ...]:
    """Return the sample pages without columns of links whose target is the same in all
    records of a page.

    A column stays if one of the pages has fewer than `RULE.least_equal_links` of its
    links.
    """
    targets: dict[str, dict[Page, list[str | None]]] = defaultdict(dict)
    for typed_page in typed_pages:
        for attribute in typed_page.attributes:
            if attribute.source == LINK:
                by_page = targets[attribute.type]
                by_page.setdefault(typed_page.page, []).append(attribute.text)
    constant = {
        name
        for name, by_page in targets.items()
        if len(by_page) == len(typed_pages)
        and all(
            len(set(links)) == 1 and len(links) >= RULE.least_equal_links
            for links in by_page.values()
        )
    }
    return tuple(_without_types(typed_page, constant) for typed_page in typed_pages)


def without_misread_columns(
    wrapper: Wrapper, typed_pages: Sequence[TypedPage], columns: Collection[str]
) -> tuple[Wrapper, tuple[TypedPage, ...], tuple[Diagnostic, ...]]:
    """Return the wrapper and the sample pages without useless lists and columns, and
    messages on the dropped columns.

    A list or column is useless if the wrapper reads no value of it. A column in
    `columns` is also useless if its values are wrong, or repeat another column.
    """
    if len(wrapper.areas) == 1 and not columns:
        return wrapper, tuple(typed_pages), ()  # Nothing can be dropped.
    counts = _read_counts(wrapper, typed_pages)

    names = {rule.name for area in wrapper.areas for rule in area.fields}
    kinds = dict(wrapper.fields)
    addresses = {name for name, kind in kinds.items() if kind is ValueKind.URL}

    def is_read_well(area: AreaRule, name: str) -> bool:
        """Return whether the wrapper reads a field of a list well enough to keep it.

        A column in `columns` must be read rightly. Any other field must only have a
        value.
        """
        count = counts.fields[area.name, name]
        if count.read == 0 or name not in columns:
            return count.read > 0
        is_right = count.right >= RULE.nearly_all * count.found
        is_new = is_right or count.repeated < RULE.nearly_all * count.read
        reads_few_others = (
            count.read - count.elsewhere <= RULE.most_read_ratio * count.right
        )
        return reads_few_others and is_new

    def is_called_date(name: str) -> bool:
        """Return whether a field has a name such as `date` or `date_2`."""
        return kinds.get(unnumbered(name, names)) is ValueKind.DATE

    def is_repetition(area: AreaRule, name: str, kept: Sequence[str]) -> bool:
        """Return whether one of the fields in `kept` repeats nearly all values of the
        column `name`.

        For a column called like `text_1`, a longer value that contains the column's
        value counts as a repetition, too. For a column that the page names, such as
        `author_2`, a longer text around a date doesn't count.
        """
        if name not in columns:
            return False
        count = counts.fields[area.name, name]
        others = longer = list(kept)
        if not name.startswith(UNNAMED):
            longer = [other for other in others if not is_called_date(other)]
        if not is_numbered(name, names):
            others = others[: others.index(name)]
            longer = []
        return any(
            (count.within if other in longer else count.same_as)[other]
            >= RULE.nearly_all * count.read
            for other in others
            if other != name and other not in addresses
        )

    def kept_names(area: AreaRule) -> list[str]:
        """Return the names of the fields of a list that are worth keeping.

        Of two columns that repeat each other, only one is kept.
        """
        kept = [rule.name for rule in area.fields if is_read_well(area, rule.name)]
        for name in sorted(kept, key=lambda it: not is_numbered(it, names)):
            if is_repetition(area, name, kept):
                kept.remove(name)
        return kept

    areas = [
        replace(
            area,
            fields=tuple(it for it in area.fields if it.name in kept),
        )
        for area in wrapper.areas
        if counts.records[area.name]
        for kept in [kept_names(area)]
    ] or wrapper.areas
    read = {rule.name for area in areas for rule in area.fields}
    dropped = {name for name in columns if name not in read}
    used = frozenset[str]().union(*(area.patterns for area in areas))
    pruned_wrapper = replace(
        wrapper,
        fields=tuple(
            (name, kind) for name, kind in wrapper.fields if name not in dropped
        ),
        patterns=tuple(with_parts(used, dict(wrapper.patterns)).items()),
        areas=tuple(areas),
    )
    findings = (_dropped_finding(sorted(dropped)),) if dropped else ()
    pruned_pages = (_without_types(typed_page, dropped) for typed_page in typed_pages)
    return pruned_wrapper, tuple(pruned_pages), findings


def _dropped_finding(dropped: Sequence[str]) -> Diagnostic:
    """Return the message for the user that columns are left out.

    `dropped` has the names of the columns, at least one.
    """
    columns = "column" if len(dropped) == 1 else "columns"
    message = (
        f"{len(dropped)} {columns} left out ({first_names(dropped, _MOST_LISTED)}): "
        "no expression gives the displayed text, or another column has the same "
        "values; a second sample may help"
    )
    return Diagnostic("info", "columns-left-out", message)


def check_examples(
    wrapper: Wrapper, typed_pages: Sequence[TypedPage], examples: Sequence[Example]
) -> None:
    """Raise SelectionError if the wrapper wrongly reads the column of a person's
    example.

    The values that the analysis found on the sample pages count as right.
    """
    if not examples:
        return
    records = list(_found_and_read(wrapper, typed_pages))
    for example in examples:
        values = [
            (found.get(example.name), read.get(example.name)) for found, read in records
        ]
        found_count = sum(found is not None for found, _ in values)
        right = sum(found is not None and found == read for found, read in values)
        wrong = [read for found, read in values if read is not None and read != found]
        own = [read for found, read in values if found == example.text]
        is_missed = own.count(example.text) < RULE.nearly_all * len(own)
        are_few = right < RULE.nearly_all * found_count
        if is_missed or are_few or len(wrong) > (1 - RULE.nearly_all) * found_count:
            wrong_own = [read for read in own if read and read != example.text]
            instance = f" (such as {wrong[0]!r})" if wrong else ""
            if wrong_own:
                instance = f" (in its own record: {wrong_own[0]!r})"
            raise SelectionError(
                f"{example}: no expression selects only the values of this column: "
                f"{right} of {found_count} values would be right, and {len(wrong)} "
                f"values would be wrong{instance}; a second sample may help, or "
                "--within to search only a part of the page"
            )


def _found_and_read(
    wrapper: Wrapper, typed_pages: Sequence[TypedPage]
) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    """Yield, for each record, the values that the analysis found and the values that
    the wrapper reads, by field.

    A record that only the analysis or only the wrapper found is left out.
    """
    for typed_page in typed_pages:
        found = typed_values(typed_page.typing)
        for record in interpret(wrapper, typed_page.page):
            if record.rows[0] in found:
                read = {name: value.text for name, value in record.values.items()}
                yield found[record.rows[0]], read


def _read_counts(wrapper: Wrapper, typed_pages: Sequence[TypedPage]) -> _ReadCounts:
    """Return counts of the records and values that the wrapper reads on the sample
    pages."""
    record_counts: Counter[str] = Counter()
    counts = defaultdict[tuple[str, str], _FieldCounts](_FieldCounts)
    for typed_page in typed_pages:
        found_values = typed_values(typed_page.typing)
        for record in interpret(wrapper, typed_page.page):
            record_counts[record.area] += 1
            found = found_values.get(record.rows[0])
            earlier_texts = ""
            for name, value in record.values.items():
                count = counts[record.area, name]
                count.read += 1
                if found is None:
                    count.elsewhere += 1
                if f" {value.text} " in earlier_texts:
                    count.repeated += 1
                earlier_texts += f" {value.text} {ITEM_END}"
                _count_repetitions(count, typed_page.page, name, record.values)
            for name, text in (found or {}).items():
                count = counts[record.area, name]
                count.found += 1
                if name in record.values and record.values[name].text == text:
                    count.right += 1
    return _ReadCounts(record_counts, counts)


def _count_repetitions(
    count: _FieldCounts, page: Page, name: str, values: Mapping[str, ExtractedValue]
) -> None:
    """Count each other field of a record that repeats the value of the field `name`.

    The results are added to `count.same_as` and `count.within`.
    """
    own = values[name]
    own_words = spaced_words(own.text)
    for other, value in values.items():
        words = spaced_words(value.text)
        if own_words == words:
            count.same_as[other] += 1
            count.within[other] += 1
        elif own_words in words and page.are_nested(value.node, own.node):
            count.within[other] += 1


def _without_types(typed_page: TypedPage, names: Collection[str]) -> TypedPage:
    """Return a copy of a sample page without the values of some types.

    `names` has the names of these types, such as "price".
    """

    def kept_attributes(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        """Return a record's values whose type isn't in `names`."""
        return [attribute for attribute in attributes if attribute.type not in names]

    return with_attributes(typed_page, kept_attributes)
