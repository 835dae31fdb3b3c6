"""Export a spider for Scrapy, with the class of its items."""

from __future__ import annotations

from amber_wrap.codegen.python_source import assign, python_literal
from amber_wrap.domain.schema import ValueKind
from amber_wrap.export.python import (
    Field,
    are_plain,
    believing,
    class_of,
    module_of,
    record_fields,
    renamed,
    render_export,
    stem_of,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject
from amber_wrap.lowering.program import Program

DETAILS = "details_page"
"""The name of the field that has the link to a record's own page."""


def _make(subject: Subject) -> Exported:
    """Return the file of a Scrapy spider.

    Raise WrapperError if the generated file has no import path.
    """
    module, program = module_of(subject), subject.program
    fields = record_fields(program)
    details = details_of(program, fields)
    stem = stem_of(module)
    spider = render_export(
        "scrapy/spider.py.jinja",
        module=module,
        stem=python_literal(str(stem)),
        item=class_of(module, "Item"),
        spider=class_of(module, "Spider"),
        fields=fields,
        entries=[(python_literal(one.key), one.name) for one in fields],
        is_plain=are_plain(fields),
        start=assign("START", subject.url),
        details=details,
        has_next=bool(program.next_page),
    )
    findings = (*renamed(fields), *believing(subject, "Scrapy"))
    return Exported({f"{stem}_spider.py": spider}, findings)


def details_of(program: Program, fields: tuple[Field, ...]) -> Field | None:
    """Return the field with the link to a record's own page.

    A field called `details_page` is preferred to the first field with links.  Return
    None if no field has links.
    """
    links = {
        column.name
        for one in program.lists
        for column in one.columns
        if column.kind == ValueKind.URL
        and any(read.xpath.endswith("/@href") for read in column.reads)
    }
    by_key = {one.key: one for one in fields if one.key in links}
    return by_key.get(DETAILS) or next(iter(by_key.values()), None)


SCRAPY = ExportTarget("scrapy", "a spider that follows the pages, and its item", _make)
