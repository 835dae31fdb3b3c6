"""Run this project's extraction rules and its checks on pages, to be measured.

The rules run as a generated file of Python code or in `amber-wrap apply`, there with or
without fallback expressions.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import lru_cache
from types import ModuleType

from corpus import built

from amber_wrap.codegen.build import Built, import_file
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.output_rows import normal_form_of, to_rows
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.tasks import loaded_domain
from amber_wrap.maintenance.annotator_check import check_with_annotators
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper
from examples import Row, Rows

AREA = "_area"
"""The key in a record for the name of its list.

All other keys are attribute types, such as "price".
"""


@dataclass(frozen=True, slots=True)
class OwnWrapper:
    """A wrapper (set of rules for records) that runs as `amber-wrap apply` does."""

    wrapper: Wrapper

    def __call__(self, body: bytes) -> Rows:
        """Return the records of a page, with each value as it is displayed."""
        rows = to_rows(self.wrapper, page_of(body), raw=True)
        return [{key: row[key] for key in row if key != AREA} for row in rows]


@dataclass(frozen=True, slots=True)
class CheckedWrapper(OwnWrapper):
    """A wrapper that also checks pages."""

    domain: Domain

    def report(self, body: bytes) -> tuple[str, str, list[str]]:
        """Return "", the status that `amber-wrap check` gives a page, and the
        conditions that fail.

        The first text is always "". A generated file returns the result of its own
        check there.
        """
        report = check_with_annotators(self.wrapper, page_of(body), self.domain)
        failed = [f"{it['clause']} {it['field']}".strip() for it in report["failed"]]
        return "", report["status"], failed


@dataclass(frozen=True, slots=True)
class GeneratedFile(CheckedWrapper):
    """A file of Python code that was generated from a wrapper.

    `displayed` are the records of the sample page as displayed, and `typed` are the
    records that the file returns for the sample page.
    """

    file: ModuleType
    displayed: Rows
    typed: Rows

    def __call__(self, body: bytes) -> Rows:
        """Return the records of a page, each value as JSON."""
        return typed_rows(self.wrapper, self.file, body)

    def expected(self, rows: Rows) -> Rows:
        """Return the records that the file should return for a page.

        `rows` are the page's records as displayed. A value that is displayed as on the
        sample page should be returned as on the sample page. Other values are converted
        by the rules of the wrapper.
        """
        first_values = dict(self.wrapper.firsts)
        normal_forms = {
            name: normal_form_of(kind, first_values.get(name))
            for name, kind in self.wrapper.fields
        }

        def typed_value(
            name: str, text: str | None, shown: Row, typed: Row
        ) -> str | None:
            if text is None or text == shown.get(name):
                return typed[name] if text else None
            value = normal_forms[name](text, text, "")[0]
            return None if value is None else json.dumps(value)

        return [
            {name: typed_value(name, row.get(name), shown, typed) for name in typed}
            for shown, typed, row in zip(self.displayed, self.typed, rows, strict=True)
        ]

    def report(self, body: bytes) -> tuple[str, str, list[str]]:
        """Return the results of two checks of a page.

        The first text is the result of the file's own check, "OK" or "WRONG". The
        others are the status of `amber-wrap check`, and the conditions that fail.
        """
        _, status, failed = CheckedWrapper.report(self, body)
        return "WRONG" if self.file.check(body) else "OK", status, failed


def typed_rows(wrapper: Wrapper, file: ModuleType, body: bytes) -> Rows:
    """Return the records that a generated file returns for a page, each value as
    JSON."""
    names = [name for name, _ in wrapper.fields if name in file.Record.__annotations__]
    return [
        {name: None if row[name] is None else json.dumps(row[name]) for name in names}
        for row in file.extract(body)
    ]


page_of = lru_cache(maxsize=1)(parse)
"""Return the parsed page. The last page is cached, because many systems read it in
turn.
"""


@lru_cache(maxsize=2)
def built_from(body: bytes, domain: str) -> Built | None:
    """Return the file generated from a page in a given domain, with its wrapper.

    Return None if no wrapper can be made.
    """
    try:
        return built(Source("sample", body), domain)
    except AmberError:
        return None


def generated_file(body: bytes, gold: GoldPage) -> GeneratedFile | None:
    """Return the file generated from a page, or None if no wrapper can be made.

    Of the known records `gold`, only the domain is used.
    """
    checked = with_fallbacks(body, gold)
    if checked is None:
        return None
    file = import_file(built_from(body, gold.domain).source)
    typed = typed_rows(checked.wrapper, file, body)
    displayed = [
        {name: row.get(name) for name in typed_row}
        for row, typed_row in zip(checked(body), typed, strict=True)
    ]
    return GeneratedFile(checked.wrapper, checked.domain, file, displayed, typed)


def with_fallbacks(body: bytes, gold: GoldPage) -> CheckedWrapper | None:
    """Return the wrapper made from a page, to run as in `amber-wrap apply` and to check
    pages.

    Return None if no wrapper can be made.
    """
    built_file = built_from(body, gold.domain)
    domain = loaded_domain(gold.domain)
    return built_file and CheckedWrapper(built_file.stored.wrapper, domain)


def without_fallbacks(body: bytes, gold: GoldPage) -> OwnWrapper | None:
    """Return the wrapper made from a page, with only the first expression for each
    field.

    Return None if no wrapper can be made.
    """
    checked = with_fallbacks(body, gold)
    if checked is None:
        return None
    areas = (replace(area, followed={}) for area in checked.wrapper.areas)
    return OwnWrapper(replace(checked.wrapper, areas=tuple(areas)))
