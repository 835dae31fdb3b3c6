"""Sizes: measure accuracy by records per page, and errors per record and per page."""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import charts
from charts import Series
from experiment import Experiment, Finding, GoldSet, image
from measurement import measure as measure_pages
from runs import Runs
from tables import measures, share, table

from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.report import summary_of
from amber_wrap.evaluation.tasks import Result

BINS = {
    "none": (0, 0),
    **{"1-3": (1, 3), "4-5": (4, 5), "6-10": (6, 10), "11-15": (11, 15)},
    **{"16-20": (16, 20), "21-50": (21, 50), "more": (51, 10**9)},
}
"""The least and the greatest number of records of each group of pages."""
MANY = 4
"""The least number of errors that are counted together, as "4 or more"."""
LOST = "not found"
"""The label of records that were not found."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the accuracy by number of records, three distributions, and charts."""
    [results] = measure_pages(gold.corpus, runs)
    text, chart = by_number(results, gold.name)
    charts_by_file = {f"sizes-{gold.name}-records.svg": chart}
    for file_part, title, counts in (
        ("objects", "Attributes wrong per object", objects(results)),
        ("pages", "Attributes right per page", pages(results)),
        ("types", "Types with an error per page", types(results)),
    ):
        chart_title = f"{title}: {gold.name} pages"
        table_text, chart = distribution(chart_title, counts)
        charts_by_file[f"sizes-{gold.name}-{file_part}.svg"] = chart
        text += f"\n{title}:\n\n{table_text}"
    chart_links = "".join(map(image, charts_by_file))
    return Finding(f"{text}\n{chart_links}", charts_by_file)


main = Experiment("sizes", measure, __doc__)


def by_number(results: Sequence[Result], name: str) -> tuple[str, str]:
    """Return a table and a chart of the accuracy by the number of records on a page."""
    rows, labels = [], []
    f1_of_measure: dict[str, list[float | None]] = {"records": [], "attributes": []}
    for label, (least, most) in BINS.items():
        group = [one for one in results if least <= records_of(one.page) <= most]
        if group:
            summary, cells = summary_of(group), [label, str(len(group))]
            for measure, values in f1_of_measure.items():
                cells += measures(summary.measures[measure].count)
                values.append(summary.measures[measure].count.f1)
            rows.append(cells)
            labels.append(f"{label} ({len(group)} pages)")
    head = ("records on the page", "pages", "records P", "R", "F1", "attributes P", "R")
    series = [Series(f"{measure} F1", f1) for measure, f1 in f1_of_measure.items()]
    title = f"Accuracy by records on the page: {name} pages"
    return table((*head, "F1"), rows), charts.shares(title, labels, series)


def records_of(page: GoldPage) -> int:
    """Return the number of gold records on a page."""
    return sum(len(area.records) for area in page.areas)


def distribution(title: str, counts: Mapping[str, int]) -> tuple[str, str]:
    """Return a table and a chart of counts and of their shares."""
    total = sum(counts.values()) or 1
    shares = {label: count / total for label, count in counts.items()}
    text = table(
        ("", "number", "share"),
        ((label, f"{counts[label]:,}", share(shares[label])) for label in counts),
    )
    series = [Series("share", list(shares.values()))]
    return text, charts.rows(title, list(counts), series, form=tenths)


def tenths(value: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{100 * value:.1f} %"


def objects(results: Iterable[Result]) -> dict[str, int]:
    """Return the numbers of gold records by how many of their attributes are wrong,
    missing or superfluous.

    Keys are labels such as "0" and "4 or more"; records that were not found have the
    label LOST.
    """
    record_counts: Counter[str] = Counter()
    for result in results:
        wrong_values: Counter[str] = Counter()
        lost_records: set[str] = set()
        for difference in result.differences:
            if difference.type:
                wrong_values[difference.where] += 1
            elif difference.given is None:
                lost_records.add(difference.where)
        record_counts.update(at_most(number) for number in wrong_values.values())
        record_counts[LOST] += len(lost_records)
        wrong_records = len(wrong_values) + len(lost_records)
        record_counts["0"] += records_of(result.page) - wrong_records
    return in_order(record_counts, LOST)


def pages(results: Iterable[Result]) -> dict[str, int]:
    """Return the numbers of pages by the share of attributes found, with labels such as
    "90-100 %"."""
    page_counts: Counter[str] = Counter()
    labels = [f"{low}-{low + 10} %" for low in range(90, -1, -10)]
    for result in results:
        if result.score.attributes.gold:
            recall = result.score.attributes.recall
            page_counts[labels[9 - min(9, int(10 * recall + 1e-9))]] += 1
    return {label: page_counts[label] for label in labels}


def types(results: Iterable[Result]) -> dict[str, int]:
    """Return the numbers of pages by how many attribute types have an error."""
    errors = (
        sum(max(one.given, one.gold) > one.right for one in result.score.types.values())
        for result in results
    )
    return in_order(Counter(map(at_most, errors)))


def at_most(number: int) -> str:
    """Return the label of a number of errors: the number, or "4 or more"."""
    return str(number) if number < MANY else f"{MANY} or more"


def in_order(counts: Mapping[str, int], *further_labels: str) -> dict[str, int]:
    """Return the counts in the order of the number of errors, then those of
    `further_labels`; a missing count is 0."""
    labels = [*map(str, range(MANY)), f"{MANY} or more", *further_labels]
    return {label: counts.get(label, 0) for label in labels}
