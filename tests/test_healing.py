"""Test healing and its parts: matches, differences, samples, generations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import ValueKind
from amber_wrap.files import find_samples, generations, next_generation, store_samples
from amber_wrap.maintenance.attempts import with_known_values
from amber_wrap.maintenance.healing import heal_wrapper, reading_differences
from amber_wrap.maintenance.matching import KnownTexts, known_texts, match_areas
from amber_wrap.maintenance.wrapper_differences import diff_lines
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.ir import (
    AreaRule,
    Contract,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Sample,
    Wrapper,
)
from amber_wrap.wrapper.xpath_parser import parse_path

CASES = Path(__file__).parent / "cases" / "heal"
KINDS = {"price": ValueKind.MONEY, "title": ValueKind.TEXT, "seller": ValueKind.TEXT}
PAGE = b"""
<ul>
  <li><b>Lamp</b> <i>19 EUR</i> <u>Ann</u></li>
  <li><b>Vase</b> <i>25 EUR</i> <u>Ben</u></li>
  <li><b>Bowl</b> <i>12 EUR</i> <u>Cat</u></li>
</ul>
<ol>
  <li><a>Table</a> <i>99 EUR</i></li>
  <li><a>Chair</a> <i>75 EUR</i></li>
</ol>
"""


def area(root, contract=None, name="results", record="./li", **fields):
    """Return an area whose fields are each read by one expression."""
    rules = tuple(
        FieldRule(kind, (FieldReading("tag", (Locator(parse_path(xpath)),)),))
        for kind, xpath in fields.items()
    )
    places = (RecordLocator("tag", parse_path(root), parse_path(record)),)
    return AreaRule(name, places, 1, 1, rules, contract=contract)


def wrapper(*areas, samples=()):
    return Wrapper("shop", samples, tuple(KINDS.items()), (), areas)


def promises(**fill):
    return Contract(fill=fill, shapes={"price": (shape_of("19 EUR"),)})


def matched(old, new, known=None):
    return match_areas(old, new, [parse(PAGE)], known or KnownTexts())


def test_fields_of_two_wrappers_are_matched_by_name():
    old = wrapper(area("//ul", title=".//s", price=".//i", seller=".//s"))
    new = wrapper(area("//ul", title=".//b", price=".//i"))
    ((match),) = matched(old, new)
    assert [
        (field_match.name, field_match.verdict) for field_match in match.fields
    ] == [
        ("title", "moved"),
        ("price", "kept"),
        ("seller", "lost"),
    ]
    counts = [(field.old_count, field.new_count) for field in match.fields]
    assert counts == [(0, 3), (3, 3), (0, 0)]


def test_the_fit_weighs_fields_by_fill_and_counts_reshaped_ones_half():
    contract = promises(price=0.8, title=0.8, seller=0.4)
    old = wrapper(area("//ul", contract, title=".//s", price=".//s", seller=".//s"))
    new = wrapper(area("//ul", title=".//b", price=".//i"))
    (match,) = matched(old, new)
    assert match.fit == pytest.approx(1.6 / 2)
    (swapped,) = matched(old, wrapper(area("//ul", title=".//b", price=".//u")))
    verdicts = {field.name: field.verdict for field in swapped.fields}
    assert [name for name in verdicts if verdicts[name] == "reshaped"] == ["price"]
    assert swapped.fit == pytest.approx(1.2 / 2)


def test_the_area_with_more_of_the_old_fields_is_matched():
    old = wrapper(area("//dl", title=".//b", price=".//i", seller=".//u"))
    others = area("//ol", title=".//a", price=".//i")
    same = area("//ul", name="results-2", title=".//b", price=".//i", seller=".//u")
    first, second = matched(old, wrapper(others, same))
    assert (first.new, first.fit) == (same, 1.0)
    assert (second.old, second.new, second.is_kept) == (None, others, False)


def test_of_two_equal_areas_the_one_with_known_values_is_matched():
    old = wrapper(area("//dl", title=".//b", price=".//i"))
    new = wrapper(
        area("//ul", title=".//b", price=".//i"),
        area("//ol", name="results-2", title=".//a", price=".//i"),
    )
    known = KnownTexts({"title": frozenset({"Chair", "Sofa"})})
    first, second = matched(old, new, known)
    assert (first.new, first.known_value_count) == (new.areas[1], 1)
    assert second.is_kept


def test_an_area_with_too_few_of_the_old_fields_is_not_matched():
    old = wrapper(area("//dl", title=".//b", price=".//i", seller=".//u"))
    lost, other = matched(old, wrapper(area("//ol", price=".//i")))
    assert (lost.new, other.old) == (None, None)


def test_a_diff_shows_the_first_expressions_before_and_after():
    old = wrapper(area("//dl", title=".//s", price=".//i", seller=".//s"))
    new = wrapper(
        area("//ul", title=".//b", price=".//i"), area("//ol", name="x", price=".//i")
    )
    assert list(
        diff_lines(matched(old, new, KnownTexts({"title": frozenset({"Lamp"})})))
    ) == [
        "area results: 0 -> 3 records, 1 known value",
        "-   area           //dl",
        "+   area           //ul",
        "  title          0 -> 3 values, moved",
        "-   .//s",
        "+   .//b",
        "  price          0 -> 3 values",
        "  seller         0 -> 0 values, lost",
        "-   .//s",
        "left out: 2 records of something else",
        "+   area           //ol",
        "+   record         ./li",
    ]


def test_reading_differences_count_changed_values_and_lost_records():
    old = wrapper(area("//ul", title=".//b", price=".//i"))

    def differences(new):
        return list(reading_differences(old, new, parse(PAGE)))

    more = area("//ul", title=".//b", price=".//i", seller=".//u")
    assert differences(wrapper(more)) == []
    assert differences(wrapper(replace(more, name="x"))) == [
        "3 records in another area"
    ]
    assert differences(wrapper(area("//ul", title=".//u", seller=".//b"))) == [
        "price differs in 3 records",
        "title differs in 3 records",
    ]
    assert differences(wrapper(area("//ol", title=".//a"))) == [
        "3 of 3 records lost",
        "2 records in addition to 3",
    ]


def test_one_changed_value_in_a_hundred_is_no_reading_difference():
    """More samples may change slightly what a cut takes off."""
    old = wrapper(area("//body", title=".//b"))
    new = wrapper(area("//body", title=".//i"))
    for changed, is_difference in ((1, False), (2, True)):
        rows = "".join(
            f"<li><b>Home {n}</b><i>{'home' if n < changed else 'Home'} {n}</i></li>"
            for n in range(100)
        )
        assert (
            bool(list(reading_differences(old, new, parse(rows.encode()))))
            == is_difference
        )


def test_known_values_become_terms_of_types_that_have_gazetteers():
    domain = load_domain("real-estate")
    seen = ("Nether Wobbling", "Up" * 40, "17")
    known = KnownTexts({"location": frozenset(seen), "price": frozenset({"£1"})})
    taught = with_known_values(domain, known)
    assert taught.gazetteers["learned_location"].terms == ("Nether Wobbling",)
    assert taught.schema["price"] == domain.schema["price"]
    assert with_known_values(domain, KnownTexts()) is domain


def source(case, name):
    return Source(name, (CASES / case / name).read_bytes())


@pytest.mark.parametrize(
    ("case", "kind"),
    [
        ("the-same-template", "fits"),
        ("fields-in-other-places", "same generation"),
        ("a-table-instead-of-a-list", "new generation"),
        ("something-else", "failed"),
    ],
)
def test_healing_twice_gives_the_same_wrapper(case, kind):
    domains = [load_domain("real-estate")]
    sample, new = source(case, "sample.html"), source(case, "new.html")
    old = compile_wrapper([sample], domains).wrapper
    healed = heal_wrapper(old, [sample], [new], domains)
    assert healed.kind == kind
    assert (healed.wrapper is None) == (kind == "failed")
    assert heal_wrapper(old, [sample], [new], domains) == healed


def test_areas_keep_their_names_when_a_wrapper_is_healed():
    domains = [load_domain("listing")]
    sample = source("something-beside-it", "sample.html")
    old = compile_wrapper([sample], domains).wrapper
    named = replace(old, areas=tuple(replace(a, name="news") for a in old.areas))
    healed = heal_wrapper(
        named, [], [source("something-beside-it", "new.html")], domains
    )
    assert [area_rule.name for area_rule in healed.wrapper.areas] == ["news"]


def test_a_field_found_by_known_values_reads_other_values_too():
    """Known values show where in a record a field is; other values are read there."""
    case = "values-that-are-known"
    domains = [load_domain("real-estate")]
    sample, new = source(case, "sample.html"), source(case, "new.html")
    old = compile_wrapper([sample], domains).wrapper
    assert "location" not in read_types(heal_wrapper(old, [], [new], domains).wrapper)
    healed = heal_wrapper(old, [sample], [new], domains).wrapper
    known = known_texts(old, [parse(sample.body)]).values["location"]
    body = new.body.decode()
    for place in known:
        body = body.replace(place, place[::-1])
    read = known_texts(healed, [parse(body.encode())]).values["location"]
    assert len(read) == 9
    assert not read & known


def read_types(wrapper):
    return {rule.name for area in wrapper.areas for rule in area.fields}


# --- the disk ---------------------------------------------------------------------


def as_sample(source):
    return Sample(source.name, source.sha256)


def test_stored_samples_are_found_by_their_content(tmp_path, monkeypatch):
    pages = Source("1.html", b"one"), Source("1.html", b"two"), Source("[2].htm", b"3")
    path = tmp_path / "wrappers" / "site.py"
    assert store_samples(path, pages) == tmp_path / "wrappers" / "site.samples"
    assert find_samples(map(as_sample, pages), path) == list(pages)
    store_samples(path, reversed(pages))
    assert find_samples(map(as_sample, pages), path) == list(pages)


@pytest.mark.parametrize("place", ["beside", "saved/deep", "working"])
def test_samples_are_found_in_each_of_three_folders(tmp_path, monkeypatch, place):
    page = Source("1.html", b"one")
    for folder in ("beside", "saved/deep", "working"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "1.html").write_bytes(b"another")
    (tmp_path / place / "1.html").write_bytes(page.body)
    monkeypatch.chdir(tmp_path / "working")
    path, saved = tmp_path / "beside" / "site.py", str(tmp_path / "saved")
    assert find_samples([as_sample(page)], path, saved) == [page]
    assert find_samples([Sample("../1.html", page.sha256)], path, saved) == []
    (tmp_path / place / "1.html").write_bytes(b"changed")
    assert find_samples([as_sample(page)], path, saved) == []


def test_generations_are_numbered_on_from_the_first_file(tmp_path):
    first, second, third = (tmp_path / f"site{n}.py" for n in ("", "_2", "_3"))
    assert next_generation(first) == second
    first.touch()
    second.touch()
    for path in (first, second):
        assert generations(path) == [first, second]
        assert next_generation(path) == third


def test_a_number_in_a_file_name_alone_makes_no_generation(tmp_path):
    page = tmp_path / "page_2.py"
    page.touch()
    assert generations(page) == [page]
    assert next_generation(page) == tmp_path / "page_2_2.py"
