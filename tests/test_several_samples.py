"""Several samples of one template: what is told of a page that no one was shown."""

from __future__ import annotations

from pathlib import Path

import pytest

from amber_wrap.domain.loader import load_domain
from amber_wrap.generalise.leave_one_out import LeftOut
from amber_wrap.pipeline import Compilation, compile_wrapper
from amber_wrap.report import summary
from amber_wrap.settings import Source

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


def test_pages_of_one_template_are_told_by_one_another() -> None:
    found = compiled({"a.html": page(), "b.html": page(size=7), "c.html": page(size=3)})
    assert found.left_out == tuple(LeftOut(f"{one}.html", 1.0, 1.0) for one in "abc")


def test_a_page_of_its_own_is_told_worse() -> None:
    odd = "<table>" + "".join(ROW.format(n=n) for n in range(1, 6)) + "</table>"
    found = compiled({"a.html": page(), "b.html": page(), "odd.html": odd})
    scores = {one.name: one.records for one in found.left_out}
    assert scores["a.html"] == scores["b.html"] == 1.0
    assert scores["odd.html"] < 1.0


def test_one_sample_is_not_told_by_itself() -> None:
    assert compiled({"a.html": page()}).left_out == ()


def test_the_summary_names_the_worst_page() -> None:
    found = compiled({"a.html": page(), "b.html": page(size=7)})
    lines = summary(found).splitlines()
    at = lines.index("leave one page out, F1 of the wrapper from the others:")
    assert lines[at + 1 : at + 3] == [
        "  records        1.000, worst 1.000 (a.html)",
        "  values         1.000, worst 1.000 (a.html)",
    ]
    assert "leave one page out" not in summary(compiled({"a.html": page()}))


@pytest.mark.parametrize("names", [("sample", "other-1"), ("other-2", "sample")])
def test_golden_pages(names: tuple[str, str]) -> None:
    files = [GOLDEN / f"{name}.html" for name in names]
    found = compile_wrapper(
        [Source(file.name, file.read_bytes()) for file in files],
        [load_domain("real-estate")],
    )
    assert [one.name for one in found.left_out] == [file.name for file in files]
    assert all(one.records > 0.9 for one in found.left_out)
