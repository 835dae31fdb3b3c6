"""The site that boxes around the records stand on; they are in templates/boxes.html."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from synthetic.chance import stream
from synthetic.geography import Region, Town, postcode, street
from synthetic.markup import environment
from synthetic.naming import Naming
from synthetic.prose import pounds, sentence, teasers
from synthetic.vocabulary import vocabulary

HOME, CAR = "real-estate", "used-cars"
BANDS: Mapping[str, Sequence[int]] = {
    HOME: (*range(50_000, 300_000, 25_000), *range(300_000, 1_000_001, 100_000)),
    CAR: (
        *(*range(500, 4000, 500), *range(4000, 10_000, 1000)),
        *range(10_000, 32_001, 2000),
    ),
}
"""The amounts that prices are searched by."""
LISTS = ("ul li", "ul li", "div span", "div p", "ol li", "div div")
KINDS = ("houses", "flats", "bungalows", "cottages")


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The site whose pages the boxes stand on."""

    key: str
    domain: str
    region: Region
    names: Naming
    agent: str

    def random(self, box: str) -> Random:
        """Return the choices of a box: the same on all pages of the site."""
        return stream(self.key, "box", box)

    def towns(self, rng: Random, least: int, most: int) -> list[Town]:
        """Return different towns in some order."""
        count = min(rng.randint(least, most), len(self.region.towns))
        return rng.sample(self.region.towns, count)

    def localities(self, rng: Random, least: int, most: int) -> list[str]:
        """Return different places, hamlets among them."""
        count = rng.randint(least, most)
        return list(dict.fromkeys(self.region.locality(rng) for _ in range(count)))


def slug(text: str) -> str:
    """Return the address of a page about something."""
    return "/" + text.lower().replace(" ", "-").replace("'", "")


def phone_number(rng: Random) -> str:
    """Return a telephone number."""
    return f"0{rng.randint(1200, 1999)} {rng.randint(200000, 899999)}"


def price_ranges(site: Surroundings, prices: Sequence[int]) -> list[str]:
    """Return prices as a site's refinements show them."""
    if site.random("bands").random() < 0.5:
        return [f"Up to {pounds(one)}" for one in prices]
    return [f"{pounds(a)} - {pounds(b)}" for a, b in pairwise(prices)]


environment().globals.update(
    BANDS=BANDS,
    KINDS=KINDS,
    LISTS=[one.split() for one in LISTS],
    words=vocabulary(),
    **{
        function.__name__: function
        for function in (
            *(phone_number, postcode, pounds, price_ranges, sentence, slug, street),
            teasers,
        )
    },
)
