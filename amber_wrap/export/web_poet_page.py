"""Export a page object of web-poet, with fixtures."""

from __future__ import annotations

import json
from typing import Any

from amber_wrap.codegen.python_source import INDENT, LINE, Code, python_literal
from amber_wrap.codegen.render import PatternConstants, TemplateView
from amber_wrap.dom.link_addresses import host_of
from amber_wrap.errors import WrapperError
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
