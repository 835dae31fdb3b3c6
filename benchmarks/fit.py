"""Fit the weights by which lists are chosen, and tell what they do on unseen sites.

    python benchmarks/fit.py [--write] [-j N] [--keep FILE]

The pages are those of all corpora, and the project's own ones with and without a list.
Of each page every candidate has its features, and how well it agrees with the truth;
a page with its list cut out is one without any.  Three linear models are fitted: "list"
so that the softmax of its scores is on the candidates that agree best, "presence" so
that its logistic tells pages with a list from others, "further" so that its logistic
tells lists to be taken beside another one.  Printed are the figures of five
folds, each fitted on the sites of the other four, and the weights of all.  `--write`
writes these to `amber_wrap/analysis/weights.toml`; `--keep` keeps what was collected,
or takes it from there.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from samples import FOLDS, LEAST_QUALITY, WITHOUT, Matrix, Sample, collected
from scipy.optimize import minimize

from amber_wrap.analysis import linear_model as model
from amber_wrap.analysis.features.registry import FEATURES, ONLY_PRESENCE, STANDING
from amber_wrap.analysis.further_lists import LEAST_LIKELY, OWN_ODDS, RELATIONS, odds
from amber_wrap.analysis.list_selection import (
    FURTHER,
    LEAST_PROBABILITY,
    LIST,
    PRESENCE,
    SCORE,
    SCORES,
)

LIST_PENALTY, PRESENCE_PENALTY = 3.0, 20.0
"""What the squares of the weights cost, of features of unit spread."""
OWN_WITHOUT = 3
"""The weight of an own page without a list: what is left of a page whose list was cut
out may hold another one."""
FURTHER_PENALTY = 0.003
"""The same of relations, which are given about unit spread."""
MOST_GAIN = 0.2
"""The gain of quality that counts of a pair."""
LEAST_SPREAD = 0.15
"""The spread that each feature is taken to have at least: rare ones stay small."""
AS_GOOD, SHARPNESS = 0.97, 30.0
"""The quality, by that of the best candidate, from which on another one is as good; and
how fast those below it count less."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, print; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--write", action="store_true", help="write the weights")
    parser.add_argument("-j", type=int, default=2, help="processes (default 2)")
    parser.add_argument("--keep", type=Path, help="where to keep what is collected")
    options = parser.parse_args(arguments)
    samples = collected(options.keep, options.j)
    if not samples:
        print("fit: there is no corpus, nothing is fitted")
        return 0
    print(told(samples, [fitted(samples, fold) for fold in range(FOLDS)]))
    weights = fitted(samples)
    names = Counter({n: abs(w) for n, w in weights[LIST].items()})
    for name, _ in names.most_common():
        print(f"{weights[LIST][name]:+8.3f}  {name}")
    if options.write:
        path = Path(model.__file__).with_name(model.WEIGHTS)
        path.write_text(toml(weights, samples), "utf-8", newline="\n")
        print(f"wrote {path.name}")
    return 0


def fitted(
    samples: Sequence[Sample], left_out: int = -1
) -> dict[str, dict[str, float]]:
    """The weights of both models, from all folds but one."""
    mine = [one for one in samples if one.fold != left_out]
    weight = weights_of(mine)
    names = list(FEATURES)
    lists = [(one, w) for one, w in zip(mine, weight, strict=True) if one.has_list]
    ranking = fit_list(lists)
    rows, labels, counts = [], [], []
    for one, w in zip(mine, weight, strict=True):
        if one.is_named:
            continue
        scores = one.features @ ranking
        best = int(scores.argmax())
        if not one.has_list or one.quality[best] > LEAST_QUALITY:
            rows.append([*one.features[best], scores[best] / SCORES])
            labels.append(float(one.has_list))
            counts.append(w * (OWN_WITHOUT if one.corpus == WITHOUT else 1))
    bias, presence = fit_presence(np.array(rows), np.array(labels), np.array(counts))
    found = {
        LIST: {
            name: float(weight)
            for name, weight in zip(names, ranking, strict=True)
            if name not in ONLY_PRESENCE
        },
        PRESENCE: {
            "bias": bias,
            **dict(zip(names, map(float, presence[:-1]), strict=True)),
            SCORE: float(presence[-1]),
        },
    }
    bias, *weights = fit_further(mine, found)
    return {**found, FURTHER: {"bias": bias, **dict(zip(TOLD, weights, strict=True))}}


TOLD = (*RELATIONS, OWN_ODDS)
"""What tells a further list."""


