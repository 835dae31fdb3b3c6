"""The pass `complete`: lists of what the chosen one lists, in another layout.

Results that are paid for, a carousel of offers, cards beside a table: AMBER takes every
data area of a page (section 3.3).  Here a fitted model takes those in whose records
annotators find what they find in the chosen list, the domain being known by now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import log, log2
from typing import Final

from amber_wrap.analysis.additive_model import model
from amber_wrap.analysis.boilerplate import asides_above
from amber_wrap.analysis.extraction_typing import Segmentation
from amber_wrap.analysis.features.measures import Measures
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.view import CandidateView
from amber_wrap.analysis.list_selection import FURTHER, Ranked, TakenNodes

_LEAST_RECORDS: Final = 3
"""Records that a further list has: chance makes pairs."""
MOST_COPIED: Final = 0.5
"""The share of records that link where the chosen list does, too: beyond it the list
shows the same records to other screens."""
_KNOWN: Final = 0.3
"""The share of records from which on it tells something that others lack a type."""
LEAST_LIKELY: Final = 0.5
"""The probability above which a list is a further one."""
Relation = Callable[[CandidateView, CandidateView], float]
RELATIONS: dict[str, Relation] = {}
"""What a further list has to do with the chosen one, by name; the more the likelier."""
OWN_ODDS: Final = "own_odds"
"""The relation that is the logarithm of the odds of the further list being a list,
wherever it stands."""
ODDS: Final = 7.0
"""Its unit."""


def relation(function: Relation) -> Relation:
    """Have a function among the relations."""
    RELATIONS[function.__name__] = function
    return function


@relation
def same_types(main: CandidateView, other: CandidateView) -> float:
    """Return the share of the types in a record of the chosen list that the other
    has, too.
    """
    wanted, found = main.type_shares, other.type_shares
    total = sum(wanted.values())
    common = sum(min(share, found[name]) for name, share in wanted.items())
    return common / total if total else 0.0


@relation
def same_pivots(main: CandidateView, other: CandidateView) -> float:
    """Return the same of regular types; half where the chosen list lacks them."""
    wanted, found = _pivots(main), _pivots(other)
    return min(1.0, found / max(_KNOWN, wanted)) if wanted > _KNOWN else 0.5


@relation
def length(main: CandidateView, other: CandidateView) -> float:
    """Return the text of a record by that of the chosen list, a logarithm."""
    usual, mine = (one.text / len(one.records) for one in (main, other))
    return max(-1.0, min(1.0, log2((mine + 5) / (usual + 5)) / 4))


@relation
def outside(main: CandidateView, other: CandidateView) -> float:
    """Return whether it isn't in a menu and the like more than the chosen list."""
    return 1 + _aside(main) - _aside(other)


def _pivots(view: CandidateView) -> float:
    """Return the types in a record by which those of the domain are told."""
    return sum(view.type_shares.get(name, 0.0) for name in view.measures.telling)


def _aside(view: CandidateView) -> float:
    return mean(bool(asides_above(view.page, one)) for one in view.starts)


def further(measures: Measures, ranked: Sequence[Ranked]) -> Iterator[Segmentation]:
    """Yield the further lists beside the best of some candidates, that of most
    score first.

    The measures are those of one domain; nothing follows where links alone tell it.
    """
    if not ranked or not measures.telling:
        return
    main, fitted = CandidateView(measures, ranked[0].segmentation, 0), model(FURTHER)
    taken = TakenNodes(measures.page)
    taken.take(main.records)
    for one in ranked:
        if not taken.is_free(one.segmentation.records):
            continue
        other = CandidateView(measures, one.segmentation, 0)
        if may_follow(main, other):
            own = odds(one.probability_anywhere)
            values = {**relations(main, other), OWN_ODDS: own}
            if fitted.probability(values) > LEAST_LIKELY:
                taken.take(other.records)
                yield one.segmentation


def may_follow(main: CandidateView, other: CandidateView) -> bool:
    """Return whether a list that overlaps with none may be a further one."""
    if len(other.records) < _LEAST_RECORDS or not _pivots(other):
        return False
    known = main.link_counts
    copied = mean(any(one in known for one in found) for found in other.own_links)
    return copied <= MOST_COPIED


def relations(main: CandidateView, other: CandidateView) -> Mapping[str, float]:
    """Return all relations of a list to the chosen one, but for its own odds."""
    return {name: function(main, other) for name, function in RELATIONS.items()}


def odds(probability: float) -> float:
    """Return a probability as a relation, from -1 to 1."""
    kept = min(max(probability, 1e-3), 1 - 1e-3)
    return log(kept / (1 - kept)) / ODDS
