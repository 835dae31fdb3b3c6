"""Read the records of a page by a wrapper, and turn the records into output rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from amber_wrap.dom.displayed_texts import read_node
from amber_wrap.dom.expressions import xpath
from amber_wrap.dom.link_addresses import base_url
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.split_amounts import join_cents
from amber_wrap.domain.normal_form import NORMAL_FORMS, NormalForm, Value
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.engine import locators, record_reading
from amber_wrap.engine.locators import PatternCache
from amber_wrap.values import dates
from amber_wrap.values.currencies import CURRENCIES, DOLLAR, currency, shows_dollar
from amber_wrap.values.numbers_and_prices import money
from amber_wrap.values.urls import url
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.xpath import Path, Pinned

USD = CURRENCIES[DOLLAR]
"""The code of the currency that "$" means by default."""
_NO_PAGE = ("#", "javascript:")
"""The beginnings of addresses that lead to no other page."""
Row = dict[str, Value]
"""A record as it is printed: a dict from output keys to values."""


@dataclass(frozen=True, slots=True)
class ExtractedValue:
    """A value that was read from an element of a page."""

    node: NodeId
    source: str
    """Where the element has the value: in its text, or in an HTML attribute such as
    `@href`."""
    text: str
    """The displayed value."""
    matched: str
    """The whole match of the regular expression that found the value, such as "Price:
    £5" for the value "£5"."""


@dataclass(frozen=True, slots=True)
class ExtractedRecord:
    """A record that was found on a page."""

    area: str
    """The name of the list that has the record."""
    rows: tuple[NodeId, ...]
    """The sibling nodes that the record consists of."""
    values: Mapping[str, ExtractedValue]
    """The values by field, without the fields that have none."""


def interpret(wrapper: Wrapper, page: Page) -> list[ExtractedRecord]:
    """Return the records that a wrapper finds on a page, in document order."""
    return with_node_numbers(page, records_on(wrapper, page.root))


def with_node_numbers(
    page: Page, records: Iterable[record_reading.FoundRecord]
) -> list[ExtractedRecord]:
    """Return records of a page with node numbers in place of lxml elements."""
    return [
        ExtractedRecord(
            record.area,
            tuple(page.node_of(row) for row in record.rows),
            {
                name: ExtractedValue(
                    page.node_of(value.node), value.source, value.shown, value.matched
                )
                for name, value in record.values.items()
            },
        )
        for record in records
    ]


def records_on(
    wrapper: Wrapper, root: etree._Element, patterns: PatternCache | None = None
) -> list[record_reading.FoundRecord]:
    """Return the records that a wrapper finds on a page, in document order.

    `patterns` has the wrapper's compiled regular expressions, if they have been
    compiled before.
    """
    if wrapper.joins_cents:
        join_cents(root)  # `parse` may have left them apart on this page.
    patterns = patterns or PatternCache(dict(wrapper.patterns))
    return record_reading.find_records(wrapper.areas, root, patterns)


class RowForm:
    """The conversion of records to output rows, which are dictionaries.

    If `raw` is true, the values stay as displayed. Otherwise, they are converted, for
    example to numbers.
    """

    def __init__(self, wrapper: Wrapper, raw: bool = False) -> None:
        self._raw = raw
        known_conventions = conventions(wrapper)
        self._fields = [
            (
                name,
                kind,
                AttributeType(name, kind).keys,
                normal_form_of(kind, known_conventions.get(name)),
            )
            for name, kind in wrapper.fields
        ]
        self._field_names = {name for name, _ in wrapper.fields}
        self._empty_row: Row = dict.fromkeys(row_keys(wrapper, raw))
        self._empty_row |= wrapper.constants
        self._has_several_areas = len(wrapper.areas) > 1

    def row(
        self, area: str, values: Mapping[str, locators.ReadValue], base: str = ""
    ) -> Row:
        """Return a record of the list `area` as an output row.

        Relative links are resolved against `base`.
        """
        row = self._empty_row.copy()
        for name, kind, keys, normal_form in self._fields:
            value = values.get(name)
            if value is None:
                continue
            if self._raw and kind is not ValueKind.TEXTS:
                row[name] = value.shown
                continue
            parts = normal_form(value.shown, value.matched, base)
            for key, part in zip(keys, parts, strict=True):
                if key in row and (key == name or key not in self._field_names):
                    row[key] = part
        if self._has_several_areas:
            row["_area"] = area
        return row


