"""Turn the outcome of a page into rows of output: the records, or a "dead letter".

A dead letter is the row that describes a failed page.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from amber_wrap.engine.interpret import Row
from amber_wrap.runtime.reader import PageReading
from amber_wrap.runtime.supervisor import PageOutcome
from amber_wrap.runtime.worker import Failure

DEAD_FIELDS: Final = ("stage", "error", "message", "sha256", "url")
"""The columns of a dead letter, besides the page's id."""


def rows_of(outcome: PageOutcome) -> Iterator[Row]:
    """Yield the records of a page, or nothing for a failed page.

    Each record gets the page's id. If the job has several wrappers, the record also
    gets the name of the wrapper.
    """
    if isinstance(outcome.reading, PageReading):
        origin: Row = {"_page": outcome.id}
        if outcome.wrapper:
            origin["_wrapper"] = outcome.wrapper
        for row in outcome.reading.rows:
            yield {**row, **origin}


def dead_letter(outcome: PageOutcome, failure: Failure) -> Row:
    """Return the dead letter: the row that describes a failed page."""
    return {
        "_page": outcome.id,
        "stage": failure.stage,
        "error": failure.kind,
        "message": failure.message,
        "sha256": outcome.sha256,
        "url": outcome.url,
    }
