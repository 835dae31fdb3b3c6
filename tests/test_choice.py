"""Test the pass `select`: features of candidates, the models, excluded lists."""

from __future__ import annotations

from math import isfinite
from typing import NamedTuple

import pytest
from gold_corpus import GOLDEN

from amber_wrap.analysis.additive_model import (
    AdditiveModel,
    StepFunction,
    fitted_model,
    shipped_models,
    use_models,
)
from amber_wrap.analysis.candidate_lists import (
    common_marks,
    like_elements,
    multi_sibling_lists,
    single_element_list,
)
from amber_wrap.analysis.closed_tabs import closed_nodes
from amber_wrap.analysis.features.candidate_comparison import COMPARED, contrasts
from amber_wrap.analysis.features.page_counts import PageCounts
from amber_wrap.analysis.features.registry import (
    FEATURES,
    POSITION_FEATURES,
    PRESENCE_FEATURES,
)
from amber_wrap.analysis.further_lists import OWN_ODDS, RELATIONS
from amber_wrap.analysis.list_selection import (
    FURTHER_LIST,
    LIST_PRESENCE,
    LIST_RANKING,
    Ranked,
    choose_ranked,
    rank_candidates,
)
from amber_wrap.dom.parse import parse
from amber_wrap.dom.tree_edit import DISTANCES
from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.passes.analysis import annotate_samples
from amber_wrap.settings import DEFAULTS
from amber_wrap.strategies import ANY_TYPE, identify_all

SAMPLES = sorted(GOLDEN.glob("*/sample.html"))


def ranked(path):
    page = parse(path.read_bytes())
    domains = [load_domain(name) for name in built_in_domains()]
    [annotated] = annotate_samples([page], domains, DEFAULTS)
    lists = identify_all(page, annotated, DISTANCES["fast"](page))[ANY_TYPE]
    claims = {
        claim
        for annotations_of_domain in annotated
        for claim in annotations_of_domain.annotations
    }
    types = {
        kind.name: kind
        for annotations_of_domain in annotated
        for kind in annotations_of_domain.domain.schema.types
    }
    page_counts = PageCounts(page, claims, types.values(), annotated[0].links)
    return rank_candidates(page_counts, lists)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.parent.name)
def test_features_are_reproducible_numbers_about_0_to_1(path):
    candidates = ranked(path)
    for candidate in candidates:
        assert all(
            isfinite(value) and -1 <= value <= 3
            for value in candidate.features.values()
        )
    assert [candidate.features for candidate in ranked(path)] == [
        candidate.features for candidate in candidates
    ]
    assert [candidate.score for candidate in candidates] == sorted(
        (candidate.score for candidate in candidates), reverse=True
    )


def test_models_and_features_have_the_same_names():
    models = shipped_models()
    assert models.keys() == {LIST_RANKING, LIST_PRESENCE, FURTHER_LIST}
    assert models[LIST_RANKING].terms.keys() == FEATURES.keys() - PRESENCE_FEATURES
    assert models[FURTHER_LIST].terms.keys() == {*RELATIONS, OWN_ODDS, "bias"}
    best = ranked(SAMPLES[0])[0]
    known = {*best.features, *best.contrasts, "bias"}
    assert models[LIST_PRESENCE].terms.keys() <= known
    assert len(models[LIST_PRESENCE].terms) > len(known) / 2


def test_the_score_of_a_model_is_a_weighted_sum():
    model = AdditiveModel({"bias": -1.0, "long": 2.0})
    assert model.score({"long": 0.5, "unknown": 9.0}) == 0
    assert model.probability({"long": 0.5}) == 0.5
    assert model.contributions({"long": 1.5}) == {"long": 3.0}
    assert model.probability({"long": 1e9}) <= 1


def test_a_step_function_adds_the_score_between_its_thresholds():
    model = AdditiveModel(
        {"bias": 1.0, "long": StepFunction((0.5, 2.0), (-1.0, 0.0, 3.0))}
    )
    assert [model.score({"long": value}) for value in (0, 0.5, 0.6, 2, 2.1)] == [
        *(0, 0, 1, 1, 4),
    ]
    assert model.score({}) == 1  # A feature that is left out counts as an average one.


