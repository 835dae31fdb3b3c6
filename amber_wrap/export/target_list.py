"""List the tools that wrappers can be exported to, by name."""

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
"""The export targets, by name."""


def target_called(name: str) -> ExportTarget:
    """Return the export target (the tool to export to) called `name`.

    Raise SelectionError if no target has the name.
    """
    if name not in TARGETS:
        raise SelectionError(f"--to {name}: targets are {', '.join(sorted(TARGETS))}")
    return TARGETS[name]
