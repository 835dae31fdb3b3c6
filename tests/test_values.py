"""Test reading of typed values: case tables, round trips, hostile input."""

import datetime
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from amber_wrap.domain.schema import ValueKind
from amber_wrap.values import (
    currencies,
    dates,
    numbers_and_prices,
    texts,
    urls,
)

CASES = Path(__file__).parent / "cases" / "values"
READERS: dict[str, Callable[..., Any]] = {
    "money": numbers_and_prices.money,
    "count": numbers_and_prices.whole_number,
    "number": numbers_and_prices.number,
    "quantity": numbers_and_prices.quantity,
    "year": dates.year,
    "date": dates.date,
    "url": urls.url,
    "text": texts.text,
    "texts": lambda shown: tuple(texts.items(shown) or (None,)),
    "currency": currencies.currency,
}
NUMBERS: dict[str, tuple[Callable[[str], float], ...]] = {
    "money": (int, float),
    "count": (int,),
    "number": (int, float),
    "quantity": (int, float),
    "year": (int,),
}


def cases() -> list[Any]:
    return [
        pytest.param(path.stem, line, id=f"{path.stem}:{line.strip()}")
        for path in sorted(CASES.glob("*.txt"))
        for line in path.read_text("utf-8").splitlines()
        if line.strip() and not line.startswith("# ")
    ]


def fields_of(line: str) -> list[str]:
    escapes = {r"\n": "\n", r"\t": "\t", r"\xa0": "\xa0"}
    fields = [field.strip() for field in line.split("|")]
    for escape, blank in escapes.items():
        fields = [field.replace(escape, blank) for field in fields]
    return fields


def expected(field: str, kind: str) -> float | str | None:
    """Return a number if the kind gives numbers; 2 and 2.0 differ, as in JSON."""
    for number in NUMBERS.get(kind, ()):
        with suppress(ValueError):
            return number(field)
    return field or None


def test_every_kind_has_its_cases() -> None:
    kinds = {kind.value for kind in ValueKind}
    assert {path.stem for path in CASES.glob("*.txt")} == kinds == set(READERS)


@pytest.mark.parametrize(("kind", "line"), cases())
def test_texts_are_read_as_the_expected_values(kind: str, line: str) -> None:
    fields = fields_of(line)
    arguments, wanted = (
        (fields[:2], fields[2:]) if kind == "url" else (fields[:1], fields[1:])
    )
    result = READERS[kind](*arguments)
    values = result if isinstance(result, tuple) else (result,)
    # repr tells 2 from 2.0 and from "2".
    assert [repr(field) for field in values] == [
        repr(expected(field, kind)) for field in wanted
    ]


MONTHS = {
    "en": "January February March April May June July August September October "
    "November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober "
    "November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre "
    "novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre "
    "noviembre diciembre",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre "
    "novembre dicembre",
    "pt": "janeiro fevereiro março abril maio junho julho agosto setembro outubro "
    "novembro dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober "
    "november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober "
    "november december",
    "no": "januar februar mars april mai juni juli august september oktober november "
    "desember",
    "da": "januar februar marts april maj juni juli august september oktober november "
    "december",
    "pl": "stycznia lutego marca kwietnia maja czerwca lipca sierpnia września "
    "października listopada grudnia",
    "cs": "ledna února března dubna května června července srpna září října listopadu "
    "prosince",
    "fi": "tammikuuta helmikuuta maaliskuuta huhtikuuta toukokuuta kesäkuuta "
    "heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta",
    "ru": "января февраля марта апреля мая июня июля августа сентября октября ноября "
    "декабря",
    "el": "ΙΑΝΟΥΑΡΙΟΥ ΦΕΒΡΟΥΑΡΙΟΥ ΜΑΡΤΙΟΥ ΑΠΡΙΛΙΟΥ ΜΑΪΟΥ ΙΟΥΝΙΟΥ ΙΟΥΛΙΟΥ ΑΥΓΟΥΣΤΟΥ "
    "ΣΕΠΤΕΜΒΡΙΟΥ ΟΚΤΩΒΡΙΟΥ ΝΟΕΜΒΡΙΟΥ ΔΕΚΕΜΒΡΙΟΥ",
    "el, short": "Ιαν Φεβ Μάρ Απρ Μάι Ιούν Ιούλ Αύγ Σεπ Οκτ Νοέ Δεκ",
    "el, nominative": "Ιανουάριος Φεβρουάριος Μάρτιος Απρίλιος Μάιος Ιούνιος Ιούλιος "
    "Αύγουστος Σεπτέμβριος Οκτώβριος Νοέμβριος Δεκέμβριος",
    "id": "Januari Februari Maret April Mei Juni Juli Agustus September Oktober "
    "November Desember",
    "id, short": "Jan Feb Mar Apr Mei Jun Jul Agu Sep Okt Nov Des",
    "ms": "Januari Februari Mac April Mei Jun Julai Ogos September Oktober November "
    "Disember",
    "sr": "јануара фебруара марта априла маја јуна јула августа септембра октобра "
    "новембра децембра",
    "is": "janúar febrúar mars apríl maí júní júlí ágúst september október nóvember "
    "desember",
    "az": "yanvar fevral mart aprel may iyun iyul avqust sentyabr oktyabr noyabr "
    "dekabr",
    "he": "בינואר בפברואר במרץ באפריל במאי ביוני ביולי באוגוסט בספטמבר באוקטובר "
    "בנובמבר בדצמבר",
    "ar": "يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر",
}


