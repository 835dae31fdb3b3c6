"""The inside of a record: its blocks, their markup, order and nesting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from synthetic.chance import some, stream, weighted
from synthetic.facts import FactStyle, columns, draw_fact_style, facts_block, shown
from synthetic.media import MediaStyle, draw_media_style, picture
from synthetic.naming import Naming
from synthetic.offer import Fact, Offer, Phrase, joined, phrase, text_of, values_of
from synthetic.tree import Child, Element, Value, h
from synthetic.vocabulary import vocabulary

ORDERS = {
    "media badge heading subline place price facts description agent actions": 20,
    "media badge price heading subline place facts description actions agent": 18,
    "heading subline place media badge facts description price actions agent": 8,
    "heading subline price place media badge description facts actions agent": 8,
    "media badge heading subline place facts price description actions agent": 14,
    "media badge heading subline facts place description price actions agent": 10,
    "badge heading subline price facts media place description actions agent": 5,
    "media price badge facts heading subline place description agent actions": 7,
    "heading subline price badge media facts place actions description agent": 5,
    "media badge place heading subline facts description price agent actions": 5,
}
PLACE_TAGS = {"p": 30, "div": 22, "span": 18, "h3": 12, "h4": 10, "address": 8}
PRICE_TAGS = {"p": 26, "div": 26, "span": 24, "h3": 8, "h4": 6, "strong": 6, "h2": 4}
PLACE_FORMS = {"one": 44, "linked": 18, "two": 14, "break": 8, "label": 8, "icon": 8}
PRICE_FORMS = {"plain": 50, "parts": 30, "split": 7, "siblings": 13}
NESTINGS = {"flat": 22, "media-body": 46, "head-foot": 16, "three": 16}
ANY_LINKS = (
    ("Save", "#"), ("Email", "mailto:info@{n}.example"),
    ("Enquire", "/contact?ref={n}"),
    ("Compare", "/compare/add/{n}"), ("Share", "/share?u={n}"),
    ("Add to shortlist", "javascript:add({n})"),
)  # fmt: skip
SIDE_LINKS = {
    "real-estate": (
        *ANY_LINKS, ("Arrange viewing", "/enquiry?id={n}"), ("Map", "/map/{n}"),
        ("Brochure", "/brochures/{n}.pdf"), ("Street view", "#map-{n}"),
    ),
    "used-cars": (
        *ANY_LINKS, ("Book a test drive", "/test-drive?id={n}"),
        ("Video", "#video-{n}"),
        ("Value my car", "/part-exchange?for={n}"), ("Finance quote", "/finance/{n}"),
    ),
}  # fmt: skip
"""Links of records that don't lead to their own pages."""


