"""Test scores: when two values agree, and the counts of a page."""

from __future__ import annotations

import importlib.util
import json
import random
import tomllib
from collections import Counter
from pathlib import Path

import pytest
from gold_corpus import CORPUS
from hypothesis import given
from hypothesis import strategies as st

from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import ValueKind
from amber_wrap.evaluation.agreement import comparable
from amber_wrap.evaluation.gold import (
    GoldArea,
    GoldPage,
    GoldRecord,
    read_corpus,
    scored_types,
)
from amber_wrap.evaluation.report import difference_line
from amber_wrap.evaluation.score import (
    Average,
    Count,
    align_records,
    average_quality,
    score_page,
)
from amber_wrap.evaluation.tasks import Setting, plan_evaluation

CASES = Path(__file__).parent / "cases"
HOMES = load_domain("real-estate")


# When two values agree


def pairs(name):
    lines = (CASES / "agreement" / f"{name}.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("# ")]


@pytest.mark.parametrize("line", pairs("same"))
def test_values_with_the_same_meaning_agree(line):
    kind, one, other = line.split(" | ")
    assert comparable(ValueKind(kind), one) == comparable(ValueKind(kind), other)


@pytest.mark.parametrize("line", pairs("different"))
def test_values_with_different_meanings_do_not_agree(line):
    kind, one, other = line.split(" | ")
    assert comparable(ValueKind(kind), one) != comparable(ValueKind(kind), other)


@given(st.sampled_from(list(ValueKind)), st.text())
def test_comparable_returns_a_hashable_value_for_every_text(kind, text):
    hash(comparable(kind, text))


# What is counted


@pytest.mark.parametrize(
    "path", sorted((CASES / "evaluation").glob("*.toml")), ids=lambda path: path.stem
)
def test_score_page_gives_the_counts_of_the_case(path):
    case = tomllib.loads(path.read_text("utf-8"))
    page = gold_page(case["gold"], case.get("unscored", ()))
    score, differences = score_page(
        page, case["output"]["rows"], scored_types(HOMES, [page])
    )
    named = {
        "areas": score.areas,
        "records": score.records,
        "perfect": score.perfect_records,
        **{
            name: count
            for name, count in score.types.items()
            if count.given or count.gold
        },
    }
    assert named == {name: Count(*numbers) for name, numbers in case["counts"].items()}
    if "errors" in case:
        assert list(map(difference_line, differences)) == case["errors"]["lines"]


RECORDS = st.lists(
    st.dictionaries(
        st.sampled_from(["price", "bedrooms", "location"]),
        st.sampled_from(["1", "2", "3", "one"]),
        min_size=1,
    ),
    max_size=6,
)


@given(RECORDS)
def test_gold_scored_against_itself_is_all_right(records):
    score = scored(records, records)
    for count in (score.areas, score.records, score.attributes, score.perfect_records):
        assert count.right == count.given == count.gold
    assert score.records.gold == len(records)


@given(RECORDS, RECORDS)
def test_precision_and_recall_change_places_if_gold_and_output_do(gold, output):
    forward, backward = scored(gold, output), scored(output, gold)
    assert forward.attributes.precision == backward.attributes.recall
    assert forward.attributes.f1 == backward.attributes.f1


@given(st.lists(st.lists(st.integers(0, 3), min_size=4, max_size=4), max_size=4))
def test_align_records_finds_an_alignment_with_most_agreements(agreement):
    pairs = align_records(agreement)
    assert pairs == sorted(pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)
    assert sum(agreement[i][j] for i, j in pairs) == most(agreement)


def test_align_records_takes_the_earliest_of_equal_alignments():
    assert align_records([[1, 1]]) == align_records([[1], [1]]) == [(0, 0)]
    assert align_records([[0, 1], [1, 0]]) == [(1, 0)]


def most(agreement, i=0, j=0):
    """Find the best assignment by trying all."""
    if i == len(agreement) or j == len(agreement[i]):
        return 0
    return max(
        agreement[i][j] + most(agreement, i + 1, j + 1),
        most(agreement, i + 1, j),
        most(agreement, i, j + 1),
    )


def test_sites_weigh_the_same_except_those_without_counts():
    small, large, without = Count(1, 1, 2), Count(0, 100, 100), Count()
    assert average_quality([small, large, without]) == Average(0.5, 0.25, 1 / 3)
    assert average_quality([without]) == Average(0, 0, 0)


def gold_page(areas, unscored=()):
    return GoldPage(
        "real-estate/site/page",
        Path("page.html"),
        "real-estate",
        tuple(
            GoldArea(area["name"], tuple(map(gold_record, area["records"])))
            for area in areas
        ),
        frozenset(unscored),
    )


def gold_record(values):
    """Make a gold record; `also` and `optional` hold lists of further values."""
    values = dict(values)
    also, optional = values.pop("also", {}), values.pop("optional", {})
    return GoldRecord(values, also, optional)


def scored(gold, output):
    areas = [{"name": "results", "records": gold}] if gold else []
    return score_page(gold_page(areas), output, HOMES.schema.types)[0]


def test_a_list_agrees_with_its_items_in_one_text():
    gold = [{"location": "Jericho, Oxford", "price": "£1"}]
    assert scored(gold, [{"location": ["Jericho", "Oxford"], "price": "£1"}]) == (
        scored(gold, gold)
    )


# The same counts as the corpus' own script


@pytest.mark.skipif(
    not (CORPUS.parent / "tools" / "score.py").is_file(),
    reason="the corpus and its scoring script are not here (AMBER_CORPUS)",
)
def test_score_page_counts_as_the_script_of_the_corpus_does():
    """Compare the counts on the first page of each template, with many mistakes."""
    script = load(CORPUS.parent / "tools" / "score.py")
    corpus = read_corpus(CORPUS / "gold")
    types = plan_evaluation(corpus, Setting()).types
    for page in {page.site: page for page in reversed(corpus.pages)}.values():
        rows = list(mistaken(page, types[page.domain], random.Random(page.name)))
        score, _ = score_page(page, rows, types[page.domain])
        gold = CORPUS / "gold" / "json" / f"{page.name}.json"
        counts, _ = script.score_page(json.loads(gold.read_text("utf-8")), rows)
        assert counts_of(score) == +counts, page.name


def mistaken(page, types, chance):
    """Yield rows with mistakes: missing, repeated, misplaced and wrong values."""
    records = [record for area in page.areas for record in area.records]
    for record in records:
        for _ in range(chance.choice([0, 1, 1, 1, 1, 1, 2])):
            row = {}
            for kind in types:
                mine, other = record.get(kind.name), chance.choice(records)
                more = record.also.get(kind.name, ()) + record.optional.get(
                    kind.name, ()
                )
                row[kind.name] = chance.choice(
                    [mine] * 9
                    + [None, other.get(kind.name), f"{mine} 7", "5,5k", *more * 9]
                )
            yield row
        if chance.random() < 0.1:
            yield chance.choice(records)


def counts_of(score):
    """Return the counts under the names that the script gives them."""
    counts = Counter(
        gold_records=score.records.gold,
        out_records=score.records.given,
        records_ok=score.records.right,
        perfect=score.perfect,
        gold_attrs=score.attributes.gold,
        out_attrs=score.attributes.given,
        attrs_ok=score.attributes.right,
    )
    for name, count in score.types.items():
        counts[f"gold:{name}"] = count.gold
        counts[f"out:{name}"] = count.given
        counts[f"ok:{name}"] = count.right
    return +counts


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
