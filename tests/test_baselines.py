"""Test MDR and RoadRunner on the examples of their papers, and their scores."""

# ruff: noqa: F811  Tests take imported fixtures.

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from gold_corpus import ROOT, write_gold
from gold_trees import ALL, HTML, gold, page  # noqa: F401

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.errors import GoldError
from amber_wrap.evaluation.gold import read_corpus
from amber_wrap.evaluation.score import Count

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(1, str(ROOT / "benchmarks" / "paper"))

from baselines import roadrunner
from baselines.mdr import DataRegion, comparisons, identify, mine
from baselines.roadrunner import Element, Hook, Node, String, Text, fields
from baselines.scoring import holds, read_places, score_areas, score_slots

CASES = Path(__file__).parent / "cases" / "baselines"


def cases(folder: str) -> list[Any]:
    return [
        pytest.param(tomllib.loads(path.read_text("utf-8")), id=path.stem)
        for path in sorted((CASES / folder).glob("*.toml"))
    ]


# MDR


@pytest.mark.parametrize("case", cases("mdr"))
def test_mdr_finds_the_regions_and_records_of_the_case(case):
    page = parse(case["html"].encode())

    def named(groups: Iterable[Iterable[int]]) -> list[list[str]]:
        return [[page.attributes[node].get("id", "?") for node in g] for g in groups]

    regions: list[DataRegion] = mine(page)
    assert [named(region.generalized_nodes) for region in regions] == case["regions"]
    assert [named(region.records) for region in regions] == case["records"]


def test_mdr_compares_combinations_as_in_the_papers_figure():
    """Repeat the figure of combinations in MDR: nodes 1 to 10, up to three in one."""
    pairs: dict[int, list[str]] = {1: [], 2: [], 3: []}
    for length, i in comparisons(10, 3):
        nodes = [str(n) for n in range(i + 1, i + 1 + 2 * length)]
        pair = "-".join(nodes[:length]), "-".join(nodes[length:])
        pairs[length].append(", ".join(pair))
    assert pairs == {
        1: [f"{n}, {n + 1}" for n in range(1, 10)],
        2: [
            *("1-2, 3-4", "3-4, 5-6", "5-6, 7-8", "7-8, 9-10"),
            *("2-3, 4-5", "4-5, 6-7", "6-7, 8-9"),
        ],
        3: [
            *("1-2-3, 4-5-6", "4-5-6, 7-8-9"),
            *("2-3-4, 5-6-7", "5-6-7, 8-9-10"),
            "3-4-5, 6-7-8",
        ],
    }


def test_of_two_regions_mdr_takes_the_larger_that_starts_no_later():
    alike = dict.fromkeys(comparisons(7, 2), False)
    alike |= {(1, 1): True, (1, 5): True, (2, 0): True, (2, 2): True}
    assert list(identify(alike, 7, 2)) == [[range(0, 2), range(2, 4), range(4, 6)]]
    alike[2, 0] = False
    first, second = identify(alike, 7, 2)
    assert first == [range(1, 2), range(2, 3)]
    assert second == [range(5, 6), range(6, 7)]


def test_mdr_keeps_to_its_budget_on_a_large_page(monkeypatch):
    rows = "".join(f"<li>{'<b><i>x</i></b>' * (n % 37)}</li>" for n in range(400))
    page = parse(f"<ul>{rows}</ul>".encode())
    monkeypatch.setattr("baselines.mdr.BUDGET", 1000)
    spent = []
    monkeypatch.setattr(
        "baselines.mdr.string_edit_distance",
        lambda one, other: spent.append(len(one) + len(other)) or 99,
    )
    mine(page)
    assert 0 < sum(spent[:-1]) <= 1000


# RoadRunner


@pytest.mark.parametrize("case", cases("roadrunner"))
@pytest.mark.parametrize("turned", [False, True], ids=["", "turned"])
def test_roadrunner_induces_the_wrapper_and_fields_of_the_case(case, turned):
    pages = case["pages"][::-1] if turned else case["pages"]
    wrapper = roadrunner.induce([parse(page.encode()) for page in pages])
    # In which order two optionals that stand side by side are found is up to the pages.
    if not (turned and ")?(" in case["wrapper"]):
        assert printed(wrapper) == case["wrapper"].replace("\n", "")
    numbers = range(len(pages))[:: -1 if turned else 1]
    texts_of_fields = [
        [sorted(s.text for s in field.strings if s.page == n) for n in numbers]
        for field in fields(wrapper)
    ]
    assert texts_of_fields == [
        [sorted(texts) for texts in field] for field in case["fields"]
    ]


def test_strings_of_a_roadrunner_field_name_their_source_and_node():
    pages = [parse(f'<p id="p"><a href="/{n}">{n}</a>'.encode()) for n in (1, 2)]
    link, text = fields(roadrunner.induce(pages))
    assert [(s.source, s.text) for s in link.strings] == [
        ("@href", "/1"),
        ("@href", "/2"),
    ]
    for string in text.strings:
        assert pages[string.page].text[string.node] == string.text


