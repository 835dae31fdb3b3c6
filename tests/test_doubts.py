"""Test the doubts reported after a run, with their reasons and options."""

from __future__ import annotations

import pytest

from amber_wrap.domain.loader import load_domain
from amber_wrap.generalise.user_decisions import UNDECIDED, ColumnDecision, Decisions
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.report.text_report import column_lines
from amber_wrap.settings import Options, Source

NAMES = "Ada Byron,Max Born,Emmy Noether,Kurt Otto,Lise Meitner,Rosa Parks".split(",")


def talk(at: int, more: str = "") -> str:
    speaker = NAMES[at]
    return (
        f'<li class="talk"><h3><a href="/talks/{at}">On the {speaker.lower()} way '
        f'of number {at}</a></h3><p class="speaker">{speaker}</p>'
        f"<p>{'Hall Aula Cellar Garden Tower Attic'.split()[at]}</p>"
        f"<button>Save</button><i>Free entry</i>{more}</li>"
    )


def page(more=lambda at: "", talks=range(6)) -> bytes:
    items = "".join(talk(at, more(at)) for at in talks)
    return f"<body><h1>Talks</h1><ul>{items}</ul></body>".encode()


def compiled(*bodies: bytes, decisions: Decisions = UNDECIDED):
    sources = [Source(f"{at}.html", body) for at, body in enumerate(bodies, 1)]
    options = Options(fields="all", decisions=decisions)
    return compile_wrapper(sources, [load_domain("listing")], options)


def messages(code: str, *bodies: bytes, **more) -> list[str]:
    findings = compiled(*bodies, **more).diagnostics
    return [finding.message for finding in findings if finding.code == code]


def level(at: int) -> str:
    return f'<b class="level">{"easy hard odd".split()[at % 3]}</b>' if at % 2 else ""


def test_a_column_without_a_name_is_reported_with_how_to_name_it():
    assert messages("no-name", page()) == [
        (
            "text_1 ('Hall') has no name on the page: use --rename text_1=NAME "
            "or --drop text_1"
        )
    ]


@pytest.mark.parametrize(
    "decisions",
    [
        Decisions((ColumnDecision("hall", "text_1"),)),
        Decisions(dropped=frozenset({"text_1"})),
    ],
    ids=["renamed", "dropped"],
)
def test_a_renamed_or_dropped_column_is_not_reported(decisions):
    assert messages("no-name", page(), decisions=decisions) == []


def test_a_field_of_some_records_is_reported_with_a_record_without_it():
    (message,) = messages("in-some-records", page(level))
    assert message == (
        "only in some records: level 3 of 6 (not in no. 1, 'On the ada "
        "byron way of num…'): if one of the other records shows a value, "
        "give it with --example level=TEXT"
    )


@pytest.mark.parametrize("required", [True, False])
def test_a_field_given_as_required_or_optional_is_not_reported(required):
    decisions = Decisions((ColumnDecision("level", "level", required=required),))
    assert messages("in-some-records", page(level), decisions=decisions) == []


def test_fields_that_all_records_have_are_not_reported():
    assert messages("in-some-records", page(lambda at: "")) == []


def test_a_difference_of_two_samples_is_reported():
    first, second = page(level), page(talks=(5, 4, 3, 2))
    (message,) = messages("samples-differ", first, second)
    assert message == "level is in 3 of 6 records of 1.html, and in none of 2.html"


def test_a_column_that_only_a_second_sample_adds_is_reported():
    def sold(word: str):
        return lambda at: f'<b class="state">{word}</b>'

    first, second = page(sold("open")), page(sold("closed"), talks=(5, 4, 3, 2))
    (message,) = messages("samples-differ", first, second)
    assert message == "1.html alone would give no state"


def test_explain_gives_the_reasons_for_columns_and_omitted_texts():
    lines = [" ".join(line.split()) for line in column_lines(compiled(page(level)))]
    assert lines == [
        "",
        "columns, with the reasons for their names:",
        "details_page 6/6 /talks/0 a type of listing: headline-link 6",
        "title 6/6 On the ada byron way of num… a type of listing: headline 6",
        "speaker 6/6 Ada Byron its class",
        "text_1 6/6 Hall the page has no name for it",
        "level 3/6 hard its class",
        "",
        "texts of records that are in no column:",
        "On the ada byron way of num… 6/6: another column has the same values",
        "Save 6/6: it is a button",
        "Free entry 6/6: all records have the same text",
    ]


def test_a_record_without_a_value_is_called_by_its_title_not_by_a_longer_text():
    body = page(
        lambda at: (
            f"<p class='note'>Bring a pen of colour {at}, paper and a folding chair</p>"
            + f"<p class='room'>Room {at}</p>" * (at % 2)
        )
    )
    (message,) = messages("in-some-records", body)
    assert "(not in no. 1, 'On the ada byron way of num…')" in message
