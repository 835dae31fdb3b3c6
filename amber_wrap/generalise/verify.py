"""The verifier: what a wrapper does on its samples against what the typing says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from lxml import etree

from amber_wrap.analysis.typing import ExtractionTyping
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.embedded.patterns import compose
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.wrapper.interpret import interpret
from amber_wrap.wrapper.ir import Wrapper


def check_expressions(wrapper: Wrapper) -> None:
    """Try every expression and pattern; raises WrapperError for one that fails."""
    expressions = [
        *wrapper.frame,
        *(area.witness for area in wrapper.areas if area.witness),
        *(one.root for area in wrapper.areas for one in area.places),
        *(one.record for area in wrapper.areas for one in area.places),
        *(
            locator.xpath
            for area in wrapper.areas
            for rule in area.fields
            for reading in rule.readings
            for locator in reading.locators
        ),
    ]
    page = parse(b"<body></body>")
    for expression in expressions:
        try:
            page.select(expression)
        except (etree.XPathError, ValueError) as error:
            raise WrapperError(f"the XPath {expression!r} is wrong: {error}") from error
    patterns = dict(wrapper.patterns)
    for name in patterns:
        try:
            re.compile(compose(name, patterns))
        except re.error as error:
            raise WrapperError(f"the pattern {name!r} is wrong: {error}") from error


def verify(
    wrapper: Wrapper, page: Page, typing: ExtractionTyping, name: str
) -> Iterator[Diagnostic]:
    """Each difference between the wrapper's records on a sample and the typing's.

    `name` names the sample in the findings.
    """
    extracted = {record.rows[0]: record for record in interpret(wrapper, page)}
    typed = {
        record.start: attributes
        for area in typing.areas
        for record, attributes in zip(area.records, area.attributes, strict=True)
    }
    missed, extra = typed.keys() - extracted.keys(), extracted.keys() - typed.keys()
    if missed:
        yield _finding("record-missed", f"{len(missed)} typed records not found", name)
    if extra:
        yield _finding("record-extra", f"{len(extra)} records beyond the typing", name)

    differences: Counter[tuple[str, str]] = Counter()
    for start in typed.keys() & extracted.keys():
        wanted = {a.type: a.text for a in typed[start] if a.text is not None}
        given = {n: value.text for n, value in extracted[start].values.items()}
        for field in wanted.keys() | given.keys():
            if field not in given:
                differences[field, "missing"] += 1
            elif field not in wanted:
                differences[field, "beyond the typing"] += 1
            elif wanted[field] != given[field]:
                differences[field, "different"] += 1
    for (field, what), count in sorted(differences.items()):
        yield _finding("field-differs", f"{field}: {count} values {what}", name)


def _finding(code: str, message: str, name: str) -> Diagnostic:
    return Diagnostic(
        "warning", code, f"the wrapper on its own sample: {message}", name
    )
