"""Fit the weights by which lists are chosen, and measure them on unseen sites.

    python benchmarks/fit.py [--write] [-j N] [--keep FILE]

The pages are those of all corpora, and the project's own ones with and without a list.
Of each page every candidate has its features, and how well it agrees with the truth;
a page with its list cut out is one without any, unless another one is left, and one
with its first records only is one with a list.  Three
models are fitted: "list" so that the softmax of its scores is on the candidates that
agree best, "presence" by boosted stumps, an additive model, so that its logistic
tells pages with a list from others, "further" so that its logistic tells lists to be
taken beside another one.  Printed are the figures of five
folds, each fitted on the sites of the other four, and the weights of all.  `--write`
writes these to `amber_wrap/analysis/weights.toml`; `--keep` keeps what was collected,
or takes it from there.
"""

from __future__ import annotations

import hashlib
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from commands import command_line
from samples import (
    FOLDS,
    LEAST_QUALITY,
    OWN_CORPUS,
    SHORT,
    WITHOUT,
    Matrix,
    Sample,
    collected,
)
from scipy.optimize import minimize
from sklearn.ensemble import GradientBoostingClassifier

from amber_wrap.analysis import additive_model
from amber_wrap.analysis.additive_model import BIAS, AdditiveModel, StepFunction, Term
from amber_wrap.analysis.features.contrasts import COMPARED, contrasts
from amber_wrap.analysis.features.registry import FEATURES, ONLY_PRESENCE, STANDING
from amber_wrap.analysis.further_lists import LEAST_LIKELY, OWN_ODDS, RELATIONS, odds
from amber_wrap.analysis.list_selection import (
    FURTHER,
    LEAST_PROBABILITY,
    LIST,
    PRESENCE,
    TIE,
    choose_ranked,
)

LIST_PENALTY = 3.0
"""The penalty on squared weights, of features of unit spread."""
STUMPS, RATE, LEAST_LEAF, DRAWN, TRIED = 500, 0.1, 12, 0.6, 0.1
"""Boosting: the number of stumps, the learning rate, the least pages on either side of
a step, the shares of pages and of features drawn for a stump."""
DRAWN_SITES = 60
"""The number of sites with a cut page that stand for all: the first by their digest."""
ENSEMBLE = 5
"""Models whose mean is taken, each with draws of its own."""
PRESENCE_WEIGHTS = {WITHOUT: 3.0, SHORT: 0.3}
"""The weights of corpora; other corpora have 1. A page whose list was cut out may hold
another list, so own pages without a list count more. Pages of few records are made of
pages that count already."""
FURTHER_PENALTY = 0.003
"""The penalty on squared weights of relations, which have about unit spread."""
MOST_GAIN = 0.2
"""The most gain of quality that counts of a pair."""
LEAST_SPREAD = 0.15
"""The spread that each feature is taken to have at least: rare ones stay small."""
AS_GOOD, SHARPNESS = 0.97, 30.0
"""The quality, by that of the best candidate, from which on another one is as good; and
how fast those below it count less."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Collect, fit, print; return the exit code."""
    parser = command_line(__doc__, "--write", "-j", "--keep")
    options = parser.parse_args(arguments)
    samples = collected(options.keep, options.j)
    if not samples:
        print("fit: there is no corpus, nothing is fitted")
        return 0
    print(fold_report(samples, [fitted(samples, fold) for fold in range(FOLDS)]))
    weights = fitted(samples)
    for name, _ in Counter(sizes(weights[LIST])).most_common():
        print(f"{weights[LIST][name]:+8.3f}  {name}")
    print("presence, from the least to the most that a feature adds:")
    for name, size in Counter(sizes(weights[PRESENCE])).most_common():
        print(f"{size:8.3f}  {name}")
    if options.write:
        path = Path(additive_model.__file__).with_name(additive_model.WEIGHTS)
        path.write_text(toml(weights, samples), "utf-8", newline="\n")
        print(f"wrote {path.name}")
    return 0


