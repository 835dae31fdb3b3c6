"""Test kinds of columns: of texts without the words that they have in common."""

from __future__ import annotations

import re

import pytest

from amber_wrap.columns.value_kinds import column_form
from amber_wrap.domain.normal_form import NORMAL_FORMS

COLUMNS = {
    "thousands": ("count", "1 889|12|7", 1889),
    "a word behind, in its forms": ("count", "12 comments|1 comment|0 comments", 12),
    "a word that others show in the singular": ("count", "12 replies|3 replies", 12),
    "a label before": ("count", "Antworten: 2|Antworten: 13|Antworten: 0", 2),
    "points for thousands": ("count", "Hits: 8.340|Hits: 132|Hits: 5.780", 8340),
    "in parentheses": ("count", "Reviews (3)|Reviews (0)", 3),
    "by thousands": ("count", "1.2k|998|14k", 1200),
    "percent": ("number", "45.5 %|7 %|12 %", 45.5),
    "signed": ("number", "-3|+12|0", -3),
    "signed percent": ("number", "−0,5 %|+2,94 %|0,00 %", -0.5),
    "dashes as signs": ("number", "–4°|12°|0°", -4),
    "only plus signs": ("number", "+4.5%|+0.2%", 4.5),
    "changes of prices": ("text", "-£3.20|+£0.80|-£1.15", "-£3.20"),
    "ranges in percent": ("text", "3-5%|4-6%|2-9%", "3-5%"),
    "more than": ("count", "+100 reviews|+20 reviews", 100),
    "out of five": ("number", "4.5/5|3/5|5/5", 4.5),
    "in words": ("number", "4,5 von 5 Sternen|3,0 von 5 Sternen", 4.5),
    "with what is no number": ("count", "Stock: 5|Stock: 12|Stock: 7|Sold out", 5),
    "prices": ("money", "Was: £12.50|Was: £1,200|Was: £80", 12.5),
    "sizes": ("quantity", "Area: 82 m²|Area: 120.5 m²", 82),
    "days": ("date", "Due: 12 May 2024|Due: 3 June 2024", "2024-05-12"),
    "days with times": ("date", "Sunday, 12 May 2024, 11:00 AM|3 June 2024", None),
    "days before months, as one shows": (
        "date",
        "01/07/2023|16/04/2023|05/12/2023",
        None,
    ),
    "days or months": ("text", "01/07/2023|06/04/2023|05/12/2023", "01/07/2023"),
    "days with ranges of times": (
        "text",
        "12 May 2024, 10:30-12:00|3 June 2024, 9:00 – 10:30",
        "12 May 2024, 10:30-12:00",
    ),
    "times with an offset": (
        "date",
        "2024-06-10T10:30-05:00|2024-06-11T11:30-05:00",
        "2024-06-10T10:30-05:00",
    ),
    "a label": ("text", "Code: A12|Code: B7|Code: C9", "A12"),
    "words": ("text", "A fine day|Another one", "A fine day"),
    "names with numbers": ("text", "Room 12|Room 14|Room 3", "Room 12"),
    "names with abbreviations": ("text", "ext. 12|ext. 14|ext. 3", "ext. 12"),
    "stamps": ("date", "2024-05-12T15:00:00+02:00|2024-05-13", None),
    "codes": ("text", "007|012|100", "007"),
    "long codes": ("text", "4513886028564|707768103003", "4513886028564"),
    "months in digits": ("text", "2010.10|2007.07|2001.05", "2010.10"),
    "years, some with a month": ("text", "Issued: 2007.7|Issued: 1998", "2007.7"),
    "years": ("count", "2007|2010|1998", 2007),
    "another word after one": ("count", "2 people|1 person|3 people|5 people", 2),
    "sizes of files": ("text", "6.07 GiB|5.78 GiB|2.9 GiB", "6.07 GiB"),
    "parts of words": ("text", "v1.2|v1.10|v2.0", "v1.2"),
    "times": ("text", "11:00 PM|12:00 PM|9:00 PM", "11:00 PM"),
    "ages": ("text", "2 years ago|1 year ago|3 years ago", "2 years ago"),
    "minutes": ("text", "2 minutes|15 minutes|7 minutes", "2 minutes"),
    "seconds in Polish": ("text", "2 sekundy|15 sekund|7 sekund", "2 sekundy"),
    "ranges": ("text", "2-3|1-2|4-5", "2-3"),
    "two numbers": ("text", "$150 of $280|$20 of $800", "$150 of $280"),
    "addresses": ("text", "http://a.org/1|http://b.org/", "http://a.org/1"),
    "names of files": ("text", "/img/12.jpg|/img/7.jpg|/img/3.jpg", "/img/12.jpg"),
    "separators before": ("text", ", Ann Poe|, Ben Roe|Cat Sole", "Ann Poe"),
    "dashes around": (
        "text",
        "— published 1990 —|— published 2003 —",
        "published 1990",
    ),
    "a dash within": ("text", "Season - 1|Season - 2|Year - 3", "Season - 1"),
    "one number with another sign": ("text", "12+|12+|12+", "12+"),
    "many words behind": (
        "count",
        "3 people are looking at this|12 people are looking at this"
        "|9 people are looking at this",
        3,
    ),
    "headlines that begin with a number": (
        "text",
        "2 bed flat for sale in Leeds|3 bed flat for sale in York"
        "|2 bed flat for sale in Hull, Avenues|1 bed flat for sale in Ripon",
        "2 bed flat for sale in Leeds",
    ),
    "a label with a number": (
        "money",
        "Niedrigster Preis der letzten 30 Tage: 9,50 €"
        "|Niedrigster Preis der letzten 30 Tage: 12 €"
        "|Niedrigster Preis der letzten 30 Tage: 7,25 €",
        9.5,
    ),
    "some free": ("money", "£12|Free|From £13.50|£9|FREE|Price on request", 12),
    "some on request, in German": ("money", "12 €|auf Anfrage|ab 9 €|Kostenlos", 12),
    "some on request, in Japanese": ("money", "1,200円|要問合せ|980円", 1200),
    "some with a label": ("money", "Price: £12|Price: £15|Price: POA", None),
    "all free": ("text", "Free|POA|Free", "Free"),
    "some sold": ("text", "£12|Sold|£15|Sold", "£12"),
    "millions": ("text", "1.2 million|3 million|2 million", "1.2 million"),
    "below zero": ("number", "-3|-12|-7", -3),
}