@pytest.mark.parametrize("language", MONTHS)
def test_dates_are_read_with_the_month_names_of_each_language(language: str) -> None:
    names = MONTHS[language].split()
    wanted = [f"2021-{month:02}-09" for month in range(1, 13)]
    assert [dates.date(f"9 {name} 2021") for name in names] == wanted
    assert [dates.date(f"{name.upper()} 9, 2021") for name in names] == wanted


SHORT_DATES = {
    "days first": ("13/05/24 03/05/24 28/4/24", "2024-05-13 2024-05-03 2024-04-28"),
    "months first": ("5/13/24 05/03/24 12/1/19", "2024-05-13 2024-05-03 2019-12-01"),
    "of the last century": (
        "13/05/24 28/4/24 2/4/24 03/05/99",
        "2024-05-13 2024-04-28 2024-04-02 None",
    ),
    "with full stops": (
        "11.05.24 03.05.24 08.04.24",
        "2024-05-11 2024-05-03 2024-04-08",
    ),
    "beside long ones": ("13/05/2024 03/05/24", "2024-05-13 2024-05-03"),
    "all ambiguous": ("11/05/24 03/05/24 08/04/24", "None None None"),
    "perhaps years first": ("24/05/13 24/05/03 24/04/28", "None None None"),
    "years first with stops": ("24.05.13 24.05.03 23.12.28", "None None None"),
    "too few": ("13/05/24", "None"),
    "results of matches": ("20/0/10 19/1/11 18/2/11", "None None None"),
    "parts without days": ("05/20/24 06/45/24 07/14/24", "None None None"),
    "no days": ("45/05/24 46/05/24 47/05/24", "None None None"),
    "versions": ("13.5.24 3.5.24 28.4.24", "None None None"),
    "contradictory": ("13/05/24 05/14/24 15/05/24", "None None None"),
}


@pytest.mark.parametrize(("shown", "wanted"), SHORT_DATES.values(), ids=SHORT_DATES)
def test_a_column_decides_what_comes_first_before_a_year_of_two_digits(
    shown: str, wanted: str
) -> None:
    first = dates.day_or_month_first(shown.split())
    assert " ".join(str(dates.date(text, first)) for text in shown.split()) == wanted
    labelled = [f"Posted: {text}" for text in shown.split()]
    assert " ".join(str(dates.date(text, first)) for text in labelled) == wanted


@pytest.mark.parametrize("kind", READERS)
@given(shown=st.text() | st.text(alphabet="0123456789 .,'-–½/£€$krKmM²TZ:年万億"))
def test_no_text_raises_an_error(kind: str, shown: str) -> None:
    result = READERS[kind](shown)
    parts = result if isinstance(result, tuple) else (result,)
    assert all(part is None or isinstance(part, int | float | str) for part in parts)


@given(shown=st.text())
def test_normalising_a_text_twice_gives_the_same_text(shown: str) -> None:
    once = texts.text(shown)
    assert once is None or texts.text(once) == once


