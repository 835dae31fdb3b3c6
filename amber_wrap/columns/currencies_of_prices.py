"""Add the currency beside a price to the price."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.locale import dollar_of
from amber_wrap.columns.attribute_values import CONTENT
from amber_wrap.columns.cells import Cell, RecordKey
from amber_wrap.columns.refined_attributes import attribute_of
from amber_wrap.dom.page import ITEM_PROPERTY, TEXT, NodeId, Page
from amber_wrap.domain.schema import (
    CURRENCY_SUFFIX,
    AttributeType,
    ValueKind,
    derived_key,
)
from amber_wrap.selectors.area_groups import TypedPage, attributes_on, with_attributes
from amber_wrap.values.currencies import currency
from amber_wrap.values.numbers_and_prices import money
from amber_wrap.values.texts import squeeze

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
        for attribute in attributes_on(typed_page):
            if (typed_page.page, attribute.node) in nodes:
                inside.add(attribute.type)
            else:
                outside.add(attribute.type)
    return frozenset(inside - outside)