@dataclass(frozen=True, slots=True)
class Card:
    """The template of a record."""

    key: str
    names: Naming
    facts: FactStyle
    media: MediaStyle
    order: tuple[str, ...]
    nesting: str
    heading_tag: str
    place_tag: str
    price_tag: str
    price_form: str
    place_form: str
    badge_form: str
    linked: frozenset[str]
    """Of "heading", "image" and "button"."""
    button: str
    side_links: tuple[tuple[str, str], ...]
    extra: str
    """Where amounts beside the price stand: in its element or behind it."""
    teased: bool
    """Whether descriptions end in a link."""
    columns: tuple[str, ...] = ()
    """The labels of facts, where each has a table cell of its own."""

    def blocks(self, offer: Offer) -> list[tuple[str, list[Element]]]:
        """The elements of a record by block, in order, those with content."""
        made = {
            "media": self._media(offer),
            "badge": self._badge(offer) if self.badge_form != "media" else [],
            "heading": self._heading(offer),
            "subline": self._text("description", offer.subline, "h4"),
            "place": self._place(offer),
            "price": self._price(offer),
            "facts": facts_block(self.facts, self.names, offer.facts),
            "description": self._description(offer),
            "agent": self._agent(offer),
            "actions": self._actions(offer),
        }
        return [(name, made[name]) for name in self.order if made[name]]

    def parts(self, offer: Offer, count: int) -> list[list[Element]]:
        """The content of the `count` top nodes of a record."""
        blocks = self.blocks(offer)
        if count == 1:
            return [self._nested(blocks)]
        cuts = [round(len(blocks) * rank / count) for rank in range(count + 1)]
        chunks = [blocks[a:b] for a, b in pairwise(cuts)]
        return [[one for _, elements in chunk for one in elements] for chunk in chunks]

    def cells(self, offer: Offer) -> list[Element]:
        """A record as the cells of a table row: a value each, then the rest."""
        blocks = dict(self.blocks(offer))
        cells = [h("td", blocks.get("heading", []) or blocks.get("place", []))]
        if "heading" in blocks and offer.place:
            cells.append(h("td", blocks["place"]))
        facts = {fact.label: fact for fact in offer.facts}
        listed = [facts.get(label, Fact("", label, "")) for label in self.columns]
        cells += columns(self.names, listed)
        cells.append(h("td", blocks.get("price", [])))
        return [*cells, h("td", blocks.get("badge", []), blocks.get("actions", []))]

    def heads(self, offer: Offer) -> list[Element]:
        """The names of the columns."""
        first = ("Description",) if offer.headline else ()
        second = ("Location",) if offer.place else ()
        return [h("th", one) for one in (*first, *second, *self.columns, "Price", "")]

    def _nested(self, blocks: Sequence[tuple[str, list[Element]]]) -> list[Element]:
        """The blocks, some of them in wrappers."""
        of, names = dict(blocks), self.names
        flat = [one for _, elements in blocks for one in elements]
        match self.nesting:
            case "media-body" if "media" in of:
                rest = [one for name, e in blocks if name != "media" for one in e]
                body = h("div", rest, **names.of("body"))
                return (
                    [*of["media"], body]
                    if blocks[0][0] == "media"
                    else [body, *of["media"]]
                )
            case "head-foot":
                head = [e for name, e in blocks[:2]]
                foot = [e for name, e in blocks[2:] if name in ("actions", "agent")]
                rest = [e for name, e in blocks[2:] if name not in ("actions", "agent")]
                return [
                    h("div", head, **names.of("header")),
                    h("div", h("div", rest, **names.of("wrapper")), **names.of("body")),
                    *([h("div", foot, **names.of("footer"))] if foot else []),
                ]
            case "three":
                side = [
                    e for name, e in blocks if name in ("price", "actions", "agent")
                ]
                rest = [
                    e
                    for name, e in blocks
                    if name not in ("media", "price", "actions", "agent")
                ]
                return [
                    *of.get("media", []),
                    h("div", rest, **names.of("body")),
                    h("div", side, **names.of("side")),
                ]
        return flat

    def _link(self, offer: Offer, *content: Child, **attributes: str | None) -> Element:
        """A link to the page of the offer."""
        value = Value("details_page", offer.href, "@href")
        return h("a", content, values=[value], href=offer.href, **attributes)

    def _media(self, offer: Offer) -> list[Element]:
        image = picture(self.media, self.names, offer)
        if image is None:
            return []
        if "image" in self.linked:
            image = self._link(offer, image)
        badge = self._badge(offer) if self.badge_form == "media" else []
        return [h("div", image, badge, **self.names.of("media"))]

    def _badge(self, offer: Offer) -> list[Element]:
        if not offer.badge:
            return []
        text = text_of(offer.badge)
        if self.badge_form == "image":
            values = [Value(v.type, v.text, "@alt") for v in values_of(offer.badge)]
            name = text.lower().replace(" ", "-")
            return [h("img", values=values, src=f"/img/{name}.png", alt=text)]
        tag = {"media": "span", "text": "p", "strong": "strong"}.get(
            self.badge_form, "div"
        )
        return [shown(tag, offer.badge, **self.names.of("badge"))]

    def _heading(self, offer: Offer) -> list[Element]:
        return self._titled(offer, offer.headline, self.heading_tag, "heading")

    def _titled(
        self, offer: Offer, spans: Phrase, tag: str, role: str
    ) -> list[Element]:
        """A phrase that perhaps is the link of the record."""
        if not spans:
            return []
        if "heading" not in self.linked:
            tag = "span" if tag == "a" else tag
            return [shown(tag, spans, **self.names.of(role))]
        link = self._link(offer, text_of(spans))
        if tag == "a":
            return [
                h(
                    "a",
                    text_of(spans),
                    values=(*link.values, *values_of(spans)),
                    href=offer.href,
                    **self.names.of(role),
                )
            ]
        return [h(tag, link, values=values_of(spans), **self.names.of(role))]

    def _text(self, role: str, spans: Phrase, tag: str) -> list[Element]:
        return [shown(tag, spans, **self.names.of(role))] if spans else []

    def _place(self, offer: Offer) -> list[Element]:
        lines, names = offer.place, self.names
        if not lines:
            return []
        if len(lines) == 1 or self.place_form in ("one", "label", "icon", "linked"):
            spans = _one_line(lines)
            if not offer.headline and self.place_form == "linked":
                return self._titled(offer, spans, self.place_tag, "place")
            if self.place_form == "label":
                spans = phrase("Location: ", spans)
            element = shown(self.place_tag, spans, **names.of("place"))
            if self.place_form == "icon":
                element = h(
                    self.place_tag,
                    h("i", class_="icon-pin"),
                    " ",
                    text_of(spans),
                    values=values_of(spans),
                    **names.of("place"),
                )
            return [element]
        values = values_of(_one_line(lines))
        texts = [text_of(line) for line in lines]
        if self.place_form == "break":
            return [
                h("p", texts[0], h("br"), texts[1], values=values, **names.of("place"))
            ]
        inner = [
            h("strong" if not offer.headline else "span", texts[0]),
            " ",
            h("span", texts[1]),
        ]
        return [h("div", inner, values=values, **names.of("place"))]

    def _price(self, offer: Offer) -> list[Element]:
        spans, names, tag = offer.price, self.names, self.price_tag
        at = next((i for i, span in enumerate(spans) if "price" in span.types), None)
        extras = [h("small", one, **names.of("extra")) for one in offer.extras]
        inside = extras if self.extra == "inside" else []
        behind = [] if self.extra == "inside" else extras
        before, after = self._former(offer)
        if at is None:
            return [shown(tag, spans, **names.of("price")), *behind]
        amount = spans[at].text
        values = values_of(spans)
        lead, tail = text_of(spans[:at]), text_of(spans[at + 1 :])
        match self.price_form:
            case "plain":
                if not (before or after or inside):
                    return [shown(tag, spans, **names.of("price")), *behind]
                core: list[Child] = [h("span", text_of(spans), values=values)]
            case "split" if amount.startswith("£") and not before:
                inner = h("span", h("span", "£"), amount[1:], values=values)
                core = [lead, inner, tail]
            case "siblings":
                label = (
                    [h("span", lead.strip(), **names.of("qualifier"))]
                    if lead.strip()
                    else []
                )
                core = [h("strong", amount, values=values), tail]
                return [
                    *label,
                    *before,
                    h(tag, core, **names.of("price")),
                    *after,
                    *inside,
                    *behind,
                ]
            case _:
                qualifier = (
                    h("span", lead.strip(), **names.of("qualifier"))
                    if lead.strip()
                    else ""
                )
                period = h("small", tail.strip()) if tail.strip() else ""
                core = [qualifier, " ", h("strong", amount, values=values), " ", period]
        spaced = [" ", *after] if after else []
        content = [*before, " " if before else "", *core, *spaced, *inside]
        return [h(tag, content, **names.of("price")), *behind]

    def _former(self, offer: Offer) -> tuple[list[Element], list[Element]]:
        """The former price, before or behind the present one."""
        if not offer.former:
            return [], []
        rng = stream(self.key, "former")
        struck = offer.former.startswith("£")
        tag = rng.choice(("del", "s", "strike", "span", "del")) if struck else "span"
        element = h(tag, offer.former, **self.names.of("former"))
        return ([element], []) if rng.random() < 0.5 else ([], [element])

    def _description(self, offer: Offer) -> list[Element]:
        if not offer.description:
            return []
        more: list[Child] = (
            [" ", self._link(offer, "more...")]
            if self.teased and "button" in self.linked
            else []
        )
        return [h("p", offer.description, more, **self.names.of("description"))]

    def _agent(self, offer: Offer) -> list[Element]:
        if not offer.agent:
            return []
        return [
            h("div", "Marketed by ", h("span", offer.agent), **self.names.of("agent"))
        ]

    def _actions(self, offer: Offer) -> list[Element]:
        links: list[Child] = []
        if "button" in self.linked:
            links.append(self._link(offer, self.button, **self.names.of("button")))
        for text, href in self.side_links:
            links += [" ", h("a", text, href=href.format(n=offer.number))]
        return [h("div", links, **self.names.of("actions"))] if links else []


