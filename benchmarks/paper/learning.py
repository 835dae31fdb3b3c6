"""Learning: learn place names from pages, beginning with few names.

The list of places begins with a fifth or a quarter of the places on the pages: towns,
hamlets, counties and streets. Names are added in rounds, as in the AMBER paper (section
6.4). Only the list is used to recognise locations. A second question is whether the
learned names help on sites from which nothing was learned.
"""

from __future__ import annotations

import random
import re
from argparse import Namespace
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import charts
from experiment import SYNTHETIC, Experiment, Finding, GoldSet, image
from measurement import LOCATION, with_places_alone
from robustness import places_of
from runs import Job, Runs
from synthetic.census import Placed, overlap
from synthetic.corpus import PAPER, place_terms
from tables import measures, share, table

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.learned_lists import LearnedLists, with_lists
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import Domain, Gazetteer
from amber_wrap.evaluation.agreement import agreement_words
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import Count
from amber_wrap.files import read_saved_page
from amber_wrap.learning.rounds import (
    LearningPage,
    LessonResult,
    Round,
    learn_from_pages,
)
from amber_wrap.learning.term_evidence import Lesson, observe, vocabularies
from amber_wrap.learning.thresholds import LEARNING
from amber_wrap.pipeline import analyse_samples
from amber_wrap.settings import DEFAULTS

DOMAIN = "real-estate"
"""The domain whose places are learned."""
WORD = re.compile(r"[^\W\d_]+")
"""A pattern of a word of letters."""
GONE = ("rejected", "no places", "all F1")
"""The heads of the last three columns of the table of learning rounds."""
WRONG, COMMON = 40, 20
"""Two numbers about words in the first list of places that are no places.

The first is how many such words some settings have. The second is the least number of
sites on which such a word occurs.
"""
SEED, UNSEEN = 0.2, 3
"""Two numbers for the test on sites from which nothing is learned.

The first is the share of places in the first list. The second says that every third
site is such a site.
"""


@dataclass(frozen=True, slots=True)
class Setting:
    """The list of places with which learning begins, and the rules for adding places.

    `part` is the share of all places that the list has. `wrong` is the number of its
    words that are no places. `sites` is the number of sites that must agree on a new
    place, one in the paper. `pseudo_code` is True if opposing records are judged as in
    the paper's pseudo-code, which inverts a threshold.
    """

    part: float
    sites: int = LEARNING.least_sites
    wrong: int = 0
    pseudo_code: bool = False

    def __str__(self) -> str:
        sites = "one site" if self.sites == 1 else f"{self.sites} sites"
        wrong = f", {self.wrong} wrong terms" if self.wrong else ""
        ratio = ", the pseudo-code's ratio" if self.pseudo_code else ""
        return f"{self.part:.0%} known{wrong}, {sites} needed{ratio}"


SETTINGS = (
    Setting(0.2),
    Setting(0.25),
    Setting(0.2, sites=1),
    Setting(0.2, wrong=WRONG),
    Setting(0.2, wrong=WRONG, pseudo_code=True),
)
"""The first lists of places, with rules for adding places, that are compared."""


@dataclass(frozen=True, slots=True)
class Step:
    """The counts of a learning round, with the paper's symbols in brackets.

    `annotated` are the recognised locations (L^E), and `extracted` are all extracted
    locations. `learned` are the added terms (L^L). `rejected` are the rejected terms. A
    rejected term counts as right if it is no place.
    """

    annotated: Count
    extracted: Count
    learned: Count
    rejected: Count


def measure(gold: GoldSet, runs: Runs, options: Namespace) -> Finding:
    """Return a table of the learning rounds for each setting, and a chart.

    There is also a report on the sites from which nothing was learned.
    """
    pages = gold.corpus.of_domain(DOMAIN).pages
    truth = place_terms(pages[0].path.parents[3])
    wrong = wrong_terms(pages, truth)
    rounds = {one: list(steps(pages, truth, wrong, one, runs)) for one in SETTINGS}
    title = "Learning: locations that carry an annotation, by round"
    longest = max(map(len, rounds.values()))
    series = {
        f"F1, {setting}": [step.annotated.f1 for step in counts]
        + [None] * (longest - len(counts))
        for setting, counts in list(rounds.items())[:4]
    }
    chart = charts.lines(title, list(map(str, range(1, longest + 1))), series)
    chart_file = f"learning-{gold.name}.svg"
    parts = (
        f"The pages show {len(truth):,} places.\n",
        *(f"{setting}:\n\n{rounds_of(counts)}" for setting, counts in rounds.items()),
        image(chart_file, title),
        unseen(pages, truth, runs),
    )
    return Finding("\n".join(parts), {chart_file: chart})