def test_contrasts_compare_a_list_with_lists_elsewhere_on_the_page():
    own = dict.fromkeys(COMPARED, 0.5)
    most = {**own, "prices": 1.0}
    features = contrasts(0, [5.0, 4.0, 1.0], [(10, 20), (12, 18), (30, 40)], most, own)
    assert features["lead"] == 0.4  # The second one is part of the first.
    assert features["rivals"] == 2
    assert features["short_of_prices"] == 0.5
    alone = contrasts(0, [5.0], [(10, 20)], most, own)
    assert alone["lead"] == 2


def test_use_models_replaces_and_restores_the_shipped_weights():
    use_models({LIST_RANKING: {"record_count": 1.0}})
    try:
        assert fitted_model(LIST_RANKING).terms == {"record_count": 1.0}
        assert fitted_model(LIST_PRESENCE) is shipped_models()[LIST_PRESENCE]
    finally:
        use_models({})
    assert fitted_model(LIST_RANKING) is shipped_models()[LIST_RANKING]


def texts(html):
    page = parse(html.encode())
    return [
        [" ".join(map(page.string, record.nodes)) for record in candidate.records]
        for candidate in like_elements(page, common_marks(page), closed_nodes(page))
    ]


@pytest.mark.parametrize(
    "html",
    [
        "<details><summary>Sort</summary><a>Newest</a><a>Oldest</a></details>",
        "<dialog><a>Newest</a><a>Oldest</a></dialog>",
        "<div popover><a>Newest</a><a>Oldest</a></div>",
        "<div hidden><a>Newest</a><a>Oldest</a></div>",
        '<p class="tab-pane active">All</p>'
        '<div class="tab-pane"><a>Newest</a><a>Oldest</a></div>',
    ],
    ids=["details", "dialog", "popover", "hidden", "tab"],
)
def test_lists_that_are_not_rendered_are_not_candidates(html):
    assert texts(f"<main>{html}</main>") == []


def test_rows_that_follow_a_title_row_are_one_record_with_it():
    page = parse(
        b"<table>"
        b"<tr><th>Red car</th></tr><tr><td>York</td></tr>"
        b"<tr><th>Blue car</th></tr><tr><td>Bath</td></tr><tr><td>sold</td></tr>"
        b"<tr><th>Old car</th></tr><tr><td>Leeds</td></tr>"
        b"</table>"
    )
    records_of_lists = [
        [" ".join(map(page.string, record.nodes)) for record in candidate.records]
        for candidate in multi_sibling_lists(
            page, common_marks(page), closed_nodes(page)
        )
    ]
    assert records_of_lists == [["Red car York", "Blue car Bath sold", "Old car Leeds"]]


def test_alternating_rows_are_not_joined_into_records():
    rows = "".join(f'<tr class="r{i % 2}"><td>{i}</td></tr>' for i in range(8))
    page = parse(f"<table>{rows}</table>".encode())
    assert not list(multi_sibling_lists(page, common_marks(page), closed_nodes(page)))


def test_pairs_of_rows_are_records_if_every_second_pair_is_shaded():
    pair = "<tr{0}><td>Field {1}<td>3 acres<tr{0}><td colspan=2>Owned by the parish"
    shades = ("", " class=shaded")
    rows = "".join(pair.format(shades[i % 2], i) for i in range(6))
    page = parse(f"<table>{rows}</table>".encode())
    lists = multi_sibling_lists(page, common_marks(page), closed_nodes(page))
    [starts] = [
        [page.string(record.nodes[0]) for record in segmentation.records]
        for segmentation in lists
        if segmentation.record_length == 2
    ]
    assert starts == [f"Field {i} 3 acres" for i in range(6)]


def test_candidates_of_a_domain_have_its_regular_types():
    menu = "".join(f"<a href='/{i}'>Flats in town {i}</a>" for i in range(30))
    cards = "".join(
        f"<li><a href='/p/{i}'>Flat</a> <b>&pound;{i}50 pcm</b>" for i in range(1, 5)
    )
    page = parse(f"<nav>{menu}</nav><ul>{cards}</ul>".encode())
    [annotated] = annotate_samples([page], [load_domain("real-estate")], DEFAULTS)
    candidates = identify_all(page, annotated, DISTANCES["fast"](page))[ANY_TYPE]
    assert candidates
    links = set(page.select("//nav/a"))
    assert not any(
        links.intersection(r.nodes)
        for candidate in candidates
        for r in candidate.records
    )


