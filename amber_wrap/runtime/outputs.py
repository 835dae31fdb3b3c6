"""Write records as JSON Lines, CSV or Parquet, chosen by the file's suffix."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final, Self

from amber_wrap.domain.normal_form import Value, shown_as_one
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN
from amber_wrap.runtime.optional_libraries import extra_module

STDOUT: Final = STDIN
PAGE_COLUMN: Final = "_page"
"""The first column: the id of the page that has the record."""

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS

OutputRow = Mapping[str, Value]
NO_TYPES: Final[Mapping[str, type]] = MappingProxyType({})


class Sink(ABC):
    """A destination of records: a context manager that closes itself.

    All methods raise FileError if the system can't write.
    """

    @abstractmethod
    def write(self, rows: Iterable[OutputRow]) -> None:
        """Add records to the output.

        A crash before the next `flush` may lose the records.
        """

    @abstractmethod
    def flush(self) -> None:
        """Write all added records to the disk, so that they survive a crash."""

    @abstractmethod
    def position(self) -> int:
        """Return the size of the output after the last `flush`.

        Pass the size to `open_sink` to continue the output later.  The unit is bytes
        for JSON Lines and CSV, and parts for Parquet.
        """

    def end(self) -> None:  # noqa: B027
        """Finish the output after the last flush.

        If the process is killed during this call, no record is lost.
        """

    @abstractmethod
    def close(self) -> None:
        """Flush the output, and accept no more records."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CallSink(Sink):
    """A sink that calls a function for each record, and writes nothing."""

    def __init__(self, call: Callable[[OutputRow], None]) -> None:
        self._call = call

    def write(self, rows: Iterable[OutputRow]) -> None:
        """Call the function once per record."""
        for row in rows:
            self._call(row)

    def flush(self) -> None:
        """Do nothing: no record is buffered."""

    def position(self) -> int:
        """Return 0: a run with this sink can't be resumed."""
        return 0

    def close(self) -> None:
        """Do nothing: no file is open."""


def open_sink(
    path: str,
    fields: Sequence[str],
    position: int | None = None,
    types: Mapping[str, type] = NO_TYPES,
) -> Sink:
    """Open and return the output for records at a path.

    The path "-" stands for stdout.  The suffix chooses the format: CSV for `.csv`, a
    folder of Parquet files for `.parquet`, and JSON Lines for any other suffix.  A
    further suffix `.gz` compresses CSV and JSON Lines.  The columns are `_page`, then
    `fields`.  `types` maps a Parquet column to `float` for numbers, or to `list` for
    lists of texts.

    Without `position`, the path must be new.  With `position`, the output of an
    interrupted run is cut at this size (`Sink.position`) and continued.

    Raise FileError in these cases:

    - the path must be new, but exists,
    - the output to continue is a stream, or is smaller than `position`,
    - the system can't open the file,
    - the format is Parquet, and pyarrow is missing.
    """
    columns = (PAGE_COLUMN, *fields)
    if position is not None and is_stream(path):
        raise FileError(f"{path} can't be resumed: name a file with -o")
    if path.lower().endswith(".parquet"):
        from amber_wrap.runtime.parquet_output import PartSink

        return PartSink(path, columns, position, types)
    bare = path.lower().removesuffix(".gz")
    lines = _csv_lines(columns) if bare.endswith(".csv") else _json_lines(columns)
    file = sys.stdout.buffer if path == STDOUT else _opened(path, position)
    if bare != path.lower():
        return _GzipSink(path, file, lines)
    return _LineSink(path, file, lines)


@contextmanager
def writing(path: str) -> Iterator[None]:
    """Turn an OSError of the `with` block into a FileError that names `path`."""
    try:
        yield
    except BrokenPipeError:
        # A program that closes the pipe early is no error: click ends quietly.
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"cannot write {path}: {reason}") from error


def refuse_existing(path: str) -> None:
    """Raise FileError if the output of an earlier run exists."""
    if os.path.lexists(path):
        raise FileError(
            f"{path} already exists: name another output, or overwrite it with "
            "--overwrite"
        )


