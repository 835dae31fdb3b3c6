"""The site that boxes stand on, and what stands among records: see templates/."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise
from random import Random

from markupsafe import Markup

from synthetic.chance import Style, stream
from synthetic.geography import Town, postcode, street
from synthetic.layouts import Fillers
from synthetic.markup import environment, macros
from synthetic.prose import pounds, sentence, teasers
from synthetic.vocabulary import styles, vocabulary

HOME, CAR = "real-estate", "used-cars"


class Site(Style):
    """The site whose pages the boxes stand on: its template, and what it tells of."""

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


def price_ranges(site: Site, prices: Sequence[int]) -> list[str]:
    """Return prices as a site's refinements show them."""
    if site.random("bands").random() < 0.5:
        return [f"Up to {pounds(one)}" for one in prices]
    return [f"{pounds(a)} - {pounds(b)}" for a, b in pairwise(prices)]


def fillers(site: Site, rng: Random, records: int, where: Collection[str]) -> Fillers:
    """Return what stands among the records of one page, at the "head" and so on."""
    fixed = site.random("among")
    words = vocabulary()["among"]
    heads = fixed.sample(words["heads"], fixed.choice((1, 1, 2)))
    tails = fixed.sample(words["tails"], fixed.choice((1, 1, 2)))
    between = fixed.choice(words["priced" if site.noisy else "between"])
    every = fixed.choice((2, 3, 4, 5, 8))
    ranks = range(every - 1, records - 1, every) if "between" in where else ()

    def made(name: str) -> Markup:
        return getattr(macros("among"), name)(site, rng)

    among = [(rank, made(between)) for rank in ranks]
    return Fillers(
        head=tuple(map(made, heads if "head" in where else ())),
        tail=tuple(map(made, tails if "tail" in where else ())),
        between=dict(among[:3]),
    )


environment().globals.update(
    BANDS=styles()["bands"],
    words=vocabulary(),
    **{
        function.__name__: function
        for function in (
            *(phone_number, postcode, pounds, price_ranges, sentence, slug, street),
            teasers,
        )
    },
)
