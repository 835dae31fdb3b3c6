"""A site: a template of its own, and pages of it with their truth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from markupsafe import Markup

from synthetic.boxes import CAR, HOME, Site, fillers
from synthetic.cards import draw_card
from synthetic.cars import draw_cars
from synthetic.chance import (
    BRONZE,
    GOLDEN,
    SILVER,
    drawn,
    quantile,
    spread,
    stream,
)
from synthetic.frame import draw_frame, page
from synthetic.geography import Region, region
from synthetic.homes import LET, SALE, draw_homes
from synthetic.layouts import Fillers, area, draw_layout
from synthetic.markup import TrueRecord, parsed, truth
from synthetic.naming import draw_naming
from synthetic.offer import Offer
from synthetic.vocabulary import styles, vocabulary
from synthetic.writer import draw_hand, write_page

NOISY = 0.7
"""The share of sites with amounts that are no price of a record."""


@dataclass(frozen=True, slots=True)
class MadePage:
    """A page: its bytes and the records of its data areas."""

    body: bytes
    areas: Mapping[str, list[TrueRecord]]
    unscored: tuple[str, ...]


def draw_site(domain: str, seed: int, rank: int) -> Site:
    """Draw the site of a rank, which doesn't depend on the other sites.

    `second` is the template of featured records, `among` and `between` say where in its
    data area there is noise.
    """
    key = f"{seed}/{domain}/{rank}"
    rng = stream(key, "site")
    around = region(seed, key)
    agent = _agent(rng, domain, around)
    slug = "".join(c if c.isalnum() else "-" for c in agent.lower()).strip("-")
    slug = "-".join(filter(None, slug.split("-")))
    noisy = spread(rank, GOLDEN, seed, domain, "noisy") < NOISY
    draw = draw_cars if domain == CAR else draw_homes
    trade = draw(key, around, f"{slug}.co.uk", noisy)
    words, sizes = vocabulary()[domain], styles()["records"]
    framed = spread(rank, BRONZE, seed, domain, "framed")
    size = spread(rank, SILVER, seed, domain, "size")
    names = draw_naming(key, words["blocks"])
    other = draw_naming(f"{key}/second", words["blocks"])
    other = replace(other, style=names.style)
    second = draw_card(f"{key}/second", other, domain), draw_layout(f"{key}/second")
    return Site(
        key=key,
        name=f"{rank:03}-{slug}",
        domain=domain,
        trade=trade,
        region=around,
        names=names,
        agent=agent,
        frame=draw_frame(key, domain, noisy),
        hand=draw_hand(stream(key, "hand")),
        card=draw_card(key, names, domain),
        layout=draw_layout(key),
        second=second,
        **drawn(rng, "site"),
        among=quantile(framed, styles()["framed"]).split(),
        size=quantile(size ** sizes["larger"][domain], dict(sizes["weights"])),
        noisy=noisy,
    )


def make_page(site: Site, number: int) -> MadePage:
    """Make the page of a number, from 1."""
    rng = stream(site.key, "page", number)
    count = site.size
    if number > 1 and rng.random() < 0.15:
        count = rng.randint(2, max(2, site.size))
    results = _results(site, rng, count)
    made = page(site, rng, _title(site), results)
    root = parsed(made)
    body = write_page(root, site.frame.doctype, site.hand)
    return MadePage(body, truth(root), site.trade.unscored)


def _results(site: Site, rng: Random, count: int) -> Markup:
    """Return the data areas of a page, with headings where there are several."""
    trade = site.trade
    where = (*site.among, *["between"] * site.between)
    among = fillers(site, rng, count, where)
    if site.areas == "two markets" and site.domain == HOME and count > 3:
        first = round(count * rng.uniform(0.4, 0.7))
        markets = {SALE: first, LET: count - first}
        titles = {SALE: "For sale", LET: "To let"}
        heading = Markup("<h2{}>{}</h2>{}")
        return Markup("").join(
            heading.format(
                site.names.of("heading-noise"),
                titles[market],
                _area(site, market, trade.offers(rng, number, market), Fillers()),
            )
            for market, number in markets.items()
        )
    found = _area(site, "results", trade.offers(rng, count), among)
    if site.areas in ("featured", "similar"):
        card, layout = site.second
        extra = trade.offers(rng, rng.choice((2, 3, 3, 4, 4, 5)))
        title = "Featured" if site.areas == "featured" else "You may also like"
        inside = area(layout, card, site.areas, extra, Fillers())
        box = Markup("<div{}><h3>{}</h3>{}</div>")
        second = box.format(site.names.of("box"), title, inside)
        return second + found if site.areas == "featured" else found + second
    return found


def _area(site: Site, name: str, offers: Sequence[Offer], among: Fillers) -> Markup:
    return area(site.layout, site.card, name, offers, among)


def _title(site: Site) -> str:
    place = site.region.towns[0].name
    if site.domain == CAR:
        return f"Used cars in {place}"
    return (
        f"Property {'to rent' if site.trade.market == LET else 'for sale'} in {place}"
    )


def _agent(rng: Random, domain: str, around: Region) -> str:
    words = vocabulary()["agents"]
    first, second = rng.sample(words["names"], 2)
    form = rng.choice(words["cars" if domain == CAR else "forms"])
    return form.format(a=first, b=second, town=around.towns[0].name)
