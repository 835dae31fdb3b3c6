"""Spread work over processes, and show how far it got."""

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
"""A `map`, in this process or over several."""


@contextmanager
def workers(
    number: int, start: Callable[..., None] | None = None, *arguments: Any
) -> Iterator[Run]:
    """Give a `map` over processes, each of which calls `start` first."""
    if number == 1:
        if start:
            start(*arguments)
        yield map
        return
    with ProcessPoolExecutor(number, get_context("fork"), start, arguments) as pool:
        yield pool.map


def progress(found: Iterable[T], name: str, total: int) -> Iterator[T]:
    """Yield the items, while stderr shows how far they got and how long it may take."""
    begin = told = time.monotonic()
    for number, one in enumerate(found, start=1):
        yield one
        now = time.monotonic()
        if now - told > INTERVAL:
            told, left = now, (now - begin) / number * (total - number)
            print(
                f"  {name}: {number} of {total}, {now - begin:.0f} s, "
                f"some {left:.0f} s to go",
                file=sys.stderr,
            )
