"""Find further lists with the same kind of records, such as sponsored results.

A fitted model compares further lists with the chosen list, while AMBER takes every list
with enough values (AMBER paper, section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log, log2
from typing import Final

from amber_wrap.analysis.additive_model import fitted_model
from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.features.list_counts import ListView, mean
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.list_selection import FURTHER_LIST, Ranked, TakenNodes
from amber_wrap.analysis.thresholds import SELECTION

Relation = Callable[[ListView, ListView], float]
"""A function that compares the chosen list, the first argument, with another list."""
RELATIONS: dict[str, Relation] = {}
"""Functions that compare the chosen list with another list, by name.

A high result makes it likely that both lists have the same kind of records.
"""
OWN_ODDS: Final = "own_odds"
"""The name of a feature: the log-odds that a list is a list of results, estimated
without a comparison with the chosen list.
"""
ODDS_SCALE: Final = 7.0
"""The number by which log-odds are divided to get values from -1 to 1."""


def relation(function: Relation) -> Relation:
    """Register `function`, which compares two lists of records, in `RELATIONS`.

    Return `function` unchanged.
    """
    RELATIONS[function.__name__] = function
    return function


@relation
def same_types(main: ListView, candidate: ListView) -> float:
    """Return how similar two lists are in the types of their values, 0 to 1.

    Return 0 if no values were recognised in `main`.
    """
    main_shares, candidate_shares = main.type_shares, candidate.type_shares
    total = sum(main_shares.values())
    common = sum(
        min(share, candidate_shares[name]) for name, share in main_shares.items()
    )
    return common / total if total else 0.0


@relation
def same_pivots(main: ListView, candidate: ListView) -> float:
    """Compare how often records of two lists have identifying values, such as prices.

    Return the mean number of types of such values in a record of `candidate`, divided
    by the mean for `main`, but at most 1. Return 0.5 if the mean for `main` is too low
    for a comparison.
    """
    main_mean, candidate_mean = _identifying_types(main), _identifying_types(candidate)
    if main_mean <= SELECTION.known_type_mean:
        # A further list isn't expected to have identifying types either.
        return 0.5
    return min(1.0, candidate_mean / main_mean)


@relation
def length(main: ListView, candidate: ListView) -> float:
    """Return how much longer the records of `candidate` are than the records of `main`.

    The result is on a logarithmic scale from -1 to 1, and 0 for equal lengths.
    """
    main_length = main.text_length / len(main.records)
    candidate_length = candidate.text_length / len(candidate.records)
    return max(-1.0, min(1.0, log2((candidate_length + 5) / (main_length + 5)) / 4))


@relation
def outside(main: ListView, candidate: ListView) -> float:
    """Compare how many records of two lists are in asides, such as menus.

    Return 1, plus the share of records of `main` in asides, minus the share of records
    of `candidate` in asides.
    """
    asides = main.page_counts.regions.asides
    return 1 + main.share_in(asides) - candidate.share_in(asides)


def _identifying_types(view: ListView) -> float:
    """Return the mean number of types of identifying values in a record.

    An identifying value, such as the price, is one that each record should have.
    """
    return sum(view.type_shares.get(name, 0.0) for name in view.page_counts.identifying)


def further_lists(
    page_counts: PageCounts, ranked: Sequence[Ranked]
) -> Iterator[Segmentation]:
    """Yield the lists with the same kind of records as the first list in `ranked`.

    Better lists come first, and no two lists share a node. Yield nothing if links are
    the only values that each record should have.
    """
    if not ranked or not page_counts.identifying:
        return
    main, further_model = (
        ListView(page_counts, ranked[0].segmentation),
        fitted_model(FURTHER_LIST),
    )
    taken_nodes = TakenNodes(page_counts.page)
    taken_nodes.take(main.records)
    for ranked_list in ranked:
        if not taken_nodes.is_free(ranked_list.segmentation.records):
            continue
        candidate = ListView(page_counts, ranked_list.segmentation)
        if may_be_further_list(main, candidate):
            own_odds = scaled_log_odds(ranked_list.probability_anywhere)
            feature_values = {**relation_values(main, candidate), OWN_ODDS: own_odds}
            if (
                further_model.probability(feature_values)
                > SELECTION.further_list_probability
            ):
                taken_nodes.take(candidate.records)
                yield ranked_list.segmentation


def may_be_further_list(main: ListView, candidate: ListView) -> bool:
    """Return whether a list may have the same kind of records as `main`.

    Return False for a list with few records, without values such as prices, or with
    many links that `main` has, too.
    """
    if len(
        candidate.records
    ) < SELECTION.least_certain_records or not _identifying_types(candidate):
        return False
    main_links = main.target_counts
    copied_share = mean(
        any(link in main_links for link in links) for links in candidate.link_targets
    )
    return copied_share <= SELECTION.most_copied


def relation_values(main: ListView, candidate: ListView) -> Mapping[str, float]:
    """Return a mapping with the value of each function in `RELATIONS`, by its name.

    Each function compares the chosen list `main` with the list `candidate`.
    """
    return {name: function(main, candidate) for name, function in RELATIONS.items()}


def scaled_log_odds(probability: float) -> float:
    """Return the log-odds of a probability, scaled to the range from -1 to 1.

    Probabilities are limited to 0.001 and 0.999.
    """
    limited = min(max(probability, 1e-3), 1 - 1e-3)
    return log(limited / (1 - limited)) / ODDS_SCALE