main = Experiment("learning", measure, __doc__, (SYNTHETIC,), {DOMAIN: PAPER[DOMAIN]})


# --- learning -------------------------------------------------------------------


def seeded(
    truth: Collection[str], known_share: float, wrong: Collection[str] = ()
) -> Domain:
    """Return the real-estate domain with a list that has only some of the places.

    The list has a random share of the places in `truth`, and the words in `wrong`.
    Locations are recognised by this list alone.
    """
    terms = sorted(truth)
    random.Random(f"seed {known_share}").shuffle(terms)
    seed_terms = (*terms[: round(known_share * len(terms))], *wrong)
    domain = with_places_alone(load_domain(DOMAIN))
    types = tuple(
        replace(kind, gazetteers=("seed",)) if kind.name == LOCATION else kind
        for kind in domain.schema.types
    )
    gazetteers = {**domain.gazetteers, "seed": Gazetteer("seed", seed_terms, "", "")}
    schema = replace(domain.schema, types=types)
    return replace(domain, schema=schema, gazetteers=gazetteers)


def wrong_terms(pages: Iterable[GoldPage], truth: Iterable[str]) -> list[str]:
    """Return capitalised words that aren't in any place's name, in random order.

    Each occurs on many sites.
    """
    places = {word.casefold() for term in truth for word in WORD.findall(term)}
    sites: dict[str, set[str]] = defaultdict(set)
    for page in pages:
        for text in parse(read_saved_page(str(page.path)).body).text:
            for word in WORD.findall(text or ""):
                sites[word].add(page.site)
    common_words = sorted(
        word
        for word, sites_of_word in sites.items()
        if len(sites_of_word) >= COMMON and len(word) > 3 and word.istitle()
        if word.casefold() not in places
    )
    random.Random("wrong").shuffle(common_words)
    return common_words


def steps(
    pages: Sequence[GoldPage],
    truth: Collection[str],
    wrong: Sequence[str],
    setting: Setting,
    runs: Runs,
) -> Iterator[Step]:
    """Yield the counts of each round of learning from the pages.

    `truth` has all places that the pages show. `wrong` has words that are no places.
    The first list has as many of them as `setting` says.
    """
    place_names = {term.casefold() for term in truth}
    wrong_seed_terms = wrong[: setting.wrong]
    domain = seeded(truth, setting.part, wrong_seed_terms)
    if setting.pseudo_code:
        ratio = 1 / domain.thresholds.noise_ratio
        domain = replace(
            domain, thresholds=replace(domain.thresholds, noise_ratio=ratio)
        )
    for learning_round, counts in taught(pages, domain, setting.sites, runs):
        decided: dict[str, list[bool]] = {"add": [], "reject": []}
        for judgement in learning_round.judgements:
            is_place = judgement.term.casefold() in place_names
            decided.setdefault(judgement.decision, []).append(is_place)
        added, rejected = decided["add"], decided["reject"]
        learned = Count(added.count(True), len(added), len(truth))
        gone = Count(rejected.count(False), len(rejected), len(wrong_seed_terms))
        yield Step(counts["annotated"], counts["extracted"], learned, gone)


def taught(
    pages: Sequence[GoldPage], domain: Domain, least_sites: int, runs: Runs
) -> Iterator[tuple[Round, dict[str, Count]]]:
    """Yield the rounds in which a list of place names is learned from pages.

    Each round comes with two counts: locations on the pages that the list contains
    ("annotated"), and locations that are extracted. A name is learned from at least
    `least_sites` sites.
    """
    last_pages: list[LocatedPage] = []
    saved = [(read_saved_page(str(page.path)), page) for page in pages]
    by_sha = {source.sha256: page for source, page in saved}

    def run(step: Any, tasks: Iterable[Any]) -> list[LessonResult]:
        wanted_pages = [by_sha[page.source.sha256] for page, _ in tasks]
        last_pages[:] = located(wanted_pages, step.keywords["domain"], runs)
        return [located_page.taught for located_page in last_pages]

    sources = [LearningPage(source, page.site) for source, page in saved]
    limits = {"types": [LOCATION], "least_sites": least_sites}
    for it in learn_from_pages(sources, domain, LearnedLists(), **limits, run=run):
        yield it, total(last_pages)


@dataclass(frozen=True, slots=True)
class LocatedPage:
    """The evidence of one page for place names, and the counts of its locations.

    `taught` has the numbers of records that speak for and against each name. `counts`
    has the counts of recognised ("annotated") and of extracted locations.
    """

    taught: LessonResult
    counts: Mapping[str, Count]


