"""Forget the pages of a site, and the terms learned from them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path

from amber_wrap.domain.schema import Domain
from amber_wrap.errors import LearningError
from amber_wrap.learning.list_files import list_entries, lists_with_edits
from amber_wrap.learning.store import Entry, Store
from amber_wrap.learning.term_evidence import Lesson
from amber_wrap.learning.term_history import casefolded_line, supported_lines
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
    supported = supported_lines(store.lessons(), domain, lists, least_sites)
    observed_terms = {
        (observation.type, observation.term.casefold())
        for lesson in forgotten_lessons
        for observation in lesson.observations
    }
    kept = supported | {casefolded_line(it.entry) for it in store.reviews() if it.kept}
    dropped = {
        entry
        for entry in list_entries(lists)
        if (entry[0], entry[2].casefold()) in observed_terms
        and casefolded_line(entry) not in kept
    }
    store.intend(file_lines, list_entries(lists) - dropped, time)
    pages = tuple(sorted(lesson.page for lesson in forgotten_lessons))
    return ForgottenSite(domain.name, site, pages, tuple(sorted(dropped)))


def _unknown_site(site: str, lessons: Collection[Lesson]) -> str:
    """Return the error message for a site from which nothing was learned.

    The message names known sites, and a similar name if there is one.
    """
    known_sites = sorted({lesson.site for lesson in lessons})
    close = get_close_matches(site, known_sites, n=1)
    hint = f": did you mean {close[0]!r}?" if close else ""
    known = ", ".join(known_sites[:20]) or "none"
    return f"nothing was learned from the site {site!r}{hint} (known: {known})"
