"""Test texts that no element holds alone, such as lines of an element."""

from __future__ import annotations

from column_pages import read_list

LINES = (
    ("Corn Exchange", "12 High Street", "Oxford", "9 May 2026", "19:30"),
    ("The Lamb", "4 Mill Lane", "Abingdon", "11 May 2026", "20:00"),
    ("Town Hall", "88 Banbury Road", "Witney", "12 June 2026", "19:00"),
    ("Wesley Chapel", "1 St Giles", "Thame", "1 July 2026", "18:15"),
    ("Old Barn", "23 Castle Street", "Didcot", "3 July 2026", "20:30"),
)


def test_each_line_of_an_element_is_a_column() -> None:
    item = "<div class='address'>{}<br>\n{}<br/>{}</div>"
    records = read_list([item.format(*lines) for lines in LINES])
    assert [records[1][name] for name in ("address", "address_2", "address_3")] == [
        "The Lamb",
        "4 Mill Lane",
        "Abingdon",
    ]


def test_lines_of_an_element_for_addresses_are_called_so() -> None:
    records = read_list([f"<address>{it[1]}<br>{it[2]}</address>" for it in LINES])
    assert [records[1]["address"], records[1]["address_2"]] == list(LINES[1][1:3])


def test_the_element_with_the_author_of_an_article_is_no_address() -> None:
    item = "<address><a href='/authors/{0}'>{0} Smith</a></address>"
    records = read_list([item.format(name) for name in "Ann Ben Cai Dov Eve".split()])
    assert records[0]["authors"] == "Ann Smith"


def test_lines_beside_a_link_in_a_line_of_its_own_are_columns() -> None:
    item = "<p class='where'><a href='/halls/{0}'>{0}</a><br>{1}<br>{2}</p>"
    records = read_list([item.format(*lines) for lines in LINES])
    assert {"The Lamb", "4 Mill Lane", "Abingdon"} <= set(records[1].values())
    assert "The Lamb 4 Mill Lane Abingdon" not in records[1].values()


def test_lines_of_a_text_whose_number_varies_are_one_text() -> None:
    texts = [
        "<br>".join(LINES[j][1] for j in range(1 + i % 3)) for i, _ in enumerate(LINES)
    ]
    records = read_list([f"<p class='summary'>{text}</p>" for text in texts])
    assert [record["summary"] for record in records] == [
        text.replace("<br>", " ") for text in texts
    ]


def test_a_date_and_its_time_in_two_lines_are_one_value() -> None:
    records = read_list([f"<p>{day}<br>{time}</p>" for *_, day, time in LINES])
    assert records[0]["date"] == "9 May 2026 19:30"


def test_a_number_and_its_noun_in_two_lines_are_one_column() -> None:
    items = [f"<p>{7 * i}<br>comments</p>" for i in range(1, 7)]
    assert read_list(items)[0]["comments"] == "7 comments"


def test_a_text_above_a_block_of_a_known_type_is_a_column() -> None:
    item = "<div class='host'>{}<p class='location'>{}</p></div><p>£{}9 pcm</p>"
    items = [item.format(name, town, i) for i, (name, _, town, *_) in enumerate(LINES)]
    record = read_list(items, domain="real-estate")[1]
    assert (record["host"], record["location"]) == ("The Lamb", "Abingdon")
