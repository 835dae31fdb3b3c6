"""Decide which terms to add to a word list, or to reject (AMBER paper, section 4).

A term is a value such as the town "Oxford".
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from amber_wrap.domain.learned_lists import LearnedLists
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.term_evidence import Evidence
from amber_wrap.learning.thresholds import LEARNING

TermDecision = Literal["add", "reject", "wait"]
"""The decision about a term: add it to a word list, reject it, or wait for more
records.
"""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about a term, such as the town "Oxford", and the reason for it."""

    type: str
    term: str
    decision: TermDecision
    reason: str
    evidence: Evidence
    """The numbers of records for and against the term."""


def judge_evidence(
    evidence: Iterable[Evidence],
    domain: Domain,
    known: LearnedLists,
    least_sites: int = LEARNING.least_sites,
) -> Iterator[Judgement]:
    """Yield decisions to add terms to word lists, to reject terms, or to wait.

    A term that a list has is rejected if enough records oppose it. Any other term is
    added if records support it, unless a list of an incompatible type has the term. A
    term waits if fewer than `least_sites` sites agree. `known` are the learned lists.
    """
    learned = {kind: _casefolded(terms) for kind, terms in known.terms.items()}
    listed_terms = {
        kind: terms | learned.get(kind, frozenset())
        for kind, terms in given_terms(domain).items()
    }
    rejected = {kind: _casefolded(terms) for kind, terms in known.rejected.items()}
    ratio = domain.thresholds.noise_ratio
    for seen in evidence:
        folded = seen.term.casefold()
        if seen.type not in listed_terms or folded in rejected.get(seen.type, ()):
            continue
        is_listed = folded in listed_terms[seen.type]
        # A word that people listed is rejected only by much evidence.
        supporting = seen.supporting
        if is_listed and folded not in learned.get(seen.type, ()):
            supporting += LEARNING.added_records
        decision: TermDecision = "wait"
        if seen.opposing and seen.opposing >= ratio * supporting:
            if not is_listed:
                continue
            reason = f"noise in {seen.opposing} records, a value in {seen.supporting}"
            site_count = len(seen.opposing_sites)
            if site_count >= least_sites:
                decision = "reject"
            else:
                reason += f", {few_sites_reason(site_count, least_sites)}"
        elif is_listed or not seen.supporting:
            continue
        elif disjoint := _disjoint_type(folded, seen.type, domain, listed_terms):
            reason = f"also a term of {disjoint}, which is disjoint"
        elif len(seen.sites) < least_sites:
            reason = few_sites_reason(len(seen.sites), least_sites)
        else:
            decision, reason = "add", f"a value in {seen.supporting} records"
        yield Judgement(seen.type, seen.term, decision, reason, seen)


def few_sites_reason(number: int, least: int) -> str:
    """Return the reason for not deciding on a term, such as "on 1 of 2 sites
    needed".
    """
    return f"on {number} of {least} sites needed"


def apply_judgements(
    judgements: Iterable[Judgement], lists: LearnedLists
) -> LearnedLists:
    """Return the word lists after the decisions to add or to reject terms."""
    terms = {kind: set(kind_terms) for kind, kind_terms in lists.terms.items()}
    rejected = {kind: set(kind_terms) for kind, kind_terms in lists.rejected.items()}
    for judgement in judgements:
        if judgement.decision == "add":
            terms.setdefault(judgement.type, set()).add(judgement.term)
        elif judgement.decision == "reject":
            rejected.setdefault(judgement.type, set()).add(judgement.term)
    for kind, kind_terms in rejected.items():
        gone_terms = _casefolded(kind_terms)
        kept = terms.get(kind, set())
        terms[kind] = {term for term in kept if term.casefold() not in gone_terms}
    return LearnedLists(_sorted(terms), _sorted(rejected))


def given_terms(domain: Domain) -> dict[str, frozenset[str]]:
    """Return the casefolded terms in the word lists of a domain, by attribute type."""
    return {
        kind.name: _casefolded(
            term for name in kind.gazetteers for term in domain.gazetteers[name].terms
        )
        for kind in domain.schema.types
    }


def _disjoint_type(
    folded: str, kind: str, domain: Domain, terms: Mapping[str, Collection[str]]
) -> str:
    """Return a type that has the term `folded` in a list, and that excludes the type
    `kind`.

    No value can have both types. Return "" if there is no such type. `terms` has the
    casefolded terms of each type.
    """
    for pair in domain.schema.disjoint:
        for first, second in (pair, pair[::-1]):
            if first == kind and folded in terms.get(second, ()):
                return second
    return ""


def _casefolded(terms: Iterable[str]) -> frozenset[str]:
    """Return the set of the casefolded terms."""
    return frozenset(term.casefold() for term in terms)


def _sorted(terms: Mapping[str, Collection[str]]) -> dict[str, tuple[str, ...]]:
    """Return the terms of each attribute type as a sorted tuple.

    The types are sorted, and types without terms are left out.
    """
    listed = ((kind, sorted(kind_terms)) for kind, kind_terms in sorted(terms.items()))
    return {kind: tuple(kind_terms) for kind, kind_terms in listed if kind_terms}
