"""Draw a site with a template of its own, and make its pages with their true records.

A page has a frame (header, search form, side bars, footer), boxes in the frame, and one
or several lists of results.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from random import Random

from markupsafe import Markup

from synthetic.cars import draw_cars
from synthetic.geography import Region, Town, postcode, region, street
from synthetic.homes import LET, SALE, draw_homes
from synthetic.markup import (
    TrueRecord,
    draw_hand,
    environment,
    macros,
    parsed,
    truth,
    write_page,
)
from synthetic.offer import Offer
from synthetic.random_choices import (
    BRONZE,
    GOLDEN,
    SILVER,
    Style,
    drawn,
    quantile,
    spread,
    stream,
    styles,
    vocabulary,
    weighted,
)
from synthetic.record_templates import (
    Fillers,
    area,
    draw_card,
    draw_layout,
    draw_naming,
)
from synthetic.texts import pounds, sentence, teasers

HOME, CAR = "real-estate", "used-cars"
"""The names of the two domains (kinds of records)."""


class Site(Style):
    """The template of a site, its offers, and the towns that it names."""

    def random(self, box: str) -> Random:
        """Return a random number generator for a box beside the results.

        It gives the same numbers on all pages of the site.
        """
        return stream(self.key, "box", box)

    def towns(self, rng: Random, least: int, most: int) -> list[Town]:
        """Return different towns near the site, in random order.

        There are at least `least` and at most `most` of them.
        """
        count = min(rng.randint(least, most), len(self.region.towns))
        return rng.sample(self.region.towns, count)

    def localities(self, rng: Random, least: int, most: int) -> list[str]:
        """Return names of different towns and hamlets near the site.

        A random number of names from `least` to `most` is drawn. Repeated names are
        dropped.
        """
        count = rng.randint(least, most)
        return list(dict.fromkeys(self.region.locality(rng) for _ in range(count)))


def slug(text: str) -> str:
    """Return the URL path of a page about a text, such as "/for-sale" for "For
    sale"."""
    return "/" + text.lower().replace(" ", "-").replace("'", "")


def phone_number(rng: Random) -> str:
    """Draw a telephone number."""
    return f"0{rng.randint(1200, 1999)} {rng.randint(200000, 899999)}"


def price_ranges(site: Site, prices: Sequence[int]) -> list[str]:
    """Return labels of price ranges, such as "Up to £500", for the links that narrow a
    search."""
    if site.random("bands").random() < 0.5:
        return [f"Up to {pounds(amount)}" for amount in prices]
    return [f"{pounds(low)} - {pounds(high)}" for low, high in pairwise(prices)]


def fillers(site: Site, rng: Random, records: int, places: Collection[str]) -> Fillers:
    """Return the content of a list that belongs to no record, such as adverts.

    `records` is the number of records. `places` says where there is such content: at
    the "head", at the "tail", or "between" records.
    """
    site_choices = site.random("among")
    words = vocabulary()["among"]
    heads = site_choices.sample(words["heads"], site_choices.choice((1, 1, 2)))
    tails = site_choices.sample(words["tails"], site_choices.choice((1, 1, 2)))
    between = site_choices.choice(words["priced" if site.noisy else "between"])
    interval = site_choices.choice((2, 3, 4, 5, 8))
    ranks = range(interval - 1, records - 1, interval) if "between" in places else ()

    def filler(name: str) -> Markup:
        return getattr(macros("among"), name)(site, rng)

    between_records = [(rank, filler(between)) for rank in ranks]
    return Fillers(
        head=tuple(map(filler, heads if "head" in places else ())),
        tail=tuple(map(filler, tails if "tail" in places else ())),
        between=dict(between_records[:3]),
    )


environment().globals.update(
    BANDS=styles()["bands"],
    words=vocabulary(),
    **{
        function.__name__: function
        for function in (
            phone_number,
            postcode,
            pounds,
            price_ranges,
            sentence,
            slug,
            street,
            teasers,
        )
    },
)


SLOTS = ("top", "side", "below", "foot")
"""The names of the positions at which a page has boxes."""


class Frame(Style):
    """The template of the page around the results.

    `boxes` has the names of the boxes at each position of the page. `side` says where
    the side bar is: "left", "right" or nowhere.
    """

    def random(self, part: str) -> Random:
        """Return a random number generator for a part of the page, such as the header.

        It gives the same numbers on all pages of the site.
        """
        return stream(self.key, part)

    @property
    def language(self) -> str | None:
        """The language that pages declare, or None if they declare none."""
        return self.random("language").choice(("en", "en-GB", "en-gb", None))


def draw_frame(key: str, domain: str, noisy: bool) -> Frame:
    """Draw the template of a page around its results.

    Only a noisy site has boxes with amounts of money.
    """
    rng = stream(key, "frame")
    side = weighted(rng, {"left": 36, "right": 30, "": 34})
    slots: dict[str, list[str]] = {slot: [] for slot in SLOTS}
    place_boxes = styles()["place-boxes"]
    boxes = {**place_boxes, **(styles()["price-boxes"] if noisy else {})}
    for name, share in boxes.items():
        if rng.random() < share:
            slot = weighted(rng, {"top": 5, "side": 40, "below": 25, "foot": 30})
            slot = "foot" if name == "offices" and rng.random() < 0.7 else slot
            slots["below" if slot == "side" and not side else slot].append(name)
    if not any(name in place_boxes for names in slots.values() for name in names):
        slots["foot"].append("towns")
    return Frame(
        key=key,
        side=side,
        boxes=tuple((slot, tuple(names)) for slot, names in slots.items()),
        **drawn(rng, "frame"),
        form_prices=noisy and rng.random() < styles()["form-prices"][domain],
        **drawn(rng, "frame-details"),
    )


