"""Learn terms from pages, in repeated rounds or page by page (AMBER paper, section
4)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.dom.page import Page
from amber_wrap.domain.gazetteers import LearnedLists, with_lists
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import PageError
from amber_wrap.learning.term_evidence import (
    Lesson,
    gather_evidence,
    observe,
    vocabularies,
)
from amber_wrap.learning.term_judgement import (
    Judgement,
    apply_judgements,
    judge_evidence,
)
from amber_wrap.learning.thresholds import LEARNING
from amber_wrap.passes.analysis import parse_samples
from amber_wrap.pipeline import analyse_samples
from amber_wrap.settings import DEFAULTS, Source


@dataclass(frozen=True, slots=True)
class LearningPage:
    """A saved page, and the site that it was saved from."""

    source: Source
    site: str


@dataclass(frozen=True, slots=True)
class LessonResult:
    """The result of learning from one page: a lesson, or the reason for a failure.

    `lesson` has the evidence for and against terms on the page. `records` is the number
    of records found. `claims` is a digest of the page's annotations (texts that may be
    values). If two digests of a page are equal, the lessons are equal, too. `failure`
    is the reason, or "" if there was no failure.
    """

    lesson: Lesson
    records: int = 0
    claims: str = ""
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of learning, over all pages or, in continuous learning, over one page.

    `number` counts from 1. `taught` has the result of learning from each page of the
    round. `judgements` are the decisions on terms. `before` and `after` are the lists
    of terms before and after these decisions.
    """

    number: int
    taught: tuple[LessonResult, ...]
    judgements: tuple[Judgement, ...]
    before: LearnedLists
    after: LearnedLists


LearningTask = tuple[LearningPage, LessonResult | None]
"""A page to learn from, and the page's result of an earlier round, None for a new page.
"""
Run = Callable[
    [Callable[[LearningTask], LessonResult], Iterable[LearningTask]],
    Iterable[LessonResult],
]
"""A function like `map`, which works in this process or in several."""


def learn_from_pages(
    pages: Sequence[LearningPage],
    domain: Domain,
    lists: LearnedLists,
    earlier: Iterable[Lesson] = (),
    *,
    types: Collection[str] | None = None,
    continuous: bool = False,
    least_sites: int = LEARNING.least_sites,
    most_rounds: int = LEARNING.most_rounds,
    run: Run = map,
) -> Iterator[Round]:
    """Yield rounds of learning (AMBER paper, section 4).

    A round takes a lesson from each page: the evidence for and against terms. The round
    then decides on terms by all lessons together, and changes the lists of terms. The
    next round annotates the pages with the new lists. The last round is the first that
    changes no list, or the round numbered `most_rounds`. With `continuous`, there is
    one round for each page instead.

    `domain` is the domain that people wrote. `lists` are the terms learned so far.
    `earlier` are the lessons of earlier sessions. `types` are the types to be learned,
    None for all. A term is added or rejected only if `least_sites` sites agree. `run`
    applies a function to the pages of a round, like `map`.
    """
    known = {lesson.sha256: lesson for lesson in earlier}
    last_results: dict[str, LessonResult] = {}
    # Sort the lists as each round does, so that equal lists compare as equal.
    lists = apply_judgements((), lists)
    batches = [[page] for page in pages] if continuous else [pages] * most_rounds
    for number, batch in enumerate(batches, 1):
        step = partial(lesson_of_page, domain=with_lists(domain, lists), types=types)
        tasks = [(page, last_results.get(page.source.sha256)) for page in batch]
        taught = tuple(run(step, tasks))
        last_results |= {result.lesson.sha256: result for result in taught}
        known |= {
            result.lesson.sha256: result.lesson
            for result in taught
            if not result.failure
        }
        evidence = gather_evidence(known.values())
        judgements = tuple(judge_evidence(evidence, domain, lists, least_sites))
        after = apply_judgements(judgements, lists)
        yield Round(number, taught, judgements, lists, after)
        if after == lists and not continuous:
            return
        lists = after


def lesson_of_page(
    task: LearningTask, domain: Domain, types: Collection[str] | None = None
) -> LessonResult:
    """Return the evidence for and against terms (the lesson) from one page.

    `task` is a pair: the page, and its result in an earlier round, or None if there is
    no such result. The earlier result is returned if `domain` still recognises the same
    texts on the page as values. `types` are the types to be learned, None for all. For
    a page that can't be parsed, or has no records, the result has a message in
    `failure`.
    """
    page, former = task
    source = page.source
    lesson = Lesson(source.name, source.sha256, page.site, ())
    try:
        [parsed] = parse_samples([source], DEFAULTS)
    except PageError as error:
        return LessonResult(lesson, failure=str(error))
    claims = _annotation_digest(parsed, domain)
    if former is not None and former.claims == claims:
        return former
    _, best = analyse_samples([parsed], [domain], DEFAULTS)
    if not best.record_count:
        return LessonResult(lesson, claims=claims, failure=f"{source.name}: no records")
    learnable_words = vocabularies(domain)
    if types is not None:
        learnable_words = {
            name: vocabulary
            for name, vocabulary in learnable_words.items()
            if name in types
        }
    [annotations], [typing] = best.annotations, best.typings
    observations = observe(parsed, annotations, typing, domain, learnable_words)
    return LessonResult(
        replace(lesson, observations=observations), best.record_count, claims
    )


def _annotation_digest(page: Page, domain: Domain) -> str:
    """Return a digest of the texts on a page that may be values of a domain's types.

    A domain describes a kind of records, such as cars.
    """
    local_domain = for_locale(domain, locale_of(page))
    claims = annotate(page, local_domain.schema, annotators(local_domain))
    return sha256(repr(claims).encode()).hexdigest()
