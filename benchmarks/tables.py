"""The tables of docs/scoreboard.md, and the command line of what makes them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path

from corpus import Run, workers
from ratchet import gold_folder, shown

from amber_wrap.evaluation.counts import Count
from amber_wrap.evaluation.gold import Corpus, read_corpus

SCOREBOARD = Path(__file__).resolve().parent.parent / "docs" / "scoreboard.md"
PERFORMANCE = SCOREBOARD.with_name("performance.md")

Make = Callable[[Corpus, Run, Namespace], Mapping[str, str]]
"""Measures, and gives the tables by name."""


def main(
    make: Make,
    names: Iterable[str],
    parser: ArgumentParser,
    arguments: Sequence[str] | None,
) -> int:
    """Print the tables, or write them into the scoreboard; the exit code.

    `names` are those of the tables that `make` gives.
    """
    parser.add_argument("--write", action="store_true", help="into docs/scoreboard.md")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument(
        "--filter",
        nargs="+",
        default=[""],
        metavar="TEXT",
        help="measure template folders whose name holds one of these, to try things",
    )
    options = parser.parse_args(arguments)
    folder = gold_folder()
    if not folder.is_dir():
        print(f"there is no {shown(folder)}, nothing is measured", file=sys.stderr)
        return 1
    whole = read_corpus(folder)
    pages = tuple(
        page for page in whole.pages if any(one in page.site for one in options.filter)
    )
    if options.write:
        if len(pages) < len(whole.pages):
            parser.error("a part of the corpus is not what the scoreboard shows")
        write(dict.fromkeys(names, ""), to=None)
    with workers(options.j) as run:
        tables = make(Corpus(pages, whole.redesigns), run, options)
    if options.write:
        write(tables, SCOREBOARD)
        print(f"wrote {shown(SCOREBOARD)}")
    else:
        print("\n".join(tables.values()), end="")
    return 0


def write(tables: Mapping[str, str], to: Path | None) -> None:
    """Write tables into the scoreboard as it is now; without `to` merely try it."""
    text = inserted(SCOREBOARD.read_text("utf-8"), tables)
    if to is not None:
        to.write_text(text, "utf-8", newline="\n")


def inserted(text: str, tables: Mapping[str, str]) -> str:
    """A page with new tables between their markers; what else it says stays.

    Raises ValueError where the markers of a table aren't there, once and in order.
    """
    for name, lines in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found or text.count(begin) + text.count(end) != 2:
            raise ValueError(f"the page needs {begin.strip()} and {end}, once each")
        text = f"{before}{begin}\n{lines}\n{end}{after}"
    return text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def share(value: float) -> str:
    """A share as the tables show it."""
    return f"{value:.3f}"


def points(change: float) -> str:
    """A change of a share, in points."""
    return f"{100 * change:+.1f}".replace("+0.0", "0").replace("-0.0", "0")


def measures(count: Count) -> tuple[str, str, str]:
    """Precision, recall and F1; dashes where there is nothing to count."""
    if not count.given and not count.gold:
        return "–", "–", "–"
    return share(count.precision), share(count.recall), share(count.f1)


def of_three(count: Count) -> str:
    """What a count is made of: right / given / in the gold."""
    if not count.given and not count.gold:
        return "–"
    return f"{count.right} / {count.given} / {count.gold}"
