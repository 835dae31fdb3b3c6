"""Describe the results of each step of the compiler on a page.

The results are lines of text, and elements to highlight.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from time import perf_counter
from typing import Any, Final

from amber_wrap.analysis.additive_model import fitted_model
from amber_wrap.analysis.extraction_typing import AreaTyping, Segmentation
from amber_wrap.analysis.list_selection import LIST_RANKING, ListChoice, Ranked
from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import Domain
from amber_wrap.passes.analysis import Analysis
from amber_wrap.report.text_report import SHOWN_RECORDS, table_cell
from amber_wrap.selectors.node_tests import vetoes_on

PASS_TITLES: Final[Mapping[str, str]] = {
    "pages": "parse the samples",
    "annotations": "annotate texts",
    "example_nodes": "find the examples",
    "candidates": "find candidate lists",
    "choices": "choose the list",
    "analyses": "align attributes",
    "best": "choose the domain",
    "analysis": "add lists of the same kind",
    "presence": "compare the samples",
    "columns": "add columns",
    "draft": "write expressions",
    "next_page": "find the next page",
    "induced_wrapper": "make the contract",
    "wrapper": "apply your decisions",
    "left_out": "leave one sample out",
    "diagnostics": "look for problems",
}
"""The titles of the compiler's steps in reports.

A key is the name of a step's result in `pipeline`.
"""
_MOST_MARKED_LISTS: Final = 40
"""The most possible lists of records that are highlighted on a page."""
SHOWN_ANNOTATIONS = 3
"""The most values of each type of values (such as price) that a report shows."""
SHOWN_VETOES = 8
"""The greatest number of class names and ids that a report lists as avoided.

XPath expressions avoid, for example, random class names.
"""
SHOWN_CANDIDATES, SHOWN_FEATURES = 5, 4
"""The most possible lists of records in a report, and the most features of each.

