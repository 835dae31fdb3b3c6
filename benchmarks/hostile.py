"""Run many hostile pages through every command, and write down what they did.

    python benchmarks/hostile.py [-n 20000] [-j 2] [--first NUMBER] [--write]

The cases are those of tests/hostile, from a number on; with --write the table goes to
docs/reliability.md.  Exit 1 if any case failed: PYTHONPATH=tests python -m
hostile.campaign NUMBER runs it again.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Sequence

from commands import command_line
from corpus import ROOT
from tables import RELIABILITY, publish, table

sys.path.insert(0, str(ROOT / "tests"))

from hostile.campaign import Report, campaign
from hostile.generator import FAMILIES, kinds

TABLE = "hostile pages"
HEADER = ("family", "kinds", "cases", "wrappers made", "failed", "slowest step (s)")


def main() -> None:
    given = command_line(__doc__, "-j", "--write", n=20_000, first=0).parse_args()
    reports = []
    for one in campaign(kinds(given.n, given.first), given.j):
        reports.append(one)
        if one.outcome.failures:
            print(one, flush=True)
    publish({TABLE: table(HEADER, rows(reports))}, RELIABILITY, given.write)
    sys.exit(any(one.outcome.failures for one in reports))


def rows(reports: Iterable[Report]) -> list[Sequence[str]]:
    """A line of the table for each family, and one for all."""
    by_family: dict[str, list[Report]] = defaultdict(list)
    for one in reports:
        by_family[one.family].append(one)
        by_family["all"].append(one)
    number = {name: len(own) for name, own in FAMILIES.items()}
    number["all"] = sum(number.values())
    return [row(name, number[name], by_family[name]) for name in number]


def row(name: str, count: int, reports: Sequence[Report]) -> Sequence[str]:
    """What became of the cases of a family with so many kinds."""
    outcomes = [one.outcome for one in reports]
    return (
        name,
        str(count),
        str(len(outcomes)),
        str(sum(one.is_learned for one in outcomes)),
        str(sum(bool(one.failures) for one in outcomes)),
        f"{max((one.slowest for one in outcomes), default=0):.1f}",
    )


if __name__ == "__main__":
    main()
