"""Pages in Parquet files: a column of HTML, one page a row."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from typing import Any, Final

from amber_wrap.runtime.extras import extra_module
from amber_wrap.runtime.pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    Skip,
    too_large,
    unreadable,
)

ROWS: Final = 100
"""Rows in memory at a time: some 10 MB of usual pages."""


def tabled_pages(
    path: str, options: InputOptions, skip: Skip
) -> Iterator[InputPage | BadInput]:
    """The pages of the column `options.html`, in the order of the file.

    `url` is a page's address, if there is that column.  A column `id` names the pages
    in place of their row numbers if it holds numbers or texts, another in each row.
    What can't be read is one BadInput.  Raises FileError where pyarrow is missing.
    """
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    arrow = extra_module("pyarrow", "parquet", path)
    try:
        with parquet.ParquetFile(path) as table:
            types = {one.name: one.type for one in table.schema_arrow}
            if problem := _problem(options.html, types, arrow.types):
                yield BadInput(path, "unreadable", problem)
                return
            others = {"url", "id"} & types.keys() - {options.html}
            if "id" in others and not _names_rows(table, types["id"]):
                others.remove("id")
            row = 0
            for batch in table.iter_batches(ROWS, columns=[options.html, *others]):
                columns = dict(zip(batch.schema.names, batch.columns, strict=True))
                for i in range(batch.num_rows):
                    name = columns["id"][i].as_py() if "id" in others else row
                    url = columns["url"][i].as_py() if "url" in others else ""
                    ref = PageRef(f"{path}#{name}", path, url=str(url or ""))
                    if not skip(ref):
                        body = columns[options.html][i].as_py()
                        yield _page(ref, body, options)
                    row += 1
    except arrow.ArrowException as error:
        yield BadInput(path, "corrupt", f"the Parquet file is corrupt: {error}")
    except OSError as error:
        if error.errno:
            yield unreadable(error).at(path)
        else:
            yield BadInput(path, "corrupt", f"the Parquet file is corrupt: {error}")


def _problem(column: str, types: dict[str, Any], kinds: Any) -> str:
    """Why no pages can be in a column, "" if they can."""
    if column not in types:
        return (
            f'no column "{column}": name with --html one of {", ".join(sorted(types))}'
        )
    if not _is_any(types[column], kinds, "string", "binary"):
        return (
            f'column "{column}" holds {types[column]}, not HTML: name one with --html'
        )
    return ""


def _is_any(kind: Any, kinds: Any, *names: str) -> bool:
    return any(
        test(kind)
        for name in names
        for size in ("", "large_")
        if (test := getattr(kinds, f"is_{size}{name}", None))
    )


def _names_rows(table: Any, kind: Any) -> bool:
    """Whether a column tells all rows apart."""
    arrow = extra_module("pyarrow", "parquet", "")
    compute = extra_module("pyarrow.compute", "parquet", "")
    if not _is_any(kind, arrow.types, "integer", "string"):
        return False
    names = table.read(columns=["id"]).column("id")
    distinct = compute.count_distinct(names, mode="only_valid").as_py()
    return bool(distinct == table.metadata.num_rows)


def _page(
    ref: PageRef, html: str | bytes | None, options: InputOptions
) -> InputPage | BadInput:
    if html is None:
        return BadInput(ref.id, "missing", "the row holds no page")
    if isinstance(html, str):
        # It is decoded already, whatever the page itself declares: the mark says so.
        html = codecs.BOM_UTF8 + html.encode()
    if len(html) > options.max_page:
        return too_large(options.max_page).at(ref.id)
    return InputPage(ref.id, html, ref.url)


def row_count(path: str) -> int:
    """The number of rows that a Parquet file says it has, 0 for one that is broken."""
    parquet = extra_module("pyarrow.parquet", "parquet", path)
    try:
        return int(parquet.read_metadata(path).num_rows)
    except (OSError, ValueError):
        return 0
