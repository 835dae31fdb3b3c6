"""Texts that make careless expressions go back and forth for ever."""

from __future__ import annotations

import html
from random import Random

from hostile.case import Case, Family, Make, learned, listing, read

UNITS = (
    *"1 1, 1. 1,1 1.1 12:00 1/1/ 1-1- £ £1 £1. £1, $ € kr GBP USD ft m² sq bed".split(),
    *"1bed 3bedrooms Jan January May 1st 2nd 2024 20 19 AM GU1 1AA SW1A x@ @x".split(),
    *"www. http:// //a a. a- a_ aA Aa A1 1A ( ) (( (1 [ ] - – , ; : / | + * '".split(),
    *'" ’ 0 00 from per month pcm p/w to and of the St. St Street, Road Ave'.split(),
    *"é Ü ß 日 年 月".split(),
    *(" ", "\u00a0", "\u2009", "\u202f", "\u200b", "\t", "\n", "0" * 20, "a" * 20),
)
"""What patterns of types are made of."""
SHOWN = {
    "text": "<p>{} %d</p>",
    "heading": "<h3><a href=/%d>{}</a></h3>",
    "price": '<span class="price">{}</span>',
    "class": '<b class="{}">%d</b>',
    "link": '<a href="{}">%d</a>',
    "label": "<dl><dt>{}<dd>%d</dl>",
    "title": '<b title="{}">%d</b>',
    "date": '<time datetime="{}">{}</time>',
}
"""Where they stand in a record; a place "{}" is for the text."""


def _bomb(shown: str) -> Make:
    def make(random: Random) -> Case:
        text = bomb(random, random.choice([300, 3000, 8000]))
        return _either(random, listing(random, 5, last=shown.replace("{}", text)))

    return make


def around(random: Random) -> Case:
    """The same in a paragraph before the list, or in the head."""
    text = bomb(random, random.choice([3000, 20000]))
    place = random.choice(["before", "after", "head"])
    return _either(random, listing(random, **{place: f"<p>{text}</p>"}))


def bomb(random: Random, length: int) -> str:
    """One to four units, over and over; something else at the end."""
    units = random.choices(UNITS, k=random.randrange(1, 5))
    if random.random() < 0.3:
        units = random.choices(UNITS, k=length // 2)
    text = random.choice(["", " "]).join(units)
    repeated = text * (length // max(1, len(text))) + random.choice("!xé1 ")
    return html.escape(repeated[:length])


def _either(random: Random, page: str) -> Case:
    return learned(page) if random.random() < 0.6 else read(page.encode())


KINDS: Family = {
    **{name: _bomb(shown) for name, shown in SHOWN.items()},
    "around": around,
}
