"""Draw the templates of records and of lists, and fill them with offers.

`Naming` gives the elements classes and ids, `Card` arranges the content of a record,
and `Layout` arranges the records of a list.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from random import Random
from string import ascii_letters, digits

from markupsafe import Markup

from synthetic.markup import Value, attributes, environment, macros, parsed
from synthetic.offer import Fact, Offer, Phrase, joined, phrase, text_of, values_of
from synthetic.random_choices import (
    Style,
    drawn,
    some,
    stream,
    styles,
    vocabulary,
    weighted,
)

TEST_IDS = {"price", "place", "heading", "record", "badge", "facts"}
"""The roles of elements that may have the HTML attribute `data-testid`."""
PLAIN_STYLES = ("none", "utility", "short")
"""The styles of class names in which the elements of all facts have the same
classes.
"""
ITEM_PROPERTIES = {"price": "price", "place": "address", "heading": "name"}
"""The value of an element's HTML attribute `itemprop`, by the element's role."""


@dataclass(frozen=True, slots=True)
class Naming:
    """The rules by which a template names its elements.

    `key` is the seed of random choices, and `block` is the word for a record, such as
    "card".
    """

    key: str
    style: str
    block: str
    marks: str = ""
    """The HTML attribute that also names elements: "testid" for `data-testid`,
    "itemprop", or "" for none.
    """
    ids: bool = True

    def of(self, role: str, *further_tokens: str) -> Markup:
        """Return the HTML attributes that name an element with a role, such as
        "price".
        """
        html_attributes = {
            "class": " ".join([_class_tokens(self, role), *further_tokens]).strip()
        }
        if self.marks == "testid" and role in TEST_IDS:
            html_attributes["data-testid"] = f"{self.block}-{role}"
        elif self.marks == "itemprop" and role in ITEM_PROPERTIES:
            html_attributes["itemprop"] = ITEM_PROPERTIES[role]
        return attributes(**html_attributes)

    def id(self, role: str) -> Markup:
        """Return the HTML attribute `id` of an element with a role, such as "results".

        No other element of the page may have this role. Return "" for a template
        without ids.
        """
        if not self.ids:
            return Markup("")
        rng = stream(self.key, "id", role)
        word = rng.choice(vocabulary()["classes"][role])
        name = rng.choice((word, _camel_case("the", word), f"{word}-{role}"))
        return attributes(id=name)


def draw_naming(key: str, blocks: Sequence[str]) -> Naming:
    """Draw the rules by which a template names its elements.

    One of `blocks` becomes the word for a record, such as "card".
    """
    rng = stream(key, "naming")
    return Naming(
        key=key,
        **drawn(rng, "naming"),
        block=rng.choice(blocks),
        marks=weighted(rng, {"": 84, "testid": 8, "itemprop": 8}),
        ids=rng.random() < 0.75,
    )


@lru_cache(maxsize=65536)
def _class_tokens(naming: Naming, role: str) -> str:
    """Draw the class names of an element with a role, such as "price".

    Return "" for an element without classes.
    """
    rng = stream(naming.key, "class", role)
    word = rng.choice(vocabulary()["classes"][role])
    block = naming.block
    if naming.style == "none" or rng.random() < 0.12:
        return ""
    match naming.style:
        case "bem":
            token = block if role == "record" else f"{block}__{word}"
            marked = f"{token} {token}--"
            return marked + rng.choice(["lg", "alt"]) if _is_rare(rng) else token
        case "camel":
            return _camel_case(block, word) if rng.random() < 0.7 else _camel_case(word)
        case "prefixed":
            return f"{block[:3]}-{word}"
        case "utility":
            return " ".join(
                rng.sample(vocabulary()["utilities"]["classes"], rng.randint(2, 5))
            )
        case "hashed":
            suffix = "".join(rng.choices(ascii_letters + digits, k=5))
            component = _camel_case(block)
            return f"{component[0].upper()}{component[1:]}_{word}__{suffix}"
        case "snake":
            return f"{block}_{word}".replace("-", "_")
        case "short":
            return rng.choice("abcdfhlmprst") + rng.choice("0123456789bcdp")
    further = ["clearfix", "cf", "js-item", "group"]
    return f"{word} {rng.choice(further)}" if _is_rare(rng) else word


def _is_rare(rng: Random) -> bool:
    """Draw True with a low probability."""
    return rng.random() < 0.15


def _camel_case(*words: str) -> str:
    """Return words in camel case."""
    first, *rest = "-".join(words).split("-")
    return first + "".join(word.capitalize() for word in rest)


class FactStyle(Style):
    """The markup of facts, which are texts such as "3 bedrooms".

    `form` is the name of a Jinja macro in facts.html.
    """

    @property
    def outer(self) -> str:
        """The HTML tag of the element around all facts."""
        return self.tags.split()[0]

    @property
    def inner(self) -> str:
        """The HTML tag of the element around one fact."""
        return self.tags.split()[1]

    def names_of(self, fact: Fact, names: Naming) -> Markup:
        """Return the HTML attributes, such as `class`, of the element of a fact."""
        icon_word = styles()["icons"].get(fact.type)
        if not (self.named and icon_word) or names.style in PLAIN_STYLES:
            return names.of("fact")
        return names.of("fact", f"{names.block[:4]}-{icon_word}")


class Card(Style):
    """The template of a record's content.

    `linked` names the pieces of content that link to the offer's own page. `columns`
    are the heads of table columns, if each fact (such as "3 bedrooms") has a cell.
    """

    def blocks(self, offer: Offer) -> dict[str, Markup]:
        """Return the markup of each piece of content, such as "price", in order.

        Pieces without content are left out.
        """
        markup_by_name = {name: self._block(name, offer) for name in self.order.split()}
        return {name: block for name, block in markup_by_name.items() if block}

    def _block(self, name: str, offer: Offer) -> Markup:
        """Return the markup of one piece of content, such as "price".

        Return "" if the offer has no such content.
        """
        if name == "facts":
            if not offer.facts:
                return Markup("")
            macro = getattr(macros("facts"), self.facts.form)
            return macro(self.facts, self.names, offer.facts)
        if name == "badge" and self.badge_form == "media":
            return Markup("")
        return getattr(macros("cards"), name)(self, offer)

    def parts(self, offer: Offer, count: int) -> list[Markup]:
        """Divide the content of a record among its `count` top elements."""
        blocks = self.blocks(offer)
        if count == 1:
            return [macros("cards").nested(self, blocks)]
        block_list = list(blocks.values())
        bounds = [round(len(block_list) * rank / count) for rank in range(count + 1)]
        return [
            Markup("").join(block_list[begin:end]) for begin, end in pairwise(bounds)
        ]

    def cells(self, offer: Offer) -> Markup:
        """Return a record as the cells of a table row."""
        facts = {fact.label: fact for fact in offer.facts}
        column_facts = [facts.get(label, Fact("", label, "")) for label in self.columns]
        return macros("cards").cells(self, offer, self.blocks(offer), column_facts)


def only(names: Sequence[str], blocks: Mapping[str, Markup], *wanted: str) -> Markup:
    """Return the markup of the blocks with the given names, one after the other.

    If there are `wanted` names, blocks with other names are left out.
    """
    kept_names = (name for name in names if not wanted or name in wanted)
    return Markup("").join(blocks[name] for name in kept_names)


def without(blocks: Mapping[str, Markup], *names: str) -> Markup:
    """Return the markup of all blocks except those with the given names."""
    return Markup("").join(block for name, block in blocks.items() if name not in names)


def details_page(offer: Offer) -> Value:
    """Return the address of an offer's page as a value, which a link's `href` shows."""
    return Value("details_page", offer.href, "@href")


def around(spans: Phrase, kind: str) -> tuple[str, str, str]:
    """Return the text before a value, the text of the value, and the text behind it.

    `kind` is the attribute type of the value. All three are empty if `spans` has no
    such value.
    """
    for rank, span in enumerate(spans):
        if kind in span.types:
            return text_of(spans[:rank]), span.text, text_of(spans[rank + 1 :])
    return "", "", ""


def former(card: Card, offer: Offer) -> tuple[Markup, Markup]:
    """Return the markup before the present price, and the markup behind it.

    One of them shows the former price, and the other is empty. Both are empty if the
    offer has no former price.
    """
    empty = Markup("")
    if not offer.former:
        return empty, empty
    rng = stream(card.key, "former")
    is_amount = offer.former.startswith("£")
    tag = rng.choice(("del", "s", "strike", "span", "del")) if is_amount else "span"
    markup = macros("cards").former_price(card, offer, tag)
    return (markup, empty) if rng.random() < 0.5 else (empty, markup)


def draw_card(key: str, names: Naming, domain: str) -> Card:
    """Draw the template of a record's content. `key` is the seed of random choices."""
    rng, side_links = stream(key, "card"), [*styles()["side-links"][domain].items()]
    return Card(
        key=key,
        names=names,
        facts=FactStyle(**drawn(stream(key, "facts"), "facts")),
        media=Style(**drawn(stream(key, "media"), "media")),
        **drawn(rng, "card"),
        linked=_linked(rng),
        button=rng.choice(vocabulary()["cards"]["buttons"]),
        side_links=tuple(some(rng, side_links, 0, 3)) if rng.random() < 0.5 else (),
        **drawn(rng, "card-details"),
        columns=(),
    )


