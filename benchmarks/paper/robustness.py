"""Robustness: measure how well locations are found if fewer places are known.

The lists of places (uk_towns, uk_counties, us_places, places.*) are cut to a random
share of their terms. There are two variants. In the system as it is, patterns and names
in the markup recognise locations, too. In the other variant, only the lists do, as in
the AMBER paper (section 6.1). As real pages are few, `--samples N` random samples are
drawn of each share.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import charts
import measurement
from charts import Series, percent
from corpus import gold_records
from experiment import REAL, Experiment, Finding, GoldSet, described, image
from measurement import LOCATION, Induced, System, domain_of, induce, jobs_of, scored
from runs import Runs
from synthetic.census import Placed, judged
from tables import measures, points, share, table

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import _function_words, for_locale, locale_of
from amber_wrap.dom.page import TEXT, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType
from amber_wrap.evaluation.agreement import agreement_words
from amber_wrap.evaluation.gold import Corpus, GoldPage
from amber_wrap.evaluation.score import Count
from amber_wrap.files import read_saved_page

SHARES = (1.0, 0.75, 0.5, 0.25)
"""The shares of places that remain."""
VARIANTS = {"as it is": False, "lists alone": True}
"""The variants by name: whether only the lists of places recognise locations."""
Answer = tuple[Count, Mapping[str, int]]
"""The result for a page: the count of its locations, and the numbers that
`annotation_errors` returns."""
HEAD = (
    "places known",
    "missed",
    "false",
    "location P",
    "R",
    "F1",
    "change",
    "F1 by sample",
    "in the dark",
    "F1 of the others",
)
"""The head of the tables."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table for each variant, and a chart of both."""
    pages = tuple(
        page for page in gold.corpus.pages if has_english_locations(page, gold.name)
    )
    corpus = replace(gold.corpus, pages=pages)
    answers = answers_of(corpus, runs, options.samples if gold.name == REAL else 1)
    series, text = [], f"With locations in English: {described(corpus)}.\n"
    for name, alone in VARIANTS.items():
        figures = [
            Figures.of(
                [
                    answers[system]
                    for system in answers
                    if (system.share, system.alone) == key
                ]
            )
            for key in ((share, alone) for share in SHARES)
        ]
        text += f"\n{name.capitalize()}:\n\n" + table(HEAD, rows(figures))
        series += [
            Series(f"F1, {name}", [variant.count.f1 for variant in figures]),
            Series(f"missed, {name}", [variant.missed for variant in figures]),
        ]
    title = f"Locations with fewer places known ({gold.name} pages)"
    chart = charts.lines(
        title, [percent(places_share) for places_share in SHARES], series
    )
    chart_file = f"robustness-{gold.name}.svg"
    return Finding(f"{text}\n{image(chart_file, title)}", {chart_file: chart})


def answers_of(corpus: Corpus, runs: Runs, samples: int) -> dict[System, list[Answer]]:
    """Return the results of all pages for each system.

    `samples` is the number of random samples for each share of places. For the full
    lists, there is only one sample.
    """
    systems = [
        System(share=share, sample=sample, alone=alone)
        for alone in VARIANTS.values()
        for share in SHARES
        for sample in range(1, 1 + (samples if share < 1 else 1))
    ]
    jobs = jobs_of(corpus, systems)
    answers_by_system: dict[System, list[Answer]] = {system: [] for system in systems}
    answers = runs.of(located, jobs, [Path(measurement.__file__)])
    for job, answer in zip(jobs, answers, strict=True):
        answers_by_system[job.arguments[2]].append(answer)
    return answers_by_system


main = Experiment("robustness", measure, __doc__, numbers={"samples": 3})


