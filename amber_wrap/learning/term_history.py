"""Look up when and on which pages a term was learned."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from amber_wrap.domain.learned_lists import LearnedLists
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.list_files import (
    list_entries,
    lists_with_edits,
    reviewed_terms,
    to_lists,
)
from amber_wrap.learning.store import Entry, Listing, Store, TermReview, TermSighting
from amber_wrap.learning.term_evidence import Lesson, gather_evidence
from amber_wrap.learning.term_judgement import Judgement, given_terms, judge_evidence


@dataclass(frozen=True, slots=True)
class TermHistory:
    """The pages and word lists that have a term, in any casing, and the decisions on
    the term.

    Learning decides on a term, and so do people who edit a word list.
    """

    term: str
    sightings: tuple[TermSighting, ...]
    """The pages with the term. Each has the numbers of records that support or oppose
    the term."""
    listings: tuple[Listing, ...]
    """The lines of word lists with the term."""
    reviews: tuple[TermReview, ...]
    """The lines with the term that people added to a list or deleted from it."""
    judgements: tuple[Judgement, ...]
    """The decisions that learning would make about the term now."""

    @property
    def is_empty(self) -> bool:
        """Whether no page, no word list and no person's change has the term."""
        return not (self.sightings or self.listings or self.reviews)


def term_history(
    term: str, domain: Domain, folder: Path, store: Store, time: datetime
) -> TermHistory:
    """Return the pages and word lists that have a term, in any casing, and the
    decisions on the term.

    Call this function inside a transaction.
    """
    _, lists = lists_with_edits(store, folder, domain.schema, time)
    current, reviewed = list_entries(lists), reviewed_terms(store)
    folded, evidence = term.casefold(), gather_evidence(store.lessons())
    return TermHistory(
        term,
        store.history(term),
        tuple(
            listing
            for listing in store.listings()
            if listing.entry[2].casefold() == folded and listing.entry in current
        ),
        tuple(it for it in store.reviews() if it.entry[2].casefold() == folded),
        tuple(
            judged
            for judged in judge_evidence(evidence, domain, lists)
            if judged.term.casefold() == folded
            and (judged.type, folded) not in reviewed
        ),
    )


def supported_lines(
    lessons: Collection[Lesson], domain: Domain, lists: LearnedLists, least_sites: int
) -> frozenset[Entry]:
    """Return the lines of learned word lists for which `lessons` has enough evidence.

    A lesson is the results of one page. The terms in the lines are casefolded.
    """
    evidence = gather_evidence(lessons)
    gazetteer_terms = given_terms(domain)
    # Only listed terms can be rejected as noise.
    listed = to_lists(
        (kind, "terms", term)
        for kind, _, term in list_entries(lists)
        if term.casefold() not in gazetteer_terms[kind]
    )
    to_add = judge_evidence(evidence, domain, LearnedLists(), least_sites)
    to_reject = judge_evidence(evidence, domain, listed, least_sites)
    lines: set[Entry] = {
        (it.type, "terms", it.term) for it in to_add if it.decision == "add"
    }
    lines |= {
        (it.type, "rejected", it.term) for it in to_reject if it.decision == "reject"
    }
    return frozenset(map(casefolded_line, lines))


def casefolded_line(entry: Entry) -> Entry:
    """Return a line of a word list with its term casefolded."""
    kind, list_name, term = entry
    return kind, list_name, term.casefold()
