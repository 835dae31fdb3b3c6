"""The annotators' clause: whether values are still what their types say.

A column that took another's place may be as filled and shaped as the one before.
"""

from __future__ import annotations

from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.run import annotate, annotators
from amber_wrap.dom.page import Page
from amber_wrap.domain.schema import Domain
from amber_wrap.embedded.contract import Clause, Report, interval
from amber_wrap.embedded.ensemble import find_records
from amber_wrap.generalise.claimants import recognition
from amber_wrap.wrapper.check import check
from amber_wrap.wrapper.interpret import Patterns
from amber_wrap.wrapper.ir import Wrapper, to_data


def check_with_annotators(wrapper: Wrapper, page: Page, domain: Domain) -> Report:
    """The report of `check`, and the clause that annotators can tell of."""
    report = check(wrapper, page)
    failed = unrecognised(wrapper, page, domain) if report["records"] else []
    if not failed:
        return report
    status = "DEGRADED" if report["status"] == "OK" else report["status"]
    return {**report, "status": status, "failed": [*report["failed"], *failed]}


def unrecognised(wrapper: Wrapper, page: Page, domain: Domain) -> list[Clause]:
    """The fields whose values annotators claim less often than on the samples."""
    local = for_locale(domain, locale_of(page))
    claims = annotate(page, local.schema, annotators(local))
    data = to_data(wrapper)
    patterns = Patterns(dict(wrapper.patterns))
    found = find_records(data["areas"], data["contract"], page.root, patterns)
    failed = []
    for area in wrapper.areas:
        low = area.contract.recognised if area.contract else {}
        own = [one for one in found if one.area == area.name]
        for name, (claimed, total, others) in recognition(page, claims, own).items():
            if interval(claimed, total)[1] >= low.get(name, 0.0):
                continue
            message = (
                f"{claimed} of {total} values are known as {name}, on the samples at "
                f"least {low[name]:.0%}"
            )
            if others:
                other, count = others.most_common(1)[0]
                message += f"; {count} are known as {other}"
            failed.append(
                Clause(clause="recognised", area=area.name, field=name, message=message)
            )
    return failed
