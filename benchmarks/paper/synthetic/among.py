"""What stands among the records of a data area: adverts, sort bars, pagers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from random import Random

from synthetic.boxes import Surroundings
from synthetic.layouts import Fillers
from synthetic.prose import pounds, sentence
from synthetic.tree import Content, Element, h


def sort_bar(site: Surroundings, rng: Random) -> Element:
    """How to sort, and how many a page."""
    orders = ("Highest price", "Lowest price", "Newest", "Most popular")
    options = [h("option", one, selected=rank == 0) for rank, one in enumerate(orders)]
    return h(
        "div", "Sort by: ", h("select", options, name="sort"), **site.names.of("sort")
    )


def count(site: Surroundings, rng: Random) -> Element:
    """How many were found, and where."""
    place = site.region.towns[0].name
    what = "cars" if site.domain == "used-cars" else "properties"
    return h("p", f"{rng.randint(11, 240)} {what} found within 5 miles of {place}")


def heading(site: Surroundings, rng: Random) -> Element:
    """A heading that names a place."""
    what = "Used cars" if site.domain == "used-cars" else "Property"
    text = f"{what} in {site.region.towns[0].name} and {site.region.towns[1].name}"
    return h("h2", text, **site.names.of("heading-noise"))


def pager(site: Surroundings, rng: Random) -> Element:
    """Links to the other pages."""
    links = [
        [h("a", str(one), href=f"?page={one}"), " "]
        for one in range(1, rng.randint(3, 9))
    ]
    return h(
        "div",
        "Page 1 of 8 ",
        links,
        h("a", "Next »", href="?page=2"),
        **site.names.of("pager"),
    )


def alert(site: Surroundings, rng: Random) -> Element:
    """An invitation to register."""
    place = site.region.locality(rng)
    link = h("a", "Register now", href="/register")
    return h(
        "div",
        h("strong", f"Get alerts for {place}"),
        h("p", "Be the first to know. ", link),
    )


def advert(site: Surroundings, rng: Random) -> Element:
    """An advert of something else."""
    image = h("img", src="/ads/728x90.gif", alt="Advertisement")
    return h(
        "div",
        h("a", image, href="http://ads.example/click?id=17"),
        **site.names.of("advert"),
    )


def valuation(site: Surroundings, rng: Random) -> Element:
    """An advert of the firm's own, built like a record."""
    link = h("a", "Book a free valuation", href="/valuation")
    where = f"Thinking of selling in {site.region.locality(rng)}?"
    return h("div", h("h3", link), h("p", where), **site.names.of("advert"))


def priced_advert(site: Surroundings, rng: Random) -> Element:
    """An advert that names an amount."""
    link = h("a", "Find out more", href="/offers")
    amount = pounds(rng.choice((99, 199, 250, 499, 1000)))
    text = f"Save {amount} this month. " + sentence(
        rng, site.region, site.domain, "about"
    )
    return h("div", h("h3", f"Insurance from {amount}"), h("p", text, " ", link))


Make = Callable[[Surroundings, Random], Element]
HEADS: tuple[Make, ...] = (sort_bar, count, heading, alert, pager, advert)
TAILS: tuple[Make, ...] = (pager, alert, advert, count, valuation)
BETWEEN: tuple[Make, ...] = (advert, valuation, alert)
PRICED: tuple[Make, ...] = (priced_advert,)


def fillers(
    site: Surroundings,
    rng: Random,
    records: int,
    where: Collection[str],
    noisy: bool,
) -> Fillers:
    """What stands among the records of one page, at the "head" and so on."""
    fixed = site.random("among")
    heads = fixed.sample(HEADS, fixed.choice((1, 1, 2)))
    tails = fixed.sample(TAILS, fixed.choice((1, 1, 2)))
    between = fixed.choice(BETWEEN + (PRICED if noisy else ()))
    every = fixed.choice((2, 3, 4, 5, 8))
    among: list[tuple[int, Content]] = []
    if "between" in where:
        among = [
            (rank, between(site, rng)) for rank in range(every - 1, records - 1, every)
        ][:3]
    return Fillers(
        head=tuple(make(site, rng) for make in heads) if "head" in where else (),
        tail=tuple(make(site, rng) for make in tails) if "tail" in where else (),
        between=tuple(among),
    )
