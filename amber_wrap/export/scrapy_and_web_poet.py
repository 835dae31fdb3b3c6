"""Export to Scrapy and its companions: a spider, Spidermon monitors, a web-poet page.

The web-poet page comes with test fixtures of the sample pages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from amber_wrap.codegen.python_source import INDENT, LINE, Code, assign, python_literal
from amber_wrap.codegen.render import PatternConstants, TemplateView
from amber_wrap.dom.link_addresses import host_of
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.generated_module import (
    TYPES,
    Field,
    SampleReading,
    class_of,
    encoding_warnings,
    have_plain_names,
    module_of,
    record_fields,
    renaming_warnings,
    render_export,
    sample_readings,
    stem_of,
    true_encoding,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost
from amber_wrap.lowering.program import Program

DETAILS = "details_page"
"""The name of the field that has the link to a record's own page."""


def scrapy_spider(subject: Subject) -> Exported:
    """Return the file of a Scrapy spider that reads the pages of a site.

    Raise WrapperError if Python can't import the generated file by its name.
    """
    module, program = module_of(subject), subject.program
    item_fields = record_fields(program)
    details_link = details_field(program, item_fields)
    stem = stem_of(module)
    spider_file = render_export(
        "scrapy/spider.py.jinja",
        module=module,
        stem=python_literal(str(stem)),
        item=class_of(module, "Item"),
        spider=class_of(module, "Spider"),
        fields=item_fields,
        entries=[
            (python_literal(item_field.key), item_field.name)
            for item_field in item_fields
        ],
        is_plain=have_plain_names(item_fields),
        start=assign("START", subject.url),
        details=details_link,
        has_next=bool(program.next_page),
    )
    findings = (*renaming_warnings(item_fields), *encoding_warnings(subject, "Scrapy"))
    return Exported({f"{stem}_spider.py": spider_file}, findings)


def details_field(program: Program, fields: tuple[Field, ...]) -> Field | None:
    """Return the field with the link to a record's own page, or None if no field has
    links.
    """
    link_names = {
        column.name
        for page_list in program.lists
        for column in page_list.columns
        if column.kind == ValueKind.URL
        and any(read.xpath.endswith("/@href") for read in column.reads)
    }
    by_key = {field.key: field for field in fields if field.key in link_names}
    return by_key.get(DETAILS) or next(iter(by_key.values()), None)


SCRAPY = ExportTarget(
    "scrapy", "a spider that follows the pages, and its item", scrapy_spider
)


JSON_TYPES: Final[Mapping[str, str]] = {
    "bool": "boolean",
    "float": "number",
    "int": "integer",
    "list[str]": "array",
    "str": "string",
}
"""A dict from the Python types of values to the types of JSON Schema."""
_LENGTHS = re.compile(r"\.\{(\d+),(\d+)\}")
"""Matches a regular expression that only limits the length of a text, such as
`.{3,40}`.

The groups are the least and the greatest length.
"""
_DIGITS = re.compile(r"\\d\{(\d+),(\d+)\}\(\?:\\\.\\d\+\)\?")
"""A regular expression for patterns such as `\\d{1,4}(?:\\.\\d+)?`, which the numbers
of a column are expected to match.  The groups are the least and the greatest number of
digits before the decimal point."""
_ANY = (".+", ".*", "")
"""The patterns that needn't be checked, since any text matches; "" means no pattern."""


def spidermon_monitors(subject: Subject) -> Exported:
    """Return a file of Spidermon monitors, and a file of settings for a Scrapy project.

    Raise WrapperError if Python can't import the generated file by its name.
    """
    module, program = module_of(subject), subject.program
    item_fields = record_fields(program)
    item_class = class_of(module, "Item")
    fill_rules = {
        f"{item_class}/{item_field.name}": program.expected[item_field.key][0]
        for item_field in item_fields
        if item_field.key in program.expected
    }
    monitors_file = render_export(
        "spidermon/monitors.py.jinja",
        rules=assign("RULES", fill_rules),
        schema=assign("SCHEMA: dict[str, Any]", item_schema(program, item_fields)),
        item=python_literal(str(item_class)),
        suite=class_of(module, "Monitors"),
    )
    files = {
        f"{stem_of(module)}_monitors.py": monitors_file,
        "spidermon_settings.py": render_export("spidermon/settings.py.jinja"),
    }
    findings = (*renaming_warnings(item_fields), *_unchecked(program, item_fields))
    return Exported(files, findings)


