"""How many rows of result pages of other sites the records are, no domain named.

    python benchmarks/rows.py [--filter TEXT] [-j N] [--misses]

The corpus' folder `rows` holds pages of 64 large sites with their rows as lists of
cells.  A wrapper is induced from each site's sample page and run on all its pages; a
row is found if a record of its own shows at least half of its cells, and nothing that
tells another row apart.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass
from pathlib import Path

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import built_in_domains
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.score import Row, align
from amber_wrap.evaluation.tasks import load
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.wrapper.interpret import to_rows

SAMPLE, OTHER = "sample", "other"
"""The page of a site that its wrapper is induced from, and those it never saw."""
LEAST_LETTERS, KEY_LETTERS, MOST_LETTERS = 3, 8, 60
"""Letters of a cell that says something, of one that may tell its row apart, and those
that are compared: long texts are cut off here and there."""
GOOD = 0.95
"""The F1 from which on a page counts as right."""


@dataclass(frozen=True, slots=True)
class RowPage:
    """A page, and its rows as lists of cells."""

    file: Path
    site: str
    role: str
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class RowCount:
    """Records and cells of pages; `exact` are cells that are a value of their own."""

    found: int = 0
    given: int = 0
    rows: int = 0
    cells: int = 0
    shown: int = 0
    exact: int = 0
    good: int = 0
    pages: int = 0

    def __add__(self, other: RowCount) -> RowCount:
        pairs = zip(astuple(self), astuple(other), strict=True)
        return RowCount(*(a + b for a, b in pairs))

    @property
    def f1(self) -> float:
        """The F1 of records."""
        return 2 * self.found / max(1, self.given + self.rows)

    def figures(self) -> dict[str, float]:
        """What is held."""
        figures = {
            "records_f1": self.f1,
            "cells": self.shown / max(1, self.cells),
            "exact": self.exact / max(1, self.cells),
            "pages": self.good / max(1, self.pages),
        }
        return {name: round(value, 4) for name, value in figures.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each page, then the totals; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--filter", default="", help="only sites with this in the name")
    parser.add_argument("--misses", action="store_true", help="print rows not found")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    options = parser.parse_args(arguments)
    totals: dict[str, RowCount] = defaultdict(RowCount)
    for page, count, missed, failure in run(rows_folder(), options.filter, options.j):
        totals[page.role] += count
        print(f"{page.site}/{page.file.name:10} {told(count)} {failure}")
        for cells in missed if options.misses else ():
            print(f"    {' | '.join(cells)[:120]}")
    for role, count in totals.items():
        print(f"{role}: {told(count)}, {count.good} of {count.pages} at {GOOD}")
    return 0


def rows_folder() -> Path:
    """Where the pages with rows are, if they are there."""
    default = Path(__file__).resolve().parents[2] / "shared" / "corpus"
    return Path(os.environ.get("AMBER_CORPUS") or default) / "rows"


def told(count: RowCount) -> str:
    """A count as a line."""
    figures = count.figures()
    return (
        f"{count.found:4} / {count.given:4} / {count.rows:4}  F1 {count.f1:.3f} "
        f"cells {figures['cells']:.3f} exact {figures['exact']:.3f}"
    )


def measure(folder: Path, jobs: int) -> dict[str, dict[str, float]]:
    """The figures of the sample pages and of the others."""
    totals: dict[str, RowCount] = defaultdict(RowCount)
    for page, count, _, _ in run(folder, "", jobs):
        totals[page.role] += count
    return {role: totals[role].figures() for role in (SAMPLE, OTHER)}


def run(
    folder: Path, text: str, jobs: int
) -> Iterator[tuple[RowPage, RowCount, list[tuple[str, ...]], str]]:
    """Each page of the sites with `text` in their name, its count, the rows that were
    not found, and what failed."""
    sites = [site for site in read(folder) if text in site[0].site]
    with ProcessPoolExecutor(jobs) as pool:
        for pages, (outputs, failure) in zip(
            sites, pool.map(outputs_of, sites), strict=True
        ):
            for page, rows in zip(pages, outputs, strict=True):
                yield page, *score(page, rows), failure


def read(folder: Path) -> list[list[RowPage]]:
    """The pages of each site, the sample first."""
    sites: dict[str, list[RowPage]] = defaultdict(list)
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        rows = tuple(tuple(map(str, row)) for row in one["rows"])
        file = folder / "pages" / one["file"]
        sites[one["site"]].append(RowPage(file, one["site"], one["role"], rows))
    return [
        sorted(pages, key=lambda page: page.role != SAMPLE) for pages in sites.values()
    ]


def outputs_of(pages: Sequence[RowPage]) -> tuple[list[tuple[Row, ...]], str]:
    """What the wrapper of the first page gives for each, and what failed."""
    sample = Source(str(pages[0].file), pages[0].file.read_bytes())
    try:
        domains = [load(name) for name in built_in_domains()]
        wrapper = compile_wrapper([sample], domains).wrapper
    except AmberError as error:
        return [() for _ in pages], str(error)
    parsed = (parse(page.file.read_bytes()) for page in pages)
    return [tuple(to_rows(wrapper, page, raw=True)) for page in parsed], ""


def score(
    page: RowPage, records: Sequence[Row]
) -> tuple[RowCount, list[tuple[str, ...]]]:
    """A page's count, and the rows that were not found."""
    cells = [
        [one for one in map(letters, row) if len(one) >= LEAST_LETTERS]
        for row in page.rows
    ]
    rows = [(row, shown) for row, shown in zip(cells, page.rows, strict=True) if row]
    values = [[letters(one) for one in shown_by(record)] for record in records]
    texts = ["".join(one) for one in values]
    held = [[sum(holds(text, c) for c in row) for text in texts] for row, _ in rows]
    partner = dict(align(held))
    keys = keys_of([row for row, _ in rows])
    count = RowCount(given=len(records), rows=len(rows), pages=1)
    missed = []
    for i, (row, shown) in enumerate(rows):
        j = partner.get(i)
        if (
            j is None
            or 2 * held[i][j] < len(row)
            or is_merged(texts[j], row, keys[:i] + keys[i + 1 :])
        ):
            missed.append(shown)
            continue
        exact = sum(any(is_equal(one, cell) for one in values[j]) for cell in row)
        count += RowCount(found=1, cells=len(row), shown=held[i][j], exact=exact)
    return count + RowCount(good=int(count.f1 >= GOOD)), missed


