"""Write records as JSON Lines, CSV or Parquet.

The suffix of the output file chooses the format.
"""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import sys
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from types import MappingProxyType
from typing import BinaryIO, Final, Self

from amber_wrap.atomic_write import writing
from amber_wrap.domain.normal_form import Value, with_joined_items
from amber_wrap.errors import FileError
from amber_wrap.files import STDIN
from amber_wrap.runtime.input_pages import extra_module

STDOUT: Final = STDIN
"""The path "-", which means stdout."""
PAGE_COLUMN: Final = "_page"
"""The name of the first column, which has the id of the record's page."""

_GZIP_FORMAT: Final = 16 + zlib.MAX_WBITS
"""The value of zlib's parameter `wbits` for writing the gzip format."""

OutputRow = Mapping[str, Value]
"""A record, as a mapping from columns to values."""
NO_TYPES: Final[Mapping[str, type]] = MappingProxyType({})
"""The empty mapping of column types, for an output whose columns all have texts."""


class Sink(ABC):
    """A destination that records are written to, closed at the end of a `with` block.

    Methods raise FileError if the system can't write.
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

        The size is a number of bytes for JSON Lines and CSV, and a number of flushed
        files for Parquet. `open_sink` can continue an output from this size.
        """

    def end(self) -> None:  # noqa: B027
        """Finish the output after the last `flush`, when no more records follow."""

    @abstractmethod
    def close(self) -> None:
        """Flush the output, and accept no more records."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class CallSink(Sink):
    """An output that calls a function for each record, and writes nothing."""

    def __init__(self, call: Callable[[OutputRow], None]) -> None:
        self._call = call

    def write(self, rows: Iterable[OutputRow]) -> None:
        """Call the function once for each record."""
        for row in rows:
            self._call(row)

    def flush(self) -> None:
        """Do nothing, since no records are kept."""

    def position(self) -> int:
        """Return 0, since nothing is written and a run can't be resumed."""
        return 0

    def close(self) -> None:
        """Do nothing, since no file is open."""


def open_sink(
    path: str,
    fields: Sequence[str],
    position: int | None = None,
    types: Mapping[str, type] = NO_TYPES,
) -> Sink:
    """Open an output for records, in the format that the suffix of `path` names.

    `fields` are the names of the columns. `types` has the types of columns that don't
    have texts. If `position` is None, the path must be new. Otherwise, an earlier
    output is cut to the size `position` (`Sink.position`), and further records are
    appended. Raise FileError if the output can't be opened.
    """
    columns = (PAGE_COLUMN, *fields)
    if position is not None and is_stream(path):
        raise FileError(f"{path} can't be resumed: name a file with -o")
    if path.lower().endswith(".parquet"):
        from amber_wrap.runtime.parquet_output import ParquetSink

        return ParquetSink(path, columns, position, types)
    is_gzip = path.lower().endswith(".gz")
    is_csv = path.lower().removesuffix(".gz").endswith(".csv")
    to_lines = _csv_lines(columns) if is_csv else _json_lines(columns)
    file = sys.stdout.buffer if path == STDOUT else _opened(path, position)
    return (_GzipSink if is_gzip else _LineSink)(path, file, to_lines)


def refuse_existing(path: str) -> None:
    """Raise FileError if there is an output of an earlier run at `path`."""
    if os.path.lexists(path):
        raise FileError(
            f"{path} already exists: name another output, or overwrite it with "
            "--overwrite"
        )


