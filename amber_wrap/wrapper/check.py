"""Whether a page keeps a wrapper's contract: what `check` of a generated file does."""

from __future__ import annotations

from amber_wrap.dom.page import Page
from amber_wrap.embedded import verdict
from amber_wrap.embedded.contract import Report
from amber_wrap.wrapper.interpret import Patterns
from amber_wrap.wrapper.ir import Wrapper, to_data


def check(wrapper: Wrapper, page: Page) -> Report:
    """The report on a page (`embedded.verdict`)."""
    data = to_data(wrapper)
    return verdict.judge(
        data["areas"],
        data["contract"],
        data["frame"],
        page.root,
        Patterns(dict(wrapper.patterns)),
    )
