"""Export a web-poet page object, with a class of its rows, and fixtures of samples."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import urlsplit

from amber_wrap.codegen.python_source import INDENT, LINE, Code, python_literal
from amber_wrap.codegen.render import TemplateView
from amber_wrap.codegen.variable_names import pattern_names
from amber_wrap.errors import WrapperError
from amber_wrap.export.python import (
    TYPES,
    Field,
    SampleReading,
    are_plain,
    believing,
    class_of,
    module_of,
    readings,
    record_fields,
    renamed,
    render_export,
    stem_of,
    true_encoding,
)
from amber_wrap.export.target import Exported, ExportTarget, Subject, lost
from amber_wrap.lowering.program import Program

_TAKEN = TYPES | {"css", "field", "item_cls", "jmespath", "record", "selector"}
_TAKEN |= {"to_item", "xpath"}
"""Names that fields of a row can't have."""


def _make(subject: Subject) -> Exported:
    """Return the page object, and a test fixture for each sample.

    Raise WrapperError if no address of a page is known.  Raise it also if the generated
    file can't be imported, or fails.
    """
    module, program = module_of(subject), subject.program
    fields = record_fields(program, _TAKEN)
    read = readings(subject) if subject.samples and subject.source else ()
    url = subject.url or next((one.url for one in read if one.url), "")
    host = host_of(url)
    stem, page = stem_of(module), class_of(module, "Page")
    view = TemplateView(program, pattern_names(program)).values()
    text = render_export(
        "web-poet/page.py.jinja",
        imports=imports(module, program, view),
        host=python_literal(host),
        item=class_of(module, "Item"),
        row=class_of(module, "Row"),
        results=class_of(module, "Results"),
        page=page,
        fields=[(python_literal(one.key), one) for one in fields],
        is_plain=are_plain(fields),
        lists=view["lists"],
        has_several=any(one["has_several"] for one in view["lists"]),
        has_links=has_links(view),
        has_base=program.has_base,
        has_next=bool(program.next_page),
    )
    files: dict[str, str | bytes] = {f"{stem}_page.py": text}
    for number, one in enumerate(read, 1):
        folder = f"fixtures/{stem}_page.{page}/test-{number}"
        for name, content in fixture(one, url, fields, bool(program.next_page)).items():
            files[f"{folder}/{name}"] = content
    findings = [*renamed(fields), *believing(subject, "web-poet")]
    if not read:
        findings.append(lost("", "no sample was found, so there are no fixtures"))
    return Exported(files, tuple(findings))


def host_of(url: str) -> str:
    """Return the host of an address, without `www.`.

    Raise WrapperError if the address has no host.
    """
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        host = ""
    if not host:
        raise WrapperError(
            "a page object needs the address of a page of its site: name it with "
            "--url https://..."
        )
    return host.removeprefix("www.")


def has_links(view: dict[str, Any]) -> bool:
    """Return whether the records of a generated file have a column of links.

    `view` are the values for the file's template.
    """
    return any("url" in one["parameters"] for one in view["lists"])


def imports(module: Code, program: Program, view: dict[str, Any]) -> Code:
    """Return the import statement for the names that the page object needs."""
    names = {"EXPECTED", "Record", "tree", "xpath"}
    for one in view["lists"]:
        names |= {one["records"], one["function"]}
        names |= {"is_shown"} if one["is_shown"] else set()
    names |= {"base"} if program.has_base and has_links(view) else set()
    names |= {"next_page"} if program.next_page else set()
    line = f"from {module} import {', '.join(sorted(names))}"
    if len(line) > LINE:
        rows = "".join(f"{INDENT}{name},\n" for name in sorted(names))
        line = f"from {module} import (\n{rows})"
    return Code(line)


def fixture(
    reading: SampleReading, url: str, fields: tuple[Field, ...], has_next: bool
) -> dict[str, str | bytes]:
    """Return the files of a web-poet fixture by path: a response and the expected item.

    `url` is used if the address of the sample is unknown.  If `has_next`, the item
    includes the address of the next page.
    """
    records = [
        {str(one.name): record[one.key] for one in fields} for record in reading.records
    ]
    output: dict[str, Any] = {"records": records}
    if has_next:
        output["next_page"] = reading.next_page
    response = {
        "url": reading.url or url,
        "status": 200,
        "headers": [],
        "_encoding": true_encoding(reading.body) or None,
        "type": "HttpResponse",
    }
    adapter = "web_poet.testing.itemadapter.WebPoetTestItemAdapter"
    return {
        "inputs/HttpResponse-body.html": reading.body,
        "inputs/HttpResponse-info.json": _json_text(response),
        "output.json": _json_text(output),
        "meta.json": _json_text({"adapter": adapter}),
    }


def _json_text(data: object) -> str:
    """Return JSON in the layout that web-poet writes."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True, indent=2)


WEB_POET = ExportTarget("web-poet", "a page object with rows and fixtures", _make)
