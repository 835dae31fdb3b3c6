"""Write records as a folder of Parquet files, which appear only when complete.

Each flush writes a hidden file, and the end of a run merges the hidden files.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from amber_wrap.atomic_write import writing
from amber_wrap.errors import FileError
from amber_wrap.runtime.arrow_columns import ArrowColumns
from amber_wrap.runtime.input_pages import extra_module
from amber_wrap.runtime.outputs import (
    NO_TYPES,
    OutputRow,
    Sink,
    refuse_existing,
    sync_folder,
)

GROUP_RECORDS: Final = 10_000
"""The number of records in a row group.

The records of a row group are kept in memory until the group is written."""

MERGED_RECORDS: Final = 1_000_000
"""The largest number of records in a merged file."""

_VISIBLE_NAME: Final = re.compile(r"part-(\d{6,})(?:-(\d{6,}))?\.parquet")
"""The pattern of a visible file's name. Records are first written to numbered hidden
files, which are then merged into a visible file. The groups of the pattern are the
numbers of the first and the last hidden file. The last number is missing if there was
only one."""

_HIDDEN_NAME: Final = re.compile(r"\.part-(\d{6,})")
"""The pattern of a hidden file's name, whose group is the file's number.

Each flush of the output writes a hidden file.
"""

_UNFINISHED_NAME: Final = ".part"
"""The name of the file that is being written."""


@dataclass(frozen=True, slots=True)
class _File:
    """A Parquet file of a run's output, with the records of one or several flushes."""

    parts: range
    """The numbers, from 0, of the flushes whose records are in the file."""
    path: Path
    is_visible: bool
    """Whether the name doesn't begin with a dot, so that programs read the file."""