@pytest.mark.parametrize(("kind", "texts", "value"), COLUMNS.values(), ids=COLUMNS)
def test_texts_of_a_column_give_the_expected_kind_and_value(
    kind: str, texts: str, value: object
) -> None:
    form = column_form(texts.split("|"))
    first, value_text = texts.split("|")[0], texts.split("|")[0]
    if form.pattern and (match := re.search(form.pattern, first)):
        value_text = match[match.lastindex or 0]
    assert form.kind == kind
    if value is not None:
        assert NORMAL_FORMS[form.kind](value_text, value_text, "")[0] == value


def test_a_text_without_the_common_words_gives_no_value() -> None:
    form = column_form(["Stock: 5", "Stock: 12", "Stock: 7", "Out until 10/01/2016"])
    assert re.search(form.pattern, "Out until 10/01/2016") is None


@pytest.mark.parametrize(
    ("texts", "kind", "value"),
    [
        ("E 11|k. A.|A 10|k. A.|E 13", "text", "E 11"),
        ("n.d.|3 km|n.d.|12 km", "quantity", "3 km"),
        ("Sitze: 4|Sitze: N/A|Sitze: 5|Sitze: 7", "count", "Sitze: 4"),
        ("sin datos|sin datos", "text", "sin datos"),
    ],
)
def test_a_text_for_a_missing_value_is_no_value(
    texts: str, kind: str, value: str
) -> None:
    form = column_form(texts.split("|"))
    found = [
        text for text in texts.split("|") if re.search(form.pattern or "3|sin", text)
    ]
    assert (form.kind, found[0]) == (kind, value)
    assert not any(text.endswith((" A.", "n.d.", "N/A")) for text in found)


def test_a_column_pattern_matches_the_singular_of_its_words() -> None:
    assert re.search(column_form(["12 replies", "3 replies"]).pattern, "1 reply")


def test_numbers_of_different_things_stay_texts() -> None:
    texts = ["7 likes", "12 likes", "8 likes", "3 replies"]
    assert column_form(texts).kind == "text"


CODE_NAMES = ["zip_code", "sku", "phone", "entity_number", "case_no", "artikelnummer"]


@pytest.mark.parametrize("name", CODE_NAMES)
def test_a_column_named_like_a_code_is_a_text(name: str) -> None:
    assert column_form(["12345", "90210", "4711"], [name]).kind == "text"


@pytest.mark.parametrize("name", ["number_of_rooms", "total_number", "number"])
def test_a_column_named_like_a_count_is_a_number(name: str) -> None:
    assert column_form(["12", "9", "47"], [name]).kind == "count"


@pytest.mark.parametrize("name", ["time", "card_time", "uhrzeit"])
def test_times_of_day_with_points_are_texts(name: str) -> None:
    assert column_form(["9.00", "18.45", "20.15"], [name]).kind == "text"


def test_numbers_with_points_that_are_no_times_of_day_are_numbers() -> None:
    assert column_form(["9.58", "9.72", "9.80"], ["time"]).kind == "number"
    assert column_form(["9.00", "18.45", "20.15"], ["height"]).kind == "number"
