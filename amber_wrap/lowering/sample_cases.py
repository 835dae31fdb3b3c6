"""Collect what the XPath expressions of a generated file must read from the records of
the sample pages.

A case has the texts that an expression selects in a record, and the right value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from amber_wrap.dom.displayed_texts import text_of
from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.page import OWN_TEXT
from amber_wrap.domain.normal_form import NormalForm
from amber_wrap.engine.locators import PatternCache, TreeValueReader
from amber_wrap.engine.output_rows import conventions, normal_form_of
from amber_wrap.engine.record_reading import FoundRecord, family_basis
from amber_wrap.lowering.terms_in_scripts import TERMS, in_scripts
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.lowering.xpath_simplification import value_paths
from amber_wrap.values.regular_expressions import compose
from amber_wrap.wrapper.ir import PINNED, FieldReading, Wrapper

_LAST_INDEX = re.compile(r"\[\d+\](?=(?:/@[\w-]+|/text\(\))?\Z)")
"""Matches the index in the last step of an expression, such as `[2]` in `./p/b[2]`."""


@dataclass(frozen=True, slots=True)
class Samples:
    """The sample pages of a wrapper, and the records that the wrapper finds there."""

    roots: tuple[Node, ...]
    """The root elements of the pages."""
    records: tuple[tuple[FoundRecord, ...], ...]
    """The records of each page."""

    def records_of(self, area: str) -> list[FoundRecord]:
        """Return the records of the list called `area` on all sample pages, in document
        order.
        """
        return [
            record
            for page_records in self.records
            for record in page_records
            if record.area == area
        ]


@dataclass(frozen=True, slots=True)
class Case:
    """The texts that an XPath expression selects in a sample record, and the right
    value.
    """

    texts: tuple[str, ...]
    """The selected texts."""
    shown: str = ""
    """The displayed value, or "" for a record without a value."""
    matched: str = ""
    """The displayed value with the signs and words around it, such as a currency
    symbol."""
    form: NormalForm = ()
    """The normalised value, such as `(9.9, "EUR")`, or () for a record without a value.
    """

    @property
    def text(self) -> str:
        """The first selected text that contains `matched`, or "" if no text does."""
        return next((text for text in self.texts if self.matched in text), "")

    @property
    def without_value(self) -> Case:
        """A copy of the case with the same texts, but without a value."""
        return Case(self.texts)


OWN = "/text()"
"""The end of an expression for the text nodes that are children of an element."""

Expressions = tuple[tuple[str, tuple[Case, ...]], ...]
"""Pairs (XPath expression, cases), the simplest expression first. A case has the texts
that the expression selects in a sample record, and the right value."""


@dataclass(frozen=True, slots=True)
class LocatorCase:
    """One XPath expression of a wrapper in alternative forms, with the texts that each
    form selects in the sample records.
    """

    remaining_cases: Expressions
    """For each form of the XPath expression, the texts that it selects in sample
    records in which no earlier expression of the field finds a value.
    """
    all_cases: Expressions
    """For each form of the XPath expression, the texts that it selects in all sample
    records.
    """
    pattern: str = ""
    """The regular expression that finds the value in a text, or "" for whole texts."""
    joins: bool = False
    """Whether the child text nodes of an element are joined to one value."""
    pinned: bool = False
    """Whether a person wrote the XPath expression, so that `pattern` isn't
    simplified."""

    @property
    def alone(self) -> LocatorCase:
        """A copy of this object, as if its XPath expression were the only one of the
        field.

        In the copy, `remaining_cases` has all records.
        """
        return replace(self, remaining_cases=self.all_cases)


class Cases:
    """A collector of the texts that XPath expressions select in sample records, and of
    the right values.

    The argument `helpers` is a module with the functions of the generated file.
    """

    def __init__(self, wrapper: Wrapper, helpers: ModuleType, sample_text: str) -> None:
        self._patterns = dict(wrapper.patterns)
        self._sample_text = sample_text
        self._reader = TreeValueReader(PatternCache(self._patterns))
        self._kinds = dict(wrapper.fields)
        self._conventions = conventions(wrapper)
        self.text: Callable[..., str] = helpers.text

    def locator_cases(
        self, name: str, reading: FieldReading, records: Sequence[FoundRecord]
    ) -> list[LocatorCase]:
        """Return, for each XPath expression in `reading`, what its forms select in the
        sample records.

        `name` is the field, and `records` are the sample records with the right values.
        """
        rows = [record.rows for record in records]
        remaining = list(range(len(records)))
        locator_cases = []
        for locator in reading.locators:
            values = self._reader.column([locator], rows)
            pattern = self.pattern(locator.pattern) if locator.pattern else ""
            joins = locator.source == OWN_TEXT and not pattern
            is_last = locator is reading.locators[-1]
            remaining_cases, all_cases = [], []
            for path in value_paths(locator):
                cases = [self._case(name, path, record, joins) for record in records]
                all_cases.append((path, tuple(cases)))
                # A later locator finds the values that this locator doesn't find.
                path_cases = tuple(
                    cases[index]
                    if values[index] or is_last
                    else cases[index].without_value
                    for index in remaining
                )
                remaining_cases.append((path, path_cases))
            locator_cases.append(
                LocatorCase(
                    remaining_cases=tuple(remaining_cases),
                    all_cases=tuple(all_cases),
                    pattern=pattern,
                    joins=joins,
                    pinned=(locator.pattern or reading.family).startswith(PINNED),
                )
            )
            remaining = [index for index in remaining if not values[index]]
        return locator_cases

    def _case(self, name: str, path: str, record: FoundRecord, joins: bool) -> Case:
        """Return the texts that the XPath expression `path` selects in a record, and
        the record's value of the field `name`.

        If `joins` is true, the text nodes of each element are joined to one text.
        """
        texts = self.texts(path, record.rows[0], joins)
        value = record.values.get(name)
        if value is None:
            return Case(texts)
        normal_form = normal_form_of(self._kinds[name], self._conventions.get(name))
        form = normal_form(value.shown, value.matched, "")
        return Case(texts, value.shown, value.matched, form)

    def pattern(self, name: str) -> str:
        """Return the regular expression for values that is called `name`.

        Words in a writing system that no sample page uses are removed, for example
        Cyrillic words.
        """
        return in_scripts(shortened(compose(name, self._patterns)), self._sample_text)

    def texts(self, path: str, row: Node, joins: bool) -> tuple[str, ...]:
        """Return the texts that the XPath expression `path` selects in a record.

        If `joins` is true, the text nodes of each element are joined to one text.
        """
        if joins and path.endswith(OWN):
            elements = xpath(path.removesuffix(OWN))(row)
            text_nodes = (map(str, xpath("text()")(element)) for element in elements)
            return tuple(self.text(" ".join(texts)) for texts in text_nodes)
        return tuple(map(self.text, xpath(path)(row)))

    def is_spare(
        self, name: str, reading: FieldReading, records: Sequence[FoundRecord]
    ) -> bool:
        """Return whether the group of XPath expressions `reading` can safely be used
        after a field's first group.

        The group must find no value in records without one. If many records have no
        value, the group must also find the same nodes as the first group.
        """
        first_values = [record.values.get(name) for record in records]
        rows = [record.rows for record in records]
        spare_values = self._reader.column(reading.locators, rows)
        pairs = list(zip(first_values, spare_values, strict=True))
        if any(spare and not first for first, spare in pairs):
            return False
        filled = [(first, spare) for first, spare in pairs if first]
        if len(filled) >= LOWERING.least_regular_share * len(pairs):
            return True
        is_same = all(spare and first.node is spare.node for first, spare in filled)
        return is_same and family_basis(reading.family) != "movable"

    def selects_one_text(self, path: str, records: Iterable[FoundRecord]) -> bool:
        """Return whether an XPath expression, without the index in its last step,
        selects at most one text in each record.
        """
        # In a record without the field, a second text would take the first one's index.
        bare_path = _LAST_INDEX.sub("", path)
        texts = (self.texts(bare_path, record.rows[0], False) for record in records)
        return all(len(set(filter(None, found))) <= 1 for found in texts)


def tags_in(records: Iterable[FoundRecord], reading: FieldReading) -> Iterator[str]:
    """Yield the tags of all descendants of a field's elements in the records.

    The XPath expressions in `reading` select the field's elements.
    """
    for node in selected_nodes(records, reading):
        for element in node.iterdescendants("*"):
            yield element.tag


def same_texts(
    records: Iterable[FoundRecord],
    reading: FieldReading,
    text: Callable[[Node | str], str],
) -> bool:
    """Return whether the function `text` reads the displayed texts of a field.

    The XPath expressions in `reading` select the field's elements. White space is
    ignored.
    """
    nodes = selected_nodes(records, reading)
    return all(text(node) == text(text_of(node)) for node in nodes)


def selected_nodes(
    records: Iterable[FoundRecord], reading: FieldReading
) -> Iterator[Node]:
    """Yield the elements in records that the XPath expressions in `reading` select."""
    for record in records:
        for locator in reading.locators:
            if locator.row < len(record.rows):
                yield from xpath(str(locator.xpath))(record.rows[locator.row])


def shortened(pattern: str) -> str:
    """Return a shorter regular expression that matches the same texts.

    For example, the name of the group `(?P<value>...)` is removed.
    """
    if TERMS.fullmatch(pattern):
        return pattern.replace(r"\-", "-")
    return pattern.replace("(?P<value>", "(")
