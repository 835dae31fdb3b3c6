"""Measure precision and recall of lists, records and attributes, in three experiments.

`ACCURACY` has the figures in total, per site and per attribute type. `SIZES` has the
figures by the number of records on a page, and counts errors. A list is called a data
area.
`THRESHOLDS` compares thresholds of depth and distance. In the AMBER paper, a data area
is found by recognised values that each record has once. The threshold of depth limits
how much the depths of these values in the tree differ. The threshold of distance limits
how much the distances between them differ.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import charts
from experiment import Experiment, Finding, GoldSet, image
from measurement import System, measure
from runs import Runs
from tables import measures, share, table, three_counts

from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.report import ALL, Figure, summarise, summary_of
from amber_wrap.evaluation.tasks import Result

HEAD = ("domain", "", "right / given / gold", "P", "R", "F1")
"""The column heads that both tables of the accuracy share."""
PER_SITE = ("P per site", "R", "F1")
"""The heads of the columns with precision, recall and F1, averaged over the sites."""
MEASURES = ("areas", "records", "attributes")
"""The measures that charts and the table of thresholds show."""


def measure_accuracy(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return the tables of the accuracy, and two charts for each domain.

    One chart has lists, records and attributes together. The other has each attribute
    type.
    """
    [results] = measure(gold.corpus, runs)
    summaries = summarise(results)
    del summaries[ALL]
    rows, type_rows, charts_by_file = [], [], {}
    for domain, summary in summaries.items():
        for name, figure in summary.measures.items():
            mean = figure.per_site
            per_site = map(share, (mean.precision, mean.recall, mean.f1))
            rows.append((domain, name, *counted(figure), *per_site))
        types = summary.types
        type_rows += [(domain, name, *counted(types[name])) for name in types]
        overview = {name: summary.measures[name] for name in MEASURES}
        for kind, title, figures in (
            ("overview", "Accuracy", overview),
            ("types", "Accuracy per attribute type", types),
        ):
            chart = drawing(f"{title}: {domain}, {gold.name} pages", figures)
            charts_by_file[f"accuracy-{gold.name}-{domain}-{kind}.svg"] = chart
    links = list(map(image, charts_by_file))
    parts = (
        table((*HEAD, *PER_SITE), rows),
        "".join(links[::2]),
        f"By attribute type:\n\n{table(HEAD, type_rows)}",
        "".join(links[1::2]),
    )
    return Finding("\n".join(parts), charts_by_file)


def counted(figure: Figure) -> tuple[str, ...]:
    """Return table cells with the three counts of a figure, its precision, recall
    and F1.
    """
    return three_counts(figure.count), *measures(figure.count)


def drawing(title: str, figures: Mapping[str, Figure]) -> str:
    """Return an SVG chart with precision and recall for each measure or attribute
    type.
    """
    counts = [figure.count for figure in figures.values()]
    precisions = [count.precision for count in counts]
    series = {"precision": precisions, "recall": [count.recall for count in counts]}
    return charts.shares(title, list(figures), series)


ACCURACY = Experiment(
    "accuracy",
    measure_accuracy,
    "Accuracy: measure precision and recall of lists, records and attributes.",
)

# --- thresholds ---------------------------------------------------------------------

PAIRS = ((0, 0), (1, 2), (2, 4))
"""The pairs of two thresholds, of depth and of distance, that are compared.

The paper uses the second pair.
"""
STRATEGIES = ("paper", "role")
"""The two methods of finding records that are compared.

The method "role" ignores the thresholds of depth and distance, so that its figures are
always the same.
"""


