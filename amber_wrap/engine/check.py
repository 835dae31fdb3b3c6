"""Check whether a page keeps a wrapper's contract."""

from __future__ import annotations

from amber_wrap.dom.page import Page
from amber_wrap.engine.contract import ContractReport
from amber_wrap.engine.drift_check import drift_report
from amber_wrap.engine.interpret import PatternCache
from amber_wrap.wrapper.ir import Wrapper


def check_page(wrapper: Wrapper, page: Page) -> ContractReport:
    """Return the report on whether a page keeps the contract of a wrapper.

    The diagnostics from parsing the page are notes in the report.
    """
    patterns = PatternCache(dict(wrapper.patterns))
    report = drift_report(wrapper, page.root, patterns, page.ending)
    report["notes"] += [str(one) for one in page.diagnostics]
    return report