def check_output(path: str, overwrite: bool) -> None:
    """Raise FileError if `open_sink` would fail to open a path.

    With `overwrite`, the output may exist.  No file is created.
    """
    is_folder = path.lower().endswith(".parquet")
    if is_folder:
        extra_module("pyarrow.parquet", "parquet", path)
    if is_stream(path):
        return
    if not overwrite:
        refuse_existing(path)
    with writing(path):
        if os.path.lexists(path) and os.path.isdir(path) != is_folder:
            raise OSError(
                errno.EEXIST, f"the path is a {'file' if is_folder else 'folder'}"
            )
        folder = Path(path).parent
        folder.stat()
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of files to the disk, if the system can do that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _opened(path: str, position: int | None) -> BinaryIO:
    if position is None and not is_stream(path):
        refuse_existing(path)
    with writing(path):
        new = position is None
        file: BinaryIO = open(path, "wb" if new else "r+b")  # noqa: SIM115
    try:
        with writing(path):
            if position is not None:
                _cut(file, path, position)
            elif not is_stream(path):
                sync_folder(Path(path).parent)
    except FileError:
        file.close()
        raise
    return file


def _cut(file: BinaryIO, path: str, position: int) -> None:
    size = file.seek(0, os.SEEK_END)
    if size < position:
        raise FileError(
            f"{path} has only {size:,} of the {position:,} bytes that were written: "
            "the run can't be resumed"
        )
    file.seek(position)
    file.truncate()


def is_stream(path: str) -> bool:
    """Return whether a path is stdout, a pipe or a device."""
    return path == STDOUT or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


Lines = Callable[[Iterable[OutputRow], bool], str]
"""A function from records to their text in the file.

The second argument says whether the records are the first records of the file.
"""


def _json_lines(columns: Sequence[str]) -> Lines:
    def text(rows: Iterable[OutputRow], first: bool) -> str:
        cells = ({name: row[name] for name in columns if name in row} for row in rows)
        return "".join(f"{json.dumps(one, ensure_ascii=False)}\n" for one in cells)

    return text


def _csv_lines(columns: Sequence[str]) -> Lines:
    def text(rows: Iterable[OutputRow], first: bool) -> str:
        buffer = io.StringIO(newline="")
        table = csv.writer(buffer)
        if first:
            table.writerow(columns)
        table.writerows([cell(row.get(name)) for name in columns] for row in rows)
        return buffer.getvalue()

    return text


def cell(value: Value) -> str:
    """Return a value as the text of a table cell.

    None becomes "".  A number is written as in JSON. A list is joined to one text.  A
    text that a spreadsheet may take for a formula, such as "=1+1", stays unchanged.
    """
    # To escape formulas of spreadsheets would be wrong data for all other readers.
    value = shown_as_one(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


class _LineSink(Sink):
    """A sink that writes lines of text to a file or a stream."""

    def __init__(self, path: str, file: BinaryIO, lines: Lines) -> None:
        self._path = path
        self._file = file
        self._lines = lines
        self._is_file = not is_stream(path)
        self._durable = file.tell() if self._is_file else 0
        self._is_first = self._durable == 0

    def write(self, rows: Iterable[OutputRow]) -> None:
        """Add the records as lines."""
        text = self._lines(rows, self._is_first)
        self._is_first = False
        # File names may have invalid bytes, which become escapes that JSON can read.
        with writing(self._path):
            self._file.write(self._encoded(text.encode("utf-8", "backslashreplace")))

    def flush(self) -> None:
        """Write the buffered lines, and sync a file to the disk."""
        with writing(self._path):
            self._file.write(self._end())
            self._file.flush()
            if self._is_file:
                self._check()
                os.fsync(self._file.fileno())
                self._durable = self._file.tell()

    def _check(self) -> None:
        """Raise FileError if the output file was removed or replaced since it was
        opened.
        """
        try:
            is_there = os.path.samestat(
                os.stat(self._path), os.fstat(self._file.fileno())
            )
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise FileError(
                f"{self._path} was removed or replaced while it was written: its "
                "content is lost; start again with --overwrite"
            )

    def position(self) -> int:
        """Return the number of bytes that are on the disk, or 0 for a stream."""
        return self._durable

    def close(self) -> None:
        """Flush the output, and close the file unless the output is stdout."""
        if self._file.closed:
            return
        try:
            self.flush()
        finally:
            if self._path != STDOUT:
                with writing(self._path):
                    self._file.close()

    def _encoded(self, data: bytes) -> bytes:
        return data

    def _end(self) -> bytes:
        """Return the bytes to write before a flush, so that the file is complete.

        For a gzip file, the bytes end the gzip member.  For plain text, return b"".
        """
        return b""


class _GzipSink(_LineSink):
    """A sink that writes a gzip file, one gzip member per flush.

    The file can be cut after any member, since a gzip file may have any number of
    members.
    """

    _member: zlib._Compress | None = None

    def _encoded(self, data: bytes) -> bytes:
        if self._member is None:
            self._member = zlib.compressobj(wbits=_GZIP_FORMAT)
        return self._member.compress(data)

    def _end(self) -> bytes:
        member, self._member = self._member, None
        return member.flush() if member else b""