def measure_thresholds(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of the accuracy with several thresholds, and a chart.

    A row has a method of finding records, and a pair of thresholds. The chart shows the
    method of the paper only.
    """
    keys = [(strategy, pair) for strategy in STRATEGIES for pair in PAIRS]
    systems = [System(strategy, *pair) for strategy, pair in keys]
    results = measure(gold.corpus, runs, systems)
    counts = {
        key: [summary.measures[name].count for name in MEASURES]
        for key, summary in zip(keys, map(summary_of, results), strict=True)
    }
    rows = [
        (strategy, str(pair), *(cell for one in by_measure for cell in measures(one)))
        for (strategy, pair), by_measure in counts.items()
    ]
    head = [cell for name in MEASURES for cell in (f"{name} P", "R", "F1")]
    text = table(("strategy", "(depth, distance)", *head), rows)
    title = f"Thresholds (depth, distance), the paper's strategy: {gold.name} pages"
    series = {
        f"{name} F1": [counts["paper", pair][number].f1 for pair in PAIRS]
        for number, name in enumerate(MEASURES)
    }
    chart_file = f"thresholds-{gold.name}.svg"
    chart = charts.shares(title, list(map(str, PAIRS)), series)
    return Finding(f"{text}\n{image(chart_file, title)}", {chart_file: chart})


THRESHOLDS = Experiment(
    "thresholds",
    measure_thresholds,
    "Thresholds: measure accuracy at several thresholds of depth and distance.",
)

# --- sizes and errors ---------------------------------------------------------------

BINS = {
    "none": (0, 0),
    **{"1-3": (1, 3), "4-5": (4, 5), "6-10": (6, 10), "11-15": (11, 15)},
    **{"16-20": (16, 20), "21-50": (21, 50), "more": (51, 10**9)},
}
"""Groups of pages by their number of records: the least and the greatest number."""
MANY = 4
"""The least number of errors that has the label "4 or more" in tables."""
LOST = "not found"
"""The label of records that were not found."""


def measure_sizes(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return tables and charts of the accuracy by number of records, and of the errors.

    Errors are counted for each record, for each page, and for each attribute type.
    """
    [results] = measure(gold.corpus, runs)
    text, chart = by_number(results, gold.name)
    charts_by_file = {f"sizes-{gold.name}-records.svg": chart}
    for file_part, title, counts in (
        ("objects", "Attributes wrong per object", records_by_errors(results)),
        ("pages", "Attributes right per page", pages_by_recall(results)),
        ("types", "Types with an error per page", pages_by_wrong_types(results)),
    ):
        total = sum(counts.values()) or 1
        shares = {label: count / total for label, count in counts.items()}
        rows = [(it, f"{counts[it]:,}", share(shares[it])) for it in counts]
        text += f"\n{title}:\n\n{table(('', 'number', 'share'), rows)}"
        series = {"share": list(shares.values())}
        chart_title = f"{title}: {gold.name} pages"
        chart = charts.rows(chart_title, list(counts), series, form=tenths)
        charts_by_file[f"sizes-{gold.name}-{file_part}.svg"] = chart
    chart_links = "".join(map(image, charts_by_file))
    return Finding(f"{text}\n{chart_links}", charts_by_file)


SIZES = Experiment(
    "sizes",
    measure_sizes,
    "Sizes: measure accuracy by records per page, and errors per record and per page.",
)


def by_number(results: Sequence[Result], name: str) -> tuple[str, str]:
    """Return a table and a chart of the accuracy by the number of records on a page.

    `name` is that of the set of pages, "synthetic" or "real".
    """
    rows, labels = [], []
    series: dict[str, list[float]] = {"records F1": [], "attributes F1": []}
    for label, (least, most) in BINS.items():
        group = [it for it in results if least <= record_count(it.page) <= most]
        if group:
            by_measure = summary_of(group).measures
            counts = by_measure["records"].count, by_measure["attributes"].count
            cells = (cell for count in counts for cell in measures(count))
            rows.append((label, str(len(group)), *cells))
            labels.append(f"{label} ({len(group)} pages)")
            for values, count in zip(series.values(), counts, strict=True):
                values.append(count.f1)
    head = ("records on the page", "pages", "records P", "R", "F1", "attributes P", "R")
    title = f"Accuracy by records on the page: {name} pages"
    return table((*head, "F1"), rows), charts.shares(title, labels, series)


def tenths(value: float) -> str:
    """Return a share in percent with one decimal."""
    return f"{100 * value:.1f} %"


def record_count(page: GoldPage) -> int:
    """Return the number of known records on a page."""
    return sum(len(area.records) for area in page.areas)


def records_by_errors(results: Iterable[Result]) -> dict[str, int]:
    """Return the number of known records by the number of errors in each record.

    An error is a value that is wrong, missing or superfluous. Keys are labels such as
    "0" and "4 or more". Records that were not found have the label LOST.
    """
    counts: Counter[str] = Counter()
    for result in results:
        differences = result.differences
        wrong = Counter(it.where for it in differences if it.type)
        lost = {it.where for it in differences if not it.type and it.given is None}
        counts.update(map(at_most, wrong.values()))
        counts[LOST] += len(lost)
        counts["0"] += record_count(result.page) - len(wrong) - len(lost)
    return in_order(counts, LOST)


def pages_by_recall(results: Iterable[Result]) -> dict[str, int]:
    """Return the number of pages by the share of their values that is found.

    Keys are labels such as "90-100 %".
    """
    counts = [it.score.attributes for it in results if it.score.attributes.gold]
    tenths = Counter(min(9, int(10 * count.recall + 1e-9)) for count in counts)
    return {f"{10 * n}-{10 * n + 10} %": tenths[n] for n in range(9, -1, -1)}


def pages_by_wrong_types(results: Iterable[Result]) -> dict[str, int]:
    """Return the number of pages by their number of attribute types with errors.

    Keys are labels such as "0" and "4 or more".
    """
    errors = (
        sum(max(one.given, one.gold) > one.right for one in result.score.types.values())
        for result in results
    )
    return in_order(Counter(map(at_most, errors)))


def at_most(number: int) -> str:
    """Return the label of a number of errors: the number, or "4 or more"."""
    return str(number) if number < MANY else f"{MANY} or more"


def in_order(counts: Mapping[str, int], *further_labels: str) -> dict[str, int]:
    """Return `counts` with its labels in the order "0", "1" and so on to "4 or more".

    The counts of `further_labels` follow. A missing count is 0.
    """
    labels = [*map(at_most, range(MANY + 1)), *further_labels]
    return {label: counts.get(label, 0) for label in labels}