Terms = Mapping[str, Mapping[str, Term]]
"""The terms of each model."""


def fitted(samples: Sequence[Sample], left_out: int = -1) -> Terms:
    """Return the terms of all models, from all folds but one."""
    mine = [one for one in samples if one.fold != left_out]
    weight = weights_of(mine)
    names = list(FEATURES)
    lists = [
        (one, w)
        for one, w in zip(mine, weight, strict=True)
        if one.has_list and one.corpus != SHORT
    ]
    ranking = fit_list(lists)
    rows, labels, counts = [], [], []
    open_ones = [one for one in mine if not one.is_named]
    for one, w in zip(open_ones, weights_of(open_ones), strict=True):
        scores = one.features @ ranking
        best = int(scores.argmax())
        if not one.has_list or one.quality[best] > LEAST_QUALITY:
            rows.append(described_by(one, scores, best))
            labels.append(one.has_list)
            counts.append(w * PRESENCE_WEIGHTS.get(one.corpus, 1.0))
    found: dict[str, Mapping[str, Term]] = {
        LIST: {
            name: float(weight)
            for name, weight in zip(names, ranking, strict=True)
            if name not in ONLY_PRESENCE
        },
        PRESENCE: fit_presence(rows, labels, counts),
    }
    bias, *weights = fit_further(mine, found)
    return {
        **found,
        FURTHER: {BIAS: bias, **dict(zip(FURTHER_FEATURES, weights, strict=True))},
    }


def described_by(one: Sample, scores: Matrix, which: int) -> dict[str, float]:
    """Return the features of a candidate and its contrasts to the others."""
    own = dict(zip(FEATURES, map(float, one.features[which]), strict=True))
    columns = {name: i for i, name in enumerate(FEATURES)}
    highest = {name: float(one.features[:, columns[name]].max()) for name in COMPARED}
    spans = [(int(begin), int(end)) for begin, end in one.spans]
    return {**own, **contrasts(which, list(map(float, scores)), spans, highest, own)}


FURTHER_FEATURES = (*RELATIONS, OWN_ODDS)
"""The features of a further list."""


def fit_further(samples: Sequence[Sample], ways: Terms) -> list[float]:
    """Return the bias and the weights of a logistic regression; no weight is negative.

    A pair counts as much as the quality gains or loses by it.
    """
    counts = Counter(one.site for one in samples if len(one.pairs))
    rows, gains, weights = [], [], []
    for one in samples:
        if len(one.pairs):
            mains = len(set(one.pairs[:, 0]))
            rows.append(further_features(one, ways))
            gains.append(one.pairs[:, 2])
            weights.append(np.full(len(one.pairs), 1 / counts[one.site] / mains))
    if not rows:
        return [0.0] * (1 + len(FURTHER_FEATURES))
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

    bounds = [(None, None)] + [(0.0, None)] * len(FURTHER_FEATURES)
    return [float(one) for one in minimized(loss, len(bounds), bounds)]


def further_features(one: Sample, ways: Terms) -> Matrix:
    """Return the relations of each pair, and the odds that its second candidate is a
    list wherever it is.
    """
    presence, own = AdditiveModel(ways[PRESENCE]), []
    for j in one.pairs[:, 1].astype(int):
        named = zip(FEATURES, one.features[j], strict=True)
        values = {name: value for name, value in named if name not in STANDING}
        own.append(odds(presence.probability(values)))
    return np.hstack([one.pairs[:, 3:], np.array(own)[:, None]])


def gain_of(one: Sample, ways: Terms) -> float:
    """Return the quality that the chosen list gains by the further list of highest
    score.
    """
    found, further = scores_of(one, ways[LIST]), AdditiveModel(ways[FURTHER])
    likely = [
        (-found[int(j)], gain)
        for (i, j, gain), row in zip(
            one.pairs[:, :3], further_features(one, ways), strict=True
        )
        if int(i) == int(found.argmax())
        and further.probability(dict(zip(FURTHER_FEATURES, row, strict=True)))
        > LEAST_LIKELY
    ]
    return min(likely)[1] if likely else 0.0


