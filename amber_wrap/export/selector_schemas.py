"""Export XPath expressions and CSS selectors to crawl4ai, selectorlib and html2rss."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from amber_wrap.codegen.other_languages import Written, fill
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.feed import Roles, roles
from amber_wrap.export.target import WHOLE_TARGET, Exported, ExportTarget, Subject, lost
from amber_wrap.export.xpath_and_css import SelectedColumn, css_of, selection
from amber_wrap.lowering.program import Program

ROOT: Final = "./ancestor-or-self::*[last()]"
"""An XPath expression for the root of the page, relative to a record.  Selectors of
crawl4ai must begin with a dot."""
_PARTS: Final = re.compile(
    r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\((?:\?(?:<[=!]|P<\w+>|\w+:|[:=!]))?|.", re.DOTALL
)
"""Matches one part of a regular expression: an escape, a character class, the beginning
of a group, or any other character."""
ENDS: Final = (r"(?![.\w])", r"\b")
"""The ends of regular expressions that match only at the end of a word."""
PUBLISHED: Final = "published_at"
"""The key for the date of a feed's item in an html2rss configuration."""


def crawl4ai(subject: Subject) -> Exported:
    """Return a schema for crawl4ai's JsonXPathExtractionStrategy.

    The result also has warnings on what crawl4ai can't express.
    """
    main_list, findings = selection(subject.program)
    schema_fields: list[dict[str, Any]] = []
    for column in main_list.fields:
        schema_column = of_one_pattern(column)
        schema_fields.append(_crawl4ai_field(schema_column))
        if schema_column.several:
            findings.append(lost(column.name, 'becomes a list of {"value": ...}'))
            continue
        findings += _source_losses(schema_column)
        if len(schema_column.alternatives) < len(column.alternatives):
            findings.append(lost(column.name, "its second expression is left out"))
    crawl4ai_schema = {
        "name": subject.name,
        "baseSelector": main_list.records,
        "fields": schema_fields,
    }
    schema_json = json.dumps(crawl4ai_schema, indent=2, ensure_ascii=False) + "\n"
    losses = (*findings, *_untyped(subject.program, "crawl4ai"))
    return Exported({f"{subject.name}.json": schema_json}, losses)


def _crawl4ai_field(column: SelectedColumn) -> dict[str, Any]:
    """Return a column, which is a field of records, as a field of a crawl4ai schema."""
    schema_field: dict[str, Any] = {
        "name": column.name,
        "selector": dotted_xpath(column.elements),
    }
    if column.several:
        parts = [{"name": "value", "type": "text"}]
        return {**schema_field, "type": "list", "fields": parts}
    first = column.alternatives[0]
    crawl4ai_steps = ["attribute" if first.attribute else "text"]
    if first.attribute:
        schema_field["attribute"] = first.attribute
    if first.pattern:
        crawl4ai_steps.append("regex")
        schema_field["pattern"] = loose_pattern(first.pattern)
        schema_field["group"] = group_of(first.pattern)
    return {
        **schema_field,
        "type": crawl4ai_steps if len(crawl4ai_steps) > 1 else crawl4ai_steps[0],
    }


def selectorlib(subject: Subject) -> Exported:
    """Return the YAML file of a selectorlib extractor.

    The result also has warnings on what selectorlib can't express.
    """
    main_list, findings = selection(subject.program)
    yaml_fields: list[Mapping[str, Any]] = []
    for column in main_list.fields:
        attribute = column.alternatives[0].attribute
        yaml_fields.append(
            {
                "name": column.name,
                "xpath": column.elements,
                "attribute": attribute,
                "type": Written("Attribute" if attribute else "Text"),
                "several": column.several,
            }
        )
        findings += [*_source_losses(column), *_pattern_losses(column, "selectorlib")]
    selectorlib_yaml = fill(
        "selectorlib/selectors.yml.jinja", records=main_list.records, fields=yaml_fields
    )
    losses = (*findings, *_untyped(subject.program, "selectorlib"))
    return Exported({f"{subject.name}.yml": selectorlib_yaml}, losses)


def html2rss(subject: Subject) -> Exported:
    """Return the html2rss configuration of a feed.

    Raise WrapperError if the address of the page is unknown, or if CSS can't express
    the selection of the records.
    """
    if not subject.url:
        raise WrapperError("a feed needs the address of its page: give it with --url")
    main_list, findings = selection(subject.program)
    try:
        records_selector = css_of(main_list.rows)
    except ValueError as error:
        raise WrapperError(
            f"html2rss needs CSS, which {main_list.rows} has no form in: {error}"
        ) from error
    if main_list.rows != main_list.records:
        findings.append(lost("", "hidden rows are read as records, too"))
    names = html2rss_names(roles(main_list.fields))
    yaml_fields, category_names = [], []
    for column in main_list.fields:
        selectors = [_css(alternative.plain) for alternative in column.alternatives]
        css_selector = next(filter(None, selectors), "")
        if not css_selector:
            findings.append(lost(column.name, "left out: CSS can't express it"))
            continue
        name = names.get(column.name, column.name)
        if column.name not in names:
            category_names.append(name)
        attribute = column.alternatives[0].attribute
        extractor = "text"
        if attribute:
            extractor = "href" if attribute == "href" else "attribute"
        yaml_fields.append(
            {
                "name": name,
                "css": css_selector,
                "attribute": "" if attribute == "href" else attribute,
                "extractor": Written(extractor),
                "processes": [Written("parse_time")] if name == PUBLISHED else [],
            }
        )
        if len(column.alternatives) > 1:
            findings.append(lost(column.name, "its second expression is left out"))
        findings += [*_source_losses(column), *_pattern_losses(column, "html2rss")]
        if column.several:
            findings.append(lost(column.name, "reads only its first item"))
    html2rss_yaml = fill(
        "html2rss/feed.yml.jinja",
        name=subject.name,
        url=subject.url,
        items=records_selector,
        fields=yaml_fields,
        tags=category_names,
    )
    return Exported({f"{subject.name}.yml": html2rss_yaml}, tuple(findings))


