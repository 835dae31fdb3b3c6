"""Records as Parquet: a folder of numbered files, each whole or not there."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from amber_wrap.domain.normal_form import Value
from amber_wrap.errors import FileError
from amber_wrap.runtime.extras import library
from amber_wrap.runtime.outputs import (
    Row,
    Sink,
    as_text,
    cell,
    refuse_existing,
    sync_folder,
    writing,
)

GROUP: Final = 10_000
"""Records of a row group: what is in memory before it is written."""

_PART: Final = re.compile(r"part-(\d{6,})\.parquet")
_UNFINISHED: Final = ".part"


@dataclass(frozen=True, slots=True)
class _Column:
    """A column, the field that it is of, and what it holds of a value."""

    name: str
    field: str
    type: Any
    read: Callable[[Value], Value]


class PartSink(Sink):
    """A folder with a file for what is between two flushes.

    A Parquet file can't be read before its end is written, nor can it be cut: hence
    several.  Readers take the folder for one table.  Columns are texts, those in
    `numbers` doubles, null where a record has no value.  A number may be displayed as
    what is none, a range: that is in a column `<name>_as_text` behind its own.
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
        self._columns = list(_columns(columns, numbers, self._arrow))
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
        table = self._arrow.table(
            {
                column.name: self._arrow.array(
                    [column.read(row.get(column.field)) for row in self._rows],
                    column.type,
                )
                for column in self._columns
            }
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


def _columns(
    fields: Iterable[str], numbers: Collection[str], arrow: Any
) -> Iterator[_Column]:
    for name in fields:
        if name not in numbers:
            yield _Column(name, name, arrow.string(), _text)
            continue
        yield _Column(name, name, arrow.float64(), _number)
        yield _Column(as_text(name), name, arrow.string(), _no_number)


def _part(number: int) -> str:
    return f"part-{number:06}.parquet"


def _text(value: Value) -> str | None:
    if value is None:
        return None
    # As in files of lines: bytes of a name that are no text become an escape.
    return cell(value).encode("utf-8", "backslashreplace").decode()


def _number(value: Value) -> float | None:
    return None if isinstance(value, str) else value


def _no_number(value: Value) -> str | None:
    return _text(value) if isinstance(value, str) else None