def check_output(path: str, overwrite: bool) -> None:
    """Raise FileError if `open_sink` would fail to open a path.

    With `overwrite`, the output may exist.
    """
    is_parquet = path.lower().endswith(".parquet")
    if is_parquet:
        extra_module("pyarrow.parquet", "parquet", path)
    if is_stream(path):
        return
    if not overwrite:
        refuse_existing(path)
    with writing(path):
        # The output is a folder for Parquet, and a file for the other formats.
        if os.path.lexists(path) and os.path.isdir(path) != is_parquet:
            kind = "file" if is_parquet else "folder"
            raise OSError(errno.EEXIST, f"the path is a {kind}")
        folder = Path(path).parent
        folder.stat()
        if not os.access(folder, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def sync_folder(folder: Path) -> None:
    """Flush a folder's list of file names to the disk, if the system can do that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def is_still_at(path: str, handle: int) -> bool:
    """Return whether a path still refers to the open file `handle`.

    Return False if the file was removed or replaced.
    """
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))
    except FileNotFoundError:
        return False


def _opened(path: str, position: int | None) -> BinaryIO:
    """Return an output file or stream for writing, cut at `position` bytes.

    Raise FileError if the file is shorter than `position`. If `position` is None, raise
    FileError if the file exists.
    """
    if position is None and not is_stream(path):
        refuse_existing(path)
    with writing(path), ExitStack() as on_failure:
        file: BinaryIO = open(path, "wb" if position is None else "r+b")  # noqa: SIM115
        on_failure.callback(file.close)
        if position is not None:
            size = file.seek(0, os.SEEK_END)
            if size < position:
                raise FileError(
                    f"{path} has only {size:,} of the {position:,} bytes that were "
                    "written: the run can't be resumed"
                )
            file.truncate(file.seek(position))
        elif not is_stream(path):
            sync_folder(Path(path).parent)
        on_failure.pop_all()
    return file


def is_stream(path: str) -> bool:
    """Return whether a path is stdout, a pipe or a device."""
    return path == STDOUT or (
        os.path.exists(path) and not os.path.isfile(path) and not os.path.isdir(path)
    )


ToLines = Callable[[Iterable[OutputRow], bool], str]
"""A function that turns records into lines of text.

The second argument says whether the records are the first records of the file.
"""


def _json_lines(columns: Sequence[str]) -> ToLines:
    """Return a function that turns records into JSON Lines, with the keys in order."""

    def to_lines(rows: Iterable[OutputRow], are_first: bool) -> str:
        ordered = ({name: row[name] for name in columns if name in row} for row in rows)
        return "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in ordered)

    return to_lines


def _csv_lines(columns: Sequence[str]) -> ToLines:
    """Return a function that turns records into CSV text.

    A line of column names precedes the first records of the file.
    """

    def to_lines(rows: Iterable[OutputRow], are_first: bool) -> str:
        buffer = io.StringIO(newline="")
        table = csv.writer(buffer)
        if are_first:
            table.writerow(columns)
        table.writerows([cell(row.get(name)) for name in columns] for row in rows)
        return buffer.getvalue()

    return to_lines


def cell(value: Value) -> str:
    """Return a value as the text of a table cell, "" for None.

    A number is written as in JSON, and the texts of a list are joined.
    """
    # An escaped formula of a spreadsheet would be wrong data for all other readers.
    value = with_joined_items(value)
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


class _LineSink(Sink):
    """A sink that writes lines of text to a file or a stream."""

    def __init__(self, path: str, file: BinaryIO, to_lines: ToLines) -> None:
        self._path = path
        self._file = file
        self._to_lines = to_lines
        self._is_file = not is_stream(path)
        self._flushed_size = file.tell() if self._is_file else 0
        self._is_empty = self._flushed_size == 0

    def write(self, rows: Iterable[OutputRow]) -> None:
        """Add the records as lines of text, which `flush` writes to the file."""
        text = self._to_lines(rows, self._is_empty)
        self._is_empty = False
        # File names may have invalid bytes, which become escapes that JSON can read.
        with writing(self._path):
            self._file.write(self._encoded(text.encode("utf-8", "backslashreplace")))

    def flush(self) -> None:
        """Write the buffered lines, and flush a file to the disk."""
        with writing(self._path):
            self._file.write(self._final_bytes())
            self._file.flush()
            if self._is_file:
                if not is_still_at(self._path, self._file.fileno()):
                    raise FileError(
                        f"{self._path} was removed or replaced while it was written: "
                        "its content is lost; start again with --overwrite"
                    )
                os.fsync(self._file.fileno())
                self._flushed_size = self._file.tell()

    def position(self) -> int:
        """Return the number of bytes that are on the disk, or 0 for a stream."""
        return self._flushed_size

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
        """Return bytes as they are stored in the file, for example compressed."""
        return data

    def _final_bytes(self) -> bytes:
        """Return the bytes that must end the file before a flush, or b"" for none."""
        return b""


class _GzipSink(_LineSink):
    """An output file that is compressed, with one gzip member per flush.

    The file can be cut after any member, since a gzip file may have any number of
    members.
    """

    _compressor: zlib._Compress | None = None
    """The compressor of the current member, None before its first byte."""

    def _encoded(self, data: bytes) -> bytes:
        if self._compressor is None:
            self._compressor = zlib.compressobj(wbits=_GZIP_FORMAT)
        return self._compressor.compress(data)

    def _final_bytes(self) -> bytes:
        compressor, self._compressor = self._compressor, None
        return compressor.flush() if compressor else b""
