"""Show where learned terms come from, and drop a site with its terms."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from amber_wrap.domain.gazetteers import LearnedLists, read_lists
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
    """The result of forgetting a site.

    `pages` are the names of the site's pages. `dropped` are the lines that were removed
    from the lists of terms.
    """

    domain: str
    site: str
    pages: tuple[str, ...]
    dropped: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class TermHistory:
    """All facts that are known about a term, in any casing.

    `sightings` are the pages with the term. `listings` are the lines of lists with the
    term. `reviews` are people's changes of these lines. `judgements` are the decisions
    that would be made about the term now.
    """

    term: str
    sightings: tuple[TermSighting, ...]
    listings: tuple[Listing, ...]
    reviews: tuple[TermReview, ...]
    judgements: tuple[Judgement, ...]

    @property
    def is_empty(self) -> bool:
        """Whether nothing is known about the term."""
        return not (self.sightings or self.listings or self.reviews)


def forget_site(
    site: str,
    domain: Domain,
    folder: Path,
    store: Store,
    time: datetime,
    least_sites: int = LEARNING.least_sites,
) -> ForgottenSite:
    """Drop the evidence from a site, and the terms that have too little other evidence.

    Return the site's pages and the dropped lines of lists. A line is dropped if its
    term was found on the site, and if the evidence from all other sites isn't enough
    for the line. Evidence from at least `least_sites` sites is needed. Lines that a
    person added stay.

    `folder` is the folder of `domain`, a kind of records. Raise LearningError for an
    unknown site. Call this function inside a transaction.
    """
    file_lists = read_lists(folder, domain.schema)
    lists = lists_with_edits(store, file_lists, domain.schema, time)
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
    added_by_people = {
        _casefolded_line(review.entry) for review in store.reviews() if review.kept
    }
    dropped = {
        entry
        for entry in list_entries(lists)
        if (entry[0], entry[2].casefold()) in observed_terms
        and _casefolded_line(entry) not in supported
        and _casefolded_line(entry) not in added_by_people
    }
    store.intend(list_entries(file_lists), list_entries(lists) - dropped, time)
    pages = tuple(sorted(lesson.page for lesson in forgotten_lessons))
    return ForgottenSite(domain.name, site, pages, tuple(sorted(dropped)))


def term_history(
    term: str, domain: Domain, folder: Path, store: Store, time: datetime
) -> TermHistory:
    """Return the facts from pages, lists and reviews about a term, in any casing.

    A review is a person's change of a list. `folder` is the folder of `domain` (a kind
    of records) with the text files of the lists. New changes of the files are stored in
    `store` with `time`. Call this function inside a transaction.
    """
    file_lists = read_lists(folder, domain.schema)
    lists = lists_with_edits(store, file_lists, domain.schema, time)
    folded = term.casefold()
    current, reviewed = list_entries(lists), reviewed_terms(store)
    return TermHistory(
        term,
        store.history(term),
        tuple(
            listing
            for listing in store.listings()
            if listing.entry[2].casefold() == folded and listing.entry in current
        ),
        tuple(
            review for review in store.reviews() if review.entry[2].casefold() == folded
        ),
        tuple(
            judgement
            for judgement in judge_evidence(
                gather_evidence(store.lessons()), domain, lists
            )
            if judgement.term.casefold() == folded
            and (judgement.type, folded) not in reviewed
        ),
    )


def _supported_lines(
    lessons: Collection[Lesson], domain: Domain, lists: LearnedLists, least_sites: int
) -> frozenset[Entry]:
    """Return the lines that lists of terms would have with no evidence but `lessons`.

    A lesson has the evidence for and against terms on one page. A line is returned only
    if pages of at least `least_sites` sites have evidence for it. A rejected term is
    returned only if it is in `lists` or in the domain's gazetteers (lists by people).
    The terms of the result are casefolded.
    """
    evidence = gather_evidence(lessons)
    gazetteer_terms = given_terms(domain)
    # Only listed terms can be rejected as noise.
    listed = to_lists(
        (kind, "terms", term)
        for kind, _, term in list_entries(lists)
        if term.casefold() not in gazetteer_terms[kind]
    )
    return frozenset(
        [
            _casefolded_line((judgement.type, "terms", judgement.term))
            for judgement in judge_evidence(
                evidence, domain, LearnedLists(), least_sites
            )
            if judgement.decision == "add"
        ]
        + [
            _casefolded_line((judgement.type, "rejected", judgement.term))
            for judgement in judge_evidence(evidence, domain, listed, least_sites)
            if judgement.decision == "reject"
        ]
    )


def _casefolded_line(entry: Entry) -> Entry:
    """Return an entry (a line of a list of terms) with its term casefolded."""
    kind, list_name, term = entry
    return kind, list_name, term.casefold()


def _unknown_site(site: str, lessons: Collection[Lesson]) -> str:
    """Return the error message for a site from which nothing was learned.

    The message names known sites, and a site with a similar name, if there is one.
    """
    known_sites = sorted({lesson.site for lesson in lessons})
    close = get_close_matches(site, known_sites, n=1)
    hint = f": did you mean {close[0]!r}?" if close else ""
    return (
        f"nothing was learned from the site {site!r}{hint} (known: "
        f"{', '.join(known_sites[:20]) or 'none'})"
    )
