"""Test the learning of terms, round by round (AMBER, section 4).

In the pages of cases/learning, "site/name", a text is a record.  Bars separate the
elements of a record.  The domain recognises prices, UK postcodes, listed and learned
towns, and listed kinds of homes.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import partial
from html import escape

import pytest
from case_pages import CASES, Case, cases, load
from hypothesis import given
from hypothesis import strategies as st
from typed_pages import case_domain

from amber_wrap.domain.learned_lists import LearnedLists, with_lists
from amber_wrap.domain.schema import Domain
from amber_wrap.learning.rounds import LearningPage, Round, learn_from_pages
from amber_wrap.learning.session import LearningOptions, run_session
from amber_wrap.learning.store import open_store
from amber_wrap.learning.term_evidence import (
    Evidence,
    Lesson,
    Observation,
    TermVocabulary,
    gather_evidence,
    split_terms,
)
from amber_wrap.learning.term_judgement import (
    Judgement,
    apply_judgements,
    judge_evidence,
)
from amber_wrap.learning.thresholds import LEARNING
from amber_wrap.settings import Source

TAGS = "biu"


@pytest.mark.parametrize("case", cases("learning"))
def test_rounds_of_learning_give_the_expected_judgements(case: Case) -> None:
    expected = [
        {
            decision: one_round.get(decision, [])
            for decision in ("add", "reject", "wait")
        }
        for one_round in case["rounds"]
    ]
    assert [judgements_of(one_round) for one_round in rounds_of(case)] == expected


@pytest.mark.parametrize("case", cases("learning"))
def test_the_order_of_pages_does_not_change_the_judgements(case: Case) -> None:
    if not case.get("continuous"):
        turned = case | {"pages": dict(reversed(case["pages"].items()))}
        assert list(map(judgements_of, rounds_of(turned))) == list(
            map(judgements_of, rounds_of(case))
        )


def rounds_of(case: Case, earlier: Iterable[Lesson] = ()) -> Iterable[Round]:
    lists = LearnedLists({"town": tuple(case.get("learned", ()))})
    return learn_from_pages(
        pages_of(case),
        domain_of(case),
        lists,
        earlier,
        types=case.get("types", ["town"]),
        continuous=case.get("continuous", False),
    )


def pages_of(case: Case) -> list[LearningPage]:
    return [
        LearningPage(Source(name, html_of(rows)), name.partition("/")[0])
        for name, rows in case["pages"].items()
    ]


def domain_of(case: Case) -> Domain:
    return case_domain(
        {
            "types": {
                "price": {"kind": "money", "patterns": ["price"]},
                "postcode": {"patterns": ["postcode"], "regular": False},
                "town": {"gazetteers": ["towns"], "whole": True, "regular": False},
                "kind": {"gazetteers": ["kinds"], "regular": False},
            },
            "patterns": {"price": r"£\d+", "postcode": r"OX\d \d[A-Z]{2}"},
            "gazetteers": {
                "towns": case["towns"],
                "kinds": case.get("kinds", ["flat"]),
            },
            "disjoint": [["town", "kind"]],
        }
    )


def html_of(rows: Iterable[str]) -> bytes:
    def cells(row: str) -> str:
        texts = zip(TAGS, row.split(" | "), strict=True)
        return "".join(f"<{tag}>{escape(text)}</{tag}>" for tag, text in texts)

    items = "".join(f"<li>{cells(row)}</li>" for row in rows)
    return f"<html><body><ul>{items}</ul></body></html>".encode()


def judgements_of(learning_round: Round) -> dict[str, list[str]]:
    terms: dict[str, list[str]] = {"add": [], "reject": [], "wait": []}
    for judgement in learning_round.judgements:
        terms[judgement.decision].append(shown(judgement))
    return terms


def shown(judgement: Judgement) -> str:
    evidence = judgement.evidence
    sites = f", {' '.join(evidence.sites)}" if evidence.sites else ""
    return (
        f"{judgement.type} {judgement.term}: {evidence.supporting} for, "
        f"{evidence.opposing} against{sites}"
    )


# Terms


@pytest.mark.parametrize(
    "case",
    load(CASES / "terms" / "terms.toml")["cases"],
    ids=lambda case: case["title"],
)
def test_texts_are_split_into_the_expected_terms(case: Case) -> None:
    assert list(split_terms(case["text"])) == case["terms"]


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=60)))
def test_terms_of_any_text_are_short_and_printable(text: str, known: list[str]) -> None:
    for term in TermVocabulary.like(known).learnable_terms(split_terms(text)):
        assert (
            2 <= len(term) <= LEARNING.longest_term + 10
        )  # Capitals lowered: İ is two characters.
        assert term.isprintable()
        assert "  " not in term
        assert term == term.strip()
        assert not set(term) & set('<>$`\\"{}[]|;#\n\r\t')


# Evidence and judgement

SITES = st.sampled_from(["north", "south", "west"])
LESSONS = st.lists(
    st.builds(
        Lesson,
        page=st.just("page"),
        sha256=st.integers().map(str),
        site=SITES,
        observations=st.lists(
            st.builds(
                Observation,
                type=st.just("town"),
                term=st.sampled_from(["Thame", "Garden", "Oxford"]),
                supporting=st.integers(0, 50),
                opposing=st.integers(0, 50),
            ),
            max_size=3,
            unique_by=lambda one: one.term,
        ).map(tuple),
    ),
    unique_by=lambda lesson: lesson.sha256,
)
DOMAIN = domain_of({"towns": ["Oxford"]})


@given(LESSONS)
def test_the_lessons_of_one_site_decide_nothing(lessons: list[Lesson]) -> None:
    alone = [lesson for lesson in lessons if lesson.site == "north"]
    decided = {
        judgement.decision
        for judgement in judge_evidence(gather_evidence(alone), DOMAIN, LearnedLists())
    }
    assert decided <= {"wait"}


@given(LESSONS)
def test_rejected_terms_stay_rejected(lessons: list[Lesson]) -> None:
    lists = LearnedLists(rejected={"town": ("Thame", "Oxford")})
    judgements = list(judge_evidence(gather_evidence(lessons), DOMAIN, lists))
    assert not {"Thame", "Oxford"} & {judgement.term for judgement in judgements}
    assert set(apply_judgements(judgements, lists).rejected["town"]) >= {
        "Thame",
        "Oxford",
    }


@given(LESSONS)
def test_no_term_is_both_learned_and_rejected(lessons: list[Lesson]) -> None:
    before = LearnedLists({"town": ("Thame", "Garden")})
    after = apply_judgements(
        judge_evidence(gather_evidence(lessons), DOMAIN, before), before
    )
    learned, rejected = after.terms.get("town", ()), after.rejected.get("town", ())
    assert not set(learned) & set(rejected)


def test_a_learned_term_is_rejected_at_the_noise_ratio() -> None:
    judged = partial(
        judge_evidence, domain=DOMAIN, known=LearnedLists({"town": ("Thame",)})
    )

    def decision(supporting: int, opposing: int) -> list[str]:
        sites = ("north", "south")
        evidence = Evidence("town", "Thame", supporting, opposing, sites, (), sites)
        return [judgement.decision for judgement in judged([evidence])]

    assert decision(supporting=10, opposing=14) == []
    assert decision(supporting=10, opposing=15) == ["reject"]


def test_a_page_learned_again_replaces_its_lesson() -> None:
    case = load(CASES / "learning" / "a-new-term.toml")
    first = list(rounds_of(case))[-1]
    again = list(rounds_of(case, [taught_page.lesson for taught_page in first.taught]))
    assert list(map(judgements_of, again)) == list(map(judgements_of, rounds_of(case)))


def test_a_stopped_session_stores_the_lessons_learned_before(tmp_path) -> None:
    case = load(CASES / "learning" / "a-new-term.toml")

    def stopped(step, tasks):
        yield step(next(iter(tasks)))
        raise KeyboardInterrupt

    folder = tmp_path / "homes"
    with open_store(folder) as store, pytest.raises(KeyboardInterrupt):
        run_session(
            pages_of(case),
            domain_of(case),
            folder,
            store,
            LearningOptions(run=stopped),
            lambda: datetime(2026, 1, 1, tzinfo=UTC),
        )
    with open_store(folder) as store:
        assert [lesson.page for lesson in store.lessons()] == ["north/1"]


# Lists


def test_a_pattern_that_uses_a_gazetteer_has_the_learned_terms() -> None:
    domain = case_domain(
        {
            "types": {
                "price": {"kind": "money", "patterns": ["price"]},
                "make": {"gazetteers": ["makes"]},
                "model": {"patterns": ["model"]},
            },
            "patterns": {
                "price": r"£\d+",
                "model": r"{gazetteer:makes} (?P<value>\w+)",
                "gazetteer:makes": "Ford",
            },
            "gazetteers": {"makes": ["Ford"]},
        }
    )
    grown = with_lists(domain, LearnedLists({"make": ("Simca",)}, {"make": ("Ford",)}))
    assert grown.patterns["gazetteer:makes"] == "Simca|SIMCA"
    assert domain.patterns["gazetteer:makes"] == "Ford"


def test_a_term_rejected_for_one_type_stays_a_term_of_the_other() -> None:
    types = {name: {"gazetteers": ["towns"]} for name in ("home", "shop")}
    domain = case_domain({"types": types, "gazetteers": {"towns": ["Oxford", "Bath"]}})
    without = with_lists(domain, LearnedLists(rejected={"home": ("bath",)}))

    def terms(kind: str) -> list[str]:
        names = without.schema[kind].gazetteers
        return [term for name in names for term in without.gazetteers[name].terms]

    assert terms("home") == ["Oxford"]
    assert terms("shop") == ["Oxford", "Bath"]
