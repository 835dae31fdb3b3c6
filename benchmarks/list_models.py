"""Fit the three models by which lists of records are chosen.

The model "list" gives each list that was found on a page a score. It is fitted so that
the softmax of the scores is high on the lists that agree best with the true records.
The model "presence" predicts whether a page has a list of results at all, by boosted
stumps (trees with one step). The model "further" predicts whether a second list of the
page is taken, too. It is a logistic regression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from samples import LEAST_QUALITY, SHORT, WITHOUT, Matrix, Sample
from scipy.optimize import minimize
from sklearn.ensemble import GradientBoostingClassifier

from amber_wrap.analysis.additive_model import BIAS, AdditiveModel, StepFunction, Term
from amber_wrap.analysis.features.candidate_comparison import COMPARED, contrasts
from amber_wrap.analysis.features.registry import (
    FEATURES,
    POSITION_FEATURES,
    PRESENCE_FEATURES,
)
from amber_wrap.analysis.further_lists import OWN_ODDS, RELATIONS, scaled_log_odds
from amber_wrap.analysis.list_selection import FURTHER_LIST, LIST_PRESENCE, LIST_RANKING

LIST_PENALTY = 3.0
"""The penalty on squared weights of the model "list", for features scaled to unit
spread."""
RATE = 0.1
"""The learning rate of boosting."""
BOOSTING = {
    **{"n_estimators": 500, "learning_rate": RATE, "max_depth": 1},
    **{"min_samples_leaf": 12, "subsample": 0.6, "max_features": 0.1},
}
"""The parameters of scikit-learn's gradient boosting for the model "presence".

Its trees are stumps: they have one step each.
"""
ENSEMBLE = 5
"""The number of boosted models whose mean is taken. Each has its own random draws."""
PRESENCE_WEIGHTS = {WITHOUT: 3.0, SHORT: 0.3}
"""The factors by which pages of two corpora count more or less in the model "presence".

Pages of the project that have no list count more, since a page whose list was cut out
may have another list. Shortened pages count less, because they were made of pages that
count, too.
"""
FURTHER_PENALTY = 0.003
"""The penalty on squared weights of the model "further".

The features of this model have about unit spread.
"""
MOST_GAIN = 0.2
"""The greatest weight of a pair of lists in fitting the model "further".

The weight is the gain or loss of quality by adding the second list of the pair.
"""
LEAST_SPREAD = 0.15
"""The least spread by which a feature is scaled, so that rare features keep small
values."""
AS_GOOD, SHARPNESS = 0.97, 30.0
"""Two numbers that decide how much each list of a page counts in fitting.

