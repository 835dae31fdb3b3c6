"""Turn the result of each page into rows of output, and count records and errors.

A result is the records of a page, or the reason for its failure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from typing import Any, Final

from amber_wrap.engine.output_rows import Row
from amber_wrap.runtime.page_reader import Job, PageReading
from amber_wrap.runtime.supervisor import PageOutcome
from amber_wrap.runtime.worker_process import Failure

_MOST_LISTED = 5
"""The most names that a line of a run's summary lists with their counts."""
DEAD_FIELDS: Final = ("stage", "error", "message", "sha256", "url")
"""The columns of a row for a failed page, besides the page's id."""


@dataclass(slots=True)
class Tally:
    """Counts of pages, records, values and errors of a run."""

    pages: int = 0
    """The number of pages, also of earlier, interrupted runs."""
    earlier: int = 0
    """The number of pages that earlier, interrupted runs have done."""
    records: int = 0
    barren: int = 0
    """The number of pages without records."""
    broken: int = 0
    """The number of pages that break a condition of their wrapper, such as a least
    number of records.
    """
    lost: int = 0
    """The size of the unreadable parts of the inputs, in bytes."""
    size: int = 0
    """The size of the inputs in bytes, determined only if some bytes are unreadable,
    else 0.
    """
    filled: Counter[str] = field(default_factory=Counter)
    """The number of records with a value, by field."""
    clauses: Counter[str] = field(default_factory=Counter)
    """The number of pages that break a condition, by the condition's name."""
    errors: Counter[str] = field(default_factory=Counter)
    """The number of failed pages, by the keyword of the error."""
    wrappers: Counter[str] = field(default_factory=Counter)
    """The number of pages, by the wrapper that read them."""
    cuts: Counter[str] = field(default_factory=Counter)
    """The number of truncated pages, by the crawler's reason."""

    def add(self, outcome: PageOutcome) -> None:
        """Count one page, with its records or its error."""
        self.pages += 1
        self.lost += outcome.lost_bytes
        if outcome.truncation:
            self.cuts[outcome.truncation] += 1
        reading = outcome.reading
        if not isinstance(reading, PageReading):
            self.errors[reading.kind] += 1
            return
        self.records += len(reading.rows)
        if not reading.rows:
            self.barren += 1
        if reading.broken:
            self.broken += 1
        self.clauses.update(reading.broken)
        self.wrappers[outcome.wrapper] += 1
        self.filled.update(
            key
            for row in reading.rows
            for key, value in row.items()
            if value is not None
        )

    def __add__(self, other: Tally) -> Tally:
        """Return the sums of the counts of two tallies."""
        names = [counts.name for counts in fields(self)]
        sums = {name: getattr(self, name) + getattr(other, name) for name in names}
        return Tally(**sums)

    @property
    def failed(self) -> int:
        """Return the number of pages that gave an error."""
        return self.errors.total()

    @property
    def share_wrong(self) -> float:
        """Return the share of wrong pages or of unreadable bytes, whichever is greater.

        Shares are from 0 to 1. A page is wrong if it failed or if its records break the
        conditions in its wrapper.
        """
        share_of_pages = (self.failed + self.broken) / max(1, self.pages)
        return max(share_of_pages, self._share_lost)

    @property
    def _share_lost(self) -> float:
        """Return the share (0 to 1) of the inputs' bytes that couldn't be read."""
        return self.lost / max(1, self.lost, self.size)

    def lines(self, job: Job, seconds: float) -> Iterator[str]:
        """Yield the lines of a summary for people: counts, speed and empty fields.

        `seconds` is the duration of the run.
        """
        pages_now = self.pages - self.earlier
        this_run = f", {pages_now:,} in this run," if self.earlier else ""
        speed = f"{pages_now / max(seconds, 1e-9):,.0f} a second"
        yield f"pages     {self.pages:,}{this_run} in {seconds:,.1f} s, {speed}"
        per_page = self.records / max(1, self.pages - self.failed)
        barren = f", {self.barren:,} pages without records" if self.barren else ""
        yield f"records   {self.records:,}, {per_page:.1f} a page{barren}"
        if self.records:
            fill_rates = (
                f"{name} {self.filled[name] / self.records:.1%}"
                for name in job.fields
                if self.filled[name]
            )
            yield f"filled    {', '.join(fill_rates)}"
            if empty_fields := [name for name in job.fields if not self.filled[name]]:
                yield f"empty     {', '.join(empty_fields)}"
        if len(self.wrappers) > 1:
            yield f"wrappers  {_listed(self.wrappers)}"
        if self.broken:
            yield f"contract  {self.broken:,} pages break it: {_listed(self.clauses)}"
        if self.cuts:
            cuts = _listed(self.cuts)
            yield f"cut       {self.cuts.total():,} by the crawler: {cuts}"
        if self.lost:
            share = f"{self._share_lost:.1%} of the inputs"
            yield f"lost      {self.lost:,} bytes that can't be read, {share}"
        if self.errors:
            yield f"errors    {self.failed:,} pages: {_listed(self.errors)}"

    def to_data(self) -> dict[str, Any]:
        """Return the counts as JSON data, which `from_data` turns into a tally."""
        values = {counts.name: getattr(self, counts.name) for counts in fields(self)}
        return {
            name: dict(value) if isinstance(value, Counter) else value
            for name, value in values.items()
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Tally:
        """Return a tally with the counts in `data`, which `to_data` has made.

        If `data` is empty, all counts are 0.
        """
        counts: dict[str, Any] = {
            name: Counter(value) if isinstance(value, dict) else value
            for name, value in data.items()
        }
        return cls(**counts)


def _listed(counts: Counter[str]) -> str:
    """Return the names with the highest counts, such as "crash 3, page 1".

    The text ends with "..." if there are more names.
    """
    most_common = counts.most_common(_MOST_LISTED)
    ellipsis = ", ..." if len(counts) > len(most_common) else ""
    return ", ".join(f"{name} {count:,}" for name, count in most_common) + ellipsis


def rows_of(outcome: PageOutcome) -> Iterator[Row]:
    """Yield the records of a page as rows of output, or nothing for a failed page.

    The key `_page` has the page's id. If there are several wrappers, `_wrapper` has the
    name of the page's wrapper.
    """
    if isinstance(outcome.reading, PageReading):
        origin: Row = {"_page": outcome.id}
        if outcome.wrapper:
            origin["_wrapper"] = outcome.wrapper
        for row in outcome.reading.rows:
            yield {**row, **origin}


def dead_letter(outcome: PageOutcome, failure: Failure) -> Row:
    """Return the row of output that describes why a page failed."""
    return {
        "_page": outcome.id,
        "stage": failure.stage,
        "error": failure.kind,
        "message": failure.message,
        "sha256": outcome.sha256,
        "url": outcome.url,
    }
