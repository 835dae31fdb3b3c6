"""Read pages from a column of a Parquet file, one page per row."""

from __future__ import annotations

import codecs
from collections.abc import Collection, Iterator
from hashlib import blake2b
from typing import Any, Final

from amber_wrap.dom.saved_formats import MAX_PAGE
from amber_wrap.runtime.input_pages import (
    BadInput,
    Input,
    InputOptions,
    InputPage,
    PageRef,
    Skip,
    extra_module,
    file_size,
    too_large,
    unreadable,
)

READ_BYTES: Final = 1024 * 1024
"""The number of bytes of a Parquet file that are read at a time.

By default, pyarrow reads a whole column.
"""

ID_BATCH: Final = 1_000
"""The number of values of the column `id` that are in memory at a time.

The values are read to check that they are distinct.
"""

MOST_EXPANDED: Final = 4 * MAX_PAGE, 500
"""Two limits for the size of a decompressed column chunk: in bytes, and as a multiple
of the compressed chunk.

A chunk beyond both limits is taken for a decompression bomb: a small file that would
fill the memory.
"""


def parquet_pages(path: str, options: InputOptions, skip: Skip) -> Iterator[Input]:
    """Yield the pages of a Parquet file, in file order.

    A page for which `skip` returns True is left out. An unreadable part of the file
    yields one BadInput. Raise FileError if pyarrow is missing.
    """
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    arrow = extra_module("pyarrow", "parquet", path)
    rows_read, size = 0, file_size(path)
    row_total = 1
    try:
        with parquet.ParquetFile(path, buffer_size=READ_BYTES) as table:
            row_total = max(1, table.metadata.num_rows)
            types = {column.name: column.type for column in table.schema_arrow}
            if problem := _column_problem(options.html, types, arrow.types):
                yield BadInput(path, "unreadable", problem, size)
                return
            other_columns = {"url", "id"} & types.keys() - {options.html}
            columns = [options.html, *other_columns]
            if bomb := _decompression_bomb(table.metadata, columns):
                yield BadInput(path, "too-large", bomb, size)
                return
            if "id" in other_columns and not _has_distinct_ids(path, types["id"]):
                columns.remove("id")
            # One row at a time, since a dictionary of a few bytes may expand to many
            # long pages.
            for batch in table.iter_batches(1, columns=columns):
                [row] = _rows(batch)
                url, name = row.get("url"), row.get("id", rows_read)
                address = "" if isinstance(url, UnicodeDecodeError) else str(url or "")
                ref = PageRef(f"{path}#{name}", path, url=address)
                if not skip(ref):
                    yield _page_of_row(ref, row[options.html], options)
                rows_read += 1
    except (arrow.ArrowException, OSError) as error:
        lost_bytes = size * (row_total - rows_read) // row_total
        # For a corrupt file, pyarrow may raise an OSError without `errno`.
        if isinstance(error, OSError) and error.errno:
            yield unreadable(error).bad_input(path, lost_bytes)
        else:
            message = f"the Parquet file is corrupt: {error}"
            yield BadInput(path, "corrupt", message, lost_bytes)


def _rows(batch: Any) -> Iterator[dict[str, Any]]:
    """Yield the rows of an Arrow record batch, each as a dict from columns to values.

    The value is a UnicodeDecodeError if a text isn't UTF-8.
    """
    for i in range(batch.num_rows):
        row: dict[str, Any] = {}
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            try:
                row[name] = column[i].as_py()
            except UnicodeDecodeError as error:
                row[name] = error
        yield row


def _decompression_bomb(metadata: Any, columns: Collection[str]) -> str:
    """Return an error message if a column is too large to decompress, else "".

    Only the columns in `columns` are checked.
    """
    most_bytes, most_times = MOST_EXPANDED
    for i in range(metadata.num_row_groups):
        group = metadata.row_group(i)
        for j in range(group.num_columns):
            chunk = group.column(j)
            name = chunk.path_in_schema
            packed = chunk.total_compressed_size
            expanded = chunk.total_uncompressed_size
            if name in columns and expanded > max(most_bytes, most_times * packed):
                return f'column "{name}" expands from {packed:,} to {expanded:,} bytes'
    return ""


def _column_problem(column: str, types: dict[str, Any], type_tests: Any) -> str:
    """Return why a column can't contain pages, or "" if the column can.

    `types` maps columns to Arrow types, and `type_tests` is the module `pyarrow.types`.
    """
    if column not in types:
        names = ", ".join(sorted(types))
        return f'no column "{column}": name one of these with --html: {names}'
    if not _has_type(types[column], type_tests, "string", "binary"):
        problem = f"has type {types[column]}, not HTML"
        return f'column "{column}" {problem}: name another with --html'
    return ""


def _has_type(arrow_type: Any, type_tests: Any, *names: str) -> bool:
    """Return whether an Arrow type is one of the types in `names`, such as "string".

    The large form of a type, such as "large_string", counts as the type.
    """
    tests = [
        getattr(type_tests, f"is_{size}{name}", None)
        for name in names
        for size in ("", "large_")
    ]
    return any(is_of_type(arrow_type) for is_of_type in tests if is_of_type)


def _has_distinct_ids(path: str, arrow_type: Any) -> bool:
    """Return whether a file's column `id` has only distinct numbers or texts.

    `arrow_type` is the type of the column.
    """
    arrow = extra_module("pyarrow", "parquet", path)
    compute = extra_module("pyarrow.compute", "parquet", path)
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    if not _has_type(arrow_type, arrow.types, "integer", "string"):
        return False
    seen_digests: set[bytes] = set()
    rows_read = 0
    # In a dictionary, even a long id that is in all rows is stored only once.
    options = {"read_dictionary": ["id"], "buffer_size": READ_BYTES}
    with parquet.ParquetFile(path, **options) as table:
        for batch in table.iter_batches(ID_BATCH, columns=["id"]):
            column = batch.column(0)
            rows_read += len(column)
            indices = getattr(column, "indices", column)
            distinct = compute.count_distinct(indices, mode="only_valid").as_py()
            if distinct < len(column):
                return False
            ids = [row["id"] for row in _rows(batch)]
            if any(isinstance(id, UnicodeDecodeError) for id in ids):
                return False
            seen_digests |= {
                blake2b(str(id).encode(), digest_size=12).digest() for id in ids
            }
            if len(seen_digests) < rows_read:
                return False
    return True


def _page_of_row(
    ref: PageRef, html: str | bytes | UnicodeDecodeError | None, options: InputOptions
) -> Input:
    """Return the page of a row, or a BadInput if the row has no readable page.

    `html` is the page in the row, or an error if the page isn't UTF-8.
    """
    if html is None:
        return BadInput(ref.id, "missing", "the row has no page")
    if isinstance(html, UnicodeDecodeError):
        message = "the row is declared as UTF-8, but is not UTF-8"
        return BadInput(ref.id, "corrupt", message)
    if isinstance(html, str):
        # The byte order mark overrides the encoding that the page declares.
        html = codecs.BOM_UTF8 + html.encode()
    if len(html) > options.max_page:
        return too_large(options.max_page).bad_input(ref.id)
    return InputPage(ref.id, html, ref.url)


def row_count(path: str) -> int:
    """Return the number of rows that the metadata of a Parquet file states.

    Return 0 if the file can't be read.
    """
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    try:
        return int(parquet.read_metadata(path).num_rows)
    except (OSError, ValueError):
        return 0
