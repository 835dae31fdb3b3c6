"""What is written of a page: its records, or a dead letter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from amber_wrap.engine.interpret import Row
from amber_wrap.runtime.reader import PageReading
from amber_wrap.runtime.supervisor import PageOutcome
from amber_wrap.runtime.worker import Failure

DEAD_FIELDS: Final = ("stage", "error", "message", "sha256", "url")
"""What a dead letter says of a page, besides its id."""


def rows_of(outcome: PageOutcome) -> Iterator[Row]:
    """The records of a page, with its id, and the wrapper where there are several."""
    if isinstance(outcome.reading, PageReading):
        origin: Row = {"_page": outcome.id}
        if outcome.wrapper:
            origin["_wrapper"] = outcome.wrapper
        for row in outcome.reading.rows:
            yield {**row, **origin}


def dead_letter(outcome: PageOutcome, failure: Failure) -> Row:
    """What is known of a page that failed."""
    return {
        "_page": outcome.id,
        "stage": failure.stage,
        "error": failure.kind,
        "message": failure.message,
        "sha256": outcome.sha256,
        "url": outcome.url,
    }
