"""Recognise former prices, and add columns for currencies and displayed texts.

Displayed texts are added for dates such as "3 hours ago", and for ranges of prices.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.analysis.secondary_amounts import is_called_former, is_struck
from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.locale import dollar_of
from amber_wrap.columns.attribute_values import CONTENT
from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.refined_attributes import attribute_of
from amber_wrap.columns.value_kinds import are_prices
from amber_wrap.dom.page import ITEM_PROPERTY, TEXT, NodeId, Page
from amber_wrap.domain.schema import (
    CURRENCY_SUFFIX,
    AttributeType,
    ValueKind,
    derived_key,
)
from amber_wrap.selectors.area_groups import TypedPage, with_attributes
from amber_wrap.selectors.node_tests import squeeze
from amber_wrap.values.currencies import currency
from amber_wrap.values.dates import date, day_or_month_first
from amber_wrap.values.numbers_and_prices import factor_of_amount, money

FORMER_PRICE: Final = "old_price"
"""The name of a column of former prices."""
_READ_TOGETHER: Final = frozenset({1, 10**3, 10**6})
"""The factors of number units that one column may mix: "9", "9k" and "1.2m". Amounts
with other units, such as "92 Lac", aren't read together."""
_BEFORE_DECIMALS: Final = re.compile(r"\d\s*[.,]\s*$")
"""A regular expression for a text that ends with a decimal point, such as "£9.", so
that decimals may be in the next element."""
_DECIMALS: Final = re.compile(r"\d\d?")
"""A regular expression for the digits behind a decimal point."""
_CURRENCY_WORD: Final = "currency"
"""A word in the names of classes and properties, such as `priceCurrency`, by which
elements declare a currency."""


def _is_item(cell: Cell) -> bool:
    """Return whether an element looks like one of several items, as in
    `<i>36</i>, <i>37</i>`.

    The element must have the tag and the class of the sibling before it.
    """
    page, node = cell.page, cell.node
    looks = [
        (page.tag[it], page.attributes[it].get("class"))
        for it in page.child_elements(page.parent[node])
        if it <= node
    ]
    return len(looks) > 1 and looks[-1] == looks[-2]


def is_part_of_number(cell: Cell, prices: Iterable[Attribute]) -> bool:
    """Return whether a text is a part of a price, or is the digits behind a decimal
    point.

    For example, return True for "95" in `<p>£9.<sup>95</sup></p>`.
    """
    page, text = cell.page, squeeze(cell.text)
    before = "".join(page.text[page.parent[cell.node] : cell.node])
    is_behind_point = _BEFORE_DECIMALS.search(before) and not _is_item(cell)
    if is_behind_point and _DECIMALS.fullmatch(cell.text):
        return True
    return "%" not in cell.text and any(
        price.source == TEXT
        and price.node < cell.node
        and page.contains(price.node, cell.node)
        and text in squeeze(price.text or "")
        for price in prices
    )


def is_former_price(column: Sequence[Cell]) -> bool:
    """Return whether most texts of a column are former prices.

    A former price is struck out, or has a label such as "was".
    """
    if not are_prices([cell.text for cell in column]):
        return False
    former = sum(
        is_struck(cell.page, cell.node, cell.start)
        or is_called_former(cell.page, cell.node)
        for cell in column
    )
    return 2 * former > len(column)


class _Price(NamedTuple):
    """A price of a record, with the nearest element that declares a currency.

    `declared` is None if no element of the record declares one.
    """

    page: Page
    record: Record
    attribute: Attribute
    declared: Cell | None

    def shows_currency(self, dollar: str) -> bool:
        """Return whether the text of the price shows the declared currency.

        If no currency is declared, return whether the text shows any currency. `dollar`
        is the currency that "$" stands for.
        """
        _, shown_currency, _ = money(self.attribute.matched or "", dollar)
        if self.declared is None:
            return shown_currency is not None
        return shown_currency == currency(self.declared.text, dollar)


