"""Fit the weights by which lists are chosen, and tell what they do on unseen sites.

    python benchmarks/fit.py [--write] [-j N] [--keep FILE]

The pages are those of all corpora, and the project's own ones with and without a list.
Of each page every candidate has its features, and how well it agrees with the truth;
a page with its list cut out is one without any.  Two linear models are fitted: "list"
so that the softmax of its scores is on the candidates that agree best, "presence" so
that its logistic tells pages with a list from others.  Printed are the figures of five
folds, each fitted on the sites of the other four, and the weights of all.  `--write`
writes these to `amber_wrap/analysis/weights.toml`; `--keep` keeps what was collected,
or takes it from there.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import truths
from lxml import etree
from numpy.typing import NDArray
from scipy.optimize import minimize

from amber_wrap.analysis import model
from amber_wrap.analysis.choice import (
    LEAST_PROBABILITY,
    LIST,
    PRESENCE,
    SCORE,
    SCORES,
    displayed,
)
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.registry import FEATURES, features
from amber_wrap.analysis.features.view import View
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.domain.schema import Domain
from amber_wrap.passes import annotate_samples
from amber_wrap.settings import DEFAULTS
from amber_wrap.strategies import ANY, identify_all

FOLDS = 5
LIST_PENALTY, PRESENCE_PENALTY = 3.0, 20.0
"""What the squares of the weights cost, of features of unit spread."""
LEAST_SPREAD = 0.15
"""The spread that each feature is taken to have at least: rare ones stay small."""
AS_GOOD, SHARPNESS = 0.97, 30.0
"""The quality, by that of the best candidate, from which on another one is as good; and
how fast those below it count less."""
LEAST_QUALITY = 0.5
"""The quality of the best candidate from which on a page teaches which one it is."""
OWN = truths.HERE.parent / "tests" / "cases"
"""The project's own pages."""
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A page: a row of features and a quality for each candidate, all 0 without a
    list."""

    corpus: str
    site: str
    owner: str
    is_second: bool
    name: str
    is_named: bool
    features: Matrix
    quality: Matrix

    @property
    def fold(self) -> int:
        """The fold that all pages of its owner are in."""
        return fold_of(self.owner)

    @property
    def has_list(self) -> bool:
        """Whether some candidate is the list."""
        return bool(len(self.quality)) and float(self.quality.max()) > LEAST_QUALITY


def fold_of(owner: str) -> int:
    """The fold that all pages of an owner are in."""
    return int(hashlib.sha256(owner.encode()).hexdigest(), 16) % FOLDS


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


def collected(keep: Path | None = None, jobs: int = 2) -> list[Sample]:
    """The samples of all corpora, in the order of their pages."""
    if keep and keep.exists():
        found: list[Sample] = pickle.loads(keep.read_bytes())
        return found
    pages = [*truths.true_pages(truths.corpus_folder())]
    if not pages:
        return []
    pages += own_pages()
    with ProcessPoolExecutor(jobs) as pool:
        found = [
            one for some in pool.map(samples_of, pages, chunksize=4) for one in some
        ]
    if keep:
        keep.write_bytes(pickle.dumps(found))
    return found


def own_pages() -> Iterator[truths.TruePage]:
    """The project's own pages, with a list and without one."""
    for path in sorted((OWN / "any-list").glob("*.toml")):
        rows = tomllib.loads(path.read_text("utf-8"))["rows"]
        page = path.with_suffix(".html")
        yield truths.TruePage(
            "own",
            page,
            path.stem,
            f"own:{path.stem}",
            True,
            rows=tuple(map(tuple, rows)),
        )
    for path in sorted((OWN / "without-a-list").glob("*.html")):
        yield truths.TruePage("none", path, path.stem, f"own:{path.stem}", True)


def samples_of(one: truths.TruePage) -> list[Sample]:
    """A page with all domains, with its own named, and with its list cut out."""
    domains = [load_domain(name) for name in built_in_domains()]
    page = parse(one.file.read_bytes())
    quality = one.quality(page)

    def sample(found: Page, named: Collection[Domain], is_cut: bool = False) -> Sample:
        views = described(found, named)
        rows = [list(features(one).values()) for one in views]
        agreed = [0.0 if is_cut else quality(one.records) for one in views]
        name = f"{one.site}/{one.file.name}"
        told = (one.corpus, one.site, one.owner, one.is_second, name, len(named) == 1)
        return Sample(*told, np.array(rows), np.array(agreed))

    made = [sample(page, domains)]
    if one.domain:
        made.append(sample(page, [d for d in domains if d.name == one.domain]))
    if made[0].has_list and (body := without_list(page, quality, domains)):
        made.append(sample(parse(body), domains, is_cut=True))
    return [one for one in made if len(one.quality)]


