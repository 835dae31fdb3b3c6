"""Describe the lists found on pages, to fit the models that choose among them.

A sample is a page with its candidates (lists found on the page). Each candidate has
features, and a quality by its agreement with the true records.
"""

from __future__ import annotations

import hashlib
import pickle
import tomllib
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

import numpy as np
import truths
from corpus import corpus_folder
from cutting import without, without_list
from numpy.typing import NDArray
from processes import workers

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.features.registry import features
from amber_wrap.analysis.further_lists import (
    RELATIONS,
    may_be_further_list,
    relation_values,
)
from amber_wrap.analysis.list_selection import TakenNodes, displayed_length
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.domain.schema import Domain
from amber_wrap.passes.analysis import annotate_samples
from amber_wrap.settings import DEFAULTS
from amber_wrap.strategies import ANY_TYPE, identify_all

FOLDS = 5
"""The number of parts into which all sites are divided for cross-validation."""
LEAST_QUALITY = 0.5
"""A page counts as having a list if the quality of some found list exceeds this
number.
"""
OWN = truths.HERE.parent / "tests" / "cases"
"""The folder of the project's own pages."""
LEAST_MAIN, MOST_MAINS = 0.4, 12
"""Limits for the first list of a pair.

One is the least quality of the list, relative to the best list of the page. The other
is the greatest number of first lists on a page.
"""
OWN_CORPUS = "own"
"""The corpus name of the project's own pages that have a list."""
WITHOUT, SHORT = "none", "short"
"""The names of two corpora.

"none" has the project's own pages without a list. "short" has pages of which only the
first records are kept.
"""
FEWEST, MOST_LEFT = 3, 6
"""The least and the greatest number of records that a shortened page keeps."""
SECOND_LISTS = truths.HERE / "second_lists.txt"
"""A file with the names of pages that have a second list, as "corpus/page".

If the main list of such a page is cut out, the page still has a list.
"""
Matrix = NDArray[np.float64]
"""An array of numbers."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A page with its candidates (lists found on the page).

    `features` has a row for each candidate. `quality` is the agreement of each
    candidate with the true records. `spans` has the first and the last node of each
    candidate. A row of `pairs` has the numbers of two candidates, the gain of quality
    by adding the second, and relations of the two. Only pages with a given domain (kind
    of records) have pairs.
    """

    corpus: str
    site: str
    owner: str
    is_second: bool
    name: str
    is_named: bool
    features: Matrix
    quality: Matrix
    pairs: Matrix
    spans: Matrix

    @property
    def fold(self) -> int:
        """The number of the part of all sites, for cross-validation, that the page is
        in.

        All sites of one owner are in the same part.
        """
        return fold_of(self.owner)

    @property
    def has_list(self) -> bool:
        """Whether the page has a list: a candidate that agrees well with the true
        records."""
        return bool(len(self.quality)) and float(self.quality.max()) > LEAST_QUALITY


def fold_of(owner: str) -> int:
    """Return the number of the part of all sites, for cross-validation, that an
    owner is in.
    """
    return int(hashlib.sha256(owner.encode()).hexdigest(), 16) % FOLDS


def collected(file: Path | None = None, jobs: int = 2) -> list[Sample]:
    """Return the samples of all corpora, in the order of their pages.

    If `file` exists, the samples are read from it. Otherwise, they are written into it.
    Without a corpus, return no samples.
    """
    if file and file.exists():
        all_samples: list[Sample] = pickle.loads(file.read_bytes())
        return all_samples
    pages = [*truths.true_pages(corpus_folder())]
    if not pages:
        return []
    with workers(jobs) as run:
        samples_by_page = run(samples_of, [*pages, *own_pages()])
        all_samples = [*chain.from_iterable(samples_by_page)]
    if file:
        file.write_bytes(pickle.dumps(all_samples))
    return all_samples


def own_pages() -> Iterator[truths.TruePage]:
    """Yield the project's own pages, with a list and without a list."""
    for path in sorted((OWN / "any-list").glob("*.toml")):
        rows = tuple(map(tuple, tomllib.loads(path.read_text("utf-8"))["rows"]))
        place = OWN_CORPUS, path.with_suffix(".html"), path.stem, f"own:{path.stem}"
        yield truths.TruePage(*place, rows=rows)
    for path in sorted((OWN / "without-a-list").glob("*.html")):
        yield truths.TruePage(WITHOUT, path, path.stem, f"own:{path.stem}")