def item_schema(program: Program, fields: tuple[Field, ...]) -> dict[str, Any]:
    """Return the JSON Schema of a Scrapy item, in which any value may be null."""
    properties = {
        str(field.name): {
            "type": [json_type(field), "null"],
            **value_limits(field, expected_pattern(program, field)),
        }
        for field in fields
    }
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }


def json_type(field: Field) -> str:
    """Return the JSON Schema type of a field's values, such as "number"."""
    return JSON_TYPES[field.type.removesuffix(" | None")]


def value_limits(field: Field, pattern: str) -> dict[str, Any]:
    """Return the JSON Schema keywords that limit a field's values, or {} for no limits.

    `pattern` is the regular expression that the values should match. A pattern for
    numbers becomes the keywords of a range, such as `minimum`.
    """
    kind = json_type(field)
    if kind == "array":
        return {"items": {"type": "string"}}
    if field.kind == ValueKind.URL:
        return {"pattern": "^https?://"}
    if kind == "string" and (match := _LENGTHS.fullmatch(pattern)):
        return {"minLength": int(match[1]), "maxLength": int(match[2])}
    if kind == "string" and pattern not in _ANY:
        return {"pattern": f"^(?:{pattern})$"}
    if kind in ("number", "integer") and (match := _DIGITS.fullmatch(pattern)):
        fewest, most = int(match[1]), int(match[2])
        minimum = 10 ** (fewest - 1) if fewest > 1 else 0
        return {"minimum": minimum, "exclusiveMaximum": 10**most}
    return {}


def expected_pattern(program: Program, field: Field) -> str:
    """Return the regular expression that the values of a field should match, or ""."""
    _, pattern = program.expected.get(field.key, (0.0, ""))
    return pattern


def _unchecked(program: Program, fields: tuple[Field, ...]) -> Iterator[Diagnostic]:
    """Yield a warning for each field whose regular expression Spidermon can't check."""
    if not program.expected:
        yield lost(
            "", "the wrapper has no expected shares of fields: nothing is monitored"
        )
    for field in fields:
        pattern = expected_pattern(program, field)
        has_pattern = pattern not in _ANY and field.kind != ValueKind.URL
        if has_pattern and not value_limits(field, pattern):
            yield lost(field.key, f"the form {pattern} of numbers isn't checked")


SPIDERMON = ExportTarget(
    "spidermon", "monitors for the shares and forms of fields", spidermon_monitors
)


_TAKEN = TYPES | {
    "css",
    "field",
    "item_cls",
    "jmespath",
    "record",
    "selector",
    "to_item",
    "xpath",
}
"""Names that the fields of a web-poet class for records can't have."""


