"""This project's wrapper of a page, with its ensembles and without, and its check."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache, partial

from targets import Rows

from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import Domain
from amber_wrap.engine.check import check
from amber_wrap.engine.interpret import to_rows
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
        """What it says of a page: the status by its file alone, that of `amber-wrap
        check`, and the clauses that fail."""
        page = page_of(body)
        alone = check(self.wrapper, page)["status"]
        report = check_with_annotators(self.wrapper, page, self.domain)
        failed = [f"{one['clause']} {one['field']}".strip() for one in report["failed"]]
        return alone, report["status"], failed


page_of = lru_cache(maxsize=1)(parse)
"""The last page: several systems read one after the other."""


@lru_cache(maxsize=2)
def wrapper_of(body: bytes, domain: str) -> Wrapper | None:
    """The wrapper of a page with its domain named, None if there is none."""
    try:
        return compile_wrapper([Source("sample", body)], [load(domain)]).wrapper
    except AmberError:
        return None


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
