"""How many rows of result pages of other sites the records are, domain `listing`.

    python benchmarks/rows.py [CORPUS]

The corpus' `rows` folder holds sample pages of 64 large sites with their rows as lists
of cells.  A wrapper is induced on each page; a row is found if a record of its own
shows at least half of its cells.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from amber_wrap.domain.loader import load_domain
from amber_wrap.errors import AmberError
from amber_wrap.pipeline import Source, compile_wrapper
from amber_wrap.wrapper.interpret import interpret

DOMAIN = "listing"


def main(arguments: list[str]) -> int:
    """Print a line for each site, then the total; the exit code."""
    default = os.environ.get("AMBER_CORPUS", "../shared/corpus")
    folder = Path(arguments[0] if arguments else default) / "rows"
    found = given = wanted = good = 0
    sites = 0
    for site, body, rows in samples(folder):
        shown = records_of(site, body)
        right = matched(shown, rows)
        f1 = 2 * right / max(1, len(shown) + len(rows))
        print(f"{site:28} {right:4} / {len(shown):4} / {len(rows):4}  F1 {f1:.2f}")
        found, given, wanted = found + right, given + len(shown), wanted + len(rows)
        good, sites = good + (f1 >= 0.95), sites + 1
    f1 = 2 * found / max(1, given + wanted)
    print(f"P {found / max(1, given):.3f} R {found / max(1, wanted):.3f} F1 {f1:.3f}")
    print(f"{good} of {sites} sites at .95 or more")
    return 0


def samples(folder: Path) -> Iterator[tuple[str, bytes, list[set[str]]]]:
    """Each site with its sample page and its rows, as sets of cells."""
    for line in (folder / "index.jsonl").read_text("utf-8").splitlines():
        one = json.loads(line)
        if one["role"] == "sample":
            body = (folder / "pages" / one["file"]).read_bytes()
            rows = [{words(cell) for cell in row} - {""} for row in one["rows"]]
            yield one["site"], body, rows


def records_of(site: str, body: bytes) -> list[str]:
    """What the records of a page show."""
    try:
        compilation = compile_wrapper([Source(site, body)], [load_domain(DOMAIN)])
    except AmberError:
        return []
    page = compilation.pages[0]
    return [
        " ".join(words(page.string(row)) for row in record.rows)
        for record in interpret(compilation.wrapper, page)
    ]


def matched(shown: list[str], rows: list[set[str]]) -> int:
    """The number of rows that a record of its own shows half of, at least."""
    free = list(shown)
    right = 0
    for cells in rows:
        for record in free:
            if cells and 2 * sum(cell in record for cell in cells) >= len(cells):
                free.remove(record)
                right += 1
                break
    return right


def words(text: str) -> str:
    """A text's words, in one case."""
    return " ".join(re.findall(r"\w+", str(text).casefold()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
