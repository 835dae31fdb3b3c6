"""Test which changes of a page the contract of a wrapper reports or accepts.

A case changes the page of a small shop; `find` is a regular expression.  The contract
is induced from the unchanged page.  A case has the expected number of `records`, the
`status`, and the failing `clauses` with their fields.  `says` is a part of a message.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from amber_wrap.annotate.annotate_page import annotate, annotators
from amber_wrap.contract.comparison_with_analysis import disputed_records
from amber_wrap.contract.induction import with_contracts
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.engine.confidence import chance_of_unseen, wilson_interval
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.locators import PageValueReader, PatternCache
from amber_wrap.engine.output_rows import records_on
from amber_wrap.engine.votes_of_expressions import estimate_errors
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.json_values import wrapper_from_data

FOLDER = Path(__file__).parent / "cases" / "contract"
CASES = sorted(FOLDER.glob("*.toml"))
SWAPPED = FOLDER / "swapped.toml"
SHOP = (FOLDER / "shop" / "page.html").read_text("utf-8")


@pytest.fixture(params=CASES, ids=lambda path: path.stem)
def case(request):
    return tomllib.loads(request.param.read_text("utf-8"))


def test_check_page_reports_the_failing_clauses_of_the_case(case):
    report = check_page(wrapper(), parse(page_of(case).encode()))
    failed = [
        f"{failure['clause']} {failure['field']}".strip()
        for failure in report["failed"]
    ]
    assert (report["records"], report["status"], failed) == (
        case["records"],
        case["status"],
        case["clauses"],
    )
    if "says" in case:
        assert any(case["says"] in failure["message"] for failure in report["failed"])


def test_disputed_records_are_enough_to_estimate_errors(case):
    page = parse(page_of(case).encode())
    rules = wrapper()
    patterns = PatternCache(dict(rules.patterns))
    records = records_on(rules, page.root)
    for rule in rules.areas[0].fields:
        disputed = disputed_records(rule, page, records, PageValueReader(patterns))
        errors_of_disputed = estimate_errors(rule, disputed, patterns)
        errors_of_all = estimate_errors(rule, records, patterns)
        assert (errors_of_disputed.wrong, errors_of_disputed.missing) == (
            errors_of_all.wrong,
            errors_of_all.missing,
        )


def test_records_whose_values_moved_are_disputed():
    page = parse(page_of(tomllib.loads(SWAPPED.read_text("utf-8"))).encode())
    patterns = PatternCache(dict(wrapper().patterns))
    records = records_on(wrapper(), page.root)
    disputed = [
        disputed_records(rule, page, records, PageValueReader(patterns))
        for rule in wrapper().areas[0].fields
    ]
    assert any(disputed)


def test_every_pattern_of_a_case_matches_the_page(case):
    changes = case.get("changes", [])
    for number, change in enumerate(changes):
        assert re.search(change["find"], page_of({"changes": changes[:number]}))


def test_the_contract_of_the_shop_has_the_values_of_its_sample():
    rules = wrapper()
    contract = rules.areas[0].contract
    assert contract.records == (12, 12)
    assert contract.order == ("details_page", "title", "old_price", "price")
    assert contract.shapes["price"] == (
        *("mixed 0", "mixed 4", "mixed 16"),
        *("number 0", "number 4", "number 16"),
    )
    assert contract.fill["price"] == pytest.approx(0.757, abs=0.001)
    assert contract.fill["old_price"] == pytest.approx(0.254, abs=0.001)
    assert set(contract.agreement.values()) == {1.0}
    assert len(rules.frame) == 8
    assert {"main", "offers"}.isdisjoint(re.findall(r'"([^"]*)"', str(rules.frame)))


def test_the_contract_of_several_samples_covers_all_of_them():
    fewer = re.sub(r'(?s)(?:  <li class="offer">(?:(?!</li>).)*</li>\n){9}', "", SHOP)
    contract = wrapper((SHOP, fewer)).areas[0].contract
    assert contract.records == (3, 12)
    assert contract.fill["price"] > wrapper().areas[0].contract.fill["price"]


def test_the_frame_has_only_landmarks_that_all_samples_have():
    other = SHOP.replace('id="search"', 'id="find"')
    of_one_sample, shared = wrapper().frame, wrapper((SHOP, other)).frame
    (lost,) = set(of_one_sample) - set(shared)
    assert str(lost) == '//form[@id="search"]'


EMPTY = "<!doctype html><title>Boats</title><h1>Boats</h1><p>No results found.</p>"


def test_without_a_frame_only_given_empty_pages_are_recognised():
    bare = replace(wrapper(), frame=())
    report = check_page(bare, parse(EMPTY.encode()))
    assert [failure["clause"] for failure in report["failed"]] == ["frame"]
    assert "(--empty)" in report["failed"][0]["message"]
    informed = replace(bare, signs=replace(bare.signs, empty=("No results found.",)))
    assert check_page(informed, parse(EMPTY.encode()))["status"] == "OK"


def test_a_record_unlike_the_others_is_accepted_if_the_sample_has_one():
    box = '<li class="offer"><p><a class="name">Sale</a><s class="before">£9.00</s></p>'
    odd = SHOP.replace('<ul id="offers">', f'<ul id="offers">{box}</li>')
    failed = check_page(wrapper(), parse(odd.encode()))["failed"]
    assert [failure["message"] for failure in failed] == [
        "1 of 13 records are unlike the others, and lack most values"
    ]
    assert check_page(wrapper((odd,)), parse(odd.encode()))["status"] == "OK"


PRICE = '<b class="price">'


@pytest.mark.parametrize(("noted", "status"), [("each", "OK"), ("lacking", "DEGRADED")])
def test_texts_beside_values_are_not_taken_for_lost_values(noted, status):
    """Remove eight values from a column that no annotator recognises."""
    rules = wrapper()
    (area,) = rules.areas
    unknown = replace(area.contract, recognised={})
    rules = replace(rules, areas=(replace(area, contract=unknown),))
    notes = iter(range(100, 1000))

    def changed(match):
        notes_of_record = f"<i>{next(notes)} left</i> <i>{next(notes)} sold</i>"
        is_gone = next(notes) > 112
        price = "" if is_gone else match[0]
        return price + notes_of_record * (is_gone or noted == "each")

    page = re.sub(PRICE + "[^<]*</b>", changed, SHOP)
    assert page.count(PRICE) == 4
    assert check_page(rules, parse(page.encode()))["status"] == status


@pytest.mark.parametrize(("filled", "status"), [(0.2, "OK"), (0.757, "DEGRADED")])
def test_a_rarely_filled_column_may_have_values_of_a_new_kind(filled, status):
    rules = wrapper()
    (area,) = rules.areas
    fill = area.contract.fill | {"title": filled}
    few = replace(area.contract, fill=fill, recognised={})
    rules = replace(rules, areas=(replace(area, contract=few),))
    page = re.sub(r'(<a class="name"[^>]*>)[^<]*', r"\g<1>1234", SHOP, count=5)
    assert check_page(rules, parse(page.encode()))["status"] == status


@pytest.mark.parametrize(
    ("odd", "total", "seen", "chance"),
    [
        (0, 5, 5, 1),
        (1, 1, 1, 1 / 3),
        (2, 3, 3, 1 / 7),
        (5, 5, 0, 1 / 6),
        (3, 3, 9, 0.005),
    ],
)
def test_chance_of_unseen_depends_on_the_values_seen(odd, total, seen, chance):
    assert chance_of_unseen(odd, total, seen) == pytest.approx(chance, abs=0.002)


@pytest.mark.parametrize(
    ("shown", "shape"),
    [
        ("£250,000", "number 4"),
        ("3", "number 0"),
        ("W10 6AB", "mixed 4"),
        ("Oak desk", "words 4"),
        ("12/05/2019", "number 4"),
        ("/item/48", "link 4"),
        ("https://www.example.com/item", "link 16"),
        ("", "mixed 0"),
        ("W10", "mixed 0"),
    ],
)
def test_the_shape_of_a_text_has_its_kind_and_length(shown, shape):
    assert shape_of(shown) == shape


@pytest.mark.parametrize(
    ("count", "total", "low", "high"),
    [(25, 25, 0.867, 1.0), (0, 25, 0.0, 0.133), (1, 1, 0.207, 1.0), (0, 0, 0.0, 1.0)],
)
def test_wilson_interval_returns_the_bounds_of_a_share(count, total, low, high):
    assert wilson_interval(count, total) == pytest.approx((low, high), abs=0.001)


def page_of(case):
    html = SHOP
    for change in case.get("changes", []):
        html = re.sub(change["find"], change["new"], html)
    return html


@cache
def wrapper(pages=(SHOP,)):
    rules = tomllib.loads((FOLDER / "shop" / "wrapper.toml").read_text("utf-8"))
    samples = [parse(page.encode()) for page in pages]
    records = [records_on(wrapper_from_data(rules), sample.root) for sample in samples]
    domain = load_domain("products")
    claims = [
        annotate(sample_page, domain.schema, annotators(domain))
        for sample_page in samples
    ]
    return with_contracts(wrapper_from_data(rules), samples, records, claims)