def weights_of(samples: Sequence[Sample]) -> list[float]:
    """Return the weight of each sample: all samples of a template count as one, and so
    do both of a gold page.
    """

    def kind(one: Sample) -> tuple[object, ...]:
        return one.corpus, one.site, one.has_list

    counts = Counter(map(kind, samples))
    return [1 / counts[kind(one)] for one in samples]


def fit_list(samples: Sequence[tuple[Sample, float]]) -> Matrix:
    """Return the weights whose softmax is most on the candidates that agree best.

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


def fit_presence(
    rows: Sequence[Mapping[str, float]],
    labels: Sequence[bool],
    counts: Sequence[float],
) -> dict[str, Term]:
    """Return the bias and the steps of boosted stumps, the mean of several models."""
    names = list(rows[0])
    matrix = np.array([[one[name] for name in names] for one in rows])
    weight = np.array(counts) / np.mean(counts)
    bias, jumps = 0.0, [Counter[float]() for _ in names]
    for seed in range(ENSEMBLE):
        boosted = GradientBoostingClassifier(
            n_estimators=STUMPS,
            learning_rate=RATE,
            max_depth=1,
            min_samples_leaf=LEAST_LEAF,
            subsample=DRAWN,
            max_features=TRIED,
            random_state=seed,
        ).fit(matrix, labels, sample_weight=weight)
        prior = float(np.average(labels, weights=weight))
        bias += np.log(prior / (1 - prior)) / ENSEMBLE
        for (stump,) in boosted.estimators_:
            tree = stump.tree_
            if tree.node_count < 3:
                continue
            low, high = (float(tree.value[i].item()) for i in (1, 2))
            bias += RATE * low / ENSEMBLE
            at = float(tree.threshold[0])
            jumps[tree.feature[0]][at] += RATE * (high - low) / ENSEMBLE
    found: dict[str, Term] = {}
    for name, column, jump in zip(names, matrix.T, jumps, strict=True):
        at = sorted(jump)
        adds = np.concatenate([[0.0], np.cumsum([jump[one] for one in at])])
        mean = float(np.average(adds[np.searchsorted(at, column)], weights=weight))
        bias += mean
        if at:
            found[name] = StepFunction(at, [float(one) - mean for one in adds])
    return {BIAS: float(bias), **found}


def spreads(rows: Sequence[Matrix]) -> Matrix:
    """Return the standard deviation of each feature."""
    found: Matrix = np.maximum(np.concatenate(rows).std(0), LEAST_SPREAD)
    return found


def minimized(
    loss: object, size: int, bounds: Sequence[tuple[float | None, None]] | None = None
) -> Matrix:
    """Return the point where a loss is least."""
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


def fold_report(samples: Sequence[Sample], folds: Sequence[Terms]) -> str:
    """Report the mean quality of chosen lists, and the share of refused ones, on unseen
    sites.
    """
    chosen: dict[tuple[str, ...], list[float]] = defaultdict(list)
    gained: dict[tuple[str, ...], list[float]] = defaultdict(list)
    refused: dict[str, list[bool]] = defaultdict(list)
    false: dict[tuple[str, str], list[tuple[str, bool]]] = defaultdict(list)
    wrong: list[str] = []
    for one in samples:
        ways = folds[one.fold]
        found = chosen_of(ways, one)
        if one.has_list:
            when = "second" if one.is_second else "first"
            how = "named" if one.is_named else "open"
            best = one.quality / one.quality.max()
            chosen[one.corpus, how, when].append(float(best[found.which]))
            if len(one.pairs):
                gained[one.corpus, how, when].append(gain_of(one, ways))
        if not one.is_named:
            kind = "with" if one.has_list else "without"
            is_refused = found.probability < LEAST_PROBABILITY
            refused[f"{one.corpus}, {kind} a list"].append(is_refused)
            if one.has_list and is_refused and one.corpus != SHORT:
                wrong.append(
                    f"  refused with {found.probability:.3f}: {one.corpus}/{one.name}"
                )
            elif one.corpus not in (WITHOUT, OWN_CORPUS) and not one.has_list:
                false[one.corpus, one.site].append((one.name, not is_refused))
    lines = ["quality of the chosen list by that of the best, sites left out:"]
    for key, values in sorted(chosen.items()):
        lines.append(f"  {', '.join(key):24} {np.mean(values):.3f} of {len(values)}")
    lines.append("what further lists gain:")
    for key, values in sorted(gained.items()):
        lines.append(f"  {', '.join(key):24} {np.mean(values):+.3f} of {len(values)}")
    lines.append("refused:")
    for name, values in sorted(refused.items()):
        lines.append(f"  {name:24} {sum(values)} of {len(values)}")
    lines += sorted(wrong)
    if false:
        lines += cut_lines(false)
    return "\n".join(lines)


def cut_lines(false: Mapping[tuple[str, str], list[tuple[str, bool]]]) -> list[str]:
    """Return a line about cut pages; `false` says by site which are taken for lists."""
    pages = [taken for found in false.values() for _, taken in found]
    by_site = [np.mean([taken for _, taken in found]) for found in false.values()]

    def digest(site: tuple[str, str]) -> str:
        return hashlib.sha256("/".join(site).encode()).hexdigest()

    drawn = sorted(false, key=digest)[:DRAWN_SITES]
    taken = sum(min(false[site])[1] for site in drawn)
    return [
        f"cut pages of the corpora taken for lists: {sum(pages)} of {len(pages)}, "
        f"{np.mean(by_site):.1%} in the mean of {len(by_site)} sites, "
        f"{taken} of {len(drawn)} pages of sites that are drawn once for all"
    ]


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate as `choose_ranked` needs it, and its number."""

    which: int
    score: float
    probability: float
    record_count: float
    span: tuple[int, int]


