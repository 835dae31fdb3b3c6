"""Keep learned terms, their pages, and people's changes in a SQLite file.

Several processes may change the file at once.
"""

from __future__ import annotations

import itertools
import re
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Literal

from amber_wrap.errors import LearningError
from amber_wrap.learning.database import (
    DATABASE_FILE,
    database_copy,
    learning_errors,
    open_database,
)
from amber_wrap.learning.term_evidence import Lesson, Observation

ListName = Literal["terms", "rejected"]
"""The name of a word list: "terms" for learned ones, or "rejected"."""
Entry = tuple[str, ListName, str]
"""A line of a word list: the attribute type, "terms" or "rejected", and the term."""

_SHA256: Final = re.compile(r"[0-9a-f]{64}")
"""A pattern of a SHA-256 digest in hexadecimal digits."""


@dataclass(frozen=True, slots=True)
class TermSighting:
    """A page with a term, and the numbers of records that support or oppose the
    term.
    """

    time: str
    """The time when the page was read."""
    site: str
    page: str
    """The name of the page."""
    observation: Observation


@dataclass(frozen=True, slots=True)
class Listing:
    """A line of a word list, and whether the text files have or should have it."""

    entry: Entry
    held: bool
    """Whether the text files had the line when they were last read."""
    intended: bool
    """Whether the text files should have the line."""
    time: str
    """The time when the line was added."""


@dataclass(frozen=True, slots=True)
class TermReview:
    """A person's change of a word list: a line added or deleted.

    `kept` is True for an added line, and False for a deleted line.
    """

    entry: Entry
    kept: bool
    time: str


class Store:
    """The database of the terms learned for a domain, from `open_store` or
    `store_snapshot`.

    All methods raise LearningError if the file can't be read or written.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a `with` block as one transaction: an exception undoes all changes.

        No other process writes during the block.
        """
        self._query("BEGIN IMMEDIATE")
        try:
            yield
            self._query("COMMIT")
        except BaseException:
            if self._connection.in_transaction:
                self._query("ROLLBACK")
            raise

    def record(self, lesson: Lesson, time: datetime) -> None:
        """Store the numbers of records on a page that support or oppose terms.

        Earlier numbers of the page are replaced. Raise LearningError for a name or term
        that can't be stored.
        """
        _check_storable(lesson)
        sha256 = lesson.sha256
        with self.transaction():
            self._query("DELETE FROM pages WHERE sha256 = ?", sha256)
            self._query(
                "INSERT INTO pages VALUES (?, ?, ?, ?)",
                *(sha256, lesson.page, lesson.site, _time_text(time)),
            )
            self._insert(
                "INSERT INTO observations VALUES (?, ?, ?, ?, ?)",
                ((sha256, *astuple(seen)) for seen in lesson.observations),
            )

    def lessons(self) -> tuple[Lesson, ...]:
        """Return the lessons of all pages, sorted by the SHA-256 of the page.

        A lesson has the numbers of records on a page that support or oppose terms.
        """
        rows = self._query(
            "SELECT sha256, name, site, type, term, supporting, opposing "
            "FROM pages LEFT JOIN observations ON page = sha256 "
            "ORDER BY sha256, type, term"
        )
        by_page: dict[tuple[str, str, str], list[Observation]] = {}
        for sha256, name, site, *values in rows:
            observations = by_page.setdefault((name, sha256, site), [])
            if values[0] is not None:
                observations.append(Observation(*values))
        return tuple(Lesson(*page, tuple(seen)) for page, seen in by_page.items())

    def history(self, term: str) -> tuple[TermSighting, ...]:
        """Return the pages with a term, in any casing, in the order in which they were
        read.

        Each item has the numbers of records that support or oppose the term.
        """
        rows = self._query(
            "SELECT time, site, name, type, term, supporting, opposing "
            "FROM observations JOIN pages ON page = sha256 "
            "WHERE casefold(term) = ? ORDER BY time, site, name, type, term",
            term.casefold(),
        )
        return tuple(
            TermSighting(time, site, page, Observation(*values))
            for time, site, page, *values in rows
        )

    def forget(self, site: str) -> None:
        """Forget the pages of a site.

        A person's deletion of a term is forgotten, too, if no other page has the term.
        """
        self._query("DELETE FROM pages WHERE site = ?", site)
        self._query(
            "DELETE FROM reviewed WHERE NOT kept AND NOT EXISTS ("
            "SELECT 1 FROM observations AS seen WHERE seen.type = reviewed.type "
            "AND casefold(seen.term) = casefold(reviewed.term))"
        )

    def is_new(self) -> bool:
        """Return whether the database is empty.

        An empty database has no page, no line of a list, and no change by a person.
        """
        tables = ("pages", "listed", "reviewed")
        return not any(self._query(f"SELECT 1 FROM {name} LIMIT 1") for name in tables)

    def listings(self) -> tuple[Listing, ...]:
        """Return each line of the word lists, and whether the text files have it or
        should have it."""
        rows = self._query("SELECT type, list, term, held, intended, time FROM listed")
        return tuple(
            Listing((kind, list_name, term), bool(held), bool(intended), time)
            for kind, list_name, term, held, intended, time in rows
        )

    def intend(
        self, held: Collection[Entry], intended: Collection[Entry], time: datetime
    ) -> None:
        """Store the lines of the word lists in place of the earlier ones.

        The text files have the lines `held`, and should have the lines `intended`.
        """
        since = {listing.entry: listing.time for listing in self.listings()}
        self._query("DELETE FROM listed")
        self._insert(
            "INSERT INTO listed VALUES (?, ?, ?, ?, ?, ?)",
            (
                (*it, it in held, it in intended, since.get(it, _time_text(time)))
                for it in sorted({*held, *intended})
            ),
        )

    def review(self, entries: Iterable[Entry], kept: bool, time: datetime) -> None:
        """Store the lines that people added to word lists, or deleted from them.

        `kept` is True for added lines, and False for deleted lines.
        """
        self._insert(
            "INSERT OR REPLACE INTO reviewed VALUES (?, ?, ?, ?, ?)",
            ((*line, kept, _time_text(time)) for line in sorted(entries)),
        )

    def reviews(self) -> tuple[TermReview, ...]:
        """Return the lines that people added to word lists, or deleted from them.

        The earliest change comes first.
        """
        rows = self._query(
            "SELECT type, list, term, kept, time FROM reviewed "
            "ORDER BY time, type, term"
        )
        return tuple(
            TermReview((kind, list_name, term), bool(kept), time)
            for kind, list_name, term, kept, time in rows
        )

    def _query(self, statement: str, *values: str) -> list[Any]:
        """Run a statement with its parameters, and return the rows of the result."""
        with learning_errors(self._path):
            return self._connection.execute(statement, values).fetchall()

    def _insert(self, statement: str, rows: Iterable[tuple[object, ...]]) -> None:
        """Run a statement once for each row of parameters."""
        with learning_errors(self._path):
            self._connection.executemany(statement, rows)


