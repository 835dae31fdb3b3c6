"""Whether a page keeps a wrapper's contract."""

from __future__ import annotations

from amber_wrap.dom.page import Page
from amber_wrap.engine import verdict
from amber_wrap.engine.contract import Report
from amber_wrap.engine.interpret import Patterns
from amber_wrap.wrapper.ir import Wrapper


def check(wrapper: Wrapper, page: Page) -> Report:
    """The report on a page (`engine.verdict`)."""
    patterns = Patterns(dict(wrapper.patterns))
    return verdict.judge(wrapper, page.root, patterns, page.ending)