@pytest.mark.parametrize(
    "siblings",
    [
        ("bbbbiibbiibbibb", "bbibbibbiiiiibi"),
        ("bibbiubiibuubib" * 4, "ibbuibibbiiubbui" * 5),
    ],
)
def test_roadrunner_keeps_to_its_budget_on_nested_iterators(siblings, monkeypatch):
    """Match siblings of few tags in any order, which form nested iterators."""
    monkeypatch.setattr(roadrunner, "BUDGET", 2000)
    one, other = (
        roadrunner.tree(parse("".join(f"<{t}>{t}</{t}>" for t in text).encode()), n)
        for n, text in enumerate(siblings)
    )
    matching = roadrunner._Matching()
    assert matching.nodes(one, other, strict=False) is not None
    assert matching.spent < 5 * roadrunner.BUDGET


def printed(node: Node) -> str:
    """Print a wrapper in the notation of RoadRunner's paper."""
    if isinstance(node, Text):
        return "#PCDATA" if node.is_field else node.strings[0].text
    if not isinstance(node, Element):
        sign = "?" if isinstance(node, Hook) else "+"
        return f"({''.join(map(printed, node.body))}){sign}"
    head, below = node.tag, ""
    for child in node.children:
        if isinstance(child, Text) and child.strings[0].source != "text":
            head += f' {child.strings[0].source[1:]}="{printed(child)}"'
        else:
            below += printed(child)
    return f"<{head}>{below}</{node.tag}>" if below else f"<{head}/>"


TYPES = [
    one
    for one in load_domain("products").schema.types
    if one.name in ("title", "price", "details_page")
]


def test_areas_and_records_are_scored_by_the_places_that_they_cover(page):
    placed = read_places(page, TYPES)
    cards = [(node,) for node in placed.page.select("//*[@id='list']/div")]
    menu = [(node,) for node in placed.page.select("//ul/li")]
    prices = [(node,) for node in placed.page.select("//b")]
    assert score_areas(placed, [cards, menu]) == (Count(1, 1, 1), Count(3, 3, 3))
    assert score_areas(placed, [cards[:1]]) == (Count(0, 1, 1), Count(1, 1, 3))
    joined = [(*cards[0], *cards[1])]
    assert score_areas(placed, [joined]) == (Count(1, 1, 1), Count(0, 1, 3))
    assert score_areas(placed, [prices]) == (Count(0, 1, 1), Count(0, 3, 3))
    assert score_areas(placed, []) == (Count(0, 0, 1), Count(0, 0, 3))


def test_gold_without_places_is_reported(tmp_path):
    wrong = gold(ALL)
    wrong["areas"][0]["records"][1]["nodes"] = ["//table"]
    write_gold(tmp_path, "products/trees/1", wrong, HTML.encode())
    with pytest.raises(GoldError) as caught:
        read_places(read_corpus(tmp_path).pages[0], TYPES)
    assert str(caught.value) == (
        "json/products/trees/1.json: area 1, record 2: 'nodes' finds nothing in the "
        "page: give the XPaths of the record's elements"
    )


def test_places_have_no_values_of_unscored_types(tmp_path):
    truth = gold(ALL, unscored=["price"])
    write_gold(tmp_path, "products/trees/1", truth, HTML.encode())
    placed = read_places(read_corpus(tmp_path).pages[0], TYPES)
    assert {name for record in placed.records for name in record.values} == {
        "title",
        "details_page",
    }


def slot(placed: Any, xpath: str, source: str) -> list[String]:
    nodes = placed.page.select(xpath)
    return [
        String(0, node, source, placed.page.source_text(node, source)) for node in nodes
    ]


def test_slots_are_scored_by_exact_and_by_contained_values(page):
    placed = read_places(page, TYPES)
    titles, links = slot(placed, "//h3", "text"), slot(placed, "//h3/a", "@href")
    prices = slot(placed, "//b", "text")
    exact, contained = score_slots([placed], [titles, prices, links])
    assert exact == (Count(6, 9, 9), Count(6, 9, 9))
    assert contained == (Count(9, 9), Count(9, 0, 9))


@pytest.mark.parametrize(
    ("xpath", "source"),
    [("//ul//a", "text"), ("//div/div/a", "text"), ("//div/div/a", "@href")],
    ids=["outside of records", "not in the gold", "the same URL again"],
)
def test_strings_that_are_not_attributes_leave_the_score_unchanged(page, xpath, source):
    placed = read_places(page, TYPES)
    others = [slot(placed, "//h3", "text"), slot(placed, "//h3/a", "@href")]
    assert score_slots([placed], [*others, slot(placed, xpath, source)]) == score_slots(
        [placed], others
    )


def test_descriptions_do_not_count_as_exact_attributes(page):
    placed = read_places(page, TYPES)
    titles = slot(placed, "//h3", "text")
    long = [String(0, s.node, "text", f"{s.text} {'is a tree ' * 20}") for s in titles]
    assert score_slots([placed], [titles, long]) == score_slots([placed], [titles])
    assert score_slots([placed], [long])[1] == (Count(), Count(0, 0, 9))


@pytest.mark.parametrize(
    ("string", "value", "expected"),
    [
        ("price £1,200 pcm", "£1,200", True),
        ("price £1,200pcm", "£1,200", True),
        ("price £1,2001", "£1,200", False),
        ("added 13 days ago", "3", False),
        ("3 bed house in oxford", "3", True),
        ("oxfordshire", "oxford", False),
        ("semi detached house", "semi-detached house", True),
        ("url:/1", "url:/1", True),
        ("url:/12", "url:/1", False),
    ],
)
def test_a_string_holds_a_value_as_whole_words_only(string, value, expected):
    assert holds(string, value) is expected