def with_currencies(
    typed_pages: Sequence[TypedPage],
    kinds: Sequence[AttributeType],
    columns: Iterable[str],
) -> tuple[tuple[TypedPage, ...], tuple[AttributeType, ...], frozenset[str]]:
    """Add the currencies that elements declare, for example by a class `currency`, to
    the values of the records.

    Return the sample pages with the added values, all types of values, and the names of
    the dropped types. The type of an added currency is `rent_currency` for prices of
    the type `rent`. A type in `columns` is dropped if all its values are in elements
    that declare a currency.
    """
    dollar = dollar_of([typed_page.page for typed_page in typed_pages])
    added: dict[RecordKey, list[Attribute]] = defaultdict(list)
    currency_types: dict[str, AttributeType] = {}
    declaring: set[tuple[Page, NodeId]] = set()
    for kind in kinds:
        if kind.kind is not ValueKind.MONEY:
            continue
        prices = list(_prices(typed_pages, kind.name))
        if any(
            price.declared is None and price.shows_currency(dollar) for price in prices
        ):
            continue  # Displayed currencies would be lost.
        declarations = [
            (price, price.declared) for price in prices if price.declared is not None
        ]
        declaring.update(
            (price.page, declared.node) for price, declared in declarations
        )
        is_undisplayed = any(
            not price.shows_currency(dollar) for price, _ in declarations
        )
        if 2 * len(declarations) > len(prices) and is_undisplayed:
            key = derived_key(kind.name, CURRENCY_SUFFIX)
            currency_type = AttributeType(key, ValueKind.CURRENCY, whole=True)
            currency_types[kind.name] = currency_type
            for price, declared in declarations:
                attribute = attribute_of(key, declared, price.attribute.support)
                added[price.page, price.record.start].append(attribute)
    dropped = _types_within(typed_pages, declaring).intersection(columns)

    def with_currency_attributes(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        kept_attributes = [
            attribute for attribute in attributes if attribute.type not in dropped
        ]
        currencies = added.get((page, record.start), ())
        return sorted(
            (*kept_attributes, *currencies), key=lambda attribute: attribute.node
        )

    types = []
    for kind in kinds:
        if kind.name not in dropped:
            types.append(kind)
        if kind.name in currency_types:
            types.append(currency_types[kind.name])
    with_added = tuple(
        with_attributes(typed_page, with_currency_attributes)
        for typed_page in typed_pages
    )
    return with_added, tuple(types), dropped


def _prices(typed_pages: Sequence[TypedPage], name: str) -> Iterator[_Price]:
    """Yield the displayed prices of the type `name` on the sample pages."""
    for typed_page in typed_pages:
        page = typed_page.page
        for area in typed_page.typing.areas:
            for record, attributes in zip(area.records, area.attributes, strict=True):
                declared = list(_declared_currencies(page, record))
                for price in attributes:
                    if price.type == name and price.text is not None:
                        nearest = _nearest(page, record, price.node, declared)
                        yield _Price(page, record, price, nearest)


def _declared_currencies(page: Page, record: Record) -> Iterator[Cell]:
    """Yield the elements of a record that declare a currency by a code or a sign, such
    as "EUR" or "€"."""
    for node in (node for row in record.nodes for node in page.elements(row)):
        properties = page.attributes[node].get(ITEM_PROPERTY, "").split()
        names = (*properties, *page.classes(node))
        if any(_CURRENCY_WORD in name_words(name) for name in names):
            for source in (f"@{CONTENT}", TEXT):
                text = page.source_text(node, source)
                if currency(text):
                    yield Cell(page, record.start, node, text, source)
                    break


def _nearest(
    page: Page, record: Record, price: NodeId, declared: Sequence[Cell]
) -> Cell | None:
    """Return the element in `declared` that is nearest to the element `price` in the
    tree.

    Return None if `declared` is empty.
    """
    ancestor = price
    while ancestor not in (*record.nodes, 0) and not any(
        page.contains(ancestor, declaration.node) for declaration in declared
    ):
        ancestor = page.parent[ancestor]
    within = [
        declaration
        for declaration in declared
        if page.contains(ancestor, declaration.node)
    ]
    return min(
        within or declared,
        key=lambda declaration: abs(declaration.node - price),
        default=None,
    )


def _types_within(
    typed_pages: Iterable[TypedPage], nodes: set[tuple[Page, NodeId]]
) -> frozenset[str]:
    """Return the names of the types that have all their values in `nodes`."""
    inside: set[str] = set()
    outside: set[str] = set()
    for typed_page in typed_pages:
        for attribute in _attributes(typed_page):
            if (typed_page.page, attribute.node) in nodes:
                inside.add(attribute.type)
            else:
                outside.add(attribute.type)
    return frozenset(inside - outside)


def _attributes(typed_page: TypedPage) -> Iterator[Attribute]:
    """Yield the attributes (values) of all records on a sample page.

    Attributes without a text are left out.
    """
    for area in typed_page.typing.areas:
        for attributes in area.attributes:
            for attribute in attributes:
                if attribute.text:
                    yield attribute


def displayed_text_names(kinds: Iterable[AttributeType]) -> set[str]:
    """Return the names of the types for displayed texts of dates and amounts of money.

    For example, the name is `posted_text` for the type `posted` of dates.
    """
    return {
        _text_name(kind.name)
        for kind in kinds
        if kind.kind in (ValueKind.DATE, ValueKind.MONEY)
    }


def _text_name(name: str) -> str:
    """Return the name of the type for displayed texts, such as `posted_text` for
    `posted`."""
    return f"{name}_text"


def with_displayed_texts(
    typed_pages: Sequence[TypedPage], kinds: Sequence[AttributeType]
) -> tuple[tuple[TypedPage, ...], tuple[AttributeType, ...]]:
    """Return the sample pages with displayed texts of dates and amounts added as
    values, and the types of these texts.

    A text is added if it can't be converted to a date or a number, such as "3 hours
    ago".
    """
    used_keys = {key for kind in kinds for key in kind.keys}
    text_types: dict[str, AttributeType] = {}
    for kind in kinds:
        name = _text_name(kind.name)
        if name in used_keys or name not in displayed_text_names([kind]):
            continue
        values = [
            (typed_page.page, attribute)
            for typed_page in typed_pages
            for attribute in _attributes(typed_page)
            if attribute.type == kind.name
        ]
        if _are_unreadable(kind.kind, [attribute for _, attribute in values]):
            text_types[kind.name] = _text_type(name, kind, values)

    def with_texts(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> list[Attribute]:
        changed = []
        for attribute in attributes:
            changed.append(attribute)
            if text_type := text_types.get(attribute.type):
                changed.append(_as_text(attribute, text_type))
        return changed

    if not text_types:
        return tuple(typed_pages), ()
    with_added = tuple(
        with_attributes(typed_page, with_texts) for typed_page in typed_pages
    )
    return with_added, tuple(text_types.values())


def _are_unreadable(kind: ValueKind, values: Sequence[Attribute]) -> bool:
    """Return whether dates or amounts of money must be kept as texts.

    Return True if a date, or most of the amounts, can't be converted. Also return True
    for amounts in different large units, such as "9 Lac" and "2 Crore".
    """
    if kind is ValueKind.DATE:
        texts = [value.text or "" for value in values]
        first = day_or_month_first(texts)
        return not all(date(text, first) for text in texts)
    amounts = [value.matched or "" for value in values]
    readable = sum(money(amount)[0] is not None for amount in amounts)
    factors = set(map(factor_of_amount, amounts))
    mixes_units = len(factors - _READ_TOGETHER) > 1
    return 2 * readable < len(values) or mixes_units


def _text_type(
    name: str, kind: AttributeType, values: Sequence[tuple[Page, Attribute]]
) -> AttributeType:
    """Return the type `name` for the displayed texts of `values`, which have the type
    `kind`.

    The new type has the patterns of `kind` if the elements also hold other texts.
    """
    if all(
        page.source_text(value.node, value.source) == value.text
        for page, value in values
    ):
        return AttributeType(name, ValueKind.TEXT, whole=True)
    return replace(kind, name=name, kind=ValueKind.TEXT)


def _as_text(attribute: Attribute, text_type: AttributeType) -> Attribute:
    """Return the displayed text of a value as a value of the type `text_type`."""
    if text_type.whole and not text_type.is_recognised:
        return replace(
            attribute, type=text_type.name, matched=attribute.text, recogniser=None
        )
    return replace(attribute, type=text_type.name)
