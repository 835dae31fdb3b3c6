"""Measure how long calls take."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from lxml import etree

Clock = Callable[[], float]
"""A function that returns the present time in seconds."""


def timed(call: Callable[[], object], clock: Clock = time.process_time) -> float:
    """Return the seconds that a call takes: CPU time unless another clock is given."""
    start = clock()
    call()
    return clock() - start


def in_turns(
    calls: Mapping[str, Callable[[], object]],
    rounds: int,
    clock: Clock = time.process_time,
) -> dict[str, list[float]]:
    """Return the seconds that each call takes in each round, by the name of the call.

    In a round, all calls take turns, so that a slow phase of the machine affects all of
    them.
    """
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        for name, call in calls.items():
            spent[name].append(timed(call, clock))
    return spent


def bare_parse(body: bytes) -> etree._Element:
    """Return the lxml tree of a page, and do nothing else.

    The time of this call is the unit in which other times are given.
    """
    return etree.fromstring(body, etree.HTMLParser(huge_tree=True))
