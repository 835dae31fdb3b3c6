"""The targets by name."""

from __future__ import annotations

from amber_wrap.errors import SelectionError
from amber_wrap.export.feeds import FRESHRSS, RSS_BRIDGE
from amber_wrap.export.schemas import CRAWL4AI, HTML2RSS, SELECTORLIB
from amber_wrap.export.target import Target

ALL = (CRAWL4AI, FRESHRSS, HTML2RSS, RSS_BRIDGE, SELECTORLIB)
TARGETS = {one.name: one for one in ALL}


def target(name: str) -> Target:
    """The target of that name; raises SelectionError."""
    if name not in TARGETS:
        raise SelectionError(f"--to {name}: targets are {', '.join(sorted(TARGETS))}")
    return TARGETS[name]
