"""Convert records to the columns of Arrow tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from amber_wrap.domain.normal_form import Value
from amber_wrap.runtime.input_pages import extra_module
from amber_wrap.runtime.outputs import cell


@dataclass(frozen=True, slots=True)
class _Column:
    """An output column, which holds the values of one field of the records."""

    name: str
    field: str
    type: Any
    """The Arrow type of the column."""
    convert: Callable[[Value], Value]
    """The function that turns a value of the field into a value of the column."""


class ArrowColumns:
    """The Arrow columns of records: texts, lists of texts, and doubles.

    `types` maps the columns of doubles to `float`, and the columns of lists to `list`.
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
        return self._arrow.schema([(it.name, it.type) for it in self._columns])

    def arrays(self, rows: Sequence[Mapping[str, Value]]) -> list[Any]:
        """Return one `pyarrow.Array` per column, with one entry per record."""
        return [
            self._array(column, [row.get(column.field) for row in rows])
            for column in self._columns
        ]

    def _array(self, column: _Column, values: Sequence[Value]) -> Any:
        """Return values of one field as a `pyarrow.Array` of the type of `column`."""
        # Most values have the column's type already. Lists are always converted, since
        # Arrow would take a text for a list of characters.
        if column.convert is not _texts_or_none:
            with suppress(self._arrow.ArrowInvalid, TypeError, UnicodeEncodeError):
                return self._arrow.array(values, column.type)
        converted = [column.convert(value) for value in values]
        return self._arrow.array(converted, column.type)


def _columns(
    fields: Iterable[str], types: Mapping[str, type], arrow: Any
) -> Iterator[_Column]:
    """Yield one or two output columns for each field of the records.

    `types` maps fields of numbers to `float`, and fields of lists to `list`. A field of
    numbers has a second column, `<field>_as_text`, for texts such as a range. `arrow`
    is the module pyarrow.
    """
    for name in fields:
        if types.get(name) is list:
            texts_type = arrow.list_(arrow.string())
            yield _Column(name, name, texts_type, _texts_or_none)
        elif types.get(name) is float:
            yield _Column(name, name, arrow.float64(), _number_or_none)
            yield _Column(f"{name}_as_text", name, arrow.string(), _text_of_string)
        else:
            yield _Column(name, name, arrow.string(), _text_or_none)


def _text_or_none(value: Value) -> str | None:
    """Return a value as a text, or None if the value is None."""
    return None if value is None else _utf8_text(value)


def _texts_or_none(value: Value) -> list[str] | None:
    """Return a value as a list of texts, or None if the value is None.

    A value that isn't a list becomes a list with one text.
    """
    if value is None:
        return None
    items = value if isinstance(value, list) else [value]
    return [_utf8_text(item) for item in items]


def _utf8_text(value: Value) -> str:
    """Return a value as the text of a table cell.

    Characters that UTF-8 can't encode become escapes.
    """
    # Invalid bytes of file names become escapes, as in JSON Lines.
    return cell(value).encode("utf-8", "backslashreplace").decode()


def _number_or_none(value: Value) -> float | None:
    """Return a number as a float.

    Return None for a text and any other value.
    """
    return float(value) if isinstance(value, float | int) else None


def _text_of_string(value: Value) -> str | None:
    """Return a text as UTF-8 text, or None for a number and any other value.

    Characters that UTF-8 can't encode become escapes.
    """
    return _utf8_text(value) if isinstance(value, str) else None
