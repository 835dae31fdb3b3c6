"""Write tables in Markdown, and put them into pages of docs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from corpus import ROOT, shown

from amber_wrap.evaluation.score import Count

SCOREBOARD = ROOT / "docs" / "scoreboard.md"
"""The page of docs about accuracy."""
PERFORMANCE = SCOREBOARD.with_name("performance.md")
"""The page of docs about costs."""
RELIABILITY = SCOREBOARD.with_name("reliability.md")
"""The page of docs about checks and hostile pages."""


def publish(tables: Mapping[str, str], page: Path, write: bool) -> None:
    """Write tables between their markers in a page of docs.

    If `write` is False, print the tables instead. The keys of `tables` are the names in
    the markers.
    """
    if write:
        text = inserted(page.read_text("utf-8"), tables)
        page.write_text(text, "utf-8", newline="\n")
        print(f"wrote {shown(page)}")
    else:
        print("\n".join(tables.values()), end="")


def inserted(text: str, tables: Mapping[str, str]) -> str:
    """Return the text of a page with new tables between their markers.

    The markers are the comments `<!-- NAME -->` and `<!-- /NAME -->`. Raise ValueError
    unless the page has both markers of each table once, in this order.
    """
    for name, new_table in tables.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
        ahead, _, from_table = text.partition(begin)
        _, end_found, behind = from_table.partition(end)
        if not end_found or text.count(begin) + text.count(end) != 2:
            raise ValueError(f"the page needs {begin.strip()} and {end}, once each")
        text = f"{ahead}{begin}\n{new_table}\n{end}{behind}"
    return text


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    table_rows = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in table_rows)


def share(value: float) -> str:
    """Return a share as tables show it: with three digits after the point."""
    return f"{value:.3f}"


def measures(count: Count) -> tuple[str, str, str]:
    """Return precision, recall and F1 as the cells of a table.

    The cells are dashes if nothing was found and nothing is known.
    """
    if not count.given and not count.gold:
        return "–", "–", "–"
    return share(count.precision), share(count.recall), share(count.f1)


def three_counts(count: Count) -> str:
    """Return a count as "right / given / gold", for example "9 / 10 / 12".

    In the example, 10 values were found, 12 are known, and 9 of those found are right.
    The text is a dash if nothing was found and nothing is known.
    """
    if not count.given and not count.gold:
        return "–"
    return f"{count.right} / {count.given} / {count.gold}"


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share of the sorted values lies: for 0.5, the
    median.

    There must be at least one value.
    """
    return values[int(share * (len(values) - 1))]


def points(change: float) -> str:
    """Return a change of a share in percentage points: "+1.5" for 0.015."""
    return f"{100 * change:+.1f}".replace("+0.0", "0").replace("-0.0", "0")
