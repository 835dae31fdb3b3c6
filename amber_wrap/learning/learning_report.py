"""Report which terms were learned from which pages, and forget the pages of a site.

A term is a value of a type, such as the name of a town.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from amber_wrap.domain.gazetteers import LearnedLists
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import LearningError
from amber_wrap.learning.list_files import (
    list_entries,
    list_file_name,
    lists_with_edits,
    reviewed_terms,
    to_lists,
)
from amber_wrap.learning.session import LearningOutcome
from amber_wrap.learning.store import Entry, Listing, Store, TermReview, TermSighting
from amber_wrap.learning.term_evidence import Lesson, gather_evidence
from amber_wrap.learning.term_judgement import Judgement, given_terms, judge_evidence
from amber_wrap.learning.thresholds import LEARNING
from amber_wrap.values.texts_and_urls import number_of

_WIDTH: Final = 32
"""The most characters of a cell in a table of terms."""
SHOWN_NAMES: Final = 3
"""The most sites or pages that a cell in a table of terms names."""
SHOWN_SITES: Final = 8
"""The most sites that the command `learn` names in its line `sites:`."""
SHOWN_REASONS: Final = 6
"""The most reasons for undecided terms that the command `learn` prints.

The most frequent reasons are printed.
"""

_HEAD: Final = ("type", "term", "for", "against", "sites", "pages", "because")
"""The column titles of the table of decisions on terms.

"for" and "against" are the numbers of records that support or oppose the term.
"""


def learning_table(outcome: LearningOutcome) -> str:
    """Return the text that the command `learn` prints.

    It has the numbers of pages and terms, the added and rejected terms, and the reasons
    for undecided terms.
    """
    sites = number_of(len(outcome.sites), "site")
    lines = [
        f"{outcome.domain}: {number_of(outcome.pages, 'page')} of {sites}, "
        f"{number_of(outcome.rounds, 'round')}"
    ]
    if outcome.sites:
        lines.append(f"  sites: {_first_names(outcome.sites, SHOWN_SITES)}")
    lines += _judgement_lines("to add", outcome.added)
    lines += _judgement_lines("to reject", outcome.rejected)
    lines += ["", f"waiting: {len(outcome.waiting)}"]
    reasons = Counter(judgement.reason for judgement in outcome.waiting).most_common()
    lines += [f"  {count:5}  {reason}" for reason, count in reasons[:SHOWN_REASONS]]
    if other_count := sum(count for _, count in reasons[SHOWN_REASONS:]):
        lines.append(f"  {other_count:5}  other reasons")
    return "\n".join(lines) + "\n"


def learning_json(outcome: LearningOutcome) -> str:
    """Return all results of the command `learn` as one JSON object."""
    return json.dumps(asdict(outcome), ensure_ascii=False, indent=2) + "\n"


def forget_text(forgotten: ForgottenSite) -> str:
    """Return the text that the command `learn forget` prints.

    It names the site and the terms that are forgotten with it.
    """
    pages = number_of(len(forgotten.pages), "page")
    terms = number_of(len(forgotten.dropped), "term")
    head = f"{forgotten.domain}: forget {pages} of {forgotten.site}; this drops {terms}"
    lines = [f"  {_list_file(it):28}  {_shortened(it[2])}" for it in forgotten.dropped]
    return "\n".join([head, *lines]) + "\n"


def history_text(history: TermHistory) -> str:
    """Return the text that the command `learn history` prints for one term.

    It names the pages and lists with the term, people's changes, and the decisions on
    it.
    """
    rows: list[tuple[str, ...]] = [
        ("learned", "type", "term", "for", "against", "site", "page")
    ]
    for it in history.sightings:
        seen, places = it.observation, (_shortened(it.site), _shortened(it.page))
        counts = str(seen.supporting), str(seen.opposing)
        rows.append((it.time, seen.type, _shortened(seen.term), *counts, *places))
    lines = list(_table_lines(rows)) if history.sightings else []
    for listing in history.listings:
        lines.append(f"listed in {_list_file(listing.entry)} since {listing.time}")
    for review in history.reviews:
        verb = "added to" if review.kept else "deleted from"
        list_file = _list_file(review.entry)
        lines.append(f"{verb} {list_file} in review, noticed {review.time}")
    for judged in history.judgements:
        term, verdict = _shortened(judged.term), f"{judged.decision} ({judged.reason})"
        lines.append(f"{judged.type}: {term}: {verdict}")
    return "\n".join(lines) + "\n"


def _judgement_lines(title: str, judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yield the lines of a table with the decisions on terms.

    An empty line and a title with the number of decisions come first.
    """
    yield ""
    yield f"{title}: {len(judgements)}"
    if judgements:
        yield from _table_lines([_HEAD, *map(_judgement_row, judgements)])


def _judgement_row(judgement: Judgement) -> tuple[str, ...]:
    """Return the table cells for the decision on a term.

    For a rejected term, the cells name the sites and pages whose records oppose the
    term.
    """
    evidence = judgement.evidence
    sites, pages = evidence.sites, evidence.pages
    if judgement.decision == "reject":
        sites, pages = evidence.opposing_sites, evidence.opposing_pages
    term, names = _shortened(judgement.term), map(_first_names, (sites, pages))
    counts = str(evidence.supporting), str(evidence.opposing)
    return (judgement.type, term, *counts, *names, judgement.reason)


def _table_lines(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield a table's rows as lines, with cells of a column padded to equal width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def _first_names(names: Sequence[str], limit: int = SHOWN_NAMES) -> str:
    """Return the first `limit` names as text, each shortened.

    If there are more names, their number follows: "a.com, b.com and 3 more".
    """
    hidden_count = len(names) - limit
    first_names = ", ".join(map(_shortened, names[:limit]))
    return f"{first_names} and {hidden_count} more" if hidden_count > 0 else first_names


def _shortened(text: str) -> str:
    """Return a text cut to `_WIDTH` characters.

    A text that is cut ends with "…".
    """
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _list_file(entry: Entry) -> str:
    """Return the path of the text file that has a line of a word list.

    The path is relative to the domain's folder, for example "learned/city.txt".
    """
    return f"learned/{list_file_name(entry[:2])}"


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
