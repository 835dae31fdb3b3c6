"""Turn records into Arrow columns, for Parquet files and for Spark."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from amber_wrap.domain.normal_form import Value
from amber_wrap.runtime.optional_libraries import extra_module
from amber_wrap.runtime.outputs import cell


@dataclass(frozen=True, slots=True)
class _Column:
    """An output column, which holds the values of one field.

    `type` is the Arrow type of the column.  `read` converts a value of the field to
    that type.
    """

    name: str
    field: str
    type: Any
    read: Callable[[Value], Value]


class ArrayColumns:
    """The Arrow columns of records.

    `types` maps a column to `float` for doubles, or to `list` for lists of texts. All
    other columns have texts. A missing value is null. A single text in a column of
    lists becomes a list with one text.

    A column of doubles is followed by a column `<name>_as_text`. The second column has
    the texts that aren't numbers, such as a range.

    Raise FileError with `path` in its message if pyarrow is missing.
    """

    def __init__(
        self, fields: Iterable[str], types: Mapping[str, type], path: str
    ) -> None:
        self._arrow = extra_module("pyarrow", "parquet", path)
        self._columns = list(_columns(fields, types, self._arrow))

    @property
    def schema(self) -> Any:
        """Return the names and types of the columns, a `pyarrow.Schema`."""
        return self._arrow.schema([(one.name, one.type) for one in self._columns])

    def arrays(self, rows: Sequence[Mapping[str, Value]]) -> list[Any]:
        """Return one `pyarrow.Array` per column, with one entry per record."""
        return [
            self._array(one, [row.get(one.field) for row in rows])
            for one in self._columns
        ]

    def _array(self, column: _Column, values: Sequence[Value]) -> Any:
        # Most values have the column's type already. Lists are always converted, since
        # Arrow would take a text for a list of characters.
        if column.read is not _texts:
            with suppress(self._arrow.ArrowInvalid, TypeError, UnicodeEncodeError):
                return self._arrow.array(values, column.type)
        return self._arrow.array([column.read(one) for one in values], column.type)


def _columns(
    fields: Iterable[str], types: Mapping[str, type], arrow: Any
) -> Iterator[_Column]:
    for name in fields:
        if types.get(name) is list:
            yield _Column(name, name, arrow.list_(arrow.string()), _texts)
        elif types.get(name) is float:
            yield _Column(name, name, arrow.float64(), _number)
            yield _Column(f"{name}_as_text", name, arrow.string(), _no_number)
        else:
            yield _Column(name, name, arrow.string(), _text)


def _text(value: Value) -> str | None:
    return None if value is None else _plain(value)


def _texts(value: Value) -> list[str] | None:
    if value is None:
        return None
    return [_plain(one) for one in (value if isinstance(value, list) else [value])]


def _plain(value: Value) -> str:
    # Invalid bytes of file names become escapes, as in JSON Lines.
    return cell(value).encode("utf-8", "backslashreplace").decode()


def _number(value: Value) -> float | None:
    return float(value) if isinstance(value, float | int) else None


def _no_number(value: Value) -> str | None:
    return _text(value) if isinstance(value, str) else None
