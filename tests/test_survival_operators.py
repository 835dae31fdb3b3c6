"""Test mutations of the survival benchmark: their changes, and the values left."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from case_pages import MARK, cases
from gold_corpus import ROOT, write_gold
from hypothesis import given, settings
from hypothesis import strategies as st

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.displayed_texts import collapse, read_node
from amber_wrap.evaluation.gold import read_corpus

sys.path.insert(0, str(ROOT / "benchmarks"))
sys.path.insert(0, str(ROOT / "benchmarks" / "survival"))

from mutation import Mutation, Specimen
from operators import OPERATORS
from operators.draft import ANY_FIELD, SCOPES, Change, is_void, nests, write_html

RATES = (0.01, 0.03, 0.1)
TOWNS = "Bath Bude Cork Deal Hove Hull Ilam Kent Leek Looe Lund Mere".split()


def specimen_of(html, name="own/page"):
    """Read a page in whose HTML `RECORD` and `[type value]` mark the gold."""
    marked = parse_html(f"<body>{html}</body>")
    tree = marked.getroottree()
    records = []
    for top in marked.xpath("//*[@record]"):
        values = {}
        for element in top.iter("*"):
            inside = [("text", part) for part in element.xpath("text()")]
            for source, text in [*inside, *((f"@{k}", v) for k, v in element.items())]:
                for kind, value in MARK.findall(text):
                    place = {"xpath": tree.getpath(element), "source": source}
                    values[kind] = {"value": value, **place}
        records.append({"nodes": [tree.getpath(top)], "attributes": values})
    body = MARK.sub(r"\2", html).replace(" RECORD", "")
    gold = {"areas": [{"name": "results", "records": records}]}
    return Specimen(name, "real-estate", f"<body>{body}</body>".encode(), gold)


def body_of(mutation):
    """Return the HTML of the body."""
    [body] = re.findall("<body>(.*)</body>", decode(mutation.html), re.DOTALL)
    return body.strip()


def shape(root):
    """List all elements of a tree, each with its depth, attributes and texts."""
    return [
        (
            element.tag,
            len(list(element.iterancestors())),
            element.items(),
            element.text,
            element.tail,
        )
        for element in root.iter()
    ]


def card(number, town):
    extra = f' <i class="beds">Beds: [bedrooms {number % 5}]</i>' if number % 3 else ""
    return (
        f'<li RECORD class="card c{number}" id="home-{number}"><div><h3>'
        f'<a href="[details_page /homes/{number}.html]">[location {town}]</a></h3>'
        f'</div><p><b class="price big">[price £{number}00]</b> a month{extra}</p></li>'
    )


PAGE = (
    '<div id="top" class="head"><h1>Homes</h1><p class="lead">To let</p></div>\n'
    '<div class="main"><ul class="results">\n'
    + "\n".join(card(i, town) for i, town in enumerate(TOWNS, start=11))
    + '\n</ul></div><p class="foot">Imprint</p>'
)
SPECIMEN = specimen_of(PAGE)


# One operator each


@pytest.mark.parametrize("case", cases("survival/operators"))
def test_an_operator_changes_page_and_values_as_expected(case):
    """Compare the changed page, and the values that the page displays differently."""
    specimen = specimen_of(case["html"], case.get("name", "own/page"))
    arguments = case["operator"], case["rate"], case["scope"], case["seed"]
    changed = specimen.mutate(*arguments)
    assert body_of(changed) == case["after"].strip()
    changes = [
        f"{change.record}: {change.field}: {change.old} -> {change.new}"
        for change in changed.changes
        if change.field != ANY_FIELD
    ]
    assert changes == case["changes"]


@pytest.mark.parametrize("scope", SCOPES)
@pytest.mark.parametrize("operator", OPERATORS)
def test_every_run_of_an_operator_changes_the_page(operator, scope):
    before = SPECIMEN.mutate(operator, 0, scope, 0)
    for seed in range(12):
        changed = SPECIMEN.mutate(operator, 0.01, scope, seed)
        assert changed.html != before.html, seed


@pytest.mark.parametrize(
    ("operator", "html"),
    [
        ("rename-class", "<p RECORD>[price £1]"),
        ("change-id", "<p RECORD>[price £1]"),
        ("label-text", "<p RECORD>[price £1]<p RECORD>[price £2]"),
        ("currency", "<p RECORD>[location Bath]"),
        ("drop-field", "<p RECORD>[price £1]<p RECORD>[price £2]"),
        ("reorder-fields", "<p RECORD><b>[price £1]</b> in <i>[location Bath]</i>"),
    ],
)
def test_an_operator_without_anything_to_change_gives_none(operator, html):
    for scope in SCOPES:
        assert specimen_of(html).mutate(operator, 0.1, scope, 0) is None


def test_a_field_that_the_record_displays_twice_is_not_dropped():
    """A text that the record displays elsewhere, too, counts as present."""
    item = '<div RECORD><b>[price £9]</b><i class="n">[bedrooms 2]</i>{}</div>'
    html = [item.format(twin) for twin in ("", "<u>2 bedrooms</u>", "<u>12 May</u>")]
    mutations = [
        specimen_of(text).mutate("drop-field", 0.1, "element", 0) for text in html
    ]
    assert [mutation is not None for mutation in mutations] == [
        True,
        False,
        True,
    ]


def test_numbers_without_distinct_marks_are_not_reordered():
    html = "<ul>{}</ul>"
    bare = "<li RECORD><b>[bedrooms 2]</b><b>[rooms 3]</b></li>"
    named = '<li RECORD><b class="a">[bedrooms 2]</b><b class="b">[rooms 3]</b></li>'
    mutations = [
        specimen_of(html.format(item)).mutate("reorder-fields", 0.1, "template", 0)
        for item in (bare, named)
    ]
    assert mutations[0] is None
    assert "<b class=" in body_of(mutations[1]).partition("rooms")[0]


def test_the_same_seed_gives_the_same_bytes_in_every_process():
    code = (
        "import sys; sys.path[:0] = sys.argv[1:]; import test_survival_operators as t;"
        "from hashlib import sha256; d = sha256();"
        "[d.update(repr(t.SPECIMEN.mutate(o, r, s, 7)).encode())"
        " for o in t.OPERATORS for r in t.RATES for s in t.SCOPES];"
        "print(d.hexdigest())"
    )
    arguments = [sys.executable, "-c", code, str(ROOT / "tests"), str(ROOT)]
    outputs = {
        subprocess.run(
            arguments,
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert (
        len({SPECIMEN.mutate("advert", 0.1, "template", i).html for i in range(9)}) > 3
    )


@pytest.mark.parametrize("rate", RATES)
def test_the_rate_is_the_share_of_changed_elements(rate):
    """Average the changed of 200 elements over 60 seeds, at least one each time."""
    page = specimen_of("".join(f'<i class="a{n}">{n}</i>' for n in range(200)))
    names = {f"a{n}" for n in range(200)}
    changed = [
        sum(f'class="{name}"' not in body for name in names)
        for seed in range(60)
        for body in [decode(page.mutate("rename-class", rate, "element", seed).html)]
    ]
    expected = 200 * rate + (1 - rate) ** 200
    assert min(changed) >= 1
    assert sum(changed) / 60 == pytest.approx(expected, rel=0.25)


def test_the_scope_template_changes_all_instances_of_an_element():
    def counts(scope):
        for seed in range(40):
            changed = SPECIMEN.mutate("rename-class", 0.01, scope, seed)
            yield body_of(changed).count('"price ')

    assert set(counts("template")) == {0, len(TOWNS)}
    assert {len(TOWNS) - 1, len(TOWNS)} <= set(counts("element"))
    assert min(counts("element")) > len(TOWNS) / 2


# What stays


@given(
    st.sampled_from(list(OPERATORS)),
    st.sampled_from(RATES),
    st.sampled_from(SCOPES),
    st.integers(0, 500),
)
@settings(max_examples=150, deadline=None)
def test_gold_values_stay_displayed_except_for_the_changes(operator, rate, scope, seed):
    """Values are displayed at the place of their record in the order of records."""
    mutated = SPECIMEN.mutate(operator, rate, scope, seed)
    displayed = read_node(parse_html(decode(mutated.html)), "text")
    changes = {
        (change.record, change.field): change.new
        for change in mutated.changes
        if change.field
    }
    at = 0
    for record, values in enumerate(mutated.gold):
        town = displayed.index(values["location"], at)
        for field, value in values.items():
            value = changes.get((record, field), value)
            if value is None:
                continue
            if field == "details_page":
                assert f'href="{value}"' in decode(mutated.html)
            elif field in ("price", "location"):
                assert re.search(rf"(?<!\w){re.escape(value)}(?!\d)", displayed)
            else:
                assert re.search(rf"\W{value}\W", displayed[at:])
        at = town
    expected = mutated.expected([dict(values) for values in mutated.gold])
    for record, (row, values) in enumerate(zip(expected, mutated.gold, strict=True)):
        assert row == {k: changes.get((record, k), v) for k, v in values.items()}


ODD = """<!-- a --><p>a &lt; b &amp;amp; c&#13;d</p>
<a href="/ü b?x=1&amp;y=&quot;">x</a>
<script>if (a < b && c) {}</script><style>a > b {}</style><textarea>
<b></textarea><iframe><p></iframe><source src="a"><p>in</source><br><wbr>x<img alt="">
<div @click="a" :b="c" xml:lang="de" data-x="1 < 2">y</div><pre>

