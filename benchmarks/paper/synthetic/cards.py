"""The inside of a record: its blocks, their styles, order and nesting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from markupsafe import Markup

from synthetic.chance import Style, drawn, some, stream
from synthetic.markup import Value, attributes, environment, macros
from synthetic.naming import Naming
from synthetic.offer import Fact, Offer, Phrase, joined, phrase, text_of, values_of
from synthetic.vocabulary import styles, vocabulary


class FactStyle(Style):
    """The markup of the facts of one template: `form` is a macro of facts.html."""

    @property
    def outer(self) -> str:
        """The tag of the list of facts."""
        return self.tags.split()[0]

    @property
    def inner(self) -> str:
        """The tag of a fact."""
        return self.tags.split()[1]

    def names_of(self, fact: Fact, names: Naming) -> Markup:
        """Return the attributes that name a fact."""
        word = styles()["icons"].get(fact.type)
        if not (self.named and word) or names.style in ("none", "utility", "short"):
            return names.of("fact")
        return names.of("fact", f"{names.block[:4]}-{word}")


class Card(Style):
    """The template of a record.

    `linked` has the parts that link to the page of an offer, `columns` the labels of
    facts, where each has a table cell of its own.
    """

    def blocks(self, offer: Offer) -> dict[str, Markup]:
        """Return the blocks of a record in order, those with content."""
        made = {name: self._block(name, offer) for name in self.order.split()}
        return {name: block for name, block in made.items() if block}

    def _block(self, name: str, offer: Offer) -> Markup:
        if name == "facts":
            if not offer.facts:
                return Markup("")
            make = getattr(macros("facts"), self.facts.form)
            return make(self.facts, self.names, offer.facts)
        if name == "badge" and self.badge_form == "media":
            return Markup("")
        return getattr(macros("cards"), name)(self, offer)

    def parts(self, offer: Offer, count: int) -> list[Markup]:
        """Return the content of the `count` top nodes of a record."""
        blocks = self.blocks(offer)
        if count == 1:
            return [macros("cards").nested(self, blocks)]
        found = list(blocks.values())
        cuts = [round(len(found) * rank / count) for rank in range(count + 1)]
        return [Markup("").join(found[a:b]) for a, b in pairwise(cuts)]

    def cells(self, offer: Offer) -> Markup:
        """Return a record as the cells of a table row."""
        facts = {fact.label: fact for fact in offer.facts}
        listed = [facts.get(label, Fact("", label, "")) for label in self.columns]
        return macros("cards").cells(self, offer, self.blocks(offer), listed)


def only(names: Sequence[str], blocks: Mapping[str, Markup], *of: str) -> Markup:
    """Return the blocks of these names, if any are given only those `of` them."""
    kept = (one for one in names if not of or one in of)
    return Markup("").join(blocks[one] for one in kept)


def without(blocks: Mapping[str, Markup], *names: str) -> Markup:
    """Return the blocks of other names."""
    return Markup("").join(block for name, block in blocks.items() if name not in names)


def details_page(offer: Offer) -> Value:
    """Return the value that a link to the page of an offer shows."""
    return Value("details_page", offer.href, "@href")


def around(spans: Phrase, kind: str) -> tuple[str, str, str]:
    """Return the texts before a value, of it and behind it; "" for what isn't there."""
    at = next((i for i, span in enumerate(spans) if kind in span.types), None)
    if at is None:
        return "", "", ""
    return text_of(spans[:at]), spans[at].text, text_of(spans[at + 1 :])


def former(card: Card, offer: Offer) -> tuple[Markup, Markup]:
    """Return the former price, before or behind the present one."""
    none = Markup("")
    if not offer.former:
        return none, none
    rng = stream(card.key, "former")
    struck = offer.former.startswith("£")
    tag = rng.choice(("del", "s", "strike", "span", "del")) if struck else "span"
    shown = macros("cards").former_price(card, offer, tag)
    return (shown, none) if rng.random() < 0.5 else (none, shown)


def draw_card(key: str, names: Naming, domain: str) -> Card:
    """Draw the template of a record."""
    rng, links = stream(key, "card"), [*styles()["side-links"][domain].items()]
    return Card(
        key=key,
        names=names,
        facts=FactStyle(**drawn(stream(key, "facts"), "facts")),
        media=Style(**drawn(stream(key, "media"), "media")),
        **drawn(rng, "card"),
        linked=_linked(rng),
        button=rng.choice(vocabulary()["cards"]["buttons"]),
        side_links=tuple(some(rng, links, 0, 3)) if rng.random() < 0.5 else (),
        **drawn(rng, "card-details"),
        columns=(),
    )


def _linked(rng: Random) -> frozenset[str]:
    """Draw the parts of a record that link to the page of its offer."""
    shares = {"heading": 0.7, "image": 0.65, "button": 0.55}
    linked = {name for name, share in shares.items() if rng.random() < share}
    return frozenset(linked or (["button"] if rng.random() < 0.55 else []))


environment().globals["ICONS"] = styles()["icons"]
environment().filters["text_of"] = text_of
environment().filters["values_of"] = values_of
environment().globals.update(
    {
        function.__name__: function
        for function in (
            *(around, attributes, details_page, former, joined, only, phrase, text_of),
            *(values_of, without),
        )
    }
)
