"""Add a column for each example value that a person takes from one record.

In other records, the column's value is read from the element that corresponds to the
example's element, and between the same delimiters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.annotate.annotate_page import readers
from amber_wrap.annotate.examples import Example
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.pattern_annotator import displayed_span
from amber_wrap.dom.displayed_texts import shows_value
from amber_wrap.dom.page import Page
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.generalise.example_matching import ExampleSite, example_site
from amber_wrap.generalise.patterns_of_examples import span_pattern
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.area_groups import TypedPage, with_attributes
from amber_wrap.values.regular_expressions import SEARCHED


class _ReadText(NamedTuple):
    """A value that was found in a text by a regular expression."""

    value: str
    """The value as the page displays it."""
    matched: str
    """The text that the regular expression matched. It contains the value."""
    pattern: str | None
    """The name of the regular expression, or None if the value is the whole text."""


def with_examples(
    typed_pages: Sequence[TypedPage], domain: Domain, examples: Iterable[Example]
) -> tuple[tuple[TypedPage, ...], Domain, tuple[Diagnostic, ...]]:
    """Return the sample pages and the domain with a column for each example, and
    warnings about doubtful examples.

    Raise SelectionError if no record contains an example. Also raise SelectionError if
    an example has the name of a type in the domain, but isn't a value of this type.
    """
    findings: list[Diagnostic] = []
    for example in examples:
        typed_pages, domain, example_findings = _with_example(
            typed_pages, domain, example
        )
        findings += example_findings
    return tuple(typed_pages), domain, tuple(findings)


def _with_example(
    typed_pages: Sequence[TypedPage], domain: Domain, example: Example
) -> tuple[tuple[TypedPage, ...], Domain, Iterable[Diagnostic]]:
    """Return the sample pages and the domain with a column for one example, and
    warnings if the example is doubtful.

    Raise SelectionError if no record contains the example. Also raise SelectionError if
    the example has the name of a type in the domain, but isn't a value of this type.
    """
    areas = [
        (one.page, area.records) for one in typed_pages for area in one.typing.areas
    ]
    record_count = sum(one.typing.record_count for one in typed_pages)
    site = example_site(example, areas)
    if site is None:
        raise SelectionError(
            f"{example} is in none of the {record_count} records that were found: give "
            "an example from these, or select the list with --within"
        )
    texts = [text for _, text in site.values.values()]
    column = _example_column(example, site, domain, texts)
    value_count = sum(column.read(text) is not None for text in texts)

    def with_example_attribute(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> Sequence[Attribute]:
        """Return the values of a record, with the value that is read for the example's
        column.

        The read value replaces all values of the type that is called like the example.
        """
        changed = [one for one in attributes if one.type != example.name]
        node, text = site.values.get((page, record.start), (0, ""))
        if read := column.read(text):
            changed.append(
                Attribute(
                    type=example.name,
                    node=node,
                    source=site.source,
                    text=read.value,
                    matched=read.matched,
                    recogniser=read.pattern,
                    support=value_count / record_count,
                    origin="annotated",
                )
            )
        return sorted(changed, key=lambda attribute: attribute.node)

    is_unsure = site.is_moving or not column.is_sure
    return (
        tuple(with_attributes(one, with_example_attribute) for one in typed_pages),
        column.domain,
        _example_doubts(example, is_unsure, value_count),
    )


def _example_doubts(
    example: Example, is_unsure: bool, value_count: int
) -> Iterator[Diagnostic]:
    """Yield warnings if values of an example's column may be wrong or missing.

    `is_unsure` is true if the values may be wrong. `value_count` is the number of
    records with a value.
    """
    if is_unsure:
        yield Diagnostic(
            "warning",
            "example-unsure",
            f"{example}: some records show more or fewer such texts, and only "
            "their order distinguishes them: check the values",
        )
    if value_count < RULE.least_example_records:
        yield Diagnostic(
            "warning",
            "example-alone",
            f"{example}: no other record has a text in this place; an example from "
            "another record, or a second sample, may help",
        )


@dataclass(frozen=True, slots=True)
class _ExampleColumn:
    """The column of a person's example value, and the regular expressions that find its
    values.
    """

    domain: Domain
    """The domain with the type of the column."""
    patterns: Mapping[str, re.Pattern[str]]
    """The regular expressions by name. The first one that matches a text gives the
    value. Without any, the value is the whole text."""
    is_sure: bool = True
    """Whether the regular expressions find no wrong values."""

    def read(self, text: str) -> _ReadText | None:
        """Return the value in a text, or None if there is none."""
        for name, pattern in self.patterns.items():
            if match := pattern.search(text, 0, SEARCHED):
                start, end = displayed_span(match)
                return _ReadText(text[start:end], match[0], name)
        if self.patterns or not shows_value(text):
            return None
        return _ReadText(text, text, None)


def _example_column(
    example: Example, site: ExampleSite, domain: Domain, texts: Sequence[str]
) -> _ExampleColumn:
    """Return the column of a person's example, with regular expressions for its values.

    `texts` are the texts of the matching elements of all records. Raise SelectionError
    if the example has the name of a type in the domain, but isn't a value of this type.
    """
    text = site.text
    match = re.search(example.words, text)
    start, end = match.span() if match else (0, len(text))
    local = for_locale(domain, locale_of(site.page))
    new_kind = AttributeType(example.name, ValueKind.TEXT, whole=True)
    types = {kind.name: kind for kind in local.schema.types}
    kind = types.get(example.name, new_kind)
    if not kind.whole:
        known = readers(local)
        patterns = {name: known[name] for name in kind.readers if name in known}
        column = _ExampleColumn(domain, patterns)
        if patterns and (read := column.read(text)):
            read_start = text.index(read.matched)
            if read_start < end and start < read_start + len(read.matched):
                return column
    regex, is_sure = span_pattern(text, start, end, texts)
    patterns = {example.pattern: re.compile(regex)} if regex else {}
    column = _ExampleColumn(_with_type(domain, kind, example, regex), patterns, is_sure)
    value, matched, _ = column.read(text) or ("", "", None)
    normal_form = NORMAL_FORMS[kind.kind](value, matched, "")
    if kind.kind is ValueKind.URL or normal_form[0] is None:
        raise SelectionError(
            f"{example} is not of the kind {kind.kind}, as {example.name} is in the "
            f"domain {domain.name}: use another name"
        )
    return column


def _with_type(
    domain: Domain, kind: AttributeType, example: Example, regex: str
) -> Domain:
    """Return the domain with the type `kind` added.

    The domain also gets the regular expression `regex` for values of the type, if
    `regex` isn't empty. Raise SelectionError if the type is called like a derived
    value, such as the currency of a price.
    """
    is_whole = kind.kind is ValueKind.TEXT and not regex
    types = {known.name: known for known in domain.schema.types}
    for known in types.values():
        if kind.name in known.keys[1:]:
            raise SelectionError(
                f"{example}: {kind.name} is a part of {known.name} in the domain "
                f"{domain.name}: use another name"
            )
    types[kind.name] = replace(types.get(kind.name, kind), whole=is_whole)
    patterns = {**domain.patterns, example.pattern: regex} if regex else domain.patterns
    schema = replace(domain.schema, types=tuple(types.values()))
    return replace(domain, schema=schema, patterns=patterns)
