"""Records as Parquet: a folder of numbered files, each whole or not there."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Sequence
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

_PART: Final = re.compile(r"part-(\d{6,})\.parquet")
_UNFINISHED: Final = ".part"


class PartSink(Sink):
    """A folder with a file for what is between two flushes.

    A Parquet file can't be read before its end is written, nor can it be cut: hence
    several.  Readers take the folder for one table, in the columns of `arrays.Columns`.
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
            unfinished = self._folder / _UNFINISHED
            with open(unfinished, "rb") as file:
                os.fsync(file.fileno())
            os.replace(unfinished, self._folder / _part(self._parts))
            sync_folder(self._folder)
        self._parts += 1

    def position(self) -> int:
        """The parts that there are."""
        return self._parts

    def close(self) -> None:
        """End the last part."""
        self.flush()

    def _write_group(self) -> None:
        table = self._arrow.Table.from_arrays(
            self._columns.arrays(self._rows), schema=self._columns.schema
        )
        self._rows.clear()
        with writing(self._path):
            if self._writer is None:
                # Readers of folders pass over names that start with a dot.
                self._writer = self._parquet.ParquetWriter(
                    str(self._folder / _UNFINISHED), table.schema
                )
            self._writer.write_table(table)

    def _cut(self, position: int) -> None:
        numbers = {
            int(match[1])
            for name in os.listdir(self._folder)
            if (match := _PART.fullmatch(name))
        }
        if not numbers.issuperset(range(position)):
            raise FileError(
                f"{self._path} lacks some of the {position:,} parts that were written: "
                "it can't be resumed"
            )
        for number in numbers - set(range(position)):
            os.unlink(self._folder / _part(number))
        (self._folder / _UNFINISHED).unlink(missing_ok=True)


def _part(number: int) -> str:
    return f"part-{number:06}.parquet"