def _linked(rng: Random) -> frozenset[str]:
    """Draw the pieces of a record's content that link to the page of its offer."""
    shares = {"heading": 0.7, "image": 0.65, "button": 0.55}
    linked = {name for name, share in shares.items() if rng.random() < share}
    return frozenset(linked or (["button"] if rng.random() < 0.55 else []))


environment().globals["ICONS"] = styles()["icons"]
environment().filters["text_of"] = text_of
environment().filters["values_of"] = values_of
for function in (
    *(around, attributes, details_page, former, joined),
    *(only, phrase, text_of, values_of, without),
):
    environment().globals[function.__name__] = function


PARTS = {"row-pairs": 2, "sibling-pairs": 2, "definitions": 2}
"""The usual number of top elements of a record, by layout.

In layouts that aren't listed, it is 1.
"""


class Layout(Style):
    """The template of a list of records."""

    def marks(self, offer: Offer, rank: int) -> list[str]:
        """Return class names that only some records have, such as "odd" or
        "premium".
        """
        marks = ["even" if rank % 2 else "odd"] if self.striped else []
        if stream(self.key, offer.number).random() < self.premium:
            marks.append("premium")
        return marks

    @property
    def has_body(self) -> bool:
        """Whether tables have a <tbody>."""
        return stream(self.key, "tbody").random() < 0.4

    def width(self, units: Sequence[Markup]) -> int:
        """Return the number of columns of a table: the most cells in a record's first
        row.

        `units` has the markup of each record.
        """
        return max(len(parsed(f"<a>{unit}</a>")[0]) for unit in units)


