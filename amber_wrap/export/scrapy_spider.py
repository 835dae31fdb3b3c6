"""Export a Scrapy spider."""

from __future__ import annotations

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.generated_module import (
    Field,
    class_of,
    encoding_warnings,
    have_plain_names,
    module_of,
    record_fields,
    renaming_warnings,
    render_export,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject
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