def page(site: Site, rng: Random, title: str, results: Markup) -> Markup:
    """Return a whole page, with the markup `results` in the middle."""
    frame, hand = site.frame, site.hand
    box_macros, frame_macros = macros("boxes"), macros("frame")
    boxes = {
        slot: [getattr(box_macros, name)(site, rng) for name in names]
        for slot, names in frame.boxes
    }
    form = frame_macros.form(frame, site)
    if form and not frame.side and not boxes["top"]:
        boxes["top"].append(form)
    elif form:
        boxes["side" if frame.side else "top"].insert(0, form)
    declares_encoding = hand.declares or hand.encoding == "utf-8"
    encoding = "utf-8" if hand.encoding == "utf-8" else "iso-8859-1"
    number = rng.randint(1, 9)
    declared_encoding = encoding if declares_encoding else ""
    return frame_macros.page(
        frame, site, title, results, boxes, number, declared_encoding
    )


NOISY = 0.7
"""The share of sites that show amounts of money other than the price of a record."""


@dataclass(frozen=True, slots=True)
class MadePage:
    """A generated page.

    It has the bytes, the true records of each list, and the types that aren't scored.
    """

    body: bytes
    areas: Mapping[str, list[TrueRecord]]
    unscored: tuple[str, ...]


def draw_site(domain: str, seed: int, rank: int) -> Site:
    """Return a random site, the one with the number `rank`.

    The same seed and number give the same site. In the result, `second` is the template
    of featured records. `among` and `between` say where a list has content that belongs
    to no record.
    """
    key = f"{seed}/{domain}/{rank}"
    rng = stream(key, "site")
    home_region = region(seed, key)
    agent = _agent_name(rng, domain, home_region)
    slug = "".join(c if c.isalnum() else "-" for c in agent.lower()).strip("-")
    slug = "-".join(filter(None, slug.split("-")))
    noisy = spread(rank, GOLDEN, seed, domain, "noisy") < NOISY
    draw_trade = draw_cars if domain == CAR else draw_homes
    trade = draw_trade(key, home_region, f"{slug}.co.uk", noisy)
    domain_words, sizes = vocabulary()[domain], styles()["records"]
    framed_share = spread(rank, BRONZE, seed, domain, "framed")
    size = spread(rank, SILVER, seed, domain, "size")
    names = draw_naming(key, domain_words["blocks"])
    second_names = draw_naming(f"{key}/second", domain_words["blocks"])
    second_names = replace(second_names, style=names.style)
    second_template = (
        draw_card(f"{key}/second", second_names, domain),
        draw_layout(f"{key}/second"),
    )
    return Site(
        key=key,
        name=f"{rank:03}-{slug}",
        domain=domain,
        trade=trade,
        region=home_region,
        names=names,
        agent=agent,
        frame=draw_frame(key, domain, noisy),
        hand=draw_hand(stream(key, "hand")),
        card=draw_card(key, names, domain),
        layout=draw_layout(key),
        second=second_template,
        **drawn(rng, "site"),
        among=quantile(framed_share, styles()["framed"]).split(),
        size=quantile(size ** sizes["larger"][domain], dict(sizes["weights"])),
        noisy=noisy,
    )


def make_page(site: Site, number: int) -> MadePage:
    """Make one page of a site. Pages are numbered from 1."""
    rng = stream(site.key, "page", number)
    count = site.size
    if number > 1 and rng.random() < 0.15:
        count = rng.randint(2, max(2, site.size))
    results = _results(site, rng, count)
    markup = page(site, rng, _page_title(site), results)
    root = parsed(markup)
    body = write_page(root, site.frame.doctype, site.hand)
    return MadePage(body, truth(root), site.trade.unscored)


def _results(site: Site, rng: Random, count: int) -> Markup:
    """Return the lists of records of a page, with headings if there are several
    lists.
    """
    trade = site.trade
    places = (*site.among, *["between"] * site.between)
    area_fillers = fillers(site, rng, count, places)
    if site.areas == "two markets" and site.domain == HOME and count > 3:
        sale_count = round(count * rng.uniform(0.4, 0.7))
        markets = {SALE: sale_count, LET: count - sale_count}
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
    main_area = _area(site, "results", trade.offers(rng, count), area_fillers)
    if site.areas in ("featured", "similar"):
        card, layout = site.second
        featured_offers = trade.offers(rng, rng.choice((2, 3, 3, 4, 4, 5)))
        title = "Featured" if site.areas == "featured" else "You may also like"
        featured_area = area(layout, card, site.areas, featured_offers, Fillers())
        box_format = Markup("<div{}><h3>{}</h3>{}</div>")
        featured_box = box_format.format(site.names.of("box"), title, featured_area)
        is_first = site.areas == "featured"
        return featured_box + main_area if is_first else main_area + featured_box
    return main_area


def _area(
    site: Site, name: str, offers: Sequence[Offer], area_fillers: Fillers
) -> Markup:
    """Return a list of records as markup, by the site's template."""
    return area(site.layout, site.card, name, offers, area_fillers)


def _page_title(site: Site) -> str:
    """Return the title of a page, such as "Used cars in Oxford" for a dealer."""
    place = site.region.towns[0].name
    if site.domain == CAR:
        return f"Used cars in {place}"
    market = "to rent" if site.trade.market == LET else "for sale"
    return f"Property {market} in {place}"


def _agent_name(rng: Random, domain: str, home_region: Region) -> str:
    """Draw the name of an estate agent or dealer."""
    words = vocabulary()["agents"]
    first, second = rng.sample(words["names"], 2)
    form = rng.choice(words["cars" if domain == CAR else "forms"])
    return form.format(a=first, b=second, town=home_region.towns[0].name)
