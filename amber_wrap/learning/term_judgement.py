"""Decide which terms to add to a list of terms, or to reject (AMBER paper, section
4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from amber_wrap.domain.gazetteers import LearnedLists
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.term_evidence import Evidence
from amber_wrap.learning.thresholds import LEARNING

TermDecision = Literal["add", "reject", "wait"]
"""The decision about a term: add it to a list, reject it, or wait for more evidence."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """The decision about a term of an attribute type, and its reason.

    `decision` is "add", "reject" or "wait". `evidence` has the numbers of records for
    and against the term.
    """

    type: str
    term: str
    decision: TermDecision
    reason: str
    evidence: Evidence


def judge_evidence(
    evidence: Iterable[Evidence],
    domain: Domain,
    known: LearnedLists,
    least_sites: int = LEARNING.least_sites,
) -> Iterator[Judgement]:
    """Yield decisions to add terms to lists, to reject terms, or to wait for evidence.

    `evidence` has terms of attribute types, such as the town "Bath". A record supports
    a term if its value of the term's type contains the term. A record opposes a term if
    the record displays the term, but has another value of the type, such as the town
    "Oxford". The opposing records prevail if there are at least `noise_ratio` times as
    many of them as of supporting records. For a term that is only in a gazetteer (a
    list of terms that people wrote), `LEARNING.added_records` is first added to the
    number of supporting records.

    The type of a term has gazetteers in `domain`, and a learned list in `known`. The
    first rule that applies decides on the term:

    - If the term was rejected before, there is no decision.
    - If the opposing records prevail, a term in a list is rejected. There is no
      decision on a term in no list.
    - If the term is in a list, or if no record supports it, there is no decision.
    - If a list of a disjoint type has the term, wait. (No value belongs to two disjoint
      types.)
    - Otherwise, the term is added.

    Instead of rejecting or adding a term, wait if the opposing or the supporting
    records are on fewer than `least_sites` sites. `domain` must not include the learned
    lists.
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
    """Return the reason for waiting until more sites have a term.

    An example is "on 1 of 2 sites needed". `number` is the number of sites that have
    the term, and `least` the number needed.
    """
    return f"on {number} of {least} sites needed"


def apply_judgements(
    judgements: Iterable[Judgement], lists: LearnedLists
) -> LearnedLists:
    """Return the lists of terms, changed by decisions on terms.

    The decision "add" adds a term to the learned list of its type. "reject" moves the
    term to the list of rejected terms. "wait" changes nothing.
    """
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
    """Return the casefolded terms in the gazetteers of a domain, by attribute type.

    A gazetteer is a list of terms, such as towns. A domain is a kind of records.
    """
    return {
        kind.name: _casefolded(
            term for name in kind.gazetteers for term in domain.gazetteers[name].terms
        )
        for kind in domain.schema.types
    }


def _disjoint_type(
    folded: str, kind: str, domain: Domain, terms: Mapping[str, Collection[str]]
) -> str:
    """Return a type that has a term, and that is disjoint from the type `kind`.

    Two types are disjoint if no value belongs to both. `folded` is the casefolded term.
    `terms` are the casefolded terms of each type. Return "" if there is no such type.
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

    The types are sorted, too. Types without terms are left out.
    """
    listed = ((kind, sorted(kind_terms)) for kind, kind_terms in sorted(terms.items()))
    return {kind: tuple(kind_terms) for kind, kind_terms in listed if kind_terms}
