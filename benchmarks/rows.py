"""Measure how many rows of result pages are found as records.

    python benchmarks/rows.py [--courts] [--filter TEXT] [-j N] [--misses]

The folders `rows` and `courts` of the corpus have pages of large sites and of courts,
with their rows as lists of cells. Extraction rules are made from one page of each site,
and run on all pages of the site. `score` decides whether a row is found.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from commands import command_line
from corpus import corpus_folder, index
from processes import Run, workers

from amber_wrap.domain.loader import built_in_domains
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import ScoredRow
from amber_wrap.evaluation.tasks import EvaluationTask, Output, Setting, run_task

LEAST_LETTERS, KEY_LETTERS, MOST_LETTERS = 3, 8, 60
"""Limits for the number of letters of a table cell.

A cell with fewer than `LEAST_LETTERS` isn't compared. A cell needs `KEY_LETTERS` to
identify its row. Only the first `MOST_LETTERS` are compared, because pages cut off long
texts.
"""
LABEL_ROWS, LABEL_SHARE = 3, 0.3
"""Limits for a cell to count as a label, because many rows have it.

The first is the least number of such rows, and the second is the least share of all
rows.
"""
GOOD = 0.95
"""The least F1 of records on a page that counts as good."""

Cells = Sequence[str]
"""The cells of a row, reduced to letters and digits."""


RowCount = Counter[str]
"""The counts of one or several pages, by name.

`gold` is the number of true rows, `given` that of records, and `right` that of records
that match a row. `cells` is the number of cells in matched rows. `shown` are the cells
that the record's text contains, and `exact` those that equal a value of the record.
`pages` is the number of pages, and `good` that of pages with an F1 of at least `GOOD`.
"""


def f1(count: RowCount) -> float:
    """Return the F1 of records, 0 if there is neither a record nor a row."""
    return 2 * count["right"] / max(1, count["given"] + count["gold"])


def held_figures(count: RowCount) -> dict[str, float]:
    """Return the figures that `ratchet.py` compares with recorded ones.

    They are the F1 of records, the share of cells that records show, the share of cells
    that equal a value, and the share of pages with a good F1.
    """
    figures = {
        "records_f1": f1(count),
        "cells": count["shown"] / max(1, count["cells"]),
        "exact": count["exact"] / max(1, count["cells"]),
        "pages": count["good"] / max(1, count["pages"]),
    }
    return {name: round(value, 4) for name, value in figures.items()}


def score(
    rows: Sequence[Sequence[str]], records: Sequence[ScoredRow]
) -> tuple[RowCount, list[str]]:
    """Return the counts of a page, and a line for each row that no record matches.

    `rows` are the true rows of cells, and `records` are the records that were read. A
    record matches at most one row, of which it must show at least half of the cells. A
    record that shows a second row, too, matches none.
    """
    row_cells = compared_cells(rows)
    pairs_of_records = [list(values_of(record)) for record in records]
    values = [[letters(value) for _, value in pairs] for pairs in pairs_of_records]
    texts = []
    for pairs, own_values in zip(pairs_of_records, values, strict=True):
        named = "".join(letters(f"{name} {value}") for name, value in pairs)
        texts.append(f"{named}\n{''.join(own_values)}")
    record_of_row, merged_rows = match(row_cells, texts)
    count = RowCount(given=len(records), gold=len(row_cells), pages=1)
    missed_rows = []
    for i, row in enumerate(row_cells):
        if i not in record_of_row:
            verdict = "merged" if i in merged_rows else "missed"
            missed_rows.append(f"{verdict}: {' | '.join(row)}")
            continue
        text, own_values = texts[record_of_row[i]], values[record_of_row[i]]
        shown = sum(holds(text, cell) for cell in row)
        exact = sum(any(is_equal(it, cell) for it in own_values) for cell in row)
        count.update(right=1, cells=len(row), shown=shown, exact=exact)
    count["good"] = int(f1(count) >= GOOD)
    return count, missed_rows


def compared_cells(rows: Sequence[Sequence[str]]) -> list[Cells]:
    """Return for each row the cells that are compared, reduced to letters and digits.

    Short cells and labels are left out. A label is a cell that many rows share. A row
    that has only labels keeps them. A row without any cell is left out.
    """
    reduced = (
        [it for it in map(letters, row) if len(it) >= LEAST_LETTERS] for row in rows
    )
    nonempty_rows = [row for row in reduced if row]
    if len(nonempty_rows) <= LABEL_ROWS:
        return list(nonempty_rows)
    row_counts = Counter(cell for row in nonempty_rows for cell in set(row))
    least_count = max(LABEL_ROWS, LABEL_SHARE * len(nonempty_rows))
    return [
        [text for text in row if row_counts[text] < least_count] or row
        for row in nonempty_rows
    ]


def match(
    rows: Sequence[Cells], texts: Sequence[str]
) -> tuple[dict[int, int], set[int]]:
    """Return which record matches each row, and the rows that are merged with another
    row.

    Rows are indices of `rows`. Records are indices of `texts`, the texts of the
    records. A record that shows two rows merges them, and matches neither. A record
    that shows a larger share of a row's cells is matched first.
    """
    keys = keys_by_row(rows)
    pairs, merged = [], set()
    for i, row in enumerate(rows):
        other_keys = keys[:i] + keys[i + 1 :]
        for j, text in enumerate(texts):
            shown_count = sum(holds(text, cell) for cell in row)
            if 2 * shown_count < len(row):
                continue
            if is_merged(text, row, other_keys):
                merged.add(i)
            else:
                distance = abs(i / len(rows) - j / len(texts))
                pairs.append((-shown_count / len(row), distance, i, j))
    record_of_row: dict[int, int] = {}
    taken: set[int] = set()
    for _, _, i, j in sorted(pairs):
        if i not in record_of_row and j not in taken:
            record_of_row[i] = j
            taken.add(j)
    return record_of_row, merged


def keys_by_row(rows: Sequence[Cells]) -> list[Cells]:
    """Return for each row the cells that identify it.

    Such a cell is in no other row, and has at least `KEY_LETTERS` letters.
    """
    row_counts = Counter(cell for row in rows for cell in set(row))
    return [
        [cell for cell in row if row_counts[cell] == 1 and len(cell) >= KEY_LETTERS]
        for row in rows
    ]


def is_merged(text: str, row: Cells, keys_of_others: Sequence[Cells]) -> bool:
    """Return whether the record of a row also shows another row.

    `text` is the text of the record. `row` has the cells of its row. `keys_of_others`
    has for each other row the cells that identify it. The record shows such a row if
    its text has all these cells. Cells that are a part of `row` don't count.
    """
    row_text = "\n".join(row)
    return any(
        keys and all(key in text and key not in row_text for key in keys)
        for keys in keys_of_others
    )


def values_of(record: ScoredRow) -> Iterator[tuple[str, str]]:
    """Yield the names and texts of a record's values.

    Names that begin with "_" are left out.
    """
    for name, value in record.items():
        if value is not None and not name.startswith("_"):
            for item in value if isinstance(value, list) else (value,):
                yield name, str(item)


def letters(text: str) -> str:
    """Return the Latin, Cyrillic and CJK letters and the digits of a text,
    casefolded."""
    normalised = unicodedata.normalize("NFKD", text).casefold()
    return re.sub(r"[^0-9a-z\u0400-\u9fff]+", "", normalised)


def holds(text: str, cell: str) -> bool:
    """Return whether a text contains the first `MOST_LETTERS` letters of a cell."""
    return cell[:MOST_LETTERS] in text


def is_equal(value: str, cell: str) -> bool:
    """Return whether a value equals a cell of a row.

    Of long cells, only the first `MOST_LETTERS` letters are compared.
    """
    if len(cell) < MOST_LETTERS:
        return value == cell
    return value[:MOST_LETTERS] == cell[:MOST_LETTERS]


ROWS, COURTS = "rows", "courts"
"""The names of the two corpora with rows, and of their folders."""
SAMPLE, OTHER = "sample", "other"
"""The roles of a site's pages: the page that a wrapper is made from, and all other
pages.
"""


@dataclass(frozen=True, slots=True)
class RowPage:
    """A page, and its rows as lists of cells."""

    file: Path
    site: str
    role: str
    rows: tuple[tuple[str, ...], ...]


Site = Sequence[RowPage]
"""The pages of a site, the sample page first."""


@dataclass(frozen=True, slots=True)
class RowResult:
    """The result of reading a page.

    It has the counts, the rows that weren't found, and an error message or "" for none.
    """

    page: RowPage
    count: RowCount
    missed: Sequence[str]
    failure: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the records of all sites, print a line for each page, and print the
    totals.

    Return the exit code.
    """
    flags = {"courts": "the lists of courts", "misses": "print rows not found"}
    parser = command_line(__doc__, "--filter", "-j", **flags)
    options = parser.parse_args(arguments)
    sites = read(corpus_folder() / (COURTS if options.courts else ROWS))
    chosen = [site for site in sites if options.filter in site[0].site]
    totals = {SAMPLE: RowCount(), OTHER: RowCount()}
    with workers(options.j) as run:
        for result in measure(chosen, run):
            totals[result.page.role] += result.count
            name = f"{result.page.site}/{result.page.file.name:10}"
            print(f"{name} {count_line(result.count)} {result.failure}")
            for row in result.missed if options.misses else ():
                print(f"    {row[:120]}")
    for role, count in totals.items():
        if count:
            good = f"{count['good']} of {count['pages']} at {GOOD}"
            print(f"{role}: {count_line(count)}, {good}")
    return 0


