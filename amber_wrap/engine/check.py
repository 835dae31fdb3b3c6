"""Check whether a page keeps a wrapper's contract."""

from __future__ import annotations

from amber_wrap.dom.page import Page
from amber_wrap.engine import drift_check as verdict
from amber_wrap.engine.contract import ContractReport
from amber_wrap.engine.interpret import PatternCache
from amber_wrap.wrapper.ir import Wrapper


def check_page(wrapper: Wrapper, page: Page) -> ContractReport:
    """Return the contract report on a page (`engine.drift_check`); its notes tell what
    of the page wasn't looked at."""
    patterns = PatternCache(dict(wrapper.patterns))
    report = verdict.drift_report(wrapper, page.root, patterns, page.ending)
    report["notes"] += [str(one) for one in page.diagnostics]
    return report