LOCALES = {
    "en": (",", "."),
    "de": (".", ","),
    "fr": (" ", ","),
    "ch": ("’", "."),
    "plain": ("", "."),
    "plain-comma": ("", ","),
}


def shown_in(locale: str, value: float, decimals: int) -> str:
    thousands, point = LOCALES[locale]
    return f"{value:,.{decimals}f}".translate({ord(","): thousands, ord("."): point})


@pytest.mark.parametrize("locale", LOCALES)
@given(cents=st.integers(0, 10**12))
def test_numbers_survive_formatting(locale: str, cents: int) -> None:
    value = cents / 100
    shown = shown_in(locale, value, 2)
    assert numbers_and_prices.number(shown) == value
    assert numbers_and_prices.money(f"from {shown} €") == (value, "EUR", None)
    assert numbers_and_prices.money(f"£{shown} pcm") == (value, "GBP", "month")
    assert numbers_and_prices.quantity(f"ca. {shown} m²") == (value, "m²")


@pytest.mark.parametrize("locale", LOCALES)
@given(value=st.integers(0, 10**12))
def test_integers_survive_formatting(locale: str, value: int) -> None:
    shown = shown_in(locale, value, 0)
    assert numbers_and_prices.whole_number(f"{shown} reviews") == value
    assert numbers_and_prices.money(f"€ {shown}") == (value, "EUR", None)
    assert numbers_and_prices.quantity(f"{shown} km") == (value, "km")


@given(low=st.integers(0, 999), more=st.integers(0, 999))
def test_a_range_is_no_number(low: int, more: int) -> None:
    shown = f"{low} – {low + more}"
    assert (
        numbers_and_prices.whole_number(shown)
        is numbers_and_prices.number(shown)
        is None
    )
    assert numbers_and_prices.money(f"€ {shown}") == (None, None, None)
    assert numbers_and_prices.quantity(f"{shown} m²") == (None, None)


@given(day=st.dates())
def test_dates_survive_formatting(day: datetime.date) -> None:
    iso = day.isoformat()
    year = f"{day.year:04}"
    assert dates.date(iso) == iso
    assert dates.date(f"{day.day}.{day.month}.{year}") == iso
    assert dates.date(f"{day.day} {day:%b} {year}") == iso
    assert dates.date(f"{day:%B} {day.day}, {year}") == iso
    # Either the other order is read, too, or no date is: never a wrong day.
    slashes = f"{day.day}/{day.month}/{year}"
    ambiguous = day.day <= 12 and day.day != day.month
    assert dates.date(slashes) == (None if ambiguous else iso)


ADDRESSES = st.lists(
    st.sampled_from(
        [*"/.?#:;@&=%[]\\ aB7\té", "http://", "https://", "//", "x.org", "..", "HTTP:"]
    ),
    max_size=9,
).map("".join)


@settings(max_examples=1000)
@given(ADDRESSES, st.sampled_from(["https://", "http://x.org", "ftp:", ""]), ADDRESSES)
def test_addresses_are_resolved_as_by_urllib(shown: str, start: str, rest: str) -> None:
    address, base = shown.strip(), start + rest
    try:
        resolved = urljoin(base, address)
    except ValueError:
        resolved = address
    is_left = not base or not address or address.startswith("#")
    assert urls.url(shown, base) == ((address or None) if is_left else resolved)


def test_numbers_are_read_only_up_to_the_longest_value() -> None:
    assert numbers_and_prices.money("x" * texts.LONGEST_VALUE + "£5") == (
        None,
        None,
        None,
    )
    assert numbers_and_prices.money("x" * (texts.LONGEST_VALUE - 2) + "£5") == (
        5,
        "GBP",
        None,
    )
    long = "word " * 1000
    assert texts.text(long) == long.strip()


HOSTILE = (
    *("1", "1 ", "1 234 ", "1,", "1.", "1-", "1 - ", "1'", "1 m", "½", "億1", "'19"),
    *("a", " ", "£", "£1 ", "kr ", "sq ", "mil", "/ ", "per ", "\0"),
    *("30 May ", "30/05/", "2019-"),
)


@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_text_is_read_quickly(unit: str) -> None:
    start = time.perf_counter()
    for read in READERS.values():
        read(unit * 10_000)
    assert time.perf_counter() - start < 0.5