def described(page: Page, domains: Collection[Domain]) -> list[View]:
    """The candidates of a page."""
    [annotated] = annotate_samples([page], list(domains), DEFAULTS)
    candidates = identify_all(page, annotated, DISTANCES["fast"](page))[ANY]
    types = {kind.name: kind for one in annotated for kind in one.domain.schema.types}
    claims = {claim for one in annotated for claim in one.annotations}
    measures = Measures(page, claims, types.values(), len(annotated) == 1)
    most = max((displayed(page, one.records) for one in candidates), default=1)
    return [View(measures, one, most) for one in candidates]


def without_list(
    page: Page, quality: truths.Quality, domains: Collection[Domain]
) -> bytes:
    """The page without the records of the candidate that agrees best."""
    lists = [one.records for one in described(page, domains)]
    for record in max(lists, key=quality, default=()):
        for node in record.nodes:
            element = page.element_of(node)
            parent = element.getparent()
            if parent is not None:
                parent.remove(element)
    return etree.tostring(page.root, method="html", encoding="utf-8")


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
            counts.append(w)
    bias, presence = fit_presence(np.array(rows), np.array(labels), np.array(counts))
    return {
        LIST: dict(zip(names, map(float, ranking), strict=True)),
        PRESENCE: {
            "bias": bias,
            **dict(zip(names, map(float, presence[:-1]), strict=True)),
            SCORE: float(presence[-1]),
        },
    }


def weights_of(samples: Sequence[Sample]) -> list[float]:
    """The weight of each sample: those of a template count as one, a gold page's two
    ways as one."""

    def kind(one: Sample) -> tuple[object, ...]:
        return one.corpus, one.site, one.has_list

    counts = Counter(map(kind, samples))
    return [1 / counts[kind(one)] for one in samples]


def fit_list(samples: Sequence[tuple[Sample, float]]) -> Matrix:
    """The weights whose softmax is most on the candidates that agree best."""
    spread = spreads([one.features for one, _ in samples])
    pages = []
    for one, weight in samples:
        share = one.quality / one.quality.max()
        target = np.where(share >= AS_GOOD, 1.0, np.exp(-SHARPNESS * (1 - share)))
        target[share < LEAST_QUALITY] = 0
        pages.append((one.features / spread, target / target.sum(), weight))

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


def minimized(loss: object, size: int) -> Matrix:
    """Where a loss is least."""
    start = np.zeros(size)
    found: Matrix = minimize(
        loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 400}
    ).x
    return found


def told(samples: Sequence[Sample], folds: Sequence[Mapping[str, object]]) -> str:
    """The mean quality of what is chosen, and what is refused, on unseen sites."""
    chosen: dict[tuple[str, ...], list[float]] = defaultdict(list)
    refused: dict[str, list[bool]] = defaultdict(list)
    for one in samples:
        ways: Mapping[str, object] = folds[one.fold]
        score = partial(scores, ways)
        found, likely = score(one)
        if one.has_list:
            when = "second" if one.is_second else "first"
            how = "named" if one.is_named else "open"
            best = one.quality / one.quality.max()
            chosen[one.corpus, how, when].append(float(best[int(found.argmax())]))
        if not one.is_named:
            kind = "with" if one.has_list else "without"
            refused[f"{one.corpus}, {kind} a list"].append(likely < LEAST_PROBABILITY)
    lines = ["quality of the chosen list by that of the best, sites left out:"]
    for key, values in sorted(chosen.items()):
        lines.append(f"  {', '.join(key):24} {np.mean(values):.3f} of {len(values)}")
    lines.append("refused:")
    for name, values in sorted(refused.items()):
        lines.append(f"  {name:24} {sum(values)} of {len(values)}")
    return "\n".join(lines)


def scores(ways: Mapping[str, object], one: Sample) -> tuple[Matrix, float]:
    """The score of each candidate, and the probability that the best is a list."""
    ranking, presence = ways[LIST], ways[PRESENCE]
    assert isinstance(ranking, dict)
    assert isinstance(presence, dict)
    names = list(FEATURES)
    found = one.features @ np.array([ranking[name] for name in names])
    best = int(found.argmax())
    values = dict(zip(names, one.features[best], strict=True))
    likely = model.Model(presence).probability(
        {**values, SCORE: float(found[best]) / SCORES}
    )
    return found, likely


def toml(weights: Mapping[str, Mapping[str, float]], samples: Sequence[Sample]) -> str:
    """The weights as they are shipped, with what they were fitted on."""
    digest = hashlib.sha256()
    for one in samples:
        digest.update(one.name.encode())
        digest.update(one.features.round(6).tobytes())
    owners = {one.owner for one in samples}
    lines = [
        "# Weights of named features (`analysis/features.py`), fitted by",
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
