"""Report the results of an evaluation: as a table for people, as JSON for programs.

Scores are summarised for each domain, such as used cars, and for all domains.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final

from amber_wrap.evaluation.score import (
    Average,
    Count,
    Difference,
    Score,
    average_quality,
    total_score,
)
from amber_wrap.evaluation.tasks import Result, Setting
from amber_wrap.wording import number_of

ALL: Final = "all"
"""The name of the summary over all domains, beside one summary for each domain."""
MEASURES: Final[Mapping[str, Callable[[Score], Count]]] = {
    "areas": lambda score: score.areas,
    "records": lambda score: score.records,
    "attributes": lambda score: score.attributes,
    "perfect records": lambda score: score.perfect_records,
}
"""Functions that count items in a score, by the name of the items.

A function returns the numbers of right, extracted and known items.
"""
_DIGITS: Final = 4
"""The number of decimals of precision, recall and F1 in the JSON report."""
_TABLE_HEAD: Final = (
    f"{'':19}  right  given   gold      P      R     F1   per site: P      R     F1"
)


@dataclass(frozen=True, slots=True)
class Figure:
    """The result of an evaluation for one sort of item, such as records or prices."""

    count: Count
    """The numbers of right, extracted and known items on all pages."""
    per_site: Average
    """The precision, recall and F1, averaged over the sites."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The results of an evaluation on several pages."""

    pages: int
    """The number of pages."""
    sites: int
    """The number of sites."""
    measures: Mapping[str, Figure]
    """The results for each sort of item, such as "records"."""
    types: Mapping[str, Figure]
    """The results for values of each attribute type."""


def summarise(results: Sequence[Result]) -> dict[str, Summary]:
    """Return a summary of the results for each domain, such as used cars, by name.

    The last entry is the summary over all domains.
    """
    results_by_domain: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        results_by_domain[result.page.domain].append(result)
    by_domain = sorted(results_by_domain.items())
    return {name: summary_of(part) for name, part in [*by_domain, (ALL, results)]}


def summary_of(results: Sequence[Result]) -> Summary:
    """Return the summary of the results of several pages."""
    scores_by_site: dict[str, list[Score]] = defaultdict(list)
    for result in results:
        scores_by_site[result.page.site].append(result.score)
    site_scores = [total_score(scores) for scores in scores_by_site.values()]
    total = total_score(site_scores)

    def figure(measure: Callable[[Score], Count]) -> Figure:
        return Figure(measure(total), average_quality(map(measure, site_scores)))

    measures = {name: figure(measure) for name, measure in MEASURES.items()}
    types = {
        name: figure(partial(Score.of_type, name=name))
        for name, count in total.types.items()
        if count.given or count.gold
    }
    return Summary(len(results), len(site_scores), measures, types)


def figures_table(
    results: Sequence[Result], setting: Setting, by_page: bool, errors: bool
) -> str:
    """Return the results of an evaluation as a table.

    With `by_page`, the table has a line for each page. With `errors`, it has a line for
    each difference from the known records.
    """
    domains = "the domain named" if setting.named else "all domains compete"
    table_lines = [f"mode {setting.mode}, {domains}, strategy {setting.strategy}"]
    summaries = summarise(results)
    if len(summaries) == 2:
        del summaries[ALL]
    for name, summary in summaries.items():
        pages = number_of(summary.pages, "page")
        table_lines += ["", f"{name}: {pages} of {number_of(summary.sites, 'site')}"]
        table_lines += _table_lines(summary, has_types=name != ALL)
    if by_page:
        table_lines += ["", *map(_page_line, results)]
    differences = [
        f"{result.page.name}: {difference_line(difference)}"
        for result in results
        for difference in result.differences
    ]
    if errors and differences:
        table_lines += ["", *differences]
    failures = [f"  {it.page.name}: {it.failure}" for it in results if it.failure]
    if failures:
        table_lines += ["", "no output because of an error:", *failures]
    return "\n".join(table_lines) + "\n"


def _table_lines(summary: Summary, has_types: bool) -> Iterator[str]:
    """Yield the lines of a table: a head, then a line for each sort of item.

    With `has_types`, there is also a line for the values of each attribute type.
    """
    yield _TABLE_HEAD
    for measure_name, figure in summary.measures.items():
        yield _figure_line(f"  {measure_name}", figure)
        if measure_name == "attributes" and has_types:
            for type_name, type_figure in summary.types.items():
                yield _figure_line(f"    {type_name}", type_figure)


