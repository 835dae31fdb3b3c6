"""Data areas: how the records of a template stand beside one another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from markupsafe import Markup

from synthetic.cards import Card
from synthetic.chance import Style, drawn, stream
from synthetic.markup import environment, macros, parsed
from synthetic.naming import Naming
from synthetic.offer import Offer

PARTS = {"row-pairs": 2, "sibling-pairs": 2, "definitions": 2}
"""The number of top nodes of a record, 1 in other forms."""


class Layout(Style):
    """The template of a data area."""

    def marks(self, offer: Offer, rank: int) -> list[str]:
        """Return further class tokens of a record."""
        marks = ["even" if rank % 2 else "odd"] if self.striped else []
        if stream(self.key, offer.number).random() < self.premium:
            marks.append("premium")
        return marks

    @property
    def has_body(self) -> bool:
        """Whether tables have a <tbody>."""
        return stream(self.key, "tbody").random() < 0.4

    def width(self, units: Sequence[Markup]) -> int:
        """Return the number of cells of the widest first row of a record."""
        return max(len(parsed(f"<a>{unit}</a>")[0]) for unit in units)


@dataclass(frozen=True, slots=True)
class Fillers:
    """Content among the records: at the head, at the tail, after some rank."""

    head: tuple[Markup, ...] = ()
    tail: tuple[Markup, ...] = ()
    between: Mapping[int, Markup] = field(default_factory=dict)


def draw_layout(key: str) -> Layout:
    """Draw the template of a data area."""
    rng = stream(key, "layout")
    form = drawn(rng, "layout")["form"]
    parts = PARTS.get(form, 1)
    parts = 3 if parts == 2 and rng.random() < 0.2 else parts
    return Layout(key=key, form=form, parts=parts, **drawn(rng, "layout-details"))


def area(
    layout: Layout, card: Card, name: str, offers: Sequence[Offer], fillers: Fillers
) -> Markup:
    """Return a data area: its container, the records and what is among them."""
    heads = Markup("")
    if layout.form == "links":
        card = card.but(linked=frozenset(), side_links=())
    elif layout.form == "columns":
        labels = dict.fromkeys(fact.label for one in offers for fact in one.facts)
        card = card.but(columns=tuple(labels))
        if layout.headed:
            heads = macros("cards").heads(card, offers[0])
    make = macros("layouts")
    units = [
        make.record(layout, card, offer, rank, f"{name}/{rank}")
        for rank, offer in enumerate(offers)
    ]
    return make.area(layout, card, units, fillers, heads)


def with_adverts(
    units: Sequence[Markup], fillers: Fillers, names: Naming
) -> list[Markup]:
    """Return the cells of a grid, adverts among them."""
    cells = list(units)
    for rank, content in sorted(fillers.between.items(), reverse=True):
        if rank + 1 < len(cells):
            wrapped = Markup("<div{}>{}</div>").format(names.of("advert"), content)
            cells.insert(rank + 1, wrapped)
    return cells


environment().globals["with_adverts"] = with_adverts
