"""Much of one thing: depth, records, columns, attributes, classes, characters."""

from __future__ import annotations

from random import Random

from hostile.case import Case, Family, learned, listing, read

MOST = 20_000
"""Characters of what is repeated."""


def nested(random: Random) -> Case:
    """Elements in each other, around the list, within records or beside them."""
    tag = random.choice("div span b table a ul li x blockquote".split())
    depth = random.choice([10, 100, 240, 300, 1000, 3000])
    down, up = f"<{tag}>" * depth, f"</{tag}>" * depth
    if random.random() < 0.4:
        return _either(random, listing(random, before=down, after=up))
    if random.random() < 0.5:
        return _either(random, listing(random, 5, last=f"{down[:6000]}%d"))
    return _either(random, f"<html><body>{down}")


def chained(random: Random) -> Case:
    """Two or three tags that open again and again; no records anywhere."""
    tags = random.choices(
        ["div", "p", "ul", "li", "span", "table", "tr", "td", "a"], k=3
    )
    return _either(random, "".join(f"<{one}>" for one in tags) * 600)


def many_records(random: Random) -> Case:
    """Hundreds of records."""
    return _either(random, listing(random, random.choice([50, 200, 400])))


def many_cells(random: Random) -> Case:
    """A table with many columns."""
    width = random.choice([30, 80, 150])
    row = "".join(f"<td>Oak {at}</td>" for at in range(width))
    return _either(random, f"<table>{f'<tr>{row}</tr>' * 8}</table>")


def many_fields(random: Random) -> Case:
    """Records with many labelled values."""
    count = random.choice([20, 60, 120])
    shown = "".join(f"<p><b>Field {at}:</b> %d-{at}</p>" for at in range(count))
    return _either(random, listing(random, 5, last=shown))


def many_classes(random: Random) -> Case:
    """Elements with many classes, or many attributes."""
    many = range(random.choice([50, 500, 2000]))
    classes = " ".join(f"c{at}" for at in many)
    given = " ".join(f"data-{at}=x" for at in many)
    shown = random.choice([f'<b class="{classes}">%d</b>', f"<b {given}>%d</b>"])
    return _either(random, listing(random, 5, last=shown))


def long_texts(random: Random) -> Case:
    """A text, a class or a link of many characters."""
    text = random.choice(["a", "a ", "lamp ", "1", "é", "£1 "]) * (MOST // 2)
    shown = random.choice(["<p>{}</p>", "<p class='{}'>%d", "<a href='/%d/{}'>%d</a>"])
    return _either(random, listing(random, 5, last=shown.replace("{}", text[:MOST])))


def one_paragraph(random: Random) -> Case:
    """One text outside of records, of the same value again and again."""
    value = random.choice(
        ["1 ft ", "£1 ", "3 bedrooms ", "1 May 2024 ", "GU1 1AA ", "x"]
    )
    text = value * (MOST // len(value))
    return _either(random, listing(random, before=f"<p>{text}</p>"))


def many_children(random: Random) -> Case:
    """One element with thousands of children."""
    child = random.choice(["<br>", "<i></i>", "<a href=/x>x</a> ", "<p>x", "<li>£1"])
    return _either(random, listing(random, before=f"<div>{child * 2000}</div>"))


def many_siblings(random: Random) -> Case:
    """Lists of all sorts, many of them."""
    one = "".join(f"<li><a href=/{at}>{at} £{at}</a>" for at in range(5))
    return _either(random, f"<div><ul>{one}</ul></div>" * random.choice([10, 50, 100]))


def _either(random: Random, page: str) -> Case:
    """Learned from, or read by a wrapper of the harmless listing."""
    return learned(page) if random.random() < 0.6 else read(page.encode())


KINDS: Family = {
    "nested": nested,
    "chained": chained,
    "many records": many_records,
    "many cells": many_cells,
    "many fields": many_fields,
    "many classes": many_classes,
    "long texts": long_texts,
    "one paragraph": one_paragraph,
    "many children": many_children,
    "many siblings": many_siblings,
}
