"""Run many hostile pages through every command, and publish how often commands fail.

    python benchmarks/hostile.py [-n 20000] [-j 2] [--first NUMBER] [--write]

Each page is generated from a number, by tests/hostile. The numbers begin with
`--first`. `--write` puts the table into docs/reliability.md. The exit code is 1 if a
command failed on any page. To run one page again: PYTHONPATH=tests python -m
hostile.campaign NUMBER
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

HEADER = ("family", "kinds", "cases", "wrappers made", "failed", "slowest step (s)")
"""The head of the table."""


def main() -> None:
    """Run hostile pages through all commands, and publish how often commands fail.

    Print the pages on which a command failed, and exit with 1 if there are any.
    """
    options = command_line(__doc__, "-j", "--write", n=20_000, first=0).parse_args()
    reports = []
    for report in campaign(kinds(options.n, options.first), options.j):
        reports.append(report)
        if report.outcome.failures:
            print(report, flush=True)
    publish({"hostile pages": table(HEADER, rows(reports))}, RELIABILITY, options.write)
    sys.exit(any(report.outcome.failures for report in reports))


def rows(reports: Sequence[Report]) -> Iterator[Sequence[str]]:
    """Yield a table row for each family (group of kinds) of hostile pages, and for all
    pages.
    """
    kind_counts = {name: len(family_kinds) for name, family_kinds in FAMILIES.items()}
    for name, kind_count in {**kind_counts, "all": sum(kind_counts.values())}.items():
        outcomes = [
            report.outcome for report in reports if name in (report.family, "all")
        ]
        yield (
            name,
            str(kind_count),
            str(len(outcomes)),
            str(sum(outcome.is_learned for outcome in outcomes)),
            str(sum(bool(outcome.failures) for outcome in outcomes)),
            f"{max((one.slowest for one in outcomes), default=0):.1f}",
        )


if __name__ == "__main__":
    main()
