"""This project's wrapper of a page and its check: the generated file, and what
`amber-wrap apply` makes of the wrapper, with its ensembles and without."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import ModuleType

from targets import Row, Rows

from amber_wrap.codegen.build import build, run
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.engine.interpret import form_of, to_rows
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.tasks import load
from amber_wrap.maintenance.recognition import check_with_annotators
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper

AREA = "_area"
"""The key of a row that is no attribute type."""


@dataclass(frozen=True, slots=True)
class OwnWrapper:
    """A wrapper at work."""

    wrapper: Wrapper

    def __call__(self, body: bytes) -> Rows:
        """The records of a page, as displayed."""
        rows = to_rows(self.wrapper, page_of(body), raw=True)
        return [{k: v for k, v in row.items() if k != AREA} for row in rows]


@dataclass(frozen=True, slots=True)
class CheckedWrapper(OwnWrapper):
    """A wrapper that also tells what it thinks of a page."""

    domain: Domain

    def report(self, body: bytes) -> tuple[str, str, list[str]]:
        """What it says of a page: nothing by its file alone, the status of `amber-wrap
        check`, and the clauses that fail."""
        report = check_with_annotators(self.wrapper, page_of(body), self.domain)
        failed = [f"{one['clause']} {one['field']}".strip() for one in report["failed"]]
        return "", report["status"], failed


@dataclass(frozen=True, slots=True)
class GeneratedFile(CheckedWrapper):
    """The generated file of a wrapper at work.

    `displayed` are the records of its sample as displayed, `typed` those that the file
    gives of it.
    """

    file: ModuleType
    displayed: Rows
    typed: Rows

    def __call__(self, body: bytes) -> Rows:
        """The records of a page, each value as JSON."""
        return [as_json(row) for row in self.file.extract(body)]

    def expected(self, rows: Rows) -> Rows:
        """What the file should give of a page that displays these records.

        Of what its sample displays, too, that is what it gives there.
        """
        wrapper, keys = self.wrapper, self.file.Record.__annotations__
        firsts = dict(wrapper.firsts)
        found: Rows = []
        for before, given, row in zip(self.displayed, self.typed, rows, strict=True):
            one: Row = dict.fromkeys(keys)
            for name, kind in wrapper.fields:
                names, shown = AttributeType(name, kind).keys, row.get(name)
                if shown is not None and shown != before.get(name):
                    form = form_of(kind, firsts.get(name))(shown, shown, "")
                    changed = as_json(dict(zip(names, form, strict=True)))
                else:
                    changed = given if shown is not None else {}
                one |= {key: changed.get(key) for key in names if key in keys}
            found.append(one)
        return found

    def report(self, body: bytes) -> tuple[str, str, list[str]]:
        """The same with what the file alone says."""
        _, status, failed = CheckedWrapper.report(self, body)
        return "WRONG" if self.file.check(body) else "OK", status, failed


def as_json(row: Mapping[str, object]) -> Row:
    """A record with the JSON of its values."""
    return {k: None if v is None else json.dumps(v) for k, v in row.items()}


page_of = lru_cache(maxsize=1)(parse)
"""The last page: several systems read one after the other."""


@lru_cache(maxsize=2)
def wrapper_of(body: bytes, domain: str) -> Wrapper | None:
    """The wrapper of a page with its domain named, None if there is none."""
    try:
        return compile_wrapper([Source("sample", body)], [load(domain)]).wrapper
    except AmberError:
        return None


def generated_file(body: bytes, gold: GoldPage) -> GeneratedFile | None:
    """The generated file of a page: of the gold the domain alone is known to it."""
    checked = learn(True, body, gold)
    if not isinstance(checked, CheckedWrapper):
        return None
    file = run(build(checked.wrapper, [body], "benchmark").source)
    names = file.Record.__annotations__
    displayed = [
        {name: value for name, value in row.items() if name in names}
        for row in checked(body)
    ]
    typed = [as_json(row) for row in file.extract(body)]
    return GeneratedFile(checked.wrapper, checked.domain, file, displayed, typed)


def learn(ensemble: bool, body: bytes, gold: GoldPage) -> OwnWrapper | None:
    """The wrapper of a page: of the gold the domain alone is known to it."""
    wrapper = wrapper_of(body, gold.domain)
    if wrapper is None:
        return None
    if not ensemble:
        return OwnWrapper(first_only(wrapper))
    return CheckedWrapper(wrapper, load(gold.domain))


def first_only(wrapper: Wrapper) -> Wrapper:
    """The wrapper without its ensembles: the first place and the first readings."""
    areas = (
        replace(
            area,
            places=area.places[:1],
            witness=None,
            contract=None,
            fields=tuple(
                replace(rule, readings=rule.readings[:1]) for rule in area.fields
            ),
        )
        for area in wrapper.areas
    )
    return replace(wrapper, areas=tuple(areas))


first_readings = partial(learn, False)
ensembles = partial(learn, True)