@contextmanager
def open_store(folder: Path) -> Iterator[Store]:
    """Yield the database of learned terms in a folder, which is created if missing.

    Raise LearningError if the file can't be read or written, is damaged, or isn't of
    this version of amber-wrap.
    """
    with open_database(folder / DATABASE_FILE) as connection:
        yield Store(connection, folder / DATABASE_FILE)


@contextmanager
def store_snapshot(folder: Path) -> Iterator[Store]:
    """Yield a temporary copy of the database of learned terms in a folder.

    Raise LearningError if the file can't be read, is damaged, is being changed, or
    isn't of this version of amber-wrap.
    """
    with database_copy(folder / DATABASE_FILE) as connection:
        yield Store(connection, folder / DATABASE_FILE)


def is_list_line(term: str) -> bool:
    """Return whether a term can be a line in the text file of a word list.

    It must be printable, with single spaces, and must not start with "#".
    """
    has_usual_spaces = term == " ".join(term.split())
    return term.isprintable() and has_usual_spaces and term[:1] not in ("", "#")


def _check_storable(lesson: Lesson) -> None:
    """Raise LearningError if the results from a page can't be stored."""
    bad_names = [name for name in (lesson.page, lesson.site) if not name.isprintable()]
    terms = [seen.term for seen in lesson.observations]
    for text in (*bad_names, *itertools.filterfalse(is_list_line, terms)):
        raise LearningError(
            f"{lesson.sha256[:12]}: {text[:80]!a} can't be stored: the term is empty, "
            "or has control characters or misplaced spaces"
        )
    if not _SHA256.fullmatch(lesson.sha256):
        raise LearningError(f"{lesson.sha256[:80]!a} is not a SHA-256")


def _time_text(time: datetime) -> str:
    """Return a time as the database stores it: "2024-05-31 12:00:00+00:00"."""
    return time.isoformat(" ", "seconds")
