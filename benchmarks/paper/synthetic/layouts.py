"""Data areas: how the records of a template stand beside one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from synthetic.cards import Card
from synthetic.chance import stream, weighted
from synthetic.offer import Offer
from synthetic.tree import Comment, Content, Element, Value, extended, h

FORMS = {
    "list": 25, "divs": 25, "articles": 10, "rows": 7, "columns": 4, "row-pairs": 5,
    "sibling-pairs": 6, "definitions": 3, "grid": 9, "table-grid": 4, "figures": 3,
    "tables": 4, "links": 3,
}  # fmt: skip
PARTS = {"row-pairs": 2, "sibling-pairs": 2, "definitions": 2}


@dataclass(frozen=True, slots=True)
class Layout:
    """The template of a data area; `across` is the number of cells in a row."""

    key: str
    form: str
    parts: int
    across: int
    depth: int
    """How many further elements there are around a record's content."""
    striped: bool
    identified: str
    """What holds the number of a record: "id", "data", "input" or nothing."""
    separated: str
    """What stands between any two records: "hr", "clear", "comment" or nothing."""
    premium: float
    """The share of records with a class of their own."""
    headed: bool
    """Whether columns have names."""


@dataclass(frozen=True, slots=True)
class Fillers:
    """What stands among the records: at the head, at the tail, after some rank."""

    head: tuple[Content, ...] = ()
    tail: tuple[Content, ...] = ()
    between: tuple[tuple[int, Content], ...] = ()


def draw_layout(key: str) -> Layout:
    """The template of a data area."""
    rng = stream(key, "layout")
    form = weighted(rng, FORMS)
    parts = PARTS.get(form, 1)
    return Layout(
        key=key,
        form=form,
        parts=3 if parts == 2 and rng.random() < 0.2 else parts,
        across=weighted(rng, {2: 45, 3: 40, 4: 15}),
        depth=weighted(rng, {0: 62, 1: 28, 2: 10}),
        striped=rng.random() < 0.25,
        identified=weighted(rng, {"": 55, "id": 18, "data": 19, "input": 8}),
        separated=weighted(rng, {"": 76, "hr": 6, "clear": 9, "comment": 9}),
        premium=weighted(rng, {0.0: 84, 0.15: 16}),
        headed=rng.random() < 0.8,
    )


def area(
    layout: Layout, card: Card, name: str, offers: Sequence[Offer], fillers: Fillers
) -> list[Element]:
    """The data area `name`: its container, the records in it and what is among them."""
    if layout.form == "links":
        card = replace(card, linked=frozenset(), side_links=())
    elif layout.form == "columns":
        labels = dict.fromkeys(fact.label for one in offers for fact in one.facts)
        card = replace(card, columns=tuple(labels))
        if layout.headed:
            head = tuple(card.heads(offers[0]))
            fillers = replace(fillers, head=(head, *fillers.head))
    units = [
        [
            replace(one, record=(name, rank))
            for one in CONTENT[layout.form](layout, card, offer, rank)
        ]
        for rank, offer in enumerate(offers)
    ]
    return [CONTAINERS[layout.form](layout, card, units, fillers)]


# A record's top nodes


def _wrapped(layout: Layout, card: Card, content: Sequence[Element]) -> Content:
    for _ in range(layout.depth):
        content = [h("div", content, **card.names.of("wrapper"))]
    return content


def _node(
    layout: Layout, card: Card, tag: str, content: Content, offer: Offer, rank: int
) -> Element:
    """A top node of a record with what names and numbers it."""
    more = ["even" if rank % 2 else "odd"] if layout.striped else []
    if stream(layout.key, offer.number).random() < layout.premium:
        more.append("premium")
    attributes: dict[str, str | None] = dict(card.names.of("record", *more))
    if layout.identified == "id":
        attributes["id"] = f"{card.names.block}-{offer.number}"
    elif layout.identified == "data":
        attributes["data_id"] = str(offer.number)
    hidden = None
    if layout.identified == "input":
        hidden = h(
            "input",
            type="checkbox",
            name="compare",
            value=str(offer.number),
            disabled=rank % 3 == 0,
        )
        hidden = h("td", hidden) if tag == "tr" else hidden
    return h(tag, hidden, content, **attributes)