def test_annotated_links_in_a_closed_menu_are_not_candidates():
    menu = "".join(f"<a href='/{i}'>Sort by the thing {i}</a>" for i in range(30))
    items = "".join(
        f"<li><a href='/p/{i}'>A long headline no {i}</a> and more" for i in range(5)
    )
    html = f"<main><details><summary>Sort</summary>{menu}</details><ul>{items}</ul>"
    page = parse(html.encode())
    [annotated] = annotate_samples([page], [load_domain("listing")], DEFAULTS)
    candidates = identify_all(page, annotated, DISTANCES["fast"](page))[ANY_TYPE]
    assert candidates
    menus = set(page.select("//details//a"))
    assert not any(
        menus.intersection(r.nodes)
        for candidate in candidates
        for r in candidate.records
    )


def test_open_dialogs_and_details_may_be_candidate_lists():
    links = "<a>Newest</a><a>Oldest</a>"
    assert ["Newest", "Oldest"] in texts(f"<main><dialog open>{links}</dialog></main>")
    summary = "<summary>Sort</summary>"
    found = texts(f"<main><details open>{summary}{links}</details></main>")
    assert ["Newest", "Oldest"] in found


def test_rows_of_header_cells_are_not_records():
    head = "<tr><th>Case<th>Date"
    rows = "<tr><td>A v. B<td>1 May<tr><td>C v. D<td>2 May"
    assert ["A v. B 1 May", "C v. D 2 May"] in texts(f"<table>{head}{rows}</table>")
    assert not any(
        "Case Date" in records for records in texts(f"<table>{head}{rows}</table>")
    )


def test_cells_across_a_table_that_head_groups_of_rows_are_not_records():
    monday = "<tr><td colspan=2>Monday<tr><td>A<td>9:00<tr><td>B<td>11:00"
    tuesday = "<tr><td colspan=2>Tuesday<tr><td>C<td>8:00<tr><td>D<td>9:00<tr><td>E"
    lists = texts(f"<table>{monday}{tuesday}<td>noon</table>")
    assert ["A 9:00", "B 11:00", "C 8:00", "D 9:00", "E noon"] in lists
    assert not any({"Monday", "A 9:00"} <= {*records} for records in lists)


def test_a_cell_across_a_table_and_the_rows_below_may_be_a_record():
    case = "<tr><td colspan=2>Case {0}<tr><td>{0}<td>9:00<tr><td>Room {0}<td>Judge"
    lists = texts(f"<table>{''.join(map(case.format, 'AB'))}</table>")
    assert ["Case A", "A 9:00", "Room A Judge", "Case B"] in [row[:4] for row in lists]


def test_classes_of_single_elements_do_not_divide_a_list():
    items = "".join(f"<li class='post post-{i}'>Text no {i}" for i in range(3))
    assert ["Text no 0", "Text no 1", "Text no 2"] in texts(f"<ul>{items}</ul>")


def test_the_odds_of_a_further_list_ignore_its_position():
    segmentation = single_element_list(parse(b"<ul><li>1<li>2</ul>"), [3, 5])
    plain = Ranked(segmentation, dict.fromkeys(FEATURES, 0.0), 1.0)
    beside = {**plain.features, **dict.fromkeys(POSITION_FEATURES, 1.0)}
    other = Ranked(segmentation, beside, 1.0)
    assert other.probability != plain.probability
    assert other.probability_anywhere == plain.probability_anywhere


class Stub(NamedTuple):
    """A candidate with only the values that `choose_ranked` needs."""

    name: str
    score: float
    record_count: float
    span: tuple[int, int]
    probability: float = 0.9


DAYS = Stub("days", 10.0, 0.3, (5, 100))


@pytest.mark.parametrize(
    ("other", "chosen"),
    [
        (Stub("items", 9.6, 0.6, (7, 100)), "items"),
        (Stub("items, much worse", 9.0, 0.6, (7, 100)), "days"),
        (Stub("items of some days", 9.6, 0.6, (7, 60)), "days"),
        (Stub("items beyond", 9.6, 0.6, (7, 120)), "days"),
        (Stub("as many", 9.6, 0.35, (7, 100)), "days"),
        (Stub("parts that are no list", 9.6, 0.6, (7, 100), 0.1), "days"),
    ],
)
def test_lists_of_records_are_preferred_to_lists_of_groups(
    other: Stub, chosen: str
) -> None:
    assert choose_ranked([DAYS, other]).name == chosen
