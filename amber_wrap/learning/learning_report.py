"""Show the outcome of learning, as tables for people and as JSON for programs."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Final

from amber_wrap.learning.list_files import list_file_name, number_of
from amber_wrap.learning.provenance import Forgotten, TermHistory
from amber_wrap.learning.session import LearningOutcome
from amber_wrap.learning.store import Entry
from amber_wrap.learning.term_judgement import Judgement

_WIDTH: Final = 32
"""The greatest number of characters in a table's cell; the JSON has whole texts."""
SHOWN_NAMES: Final = 3
SHOWN_SITES: Final = 8
SHOWN_REASONS: Final = 6

_HEAD: Final = ("type", "term", "for", "against", "sites", "pages", "because")


def learning_table(outcome: LearningOutcome) -> str:
    """Return the output of `learn`: tables of added and of rejected terms, then the
    number of undecided terms."""
    sites = number_of(len(outcome.sites), "site")
    lines = [
        f"{outcome.domain}: {number_of(outcome.pages, 'page')} of {sites}, "
        f"{number_of(outcome.rounds, 'round')}"
    ]
    if outcome.sites:
        lines.append(f"  sites: {_names(outcome.sites, SHOWN_SITES)}")
    lines += _judged("to add", outcome.added)
    lines += _judged("to reject", outcome.rejected)
    lines += ["", f"waiting: {len(outcome.waiting)}"]
    reasons = Counter(one.reason for one in outcome.waiting).most_common()
    lines += [f"  {number:5}  {reason}" for reason, number in reasons[:SHOWN_REASONS]]
    if rest := sum(number for _, number in reasons[SHOWN_REASONS:]):
        lines.append(f"  {rest:5}  other reasons")
    return "\n".join(lines) + "\n"


def learning_json(outcome: LearningOutcome) -> str:
    """Return the complete outcome of `learn` as one JSON object."""
    return json.dumps(asdict(outcome), ensure_ascii=False, indent=2) + "\n"


def forget_text(forgotten: Forgotten) -> str:
    """Return the output of `learn forget`."""
    pages = number_of(len(forgotten.pages), "page")
    terms = number_of(len(forgotten.dropped), "term")
    lines = [
        f"{forgotten.domain}: forget {pages} of {forgotten.site}; this drops {terms}",
        *(f"  {_file(one):28}  {_cut(one[2])}" for one in forgotten.dropped),
    ]
    return "\n".join(lines) + "\n"


def history_text(history: TermHistory) -> str:
    """Return the output of `learn history`: pages, lists, reviews and judgements."""
    rows = [
        (
            one.time,
            one.observation.type,
            _cut(one.observation.term),
            str(one.observation.supporting),
            str(one.observation.opposing),
            _cut(one.site),
            _cut(one.page),
        )
        for one in history.sightings
    ]
    head = ("learned", "type", "term", "for", "against", "site", "page")
    lines = list(_columns([head, *rows])) if rows else []
    lines += [
        f"listed in {_file(one.entry)} since {one.time}" for one in history.listings
    ]
    lines += [
        f"{'added to' if one.kept else 'deleted from'} {_file(one.entry)} in "
        f"review, noticed {one.time}"
        for one in history.reviews
    ]
    lines += [
        f"{one.type}: {_cut(one.term)}: {one.decision} ({one.reason})"
        for one in history.judgements
    ]
    return "\n".join(lines) + "\n"


def _judged(title: str, judgements: Sequence[Judgement]) -> Iterator[str]:
    yield ""
    yield f"{title}: {len(judgements)}"
    if judgements:
        yield from _columns([_HEAD, *map(_row, judgements)])


def _row(one: Judgement) -> tuple[str, ...]:
    """Return the table cells for a judgement.

    For a rejected term, the cells name the sites and pages that speak against the term.
    """
    evidence = one.evidence
    sites, pages = evidence.sites, evidence.pages
    if one.decision == "reject":
        sites, pages = evidence.opposing_sites, evidence.opposing_pages
    return (
        one.type,
        _cut(one.term),
        str(evidence.supporting),
        str(evidence.opposing),
        _names(sites),
        _names(pages),
        one.reason,
    )


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()


def _names(names: Sequence[str], most: int = SHOWN_NAMES) -> str:
    more = len(names) - most
    shown = ", ".join(map(_cut, names[:most]))
    return f"{shown} and {more} more" if more > 0 else shown


def _cut(text: str) -> str:
    return text if len(text) <= _WIDTH else f"{text[: _WIDTH - 1]}…"


def _file(entry: Entry) -> str:
    return f"learned/{list_file_name(entry[:2])}"
