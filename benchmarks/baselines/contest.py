"""Count what this project and another system find on the same pages, in the same way.

Each of the functions `regions`, `attributes` and `labelled` compares with one other
system. Only one kind of result is compared, such as records. Whatever else a system
finds doesn't count as an error (AMBER paper, section 6.3).
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus import wrapper_of

from amber_wrap.dom.markup import decode
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType
from amber_wrap.engine.interpret import ExtractedRecord, interpret
from amber_wrap.errors import AmberError
from amber_wrap.evaluation.agreement import comparable
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import Count
from amber_wrap.files import read_saved_page
from baselines import label_scraper, mdr, roadrunner, scoring
from baselines.label_scraper import LabelScraperError
from baselines.roadrunner import String
from baselines.scoring import Found

OURS = "amber-wrap"
"""The name of this project in tables."""
DEEPEST = 20_000
"""The least limit of Python's recursion while RoadRunner matches pages. Deeply nested
pages need many frames."""

Types = Sequence[AttributeType]
"""The types that are scored."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The result of comparing two systems on pages of one domain (kind of records).

    `pages` is the number of pages. `seconds` are the CPU seconds of each system.
    `counts` has the counts of each system, under keys such as "MDR/areas". `failure` is
    an error message, or "" if both systems worked.
    """

    domain: str
    pages: int
    seconds: Mapping[str, float]
    counts: Mapping[str, Found]
    failure: str = ""


def regions(pages: Sequence[GoldPage], types: Types) -> Figures:
    """Count the data areas (lists) and records that MDR and this project find on a
    page.

    `pages` has exactly one page.
    """
    (page,) = pages
    placed_page = scoring.read_places(page, types)
    clock = _Clock()
    mdr_areas = [region.records for region in mdr.mine(parse(page_bytes(page)))]
    clock.stop("MDR")
    own_areas: dict[str, list[tuple[int, ...]]] = defaultdict(list)
    for record in records_of(page, [page])[0]:
        own_areas[record.area].append(record.rows)
    clock.stop(OURS)
    counts = {}
    for system, areas in (("MDR", mdr_areas), (OURS, list(own_areas.values()))):
        areas_count, records_count = scoring.score_areas(placed_page, areas)
        counts[f"{system}/areas"] = Found.of(areas_count)
        counts[f"{system}/records"] = Found.of(records_count)
    return Figures(pages[0].domain, len(pages), clock.seconds, counts)


def attributes(pages: Sequence[GoldPage], types: Types) -> Figures:
    """Count the attributes that RoadRunner and this project find on the pages of a
    site."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    placed_pages = [scoring.read_places(page, types) for page in pages]
    clock = _Clock()
    wrapper = roadrunner.induce([parse(page_bytes(page)) for page in pages])
    fields = [field.strings for field in roadrunner.fields(wrapper)]
    clock.stop("RoadRunner")
    own_values: dict[str, list[String]] = defaultdict(list)
    for number, page in enumerate(pages):
        for record in records_of(page, [page])[0]:
            for field_name, value in record.values.items():
                string = String(number, value.node, value.source, value.text)
                own_values[field_name].append(string)
    clock.stop(OURS)
    counts = {}
    for system, slots in (("RoadRunner", fields), (OURS, list(own_values.values()))):
        exact, contained = scoring.score_slots(placed_pages, slots)
        counts[f"{system}/="] = exact
        counts[f"{system}/~"] = contained
    return Figures(pages[0].domain, len(pages), clock.seconds, counts)


def labelled(pages: Sequence[GoldPage], types: Types, folder: str) -> Figures:
    """Count the values of each type that autoscraper and this project find on a site's
    pages, after learning from the first page.

    Autoscraper learns several rules for a type, and its users choose among the rules by
    looking at the results. The rule that is best on the first page is therefore
    counted. `folder` is the folder in which autoscraper is installed.
    """
    records = [record for area in pages[0].areas for record in area.records]
    first_values = records[0] if records else {}
    unscored = frozenset().union(*(page.unscored for page in pages))
    value_kinds = {
        type_.name: type_.kind
        for type_ in types
        if type_.name in first_values.keys() - unscored
    }

    def count(page: GoldPage, name: str, values: Iterable[str]) -> Count:
        gold_values = [
            record[name]
            for area in page.areas
            for record in area.records
            if name in record
        ]
        found, wanted = (
            Counter(comparable(value_kinds[name], value) for value in texts)
            for texts in (values, gold_values)
        )
        return Count((found & wanted).total(), found.total(), wanted.total())

    clock = _Clock()
    wanted_values = {name: first_values[name] for name in value_kinds}
    rules = {}
    failure = ""
    try:
        bodies = [decode(page_bytes(page)) for page in pages]
        rules = label_scraper.scrape(Path(folder), wanted_values, bodies)
    except LabelScraperError as error:
        failure = f"{pages[0].site}: {error}"
    clock.stop("autoscraper")
    own_records = records_of(pages[0], pages)
    clock.stop(OURS)
    counts: dict[str, Count] = defaultdict(Count)
    for name in value_kinds:
        best_values: Sequence[Sequence[str]] = max(
            rules.get(name, ()),
            key=lambda by_page, name=name: count(pages[0], name, by_page[0]).f1,
            default=[[]] * len(pages),
        )
        for number, page in enumerate(pages):
            page_role = "others" if number else "sample"
            own_values = [
                record.values[name].text
                for record in own_records[number]
                if name in record.values
            ]
            counts[f"autoscraper/{page_role}"] += count(page, name, best_values[number])
            counts[f"{OURS}/{page_role}"] += count(page, name, own_values)
    exact_counts = {name: Found.of(type_count) for name, type_count in counts.items()}
    return Figures(pages[0].domain, len(pages), clock.seconds, exact_counts, failure)


def records_of(
    sample: GoldPage, pages: Sequence[GoldPage]
) -> list[tuple[ExtractedRecord, ...]]:
    """Return the records that the wrapper of a sample page reads on each page.

    If no wrapper can be induced, there are no records on any page.
    """
    try:
        wrapper = wrapper_of(sample)
    except AmberError:
        return [()] * len(pages)
    return [tuple(interpret(wrapper, parse(page_bytes(page)))) for page in pages]


def page_bytes(page: GoldPage) -> bytes:
    """Return the bytes of a page."""
    return read_saved_page(str(page.path)).body


class _Clock:
    """Measures the CPU seconds of systems that work one after the other."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self._begin = self._now()

    def stop(self, system: str) -> None:
        """Store the CPU seconds since the last stop as those of `system`."""
        end = self._now()
        self.seconds[system], self._begin = end - self._begin, end

    @staticmethod
    def _now() -> float:
        """Return the CPU seconds of this process and of its ended child processes."""
        return sum(os.times()[:4])
