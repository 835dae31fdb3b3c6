"""Make lessons, and processes that learn from them until they are killed."""

from __future__ import annotations

import hashlib
import os
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from amber_wrap.domain.learned_lists import LEARNED_FOLDER
from amber_wrap.domain.schema import (
    AttributeType,
    Domain,
    Gazetteer,
    Schema,
    ValueKind,
)
from amber_wrap.learning.list_files import write_intended
from amber_wrap.learning.session import judge_terms
from amber_wrap.learning.store import Store, open_store
from amber_wrap.learning.term_evidence import Lesson, Observation

NOON = datetime(2024, 5, 17, 12, tzinfo=UTC)

DOMAIN = Domain(
    "homes",
    "Homes",
    Schema(
        (
            AttributeType("price", ValueKind.MONEY, regular=True),
            AttributeType("location", ValueKind.TEXT, gazetteers=("places",)),
        ),
        pivots=("price",),
    ),
    gazetteers={"places": Gazetteer("places", ("Oxford",), "people", "facts")},
)


def observed(term: str, supporting: int = 1, opposing: int = 0) -> Observation:
    """Make an observation of a location."""
    return Observation("location", term, supporting, opposing)


def lesson(site: str, page: str, *observations: Observation) -> Lesson:
    """Make the lesson of a page; the name of the page stands in for its bytes."""
    name = f"{site}/{page}"
    digest = hashlib.sha256(name.encode()).hexdigest()
    return Lesson(f"{name}.html", digest, site, tuple(sorted(observations)))


def nth_lesson(learner: int, number: int) -> Lesson:
    """Make a lesson with terms of its own and the terms of the previous lesson."""
    terms = (
        observed(f"Learner {learner} town {one} {letter}", supporting=2)
        for one in (number - 1, number)
        for letter in "abcde"
    )
    return lesson(f"site-{learner}-{number % 2}", str(number), *terms)


def write_lists(store: Store, folder: Path) -> None:
    """Judge the terms by all lessons so far, and write the lists of terms."""
    with store.transaction():
        judge_terms((), DOMAIN, folder, store, NOON)
    write_intended(store, folder, DOMAIN.schema, NOON)


def learn(
    folder: Path, learner: int, numbers: range, acknowledge: Callable[[int], object]
) -> None:
    """Record lessons, and write the lists after every second one."""
    with open_store(folder / LEARNED_FOLDER) as store:
        for number in numbers:
            store.record(nth_lesson(learner, number), NOON)
            acknowledge(number)
            if number % 2:
                write_lists(store, folder)


def fork(work: Callable[[], object]) -> int:
    """Start a process for the work, and return its id.

    The process exits with 0 on success.
    """
    if child := os.fork():
        return child
    try:
        work()
        os._exit(0)
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
        os._exit(1)
