"""Estimate how columns differ between the pages of a template that are read right.

    python benchmarks/fills.py [--keep FOLDER] [-j N]

The parameters of `contract/fill_prediction.py` are estimated by maximum likelihood from
the columns of the generated files, on each sample and on the other pages of its
template (`silent_losses.py`). They are estimated from all sites, and from each half of
the sites. Printed are the pages of the other half on which a column is emptier than
expected, and how far values are from those of the sample, for the bounds in
`lowering/expectations.py`.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from functools import partial
from itertools import chain, product
from pathlib import Path
from statistics import median_low
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from commands import command_line
from corpus import gold_folder, needed
from processes import workers
from scipy.optimize import minimize
from scipy.special import betaln, gammaln, logsumexp
from silent_losses import Template, name_of, templates, wrapper_of
from tables import table
from truths import TruePage, reads_right

from amber_wrap.codegen.build import import_file
from amber_wrap.contract.fill_prediction import MEANS, SPREAD, Spread, least_fill

LEVELS = (0.005, 0.01, 0.02, 0.05, 0.1)
"""The shares of pages that may have a column with fewer values than expected."""
GRID = np.array(MEANS)
"""The mean shares of records with a value for which probabilities are computed."""
Array = npt.NDArray[np.float64]
"""An array of numbers."""


class Pair(NamedTuple):
    """A column on a sample page and on another page of the same template.

    `sample` and `other` are the number of values and the number of records on the two
    pages. `digits` and `times` say how much the lengths of the values differ
    (`distance`). `is_known` is True if an annotator recognises values of the column's
    type.
    """

    site: str
    page: str
    is_known: bool
    sample: tuple[int, int]
    other: tuple[int, int]
    digits: int
    times: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the estimates; return the exit code."""
    options = command_line(__doc__, "--keep", "-j").parse_args(arguments)
    needed(gold_folder())
    tried = [template for template in templates() if template.others]
    with TemporaryDirectory() as folder, workers(options.j) as run:
        answers = run(partial(pairs, keep=options.keep or Path(folder)), tried)
        all_pairs = list(chain.from_iterable(answers))
    print(f"{len(all_pairs)} columns; in use is {SPREAD}, all give {fitted(all_pairs)}")
    rows = [row for half_number in (0, 1) for row in alarms(all_pairs, half_number)]
    print(table(("half", "level", "known types", "pages", "emptier"), rows))
    for name in ("digits", "times"):
        values = [getattr(pair, name) for pair in all_pairs]
        quantiles = (f"{it:.1%} {np.quantile(values, 1 - it):.1f}" for it in LEVELS)
        shares = ", ".join(quantiles)
        print(f"{name} beyond the sample's, by the share of columns: {shares}")
    return 0


def pairs(template: Template, keep: Path) -> list[Pair]:
    """Return the columns of a template's wrapper on each other page that the wrapper
    reads right."""
    stored = wrapper_of(template.own, keep)
    if stored is None:
        return []
    wrapper, source = stored
    file = import_file(source)
    contracts = [area.contract for area in wrapper.areas if area.contract]
    known_types = {name for contract in contracts for name in contract.recognised}

    def read(page: TruePage) -> tuple[int, dict[str, list[object]]]:
        rows = [dict(row) for row in file.extract(page.file.read_bytes())]
        found = {name: [row[name] for row in rows] for name in file.EXPECTED}
        given = {name: [it for it in found[name] if it is not None] for name in found}
        return len(rows), given

    sample_count, sample_values = read(template.own)
    found_pairs = []
    for target in template.others:
        if not reads_right(wrapper, target, template.own):
            continue
        record_count, page_values = read(target)
        for name, values in page_values.items():
            place = name_of(template.own), target.file.name, name in known_types
            sample = len(sample_values[name]), sample_count
            distances = distance(sample_values[name], values)
            pair = Pair(*place, sample, (len(values), record_count), *distances)
            found_pairs.append(pair)
    return found_pairs


def distance(
    sample_values: Sequence[object], other_values: Sequence[object]
) -> tuple[int, float]:
    """Return how much longer or shorter the values of a page are than the sample's
    values.

    The first number is for numeric values: by how many digits before the decimal point
    their median length is outside the range of the sample's lengths. The second number
    is for other values: by what factor their median length is outside that range. A
    length within the range gives (0, 1.0).
    """
    if not sample_values or not other_values:
        return 0, 1.0
    if any(isinstance(value, list) for value in sample_values):
        return 0, 1.0
    if all(isinstance(value, int | float) for value in sample_values):
        digits = [len(str(value).partition(".")[0]) for value in sample_values]
        median = median_low(len(str(value).partition(".")[0]) for value in other_values)
        return max(min(digits) - median, median - max(digits), 0), 1.0
    lengths = [len(str(value)) for value in sample_values]
    median = median_low(len(str(value)) for value in other_values)
    return 0, max(min(lengths) / median, median / max(lengths), 1.0)


def fitted(found_pairs: Sequence[Pair]) -> Spread:
    """Return the parameters under which the counts are likeliest."""
    sample = np.array([pair.sample for pair in found_pairs], float)
    other = np.array([pair.other for pair in found_pairs], float)

    def cost(logs: Array) -> float:
        alpha, beta, concentration = np.exp(logs)
        prior = alpha * np.log(GRID) + beta * np.log1p(-GRID) - betaln(alpha, beta)
        likely = chances(sample, concentration) + chances(other, concentration) + prior
        return -float(logsumexp(likely, axis=1).sum())

    log_parameters = minimize(cost, np.log(SPREAD), method="Nelder-Mead").x
    return Spread(*(round(float(value), 3) for value in np.exp(log_parameters)))


def chances(counts: Array, concentration: float) -> Array:
    """Return the logarithm of the beta-binomial probability of each count.

    A row of `counts` is a number of values and a number of records. A column of the
    result belongs to a mean share of records with a value, in `GRID`. The parameters of
    the beta distribution add up to `concentration`.
    """
    value_counts, record_counts = counts[:, :1], counts[:, 1:]
    alpha, beta = GRID * concentration, (1 - GRID) * concentration
    log_binomials = (
        gammaln(record_counts + 1)
        - gammaln(value_counts + 1)
        - gammaln(record_counts - value_counts + 1)
    )
    return (
        log_binomials
        + betaln(value_counts + alpha, record_counts - value_counts + beta)
        - betaln(alpha, beta)
    )


def alarms(found_pairs: Sequence[Pair], half_number: int) -> list[tuple[str, ...]]:
    """Return the rows of the table of columns with too few values, for half of the
    sites.

    The expected number of values is estimated from the other half. A row has the level
    (share of pages on which too few values are accepted), whether annotators know the
    types of the columns, the number of pages, and the number of pages with too few
    values.
    """
    pairs_of_half = [pair for pair in found_pairs if half(pair.site) == half_number]
    spread = fitted([pair for pair in found_pairs if half(pair.site) != half_number])
    pages = {(pair.site, pair.page) for pair in pairs_of_half}
    rows = []
    for known, level in product(("yes", "no"), LEVELS):
        emptier = {
            (pair.site, pair.page)
            for pair in pairs_of_half
            if pair.is_known == (known == "yes")
            if pair.other[0] < least_fill([pair.sample], level, spread) * pair.other[1]
        }
        counts = str(len(pages)), str(len(emptier))
        rows.append((str(half_number), f"{level:.1%}", known, *counts))
    return rows


def half(site: str) -> int:
    """Return the number of the half that a site belongs to, 0 or 1."""
    return hashlib.sha256(site.encode()).digest()[0] % 2


if __name__ == "__main__":
    sys.exit(main())