def _figure_line(label: str, figure: Figure) -> str:
    """Return a line of the table of results, for example the line for records.

    Its columns are: the label, the numbers of right, extracted and known items, then
    precision, recall and F1, and the same three averaged over the sites.
    """
    count = figure.count
    return (
        f"{label:19} {count.right:6} {count.given:6} {count.gold:6} {_quality(count)}"
        f"      {_quality(figure.per_site)}"
    )


def _quality(figures: Count | Average) -> str:
    """Return the precision, recall and F1 in `figures` as three columns of text."""
    return f"{figures.precision:6.3f} {figures.recall:6.3f} {figures.f1:6.3f}"


def _page_line(result: Result) -> str:
    """Return a line of the report about one page.

    It has the F1 of lists, of records and of values, and the share of perfect records.
    """
    score = result.score
    return (
        f"{result.page.name}: areas {score.areas.f1:.3f}, records "
        f"{score.records.f1:.3f}, attributes {score.attributes.f1:.3f}, perfect "
        f"{score.perfect_records.recall:.3f}"
    )


def difference_line(difference: Difference) -> str:
    """Return a line of text about a difference between known and extracted records."""
    if difference.type:
        gold_text, output_text = (
            "nothing" if value is None else repr(value)
            for value in (difference.gold, difference.given)
        )
        place = f"{difference.where}: {difference.type}"
        return f"{place}: gold {gold_text}, output {output_text}"
    if difference.given is None:
        return f"{difference.where}: not in the output: {difference.gold}"
    return f"{difference.where}: not in the gold: {difference.given}"


def figures_json(
    results: Sequence[Result], setting: Setting, by_page: bool, errors: bool
) -> str:
    """Return the options and results of an evaluation as one JSON object.

    With `by_page`, the object has an entry for each page. With `errors`, it has the
    differences from the known records.
    """
    report: dict[str, Any] = {
        "mode": setting.mode,
        "domain_named": setting.named,
        "strategy": setting.strategy,
        "summaries": {
            domain_name: {
                "pages": summary.pages,
                "sites": summary.sites,
                **{
                    _key(name): _figure_data(figure)
                    for name, figure in summary.measures.items()
                },
                "types": {
                    name: _figure_data(figure) for name, figure in summary.types.items()
                },
            }
            for domain_name, summary in summarise(results).items()
        },
        "failures": [
            {"page": result.page.name, "message": result.failure}
            for result in results
            if result.failure
        ],
    }
    if by_page:
        report["by_page"] = [_page_data(result) for result in results]
    if errors:
        report["errors"] = [
            {"page": result.page.name, **asdict(difference)}
            for result in results
            for difference in result.differences
        ]
    return json.dumps(report, ensure_ascii=False) + "\n"


def _key(measure: str) -> str:
    """Return the JSON key for a sort of item: "perfect_records" for "perfect
    records".
    """
    return measure.replace(" ", "_")


def _figure_data(figure: Figure) -> dict[str, Any]:
    """Return the result for one sort of item, such as records, as JSON data.

    Precision, recall and F1 averaged over the sites are under `per_site`.
    """
    return {**_count_data(figure.count), "per_site": _quality_data(figure.per_site)}


def _count_data(count: Count) -> dict[str, Any]:
    """Return the three counts, precision, recall and F1 as JSON data."""
    return {**asdict(count), **_quality_data(count)}


def _quality_data(figures: Count | Average) -> dict[str, float]:
    """Return the precision, recall and F1 of `figures`, by name.

    They are rounded to four decimals.
    """
    names = ("precision", "recall", "f1")
    return {name: round(getattr(figures, name), _DIGITS) for name in names}


def _page_data(result: Result) -> dict[str, Any]:
    """Return the score of a page as JSON data.

    Types without known or extracted values are left out.
    """
    score = result.score
    return {
        "page": result.page.name,
        **{_key(name): _count_data(count(score)) for name, count in MEASURES.items()},
        "types": {
            name: asdict(count)
            for name, count in score.types.items()
            if count.given or count.gold
        },
    }