def row_keys(wrapper: Wrapper, raw: bool = False) -> tuple[str, ...]:
    """Return the keys of the output rows of a wrapper, in order.

    If `raw` is true, leave out derived keys such as "price_currency".
    """
    if raw:
        return tuple(name for name, _ in (*wrapper.fields, *wrapper.constants))
    if wrapper.keys:
        return wrapper.keys
    all_keys = (
        key for name, kind in wrapper.fields for key in AttributeType(name, kind).keys
    )
    return tuple(dict.fromkeys(all_keys))


def with_keys(
    wrapper: Wrapper, records: Sequence[record_reading.FoundRecord], dollar: str = USD
) -> Wrapper:
    """Return a copy of a wrapper with output keys, and with the conventions for dates
    and "$".

    The keys and conventions follow from `records`, the records of the sample pages.
    `dollar` is the currency that "$" means.
    """
    firsts = tuple(
        (name, first)
        for name, kind in wrapper.fields
        if kind is ValueKind.DATE
        if (
            first := dates.day_or_month_first(
                record_reading.shown_values(name, records)
            )
        )
    )
    dollars = tuple(
        (name, dollar)
        for name, kind in wrapper.fields
        if kind in (ValueKind.MONEY, ValueKind.CURRENCY) and dollar != USD
        if any(map(shows_dollar, record_reading.shown_values(name, records)))
    )
    wrapper = replace(wrapper, keys=(), firsts=firsts, dollars=dollars)
    form = RowForm(wrapper)
    rows = [form.row(record.area, record.values) for record in records]
    keys = (
        key for key in row_keys(wrapper) if any(row[key] is not None for row in rows)
    )
    return replace(wrapper, keys=tuple(keys))


def normal_form_of(
    kind: ValueKind, convention: str | None = None
) -> Callable[[str, str, str], NormalForm]:
    """Return a function that converts displayed values of a kind, such as dates, to
    output values.

    The function takes the value, the match of the regular expression, and the base URL
    of links. `convention` is the order of day and month, or the currency that "$"
    means.
    """
    if kind is ValueKind.DATE and convention:
        return lambda text, matched, base: (dates.date(text, convention),)
    if kind is ValueKind.MONEY and convention is not None:
        return lambda text, matched, base: money(matched, convention)
    if kind is ValueKind.CURRENCY and convention is not None:
        return lambda text, matched, base: (currency(text, convention),)
    return NORMAL_FORMS[kind]


def conventions(wrapper: Wrapper) -> dict[str, str]:
    """Return the conventions for the values of fields, by field.

    A convention is the order of day and month, or the currency that "$" means. Fields
    without a convention are left out.
    """
    return dict(wrapper.firsts) | dict(wrapper.dollars)


def to_rows(wrapper: Wrapper, page: Page, raw: bool = False) -> list[Row]:
    """Return the records of a page as the rows that `amber-wrap apply` prints.

    If `raw` is true, the values stay as displayed, and derived keys such as
    "price_currency" are left out.
    """
    form, base = RowForm(wrapper, raw), base_url(page.root, page.url)
    records = records_on(wrapper, page.root)
    return [form.row(record.area, record.values, base) for record in records]


def next_page_address(wrapper: Wrapper, page: Page) -> str | None:
    """Return the address of the next page of results, to which the page links.

    Return None if there is no such link, or if `wrapper` has no expression for it.
    """
    return first_address(page, wrapper.next_page) if wrapper.next_page else None


def first_address(page: Page, path: Path | Pinned) -> str | None:
    """Return the address of the first link that `path` selects on a page.

    Return None if no link leads to a page, or if the first one leads to the page
    itself.
    """
    for node in xpath(str(path))(page.root):
        href = read_node(node, "@href")
        if href and not href.startswith(_NO_PAGE):
            address = url(href, base_url(page.root, page.url))
            return None if address == page.url else address
    return None
