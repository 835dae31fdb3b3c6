"""Run many hostile pages through every command, and write down what they did.

    python benchmarks/hostile.py [-n 20000] [-j 2] [--first NUMBER] [--write]

The cases are those of tests/hostile, from a number on; with --write the table goes to
docs/reliability.md.  Exit 1 if any case failed: PYTHONPATH=tests python -m
hostile.campaign NUMBER runs it again.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

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


def rows(reports: Sequence[Report]) -> Iterator[Sequence[str]]:
    """Yield what became of the cases of each family, and of all."""
    number = {name: len(own) for name, own in FAMILIES.items()}
    for name, count in {**number, "all": sum(number.values())}.items():
        outcomes = [one.outcome for one in reports if name in (one.family, "all")]
        yield (
            *(name, str(count), str(len(outcomes))),
            str(sum(one.is_learned for one in outcomes)),
            str(sum(bool(one.failures) for one in outcomes)),
            f"{max((one.slowest for one in outcomes), default=0):.1f}",
        )


if __name__ == "__main__":
    main()
