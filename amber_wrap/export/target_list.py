"""List the tools to which the rules for reading a site's pages can be exported."""

from __future__ import annotations

from amber_wrap.errors import SelectionError
from amber_wrap.export.feed_tools import FRESHRSS, RSS_BRIDGE
from amber_wrap.export.pandas_and_pytest import PANDAS, PYTEST
from amber_wrap.export.scrapy_and_web_poet import SCRAPY, SPIDERMON, WEB_POET
from amber_wrap.export.selector_schemas import CRAWL4AI, HTML2RSS, SELECTORLIB
from amber_wrap.export.target import ExportTarget

_ALL: tuple[ExportTarget, ...] = (
    CRAWL4AI,
    FRESHRSS,
    HTML2RSS,
    PANDAS,
    PYTEST,
    RSS_BRIDGE,
    SCRAPY,
    SELECTORLIB,
    SPIDERMON,
    WEB_POET,
)
TARGETS = {target.name: target for target in _ALL}
"""The tools for which files can be exported, by name."""


def target_called(name: str) -> ExportTarget:
    """Return the tool called `name`, for which files can be exported.

    Raise SelectionError if no tool has the name.
    """
    if name not in TARGETS:
        raise SelectionError(f"--to {name}: targets are {', '.join(sorted(TARGETS))}")
    return TARGETS[name]