z</pre><p><section><div>deep</div></section></p><svg><path d="M0"/></svg><x:y>n</x:y>"""


@pytest.mark.parametrize("html", [PAGE.replace("RECORD", ""), ODD, "", "text"])
def test_a_written_page_is_parsed_to_the_same_tree(html):
    root = parse_html(html)
    assert shape(parse_html(decode(write_html(root)))) == shape(root)


@pytest.mark.parametrize("operator", OPERATORS)
@pytest.mark.parametrize("scope", SCOPES)
def test_a_page_stays_the_same_at_rate_0(operator, scope):
    unchanged = SPECIMEN.mutate(operator, 0, scope, 3)
    assert shape(parse_html(decode(unchanged.html))) == shape(SPECIMEN.root)
    assert not unchanged.changes


@pytest.mark.parametrize(
    ("head", "encoding"),
    [
        ('<meta charset="iso-8859-1">', "cp1252"),
        (
            '<meta http-equiv="Content-Type" content="text/html; charset=cp1252">',
            "cp1252",
        ),
        ("", "cp1252"),
        ("", "utf-8"),
        ("<!-- " + "x" * 5000 + ' --><meta charset="windows-1252">', "cp1252"),
    ],
)
def test_a_written_page_is_declared_utf_8_in_place_of_other_encodings(head, encoding):
    page = f"<html><head>{head}</head><body><p>£500 für Käse</p></body></html>"
    root = parse_html(decode(page.encode(encoding)))
    written = write_html(root)
    assert "£500 für Käse" in decode(written)
    assert written.startswith(b"\xef\xbb\xbf") or b'utf-8"' in written
    assert b"1252" not in written
    assert b"8859" not in written


def test_void_elements_and_allowed_nesting_are_known():
    assert [is_void(one) for one in ("br", "img", "source", "p", "script", "x:y")] == [
        *(True, True),
        *(False,) * 4,
    ]
    assert [nests("p", "div"), nests("p", "span"), nests("ul", "li")] == [0, 1, 1]


# What systems should give


GOLD = ({"price": "£900", "bedrooms": "2"}, {"price": "£800", "location": "Bath"})


def mutation(*changes, rest=None):
    return Mutation(b"", changes, GOLD, frozenset({"url"}), rest or {})


def test_a_removed_field_is_expected_to_be_none():
    removal = mutation(Change("bedrooms", 0, "2", None))
    rows = [{"price": "£900", "bedrooms": "2 beds"}, {"price": "£800", "bedrooms": "2"}]
    assert removal.expected(rows) == [rows[0] | {"bedrooms": None}, rows[1]]
    assert rows[0]["bedrooms"] == "2 beds", "what was given stays"


def test_values_that_were_wrong_before_are_expected_to_stay_wrong():
    removal = mutation(Change("bedrooms", 0, "2", None))
    rows = [{"price": "£900", "bedrooms": "12"}, {"price": "£800", "bedrooms": None}]
    assert removal.expected(rows) == rows


def test_changes_apply_to_values_in_other_case_and_white_space():
    change_of_price = mutation(Change("price", 0, "CHF 900", "EUR 900"))
    rows = [{"price": "From chf\xa0900 a month"}, {"price": "£800"}]
    gold = ({"price": "CHF 900"}, {"price": "£800"})
    change_of_price = Mutation(b"", change_of_price.changes, gold)
    assert change_of_price.expected(rows) == [
        {"price": "From EUR 900 a month"},
        rows[1],
    ]


@pytest.mark.parametrize("before", [[], [{"price": "£5"}], [{"price": "£5"}] * 4])
def test_rows_are_matched_by_values_if_their_number_differs(before):
    change_of_price = mutation(Change("price", 1, "£800", "€800"))
    rows = [*before, {"price": "£800", "location": "Bath"}, {"price": "£9"}]
    after = change_of_price.expected(rows)
    assert after == [*before, {"price": "€800", "location": "Bath"}, {"price": "£9"}]


def test_a_change_of_a_record_without_a_row_changes_nothing():
    change_of_price = mutation(Change("price", 1, "£800", "€800"))
    assert change_of_price.expected([{"price": "£7"}]) == [{"price": "£7"}]
    assert change_of_price.expected([]) == []


def test_a_changed_label_changes_in_the_values_that_include_the_label():
    change_of_label = mutation(Change(ANY_FIELD, 0, "Beds", "Bedrooms"))
    rows = [
        {
            "price": "£900",
            "bedrooms": "Beds: 2",
            "url": "/Beds/2",
            "location": "Bedsit",
        },
        {"price": "£800", "bedrooms": "Beds: 3"},
    ]
    after = change_of_label.expected(rows)
    assert after == [rows[0] | {"bedrooms": "Bedrooms: 2"}, rows[1]]


def test_values_displayed_only_in_a_removed_element_become_none():
    change = Change(ANY_FIELD, 0, "2 bed flat", None)
    removal = mutation(change, rest={0: "£900flattolet"})
    row = {"price": "£900", "title": "2 bed", "kind": "flat", "bedrooms": "2"}
    assert removal.expected([row, {"price": "£800"}])[0] == row | {"title": None}


# The corpus, and mistakes


def test_a_specimen_is_read_from_a_corpus(tmp_path):
    place = {"value": "£900", "xpath": "/html/body/p/b", "source": "text"}
    record = {"nodes": ["/html/body/p"], "attributes": {"price": place}}
    gold = {"areas": [{"name": "results", "records": [record]}]}
    html = b"<p>Now <b>from \xa3 900</b></p>"
    write_gold(tmp_path, "real-estate/acme/1", gold, html)
    specimen = Specimen.of(read_corpus(tmp_path).pages[0])
    [value] = specimen.records[0].values.values()
    [(text, (begin, end))] = value.spans.items()
    assert text.read(specimen.elements)[begin:end] == "£ 900"
    changed = specimen.mutate("currency", 0.01, "element", 0)
    assert collapse(body_of(changed)) in (
        "<p>Now <b>from € 900</b></p>",
        "<p>Now <b>from $ 900</b></p>",
    )


def test_gold_nodes_that_are_not_in_the_page_are_an_error():
    record = {"nodes": ["/html/body/ul/li"], "attributes": {}}
    gold = {"areas": [{"name": "results", "records": [record]}]}
    with pytest.raises(ValueError, match="own/1: 0 nodes are at /html/body/ul/li"):
        Specimen("own/1", "real-estate", b"<p>", gold)