def located(pages: Sequence[GoldPage], domain: Domain, runs: Runs) -> list[LocatedPage]:
    """Return for each page the evidence for place names, and the counts of its
    locations.

    The places in the lists of `domain` are recognised.
    """
    terms = {name: it.terms for name, it in sorted(domain.gazetteers.items())}
    terms_digest = sha256(repr(terms).encode()).hexdigest()
    jobs = [Job.on([page], terms_digest, page, domain) for page in pages]
    return runs.of(page_with, jobs)


def page_with(gold: GoldPage, domain: Domain) -> LocatedPage:
    """Return the evidence of one page for place names, and the counts of its locations.

    The places in the lists of `domain` are recognised.
    """
    source = read_saved_page(str(gold.path))
    page = parse(source.body)
    _, analysis = analyse_samples([page], [domain], DEFAULTS)
    [annotations], [typing] = analysis.annotations, analysis.typings
    location_vocabulary = {LOCATION: vocabularies(domain)[LOCATION]}
    observations = observe(page, annotations, typing, domain, location_vocabulary)
    lesson = Lesson(source.name, source.sha256, gold.site, observations)
    places = [(node, agreement_words(value)) for node, value in places_of(page, gold)]
    judged = [
        (one.origin, is_right(page, one.node, agreement_words(one.text), places))
        for area in typing.areas
        for attributes in area.attributes
        for one in attributes
        if one.type == LOCATION and one.text is not None
    ]
    annotated = [right for origin, right in judged if origin == "annotated"]
    extracted = [right for _, right in judged]
    counts = {
        "annotated": Count(sum(annotated), len(annotated), len(places)),
        "extracted": Count(sum(extracted), len(extracted), len(places)),
    }
    return LocatedPage(LessonResult(lesson, analysis.record_count), counts)


def is_right(page: Page, node: NodeId, text: str, places: Sequence[Placed]) -> bool:
    """Return whether a text at a node is one of the known locations in `places`.

    The text must equal the location. One of the two nodes must contain the other.
    """
    return any(text == value and overlap(page, node, place) for place, value in places)


def total(located_pages: Sequence[LocatedPage]) -> dict[str, Count]:
    """Return the sums of several pages' counts, by "annotated" and "extracted"."""
    return {
        name: sum((page.counts[name] for page in located_pages), Count())
        for name in ("annotated", "extracted")
    }


# --- tables ---------------------------------------------------------------------


def rounds_of(round_steps: Iterable[Step]) -> str:
    """Return the table of learning rounds, with the columns of the paper.

    Further columns have the rejected terms, and all extracted locations.
    """
    rows = (
        (
            str(number),
            *given_and_right(step.annotated),
            *measures(step.annotated),
            *given_and_right(step.learned),
            *given_and_right(step.rejected),
            share(step.extracted.f1),
        )
        for number, step in enumerate(round_steps, 1)
    )
    head = ("rnd.", "L^E", "C^E", "P^E", "R^E", "F1", "L^L", "C^L", *GONE)
    return table(head, rows)


def given_and_right(count: Count) -> tuple[str, str]:
    """Return the number of terms or locations, and the number of right ones, as
    text.
    """
    return str(count.given), str(count.right)


def unseen(pages: Sequence[GoldPage], truth: Collection[str], runs: Runs) -> str:
    """Return a report on the locations found on sites from which nothing was learned.

    It compares the first list of places, the list after learning, and the list of all
    places.
    """
    sites = list(dict.fromkeys(page.site for page in pages))
    test_sites = frozenset(sites[::UNSEEN])
    learning_pages = [page for page in pages if page.site not in test_sites]
    test_pages = [page for page in pages if page.site in test_sites]
    seeds = seeded(truth, SEED)
    *_, (last_round, _) = taught(learning_pages, seeds, LEARNING.least_sites, runs)
    domains = {
        f"{SEED:.0%}": seeds,
        "and what was learned": with_lists(seeds, last_round.after),
        "all": seeded(truth, 1),
    }
    rows = []
    for name, domain in domains.items():
        counts = total(located(test_pages, domain, runs))
        cells = (cell for count in counts.values() for cell in measures(count))
        rows.append((name, *cells))
    head = ("the list has", "annotated P", "R", "F1", "extracted P", "R", "F1")
    return (
        f"Learned from {len(sites) - len(test_sites)} sites, asked on the "
        f"{len(test_sites)} others ({len(test_pages)} pages):\n\n{table(head, rows)}"
    )
