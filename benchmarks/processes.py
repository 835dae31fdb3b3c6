"""Spread work over processes, and print the progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context
from typing import Any, TypeVar

INTERVAL = 10.0
"""Seconds between two lines about the progress of a run."""

T = TypeVar("T")
Run = Callable[..., Iterable[Any]]
"""A function like `map`, which works in this process or in several."""


@contextmanager
def workers(
    count: int, initialise: Callable[..., None] | None = None, *arguments: Any
) -> Iterator[Run]:
    """Yield a function like `map` that works in `count` forked processes, or in this
    process if `count` is 1.

    Each process calls `initialise(*arguments)` first.
    """
    if count == 1:
        if initialise:
            initialise(*arguments)
        yield map
        return
    with ProcessPoolExecutor(count, get_context("fork"), initialise, arguments) as pool:
        yield pool.map


def progress(results: Iterable[T], name: str, total: int) -> Iterator[T]:
    """Yield the results, and print a line about the progress every `INTERVAL` seconds.

    The line goes to stderr. It tells how many of `total` results are done, and how long
    the others may take.
    """
    begin = printed = time.monotonic()
    for done, result in enumerate(results, start=1):
        yield result
        now = time.monotonic()
        if now - printed > INTERVAL:
            printed, spent = now, now - begin
            left = f"some {spent / done * (total - done):.0f} s to go"
            print(
                f"  {name}: {done} of {total}, {spent:.0f} s, {left}", file=sys.stderr
            )