def _simple(tag: str) -> Callable[[Layout, Card, Offer, int], list[Element]]:
    def content(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
        [inside] = card.parts(offer, 1)
        return [_node(layout, card, tag, _wrapped(layout, card, inside), offer, rank)]

    return content


def _link(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    """A record that as a whole is a link."""
    [inside] = card.parts(offer, 1)
    node = _node(layout, card, "a", _wrapped(layout, card, inside), offer, rank)
    value = Value("details_page", offer.href, "@href")
    return [extended(replace(node, values=(value,)), href=offer.href)]


def _row(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    """A table row: the picture, the text, what stands at its right."""
    blocks = card.blocks(offer)
    media = [e for name, elements in blocks for e in elements if name == "media"]
    side = [e for name, es in blocks for e in es if name in ("price", "actions")]
    rest = [
        e
        for name, es in blocks
        for e in es
        if name not in ("media", "price", "actions")
    ]
    cells = [h("td", one) for one in (media, rest, side) if one or one is not media]
    return [_node(layout, card, "tr", cells, offer, rank)]


def _columns(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    return [_node(layout, card, "tr", card.cells(offer), offer, rank)]


def _row_pair(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    parts = card.parts(offer, layout.parts)
    cells = [
        h("td", part, colspan="2" if number else None)
        for number, part in enumerate(parts)
    ]
    return [
        _node(layout, card, "tr", cell, offer, rank) if not number else h("tr", cell)
        for number, cell in enumerate(cells)
    ]


def _siblings(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    first, *others = card.parts(offer, layout.parts)
    return [
        _node(layout, card, "div", first, offer, rank),
        *(h("div", part, **card.names.of("body")) for part in others),
    ]


def _definition(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    first, *others = card.parts(offer, layout.parts)
    return [
        _node(layout, card, "dt", first, offer, rank),
        *(h("dd", part) for part in others),
    ]


def _figure(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    [inside] = card.parts(offer, 1)
    first, *rest = inside
    caption = h("figcaption", rest) if rest else None
    return [_node(layout, card, "figure", [first, caption], offer, rank)]


def _table(layout: Layout, card: Card, offer: Offer, rank: int) -> list[Element]:
    first, second = card.parts(offer, 2)
    rows = [h("tr", h("td", first), h("td", second, valign="top"))]
    return [_node(layout, card, "table", rows, offer, rank)]


CONTENT: Mapping[str, Callable[[Layout, Card, Offer, int], list[Element]]] = {
    "list": _simple("li"),
    "divs": _simple("div"),
    "articles": _simple("article"),
    "links": _link,
    "grid": _simple("div"),
    "table-grid": _simple("td"),
    "rows": _row,
    "columns": _columns,
    "row-pairs": _row_pair,
    "sibling-pairs": _siblings,
    "definitions": _definition,
    "figures": _figure,
    "tables": _table,
}


# The container


def _sequence(
    layout: Layout,
    units: Sequence[Sequence[Element]],
    fillers: Fillers,
    wrap: Callable[[Content], Element],
) -> Iterator[Element | Comment]:
    """Records and what is among them, each filler wrapped."""
    yield from map(wrap, fillers.head)
    between = dict(fillers.between)
    for rank, unit in enumerate(units):
        yield from unit
        if rank in between and rank + 1 < len(units):
            yield wrap(between[rank])
        if layout.separated == "comment":
            yield Comment(f" /{layout.key[-5:]} {rank + 1} ")
        elif layout.separated and layout.form in (
            "divs",
            "articles",
            "sibling-pairs",
            "tables",
        ):
            yield h("hr") if layout.separated == "hr" else h("div", class_="clear")
    yield from map(wrap, fillers.tail)


def _listed(container: str, item: str) -> Callable[..., Element]:
    def made(
        layout: Layout, card: Card, units: Sequence[Sequence[Element]], fillers: Fillers
    ) -> Element:
        def wrap(content: Content) -> Element:
            return h(item, content, **card.names.of("advert"))

        inside = list(_sequence(layout, units, fillers, wrap))
        named = {**card.names.of("results"), **card.names.id("results")}
        return h(container, inside, **named)

    return made


def _plain(
    layout: Layout, card: Card, units: Sequence[Sequence[Element]], fillers: Fillers
) -> Element:
    """A container whose fillers stand as they are, if they are elements."""

    def wrap(content: Content) -> Element:
        return content if isinstance(content, Element) else h("div", content)

    inside = list(_sequence(layout, units, fillers, wrap))
    named = {**card.names.of("results"), **card.names.id("results")}
    return h("section" if layout.form == "articles" else "div", inside, **named)


def _rows(
    layout: Layout, card: Card, units: Sequence[Sequence[Element]], fillers: Fillers
) -> Element:
    """A table; its first row names columns where cells hold bare values."""
    width = max(len(unit[0].children) for unit in units)

    def wrap(content: Content) -> Element:
        if isinstance(content, tuple):
            return h("tr", content)
        return h("tr", h("td", content, colspan=str(width)))

    inside: list[Element | Comment] = list(_sequence(layout, units, fillers, wrap))
    if stream(layout.key, "tbody").random() < 0.4:
        inside = [h("tbody", inside)]
    return h("table", inside, **card.names.of("results"), **card.names.id("results"))


def _grid(
    layout: Layout, card: Card, units: Sequence[Sequence[Element]], fillers: Fillers
) -> Element:
    """Rows of so many cells; fillers at the head and the tail are rows, too."""
    table = layout.form == "table-grid"
    cells = [one for unit in units for one in unit]
    for rank, content in sorted(fillers.between, reverse=True):
        if not table and rank + 1 < len(cells):
            cells.insert(rank + 1, h("div", content, **card.names.of("advert")))
    tag = "tr" if table else "div"
    rows = []
    for start in range(0, len(cells), layout.across):
        row = cells[start : start + layout.across]
        if table:
            row += [h("td")] * (layout.across - len(row))
        rows.append(h(tag, row, **({} if table else card.names.of("row"))))

    def wrap(content: Content) -> Element:
        if table:
            return h("tr", h("td", content, colspan=str(layout.across)))
        return h("div", content, **card.names.of("row"))

    inside = [*map(wrap, fillers.head), *rows, *map(wrap, fillers.tail)]
    named = {**card.names.of("results"), **card.names.id("results")}
    return h("table" if table else "div", inside, **named)


CONTAINERS: Mapping[str, Callable[..., Element]] = {
    "list": _listed("ul", "li"),
    "divs": _plain,
    "articles": _plain,
    "links": _plain,
    "sibling-pairs": _plain,
    "tables": _plain,
    "figures": _plain,
    "definitions": _listed("dl", "dd"),
    "rows": _rows,
    "row-pairs": _rows,
    "columns": _rows,
    "grid": _grid,
    "table-grid": _grid,
}