@dataclass(frozen=True, slots=True)
class Fillers:
    """Content of a list that belongs to no record, such as adverts.

    `head` is before the records, and `tail` behind them. `between` has content by the
    index of the record before it.
    """

    head: tuple[Markup, ...] = ()
    tail: tuple[Markup, ...] = ()
    between: Mapping[int, Markup] = field(default_factory=dict)


def draw_layout(key: str) -> Layout:
    """Draw the template of a list of records."""
    rng = stream(key, "layout")
    form = drawn(rng, "layout")["form"]
    parts = PARTS.get(form, 1)
    parts = 3 if parts == 2 and rng.random() < 0.2 else parts
    return Layout(key=key, form=form, parts=parts, **drawn(rng, "layout-details"))


def area(
    layout: Layout, card: Card, name: str, offers: Sequence[Offer], fillers: Fillers
) -> Markup:
    """Return the markup of a list of records: the container, the records, and the
    fillers.

    A filler is content that belongs to no record, such as an advert.
    """
    heads = Markup("")
    if layout.form == "links":
        card = card.but(linked=frozenset(), side_links=())
    elif layout.form == "columns":
        labels = dict.fromkeys(fact.label for offer in offers for fact in offer.facts)
        card = card.but(columns=tuple(labels))
        if layout.headed:
            heads = macros("cards").heads(card, offers[0])
    layout_macros = macros("layouts")
    units = [
        layout_macros.record(layout, card, offer, rank, f"{name}/{rank}")
        for rank, offer in enumerate(offers)
    ]
    return layout_macros.area(layout, card, units, fillers, heads)


def with_adverts(
    units: Sequence[Markup], fillers: Fillers, names: Naming
) -> list[Markup]:
    """Return the cells of a grid: the records, with adverts among them."""
    cells = list(units)
    for rank, content in sorted(fillers.between.items(), reverse=True):
        if rank + 1 < len(cells):
            wrapped = Markup("<div{}>{}</div>").format(names.of("advert"), content)
            cells.insert(rank + 1, wrapped)
    return cells


environment().globals["with_adverts"] = with_adverts
