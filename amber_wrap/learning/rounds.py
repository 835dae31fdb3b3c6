"""Read saved pages, and learn terms for word lists (AMBER paper, section 4).

Pages are read in repeated rounds, or one by one.
"""

from __future__ import annotations

import glob
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Final

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.dom.page import Page
from amber_wrap.dom.saved_formats import PAGE_SUFFIXES
from amber_wrap.domain.learned_lists import LearnedLists, with_lists
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import FileError, PageError
from amber_wrap.files import STDIN, read_bytes
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
    """A saved page from which terms are learned, with the name of its site."""

    source: Source
    site: str


@dataclass(frozen=True, slots=True)
class LessonResult:
    """The result of learning from one page."""

    lesson: Lesson
    """The numbers of records on the page that support or oppose terms."""
    records: int = 0
    """The number of records found."""
    claims: str = ""
    """A digest of all texts on the page that may be values."""
    failure: str = ""
    """The reason for a failure, "" if there was none."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of learning terms for word lists, from all pages or from one page."""

    number: int
    """The number of the round, from 1."""
    taught: tuple[LessonResult, ...]
    """The result of learning from each page of the round."""
    judgements: tuple[Judgement, ...]
    """The decisions on terms: which are added to a word list, and which are
    rejected.
    """
    before: LearnedLists
    """The learned word lists before the decisions of the round."""
    after: LearnedLists
    """The learned word lists after the decisions of the round."""


LearningTask = tuple[LearningPage, LessonResult | None]
"""A page to learn terms from, and the result of this page in an earlier round or
None.
"""
Run = Callable[
    [Callable[[LearningTask], LessonResult], Iterable[LearningTask]],
    Iterable[LessonResult],
]
"""A function like `map`, which may use several processes.

It applies a function to pages with their earlier results, and returns new results.
"""


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
    """Yield rounds of learning terms from all pages, until no word list changes.

    This is the loop of the AMBER paper, section 4. With `continuous`, each page is a
    round of its own. A term is added or rejected only if `least_sites` sites agree.
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
        known |= {it.lesson.sha256: it.lesson for it in taught if not it.failure}
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
    """Return the numbers of records on a page that support or oppose terms.

    If `task` has an earlier result, and the domain still recognises the same texts,
    return that result. If the page has no records or can't be read, the result has the
    reason.
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
    words = vocabularies(domain)
    if types is not None:
        words = {
            name: vocabulary for name, vocabulary in words.items() if name in types
        }
    [annotations], [typing] = best.annotations, best.typings
    lesson = replace(
        lesson, observations=observe(parsed, annotations, typing, domain, words)
    )
    return LessonResult(lesson, best.record_count, claims)


def _annotation_digest(page: Page, domain: Domain) -> str:
    """Return a digest of the texts that a domain's patterns and word lists recognise.

    A domain is a kind of records, such as cars.
    """
    local_domain = for_locale(domain, locale_of(page))
    claims = annotate(page, local_domain.schema, annotators(local_domain))
    return sha256(repr(claims).encode()).hexdigest()


_LONGEST_NAME: Final = 120
"""The most characters in the name of a page or site. A digest replaces the rest."""

_PARTS_SUFFIX: Final = "_files"
"""The suffix of a browser's folder for a page's images, scripts and frames."""


def page_files(names: Iterable[str]) -> tuple[str, ...]:
    """Return the page files that a user named, each once.

    A name is a file, folder or glob. "-" stands for names on stdin. Raise FileError for
    a folder without a page.
    """
    files_once: dict[str, None] = {}
    for name in _with_stdin(names):
        if Path(name).is_dir():
            pages_inside = [str(path) for path in sorted(_pages_in(Path(name)))]
            if not pages_inside:
                suffixes = ", ".join(PAGE_SUFFIXES)
                raise FileError(f"{name}: no page ({suffixes}) in this folder")
            files_once |= dict.fromkeys(pages_inside)
        elif not Path(name).exists() and glob.has_magic(name):
            matches = sorted(glob.glob(name, recursive=True))
            files_once |= dict.fromkeys(matches or [name])
        else:
            files_once[name] = None
    return tuple(files_once)


def read_page(file: str, site: str = "") -> LearningPage:
    """Return a saved page with the name of its site.

    Without `site`, the name of the page's folder is that of the site. Raise FileError
    if the file can't be read.
    """
    path = Path(file).resolve()
    folder = _display_name(path.parent.name) or "/"
    name = f"{folder}/{_display_name(path.name)}"
    return LearningPage(Source(name, read_bytes(file)), _display_name(site) or folder)


def _with_stdin(names: Iterable[str]) -> Iterator[str]:
    """Yield the given file names, and for each "-" the names on stdin, one a line."""
    for name in names:
        if name == STDIN:
            yield from filter(None, sys.stdin.read().splitlines())
        else:
            yield name


def _pages_in(folder: Path) -> Iterator[Path]:
    """Yield the page files in a folder and below, in any order.

    Files that a browser saved along with a page, such as frames, are left out.
    """
    for path in folder.rglob("*"):
        if path.suffix.lower() in PAGE_SUFFIXES and path.is_file():
            folders = path.relative_to(folder).parents
            if not any(_is_parts_folder(folder / inner) for inner in folders):
                yield path


def _is_parts_folder(folder: Path) -> bool:
    """Return whether a browser saved a folder along with a page.

    An example is the folder "home_files" beside the page "home.html".
    """
    page_name = folder.name.removesuffix(_PARTS_SUFFIX)
    return page_name != folder.name and any(
        sibling.stem == page_name and sibling.suffix.lower() in PAGE_SUFFIXES
        for sibling in folder.parent.iterdir()
    )


def _display_name(name: str) -> str:
    """Return a name of a page or site with its control characters escaped.

    A name longer than `_LONGEST_NAME` is cut, and ends with "…" and a digest.
    """
    printable = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in name)
    if len(printable) <= _LONGEST_NAME:
        return printable
    digest = sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    return f"{printable[: _LONGEST_NAME - 9]}…{digest}"