def fit_further(
    samples: Sequence[Sample], ways: Mapping[str, Mapping[str, float]]
) -> list[float]:
    """The bias and the weights of a logistic regression; none speaks against a list.

    A pair counts as much as the quality gains or loses by it.
    """
    counts = Counter(one.site for one in samples if len(one.pairs))
    rows, gains, weights = [], [], []
    for one in samples:
        if len(one.pairs):
            mains = len(set(one.pairs[:, 0]))
            rows.append(told_of(one, ways))
            gains.append(one.pairs[:, 2])
            weights.append(np.full(len(one.pairs), 1 / counts[one.site] / mains))
    if not rows:
        return [0.0] * (1 + len(TOLD))
    scaled = np.hstack([np.ones((sum(map(len, rows)), 1)), np.concatenate(rows)])
    gain, weight = np.concatenate(gains), np.concatenate(weights)
    counted = weight * np.minimum(MOST_GAIN, np.abs(gain))

    def loss(found: Matrix) -> tuple[float, Matrix]:
        kept = np.append(0.0, found[1:])
        odds = 1 / (1 + np.exp(-scaled @ found))
        likely = np.where(gain > 0, odds, 1 - odds)
        total = -(counted * np.log(likely + 1e-12)).sum()
        slope = scaled.T @ (counted * (odds - (gain > 0)))
        return (
            total + FURTHER_PENALTY * kept @ kept,
            slope + 2 * FURTHER_PENALTY * kept,
        )

    bounds = [(None, None)] + [(0.0, None)] * len(TOLD)
    return [float(one) for one in minimized(loss, len(bounds), bounds)]


def told_of(one: Sample, ways: Mapping[str, Mapping[str, float]]) -> Matrix:
    """The relations of each pair, with the odds of the second one being a list,
    wherever it stands."""
    found, presence = scores_of(one, ways[LIST]), model.Model(ways[PRESENCE])
    own = []
    for j in one.pairs[:, 1].astype(int):
        named = zip(FEATURES, one.features[j], strict=True)
        values = {name: value for name, value in named if name not in STANDING}
        own.append(odds(presence.probability({**values, SCORE: found[j] / SCORES})))
    return np.hstack([one.pairs[:, 3:], np.array(own)[:, None]])


def gain_of(one: Sample, ways: Mapping[str, Mapping[str, float]]) -> float:
    """What the quality of the chosen list gains by the further one of highest score."""
    found, further = scores_of(one, ways[LIST]), model.Model(ways[FURTHER])
    likely = [
        (-found[int(j)], gain)
        for (i, j, gain), row in zip(one.pairs[:, :3], told_of(one, ways), strict=True)
        if int(i) == int(found.argmax())
        and further.probability(dict(zip(TOLD, row, strict=True))) > LEAST_LIKELY
    ]
    return min(likely)[1] if likely else 0.0


def weights_of(samples: Sequence[Sample]) -> list[float]:
    """The weight of each sample: those of a template count as one, a gold page's two
    ways as one."""

    def kind(one: Sample) -> tuple[object, ...]:
        return one.corpus, one.site, one.has_list

    counts = Counter(map(kind, samples))
    return [1 / counts[kind(one)] for one in samples]


def fit_list(samples: Sequence[tuple[Sample, float]]) -> Matrix:
    """The weights whose softmax is most on the candidates that agree best.

    Those of features of presence alone are 0.
    """
    ranked = np.array([name not in ONLY_PRESENCE for name in FEATURES])
    spread = spreads([one.features for one, _ in samples])
    pages = []
    for one, weight in samples:
        share = one.quality / one.quality.max()
        target = np.where(share >= AS_GOOD, 1.0, np.exp(-SHARPNESS * (1 - share)))
        target[share < LEAST_QUALITY] = 0
        rows = one.features * ranked / spread
        pages.append((rows, target / target.sum(), weight))

    def loss(found: Matrix) -> tuple[float, Matrix]:
        total, slope = LIST_PENALTY * found @ found, 2 * LIST_PENALTY * found
        for rows, target, weight in pages:
            scores = rows @ found
            odds = np.exp(scores - scores.max())
            odds /= odds.sum()
            meant = odds * target
            right = meant.sum() + 1e-12
            total -= weight * np.log(right)
            slope -= weight * (rows.T @ (meant / right - odds))
        return total, slope

    return minimized(loss, len(spread)) / spread


