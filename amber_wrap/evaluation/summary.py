"""Summarise scores by domain, and over all domains."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from amber_wrap.evaluation.counts import Average, Count, Score, average, total
from amber_wrap.evaluation.tasks import Result

ALL: Final = "all"
"""The name of the summary of all domains."""
MEASURES: Final[Mapping[str, Callable[[Score], Count]]] = {
    "areas": lambda score: score.areas,
    "records": lambda score: score.records,
    "attributes": lambda score: score.attributes,
    "perfect records": lambda score: score.perfect_records,
}


@dataclass(frozen=True, slots=True)
class Figure:
    """The sum of the counts of all pages, and the average over sites."""

    count: Count
    per_site: Average


@dataclass(frozen=True, slots=True)
class Summary:
    """The results on several pages, by measure ("records", for example) and by type."""

    pages: int
    sites: int
    measures: Mapping[str, Figure]
    types: Mapping[str, Figure]


def summarise(results: Sequence[Result]) -> dict[str, Summary]:
    """Return a summary for each domain, by name, then the summary of all domains."""
    domains: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        domains[result.page.domain].append(result)
    return {
        **{name: summary_of(domains[name]) for name in sorted(domains)},
        ALL: summary_of(results),
    }


def summary_of(results: Sequence[Result]) -> Summary:
    """Return the summary of the results on pages."""
    by_site: dict[str, list[Score]] = defaultdict(list)
    for result in results:
        by_site[result.page.site].append(result.score)
    sites = [total(scores) for scores in by_site.values()]
    together = total(sites)
    return Summary(
        len(results),
        len(sites),
        {name: _figure(together, sites, measure) for name, measure in MEASURES.items()},
        {
            name: _figure(together, sites, partial(Score.of_type, name=name))
            for name, count in together.types.items()
            if count.given or count.gold
        },
    )


def _figure(
    together: Score, sites: Sequence[Score], measure: Callable[[Score], Count]
) -> Figure:
    return Figure(measure(together), average(map(measure, sites)))
