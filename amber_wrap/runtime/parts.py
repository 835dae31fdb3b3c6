"""Records as Parquet: a folder of numbered files, each whole or not there."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from amber_wrap.errors import FileError
from amber_wrap.runtime.arrays import Columns
from amber_wrap.runtime.extras import library
from amber_wrap.runtime.outputs import (
    Row,
    Sink,
    refuse_existing,
    sync_folder,
    writing,
)

GROUP: Final = 10_000
"""Records of a row group: what is in memory before it is written."""

MERGED: Final = 1_000_000
"""Records of a file that parts are merged into."""

_PART: Final = re.compile(r"part-(\d{6,})(?:-(\d{6,}))?\.parquet")
_UNFINISHED: Final = ".part"


class PartSink(Sink):
    """A folder with a file for what is between two flushes.

    A Parquet file can't be read before its end is written, nor can it be cut: hence
    several.  Readers take the folder for one table, in the columns of `arrays.Columns`.
    At the end they are merged: a file of parts 0 to 9, which its name says, is in the
    place of those, also where a kill left some of them behind.
    """

    def __init__(
        self,
        path: str,
        columns: Sequence[str],
        position: int | None = None,
        numbers: Collection[str] = (),
    ) -> None:
        """A new folder; or one with `position` parts to keep, and none behind them."""
        self._path = path
        self._folder = Path(path)
        self._arrow: Any = library("pyarrow", "parquet", path)
        self._parquet: Any = library("pyarrow.parquet", "parquet", path)
        self._columns = Columns(columns, numbers, path)
        self._rows: list[Row] = []
        self._writer: Any = None
        with writing(path):
            if position is None:
                refuse_existing(path)
                self._folder.mkdir()
                sync_folder(self._folder.parent)
            else:
                self._cut(position)
        self._parts = position or 0

    def write(self, rows: Iterable[Row]) -> None:
        """Add records; a row group is written when it is full."""
        for row in rows:
            self._rows.append(row)
            if len(self._rows) == GROUP:
                self._write_group()

    def flush(self) -> None:
        """End the part, if there is something in it."""
        if self._rows:
            self._write_group()
        if self._writer is None:
            return
        with writing(self._path):
            self._writer.close()
            self._writer = None
            self._publish(range(self._parts, self._parts + 1))
        self._parts += 1

    def position(self) -> int:
        """The parts that there are."""
        return self._parts

    def close(self) -> None:
        """End the last part."""
        self.flush()

    def end(self) -> None:
        """Merge the parts into few files."""
        with writing(self._path):
            run: list[range] = []
            records = 0
            for part in self._found():
                size = self._parquet.read_metadata(self._file(part)).num_rows
                if records + size > MERGED:
                    self._merge(run)
                    run, records = [], 0
                run.append(part)
                records += size
            self._merge(run)

    def _merge(self, run: Sequence[range]) -> None:
        """Make one file of several parts."""
        if len(run) < 2:
            return
        with self._new_file() as merged:
            for group in self._groups(run):
                merged.write_table(group)
        self._publish(range(run[0].start, run[-1].stop))
        for part in run:
            os.unlink(self._file(part))

    def _groups(self, run: Sequence[range]) -> Iterator[Any]:
        """The records of parts, so many at a time as make a row group."""
        batches: list[Any] = []
        for part in run:
            with self._parquet.ParquetFile(self._file(part)) as file:
                for batch in file.iter_batches(GROUP):
                    batches.append(batch)
                    if sum(map(len, batches)) >= GROUP:
                        yield self._arrow.Table.from_batches(batches)
                        batches = []
        if batches:
            yield self._arrow.Table.from_batches(batches)

    def _write_group(self) -> None:
        table = self._arrow.Table.from_arrays(
            self._columns.arrays(self._rows), schema=self._columns.schema
        )
        self._rows.clear()
        with writing(self._path):
            self._writer = self._writer or self._new_file()
            self._writer.write_table(table)

    def _new_file(self) -> Any:
        # Readers of folders pass over names that start with a dot.
        unfinished = self._folder / _UNFINISHED
        return self._parquet.ParquetWriter(unfinished, self._columns.schema)

    def _publish(self, parts: range) -> None:
        """The file that was written holds these parts."""
        unfinished = self._folder / _UNFINISHED
        with open(unfinished, "rb") as file:
            os.fsync(file.fileno())
        os.replace(unfinished, self._file(parts))
        sync_folder(self._folder)

    def _cut(self, position: int) -> None:
        kept, surplus = 0, []
        for part in self._found():
            if part.start == kept and part.stop <= position:
                kept = part.stop
            else:
                surplus.append(part)
        if kept < position:
            raise FileError(
                f"{self._path} lacks some of the {position:,} parts that were written: "
                "it can't be resumed"
            )
        for part in surplus:
            os.unlink(self._file(part))
        (self._folder / _UNFINISHED).unlink(missing_ok=True)

    def _found(self) -> list[range]:
        """The parts of each file in order, of those that begin alike the most first."""
        matches = filter(None, map(_PART.fullmatch, os.listdir(self._folder)))
        parts = [range(int(one[1]), int(one[2] or one[1]) + 1) for one in matches]
        return sorted(parts, key=lambda part: (part.start, -part.stop))

    def _file(self, parts: range) -> Path:
        last = f"-{parts[-1]:06}" if len(parts) > 1 else ""
        return self._folder / f"part-{parts.start:06}{last}.parquet"