def count_line(count: RowCount) -> str:
    """Return counts as a line of text."""
    shares, figures = held_figures(count), ("right", "given", "gold")
    counts = " / ".join(f"{count[figure]:4}" for figure in figures)
    cells = f"cells {shares['cells']:.3f} exact {shares['exact']:.3f}"
    return f"{counts}  F1 {f1(count):.3f} {cells}"


def measure(sites: Sequence[Site], run: Run = map) -> Iterator[RowResult]:
    """Yield the result of each page, site by site."""
    for pages, outputs in zip(sites, run(outputs_of, sites), strict=True):
        for page, output in zip(pages, outputs, strict=True):
            if output.failure.startswith("internal error"):
                print(page.file, output.failure, sep="; ", file=sys.stderr)
            yield RowResult(page, *score(page.rows, output.rows), output.failure)


def read(folder: Path) -> list[Site]:
    """Return the sites of a corpus folder."""
    sites: dict[str, list[RowPage]] = defaultdict(list)
    for entry in index(folder):
        rows = tuple(tuple(map(str, row)) for row in entry["rows"])
        file = folder / "pages" / entry["file"]
        sites[entry["site"]].append(RowPage(file, entry["site"], entry["role"], rows))
    return [
        sorted(pages, key=lambda page: page.role != SAMPLE) for pages in sites.values()
    ]


def outputs_of(pages: Site) -> tuple[Output, ...]:
    """Return the records on each page of a site, read by the wrapper of the first
    page.
    """
    targets = tuple(GoldPage(page.site, page.file, "", ()) for page in pages)
    domains = tuple(built_in_domains())
    return run_task(EvaluationTask(targets[0], targets, domains, Setting().strategy))


if __name__ == "__main__":
    sys.exit(main())
