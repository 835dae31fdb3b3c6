"""Test links that fill cells of a table below a header."""

from __future__ import annotations

import pytest
from column_pages import compiled, rows

from amber_wrap.domain.loader import built_in_domains, load_domain
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Source

HEAD = "<tr><th>Board<th>Room<th>Agenda<th>Minutes<th>More</tr>"
ROW = (
    "<tr class='meeting'><td><a href='/boards/{0}'>{1}</a></td><td>Room {0}</td>"
    "<td>{2}</td><td>{3}</td><td><a href='#' onclick='play()'>Play</a></td></tr>"
)
BOARDS = ("Parks and trees", "Schools", "Harbour", "Finance", "Roads", "Libraries")
NONE = "<i>Not yet</i>"


def link(kind: str, number: int, has_link: bool) -> str:
    """Return the content of a cell: a link to a text, or a note that there is none."""
    target = f"/view?kind={kind}&amp;id={number}"
    return f"<a href='{target}'>{kind}</a>" if has_link else NONE


def test_the_target_of_a_link_is_a_column_below_the_header_of_its_cell():
    body = "".join(
        ROW.format(
            number,
            board,
            link("Agenda", number, number != 2),
            link("Minutes", number, number not in (0, 3)),
        )
        for number, board in enumerate(BOARDS)
    )
    html = f"<main><table>{HEAD}{body}</table></main>"
    records = rows(compiled(html=html), html)
    agendas = [record["agenda"] for record in records]
    assert agendas[:3] == ["/view?kind=Agenda&id=0", "/view?kind=Agenda&id=1", None]
    minutes = [record["minutes"] for record in records]
    assert minutes[:2] == [None, "/view?kind=Minutes&id=1"]
    assert list(records[0]) == ["details_page", "title", "room", "agenda", "minutes"]


@pytest.mark.parametrize("verb", ["Edit", "Delete this item", "Löschen", "Eliminar"])
def test_a_link_to_edit_or_delete_a_record_does_not_lead_to_its_page(verb: str):
    body = "".join(
        f"<tr><td>{board}</td><td>{number * 7}</td><td>{number + 3} May 2024</td>"
        f"<td><a href='/boards/{number}/change'>{verb}</a></td></tr>"
        for number, board in enumerate(BOARDS)
    )
    html = f"<table><tr><th>Board<th>Members<th>Founded<th></tr>{body}</table>"
    domains = [load_domain(name) for name in built_in_domains()]
    wrapper = compile_wrapper([Source("boards.html", html.encode())], domains).wrapper
    names = {name for name, _ in wrapper.fields}
    assert names >= {"board", "members"}
    assert "details_page" not in names


def test_the_target_of_a_button_to_another_website_is_a_column():
    items = "".join(
        f"<li><h3><a href='/plays/{i}'>Play number {i} of the season</a></h3>"
        f"<a class='btn' href='/plays/{i}#cast'>Cast</a>"
        + (f"<a class='btn' href='https://shop.org/{i}'>Tickets</a>" if i != 2 else "")
        + "</li>"
        for i in range(6)
    )
    html = f"<main><ul>{items}</ul></main>"
    records = rows(compiled(html=html), html)
    tickets = [record["tickets"] for record in records]
    assert tickets[:3] == ["https://shop.org/0", "https://shop.org/1", None]
    assert records[0].keys() == {"details_page", "title", "tickets"}


def test_a_link_with_the_number_of_its_page_leads_to_the_page_of_the_record():
    buyers = ("Town of Marlow", "Harbour Trust", "City Libraries", "Museum of Glass")
    item = (
        "<li><p><a href='/notices/view?no={0}'>No. {0}</a></p><p>£{1}00</p>"
        "<div><a href='/buyers/view?id={1}'>{2}</a></div></li>"
    )
    items = "".join(
        item.format(1348213005 + 71 * i, i + 1, buyer) for i, buyer in enumerate(buyers)
    )
    html = f"<main><ul>{items}</ul></main>"
    source = Source("notices.html", html.encode())
    wrapper = compile_wrapper([source], [load_domain("products")]).wrapper
    assert rows(wrapper, html)[0]["details_page"] == "/notices/view?no=1348213005"


def test_a_link_of_one_text_that_leads_nowhere_is_no_column():
    items = "".join(
        f"<li><h3><a href='/firms/{i}'>Firm number {i} of the town</a></h3>"
        + ("<a href='#'><span>Chronicle</span></a>" if i % 3 else "")
        + "</li>"
        for i in range(9)
    )
    html = f"<main><ul>{items}</ul></main>"
    assert rows(compiled(html=html), html)[1].keys() == {"details_page", "title"}
