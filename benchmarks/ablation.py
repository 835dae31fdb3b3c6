"""What each step brings: the default strategy without it, and the paper's.

    python benchmarks/ablation.py [--only STEP ...] [--write] [-j N] [--filter TEXT ...]

One row for each of `steps.STEPS`, measured with the domain named.  Some steps make up
for others: what they bring is no sum.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Mapping, Sequence

import tables
from corpus import Outcome, Run, measure
from ratchet import figures_of
from steps import STEPS, Step
from tables import points, share, table
from variants import Variant

from amber_wrap.evaluation.gold import Corpus
from amber_wrap.evaluation.summary import summary_of
from amber_wrap.evaluation.tasks import SELF, TRANSFER

FIGURES = (
    "records_f1",
    "attributes_precision",
    "attributes_recall",
    "attributes_f1",
    "perfect",
)
COMPARED = [FIGURES.index(one) for one in ("records_f1", "attributes_f1", "perfect")]
MODES = (SELF, TRANSFER)
HEAD = ("records F1", "attributes P / R / F1", "perfect", "brings")
NAMES = ("ablation",)


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the steps; the exit code."""
    parser = ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    names = [step.name for steps in STEPS.values() for step in steps]
    parser.add_argument("--only", nargs="+", choices=names, default=names)
    return tables.main(make, NAMES, parser, arguments)


def make(corpus: Corpus, run: Run, options: Namespace) -> dict[str, str]:
    """The table, by its name."""
    chosen = {
        heading: [one for one in steps if one.name in options.only]
        for heading, steps in STEPS.items()
    }
    steps = [step for some in chosen.values() for step in some]
    variants = [
        Variant(),
        *(Variant(step.without) for step in steps),
        Variant(strategy="paper"),
    ]
    default, *outcomes, paper = measure(corpus, variants, run)
    without = dict(zip((step.name for step in steps), outcomes, strict=True))
    return {NAMES[0]: ablation(chosen, default, without, paper)}


def ablation(
    chosen: Mapping[str, Sequence[Step]],
    default: Outcome,
    without: Mapping[str, Outcome],
    paper: Outcome,
) -> str:
    """The default strategy, the steps under their headings, the paper's strategy."""

    def rows() -> Iterator[Sequence[str]]:
        yield "**the default strategy**", *cells(default, None)
        for heading, steps in chosen.items():
            if steps:
                yield f"**{heading}**", *[""] * len(MODES) * len(HEAD)
            for step in steps:
                told = f"{step.name}: {step.about}"
                yield told, *cells(without[step.name], default)
        yield "**the paper's strategy**", *cells(paper, default)

    first, *others = HEAD
    heads = [cell for mode in MODES for cell in (f"{mode}: {first}", *others)]
    return table(("without", *heads), rows())


def cells(outcome: Outcome, default: Outcome | None) -> Iterator[str]:
    """The figures of each mode, and what the default has more, in points."""
    for mode in MODES:
        own = figures(outcome, mode)
        records, *attributes, perfect = own
        yield from (share(records), " / ".join(map(share, attributes)), share(perfect))
        if default is None:
            yield ""
        else:
            best = figures(default, mode)
            yield " / ".join(points(best[i] - own[i]) for i in COMPARED)


def figures(outcome: Outcome, mode: str) -> list[float]:
    """Records F1, attributes P, R, F1, and the share of perfect records."""
    found = figures_of(summary_of(outcome.get(mode, ())))
    return [found[name] for name in FIGURES]


if __name__ == "__main__":
    sys.exit(main())
