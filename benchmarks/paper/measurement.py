"""Configure the system, and score it on gold pages."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from runs import Job, Runs

from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.engine.interpret import to_rows
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.gold import Corpus, GoldPage, scored_types
from amber_wrap.evaluation.score import ScoredRow, score_page
from amber_wrap.evaluation.tasks import Result
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import Compilation, compile_wrapper
from amber_wrap.settings import Options

LOCATION = "location"
NEVER = "never"
"""A pattern that matches nothing."""


@dataclass(frozen=True, slots=True)
class System:
    """A configuration of the system; the defaults are the built-in one.

    Of the terms of all lists of places a random `share` remains, the `sample`th; a
    smaller share is a part of a larger one.  `alone`: locations are recognised by these
    lists only, not by patterns and names in the markup.  `depth` and `distance` are the
    thresholds of the paper's `identify`.
    """

    strategy: str = "role"
    depth: int = 1
    distance: int = 2
    share: float = 1.0
    sample: int = 1
    alone: bool = False

    def __str__(self) -> str:
        return " ".join(f"{name}={value}" for name, value in asdict(self).items())


@lru_cache(maxsize=32)
def domain_of(name: str, system: System) -> Domain:
    """Return a built-in domain in the shape that a system has it in."""
    domain = load_domain(name)
    thresholds = replace(
        domain.thresholds, depth=system.depth, distance=system.distance
    )
    domain = replace(domain, thresholds=thresholds)
    if system.share < 1:
        domain = with_fewer_places(domain, system.share, system.sample)
    if system.alone:
        domain = with_places_alone(domain)
    return domain


def with_fewer_places(domain: Domain, share: float, sample: int) -> Domain:
    """Return a domain with a random share of its places.

    The lists are all those of the type `location`: uk_towns, uk_counties, us_places and
    places.* of each country.  A place that stands in two lists stays in both or goes
    from both: what is cut are the places that the system knows.
    """
    lists = domain.schema[LOCATION].gazetteers
    terms = sorted({term for name in lists for term in domain.gazetteers[name].terms})
    random.Random(sample).shuffle(terms)
    kept = frozenset(terms[: round(share * len(terms))])
    cut = {
        name: replace(one, terms=tuple(term for term in one.terms if term in kept))
        for name in lists
        for one in [domain.gazetteers[name]]
    }
    return replace(domain, gazetteers={**domain.gazetteers, **cut})


def with_places_alone(domain: Domain) -> Domain:
    """Return a domain without patterns and names of the type `location`.

    What shares a pattern with it remains a part of locations: they share one that never
    matches.
    """
    shared = set(domain.schema[LOCATION].patterns)

    def known(kind: AttributeType) -> AttributeType:
        if kind.name == LOCATION:
            return replace(kind, patterns=(NEVER,), names=())
        if shared.isdisjoint(kind.patterns):
            return kind
        return replace(kind, patterns=(*kind.patterns, NEVER))

    schema = replace(domain.schema, types=tuple(map(known, domain.schema.types)))
    patterns = {**domain.patterns, NEVER: "(?!)"}
    return replace(domain, schema=schema, patterns=patterns)


@dataclass(frozen=True, slots=True)
class Induced:
    """The result of a page: its compilation if there is one, and its rows."""

    compilation: Compilation | None
    rows: tuple[ScoredRow, ...] = ()
    failure: str = ""


def induce(path: Path, domain: Domain, strategy: str) -> Induced:
    """Induce a wrapper of a page and run it on that page; failures are part of the
    result.
    """
    try:
        options = Options(strategy=strategy)
        made = compile_wrapper([read_saved_page(str(path))], [domain], options)
        rows = tuple(to_rows(made.wrapper, made.pages[0], raw=True))
    except AmberError as error:
        return Induced(None, failure=str(error))
    except Exception as error:
        failure = f"internal error ({type(error).__name__}: {error})"
        return Induced(None, failure=failure)
    return Induced(made, rows)


# --- results --------------------------------------------------------------------


def measured(page: GoldPage, types: Sequence[AttributeType], system: System) -> Result:
    """Return the score of a page and where it differs from its gold."""
    found = induce(page.path, domain_of(page.domain, system), system.strategy)
    return scored(page, types, found)


def scored(page: GoldPage, types: Sequence[AttributeType], found: Induced) -> Result:
    """Return the score of rows that are there, and where they differ from the gold."""
    # Areas of one name: the differences name their records by it.
    areas = tuple(
        replace(area, name=f"{number}") for number, area in enumerate(page.areas, 1)
    )
    score, differences = score_page(replace(page, areas=areas), found.rows, types)
    return Result(page, score, differences, found.failure)


def jobs_of(corpus: Corpus, systems: Iterable[System]) -> list[Job]:
    """Return a job for each system and page, the pages of a system together."""
    types = types_of(corpus)
    names = {name: " ".join(one.name for one in types[name]) for name in types}
    return [
        Job.on(
            [page],
            f"{system}: {names[page.domain]}",
            *(page, types[page.domain], system),
        )
        for system in systems
        for page in corpus.pages
    ]


def types_of(corpus: Corpus) -> dict[str, tuple[AttributeType, ...]]:
    """Return the scored types of each domain."""
    return {
        name: scored_types(load_domain(name), corpus.of_domain(name).pages)
        for name in dict.fromkeys(page.domain for page in corpus.pages)
    }


def measure(
    corpus: Corpus, runs: Runs, systems: Sequence[System] = (System(),)
) -> list[list[Result]]:
    """Return for each system its results, in the order of the corpus' pages."""
    found = runs.of(measured, jobs_of(corpus, systems))
    size = len(corpus.pages)
    return [
        [
            replace(one, page=page)  # What is kept may be of a copy elsewhere.
            for page, one in zip(corpus.pages, found[n * size :], strict=False)
        ]
        for n in range(len(systems))
    ]
