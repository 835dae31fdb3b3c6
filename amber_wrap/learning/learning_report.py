"""Show the results of learning terms, as tables for people and as JSON for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from amber_wrap.learning.list_files import list_file_name, number_of
from amber_wrap.learning.provenance import ForgottenSite, TermHistory
from amber_wrap.learning.session import LearningOutcome
from amber_wrap.learning.store import Entry
from amber_wrap.learning.term_judgement import Judgement

_WIDTH: Final = 32
"""The greatest number of characters in a table's cell; the JSON has whole texts."""
SHOWN_NAMES: Final = 3
"""The number of sites or pages that a table's cell names."""
SHOWN_SITES: Final = 8
"""The number of sites that the line `sites:` of `learn` names."""
SHOWN_REASONS: Final = 6
"""The greatest number of reasons for undecided terms that `learn` prints. The most
frequent reasons are printed.
"""

_HEAD: Final = ("type", "term", "for", "against", "sites", "pages", "because")
"""The head of the table of judgements."""


def learning_table(outcome: LearningOutcome) -> str:
    """Return the text that the command `learn` prints.

    The text has the numbers of pages and sites, the number of rounds (passes over all
    pages), a table of added terms, and a table of rejected terms. At the end is the
    number of undecided terms, with the most frequent reasons.
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
    lines += [
        f"  {term_count:5}  {reason}" for reason, term_count in reasons[:SHOWN_REASONS]
    ]
    if other_count := sum(term_count for _, term_count in reasons[SHOWN_REASONS:]):
        lines.append(f"  {other_count:5}  other reasons")
    return "\n".join(lines) + "\n"


def learning_json(outcome: LearningOutcome) -> str:
    """Return all results of the command `learn` as one JSON object."""
    return json.dumps(asdict(outcome), ensure_ascii=False, indent=2) + "\n"


def forget_text(forgotten: ForgottenSite) -> str:
    """Return the text that the command `learn forget` prints.

    The first line names the site, and the numbers of forgotten pages and dropped terms.
    A line for each dropped term follows.
    """
    pages = number_of(len(forgotten.pages), "page")
    terms = number_of(len(forgotten.dropped), "term")
    lines = [
        f"{forgotten.domain}: forget {pages} of {forgotten.site}; this drops {terms}",
        *(
            f"  {_list_file(entry):28}  {_shortened(entry[2])}"
            for entry in forgotten.dropped
        ),
    ]
    return "\n".join(lines) + "\n"


def history_text(history: TermHistory) -> str:
    """Return the text that the command `learn history` prints for one term.

    The text begins with a table of the pages with the term. Lines for the lists with
    the term, for people's changes of the lists, and for the present decisions about the
    term follow.
    """
    sighting_rows = [
        (
            sighting.time,
            sighting.observation.type,
            _shortened(sighting.observation.term),
            str(sighting.observation.supporting),
            str(sighting.observation.opposing),
            _shortened(sighting.site),
            _shortened(sighting.page),
        )
        for sighting in history.sightings
    ]
    head = ("learned", "type", "term", "for", "against", "site", "page")
    lines = list(_table_lines([head, *sighting_rows])) if sighting_rows else []
    lines += [
        f"listed in {_list_file(listing.entry)} since {listing.time}"
        for listing in history.listings
    ]
    lines += [
        f"{'added to' if review.kept else 'deleted from'} {_list_file(review.entry)} "
        f"in review, noticed {review.time}"
        for review in history.reviews
    ]
    lines += [
        f"{judgement.type}: {_shortened(judgement.term)}: {judgement.decision} "
        f"({judgement.reason})"
        for judgement in history.judgements
    ]
    return "\n".join(lines) + "\n"


def _judgement_lines(title: str, judgements: Sequence[Judgement]) -> Iterator[str]:
    """Yield an empty line, a title, and the lines of a table of decisions.

    The decisions are to add or to reject terms. The title line has `title` and the
    number of decisions. Without decisions, there is no table.
    """
    yield ""
    yield f"{title}: {len(judgements)}"
    if judgements:
        yield from _table_lines([_HEAD, *map(_judgement_row, judgements)])


def _judgement_row(judgement: Judgement) -> tuple[str, ...]:
    """Return the table cells for the decision on a term.

    For a rejected term, the cells name the sites and pages with evidence against the
    term.
    """
    evidence = judgement.evidence
    sites, pages = evidence.sites, evidence.pages
    if judgement.decision == "reject":
        sites, pages = evidence.opposing_sites, evidence.opposing_pages
    return (
        judgement.type,
        _shortened(judgement.term),
        str(evidence.supporting),
        str(evidence.opposing),
        _first_names(sites),
        _first_names(pages),
        judgement.reason,
    )


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
    """Return the path of the text file that contains a line of a list.

    The path is relative to the folder of the domain (kind of records), for example
    "learned/city.txt".
    """
    return f"learned/{list_file_name(entry[:2])}"
