"""What stands around the records: places and amounts that are nobody's attributes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from synthetic.chance import stream
from synthetic.geography import Region, Town, postcode, street
from synthetic.naming import Naming
from synthetic.prose import pounds, teasers
from synthetic.tree import Content, Element, h
from synthetic.vocabulary import vocabulary

HOME, CAR = "real-estate", "used-cars"
BANDS: Mapping[str, Sequence[int]] = {
    HOME: tuple(range(50_000, 300_000, 25_000))
    + tuple(range(300_000, 1_000_001, 100_000)),
    CAR: (
        *range(500, 4000, 500),
        *range(4000, 10_000, 1000),
        *range(10_000, 32_001, 2000),
    ),
}
LISTS = tuple(
    one.split() for one in "ul li|ul li|div span|div p|ol li|div div".split("|")
)
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
        """The choices of a box: the same on all pages of the site."""
        return stream(self.key, "box", box)

    def towns(self, rng: Random, least: int, most: int) -> list[Town]:
        """Different towns in some order."""
        count = min(rng.randint(least, most), len(self.region.towns))
        return rng.sample(self.region.towns, count)

    def localities(self, rng: Random, least: int, most: int) -> list[str]:
        """Different places, hamlets among them."""
        count = rng.randint(least, most)
        return list(dict.fromkeys(self.region.locality(rng) for _ in range(count)))

    def box(self, title: str, *content: Content) -> Element:
        """A titled box."""
        tag = self.random("box").choice(("h3", "h4", "h2", "strong"))
        return h(
            "div", h(tag, title) if title else None, *content, **self.names.of("box")
        )

    def items(self, box: str, contents: Iterable[Content]) -> Element:
        """A list in the markup that the template has for this box."""
        outer, inner = self.random(box).choice(LISTS)
        return h(
            outer,
            [[h(inner, one, **self.names.of("entry")), " "] for one in contents],
            **self.names.of("list"),
        )


def _slug(text: str) -> str:
    return "/" + text.lower().replace(" ", "-").replace("'", "")


def _links(texts: Iterable[str]) -> list[Element]:
    return [h("a", text, href=_slug(text)) for text in texts]


# Places


def towns(site: Surroundings, rng: Random) -> Element:
    """Links to searches by town."""
    rng = site.random("towns")
    form = rng.choice(vocabulary()[site.domain]["links"])
    counted = rng.random() < 0.3
    found = sorted(town.name for town in site.towns(rng, 8, 26))
    links = _links(form.format(name) for name in found)
    shown = [
        [link, f" ({7 * rank % 83 + 1})" if counted else ""]
        for rank, link in enumerate(links)
    ]
    return site.box("Browse by area", site.items("towns", shown))


def nearby(site: Surroundings, rng: Random) -> Element:
    """What lies around, with distances."""
    found = site.localities(rng, 5, 14)
    miles = [f" ({rank * 0.7 + 0.4:.1f} miles)" for rank in range(len(found))]
    rows = [[link, far] for link, far in zip(_links(found), miles, strict=True)]
    return site.box("Nearby areas", site.items("nearby", rows))


def offices(site: Surroundings, rng: Random) -> Element:
    """The branches with their addresses."""
    rng = site.random("offices")
    rows: list[Content] = []
    for town in site.towns(rng, 2, 7):
        where = f"{rng.randint(1, 120)} {street(rng)}"
        phone = f"0{rng.randint(1200, 1999)} {rng.randint(200000, 899999)}"
        lines = [where, h("br"), f"{town.name}, {town.county} {postcode(rng, town)}"]
        rows.append(
            [h("strong", f"{town.name} branch"), h("br"), lines, h("br"), phone]
        )
    return site.box("Our branches", site.items("offices", rows))


def counties(site: Surroundings, rng: Random) -> Element:
    """Links by county."""
    found = sorted({town.county for town in site.region.towns})
    return site.box("Counties", site.items("counties", _links(found)))


def quotes(site: Surroundings, rng: Random) -> Element:
    """What customers say."""
    people = vocabulary()["people"]["names"]
    rows = [
        [
            h("blockquote", text),
            h("cite", f"{rng.choice(people)}, {site.region.locality(rng)}"),
        ]
        for text in teasers(rng, site.region, site.domain, "quotes", 2, 4)
    ]
    return site.box("What our customers say", rows)


def posts(site: Surroundings, rng: Random) -> Element:
    """Teasers of a blog."""
    rows = [
        [
            h("a", text, href=f"/blog{_slug(text)}"),
            h("span", f" {rng.randint(1, 28)} March 2016"),
        ]
        for text in teasers(rng, site.region, site.domain, "posts", 2, 5)
    ]
    return site.box("Latest news", site.items("posts", rows))


def about(site: Surroundings, rng: Random) -> Element:
    """A paragraph on the firm and where it works."""
    texts = teasers(site.random("about"), site.region, site.domain, "about", 1, 2)
    return site.box(f"About {site.agent}", [h("p", text) for text in texts])


def searches(site: Surroundings, rng: Random) -> Element:
    """Recent searches, without amounts."""
    form = "Used cars in {}" if site.domain == CAR else "{} in {}"
    found = [
        form.format(
            *((place,) if site.domain == CAR else (rng.choice(KINDS).title(), place))
        )
        for place in site.localities(rng, 3, 8)
    ]
    return site.box("Your recent searches", site.items("searches", _links(found)))


def schools(site: Surroundings, rng: Random) -> Element:
    """Stations and schools, or where cars are delivered to."""
    found = site.localities(rng, 4, 9)
    if site.domain == CAR:
        return site.box(
            "Delivery", h("p", "We deliver to " + ", ".join(found) + " and beyond.")
        )
    ends = (
        " Station",
        " Primary School",
        " C of E School",
        " Park & Ride",
        " High School",
    )
    return site.box(
        "In the area", site.items("schools", [one + rng.choice(ends) for one in found])
    )


# Amounts


def bands(site: Surroundings, rng: Random) -> Element:
    """Refinements by price."""
    prices = BANDS[site.domain][1:]
    picked = sorted(rng.sample(prices, min(len(prices), rng.randint(4, 8))))
    if site.random("bands").random() < 0.5:
        texts = [f"Up to {pounds(one)}" for one in picked]
    else:
        texts = [f"{pounds(a)} - {pounds(b)}" for a, b in pairwise(picked)]
    rows = [[link, f" ({3 * rank + 2})"] for rank, link in enumerate(_links(texts))]
    return site.box("Price range", site.items("bands", rows))


def popular(site: Surroundings, rng: Random) -> Element:
    """Popular searches that name amounts."""
    forms = vocabulary()[site.domain]["searches"]
    texts = []
    for place in site.localities(rng, 4, 9):
        low, top = sorted(rng.sample(BANDS[site.domain], 2))
        texts.append(
            rng.choice(forms).format(
                n=rng.randint(1, 4),
                kind=rng.choice(KINDS),
                low=pounds(low),
                top=pounds(top),
                place=place,
            )
        )
    return site.box("Popular searches", site.items("popular", _links(texts)))


def averages(site: Surroundings, rng: Random) -> Element:
    """A table of average prices: as regular as records, and none."""
    low = 120_000 if site.domain == HOME else 4_000
    rows = [
        h(
            "tr",
            h("td", h("a", town.name, href=f"/prices{_slug(town.name)}")),
            h("td", pounds(low + rng.randrange(low) // 5 * 5)),
        )
        for town in site.towns(rng, 4, 10)
    ]
    head = h("tr", h("th", "Area"), h("th", "Average price"))
    return site.box("Average prices", h("table", head, rows))


def loans(site: Surroundings, rng: Random) -> Element:
    """What borrowing costs: amounts in rows."""
    rows = [
        h(
            "tr",
            h("td", pounds(amount)),
            h("td", f"{pounds(round(amount * 0.0053))} per month"),
        )
        for amount in BANDS[site.domain][2 : rng.randint(6, 10)]
    ]
    text = "Representative example: borrow £5,000 over 48 months, total £6,210."
    return site.box("Finance calculator", h("p", text), h("table", rows))


def promotions(site: Surroundings, rng: Random) -> Element:
    """An offer that names amounts."""
    rows = [
        f"Fixed fee from {pounds(rng.choice((395, 495, 695, 995)))} + VAT",
        f"Win {pounds(rng.choice((100, 250, 500)))} of vouchers",
        f"Refer a friend and earn {pounds(rng.choice((50, 100, 200)))}",
    ]
    return site.box("", [h("p", one) for one in rng.sample(rows, rng.randint(1, 3))])


def priced_posts(site: Surroundings, rng: Random) -> Element:
    """Teasers that name amounts."""
    texts = teasers(rng, site.region, site.domain, "priced_posts", 1, 3)
    return site.box("In the news", site.items("priced", _links(texts)))


PLACE_BOXES: Mapping[str, tuple[Callable[[Surroundings, Random], Element], float]] = {
    "towns": (towns, 0.7),
    "nearby": (nearby, 0.55),
    "offices": (offices, 0.7),
    "counties": (counties, 0.25),
    "quotes": (quotes, 0.35),
    "posts": (posts, 0.4),
    "about": (about, 0.6),
    "searches": (searches, 0.3),
    "schools": (schools, 0.25),
}
"""The boxes that name places, and how many sites have them."""
PRICE_BOXES: Mapping[str, tuple[Callable[[Surroundings, Random], Element], float]] = {
    "bands": (bands, 0.4),
    "popular": (popular, 0.35),
    "averages": (averages, 0.25),
    "loans": (loans, 0.2),
    "promotions": (promotions, 0.4),
    "priced posts": (priced_posts, 0.35),
}
"""The boxes that name amounts, for the sites that have such noise."""
