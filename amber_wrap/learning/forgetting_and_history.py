"""Forget the pages of a site, and look up the history of a term.

A term is a value of a type, such as the name of a town.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from amber_wrap.domain.gazetteers import LearnedLists
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import LearningError
from amber_wrap.learning.list_files import (
    list_entries,
    lists_with_edits,
    reviewed_terms,
    to_lists,
)
from amber_wrap.learning.store import Entry, Listing, Store, TermReview, TermSighting
from amber_wrap.learning.term_evidence import Lesson, gather_evidence
from amber_wrap.learning.term_judgement import Judgement, given_terms, judge_evidence
from amber_wrap.learning.thresholds import LEARNING


@dataclass(frozen=True, slots=True)
class ForgottenSite:
    """The result of forgetting a site: its pages, and the terms lost with them."""

    domain: str
    site: str
    pages: tuple[str, ...]
    """The names of the pages that are forgotten."""
    dropped: tuple[Entry, ...]
    """The lines that were removed from the learned word lists."""


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


def forget_site(
    site: str,
    domain: Domain,
    folder: Path,
    store: Store,
    time: datetime,
    least_sites: int = LEARNING.least_sites,
) -> ForgottenSite:
    """Forget the pages of a site, and the terms learned from them.

    A term is kept if `least_sites` other sites support it, or if a person added it.
    Raise LearningError for an unknown site. Call this function inside a transaction.
    """
    file_lines, lists = lists_with_edits(store, folder, domain.schema, time)
    forgotten_lessons = [lesson for lesson in store.lessons() if lesson.site == site]
    if not forgotten_lessons:
        raise LearningError(_unknown_site(site, store.lessons()))
    store.forget(site)
    supported = _supported_lines(store.lessons(), domain, lists, least_sites)
    observed_terms = {
        (observation.type, observation.term.casefold())
        for lesson in forgotten_lessons
        for observation in lesson.observations
    }
    kept = supported | {_casefolded_line(it.entry) for it in store.reviews() if it.kept}
    dropped = {
        entry
        for entry in list_entries(lists)
        if (entry[0], entry[2].casefold()) in observed_terms
        and _casefolded_line(entry) not in kept
    }
    store.intend(file_lines, list_entries(lists) - dropped, time)
    pages = tuple(sorted(lesson.page for lesson in forgotten_lessons))
    return ForgottenSite(domain.name, site, pages, tuple(sorted(dropped)))


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


def _supported_lines(
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
    return frozenset(map(_casefolded_line, lines))


def _casefolded_line(entry: Entry) -> Entry:
    """Return a line of a word list with its term casefolded."""
    kind, list_name, term = entry
    return kind, list_name, term.casefold()


def _unknown_site(site: str, lessons: Collection[Lesson]) -> str:
    """Return the error message for a site from which nothing was learned.

    The message names known sites, and a similar name if there is one.
    """
    known_sites = sorted({lesson.site for lesson in lessons})
    close = get_close_matches(site, known_sites, n=1)
    hint = f": did you mean {close[0]!r}?" if close else ""
    known = ", ".join(known_sites[:20]) or "none"
    return f"nothing was learned from the site {site!r}{hint} (known: {known})"
