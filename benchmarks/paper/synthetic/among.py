"""Choose what stands among the records of a data area: adverts, sort bars, pagers."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from markupsafe import Markup

from synthetic.boxes import Surroundings
from synthetic.layouts import Fillers
from synthetic.markup import macros

HEADS = ("sort_bar", "count", "heading", "alert", "pager", "advert")
TAILS = ("pager", "alert", "advert", "count", "valuation")
BETWEEN, PRICED = ("advert", "valuation", "alert"), ("priced_advert",)
"""Macros of templates/among.html; a noisy site has the priced ones, too."""


def fillers(
    site: Surroundings, rng: Random, records: int, where: Collection[str], noisy: bool
) -> Fillers:
    """Return what stands among the records of one page, at the "head" and so on."""
    fixed = site.random("among")
    heads = fixed.sample(HEADS, fixed.choice((1, 1, 2)))
    tails = fixed.sample(TAILS, fixed.choice((1, 1, 2)))
    between = fixed.choice(BETWEEN + (PRICED if noisy else ()))
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