A feature is a number that describes a list, such as its number of records.
"""


@dataclass(slots=True)
class PassTimes:
    """The running time of each step of the compiler in seconds, in order.

    Call the object with the name of a step when the step begins, and with "" at the
    end.
    """

    seconds: dict[str, float] = field(default_factory=dict)
    _name: str = ""
    _since: float = 0.0

    def __call__(self, name: str) -> None:
        """Stop timing the current step, and start timing the step `name`.

        If `name` is "", only stop.
        """
        now = perf_counter()
        if self._name:
            self.seconds[self._name] = now - self._since
        self._name, self._since = name, now

    def lines(self) -> Iterator[str]:
        """Yield a line with the seconds and the title of each step, then the sum."""
        for name, seconds in self.seconds.items():
            yield f"{seconds:7.3f} s  {PASS_TITLES[name]}"
        yield f"{sum(self.seconds.values()):7.3f} s  in total"


@dataclass(frozen=True, slots=True)
class PassStep:
    """The results of one step of the compiler on a page."""

    title: str
    """The name of the step."""
    summary: str
    """A sentence about the results."""
    areas: tuple[NodeId, ...] = ()
    """The elements that contain lists."""
    records: tuple[tuple[NodeId, ...], ...] = ()
    """The elements of each record."""
    values: tuple[tuple[NodeId, str, int], ...] = ()
    """A triple for each value: the element, the attribute type, and the index of the
    record.
    """

    def data(self) -> dict[str, Any]:
        """Return the results as JSON data.

        Under `marks` are the elements to highlight. There, an attribute type is an
        index into `names`.
        """
        names = list(dict.fromkeys(name for _, name, _ in self.values))
        return {
            "title": self.title,
            "summary": self.summary,
            "names": names,
            "marks": {
                "areas": [[node, self.title] for node in self.areas],
                "records": self.records,
                "values": [
                    [node, names.index(name), number]
                    for node, name, number in self.values
                ],
            },
        }


def pass_steps(page: Page, best: Analysis) -> Iterator[PassStep]:
    """Yield the results of each step of the analysis of the first sample page.

    `best` is the analysis with the domain that was chosen.
    """
    annotations, choice, typing = best.annotations[0], best.choices[0], best.typings[0]
    yield PassStep(
        "Annotate",
        f"{len(annotations)} texts may be values of the domain {best.domain.name}.",
        values=tuple(
            (page.element(annotation.node), annotation.type, 0)
            for annotation in annotations
        ),
    )
    ranked_roots = [candidate.segmentation.area.root for candidate in choice.ranked]
    list_roots = tuple(dict.fromkeys(ranked_roots))
    yield PassStep(
        "Find lists",
        f"{len(ranked_roots)} lists of similar elements, in {len(list_roots)} places.",
        areas=list_roots[:_MOST_MARKED_LISTS],
    )
    chosen_roots = tuple(page_list.area.root for page_list in choice.lists)
    yield PassStep(
        "Choose the list",
        f"The page has a list of records with a probability of "
        f"{choice.probability:.0%}; the marked list is the most likely.",
        areas=chosen_roots,
    )
    record_nodes = tuple(
        record.nodes for area in typing.areas for record in area.records
    )
    record_lengths = " or ".join(map(str, sorted({len(rows) for rows in record_nodes})))
    yield PassStep(
        "Segment",
        f"{len(record_nodes)} records, each of {record_lengths or 'no'} sibling "
        "elements.",
        areas=chosen_roots,
        records=record_nodes,
    )
    attributes = [
        (number, attribute)
        for number, record_attributes in enumerate(
            chain.from_iterable(area.attributes for area in typing.areas)
        )
        for attribute in record_attributes
    ]
    inferred_count = sum(attribute.origin == "inferred" for _, attribute in attributes)
    noise_count = sum(
        len(rejected) for area in typing.areas for rejected in area.noise.values()
    )
    yield PassStep(
        "Align",
        f"{len(attributes)} attributes, {inferred_count} of them inferred from "
        f"their position; {noise_count} annotations are noise, because few records "
        "have a similar one at the same path.",
        areas=chosen_roots,
        records=record_nodes,
        values=tuple(
            (page.element(attribute.node), attribute.type, number)
            for number, attribute in attributes
        ),
    )


def explanation(page: Page, tried: Sequence[Analysis], best: Analysis) -> str:
    """Return the output of `explain`, with all intermediate results of an analysis.

    `tried` are the analyses from which `best` was chosen.
    """
    explanation_lines = ["analyses tried (coverage: weighted number of values):"]
    for analysis in tried:
        best_mark = "*" if str(analysis) == str(best) else " "
        record_count = sum(typing.record_count for typing in analysis.typings)
        coverage = analysis.coverage(tried)
        explanation_lines.append(
            f"{best_mark} {analysis}: {record_count} records, coverage {coverage:.1f}"
        )
    explanation_lines += ["", *candidate_lines(page, best.choices[0])]
    explanation_lines += ["", "annotations:"]
    explanation_lines += _annotation_lines(best.annotations[0], best.domain)
    for number, area in enumerate(best.typings[0].areas, start=1):
        explanation_lines += ["", f"area {number}:", *_typing_lines(page, area)]
        explanation_lines += _veto_lines(page, area)
    explanation_lines += [str(finding) for finding in best.diagnostics]
    return "\n".join(explanation_lines) + "\n"


def candidate_lines(page: Page, choice: ListChoice) -> Iterator[str]:
    """Yield lines on the possible lists of records on a page, the best list first.

    A line has the list's probability, and the difference of its score from the best
    list's score.
    """
    if not choice.ranked:
        return
    verdict = (
        ""
        if choice.probability >= SELECTION.least_probability
        else ", too low for a list"
    )
    yield f"probability that the page has a list: {choice.probability:.0%}{verdict}"
    best = choice.ranked[0]
    yield f"  because of {_largest_contributions(best.reasons)}"
    yield "candidates, best first, with probability and score relative to the best:"
    for candidate in choice.ranked[:SHOWN_CANDIDATES]:
        records = candidate.segmentation.records
        length = ""
        if len(records[0].nodes) > 1:
            length = f" of {candidate.segmentation.record_length} siblings"
        yield (
            f"  {candidate.probability:4.0%} {candidate.score - best.score:+6.1f}  "
            f"{len(records):4} x {_tag_and_classes(page, records[0].start)}{length}"
        )
        if candidate is not best:
            yield f"               {_score_difference(best, candidate)}"


def _tag_and_classes(page: Page, node: NodeId) -> str:
    """Return the tag and the classes of an element, for example "<li.item.sold>"."""
    classes = "".join(f".{token}" for token in page.classes(node))
    return f"<{page.tag[node]}{classes}>"


def _score_difference(best: Ranked, other: Ranked) -> str:
    """Return the features that contribute most to the difference of two scores.

    For example, the result "records -2.1, depth +0.4" says that the number of records
    lowers the score of `other` by 2.1, compared with the score of `best`.
    """
    model = fitted_model(LIST_RANKING)
    best_parts = model.contributions(best.features)
    other_parts = model.contributions(other.features)
    return _largest_contributions(
        {name: other_parts[name] - best_parts[name] for name in best_parts}
    )


def _largest_contributions(contributions: Mapping[str, float]) -> str:
    """Return the features that contribute most to a score, and their contributions.

    An example is "records -2.1, depth +0.4".
    """
    largest = sorted(contributions, key=lambda name: -abs(contributions[name]))[
        :SHOWN_FEATURES
    ]
    return ", ".join(f"{name} {contributions[name]:+.1f}" for name in largest)


def _annotation_lines(
    annotations: Iterable[Annotation], domain: Domain
) -> Iterator[str]:
    """Yield lines on the texts that may be values, for each attribute type.

    The first line has the number of texts that each pattern, word list or other
    recogniser found. Further lines show a few of the texts.
    """
    by_type: dict[str, list[Annotation]] = defaultdict(list)
    for annotation in annotations:
        by_type[annotation.type].append(annotation)
    for kind in domain.schema.types:
        of_type = by_type[kind.name]
        recognisers = Counter(annotation.recogniser for annotation in of_type)
        counts = ", ".join(f"{name} {n}" for name, n in recognisers.most_common())
        yield f"  {kind.name:14} {len(of_type):5}  {counts}".rstrip()
        values = dict.fromkeys(
            (annotation.text, annotation.matched) for annotation in of_type
        )
        for text, matched in list(values)[:SHOWN_ANNOTATIONS]:
            normal_form = " ".join(
                str(part)
                for part in NORMAL_FORMS[kind.kind](text, matched, "")
                if part is not None
            )
            yield f"  {'':20}  {table_cell(text)} = {normal_form}"


def recognition_report(page: Page, domain: Domain) -> str:
    """Return the output of `domain check --sample`: the values recognised on a page.

    All values have a type of `domain`.
    """
    local_domain = for_locale(domain, locale_of(page))
    annotations = annotate(page, local_domain.schema, annotators(local_domain))
    return "\n".join(_annotation_lines(annotations, domain)) + "\n"


def _typing_lines(page: Page, area: AreaTyping) -> Iterator[str]:
    """Yield lines on a list of records, and on each path of tags to values in
    records.
    """
    segmentation = area.segmentation
    root = segmentation.area.root
    yield (
        f"  root {_tag_and_classes(page, root)} at depth {page.depth[root]}, "
        f"{len(segmentation.area.pivots)} pivot nodes, {len(area.records)} records"
    )
    yield from _segmentation_lines(segmentation)
    for place in area.positions:
        verdict = "kept" if place.is_kept else "dropped"
        yield (
            f"  {place.type:14} {place.support:6.1%} {verdict:7} "
            f"{place.source:6} {_shortened(place.path)}"
        )


def _segmentation_lines(segmentation: Segmentation) -> Iterator[str]:
    """Yield a line on each attempt to divide a list into records.

    A line has the shift: the number of siblings between the start of a record and a
    value of a type that each record has once.
    """
    yield f"  record length {segmentation.record_length}; segmentations tried:"
    for trial in segmentation.trials:
        if not trial.complete:
            result = "discarded: a record is cut off"
        elif trial.irregularity is None:
            result = "the only one"
        elif not trial.irregularity:
            result = "the least irregular"
        else:
            result = f"{trial.irregularity:.3f} more irregular"
        yield f"    shift {trial.shift}: {trial.record_count} records, {result}"


def _shortened(path: str) -> str:
    """Return a path of tags, with "…" for the middle if it has more than 8 steps.

    The first three and the last four steps stay.
    """
    steps = path.split("/")
    return path if len(steps) <= 8 else "/".join([*steps[:3], "…", *steps[-4:]])


def _veto_lines(page: Page, area: AreaTyping) -> Iterator[str]:
    """Yield lines with the ids and classes that XPath expressions avoid, and the
    reasons.
    """
    nodes = [
        node
        for record in area.records[:SHOWN_RECORDS]
        for row in record.nodes
        for node in page.elements(row)
    ]
    vetoes = list(vetoes_on(page, nodes).values())
    if vetoes:
        yield "  class names and ids that expressions avoid:"
    for veto in vetoes[:SHOWN_VETOES]:
        yield f"    {veto.reason}"
    if len(vetoes) > SHOWN_VETOES:
        yield f"    and {len(vetoes) - SHOWN_VETOES} more"