class ParquetSink(Sink):
    """An output in the form of a folder of Parquet files.

    Each flush writes a new file, and the end of a run merges the files into few large
    ones.
    """

    def __init__(
        self,
        path: str,
        columns: Sequence[str],
        position: int | None = None,
        types: Mapping[str, type] = NO_TYPES,
    ) -> None:
        """Create the folder at `path` if `position` is None, else reopen it.

        A reopened folder keeps only the files of the first `position` flushes.
        """
        self._path = path
        self._folder = Path(path)
        self._arrow: Any = extra_module("pyarrow", "parquet", path)
        self._parquet: Any = extra_module("pyarrow.parquet", "parquet", path)
        self._columns = ArrowColumns(columns, types, path)
        self._waiting_rows: list[OutputRow] = []
        self._writer: Any = None
        with writing(path):
            if position is None:
                refuse_existing(path)
                self._folder.mkdir()
                sync_folder(self._folder.parent)
            else:
                self._cut(position)
        self._part_count = position or 0

    def write(self, rows: Iterable[OutputRow]) -> None:
        """Add records to the output, and write them in groups of `GROUP_RECORDS`."""
        for row in rows:
            self._waiting_rows.append(row)
            if len(self._waiting_rows) == GROUP_RECORDS:
                self._write_group()

    def flush(self) -> None:
        """Finish the current file, with all records that aren't in a file yet."""
        if self._waiting_rows:
            self._write_group()
        if self._writer is None:
            return
        with writing(self._path):
            self._writer.close()
            self._writer = None
            hidden_path = self._folder / f".part-{self._part_count:06}"
            self._rename(self._folder / _UNFINISHED_NAME, hidden_path)
        self._part_count += 1

    def position(self) -> int:
        """Return the number of files that `flush` wrote. Files from before an
        interruption of the run count, too."""
        return self._part_count

    def close(self) -> None:
        """Write the waiting records, and finish the file that is being written."""
        self.flush()

    def end(self) -> None:
        """Merge the hidden files of single flushes into a few visible files."""
        with writing(self._path):
            hidden_files: list[_File] = []
            record_count = 0
            files = self._files()
            self._check_complete(_in_order(files), self._part_count)
            for file in files:
                if file.is_visible:
                    continue
                file_records = self._parquet.read_metadata(file.path).num_rows
                if record_count + file_records > MERGED_RECORDS:
                    self._merge(hidden_files)
                    hidden_files, record_count = [], 0
                hidden_files.append(file)
                record_count += file_records
            self._merge(hidden_files)

    def _merge(self, hidden_files: Sequence[_File]) -> None:
        """Merge hidden files into a visible file, then remove the hidden files.

        The files are in the order in which their records were flushed.
        """
        if not hidden_files:
            return
        first, last = hidden_files[0].parts[0], hidden_files[-1].parts[-1]
        if first == last:
            visible_path = self._folder / f"part-{first:06}.parquet"
            self._rename(hidden_files[0].path, visible_path)
            return
        with self._new_file() as merged_file:
            for group in self._groups(hidden_files):
                merged_file.write_table(group)
        # The name has the first and the last part: if a killed run doesn't remove the
        # parts, `_in_order` leaves them out.
        visible_path = self._folder / f"part-{first:06}-{last:06}.parquet"
        self._rename(self._folder / _UNFINISHED_NAME, visible_path)
        for file in hidden_files:
            os.unlink(file.path)

    def _groups(self, files: Sequence[_File]) -> Iterator[Any]:
        """Yield the records of files as Arrow tables.

        Each table becomes a row group of the merged file.
        """
        batches: list[Any] = []
        for file in files:
            with self._parquet.ParquetFile(file.path) as table:
                for batch in table.iter_batches(GROUP_RECORDS):
                    batches.append(batch)
                    if sum(map(len, batches)) >= GROUP_RECORDS:
                        yield self._arrow.Table.from_batches(batches)
                        batches = []
        if batches:
            yield self._arrow.Table.from_batches(batches)

    def _write_group(self) -> None:
        """Write the waiting records as a row group of the open Parquet file."""
        table = self._arrow.Table.from_arrays(
            self._columns.arrays(self._waiting_rows), schema=self._columns.schema
        )
        self._waiting_rows.clear()
        with writing(self._path):
            self._writer = self._writer or self._new_file()
            self._writer.write_table(table)

    def _new_file(self) -> Any:
        """Return the `pyarrow.parquet.ParquetWriter` of a new, unfinished file."""
        path = self._folder / _UNFINISHED_NAME
        return self._parquet.ParquetWriter(path, self._columns.schema)

    def _rename(self, old_path: Path, new_path: Path) -> None:
        """Rename `old_path` to `new_path`, after the file is safe on the disk."""
        with open(old_path, "rb") as file:
            os.fsync(file.fileno())
        os.replace(old_path, new_path)
        sync_folder(self._folder)

    def _cut(self, position: int) -> None:
        """Remove the records of all but the first `position` flushes.

        Raise FileError if records of these flushes are missing.
        """
        files = self._files()
        kept_files = _in_order(file for file in files if file.parts.stop <= position)
        self._check_complete(kept_files, position)
        for file in files:
            if file not in kept_files:
                os.unlink(file.path)
        (self._folder / _UNFINISHED_NAME).unlink(missing_ok=True)

    def _check_complete(self, files: Sequence[_File], part_count: int) -> None:
        """Raise FileError if files lack records of the first `part_count` flushes."""
        if sum(len(file.parts) for file in files) < part_count:
            raise FileError(
                f"{self._path} lacks some of the {part_count:,} parts that were "
                "written: the run can't be resumed; start again with --overwrite"
            )

    def _files(self) -> list[_File]:
        """Return the Parquet files in the folder, sorted by their first flush.

        Of files with the same first flush, the file with the most flushes comes first.
        """
        files = []
        for path in self._folder.iterdir():
            visible_name = _VISIBLE_NAME.fullmatch(path.name)
            name = visible_name or _HIDDEN_NAME.fullmatch(path.name)
            if name:
                # Without a last part in its name, a file holds only the first part.
                first, last = int(name[1]), int(name[name.lastindex or 1])
                files.append(_File(range(first, last + 1), path, bool(visible_name)))
        return sorted(files, key=lambda file: (file.parts.start, -file.parts.stop))


def _in_order(files: Iterable[_File]) -> list[_File]:
    """Return the files that follow each other without gaps, from the first flush on.

    Files after a gap, and files that repeat records of an earlier file, are left out.
    """
    files_in_order: list[_File] = []
    next_part = 0
    for file in files:
        if file.parts.start == next_part:
            files_in_order.append(file)
            next_part = file.parts.stop
    return files_in_order
