"""Test columns of values that separators divide, as in "Berlin | Full time"."""

from __future__ import annotations

import pytest
from column_pages import compiled, read_list, rows

CITIES = ("Oxford", "Berlin", "Bath", "Bonn", "York", "Oxford")
KINDS = ("Lecture", "Reading", "Quiz", "Lecture", "Reading", "Lecture")
NUMBERS = (12, 70, 31, 114, 52, 86)


def lines(separator, texts):
    """Return the items of a list whose texts have values between separators."""
    joined = (separator.join(filter(None, parts)) for parts in texts)
    return [f"<p class='line'>{text}</p>" for text in joined]


@pytest.mark.parametrize("separator", [" | ", " · ", " • "])
def test_each_part_of_a_text_is_a_column(separator):
    texts = zip(CITIES, KINDS, (f"{it} seats" for it in NUMBERS), strict=True)
    record = read_list(lines(separator, texts))[1]
    assert [record["line"], record["line_2"]] == ["Berlin", "Reading"]
    assert record["seats"] == "70 seats"
    assert not any(separator in str(value) for value in record.values())


def test_tags_between_separators_are_one_text():
    texts = [
        [KINDS[i], KINDS[(i + 1 + i % 2) % 6], CITIES[i]][:: 1 if i % 2 else -1]
        for i in range(6)
    ]
    records = read_list(lines(" · ", texts))
    assert records[1]["line"] == " · ".join(texts[1])


def test_a_text_of_which_one_part_varies_is_one_text():
    texts = [("Story", "Conversation", city) for city in CITIES]
    records = read_list(lines(" | ", texts))
    assert records[1]["line"] == "Story | Conversation | Berlin"


def test_sentences_are_one_text():
    texts = [
        f"A {kind.lower()} about the wide and windy streets of the old town of {city}"
        f" | The {kind.lower()} is given by somebody who knows {city} rather well"
        for kind, city in zip(KINDS, CITIES, strict=True)
    ]
    records = read_list([f"<p class='line'>{text}</p>" for text in texts])
    assert texts[1] in records[1].values()


def test_parts_that_some_texts_lack_are_found_by_their_form():
    texts = [
        (
            f"{it} seats",
            it > 50 and f"{it // 10} steps",
            CITIES[i],
            i != 2 and "Hall B12",
        )
        for i, it in enumerate(NUMBERS)
    ]
    records = read_list(lines(" | ", texts))
    found = [
        [record[name] for name in ("seats", "steps", "line", "hall")]
        for record in records[:3]
    ]
    assert found == [
        ["12 seats", None, "Oxford", "Hall B12"],
        ["70 seats", "7 steps", "Berlin", "Hall B12"],
        ["31 seats", None, "Bath", None],
    ]


def test_a_missing_part_without_form_is_recognised_by_the_words_of_the_others():
    texts = [
        (f"{it} seats", i != 5 and KINDS[i], CITIES[i]) for i, it in enumerate(NUMBERS)
    ]
    records = read_list(lines(" | ", texts))
    assert [records[i]["line"] for i in (0, 5)] == ["Oxford", "Oxford"]
    assert [records[i]["line_2"] for i in (0, 5)] == ["Lecture", None]


def test_a_text_stays_whole_if_it_is_unknown_which_part_is_missing():
    texts = [
        (KINDS[i] if i % 3 else "", f"Hall of {city}", f"{city[:3]} Inn")
        for i, city in enumerate(("Rome", "Oslo", "Riga", "Kyiv", "Bern", "Lviv"))
    ]
    records = read_list(lines(" | ", texts))
    assert records[1]["line"] == " | ".join(texts[1])


def test_values_of_other_pages_are_read_by_the_same_expressions():
    texts = [*zip(CITIES, KINDS, (f"{it} seats" for it in NUMBERS), strict=True)]
    page = "<main><ul>{}</ul></main>"

    def html(items):
        links = "<li><h3><a href='/{0}'>Talk {1}</a></h3>{2}</li>"
        listed = (links.format(i, "ABCDEF"[i], it) for i, it in enumerate(items))
        return page.format("".join(listed))

    wrapper = compiled(html=html(lines(" | ", texts)))
    other = lines(" | ", [("Lviv", "Play", "9 seats"), ("Kyiv", "Opera")])
    records = rows(wrapper, html(other))
    names = ("line", "line_2", "seats")
    assert [[it[name] for name in names] for it in records] == [
        ["Lviv", "Play", "9 seats"],
        ["Kyiv", "Opera", None],
    ]


def test_a_date_with_its_time_is_read_from_its_part():
    texts = [
        (f"{i + 2} May 2026, {i + 12}:30", city, f"{it} seats")
        for i, (city, it) in enumerate(zip(CITIES, NUMBERS, strict=True))
    ]
    assert read_list(lines(" | ", texts))[1]["date"] == "3 May 2026, 13:30"


def test_a_date_and_its_time_are_one_value():
    texts = [(f"{i + 2} May 2026", f"{i + 12}:30") for i in range(6)]
    assert "3 May 2026 | 13:30" in read_list(lines(" | ", texts))[1].values()


def test_words_beside_a_price_are_values():
    texts = zip(CITIES, KINDS, (f"£{it}" for it in NUMBERS), strict=True)
    record = read_list(lines(" | ", texts))[1]
    assert {"Berlin", "Reading"} <= set(record.values())