def samples_of(true_page: truths.TruePage) -> list[Sample]:
    """Return several samples of a page.

    One is made with all domains (kinds of records), and one with the page's own domain.
    Others are made after cutting out the list, or all but its first records.
    """
    domains = [load_domain(name) for name in built_in_domains()]
    page = parse(true_page.file.read_bytes())
    quality = true_page.quality(page)
    page_samples = [sampled(true_page, described(page, domains), quality)]
    if true_page.domain:
        views = described(page, [load_domain(true_page.domain)])
        page_samples.append(sampled(true_page, views, quality, is_named=True))
    name = f"{true_page.corpus}/{page_samples[0].name}"
    if page_samples[0].has_list and name not in truths.listed(SECOND_LISTS):
        cut_page = without_list(true_page, page, lambda rest: lists_of(rest, domains))
        views = described(cut_page, domains)
        page_samples.append(sampled(true_page, views, lambda records: 0.0))
    if page_samples[0].has_list and true_page.corpus != OWN_CORPUS:
        page_samples += filter(None, [_shortened(true_page, domains)])
    return [sample for sample in page_samples if len(sample.quality)]


def sampled(
    true_page: truths.TruePage,
    views: Sequence[CandidateView],
    quality: truths.Quality,
    is_named: bool = False,
) -> Sample:
    """Return the sample of a page with the given candidates (lists found on the page).

    `quality` rates a candidate. `is_named` says whether the page's kind of records was
    given.
    """
    qualities = [quality(view.records) for view in views]
    pairs = [*pairs_of(views, qualities, quality)] if is_named else []
    return Sample(
        true_page.corpus,
        true_page.site,
        true_page.owner,
        truths.round_of(true_page.corpus, true_page.site) == truths.SECOND,
        f"{true_page.site}/{true_page.file.name}",
        is_named,
        np.array([list(features(view).values()) for view in views]),
        np.array(qualities),
        np.array(pairs).reshape(-1, 3 + len(RELATIONS)),
        np.array([view.span for view in views]),
    )


def _shortened(
    true_page: truths.TruePage, domains: Collection[Domain]
) -> Sample | None:
    """Return the sample of a page on which only the first few records are kept.

    The records are those of the found list that agrees best with the true records.
    Return None if this list is too short, or isn't the best on the shortened page.
    """
    page = parse(true_page.file.read_bytes())
    best = max(lists_of(page, domains), key=true_page.quality(page))
    name = f"{true_page.file.name}{true_page.site}"
    digest = int(hashlib.sha256(name.encode()).hexdigest(), 16)
    count = FEWEST + digest % (MOST_LEFT - FEWEST + 1)
    if len(best) < count + 2:
        return None
    short_page = without(page, [record.nodes for record in best[count:]])
    views = described(short_page, domains)
    sample = sampled(true_page, views, true_page.quality(short_page))
    if not sample.quality.any():
        return None
    if abs(len(views[int(sample.quality.argmax())].records) - count) > 1:
        return None
    return replace(sample, corpus=SHORT, quality=sample.quality / sample.quality.max())


def described(page: Page, domains: Collection[Domain]) -> list[CandidateView]:
    """Return the candidates of a page: all lists that may be the list of results."""
    [annotated] = annotate_samples([page], list(domains), DEFAULTS)
    candidates = identify_all(page, annotated, DISTANCES["fast"](page))[ANY_TYPE]
    types = {kind.name: kind for one in annotated for kind in one.domain.schema.types}
    claims = {claim for one in annotated for claim in one.annotations}
    is_named, links = len(annotated) == 1, annotated[0].links
    page_counts = PageCounts(page, claims, types.values(), links, is_named)
    most = max((displayed_length(page, one.records) for one in candidates), default=1)
    return [CandidateView(page_counts, candidate, most) for candidate in candidates]


def lists_of(page: Page, domains: Collection[Domain]) -> list[tuple[Record, ...]]:
    """Return the candidates of a page: each list that was found, as its records."""
    return [view.records for view in described(page, domains)]


def pairs_of(
    views: Sequence[CandidateView], qualities: Sequence[float], quality: truths.Quality
) -> Iterator[list[float]]:
    """Yield pairs of lists found on a page, as rows of `Sample.pairs`.

    A row has the indices of two lists, the gain of quality by adding the second, and
    relations of the two. The first list of a pair is the best one, or one that may be
    chosen by mistake.
    """
    if not views or not views[0].page_counts.identifying:
        return
    order = sorted(range(len(views)), key=lambda number: -qualities[number])
    least = LEAST_MAIN * qualities[order[0]]
    for first in [it for it in order if qualities[it] >= least > 0][:MOST_MAINS]:
        taken = TakenNodes(views[first].page)
        taken.take(views[first].records)
        for second, second_view in enumerate(views):
            pair = views[first], second_view
            if taken.is_free(second_view.records) and may_be_further_list(*pair):
                both = quality((*views[first].records, *second_view.records))
                relations = relation_values(*pair).values()
                yield [first, second, both - qualities[first], *relations]