def html2rss_names(entry: Roles[SelectedColumn]) -> dict[str, str]:
    """Return a dict from fields of records to the names that html2rss gives to parts of
    an entry.

    A part of an entry is, for example, the title.
    """
    fields = {
        "title": entry.title,
        "url": entry.link,
        "enclosure": entry.image,
        "author": entry.author,
        PUBLISHED: entry.date,
    }
    return {field.name: name for name, field in fields.items() if field}


def of_one_pattern(column: SelectedColumn) -> SelectedColumn:
    """Return a field with only some of its XPath expressions.

    An expression stays if it has the same regular expression as the field's first XPath
    expression.
    """
    pattern = column.alternatives[0].pattern
    alternatives = tuple(
        alternative
        for alternative in column.alternatives
        if alternative.pattern == pattern
    )
    return replace(column, alternatives=alternatives)


def dotted_xpath(path: str) -> str:
    """Return an XPath expression that begins with a dot, as crawl4ai requires.

    For example, return `./a` for `a`. The result selects the same nodes as `path`.
    """
    if path.startswith("//"):
        return f"{ROOT}{path}"
    return path if path.startswith(".") else f"./{path}"


def loose_pattern(pattern: str) -> str:
    """Return a looser regular expression for texts in HTML source.

    `pattern` is a regular expression for displayed texts. In the result, a blank
    matches any white space, and a match may end within a word.
    """
    for end in ENDS:  # The text of the next element follows without a blank.
        pattern = pattern.removesuffix(end)
    is_in_lookbehind = [False]  # A value for each open group.
    loose_parts: list[str] = []
    for match in _PARTS.finditer(pattern):
        pattern_part, next_character = match[0], pattern[match.end() : match.end() + 1]
        if pattern_part.startswith("("):
            is_in_lookbehind.append(
                is_in_lookbehind[-1] or pattern_part.startswith("(?<")
            )
        elif pattern_part == ")":
            is_in_lookbehind.pop()
        is_quantified = next_character in ("?", "*", "+", "{")
        if pattern_part == " " and not is_in_lookbehind[-1] and not is_quantified:
            pattern_part = r"\s+"
        elif pattern_part == " ":
            pattern_part = r"\s"  # A lookbehind must have a fixed length.
        elif pattern_part.startswith("["):
            pattern_part = pattern_part.replace(" ", r"\s")
        loose_parts.append(pattern_part)
    return "".join(loose_parts)


def group_of(pattern: str) -> int:
    """Return the number of the group that matches the value in a regular expression.

    Return 0 if the whole match is the value.
    """
    return min(1, re.compile(pattern).groups)


def _css(xpath: str) -> str:
    """Return the CSS selector of an XPath expression, or "" if CSS can't express it."""
    try:
        return css_of(xpath)
    except ValueError:
        return ""


def _source_losses(field: SelectedColumn) -> Iterator[Diagnostic]:
    """Yield warnings about a field for a tool that reads a field by a single
    expression.

    Such a tool reads the text of an element with the text of its children, and reads
    only one attribute.
    """
    first = field.alternatives[0]
    if first.is_string:
        yield lost(field.name, "reads the text of the whole element with its children")
    if any(
        alternative.attribute != first.attribute for alternative in field.alternatives
    ):
        yield lost(field.name, "its second expression is left out")


def _pattern_losses(field: SelectedColumn, tool: str) -> Iterator[Diagnostic]:
    """Yield a warning if a regular expression is needed to find the value of a field.

    `tool` is the name of the tool, which supports no regular expressions.
    """
    if any(alternative.pattern for alternative in field.alternatives):
        yield lost(field.name, f"{WHOLE_TARGET}: {tool} has no patterns")


def _untyped(program: Program, tool: str) -> Iterator[Diagnostic]:
    """Yield warnings about parts of a generated file that the tool called `tool` can't
    express.

    The tool has no types, and reads only one page.
    """
    columns = [column for page_list in program.lists for column in page_list.columns]
    if any(column.kind is not ValueKind.TEXT for column in columns):
        yield lost(
            "", f"numbers, dates and links stay as displayed: {tool} has no types"
        )
    if derived := [value.key for column in columns for value in column.derived]:
        yield lost("", f"{', '.join(dict.fromkeys(derived))} have no keys of their own")
    if program.next_page:
        yield lost("", f"{tool} reads one page and doesn't follow next pages")


CRAWL4AI = ExportTarget("crawl4ai", "a crawl4ai schema, JSON with XPath", crawl4ai)
SELECTORLIB = ExportTarget("selectorlib", "a selectorlib extractor, YAML", selectorlib)
HTML2RSS = ExportTarget("html2rss", "an html2rss feed, YAML with CSS", html2rss)
