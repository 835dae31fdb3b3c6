"""Test headings above groups of records, which are a column of the records below."""

from __future__ import annotations

import pytest
from column_pages import compiled, rows

PLANTS = {
    "Herbs": ("Lemon balm", "Sweet basil", "Garden thyme"),
    "Shrubs": ("Black elder", "Common hazel"),
    "Trees": ("Silver birch", "Field maple", "Rowan tree", "Wild cherry"),
}


def page(heading: str, item: str, group: str) -> str:
    """Return a page with the plants in groups of a heading and items."""
    numbered = iter(range(100))
    groups = (
        group.format(
            heading.format(name),
            "".join(item.format(next(numbered), plant) for plant in plants),
        )
        for name, plants in PLANTS.items()
    )
    return f"<main><h1>Plants of the nursery</h1>{''.join(groups)}</main>"


ITEM = "<a href='/plants/{0}'>{1}</a>"
ROW = f"<tr class='plant'><td>{ITEM}</td></tr>"
TABLE = "<div class='box'><table><tbody>{1}</tbody></table></div>"


@pytest.mark.parametrize(
    "html",
    [
        page(
            "<h3 class='part-header'>{}</h3>", ROW, f"<section>{{0}}{TABLE}</section>"
        ),
        "<main><ul>{}</ul></main>".format(
            page(
                "<li class='part'><h3><span>{}</span></h3></li>",
                f"<li class='plant'>{ITEM}</li>",
                "{0}{1}",
            )
        ),
    ],
    ids=["above a table in a box", "in an item of the list"],
)
def test_a_heading_is_a_column_of_the_records_below(html):
    expected = [(plant, group) for group, plants in PLANTS.items() for plant in plants]
    records = rows(compiled(html=html), html)
    assert [tuple(record.values())[1:] for record in records] == expected
    assert "heading" in records[0]


def test_a_class_with_a_usual_word_names_headings():
    html = page(
        "<h3 class='category-header'>{}</h3>", f"<p class='plant'>{ITEM}</p>", "{0}{1}"
    )
    assert "category_header" in rows(compiled(html=html), html)[0]
