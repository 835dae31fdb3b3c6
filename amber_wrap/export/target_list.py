"""List the tools to which the rules for reading a site's pages can be exported."""

from __future__ import annotations

from amber_wrap.errors import SelectionError
from amber_wrap.export.crawl4ai import CRAWL4AI
from amber_wrap.export.freshrss import FRESHRSS
from amber_wrap.export.html2rss import HTML2RSS
from amber_wrap.export.pandas_script import PANDAS
from amber_wrap.export.pytest_guard import PYTEST
from amber_wrap.export.rss_bridge import RSS_BRIDGE
from amber_wrap.export.scrapy_spider import SCRAPY
from amber_wrap.export.selectorlib import SELECTORLIB
from amber_wrap.export.spidermon import SPIDERMON
from amber_wrap.export.target import ExportTarget
from amber_wrap.export.web_poet_page import WEB_POET

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
