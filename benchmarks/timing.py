"""Measure how long calls take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from lxml import etree

Clock = Callable[[], float]


def timed(run: Callable[[], object], clock: Clock = time.process_time) -> float:
    """Return the seconds of a call, of CPU time unless another clock is given."""
    start = clock()
    run()
    return clock() - start


def in_turns(
    ways: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Clock = time.process_time,
) -> dict[str, list[float]]:
    """Return the seconds that each way takes in each round; in a round all take turns.

    A machine that is slow for a while is so for all of them.
    """
    spent: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(rounds):
        for name, run in ways.items():
            spent[name].append(timed(run, clock))
    return spent


def bare_parse(body: bytes) -> etree._Element:
    """Parse a page with lxml and do nothing else: the unit of relative costs."""
    return etree.fromstring(body, etree.HTMLParser(huge_tree=True))
