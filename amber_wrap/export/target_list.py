"""List the export targets by name."""

from __future__ import annotations

from amber_wrap.errors import SelectionError
from amber_wrap.export.feed_tools import FRESHRSS, RSS_BRIDGE
from amber_wrap.export.pandas_script import PANDAS
from amber_wrap.export.pytest_guard import PYTEST
from amber_wrap.export.scrapy_spider import SCRAPY
from amber_wrap.export.selector_schemas import CRAWL4AI, HTML2RSS, SELECTORLIB
from amber_wrap.export.spidermon_rules import SPIDERMON
from amber_wrap.export.target import ExportTarget
from amber_wrap.export.web_poet_page import WEB_POET

_ALL: tuple[ExportTarget, ...] = (
    *(CRAWL4AI, FRESHRSS, HTML2RSS, PANDAS, PYTEST),
    *(RSS_BRIDGE, SCRAPY, SELECTORLIB, SPIDERMON, WEB_POET),
)
TARGETS = {one.name: one for one in _ALL}


def target(name: str) -> ExportTarget:
    """Return the export target called `name`.

    Raise SelectionError if no target has the name.
    """
    if name not in TARGETS:
        raise SelectionError(f"--to {name}: targets are {', '.join(sorted(TARGETS))}")
    return TARGETS[name]
