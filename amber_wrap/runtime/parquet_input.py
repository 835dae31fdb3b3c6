"""Read pages from a column of a Parquet file, one page per row."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterator
from hashlib import blake2b
from typing import Any, Final

from amber_wrap.dom.saved_formats import MAX_PAGE
from amber_wrap.runtime.input_pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    Skip,
    file_size,
    too_large,
    unreadable,
)
from amber_wrap.runtime.optional_libraries import extra_module

READ: Final = 1024 * 1024
"""The number of bytes of a file that are read at a time.

By default, pyarrow reads a whole column.
"""

ROWS: Final = 1_000
"""The number of values of the column `id` that are in memory at a time."""

MOST_EXPANDED: Final = 4 * MAX_PAGE, 500
"""Two limits of a decompressed column chunk: in bytes, and as a multiple of the
compressed chunk.

A chunk beyond both limits is taken for a decompression bomb.
"""


def tabled_pages(
    path: str, options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    """Yield the pages of the column `options.html`, in file order.

    An optional column `url` has the addresses of the pages.  An optional column `id`
    names the pages if its values are distinct numbers or texts.  Otherwise row numbers
    name the pages.  An unreadable part of the file yields one BadInput.  Raise
    FileError if pyarrow is missing.
    """
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    arrow = extra_module("pyarrow", "parquet", path)
    row, size = 0, file_size(path)
    rows = 1
    try:
        with parquet.ParquetFile(path, buffer_size=READ) as table:
            rows = max(1, table.metadata.num_rows)
            types = {one.name: one.type for one in table.schema_arrow}
            if problem := _problem(options.html, types, arrow.types):
                yield BadInput(path, "unreadable", problem, size)
                return
            others = {"url", "id"} & types.keys() - {options.html}
            columns = [options.html, *others]
            if expanded := _expanded(table.metadata, columns):
                yield BadInput(path, "too-large", expanded, size)
                return
            if "id" in others and not _names_rows(path, types["id"]):
                others.remove("id")
            # One row at a time, since a dictionary of a few bytes may expand to many
            # long pages.
            for batch in table.iter_batches(1, columns=[options.html, *others]):
                [values] = _rows(batch)
                url, name = values.get("url"), values.get("id", row)
                address = "" if isinstance(url, UnicodeDecodeError) else str(url or "")
                ref = PageRef(f"{path}#{name}", path, url=address)
                if not skip(ref):
                    yield _page(ref, values[options.html], options)
                row += 1
    except arrow.ArrowException as error:
        yield _corrupt(path, error, size * (rows - row) // rows)
    except OSError as error:
        lost = size * (rows - row) // rows
        if error.errno:
            yield unreadable(error).at(path, lost)
        else:
            yield _corrupt(path, error, lost)


def _corrupt(path: str, error: Exception, lost: int) -> BadInput:
    message = f"the Parquet file is corrupt: {error}"
    return BadInput(path, "corrupt", message, lost)


def _rows(batch: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of a batch as dicts.

    In place of a text that isn't UTF-8, a row has a UnicodeDecodeError.
    """
    for i in range(batch.num_rows):
        row: dict[str, Any] = {}
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                row[name] = column[i].as_py()
            except UnicodeDecodeError as error:
                row[name] = error
        yield row


def _expanded(metadata: Any, columns: Collection[str]) -> str:
    """Return a message if one of the `columns` is too large to decompress, else "".

    `metadata` is the metadata of the Parquet file.
    """
    most, times = MOST_EXPANDED
    for i in range(metadata.num_row_groups):
        group = metadata.row_group(i)
        for j in range(group.num_columns):
            part = group.column(j)
            held, expanded = part.total_compressed_size, part.total_uncompressed_size
            is_bomb = expanded > max(most, times * held)
            if is_bomb and part.path_in_schema in columns:
                name = part.path_in_schema
                return f'column "{name}" expands from {held:,} to {expanded:,} bytes'
    return ""


def _problem(column: str, types: dict[str, Any], kinds: Any) -> str:
    """Return the reason why a column can't contain pages, or "" if the column can.

    `types` maps columns to Arrow types.  `kinds` is the module `pyarrow.types`.
    """
    if column not in types:
        return (
            f'no column "{column}": name one of these with --html: '
            f"{', '.join(sorted(types))}"
        )
    if not _is_any(types[column], kinds, "string", "binary"):
        return (
            f'column "{column}" has type {types[column]}, not HTML: name another with '
            "--html"
        )
    return ""


def _is_any(kind: Any, kinds: Any, *names: str) -> bool:
    return any(
        test(kind)
        for name in names
        for size in ("", "large_")
        if (test := getattr(kinds, f"is_{size}{name}", None))
    )


def _names_rows(path: str, kind: Any) -> bool:
    """Return whether a file's column `id` has only distinct numbers or texts.

    `kind` is the Arrow type of the column.
    """
    arrow = extra_module("pyarrow", "parquet", path)
    compute = extra_module("pyarrow.compute", "parquet", path)
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    if not _is_any(kind, arrow.types, "integer", "string"):
        return False
    seen: set[bytes] = set()
    count = 0
    # A dictionary has a name only once, even a long one that is in all rows.
    with parquet.ParquetFile(path, read_dictionary=["id"], buffer_size=READ) as table:
        for batch in table.iter_batches(ROWS, columns=["id"]):
            names = batch.column(0)
            count += len(names)
            numbers = getattr(names, "indices", names)
            distinct = compute.count_distinct(numbers, mode="only_valid").as_py()
            if distinct < len(names):
                return False
            ids = [row["id"] for row in _rows(batch)]
            if any(isinstance(one, UnicodeDecodeError) for one in ids):
                return False
            seen.update(
                blake2b(str(one).encode(), digest_size=12).digest() for one in ids
            )
            if len(seen) < count:
                return False
    return True


def _page(
    ref: PageRef,
    html: str | bytes | UnicodeDecodeError | None,
    options: InputOptions,
) -> InputPage | BadInput:
    if html is None:
        return BadInput(ref.id, "missing", "the row has no page")
    if isinstance(html, UnicodeDecodeError):
        return BadInput(
            ref.id, "corrupt", "the row is declared as UTF-8, but is not UTF-8"
        )
    if isinstance(html, str):
        # The byte order mark overrides the encoding that the page declares.
        html = codecs.BOM_UTF8 + html.encode()
    if len(html) > options.max_page:
        return too_large(options.max_page).at(ref.id)
    return InputPage(ref.id, html, ref.url)


def row_count(path: str) -> int:
    """Return the number of rows of a Parquet file, as its metadata state.

    Return 0 if the file can't be read.
    """
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    try:
        return int(parquet.read_metadata(path).num_rows)
    except (OSError, ValueError):
        return 0