def fit_presence(rows: Matrix, labels: Matrix, counts: Matrix) -> tuple[float, Matrix]:
    """The bias and the weights of a logistic regression."""
    spread = spreads([rows])
    scaled = np.hstack([rows / spread, np.ones((len(rows), 1))])
    counts = counts / counts.mean()

    def loss(found: Matrix) -> tuple[float, Matrix]:
        kept = np.append(found[:-1], 0.0)
        odds = 1 / (1 + np.exp(-scaled @ found))
        likely = np.where(labels > 0, odds, 1 - odds)
        total = -(counts * np.log(likely + 1e-12)).sum()
        slope = scaled.T @ (counts * (odds - labels))
        return (
            total + PRESENCE_PENALTY * kept @ kept,
            slope + 2 * PRESENCE_PENALTY * kept,
        )

    found = minimized(loss, len(spread) + 1)
    return float(found[-1]), found[:-1] / spread


def spreads(rows: Sequence[Matrix]) -> Matrix:
    """The standard deviation of each feature."""
    found: Matrix = np.maximum(np.concatenate(rows).std(0), LEAST_SPREAD)
    return found


def minimized(
    loss: object, size: int, bounds: Sequence[tuple[float | None, None]] | None = None
) -> Matrix:
    """Where a loss is least."""
    start = np.zeros(size)
    found: Matrix = minimize(
        loss,
        start,
        jac=True,
        method="L-BFGS-B",
        bounds=bounds,
        options={"maxiter": 400},
    ).x
    return found


def told(
    samples: Sequence[Sample], folds: Sequence[Mapping[str, Mapping[str, float]]]
) -> str:
    """The mean quality of what is chosen, and what is refused, on unseen sites."""
    chosen: dict[tuple[str, ...], list[float]] = defaultdict(list)
    gained: dict[tuple[str, ...], list[float]] = defaultdict(list)
    refused: dict[str, list[bool]] = defaultdict(list)
    for one in samples:
        ways = folds[one.fold]
        found, likely = scores(ways, one)
        if one.has_list:
            when = "second" if one.is_second else "first"
            how = "named" if one.is_named else "open"
            best = one.quality / one.quality.max()
            chosen[one.corpus, how, when].append(float(best[int(found.argmax())]))
            if len(one.pairs):
                gained[one.corpus, how, when].append(gain_of(one, ways))
        if not one.is_named:
            kind = "with" if one.has_list else "without"
            refused[f"{one.corpus}, {kind} a list"].append(likely < LEAST_PROBABILITY)
    lines = ["quality of the chosen list by that of the best, sites left out:"]
    for key, values in sorted(chosen.items()):
        lines.append(f"  {', '.join(key):24} {np.mean(values):.3f} of {len(values)}")
    lines.append("what further lists gain:")
    for key, values in sorted(gained.items()):
        lines.append(f"  {', '.join(key):24} {np.mean(values):+.3f} of {len(values)}")
    lines.append("refused:")
    for name, values in sorted(refused.items()):
        lines.append(f"  {name:24} {sum(values)} of {len(values)}")
    return "\n".join(lines)


def scores(
    ways: Mapping[str, Mapping[str, float]], one: Sample
) -> tuple[Matrix, float]:
    """The score of each candidate, and the probability that the best is a list."""
    found = scores_of(one, ways[LIST])
    best = int(found.argmax())
    values = dict(zip(FEATURES, one.features[best], strict=True))
    likely = model.Model(ways[PRESENCE]).probability(
        {**values, SCORE: float(found[best]) / SCORES}
    )
    return found, likely


def scores_of(one: Sample, ranking: Mapping[str, float]) -> Matrix:
    """The score of each candidate."""
    found: Matrix = one.features @ np.array(
        [ranking.get(name, 0.0) for name in FEATURES]
    )
    return found


def toml(weights: Mapping[str, Mapping[str, float]], samples: Sequence[Sample]) -> str:
    """The weights as they are shipped, with what they were fitted on."""
    digest = hashlib.sha256()
    for one in samples:
        digest.update(one.name.encode())
        digest.update(one.features.round(6).tobytes())
    owners = {one.owner for one in samples}
    lines = [
        "# Weights of named features (`analysis/features`), fitted by",
        "# benchmarks/fit.py --write; not to be changed by hand.",
        f"# {len(samples)} samples of {len(owners)} sites,",
        f"# sha256 {digest.hexdigest()}.",
    ]
    for name, values in weights.items():
        lines += ["", f"[{name}]"]
        lines += [f"{feature} = {value:.4f}" for feature, value in values.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
