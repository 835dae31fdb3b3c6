"""Robustness: measure how well locations are found if fewer places are known.

The lists of places are cut to a random share of their names. There are two variants. In
the first, amber-wrap also recognises locations by patterns, and by names in the markup.
In the second, only the lists of places recognise locations, as in the AMBER paper
(section 6.1). `--samples N` random samples are drawn of each share.
"""

from __future__ import annotations

from argparse import Namespace
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import charts
import measurement
from charts import percent
from corpus import gold_records
from experiment import REAL, Experiment, Finding, GoldSet, described, image
from measurement import LOCATION, System, domain_of, induce, jobs_of, scored
from runs import Runs, Types
from synthetic.census import Placed, judged
from tables import measures, points, share, table

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import _function_words, for_locale, locale_of
from amber_wrap.dom.page import TEXT, Page
from amber_wrap.dom.parse import parse
from amber_wrap.evaluation.agreement import agreement_words
from amber_wrap.evaluation.gold import Corpus, GoldPage
from amber_wrap.evaluation.score import Count
from amber_wrap.files import read_saved_page

SHARES = (1.0, 0.75, 0.5, 0.25)
"""The shares of places that remain in the lists of places."""
VARIANTS = {"as it is": False, "lists alone": True}
"""Whether only the lists of places recognise locations, by the name of the variant."""
Answer = tuple[Count, Mapping[str, int]]
"""The result for a page: the count of its locations, and the numbers that
`annotation_errors` returns."""
HEAD = (
    *("places known", "missed", "false", "location P", "R", "F1", "change"),
    *("F1 by sample", "in the dark", "F1 of the others"),
)
"""The column heads of the tables."""


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return tables and a chart of how well locations are found with fewer places.

    In one table, amber-wrap recognises locations as it usually does. In the other, only
    the lists of places recognise them.
    """
    chosen = (it for it in gold.corpus.pages if has_english_locations(it, gold.name))
    corpus = replace(gold.corpus, pages=tuple(chosen))
    answers = answers_of(corpus, runs, options.samples if gold.name == REAL else 1)
    series, text = {}, f"With locations in English: {described(corpus)}.\n"
    for name, alone in VARIANTS.items():
        figures = [
            Figures.of([answers[it] for it in answers if (it.share, it.alone) == key])
            for key in ((known, alone) for known in SHARES)
        ]
        text += f"\n{name.capitalize()}:\n\n{table(HEAD, rows(figures))}"
        series[f"F1, {name}"] = [variant.count.f1 for variant in figures]
        series[f"missed, {name}"] = [variant.missed for variant in figures]
    title = f"Locations with fewer places known ({gold.name} pages)"
    chart = charts.lines(title, list(map(percent, SHARES)), series)
    chart_file = f"robustness-{gold.name}.svg"
    return Finding(f"{text}\n{image(chart_file, title)}", {chart_file: chart})


def answers_of(corpus: Corpus, runs: Runs, samples: int) -> dict[System, list[Answer]]:
    """Return the results of all pages for each system.

    A system is a configuration with a random sample of the known places. `samples` is
    the number of samples for each share of places. For the full lists, there is only
    one sample.
    """
    systems = [
        System(share=share, sample=sample, alone=alone)
        for alone in VARIANTS.values()
        for share in SHARES
        for sample in range(1, 1 + (samples if share < 1 else 1))
    ]
    sources = [Path(measurement.__file__)]
    answers = iter(runs.of(located, jobs_of(corpus, systems), sources))
    return {system: [next(answers) for _ in corpus.pages] for system in systems}


main = Experiment("robustness", measure, __doc__, numbers={"samples": 3})


@dataclass(frozen=True, slots=True)
class Figures:
    """The sums of the results of all pages with one share of the places.

    `counts` has the count of locations for each random sample of places. `annotations`
    has the number of known locations, and those of recognition errors. `others` has the
    count of locations on pages with at least one recognised location.
    """

    counts: Sequence[Count]
    annotations: Mapping[str, int]
    others: Count

    @classmethod
    def of(cls, samples: Sequence[Sequence[Answer]]) -> Figures:
        """Return the sums of the results in all samples of places.

        A sample has a result for each page.
        """
        answers = [answer for pages in samples for answer in pages]
        annotations = sum((Counter(errors) for _, errors in answers), Counter())
        counts = [sum((count for count, _ in pages), Count()) for pages in samples]
        others = (count for count, it in answers if it["missed"] < it["values"])
        return cls(counts, annotations, sum(others, Count()))

    @property
    def count(self) -> Count:
        """The count of locations, summed over all samples."""
        return sum(self.counts, Count())

    @property
    def missed(self) -> float:
        """The share of known locations that no annotator recognises."""
        return self.annotations["missed"] / (self.annotations["values"] or 1)


def rows(figures: Sequence[Figures]) -> Iterator[Sequence[str]]:
    """Yield a table row for each share of places.

    The column "change" compares the F1 with that of the full lists.
    """
    for share_known, variant in zip(SHARES, figures, strict=True):
        numbers = variant.annotations
        dark_share = 1 - variant.others.gold / (variant.count.gold or 1)
        yield (
            percent(share_known),
            f"{100 * variant.missed:.1f} %",
            f"{numbers['false'] / (numbers['pages'] or 1):.1f} a page",
            *measures(variant.count),
            points(variant.count.f1 - figures[0].count.f1),
            " / ".join(share(count.f1) for count in variant.counts),
            f"{100 * dark_share:.1f} %",
            share(variant.others.f1),
        )


def has_english_locations(page: GoldPage, set_name: str) -> bool:
    """Return whether a page has known locations and is in English.

    Pages of the generated set are always in English. If a page declares no language,
    its most frequent function words decide.
    """
    records = [record for area in page.areas for record in area.records]
    if LOCATION in page.unscored or not any(LOCATION in record for record in records):
        return False
    if set_name != REAL:
        return True
    dom = parse(read_saved_page(str(page.path)).body)
    language = locale_of(dom).language
    commonest = (word for word, _ in _function_words(dom).most_common(1))
    return (language or next(commonest, "")) == "en"


# --- a page ---------------------------------------------------------------------


def located(types: Types, page: GoldPage, system: System) -> Answer:
    """Return the result for a page: the count of its locations, and annotation
    errors.
    """
    domain = domain_of(page.domain, system)
    induced = induce(page.path, domain, system.strategy)
    if induced.compilation:
        [dom], analysis = induced.compilation.pages, induced.compilation.analysis
        annotations = analysis.annotations[0]
    else:
        dom = parse(read_saved_page(str(page.path)).body)
        domain = for_locale(domain, locale_of(dom))
        annotations = annotate(dom, domain.schema, annotators(domain))
    errors = annotation_errors(dom, annotations, list(places_of(dom, page)))
    return scored(page, types, induced).score.of_type(LOCATION), errors


def annotation_errors(
    page: Page, annotations: Iterable[Annotation], places: Sequence[Placed]
) -> dict[str, int]:
    """Return the number of known locations, and how many errors annotators made with
    them.

    The keys are "values" for known locations, "missed" for those without an annotation,
    and "false" for annotations that mark no location. The entry "pages" is 1.
    """
    claims = [
        (annotation.node, agreement_words(annotation.text))
        for annotation in annotations
        if annotation.type == LOCATION and annotation.source == TEXT
    ]
    values = [(node, agreement_words(value)) for node, value in places]
    false, missed = judged(page, claims, values)
    return {"pages": 1, "values": len(values), "missed": missed, "false": false}


def places_of(page: Page, gold: GoldPage) -> Iterator[Placed]:
    """Yield the node and the text of each known location that has an XPath.

    If the XPath selects an element without text, such as a separator, the node behind
    the element is taken.
    """
    for record in gold_records(gold):
        value = record["attributes"].get(LOCATION)
        if isinstance(value, dict) and value.get("xpath"):
            for node in page.select(value["xpath"])[:1]:
                offset = 0 if page.text_length(node) else page.size[node]
                yield node + offset, value["value"]
