"""Run a session of learning: add words from saved pages to the word lists of a domain.

Pages of earlier sessions also count in the decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from amber_wrap.domain.learned_lists import LearnedLists, learnable
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.list_files import (
    list_entries,
    lists_with_edits,
    reviewed_terms,
    to_lists,
)
from amber_wrap.learning.rounds import (
    LearningPage,
    LearningTask,
    LessonResult,
    Run,
    learn_from_pages,
)
from amber_wrap.learning.store import Entry, Store, is_list_line
from amber_wrap.learning.term_evidence import Lesson, gather_evidence
from amber_wrap.learning.term_judgement import (
    Judgement,
    TermDecision,
    apply_judgements,
    few_sites_reason,
    given_terms,
    judge_evidence,
)
from amber_wrap.learning.thresholds import LEARNING

REVIEWED: Final = "people decided otherwise in review"
"""The reason for not changing a list: a person added or deleted the term."""
_DECISIONS: Final[Mapping[str, TermDecision]] = {"terms": "add", "rejected": "reject"}
"""The decision that adds a term to a list, by the name of the list."""

Clock = Callable[[], datetime]
"""A function that returns the current time."""


@dataclass(frozen=True, slots=True)
class LearningOptions:
    """The options of a learning session."""

    types: frozenset[str] | None = None
    """The attribute types whose terms are learned, None for all."""
    continuous: bool = False
    """Whether words are added after each page, not after a round over all pages."""
    most_rounds: int = LEARNING.most_rounds
    """The most rounds over all pages."""
    run: Run = map
    """A function like `map`, which applies a function to all pages of a round."""
    least_sites: int = LEARNING.least_sites
    """The number of sites that must agree before a term is added or rejected."""


@dataclass(frozen=True, slots=True)
class LearningOutcome:
    """The results of a learning session."""

    domain: str
    rounds: int
    """The number of times that all pages were read."""
    pages: int
    """The number of pages from which terms could be learned."""
    sites: tuple[str, ...]
    """The sites of the pages from which terms could be learned."""
    known_sites: tuple[str, ...]
    """The sites of all pages that terms were learned from, also in earlier sessions."""
    added: tuple[Judgement, ...]
    """The decisions that added a term to a learned list."""
    rejected: tuple[Judgement, ...]
    """The decisions that added a term to a list of rejected terms."""
    waiting: tuple[Judgement, ...]
    """The decisions that leave a term undecided."""
    skipped: tuple[str, ...]
    """The reason for each page from which nothing could be learned."""
    least_sites: int
    """The number of sites that must agree on a term."""

    @property
    def short_of_sites(self) -> int:
        """The number of terms that are undecided only because too few sites have
        them.
        """
        site_counts = ((it.reason, len(it.evidence.sites)) for it in self.waiting)
        least = self.least_sites
        return sum(why == few_sites_reason(n, least) for why, n in site_counts)


def run_session(
    pages: Sequence[LearningPage],
    domain: Domain,
    folder: Path,
    store: Store,
    options: LearningOptions,
    clock: Clock,
) -> LearningOutcome:
    """Learn terms from pages, store the results in `store`, and return the results.

    The text files of the word lists in `folder` aren't changed.
    """
    unique: dict[str, LearningPage] = {}
    for page in pages:  # The first of several equal pages counts.
        unique.setdefault(page.source.sha256, page)
    with store.transaction():
        _, lists = lists_with_edits(store, folder, domain.schema, clock())
    earlier = {lesson.sha256: lesson for lesson in store.lessons()}
    lessons: dict[str, Lesson] = {}
    failures: dict[str, str] = {}
    round_judgements: list[Judgement] = []

    def store_results(
        step: Callable[[LearningTask], LessonResult], tasks: Iterable[LearningTask]
    ) -> Iterator[LessonResult]:
        """Yield the result of `step` for each page.

        The result for a page is stored before the next page is processed.
        """
        for result in options.run(step, tasks):
            sha256 = result.lesson.sha256
            if result.failure:
                failures[sha256] = result.failure
            else:
                known_lesson = earlier.get(sha256)
                lesson = _storable_lesson(result.lesson, known_lesson, options.types)
                if lessons.get(sha256) != lesson:
                    store.record(lesson, clock())
                lessons[sha256] = lesson
            yield result

    least, types = options.least_sites, options.types
    rounds = learn_from_pages(
        tuple(unique.values()),
        domain,
        _without_deleted(lists, domain, store),
        earlier.values(),
        types=types,
        continuous=options.continuous,
        least_sites=least,
        most_rounds=options.most_rounds,
        run=store_results,
    )
    round_count = 0
    for round_ in rounds:
        round_count = 1 if options.continuous else round_.number
        round_judgements += round_.judgements
    with store.transaction():
        decided = judge_terms(
            round_judgements, domain, folder, store, clock(), types, least
        )
        known = store.lessons()
    return LearningOutcome(
        domain=domain.name,
        rounds=round_count,
        pages=len(lessons),
        sites=_sites(lessons.values()),
        known_sites=_sites(known),
        added=decided.with_decision("add"),
        rejected=decided.with_decision("reject"),
        waiting=decided.with_decision("wait"),
        skipped=tuple(text for key, text in failures.items() if key not in lessons),
        least_sites=least,
    )


@dataclass(frozen=True, slots=True)
class JudgedLists:
    """The learned word lists before and after a session, and the decisions on terms."""

    before: LearnedLists
    after: LearnedLists
    judgements: Mapping[tuple[str, str], Judgement]
    """The last decision on each type and term."""

    def with_decision(self, decision: TermDecision) -> tuple[Judgement, ...]:
        """Return the decisions that are equal to `decision`, sorted by type and term.

        For "add" or "reject", these are the decisions that changed a list. For "wait",
        these are the decisions that left all lists as they were.
        """
        new_entries = list_entries(self.after) - list_entries(self.before)
        changed = {(kind, term): _DECISIONS[name] for kind, name, term in new_entries}
        return tuple(
            judgement
            for key, judgement in sorted(self.judgements.items())
            if judgement.decision == changed.get(key, "wait") == decision
        )


def judge_terms(
    round_judgements: Iterable[Judgement],
    domain: Domain,
    folder: Path,
    store: Store,
    time: datetime,
    types: Collection[str] | None = None,
    least_sites: int = LEARNING.least_sites,
) -> JudgedLists:
    """Decide on terms by the records of all stored pages, and store the changed lists.

    The decisions of the learning rounds are applied first. Return the lists and
    decisions. Call this function inside a transaction.
    """
    file_lines, before = lists_with_edits(store, folder, domain.schema, time)
    reviewed = reviewed_terms(store)
    kinds = {kind.name for kind in learnable(domain.schema)}
    kinds = kinds if types is None else kinds.intersection(types)
    first = tuple(_applicable(round_judgements, before, reviewed, kinds))
    merged = apply_judgements(first, before)
    evidence = gather_evidence(store.lessons())
    new_judgements = judge_evidence(evidence, domain, merged, least_sites)
    second = tuple(_applicable(new_judgements, merged, reviewed, kinds))
    after = apply_judgements(second, merged)
    store.intend(file_lines, list_entries(after), time)
    # Terms that waited in a round are judged again, unless people decided on them.
    kept = [it for it in first if it.decision != "wait" or it.reason == REVIEWED]
    by_term = {(it.type, it.term): it for it in (*kept, *second)}
    return JudgedLists(before, after, by_term)


def _applicable(
    judgements: Iterable[Judgement],
    lists: LearnedLists,
    reviewed: Collection[tuple[str, str]],
    types: Collection[str],
) -> Iterator[Judgement]:
    """Yield the decisions that change a list, or that leave a term undecided.

    `reviewed` are the terms that people added or deleted. A decision on such a term is
    replaced by "wait".
    """
    listed = {
        (kind, term.casefold(), _DECISIONS[list_name])
        for kind, list_name, term in list_entries(lists)
    }
    for judgement in judgements:
        key = (judgement.type, judgement.term.casefold())
        if not is_list_line(judgement.term) or judgement.type not in types:
            continue
        if judgement.decision == "wait":
            yield judgement
        elif key in reviewed:
            yield replace(judgement, decision="wait", reason=REVIEWED)
        elif (*key, judgement.decision) not in listed:
            listed.add((*key, judgement.decision))
            yield judgement


def _without_deleted(lists: LearnedLists, domain: Domain, store: Store) -> LearnedLists:
    """Return the word lists, in which each term that a person deleted is rejected.

    A term in the word lists that came with the domain isn't rejected.
    """
    gazetteer_terms = given_terms(domain)
    rejected: set[Entry] = set()
    for review in store.reviews():
        kind, list_name, term = review.entry
        is_given = term.casefold() in gazetteer_terms.get(kind, ())
        if not review.kept and list_name == "terms" and not is_given:
            rejected.add((kind, "rejected", term))
    return to_lists(list_entries(lists) | rejected)


def _storable_lesson(
    lesson: Lesson, earlier: Lesson | None, types: Collection[str] | None
) -> Lesson:
    """Return the counts of records for and against each term of a page.

    Terms that can't be stored are left out. For types outside of `types`, the counts
    come from the `earlier` lesson.
    """
    storable = [seen for seen in lesson.observations if is_list_line(seen.term)]
    if earlier is not None and types is not None:
        storable += [seen for seen in earlier.observations if seen.type not in types]
    return replace(lesson, observations=tuple(sorted(storable)))


def _sites(lessons: Iterable[Lesson]) -> tuple[str, ...]:
    """Return the sorted names of the sites of pages, each once."""
    return tuple(sorted({lesson.site for lesson in lessons}))
