"""Write the results of learning, of forgetting a site and of a term's history as text
or JSON.

A term is a value of a type, such as the name of a town.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from amber_wrap.learning.forgotten_sites import ForgottenSite
from amber_wrap.learning.list_files import (
    list_file_name,
)
from amber_wrap.learning.session import LearningOutcome
from amber_wrap.learning.store import Entry
from amber_wrap.learning.term_history import TermHistory
from amber_wrap.learning.term_judgement import Judgement
from amber_wrap.wording import number_of

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
