"""Make a wrapper (rules for reading a site's pages) from a schema of another tool.

The kinds of values, and conditions for pages, are learned from saved pages.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.annotate.locale import dollar_of
from amber_wrap.columns.refined_attributes import column_pattern
from amber_wrap.columns.value_kinds import column_form
from amber_wrap.contract.induction import with_contracts
from amber_wrap.dom.displayed_texts import EACH
from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind, is_column_name
from amber_wrap.engine.output_rows import records_on, with_keys
from amber_wrap.errors import NothingFoundError, SelectionError, WrapperError
from amber_wrap.export.foreign_schemas import (
    ForeignField,
    ForeignSchema,
    checked_xpath,
)
from amber_wrap.generalise.user_decisions import ColumnDecision, value_pattern
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import (
    PINNED,
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Sample,
    Wrapper,
)
from amber_wrap.wrapper.pattern_check import check_patterns
from amber_wrap.wrapper.xpath import Pinned
from amber_wrap.wrapper.xpath_parser import parse_path

_AREA: Final = "results"
"""The name that a list of records gets if another tool's schema is imported."""
_PARTS: Final = re.compile(r"\s+\|\s+(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""Matches the sign "|" between the paths of an XPath union, but not in string
literals."""
_LAST_STEP: Final = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
"""Matches the end of an XPath path to an attribute or to text nodes: `/@href` or
`/text()`."""
_LINK_ATTRIBUTES: Final = ("href", "src", "data-src")
"""The HTML attributes whose values are addresses."""


def wrapper_of(schema: ForeignSchema) -> Wrapper:
    """Return a wrapper that selects the same records and fields as another tool's
    schema.

    Raise WrapperError if the schema has an invalid name, expression or pattern.
    """
    record_locator = RecordLocator(
        PINNED, parse_path("/html"), Pinned(absolute_xpath(schema.records))
    )
    field_patterns: dict[str, str] = {}
    field_rules, value_kinds = [], {}
    for field in schema.fields:
        if not is_column_name(field.name):
            raise WrapperError(f"{field.name!r} can't be the name of a column")
        locators, kind = locators_of(field)
        if locators[0].pattern:
            field_patterns[locators[0].pattern] = value_group_pattern(field)
        value_kinds[field.name] = kind
        field_rules.append(FieldRule(field.name, (FieldReading(PINNED, locators),)))
    area_rule = AreaRule(
        _AREA, (record_locator,), span=1, least=1, fields=tuple(field_rules)
    )
    try:
        return Wrapper(
            domain="listing",
            samples=(),
            fields=tuple(value_kinds.items()),
            patterns=tuple(sorted(field_patterns.items())),
            areas=(area_rule,),
        )
    except ValueError as error:
        raise WrapperError(str(error)) from error


def locators_of(field: ForeignField) -> tuple[tuple[Locator, ...], ValueKind]:
    """Return the XPath expressions of another tool's field, and the kind of its values.

    If the field's expression joins different attributes, as in `a/@href | img/@src`,
    return an expression for each attribute.
    """
    union_paths = _PARTS.split(checked_xpath(field.xpath))
    matches = [_LAST_STEP.search(union_path) for union_path in union_paths]
    last_steps = [match[0] if match else "" for match in matches]
    elements = [_LAST_STEP.sub("", union_path) or "." for union_path in union_paths]
    element_and_step = list(zip(elements, last_steps, strict=True))
    if len(set(last_steps)) == 1:
        element_and_step = [(" | ".join(elements), last_steps[0])]
    if field.several:
        return (Locator(Pinned(element_and_step[0][0]), EACH),), ValueKind.TEXTS
    pattern_name = f"{PINNED}:{field.name}" if field.pattern else None
    locators = []
    for xpath, last_step in element_and_step:
        source = f"@{field.attribute}" if field.attribute else TEXT
        if last_step:
            source = OWN_TEXT if last_step == "/text()" else last_step[1:]
        locators.append(Locator(Pinned(xpath), source, pattern_name))
    are_links = all(
        locator.source.removeprefix("@") in _LINK_ATTRIBUTES for locator in locators
    )
    kind = ValueKind.URL if are_links and not pattern_name else ValueKind.TEXT
    return tuple(locators), field.kind or kind


def value_group_pattern(field: ForeignField) -> str:
    """Return the regular expression of a field, with a group `value` for the value.

    Raise WrapperError if the regular expression is invalid.
    """
    try:
        return value_pattern(ColumnDecision(field.name, pattern=field.pattern))
    except SelectionError as error:
        raise WrapperError(str(error)) from error


def absolute_xpath(xpath: str) -> str:
    """Return an XPath expression that begins at the root, such as `/main` for `./main`.

    Raise WrapperError if the expression is invalid, or begins neither with "/" nor with
    "./".
    """
    absolute_paths = [
        union_path.removeprefix(".") if union_path.startswith("./") else union_path
        for union_path in _PARTS.split(checked_xpath(xpath))
    ]
    if not all(union_path.startswith(("/", "(/")) for union_path in absolute_paths):
        raise WrapperError(
            f"{xpath!r} doesn't begin at the root of the page: begin it with // or /"
        )
    return " | ".join(absolute_paths)


def with_samples(wrapper: Wrapper, sources: Sequence[Source], url: str = "") -> Wrapper:
    """Return a wrapper with more precise kinds of values, and with conditions that
    pages must meet.

    The kinds and conditions are learned from saved pages. Raise NothingFoundError if
    the wrapper reads no records on the pages.
    """
    saved_pages = [source.saved for source in sources]
    pages = [parse(saved.body, url or saved.url) for saved in saved_pages]
    wrapper = with_kinds(wrapper, pages)
    samples = tuple(Sample(source.name, source.sha256) for source in sources)
    wrapper = replace(wrapper, samples=samples)
    records_by_page = [records_on(wrapper, page.root) for page in pages]
    if not any(records_by_page):
        names = ", ".join(source.name for source in sources)
        raise NothingFoundError(
            f"the schema reads no records from {names}: check that it is for these "
            "pages, and that they are saved as its tool fetches them"
        )
    wrapper = with_contracts(wrapper, pages, records_by_page, [() for _ in pages])
    check_patterns(wrapper)
    records = [record for records in records_by_page for record in records]
    return with_keys(wrapper, records, dollar_of(pages))


def with_kinds(wrapper: Wrapper, pages: Sequence[Page]) -> Wrapper:
    """Return a wrapper in which fields of texts get a more precise kind, such as date.

    The values on the given pages determine the kind. A field may also get a regular
    expression for its values, such as one that skips the label `Price:`.
    """
    kinds, patterns = dict(wrapper.fields), dict(wrapper.patterns)
    records = [record for page in pages for record in records_on(wrapper, page.root)]
    pattern_names: dict[str, str] = {}
    for name, kind in wrapper.fields:
        texts = [
            record.values[name].shown for record in records if name in record.values
        ]
        if kind is not ValueKind.TEXT or not texts or _has_pattern(wrapper, name):
            continue
        form = column_form(texts, [name])
        kinds[name] = form.kind
        if form.pattern:
            pattern_names[name] = column_pattern(name)
            patterns[pattern_names[name]] = form.pattern
    (area,) = wrapper.areas
    rules = tuple(
        _with_pattern(rule, pattern_names.get(rule.name)) for rule in area.fields
    )
    return replace(
        wrapper,
        fields=tuple(kinds.items()),
        patterns=tuple(sorted(patterns.items())),
        areas=(replace(area, fields=rules),),
    )


def _has_pattern(wrapper: Wrapper, name: str) -> bool:
    """Return whether a field's first XPath expression has a regular expression, too."""
    (area,) = wrapper.areas
    rule = next(rule for rule in area.fields if rule.name == name)
    return bool(rule.readings[0].locators[0].pattern)


def _with_pattern(rule: FieldRule, pattern: str | None) -> FieldRule:
    """Return the rule of a field with a regular expression for each XPath expression.

    `pattern` is the name of the regular expression. If it is None, return the rule
    unchanged.
    """
    if pattern is None:
        return rule
    (reading,) = rule.readings
    locators = tuple(replace(locator, pattern=pattern) for locator in reading.locators)
    return replace(rule, readings=(replace(reading, locators=locators),))