@dataclass(frozen=True, slots=True)
class Figures:
    """The sums over all pages: the counts of locations by sample, and the numbers of
    values and annotations.

    `others` has the locations on pages with at least one annotated location. The
    locations on the remaining pages are called "in the dark" in the table.
    """

    counts: Sequence[Count]
    annotation_counts: Mapping[str, int]
    others: Count

    @classmethod
    def of(cls, samples: Sequence[Sequence[Answer]]) -> Figures:
        """Return the sums over samples; each sample has a result for each page."""
        answers = [answer for pages in samples for answer in pages]
        annotation_counts = sum((Counter(errors) for _, errors in answers), Counter())
        counts = [sum((count for count, _ in pages), Count()) for pages in samples]
        other_counts = (
            count for count, errors in answers if errors["missed"] < errors["values"]
        )
        return cls(counts, annotation_counts, sum(other_counts, Count()))

    @property
    def count(self) -> Count:
        """The count of locations, summed over all samples."""
        return sum(self.counts, Count())

    @property
    def false_a_page(self) -> float:
        """The mean number of false annotations on a page: those that mark no known
        location."""
        counts = self.annotation_counts
        return counts["false"] / (counts["pages"] or 1)

    @property
    def missed(self) -> float:
        """The share of known locations that have no annotation."""
        return self.annotation_counts["missed"] / (
            self.annotation_counts["values"] or 1
        )


def rows(figures: Sequence[Figures]) -> Iterator[Sequence[str]]:
    """Yield a table row for each share of places, with the change of F1 from the full
    lists."""
    for share_known, variant in zip(SHARES, figures, strict=True):
        dark_share = 1 - variant.others.gold / (variant.count.gold or 1)
        yield (
            percent(share_known),
            f"{100 * variant.missed:.1f} %",
            f"{variant.false_a_page:.1f} a page",
            *measures(variant.count),
            points(variant.count.f1 - figures[0].count.f1),
            " / ".join(share(count.f1) for count in variant.counts),
            f"{100 * dark_share:.1f} %",
            share(variant.others.f1),
        )


def has_english_locations(page: GoldPage, set_name: str) -> bool:
    """Return whether a page has scored locations and, if it is a real page, is in
    English.

    If no language is declared or clear from the text, the most frequent function words
    decide, because some pages contain hardly more than names.
    """
    records = [record for area in page.areas for record in area.records]
    if LOCATION in page.unscored or not any(LOCATION in record for record in records):
        return False
    if set_name != REAL:
        return True
    dom = parse(read_saved_page(str(page.path)).body)
    language = locale_of(dom).language
    commonest = _function_words(dom).most_common(1)
    return language == "en" or (
        not language and bool(commonest) and commonest[0][0] == "en"
    )


# --- a page ---------------------------------------------------------------------


def located(page: GoldPage, types: Sequence[AttributeType], system: System) -> Answer:
    """Return the numbers of right, found and known locations of a page, and the errors
    of the location annotations."""
    induced = induce(page.path, domain_of(page.domain, system), system.strategy)
    parsed_page, annotations = page_and_annotations(page, system, induced)
    errors = annotation_errors(
        parsed_page, annotations, list(places_of(parsed_page, page))
    )
    return scored(page, types, induced).score.of_type(LOCATION), errors


def page_and_annotations(
    page: GoldPage, system: System, induced: Induced
) -> tuple[Page, Sequence[Annotation]]:
    """Return a parsed page and its annotations, even if no wrapper could be induced."""
    if induced.compilation is not None:
        return induced.compilation.pages[0], induced.compilation.analysis.annotations[0]
    parsed_page = parse(read_saved_page(str(page.path)).body)
    domain = for_locale(domain_of(page.domain, system), locale_of(parsed_page))
    return parsed_page, annotate(parsed_page, domain.schema, annotators(domain))


def annotation_errors(
    page: Page, annotations: Iterable[Annotation], places: Sequence[Placed]
) -> dict[str, int]:
    """Return the numbers of known locations ("values"), of those without an annotation
    ("missed"), and of location annotations that mark none ("false").

    The number of pages ("pages") is 1.
    """
    claims = [
        (annotation.node, agreement_words(annotation.text))
        for annotation in annotations
        if annotation.type == LOCATION and annotation.source == TEXT
    ]
    true_values = [(node, agreement_words(value)) for node, value in places]
    false, missed = judged(page, claims, true_values)
    return {"pages": 1, "values": len(true_values), "missed": missed, "false": false}


def places_of(page: Page, gold: GoldPage) -> Iterator[Placed]:
    """Yield the node and the text of each known location whose XPath is in the gold.

    If the XPath selects an element without text, such as a separator, the node behind
    the element is taken.
    """
    for record in gold_records(gold):
        value = record["attributes"].get(LOCATION)
        if isinstance(value, dict) and value.get("xpath"):
            for node in page.select(value["xpath"])[:1]:
                offset = 0 if page.text_length(node) else page.size[node]
                yield node + offset, value["value"]