def web_poet_page(subject: Subject) -> Exported:
    """Return the file of a web-poet page object, and its test fixture for each sample
    page.

    Raise WrapperError if no address is known, or if the generated file can't be
    imported or fails.
    """
    module, program = module_of(subject), subject.program
    row_fields = record_fields(program, _TAKEN)
    readings = sample_readings(subject) if subject.samples and subject.source else ()
    sample_urls = (reading.url for reading in readings)
    page_url = subject.url or next(filter(None, sample_urls), "")
    if not (site_host := host_of(page_url)):
        raise WrapperError(
            "a page object needs the address of a page of its site: name it with "
            "--url https://..."
        )
    stem, page_class = stem_of(module), class_of(module, "Page")
    template_values = TemplateView(program, PatternConstants.of(program)).values()
    page_file = render_export(
        "web-poet/page.py.jinja",
        imports=import_statement(module, program, template_values),
        host=python_literal(site_host),
        item=class_of(module, "Item"),
        row=class_of(module, "Row"),
        results=class_of(module, "Results"),
        page=page_class,
        fields=[(python_literal(row_field.key), row_field) for row_field in row_fields],
        is_plain=have_plain_names(row_fields),
        lists=template_values["lists"],
        has_several=any(
            page_list["has_several"] for page_list in template_values["lists"]
        ),
        has_links=has_links(template_values),
        has_base=program.has_base,
        root=Code(
            "with_cents(tree(self.response.selector))"
            if program.joins_cents
            else "tree(self.response.selector)"
        ),
        has_next=bool(program.next_page),
    )
    exported_files: dict[str, str | bytes] = {f"{stem}_page.py": page_file}
    has_next = bool(program.next_page)
    for number, reading in enumerate(readings, 1):
        folder = f"fixtures/{stem}_page.{page_class}/test-{number}"
        for name, content in fixture_files(
            reading, page_url, row_fields, has_next
        ).items():
            exported_files[f"{folder}/{name}"] = content
    findings = [*renaming_warnings(row_fields), *encoding_warnings(subject, "web-poet")]
    if not readings:
        findings.append(lost("", "no sample was found, so there are no fixtures"))
    return Exported(exported_files, tuple(findings))


def has_links(view: dict[str, Any]) -> bool:
    """Return whether the records of a generated file have a field of links.

    `view` has the values that were filled into the template of the file.
    """
    return any("url" in page_list["parameters"] for page_list in view["lists"])


def import_statement(module: Code, program: Program, view: dict[str, Any]) -> Code:
    """Return the statement by which a web-poet file imports names of a generated file.

    `view` has the values that were filled into the template of the generated file.
    """
    imported_names = {"EXPECTED", "Record", "tree", "xpath"}
    for page_list in view["lists"]:
        imported_names |= {page_list["records"], page_list["function"]}
        if page_list["is_shown"]:
            imported_names.add("is_shown")
    if program.has_base and has_links(view):
        imported_names.add("base")
    if program.joins_cents:
        imported_names.add("with_cents")
    if program.next_page:
        imported_names.add("next_page")
    statement = f"from {module} import {', '.join(sorted(imported_names))}"
    if len(statement) > LINE:
        import_lines = "".join(f"{INDENT}{name},\n" for name in sorted(imported_names))
        statement = f"from {module} import (\n{import_lines})"
    return Code(statement)


def fixture_files(
    reading: SampleReading, url: str, row_fields: tuple[Field, ...], has_next: bool
) -> dict[str, str | bytes]:
    """Return the files of a web-poet fixture, by path: a page and the expected item.

    `url` is the address of the page if `reading` has none. If `has_next`, the expected
    item has the address of the next page.
    """
    expected_records = [
        {str(row_field.name): record[row_field.key] for row_field in row_fields}
        for record in reading.records
    ]
    expected_output: dict[str, Any] = {"records": expected_records}
    if has_next:
        expected_output["next_page"] = reading.next_page
    response_info = {
        "url": reading.url or url,
        "status": 200,
        "headers": [],
        "_encoding": true_encoding(reading.body) or None,
        "type": "HttpResponse",
    }
    adapter = "web_poet.testing.itemadapter.WebPoetTestItemAdapter"
    return {
        "inputs/HttpResponse-body.html": reading.body,
        "inputs/HttpResponse-info.json": _json_text(response_info),
        "output.json": _json_text(expected_output),
        "meta.json": _json_text({"adapter": adapter}),
    }


def _json_text(data: object) -> str:
    """Return JSON in the layout that web-poet writes."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, indent=2)


WEB_POET = ExportTarget(
    "web-poet", "a page object with rows and fixtures", web_poet_page
)