A list counts fully if its quality is at least `AS_GOOD` times that of the best list.
`SHARPNESS` is the rate at which worse lists count less.
"""

Terms = Mapping[str, Mapping[str, Term]]
"""For each model, the term of each feature: a weight or a step function."""


def fitted(samples: Sequence[Sample], left_out: int = -1) -> Terms:
    """Return the models that choose among lists, fitted on pages with known lists.

    The sites are divided into parts for cross-validation. `left_out` is the number of
    the part that isn't used, or -1 to use all.
    """
    kept = [sample for sample in samples if sample.fold != left_out]
    weighted = zip(kept, weights_of(kept), strict=True)
    list_weights = fit_list(
        [pair for pair in weighted if pair[0].has_list and pair[0].corpus != SHORT]
    )
    rows, labels, counts = [], [], []
    open_samples = [sample for sample in kept if not sample.is_named]
    for sample, weight in zip(open_samples, weights_of(open_samples), strict=True):
        scores = sample.features @ list_weights
        best = int(scores.argmax())
        if not sample.has_list or sample.quality[best] > LEAST_QUALITY:
            rows.append(described_by(sample, scores, best))
            labels.append(sample.has_list)
            counts.append(weight * PRESENCE_WEIGHTS.get(sample.corpus, 1.0))
    ranking = dict(zip(FEATURES, map(float, list_weights), strict=True))
    terms: dict[str, Mapping[str, Term]] = {
        LIST_RANKING: {
            it: ranking[it] for it in ranking if it not in PRESENCE_FEATURES
        },
        LIST_PRESENCE: fit_presence(rows, labels, counts),
    }
    bias, *weights = fit_further(kept, terms)
    further = {BIAS: bias, **dict(zip(FURTHER_FEATURES, weights, strict=True))}
    return {**terms, FURTHER_LIST: further}


def described_by(sample: Sample, scores: Matrix, number: int) -> dict[str, float]:
    """Return the features of a candidate (list found on a page) for the model
    "presence".

    They include comparisons with the other candidates of the page. `scores` has the
    score of each candidate. `number` is the index of the described one.
    """
    features = dict(zip(FEATURES, map(float, sample.features[number]), strict=True))
    greatest = dict(zip(FEATURES, map(float, sample.features.max(0)), strict=True))
    highest = {name: greatest[name] for name in COMPARED}
    spans = [(int(begin), int(end)) for begin, end in sample.spans]
    compared = contrasts(number, list(map(float, scores)), spans, highest, features)
    return {**features, **compared}


FURTHER_FEATURES = (*RELATIONS, OWN_ODDS)
"""The features of the model "further"."""


def fit_further(samples: Sequence[Sample], terms: Terms) -> list[float]:
    """Return the bias and the weights of the model "further", a logistic regression.

    Only the bias may be negative. The weight of a pair of lists is the change of
    quality by adding the second list. All numbers are 0 if the samples have no pairs.
    """
    counts = Counter(sample.site for sample in samples if len(sample.pairs))
    pair_rows, gains, weights = [], [], []
    for sample in samples:
        if pair_count := len(sample.pairs):
            first_count = len(set(sample.pairs[:, 0]))
            pair_rows.append(further_features(sample, terms))
            gains.append(sample.pairs[:, 2])
            weights.append(np.full(pair_count, 1 / counts[sample.site] / first_count))
    if not pair_rows:
        return [0.0] * (1 + len(FURTHER_FEATURES))
    features, gain = np.concatenate(pair_rows), np.concatenate(gains)
    design = np.hstack([np.ones((len(features), 1)), features])
    counted = np.concatenate(weights) * np.minimum(MOST_GAIN, np.abs(gain))

    def loss(parameters: Matrix) -> tuple[float, Matrix]:
        penalised = np.append(0.0, parameters[1:])
        odds = 1 / (1 + np.exp(-design @ parameters))
        likely = np.where(gain > 0, odds, 1 - odds)
        total = -(counted * np.log(likely + 1e-12)).sum()
        total += FURTHER_PENALTY * penalised @ penalised
        slope = design.T @ (counted * (odds - (gain > 0)))
        return total, slope + 2 * FURTHER_PENALTY * penalised

    bounds = [(None, None)] + [(0.0, None)] * len(FURTHER_FEATURES)
    return list(map(float, minimized(loss, len(bounds), bounds)))


def further_features(sample: Sample, terms: Terms) -> Matrix:
    """Return a matrix of features for the model "further", with a row for each pair of
    lists.

    The features are relations of the two lists, and the odds of the second list by its
    own features.
    """
    presence, own_odds = AdditiveModel(terms[LIST_PRESENCE]), []
    for second in sample.pairs[:, 1].astype(int):
        values = dict(zip(FEATURES, sample.features[second], strict=True))
        own = {name: values[name] for name in FEATURES if name not in POSITION_FEATURES}
        own_odds.append(scaled_log_odds(presence.probability(own)))
    return np.hstack([sample.pairs[:, 3:], np.array(own_odds)[:, None]])


def weights_of(samples: Sequence[Sample]) -> list[float]:
    """Return the weight of each sample, so that each site counts the same.

    For each site, the weights of samples with a list sum up to 1. So do those of
    samples without a list.
    """

    def group(sample: Sample) -> tuple[object, ...]:
        return sample.corpus, sample.site, sample.has_list

    counts = Counter(map(group, samples))
    return [1 / counts[group(sample)] for sample in samples]


def fit_list(samples: Sequence[tuple[Sample, float]]) -> Matrix:
    """Return the weights of the model "list", which ranks the lists found on a page.

    `samples` are pairs of a sample and its weight. Features that only tell whether
    there is a list have weight 0.
    """
    is_ranking = np.array([name not in PRESENCE_FEATURES for name in FEATURES])
    all_features = np.concatenate([sample.features for sample, _ in samples])
    spread = np.maximum(all_features.std(0), LEAST_SPREAD)
    pages = []
    for sample, weight in samples:
        share = sample.quality / sample.quality.max()
        target = np.where(share >= AS_GOOD, 1.0, np.exp(-SHARPNESS * (1 - share)))
        target[share < LEAST_QUALITY] = 0
        rows = sample.features * is_ranking / spread
        pages.append((rows, target / target.sum(), weight))

    def loss(weights: Matrix) -> tuple[float, Matrix]:
        total, slope = LIST_PENALTY * weights @ weights, 2 * LIST_PENALTY * weights
        for rows, target, weight in pages:
            scores = rows @ weights
            odds = np.exp(scores - scores.max())
            odds /= odds.sum()
            target_odds = odds * target
            target_share = target_odds.sum() + 1e-12
            total -= weight * np.log(target_share)
            slope -= weight * (rows.T @ (target_odds / target_share - odds))
        return total, slope

    return minimized(loss, len(spread)) / spread


def fit_presence(
    rows: Sequence[Mapping[str, float]], labels: Sequence[bool], counts: Sequence[float]
) -> dict[str, Term]:
    """Return the bias and step functions of the model "presence".

    They are the mean of several boosted models. A row has the features of a page. A
    label is True if the page has a list. `counts` are the weights of the pages.
    """
    feature_names = list(rows[0])
    matrix = np.array([[row[name] for name in feature_names] for row in rows])
    weight = np.array(counts) / np.mean(counts)
    bias, jumps_of_features = 0.0, [Counter[float]() for _ in feature_names]
    for seed in range(ENSEMBLE):
        model = GradientBoostingClassifier(**BOOSTING, random_state=seed)
        boosted = model.fit(matrix, labels, sample_weight=weight)
        prior = float(np.average(labels, weights=weight))
        bias += np.log(prior / (1 - prior)) / ENSEMBLE
        for (stump,) in boosted.estimators_:
            tree = stump.tree_
            if tree.node_count < 3:
                continue
            low, high = (float(tree.value[i].item()) for i in (1, 2))
            bias += RATE * low / ENSEMBLE
            threshold = float(tree.threshold[0])
            jump = RATE * (high - low) / ENSEMBLE
            jumps_of_features[tree.feature[0]][threshold] += jump
    terms: dict[str, Term] = {}
    for name, column, jumps in zip(
        feature_names, matrix.T, jumps_of_features, strict=True
    ):
        positions = sorted(jumps)
        steps = np.cumsum([0.0, *(jumps[position] for position in positions)])
        values = steps[np.searchsorted(positions, column)]
        mean = float(np.average(values, weights=weight))
        bias += mean
        if positions:
            centred = [float(step) - mean for step in steps]
            terms[name] = StepFunction(positions, centred)
    return {BIAS: float(bias), **terms}


def minimized(
    loss: object, size: int, bounds: Sequence[tuple[float | None, None]] | None = None
) -> Matrix:
    """Return the point with the least value of a loss function.

    `loss` returns the value and the gradient. `size` is the number of coordinates.
    """
    options = {"jac": True, "method": "L-BFGS-B", "options": {"maxiter": 400}}
    point: Matrix = minimize(loss, np.zeros(size), bounds=bounds, **options).x
    return point
