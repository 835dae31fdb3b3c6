"""The page around the results: head, header, search form, side bars, footer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from synthetic.boxes import BANDS, CAR, HOME, PLACE_BOXES, PRICE_BOXES, Surroundings
from synthetic.chance import stream, weighted
from synthetic.prose import pounds
from synthetic.tree import Child, Comment, Content, Element, h
from synthetic.vocabulary import vocabulary
from synthetic.writer import Hand

DOCTYPES = {
    "<!DOCTYPE html>": 72,
    "<!doctype html>": 8,
    '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" '
    '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">': 15,
    "": 5,
}
BOXES = {**PLACE_BOXES, **PRICE_BOXES}
FORM_PRICES = {HOME: 0.65, CAR: 0.45}
"""The share of noisy sites whose search form offers prices to choose from."""
SLOTS = ("top", "side", "below", "foot")


@dataclass(frozen=True, slots=True)
class Frame:
    """The template of the pages of a site; `boxes` names those in each slot."""

    key: str
    doctype: str
    side: str
    """Where the side bar is: "left", "right" or ""."""
    tables: bool
    """Whether the columns are cells of a table."""
    depth: int
    boxes: tuple[tuple[str, tuple[str, ...]], ...]
    form_prices: bool
    form_towns: bool
    breadcrumbs: bool
    semantic: bool
    commented: bool


def draw_frame(key: str, domain: str, noisy: bool) -> Frame:
    """The template of one site; only a `noisy` one has boxes that name amounts."""
    rng = stream(key, "frame")
    side = weighted(rng, {"left": 36, "right": 30, "": 34})
    slots: dict[str, list[str]] = {slot: [] for slot in SLOTS}
    boxes = BOXES if noisy else PLACE_BOXES
    for name, (_, share) in boxes.items():
        if rng.random() < share:
            slot = weighted(rng, {"top": 5, "side": 40, "below": 25, "foot": 30})
            slot = "foot" if name == "offices" and rng.random() < 0.7 else slot
            slots["below" if slot == "side" and not side else slot].append(name)
    if not any(name in PLACE_BOXES for names in slots.values() for name in names):
        slots["foot"].append("towns")
    return Frame(
        key=key,
        doctype=weighted(rng, DOCTYPES),
        side=side,
        tables=rng.random() < 0.08,
        depth=weighted(rng, {0: 12, 1: 25, 2: 28, 3: 20, 5: 15}),
        boxes=tuple((slot, tuple(names)) for slot, names in slots.items()),
        form_prices=noisy and rng.random() < FORM_PRICES[domain],
        form_towns=rng.random() < 0.3,
        breadcrumbs=rng.random() < 0.45,
        semantic=rng.random() < 0.45,
        commented=rng.random() < 0.4,
    )


def page(
    frame: Frame,
    site: Surroundings,
    rng: Random,
    title: str,
    results: Content,
    hand: Hand,
) -> Element:
    """A whole page around its results."""
    boxes = {
        slot: [BOXES[name][0](site, rng) for name in names]
        for slot, names in frame.boxes
    }
    form = _form(frame, site)
    if form and not frame.side and not boxes["top"]:
        boxes["top"].append(form)
    elif form:
        boxes["side" if frame.side else "top"].insert(0, form)
    trail = _trail(site) if frame.breadcrumbs else None
    main = h(
        "main" if frame.semantic else "div",
        trail,
        h("h1", title),
        results,
        boxes["below"],
        **site.names.of("main"),
        **site.names.id("main"),
    )
    body: list[Child] = [
        _header(frame, site),
        *boxes["top"],
        *_columns(frame, site, main, boxes["side"]),
        _footer(frame, site, boxes["foot"]),
    ]
    if frame.commented:
        body.insert(1, Comment(" /header "))
    body.append(
        h("script", f"var _site = {{'page': {rng.randint(1, 9)}, 'price': '£'}};")
    )
    return h(
        "html", _head(frame, site, title, hand), h("body", body), lang=_language(frame)
    )


def _language(frame: Frame) -> str | None:
    return stream(frame.key, "language").choice(("en", "en-GB", "en-gb", None))


def _head(frame: Frame, site: Surroundings, title: str, hand: Hand) -> Element:
    rng = stream(frame.key, "head")
    declared = "utf-8" if hand.encoding == "utf-8" else "iso-8859-1"
    charset = None
    if hand.declares or hand.encoding == "utf-8":
        charset = h("meta", charset=declared)
        if rng.random() < 0.4:
            kind = f"text/html; charset={declared}"
            charset = h("meta", http_equiv="Content-Type", content=kind)
    style = f".{site.names.block} {{ width: {rng.randint(200, 960)}px }}"
    return h(
        "head",
        charset,
        h("title", f"{title} - {site.agent}"),
        h("meta", name="viewport", content="width=device-width")
        if frame.semantic
        else None,
        h("link", rel="stylesheet", href=f"/css/style.css?v={rng.randint(1, 99)}"),
        h("style", style) if rng.random() < 0.4 else None,
        h("script", src="/js/jquery.min.js"),
        h("script", "window.dataLayer = window.dataLayer || [];")
        if rng.random() < 0.5
        else None,
    )


def _header(frame: Frame, site: Surroundings) -> Element:
    rng = stream(frame.key, "header")
    words = vocabulary()[site.domain]["menu"]
    menu = [words[0], *rng.sample(words[1:], rng.randint(4, 8))]
    links = [h("a", word, href="/" + word.lower().replace(" ", "-")) for word in menu]
    listed = h("ul", [h("li", link) for link in links]) if rng.random() < 0.7 else links
    logo = h("a", h("img", src="/img/logo.png", alt=site.agent), href="/")
    phone = h("span", f"Call 0{rng.randint(1200, 1999)} {rng.randint(200000, 899999)}")
    return h(
        "header" if frame.semantic else "div",
        logo,
        phone,
        h("nav" if frame.semantic else "div", listed, **site.names.of("nav")),
        **site.names.of("header"),
        **site.names.id("header"),
    )


def _form(frame: Frame, site: Surroundings) -> Element | None:
    """The search form: places and amounts to choose from."""
    rng = stream(frame.key, "form")
    selects: list[Child] = []
    if frame.form_towns:
        names = sorted(town.name for town in site.towns(rng, 8, 24))
        options = [
            h("option", one, selected=rank == 2) for rank, one in enumerate(names)
        ]
        selects.append(h("select", options, name="area"))
    if frame.form_prices:
        amounts = BANDS[site.domain][:: rng.choice((1, 1, 2))]
        for name in ("min", "max") if rng.random() < 0.6 else ("max",):
            options = [h("option", pounds(one), value=str(one)) for one in amounts]
            first = h("option", f"{name.title()} price", value="0", selected=True)
            selects.append(h("select", first, options, name=f"{name}_price"))
    if not selects and rng.random() < 0.6:
        return None
    counts = [h("option", f"{one}+", value=str(one)) for one in range(1, 6)]
    label = "Doors" if site.domain == CAR else "Bedrooms"
    return h(
        "form",
        h(
            "input",
            type="text",
            name="q",
            placeholder="Town or postcode",
            required=True,
        ),
        selects,
        h("label", label),
        h("select", counts, name="count"),
        h("input", type="checkbox", name="new", checked=rng.random() < 0.5),
        h("button", "Search", type="submit"),
        action="/search",
        **site.names.of("search"),
    )


def _trail(site: Surroundings) -> Element:
    town = site.region.towns[0]
    names = ("Home", "England", town.county, town.name)
    links = [[h("a", one, href=f"/in/{one.lower()}"), " > "] for one in names[:-1]]
    return h("div", links, h("span", names[-1]), class_="breadcrumb")


def _columns(
    frame: Frame, site: Surroundings, main: Element, boxes: Sequence[Element]
) -> list[Element]:
    """The main column and the side bar."""
    side = h("aside" if frame.semantic else "div", boxes, **site.names.of("side"))
    columns = [main]
    if frame.side and boxes:
        columns = [side, main] if frame.side == "left" else [main, side]
    if frame.tables:
        cells = [h("td", one, valign="top") for one in columns]
        columns = [
            h("table", h("tr", cells), cellpadding="0", border="0", width="100%")
        ]
    for _ in range(frame.depth):
        columns = [h("div", columns, **site.names.of("wrapper"))]
    return columns


def _footer(frame: Frame, site: Surroundings, boxes: Sequence[Element]) -> Element:
    links = [
        h("a", one, href="/" + one.lower()) for one in ("Privacy", "Terms", "Cookies")
    ]
    return h(
        "footer" if frame.semantic else "div",
        boxes,
        [[link, " "] for link in links],
        h("p", f"© 2016 {site.agent}. All rights reserved."),
        **site.names.of("footer"),
        **site.names.id("footer"),
    )
