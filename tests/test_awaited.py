"""Test lists that a saved page hides because its script didn't run."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from amber_wrap.cli.main import app
from amber_wrap.dom.decoding import parse_html
from amber_wrap.dom.parse import parse
from amber_wrap.engine.locators import record_starts_in_tree, record_starts_on_page
from amber_wrap.wrapper.ir import RecordLocator
from amber_wrap.wrapper.xpath_parser import parse_path

MENU = "<ul><li><a href=/a>Start</a><li><a href=/b>About us</a></ul>"
ROWS = "".join(
    f"<tr><td><a href=/case/{i}>Smith v. Jones no. {i}</a><td>{i} March 2024</tr>"
    for i in range(1, 21)
)
LOADING = "<p>Loading results...</p>"


def page_with(box: str, rows: str = ROWS) -> bytes:
    return f"<body>{MENU}{LOADING}{box}<table>{rows}</table></div></body>".encode()


@pytest.mark.parametrize(
    ("box", "shows"),
    [
        ('<div style="display:none">', True),
        ('<div class=x style="color: red; DISPLAY : none;">', True),
        ('<div hidden style="display:none">', False),
        ('<div aria-hidden=true style="display:none">', False),
        ("<div hidden>", False),
        ("<div class=d-none>", False),
        ("<div>", True),
    ],
)
def test_a_list_that_a_style_attribute_hides_counts_as_displayed(
    box: str, shows: bool
) -> None:
    page = parse(page_with(box))
    assert [page.is_within_hidden(row) for row in page.select("//tr")] == [
        not shows
    ] * 20
    assert ("Smith v. Jones no. 3" in page.string(0)) == shows


def test_hidden_rows_with_less_text_than_the_page_displays_stay_hidden() -> None:
    page = parse(page_with('<div style="display:none">', "<tr><td>{name}"))
    assert all(page.is_within_hidden(row) for row in page.select("//tr"))


def test_a_hidden_form_with_long_choices_stays_hidden() -> None:
    many = "<option>Economy and finance" * 50
    page = parse(
        f'{MENU}<form style="display:none"><select>{many}</select>Go</form>'.encode()
    )
    (form,) = page.select("//form")
    assert page.is_hidden(form)


def test_a_hidden_box_of_script_data_stays_hidden() -> None:
    data = '{"NAME": "address", "TYPE": "STRING", "ID": 211}' * 20
    page = parse(f'{MENU}<div style="display:none"><p>{data}</p></div>'.encode())
    (box,) = page.select("//div")
    assert page.is_hidden(box)


def test_a_body_hidden_by_a_style_attribute_counts_as_displayed() -> None:
    page = parse(f'<body style="display: none">{MENU}</body>'.encode())
    assert page.string(0) == "Start About us"


ANYWHERE = RecordLocator("tag", parse_path("/html"), parse_path(".//tr"))


@pytest.mark.parametrize(
    ("html", "count"),
    [
        (page_with('<div style="display:none">'), 20),
        (page_with('<div style="display:none">', "<tr><td>a<tr><td>b"), 2),
        # A template that a script copies is no record.
        (page_with('<div style="display:none">', "<tr><td>{name}"), 0),
        (page_with("<div>") + page_with('<div style="display:none">', "<tr><td>a"), 20),
    ],
)
def test_a_wrapper_finds_the_records_of_a_list_that_is_hidden_as_a_whole(
    html: bytes, count: int
) -> None:
    assert len(list(record_starts_in_tree(ANYWHERE, parse_html(html)))) == count
    assert len(record_starts_on_page(parse(html), ANYWHERE)) == count


def test_induce_finds_the_records_of_a_hidden_list(tmp_path: Path) -> None:
    sample, wrapper = tmp_path / "page.html", tmp_path / "cases.py"
    sample.write_bytes(page_with('<div style="display:none">'))
    result = CliRunner().invoke(app, ["induce", str(sample), "-o", str(wrapper)])
    assert result.exit_code == 0, result.output
    assert "20 records" in result.output


def test_check_accepts_a_list_that_is_hidden_beside_a_long_text(tmp_path: Path) -> None:
    sample, other = tmp_path / "page.html", tmp_path / "other.html"
    sample.write_bytes(page_with('<div style="display:none">'))
    long = f"<p>{'What this court has decided. ' * 30}</p>".encode()
    other.write_bytes(sample.read_bytes().replace(b"<p>", long + b"<p>"))
    wrapper = tmp_path / "cases.py"
    CliRunner().invoke(app, ["induce", str(sample), "-o", str(wrapper)])
    result = CliRunner().invoke(app, ["check", str(wrapper), str(other)])
    assert "20 records" in result.output
    assert "known as" not in result.output