def chosen_of(ways: Terms, one: Sample) -> Scored:
    """Return the candidate that the models choose, as `list_selection` does."""
    found, presence = scores_of(one, ways[LIST]), AdditiveModel(ways[PRESENCE])
    best, counted = float(found.max()), list(FEATURES).index("record_count")
    return choose_ranked(
        [
            Scored(
                int(i),
                float(found[i]),
                presence.probability(described_by(one, found, int(i))),
                float(one.features[i][counted]),
                (int(one.spans[i][0]), int(one.spans[i][1])),
            )
            for i in np.argsort(-found, kind="stable")
            if best - found[i] <= TIE
        ]
    )


def scores_of(one: Sample, ranking: Mapping[str, Term]) -> Matrix:
    """Return the score of each candidate by a linear model."""
    weights = [ranking.get(name, 0.0) for name in FEATURES]
    found: Matrix = one.features @ np.array(weights)
    return found


def toml(weights: Terms, samples: Sequence[Sample]) -> str:
    """Return the weights as TOML, with the data that they were fitted on."""
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
        lines += [f"{feature} = {written(term)}" for feature, term in values.items()]
    return "\n".join(lines) + "\n"


def written(term: Term) -> str:
    """Return a term as TOML."""
    if not isinstance(term, StepFunction):
        return f"{term:.4f}"
    at, adds = (", ".join(f"{x:.4f}" for x in one) for one in (term.at, term.adds))
    return f"{{ at = [{at}], adds = [{adds}] }}"


def sizes(terms: Mapping[str, Term]) -> dict[str, float]:
    """Return how much each feature may add at most, by itself."""
    return {
        name: max(term.adds) - min(term.adds)
        if isinstance(term, StepFunction)
        else abs(term)
        for name, term in terms.items()
        if name != BIAS
    }


if __name__ == "__main__":
    sys.exit(main())
