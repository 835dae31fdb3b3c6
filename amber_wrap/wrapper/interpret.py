"""The wrapper at work on a `Page`: what a generated file does, without the file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urljoin

from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.normal_form import Value, normal_form
from amber_wrap.domain.schema import AttributeType
from amber_wrap.embedded.markup import shows_value
from amber_wrap.embedded.patterns import compose
from amber_wrap.wrapper.ir import AreaRule, FieldRule, Locator, Wrapper


@dataclass(frozen=True, slots=True)
class Extracted:
    """A value that a locator gave: where it stands and what it says.

    `text` is the displayed value, `matched` all that the pattern matched around it.
    """

    node: NodeId
    source: str
    text: str
    matched: str


@dataclass(frozen=True, slots=True)
class ExtractedRecord:
    """A record that an area rule gave; `values` lacks the fields without a value."""

    area: str
    rows: tuple[NodeId, ...]
    values: Mapping[str, Extracted]


def interpret(wrapper: Wrapper, page: Page) -> list[ExtractedRecord]:
    """The records of a page in document order (`ir` says how a wrapper is read)."""
    patterns = dict(wrapper.patterns)
    found: dict[NodeId, ExtractedRecord] = {}
    for area in wrapper.areas:
        for rows in record_rows(area, page):
            if rows[0] in found:
                continue
            values = {
                rule.name: value
                for rule in area.fields
                if (value := read_field(rule, patterns, page, rows)) is not None
            }
            if len(values) >= area.least:
                found[rows[0]] = ExtractedRecord(area.name, rows, values)
    return [found[start] for start in sorted(found)]


def record_rows(area: AreaRule, page: Page) -> Iterator[tuple[NodeId, ...]]:
    """The rows of each record of an area rule."""
    for root in page.select(area.root):
        starts = page.select(area.record, root)
        others = set(starts)
        deep = area.record.startswith(".//")
        for start in starts:
            if page.is_hidden(start) or (deep and page.is_within_hidden(start)):
                continue
            rows = [start]
            if area.span > 1:
                for sibling in page.child_elements(page.parent[start]):
                    if sibling <= start or page.is_blank(sibling):
                        continue
                    if sibling in others or len(rows) == area.span:
                        break
                    rows.append(sibling)
            yield tuple(rows)


def read_field(
    rule: FieldRule,
    patterns: Mapping[str, str],
    page: Page,
    rows: tuple[NodeId, ...],
) -> Extracted | None:
    """The value of the first locator that gives one."""
    for locator in rule.locators:
        value = read_locator(locator, patterns, page, rows)
        if value is not None:
            return value
    return None


def read_locator(
    locator: Locator,
    patterns: Mapping[str, str],
    page: Page,
    rows: tuple[NodeId, ...],
) -> Extracted | None:
    """The value of the first selected node whose text fits the pattern."""
    if locator.row >= len(rows):
        return None
    for node in page.select(locator.xpath, rows[locator.row]):
        text = page.source_text(node, locator.source)
        if locator.pattern is None:
            if shows_value(text):
                return Extracted(node, locator.source, text, text)
        elif match := compiled(compose(locator.pattern, patterns)).search(text):
            start, end = displayed_span(match)
            if start < end:
                return Extracted(node, locator.source, text[start:end], match[0])
    return None


def to_rows(wrapper: Wrapper, page: Page, raw: bool = False) -> list[dict[str, Value]]:
    """The records of a page as the generated file prints them."""
    base = base_url(page)
    return [to_row(wrapper, record, base, raw) for record in interpret(wrapper, page)]


def to_row(
    wrapper: Wrapper, record: ExtractedRecord, base: str, raw: bool
) -> dict[str, Value]:
    """One record: every field in order, None where it has no value."""
    row: dict[str, Value] = {}
    for name, kind in wrapper.fields:
        value = record.values.get(name)
        if raw:
            row[name] = value.text if value else None
            continue
        keys = AttributeType(name, kind).keys
        form: tuple[Value, ...] = (None,) * len(keys)
        if value:
            form = normal_form(kind, value.text, value.matched, base)
        for key, part in zip(keys, form, strict=True):
            # What is paid for is a key of its own only where it is displayed.
            if part is not None or key != f"{name}_period":
                row[key] = part
    if len(wrapper.areas) > 1:
        row["_area"] = record.area
    return row


def base_url(page: Page) -> str:
    """What relative URLs are resolved against: `<base href>` seen from the URL."""
    hrefs = (
        page.attributes[node].get("href", "") for node in page.select("//base[@href]")
    )
    try:
        return urljoin(page.url, next(hrefs, "").strip())
    except ValueError:
        return page.url


compiled = lru_cache(maxsize=1024)(re.compile)
