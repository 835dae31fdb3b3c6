"""Fit the weights by which lists of records are chosen, and test them on other sites.

    python benchmarks/fit.py [--write] [-j N] [--keep FILE]

Each list found on a page has features, and a quality by its agreement with the true
records. There are also pages whose list was cut out, and pages with only the first
records of their list. The models are described in `list_models.py`.

The sites are divided into five parts. The weights that are fitted on four parts are
tested on the fifth. Then the weights are fitted on all sites. `--write` writes these
into `amber_wrap/analysis/weights.toml`. `--keep FILE` stores the features, or reads
them if the file exists.
"""

from __future__ import annotations

import hashlib
import sys
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import numpy as np
from commands import command_line
from list_models import FURTHER_FEATURES, Terms, described_by, fitted, further_features
from samples import FOLDS, OWN_CORPUS, SHORT, WITHOUT, Matrix, Sample, collected

from amber_wrap.analysis import additive_model
from amber_wrap.analysis.additive_model import AdditiveModel, StepFunction, Term
from amber_wrap.analysis.features.registry import FEATURES
from amber_wrap.analysis.list_selection import (
    FURTHER_LIST,
    LIST_PRESENCE,
    LIST_RANKING,
    choose_ranked,
)
from amber_wrap.analysis.thresholds import SELECTION


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the weights on samples of pages, print the report, and return the exit
    code.
    """
    parser = command_line(__doc__, "--write", "-j", "--keep")
    options = parser.parse_args(arguments)
    samples = collected(options.keep, options.j)
    if not samples:
        print("fit: there is no corpus, nothing is fitted")
        return 0
    print(fold_report(samples, [fitted(samples, fold) for fold in range(FOLDS)]))
    weights = fitted(samples)
    if options.write:
        path = Path(additive_model.__file__).with_name(additive_model.WEIGHTS)
        path.write_text(weights_toml(weights, samples), "utf-8", newline="\n")
        print(f"wrote {path.name}")
    return 0


def fold_report(samples: Sequence[Sample], folds: Sequence[Terms]) -> str:
    """Return a report on how well lists are chosen on sites that weren't fitted.

    It has the mean quality of chosen lists, and the share of pages on which every list
    is refused. The sites are divided into five parts (folds). `folds` has for each part
    the weights that were fitted on the other parts.
    """
    relative_quality: dict[str, list[float]] = defaultdict(list)
    gain_by_group: dict[str, list[float]] = defaultdict(list)
    refusals: dict[str, list[bool]] = defaultdict(list)
    taken_cut_pages: dict[tuple[str, str], list[bool]] = defaultdict(list)
    wrong_refusals: list[str] = []
    for sample in samples:
        weights = folds[sample.fold]
        choice = chosen_of(weights, sample)
        if sample.has_list:
            round_ = "second" if sample.is_second else "first"
            naming = "named" if sample.is_named else "open"
            best = sample.quality / sample.quality.max()
            group = f"{sample.corpus}, {naming}, {round_}"
            relative_quality[group].append(float(best[choice.number]))
            if len(sample.pairs):
                gain_by_group[group].append(gain_of(sample, weights))
        if sample.is_named:
            continue
        presence = "with" if sample.has_list else "without"
        is_refused = choice.probability < SELECTION.least_probability
        refusals[f"{sample.corpus}, {presence} a list"].append(is_refused)
        if sample.has_list and is_refused and sample.corpus != SHORT:
            page = f"{sample.corpus}/{sample.name}"
            wrong_refusals.append(f"  refused with {choice.probability:.3f}: {page}")
        elif sample.corpus not in (WITHOUT, OWN_CORPUS) and not sample.has_list:
            taken_cut_pages[sample.corpus, sample.site].append(not is_refused)
    lines = ["quality of the chosen list by that of the best, sites left out:"]
    for key, values in sorted(relative_quality.items()):
        lines.append(f"  {key:24} {np.mean(values):.3f} of {len(values)}")
    lines.append("what further lists gain:")
    for key, values in sorted(gain_by_group.items()):
        lines.append(f"  {key:24} {np.mean(values):+.3f} of {len(values)}")
    lines.append("refused:")
    for name, values in sorted(refusals.items()):
        lines.append(f"  {name:24} {sum(values)} of {len(values)}")
    lines += sorted(wrong_refusals)
    if taken_cut_pages:
        lines.append(cut_page_line(taken_cut_pages.values()))
    return "\n".join(lines)


def cut_page_line(pages_of_site: Collection[Sequence[bool]]) -> str:
    """Return a line of the report, about pages whose list was cut out.

    `pages_of_site` has for each site such pages, with True if something else on the
    page is wrongly taken for a list.
    """
    pages = list(chain.from_iterable(pages_of_site))
    share = np.mean(list(map(np.mean, pages_of_site)))
    return (
        f"cut pages of the corpora taken for lists: {sum(pages)} of {len(pages)}, "
        f"{share:.1%} in the mean of {len(pages_of_site)} sites"
    )


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate (list found on a page), in the form that `choose_ranked` needs.

    `number` is the number of the candidate on its page.
    """

    number: int
    score: float
    probability: float
    record_count: float
    span: tuple[int, int]


