"""What a case is, and the harmless listing that families spoil."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

SHOP = "https://shop.example/list?page=1"


@dataclass(frozen=True, slots=True)
class Case:
    """A page to learn from, and one to read.

    Without a `sample` the harmless listing is learned from and `page` is read; with
    one alone it is both.  `options` are more words for `induce`; `stored`, if given,
    takes the place of the wrapper's JSON.
    """

    sample: bytes = b""
    page: bytes = b""
    options: tuple[str, ...] = ()
    stored: Callable[[bytes], bytes] | None = None


Make = Callable[[Random], Case]
"""Draws one case of a kind."""
Family = Mapping[str, Make]
"""What makes the cases of a family, by the kind of case."""

NOUNS = ("Lamp", "Chair", "Desk", "Stool", "Shelf", "Vase", "Clock", "Bench", "Rug")
LOOKS = ("red", "oak", "small", "round", "folding", "steel", "old", "wide", "blue")


def listing(random: Random, count: int = 6, head: str = "", **parts: str) -> str:
    """A page of records that any version reads.

    `parts` are pieces of HTML by place: `before` and `after` the list, `first` and
    `last` in each record, where "%d" is its number.
    """
    records = "".join(record(random, number, **parts) for number in range(1, count + 1))
    return (
        f'<!DOCTYPE html><html lang="en"><head><title>Lamps</title>{head}</head><body>'
        f"<h1>Lamps and chairs</h1>{parts.get('before', '')}"
        f'<ul class="results">{records}</ul>{parts.get("after", "")}'
        '<a rel="next" href="?page=2">Next</a><p>About us</p></body></html>'
    )


def record(random: Random, number: int, **parts: str) -> str:
    """One record of the listing: a heading with a link, a price, a place, a picture."""
    name = f"{random.choice(LOOKS)} {random.choice(NOUNS)} {number}"
    price = f"£{random.randrange(10, 2000)}.{random.randrange(100):02}"
    first, last = (
        parts.get(place, "").replace("%d", str(number)) for place in ("first", "last")
    )
    return (
        f'<li class="item">{first}<h2><a href="/item/{number}">{name}</a></h2>'
        f'<img src="/i/{number}.jpg" alt=""><span class="price">{price}</span>'
        f'<p class="note">In the {random.choice(LOOKS)} room</p>{last}</li>'
    )


def learned(html: str, *options: str) -> Case:
    """The case of a page that is learned from, and read."""
    return Case(html.encode("utf-8", "surrogatepass"), options=options)


def read(page: bytes) -> Case:
    """The case of a page that a wrapper of the harmless listing reads."""
    return Case(page=page)
