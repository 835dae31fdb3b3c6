"""Run amber-wrap with several configurations, and score the records that it finds."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from pathlib import Path

from runs import Job, Runs, Types

from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.engine.output_rows import to_rows
from amber_wrap.evaluation.gold import Corpus, GoldPage, scored_types
from amber_wrap.evaluation.score import ScoredRow, score_page
from amber_wrap.evaluation.tasks import Result, failure_message
from amber_wrap.files import read_saved_page
from amber_wrap.pipeline import Compilation, compile_wrapper
from amber_wrap.settings import Options

LOCATION = "location"
"""The name of the attribute type for locations."""
NEVER = "never"
"""The name of a pattern that matches nothing."""


@dataclass(frozen=True, slots=True)
class System:
    """A configuration of amber-wrap. The defaults are those of the package.

    `strategy` names the method that finds records, "role" or "paper". `depth` and
    `distance` are thresholds of "paper". `share` is the share of names that remain in
    all lists of places. The names are drawn at random, and each number `sample` gives
    another draw. With `alone`, locations are recognised only by these lists, and not by
    patterns or names in the markup.
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
    """Return a built-in domain, changed as a system prescribes.

    The changes are other thresholds and shorter lists of places.
    """
    domain = load_domain(name)
    limits = {"depth": system.depth, "distance": system.distance}
    domain = replace(domain, thresholds=replace(domain.thresholds, **limits))
    if system.share < 1:
        domain = with_fewer_places(domain, system.share, system.sample)
    return with_places_alone(domain) if system.alone else domain


def with_fewer_places(domain: Domain, share: float, sample: int) -> Domain:
    """Return a domain with a random share of its places.

    The places are the terms of all lists of the type `location`. A place in several
    lists is removed from all lists or from none.
    """
    lists = domain.schema[LOCATION].gazetteers
    terms = sorted({term for name in lists for term in domain.gazetteers[name].terms})
    random.Random(sample).shuffle(terms)
    kept_terms = frozenset(terms[: round(share * len(terms))])
    cut_lists = dict(domain.gazetteers)
    for name in lists:
        kept = tuple(term for term in cut_lists[name].terms if term in kept_terms)
        cut_lists[name] = replace(cut_lists[name], terms=kept)
    return replace(domain, gazetteers=cut_lists)


def with_places_alone(domain: Domain) -> Domain:
    """Return a domain in which only the lists of places recognise locations.

    The patterns of the type `location` are replaced by one that matches nothing. A type
    that shared a pattern with `location` gets this pattern, too, because its values
    would otherwise count as parts of locations.
    """
    shared = set(domain.schema[LOCATION].patterns)

    def without_patterns(kind: AttributeType) -> AttributeType:
        if kind.name == LOCATION:
            return replace(kind, patterns=(NEVER,), names=())
        if shared.isdisjoint(kind.patterns):
            return kind
        return replace(kind, patterns=(*kind.patterns, NEVER))

    types = tuple(map(without_patterns, domain.schema.types))
    patterns = {**domain.patterns, NEVER: "(?!)"}
    schema = replace(domain.schema, types=types)
    return replace(domain, schema=schema, patterns=patterns)


@dataclass(frozen=True, slots=True)
class Induced:
    """The result of making a wrapper from a page.

    `rows` are the records that the wrapper reads on the page. If the wrapper can't be
    made, `compilation` is None, and `failure` is the error message.
    """

    compilation: Compilation | None
    rows: tuple[ScoredRow, ...] = ()
    failure: str = ""


def induce(path: Path, domain: Domain, strategy: str) -> Induced:
    """Make a wrapper from a page, and run it on this page.

    If that fails, the result has the error message.
    """
    try:
        options = Options(strategy=strategy)
        compilation = compile_wrapper([read_saved_page(str(path))], [domain], options)
        rows = to_rows(compilation.wrapper, compilation.pages[0], raw=True)
        return Induced(compilation, tuple(rows))
    except Exception as error:
        return Induced(None, failure=failure_message(error))


# --- results --------------------------------------------------------------------


def measured(types: Types, page: GoldPage, system: System) -> Result:
    """Make a wrapper from a page, run it on this page, and return the score of its
    records.

    The result also has the differences from the known records.
    """
    induced = induce(page.path, domain_of(page.domain, system), system.strategy)
    return scored(page, types, induced)


def scored(page: GoldPage, types: Types, induced: Induced) -> Result:
    """Return the score of the records that a wrapper read on a page.

    The result also has the differences from the known records.
    """
    # Differences identify records by the names of areas, which may be equal.
    numbered = enumerate(page.areas, 1)
    areas = tuple(replace(area, name=f"{number}") for number, area in numbered)
    score, differences = score_page(replace(page, areas=areas), induced.rows, types)
    return Result(page, score, differences, induced.failure)


def jobs_of(corpus: Corpus, systems: Iterable[System]) -> list[Job]:
    """Return a job for each system and page. A system is a configuration of amber-wrap.

    All jobs of a system are adjacent.
    """
    types = types_of(corpus)
    return [
        Job.scored([page], types[page.domain], page, system, name=str(system))
        for system in systems
        for page in corpus.pages
    ]


def types_of(corpus: Corpus) -> dict[str, tuple[AttributeType, ...]]:
    """Return the attribute types that are scored, by domain."""
    return {
        name: scored_types(load_domain(name), corpus.of_domain(name).pages)
        for name in dict.fromkeys(page.domain for page in corpus.pages)
    }


def measure(
    corpus: Corpus, runs: Runs, systems: Sequence[System] = (System(),)
) -> list[list[Result]]:
    """Return the results of each system for all pages of the corpus, in order.

    A system is a configuration of amber-wrap.
    """
    results = iter(runs.of(measured, jobs_of(corpus, systems)))
    # A stored page may be a copy elsewhere.
    return [
        [replace(next(results), page=page) for page in corpus.pages] for _ in systems
    ]
