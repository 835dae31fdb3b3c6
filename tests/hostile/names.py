"""Names that clash: with Python, with the generated file, with each other."""

from __future__ import annotations

import keyword
from random import Random

from hostile.case import Case, Family, learned, listing

NAMES = (
    *keyword.kwlist,
    *keyword.softkwlist,
    *"price price_currency price_period price_currency_2 link link_2 size".split(),
    *"size_unit date text own number count row get extract record tree xpath".split(),
    *"find check main regex url page CURRENCIES RECORDS EXPECTED Record self".split(),
    *"__class__ __init__ __proto__ constructor toString print json re sys Any".split(),
    *"_area _page items keys values update title name description id from".split(),
    *"priceCurrency price-currency PriceCurrency old_price prix цена 価格 ü ﬁ".split(),
    *("a b", "1st", "", "-", "a" * 300, "x_2", "X", "ℌ", "²", "a.b", "a:b", "{x}"),
)
"""What a page may call something."""


def classes(random: Random) -> Case:
    """Values in elements that are called so."""
    shown = "".join(
        f'<span class="{name}">{_value(random)}</span>' for name in _some(random)
    )
    return learned(listing(random, last=shown))


def properties(random: Random) -> Case:
    """Microdata, beside a price or not."""
    shown = "".join(
        random.choice(
            (
                f'<span itemprop="{name}">{_value(random)}</span>',
                f'<meta itemprop="{name}" content="{_value(random)}">',
                f'<i itemprop="{name}" content="{_value(random)}">{_value(random)}</i>',
            )
        )
        for name in _some(random)
    )
    return learned(listing(random, last=f"<div itemscope>{shown}</div>"))


def labels(random: Random) -> Case:
    """Labels in definition lists and before colons."""
    shown = "".join(
        random.choice(
            (
                f"<dl><dt>{name}<dd>{_value(random)}</dl>",
                f"<p><b>{name}:</b> {_value(random)}</p>",
                f"<p>{name}: {_value(random)}</p>",
            )
        )
        for name in _some(random)
    )
    return learned(listing(random, last=shown))


def headers(random: Random) -> Case:
    """A table whose header cells are called so."""
    names = _some(random)
    head = "".join(f"<th>{name}</th>" for name in names)
    rows = "".join(
        f"<tr><td><a href=/{row}>Lamp {row}</a></td>"
        + "".join(f"<td>{_value(random).replace('%d', str(row))}</td>" for _ in names)
        + "</tr>"
        for row in range(1, 8)
    )
    return learned(f"<html><table><tr><th>Name</th>{head}</tr>{rows}</table></html>")


def islands(random: Random) -> Case:
    """JSON-LD whose keys are called so."""
    pairs = ", ".join(f'"{name}": "Lamp %d"' for name in _some(random))
    shown = (
        f'<script type="application/ld+json">{{"@type": "Product", {pairs}}}</script>'
    )
    return learned(listing(random, last=shown))


def examples(random: Random) -> Case:
    """A value of the page is given, by that name."""
    name, other = random.choices(NAMES, k=2)
    page = listing(random, last="<b class=q>%d things</b>")
    words = [
        ["--example", f"{name}=1 things"],
        ["--example", f"{name}=1 things", "--example", f"{other}=2 things"],
        ["--rename", f"price={name}"],
        ["--rename", f"q={name}", "--rename", f"price={other}"],
        ["--drop", name or "x"],
        ["--kind", f"price={other}"],
        ["--fields", f"{name},price"],
    ]
    return learned(page, *random.choice(words))


def _some(random: Random) -> list[str]:
    """A few of the names, some of them twice."""
    few = random.choices(NAMES, k=random.randrange(1, 6))
    return [*few, few[0].upper() if random.random() < 0.3 else few[0]]


def _value(random: Random) -> str:
    """A value that differs from record to record, or doesn't."""
    return random.choice(
        ("GBP", "£", "£%d.50", "%d", "%d m²", "Oak %d", "%d May 2024", "yes", "/a/%d")
    )


KINDS: Family = {
    "classes": classes,
    "properties": properties,
    "labels": labels,
    "headers": headers,
    "islands": islands,
    "examples": examples,
}
