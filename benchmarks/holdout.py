"""How much constants are fitted to pages: tuned on one half, tried on the other.

    python benchmarks/holdout.py [--only TEXT ...] [--factors X ...] [--write] [-j N]
                                 [--filter TEXT ...]

The constants of the analysis are tuned again on each half of the template folders by
coordinate descent: one after the other is multiplied by some factors, and what is best
for the half is kept.  What that gains on the half itself and not on the other is fit.
Measured in mode self with the domain named, where `coverage` decides nothing.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pkgutil import resolve_name

import tables
from corpus import HALVES, Run, halves, measure
from ratchet import figures_of
from tables import points, share, table
from variants import Change, Variant, everywhere

from amber_wrap.evaluation.gold import Corpus
from amber_wrap.evaluation.summary import summary_of
from amber_wrap.evaluation.tasks import SELF

CONSTANTS = (
    "analysis.selection.LEAST_RECORDS",
    "analysis.selection.LEAST_ATTRIBUTES",
    "analysis.selection.LEAST_REGULAR",
    "analysis.selection.LEAST_TEXT",
    "analysis.selection.NEARLY_ALL",
    "analysis.selection.MOST_RECORDS",
    "analysis.roles.MOST_AREAS",
    "analysis.strays.LEAST_STRAY",
    "analysis.strays.AS_GOOD",
    "analysis.standing.LEAST_FILL",
    "analysis.standing.HEADLINE_LENGTH",
    "analysis.cuts.LEAST_SHARE",
    "annotate.annotator.COMPOSED_LENGTH",
    "generalise.pool.BEYOND",
)
FACTORS = (0.5, 2.0)
FIGURES = ("records_f1", "attributes_f1", "perfect")
NAMES = ("hold-out",)
MARGIN = 1e-9  # Sums of equal figures may differ in the last bits.

Values = Mapping[str, float]
"""The values of constants."""
Figures = tuple[float, ...]


def main(arguments: Sequence[str] | None = None) -> int:
    """Tune and measure; the exit code."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "--only",
        nargs="+",
        default=[""],
        metavar="TEXT",
        help="tune the constants whose name holds one of these, to try things",
    )
    parser.add_argument(
        "--factors",
        nargs="+",
        type=float,
        default=FACTORS,
        metavar="X",
        help="what a constant is multiplied by (default: 0.5 2)",
    )
    return tables.main(make, NAMES, parser, arguments)


def make(corpus: Corpus, run: Run, options: Namespace) -> dict[str, str]:
    """The table, by its name."""
    half_of = halves(corpus)
    sites = {
        half: frozenset(one for one in half_of if half_of[one] == half)
        for half in HALVES
    }
    now = {
        name: value_of(name)
        for name in CONSTANTS
        if any(text in name for text in options.only)
    }
    tuned = {
        half: tune(corpus, run, sites[half], now, options.factors) for half in HALVES
    }
    found = {
        half: measured(corpus, run, sites[half], [now, *tuned.values()])
        for half in HALVES
    }
    factors = ", ".join(f"{factor:g}" for factor in options.factors)
    told = f"{len(now)} constants, each times {factors}.\n\n"
    return {NAMES[0]: told + comparison(tuned, now, found) + "\n" + choices(tuned, now)}


def value_of(name: str) -> float:
    """The value of a constant of the package."""
    value = resolve_name(f"amber_wrap.{name}")
    if not isinstance(value, int | float):
        raise TypeError(f"{name} is no number")
    return value


def tune(
    corpus: Corpus,
    run: Run,
    sites: Collection[str],
    values: Values,
    factors: Iterable[float] = FACTORS,
) -> dict[str, float]:
    """The values that are best for the sites, by one pass of coordinate descent."""
    best = dict(values)
    most = sum(measured(corpus, run, sites, [best])[0])
    for name in values:
        tried = [best | {name: value} for value in grid(best[name], factors)]
        figures = measured(corpus, run, sites, tried)
        for one, found in zip(tried, figures, strict=True):
            if sum(found) > most + MARGIN:
                best, most = one, sum(found)
        print(f"{name}: {best[name]:g}, {most:.4f}", file=sys.stderr)
    return best


def grid(value: float, factors: Iterable[float] = FACTORS) -> Iterator[float]:
    """The values that are tried for a constant beside its own.

    Of a count whole ones, at least one; a share is at most all.
    """
    found = (value * factor for factor in factors)
    if isinstance(value, int):
        found = (max(1, round(one)) for one in found)
    elif 0 < value <= 1:
        found = (min(1.0, one) for one in found)
    yield from (one for one in dict.fromkeys(found) if one != value)


def measured(
    corpus: Corpus, run: Run, sites: Collection[str], tried: Sequence[Values]
) -> list[Figures]:
    """The figures of some sites with each of the values."""
    variants = [Variant(tuple(changes(values))) for values in tried]
    return [
        tuple(figures_of(summary_of(outcome[SELF]))[name] for name in FIGURES)
        for outcome in measure(corpus, variants, run, sites, transfer=False)
    ]


def changes(values: Values) -> Iterator[Change]:
    """What brings constants to their values."""
    for name, value in values.items():
        if value != value_of(name):
            owner, _, constant = f"amber_wrap.{name}".rpartition(".")
            yield from everywhere(owner, constant, value)


def comparison(
    tuned: Mapping[str, Values], now: Values, found: Mapping[str, Sequence[Figures]]
) -> str:
    """For each half: the constants as they are, tuned on it, and on the other one."""
    rows = []
    for half in HALVES:
        before, *after = found[half]
        rows.append((half, "as they are", *map(share, before), *[""] * len(FIGURES)))
        figures_of_tuned = dict(zip(tuned, after, strict=True))
        for other in sorted(HALVES, key=lambda one: one != half):
            figures = figures_of_tuned[other]
            changed = sum(tuned[other][name] != now[name] for name in now)
            told = "this half" if other == half else "**the other half**"
            gains = (points(a - b) for a, b in zip(figures, before, strict=True))
            told = f"tuned on {told} ({changed} of {len(now)} changed)"
            rows.append((half, told, *map(share, figures), *gains))
    head = ("records F1", "attributes F1", "perfect")
    gain = ("gain: records", "attributes", "perfect")
    return table(("measured on half", "constants", *head, *gain), rows)


def choices(tuned: Mapping[str, Values], now: Values) -> str:
    """The constants that tuning changed, and the names of the others."""
    rows = [
        (
            name,
            f"{now[name]:g}",
            *(
                f"{tuned[half][name]:g}" if tuned[half][name] != now[name] else ""
                for half in HALVES
            ),
        )
        for name in now
    ]
    changed = [row for row in rows if any(row[2:])]
    kept = [row[0] for row in rows if not any(row[2:])]
    return (
        table(("constant", "as it is", *(f"best for {one}" for one in HALVES)), changed)
        + f"\nBest as they are for both: {', '.join(kept) or 'none'}.\n"
    )


if __name__ == "__main__":
    sys.exit(main())
