"""Test several samples of one template, and scores on a page left out of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.contract.comparison_with_analysis import typed_values
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.loader import load_domain
from amber_wrap.generalise.several_samples import LeftOut, with_common_paths
from amber_wrap.pipeline import Compilation, compile_wrapper
from amber_wrap.report.text_report import induction_summary
from amber_wrap.selectors.area_groups import TypedPage, with_attributes
from amber_wrap.settings import Options, Source

GOLDEN = Path(__file__).parent / "golden" / "property-list"
CARD = (
    '<li class="card"><h3><a href="/homes/{n}">Oak Road {n}</a></h3> '
    '<b class="{price}">£{n}50,000</b> <i>{n} beds</i></li>'
)
ROW = (
    '<tr><td><a href="/p{n}.html">Oak Road {n}</a></td><td>£{n}50,000</td>'
    "<td>{n} beds</td></tr>"
)


def compiled(pages: dict[str, str]) -> Compilation:
    sources = [Source(name, html.encode()) for name, html in pages.items()]
    return compile_wrapper(sources, [load_domain("real-estate")])


def page(price: str = "price", size: int = 5) -> str:
    cards = "".join(CARD.format(n=n, price=price) for n in range(1, size + 1))
    return f'<html><body><ul class="list">{cards}</ul></body></html>'


def test_pages_of_one_template_have_a_leave_one_out_score_of_1() -> None:
    compilation = compiled(
        {"a.html": page(), "b.html": page(size=7), "c.html": page(size=3)}
    )
    assert compilation.left_out == tuple(
        LeftOut(f"{letter}.html", 1.0, 1.0) for letter in "abc"
    )


def test_a_page_of_another_template_scores_worse() -> None:
    odd = "<table>" + "".join(ROW.format(n=n) for n in range(1, 6)) + "</table>"
    compilation = compiled({"a.html": page(), "b.html": page(), "odd.html": odd})
    scores = {score.name: score.records for score in compilation.left_out}
    assert scores["a.html"] == scores["b.html"] == 1.0
    assert scores["odd.html"] < 1.0


def test_a_single_sample_has_no_leave_one_out_score() -> None:
    assert compiled({"a.html": page()}).left_out == ()


def test_the_summary_names_the_worst_page() -> None:
    compilation = compiled({"a.html": page(), "b.html": page(size=7)})
    lines = induction_summary(compilation).splitlines()
    at = lines.index("leave-one-out test, F1 of the wrapper from the other samples:")
    assert lines[at + 1 : at + 3] == [
        "  records        1.000, worst 1.000 (a.html)",
        "  values         1.000, worst 1.000 (a.html)",
    ]
    assert "leave one page out" not in induction_summary(compiled({"a.html": page()}))


@pytest.mark.parametrize("names", [("sample", "other-1"), ("other-2", "sample")])
def test_golden_pages_have_a_high_leave_one_out_score(names: tuple[str, str]) -> None:
    files = [GOLDEN / f"{name}.html" for name in names]
    compilation = compile_wrapper(
        [Source(file.name, file.read_bytes()) for file in files],
        [load_domain("real-estate")],
    )
    assert [score.name for score in compilation.left_out] == [
        file.name for file in files
    ]
    assert all(score.records > 0.9 for score in compilation.left_out)


def shelf(notes: tuple[str, ...], state: str = "") -> str:
    """Write a list of books, some with a note, each with `state` or one by turns."""
    items = (
        f"<li><h3><a href='/books/{i}'>The book of number {i}</a></h3>"
        f"<p class='writer'>Ann Poe the {i}th</p>"
        f"<p class='state'>{state or ('lent', 'here')[i % 2]}</p>"
        f"<p class='note'>{notes[i] if i < len(notes) else ''}</p></li>"
        for i in range(24)
    )
    return f"<main><h1>Books</h1><ul>{''.join(items)}</ul></main>"


def advice(*pages: str) -> list[str]:
    sources = [Source(f"shelf {i}.html", html.encode()) for i, html in enumerate(pages)]
    options = Options(fields="all")
    diagnostics = compile_wrapper(
        sources, [load_domain("listing")], options
    ).diagnostics
    return [finding.message for finding in diagnostics if finding.code == "one-sample"]


@pytest.mark.parametrize(
    ("notes", "doubt"),
    [
        (("torn",) * 4, "note always has the same value"),
        (("torn", "wet"), "note is in few records"),
    ],
)
def test_a_second_sample_is_advised_if_columns_are_uncertain(notes, doubt) -> None:
    assert advice(shelf(notes)) == [
        f"one sample may not be enough ({doubt}): add a second one with "
        "amber-wrap induce 'shelf 0.html' ANOTHER"
    ]


def test_no_second_sample_is_advised_if_columns_are_certain() -> None:
    assert advice(shelf(("torn", "wet", "new") * 4)) == []
    assert advice(shelf(("torn", "wet")), shelf(("old", "dry"))) == []


EVENT = (
    "<li><h3><a href='/talks/{n}'>Talk of number {n}</a></h3><div class='body {wide}'>"
    "{image}<p>Hall {n}</p></div></li>"
)


def test_a_state_class_found_on_one_sample_is_a_state_on_all_samples() -> None:
    """Bodies beside pictures are narrow; the second page has no picture."""
    picture = "<img src='/big-{n}.jpg'>"
    pages = [
        "".join(
            EVENT.format(
                n=n,
                wide="narrow" if (is_shown := first and n % 3) else "wide",
                image=picture.format(n=n) * bool(is_shown),
            )
            for n in range(first * 10, first * 10 + 9)
        )
        for first in (1, 0)
    ]
    sources = [
        Source(f"{i}.html", f"<main><ul>{items}</ul></main>".encode())
        for i, items in enumerate(pages)
    ]
    wrapper = compile_wrapper(
        sources, [load_domain("listing")], Options(fields="all")
    ).wrapper
    names = [name for name, _ in wrapper.fields]
    assert names == ["details_page", "title", "image", "body"]


MEMBER = (
    "<tr><td class='who'><a href='/user/{n}'>Member {n} of all</a>{rank}</td>"
    "<td>{n} posts</td></tr>"
)


def members(first: int, rank: str) -> Source:
    rows = (MEMBER.format(n=n, rank=rank) for n in range(first, first + 9))
    html = f"<main><h1>Members</h1><table>{''.join(rows)}</table></main>"
    return Source(f"{first}.html", html.encode())


def moved(one: TypedPage, to: str) -> TypedPage:
    """Change a typing as if titles had been found in elements of another tag."""

    def changed(
        page: Page, record: Record, found: Sequence[Attribute]
    ) -> list[Attribute]:
        [node, *_] = (n for n in page.elements(record.start) if page.tag[n] == to)
        text = page.string(node)
        return [
            replace(one, node=node, text=text) if one.type == "title" else one
            for one in found
        ]

    return with_attributes(one, changed)


@pytest.mark.parametrize("rank", ["<i>Owner</i>", ""])
def test_a_type_is_read_at_the_same_place_on_all_samples(rank: str) -> None:
    listing = load_domain("listing")
    sources = [members(10, "<i>Owner</i>"), members(30, rank)]
    compilation = compile_wrapper(sources, [listing], Options(fields="all"))
    first, second = map(TypedPage, compilation.pages, compilation.analysis.typings)
    mixed = (moved(first, "td"), moved(second, "a"))
    common = with_common_paths(mixed, listing.schema.types)
    titles = [
        [values["title"] for values in typed_values(t.typing).values()] for t in common
    ]
    assert titles == [[f"Member {n} of all" for n in range(i, i + 9)] for i in (10, 30)]
    assert with_common_paths(
        (moved(first, "td"), moved(second, "td")), listing.schema.types
    ) == (
        moved(first, "td"),
        moved(second, "td"),
    )


def test_a_place_that_one_sample_lacks_is_no_common_place() -> None:
    listing = load_domain("listing")
    compilation = compile_wrapper([members(10, ""), members(30, "")], [listing])
    first, second = map(TypedPage, compilation.pages, compilation.analysis.typings)
    linkless = parse(members(30, "").body.replace(b"<a ", b"<u ").replace(b"</a>", b""))
    mixed = moved(first, "a"), moved(TypedPage(linkless, second.typing), "td")
    nodes = [
        {one.type: t.page.tag[one.node] for one in t.typing.areas[0].attributes[0]}
        for t in with_common_paths(mixed, listing.schema.types)
    ]
    assert [one["title"] for one in nodes] == ["td", "td"]