def _one_line(lines: Sequence[Phrase]) -> Phrase:
    """The lines of an address as one, a comma between them."""
    return joined(", ", lines)


def draw_card(key: str, names: Naming, domain: str) -> Card:
    """The template of a record."""
    rng, links = stream(key, "card"), SIDE_LINKS[domain]
    heading = {
        "h2": 24,
        "h3": 34,
        "h4": 14,
        "div": 8,
        "strong": 5,
        "span": 4,
        "p": 4,
        "a": 5,
        "h5": 2,
    }
    return Card(
        key=key,
        names=names,
        facts=draw_fact_style(key),
        media=draw_media_style(key),
        order=tuple(weighted(rng, ORDERS).split()),
        nesting=weighted(rng, NESTINGS),
        heading_tag=weighted(rng, heading),
        place_tag=weighted(rng, PLACE_TAGS),
        price_tag=weighted(rng, PRICE_TAGS),
        price_form=weighted(rng, PRICE_FORMS),
        place_form=weighted(rng, PLACE_FORMS),
        badge_form=weighted(rng, {"media": 45, "text": 28, "strong": 12, "image": 15}),
        linked=_linked(rng),
        button=rng.choice(vocabulary()["cards"]["buttons"]),
        side_links=tuple(some(rng, links, 0, 3)) if rng.random() < 0.5 else (),
        extra=rng.choice(("inside", "behind")),
        teased=rng.random() < 0.2,
    )  # fmt: skip


def _linked(rng: Random) -> frozenset[str]:
    """What links to the page of an offer."""
    shares = {"heading": 0.7, "image": 0.65, "button": 0.55}
    linked = {name for name, share in shares.items() if rng.random() < share}
    return frozenset(linked or (["button"] if rng.random() < 0.55 else []))