def chosen_of(weights: Terms, sample: Sample) -> Scored:
    """Return the candidate (list found on the page) that the models choose."""
    scores = scores_of(sample, weights[LIST_RANKING])
    presence = AdditiveModel(weights[LIST_PRESENCE])
    best, record_counts = float(scores.max()), list(FEATURES).index("record_count")

    def scored(number: int) -> Scored:
        begin, end = map(int, sample.spans[number])
        described = described_by(sample, scores, number)
        record_count = float(sample.features[number][record_counts])
        odds = float(scores[number]), presence.probability(described)
        return Scored(number, *odds, record_count, (begin, end))

    order = map(int, np.argsort(-scores, kind="stable"))
    tied = [it for it in order if best - scores[it] <= SELECTION.tied_scores]
    return choose_ranked(list(map(scored, tied)))


def scores_of(sample: Sample, ranking: Mapping[str, Term]) -> Matrix:
    """Return the score that a linear model gives each candidate (list found on a
    page).
    """
    weights = [ranking.get(name, 0.0) for name in FEATURES]
    scores: Matrix = sample.features @ np.array(weights)
    return scores


def gain_of(sample: Sample, weights: Terms) -> float:
    """Return by how much the result for a page gets better if a second list is added.

    The second list is the one with the highest score that the model "further" finds
    likely. Return 0 if there is none.
    """
    scores = scores_of(sample, weights[LIST_RANKING])
    further_model = AdditiveModel(weights[FURTHER_LIST])
    rows = further_features(sample, weights)
    likely_gains = []
    for (first, second, gain), row in zip(sample.pairs[:, :3], rows, strict=True):
        features = dict(zip(FURTHER_FEATURES, row, strict=True))
        odds = further_model.probability(features)
        if int(first) == scores.argmax() and odds > SELECTION.further_list_probability:
            likely_gains.append((-scores[int(second)], gain))
    return min(likely_gains)[1] if likely_gains else 0.0


def weights_toml(weights: Terms, samples: Sequence[Sample]) -> str:
    """Return the weights as TOML.

    The text also has the number of the samples that were fitted, and their digest.
    """
    digest = hashlib.sha256()
    for sample in samples:
        digest.update(sample.name.encode())
        digest.update(sample.features.round(6).tobytes())
    lines = [
        "# Weights of named features (`analysis/features`), fitted by",
        "# benchmarks/fit.py --write; not to be changed by hand.",
        f"# {len(samples)} samples of {len({it.owner for it in samples})} sites,",
        f"# sha256 {digest.hexdigest()}.",
    ]
    for name, values in weights.items():
        lines += ["", f"[{name}]"]
        lines += [f"{feature} = {term_toml(term)}" for feature, term in values.items()]
    return "\n".join(lines) + "\n"


def term_toml(term: Term) -> str:
    """Return a weight or step function of a model as TOML."""
    if not isinstance(term, StepFunction):
        return f"{term:.4f}"
    at, adds = (", ".join(map("{:.4f}".format, it)) for it in (term.at, term.adds))
    return f"{{ at = [{at}], adds = [{adds}] }}"


if __name__ == "__main__":
    sys.exit(main())
