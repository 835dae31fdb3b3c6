"""Features of the annotations in records."""

from __future__ import annotations

from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.registry import Feature, feature
from amber_wrap.analysis.features.statistics import log_share, mean
from amber_wrap.domain.schema import ValueKind


@feature
def types_per_record(view: CandidateView) -> float:
    """Return the mean number of annotated types in a record, on a logarithmic scale."""
    return log_share(sum(view.type_shares.values()), 15)


@feature
def types_in_most(view: CandidateView) -> float:
    """Return the number of types that are annotated in most records, on a logarithmic
    scale.
    """
    return log_share(sum(one > 0.6 for one in view.type_shares.values()), 15)


@feature
def prices(view: CandidateView) -> float:
    """Return the share of records with an annotated amount of money.

    If the domain has several types of money, return the share for the most frequent
    type.
    """
    return _share_of_kind(view, ValueKind.MONEY)


@feature
def dates(view: CandidateView) -> float:
    """Return the share of records with an annotated date.

    If the domain has several types of dates, return the share for the most frequent
    type.
    """
    return _share_of_kind(view, ValueKind.DATE)


@feature
def one_price_or_date(view: CandidateView) -> float:
    """Return the share of records with exactly one amount of money, or exactly one
    date.

    The share is computed for each type of money or date, and the largest share is
    returned.
    """
    shares = [
        mean(one == 1 for one in view.counts(sums))
        for name, sums in view.claims.items()
        if view.measures.kinds[name].kind in (ValueKind.MONEY, ValueKind.DATE)
    ]
    return max(shares, default=0.0)


def _share_of_kind(view: CandidateView, kind: ValueKind) -> float:
    shares = [
        share
        for name, share in view.type_shares.items()
        if view.measures.kinds[name].kind is kind
    ]
    return max(shares, default=0.0)


def _named(function: Feature) -> None:
    def named(view: CandidateView) -> float:
        return function(view) if view.measures.is_named else 0.0

    named.__name__ = f"named_{function.__name__}"
    named.__doc__ = f"`{function.__name__}` where the domain is named, else 0."
    feature(named)


for _one in (prices, types_in_most, types_per_record, one_price_or_date):
    _named(_one)
