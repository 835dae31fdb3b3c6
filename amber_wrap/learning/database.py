"""Open, check and copy the SQLite file with the terms learned for a domain.

A domain describes a kind of records, such as cars.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from amber_wrap.errors import LearningError

DATABASE_FILE: Final = "evidence.sqlite"
"""The name of the database's file in the folder of learned lists."""
PATIENCE: Final = 60.0
"""The most seconds that a process waits until others have finished writing."""

DAMAGED: Final = (
    "not an SQLite file, or a damaged one: restore it, or delete it and learn from the "
    "pages again"
)
NOT_WRITABLE: Final = (
    "can't be written: make the file and its folder writable, or copy the domain to a "
    "writable folder"
)
_APPLICATION: Final = 0x414D4252  # "AMBR"
"""The number in a SQLite file that marks it as a database of amber-wrap."""
_VERSION: Final = 1
"""The version of the database's format."""
_SCHEMA: Final = (
    """CREATE TABLE pages (
        sha256 TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        site TEXT NOT NULL,
        time TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE observations (
        page TEXT NOT NULL REFERENCES pages ON DELETE CASCADE,
        type TEXT NOT NULL,
        term TEXT NOT NULL,
        supporting INTEGER NOT NULL CHECK (supporting >= 0),
        opposing INTEGER NOT NULL CHECK (opposing >= 0),
        PRIMARY KEY (page, type, term)
    ) WITHOUT ROWID""",
    """CREATE TABLE listed (
        type TEXT NOT NULL,
        list TEXT NOT NULL CHECK (list IN ('terms', 'rejected')),
        term TEXT NOT NULL,
        held INTEGER NOT NULL,
        intended INTEGER NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (type, list, term)
    ) WITHOUT ROWID""",
    """CREATE TABLE reviewed (
        type TEXT NOT NULL,
        list TEXT NOT NULL CHECK (list IN ('terms', 'rejected')),
        term TEXT NOT NULL,
        kept INTEGER NOT NULL,
        time TEXT NOT NULL,
        PRIMARY KEY (type, list, term)
    ) WITHOUT ROWID""",
    f"PRAGMA application_id = {_APPLICATION}",
    f"PRAGMA user_version = {_VERSION}",
)
"""The SQL statements that create the tables of a new database."""


@contextmanager
def open_database(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to the database in a file, which is created if missing.

    Raise LearningError if the file can't be read or written, is damaged, or isn't of
    this version of amber-wrap.
    """
    with learning_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        connection = _connect(path)
    with closing(connection):
        with learning_errors(path):
            _prepare(connection, path)
        yield connection


@contextmanager
def database_copy(path: Path) -> Iterator[sqlite3.Connection]:
    """Yield a connection to a copy, in memory, of the database in a file.

    Raise LearningError if the file can't be read, is damaged, is being changed, or
    isn't of this version of amber-wrap.
    """
    with closing(_connect(":memory:")) as connection:
        with learning_errors(path):
            if path.exists():
                _copy(path, connection)
            _prepare(connection, path)
        yield connection


@contextmanager
def learning_errors(path: Path) -> Iterator[None]:
    """Raise LearningError for an error of SQLite or the file system in a `with` block.

    The LearningError has a message for users, which names the database file `path`.
    """
    try:
        yield
    except sqlite3.Error as error:
        name = getattr(error, "sqlite_errorname", "")
        message = f"can't be used: {error}"
        if name.startswith(("SQLITE_NOTADB", "SQLITE_CORRUPT")):
            message = DAMAGED
        elif name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            message = (
                f"another process has been writing for {PATIENCE:.0f} s: try again"
            )
        elif name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
            message = NOT_WRITABLE
        raise _error(path, message) from error
    except PermissionError as error:
        raise _error(path, NOT_WRITABLE) from error
    except OSError as error:
        raise _error(path, f"can't be used: {error.strerror}") from error


def _copy(path: Path, target: sqlite3.Connection) -> None:
    """Copy the database in a file into `target`.

    Raise LearningError if other processes changed the database in each of ten attempts.
    """
    log = path.with_name(f"{path.name}-wal")
    for _ in range(10):
        stat_before, is_idle = path.stat(), not log.exists()
        uri_mode = "immutable=1" if is_idle else "mode=ro"
        with closing(_connect(f"{path.resolve().as_uri()}?{uri_mode}")) as source:
            source.backup(target)
        stat_after = path.stat()
        is_changed = log.exists() or stat_before.st_mtime_ns != stat_after.st_mtime_ns
        if not (is_idle and is_changed):
            return
    raise _error(path, "other processes are writing to this file: try again later")


def _connect(path: Path | str) -> sqlite3.Connection:
    """Return a connection to the database in a file, or to ":memory:".

    The SQL function `casefold` is available in statements.
    """
    connection = sqlite3.connect(
        path, timeout=PATIENCE, isolation_level=None, uri=isinstance(path, str)
    )
    connection.create_function("casefold", 1, str.casefold, deterministic=True)
    return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a database is amber-wrap's, and create the tables of a new database.

    Raise LearningError if the database is damaged, belongs to another program, or has a
    newer format.
    """
    connection.execute("PRAGMA foreign_keys = ON")
    # A stored lesson must survive a power failure.
    connection.execute("PRAGMA synchronous = FULL")
    if not _is_ours(connection, path):
        _write_ahead(connection)
        connection.execute("BEGIN IMMEDIATE")
        if not _is_ours(connection, path):
            for statement in _SCHEMA:
                connection.execute(statement)
        connection.execute("COMMIT")
    elif connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise _error(path, DAMAGED)


def _is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Return whether the database has amber-wrap's tables, False if it is empty.

    Raise LearningError if it belongs to another program, or has a newer format.
    """
    # With one statement, no other learner can change the database in between.
    [(application, version, tables)] = connection.execute(
        "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_master) "
        "FROM pragma_application_id, pragma_user_version"
    )
    if application != _APPLICATION and (application or version or tables):
        raise _error(path, "this is the database of another program: move it away")
    if version > _VERSION:
        raise _error(
            path,
            f"a newer version of amber-wrap wrote this (format {version}; this version "
            f"reads {_VERSION}): upgrade amber-wrap",
        )
    return bool(version)


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Switch a database to write-ahead logging.

    Try again for `PATIENCE` seconds if the database is locked, then raise
    sqlite3.OperationalError.
    """
    deadline = monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError:
            if monotonic() > deadline:
                raise
            sleep(0.01)


def _error(path: Path, message: str) -> LearningError:
    """Return the error for a database file, with the end of its path and a message."""
    return LearningError(f"{'/'.join(path.parts[-3:])}: {message}")