def keys_of(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Of each row the cells that no other one has."""
    seen = Counter(cell for row in rows for cell in set(row))
    return [
        [cell for cell in row if seen[cell] == 1 and len(cell) >= KEY_LETTERS]
        for row in rows
    ]


def is_merged(text: str, row: Sequence[str], others: Iterable[Sequence[str]]) -> bool:
    """Whether a record shows all that tells another row apart."""
    own = "\n".join(row)
    return any(
        keys and all(holds(text, key) and not holds(own, key) for key in keys)
        for keys in others
    )


def shown_by(record: Row) -> Iterator[str]:
    """The texts of a record, but for what is told of the record itself."""
    for name, value in record.items():
        if value is not None and not name.startswith("_"):
            yield from map(str, value) if isinstance(value, list) else (str(value),)


def letters(text: str) -> str:
    """A text's Latin, Cyrillic and CJK letters and its digits, in one case."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^0-9a-z\u0400-\u9fff]+", "", plain)


def holds(text: str, cell: str) -> bool:
    """Whether a text shows a cell."""
    return cell[:MOST_LETTERS] in text


def is_equal(value: str, cell: str) -> bool:
    """Whether a value is a cell, as far as both are compared."""
    if len(cell) < MOST_LETTERS:
        return value == cell
    return value[:MOST_LETTERS] == cell[:MOST_LETTERS]


if __name__ == "__main__":
    sys.exit(main())
