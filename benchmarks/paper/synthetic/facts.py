"""How facts are marked up: lines, lists, icons, labels beside values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from synthetic.chance import stream, weighted
from synthetic.naming import Naming
from synthetic.offer import Fact, Phrase, joined, values_of
from synthetic.tree import Element, h

ICONS = {
    "bedrooms": "bed", "bathrooms": "bath", "receptions": "sofa",
    "property_type": "home", "legal_status": "key", "year": "calendar",
    "mileage": "road", "fuel_type": "fuel", "transmission": "gears",
    "engine_size": "engine", "colour": "paint", "doors": "door", "make": "car",
    "model": "tag",
}  # fmt: skip
STYLES = {
    "line": 24, "items": 20, "icons": 17, "pairs": 9, "terms": 7, "labelled": 9,
    "rows": 5, "cells": 4, "lines": 5,
}  # fmt: skip
SEPARATORS = {" | ": 24, ", ": 28, " · ": 14, " • ": 12, " / ": 8, " - ": 8, "  ": 6}


@dataclass(frozen=True, slots=True)
class FactStyle:
    """The markup of the facts of one template."""

    key: str
    form: str
    tags: tuple[str, str]
    separator: str
    icon: str
    colon: str
    named: bool
    """Whether each fact has a class of its own."""


def draw_fact_style(key: str) -> FactStyle:
    """The style of one template."""
    rng = stream(key, "facts")
    return FactStyle(
        key=key,
        form=weighted(rng, STYLES),
        tags=weighted(
            rng,
            {
                ("ul", "li"): 45,
                ("div", "span"): 22,
                ("p", "span"): 13,
                ("div", "div"): 14,
                ("ol", "li"): 3,
                ("p", "em"): 3,
            },
        ),
        separator=weighted(rng, SEPARATORS),
        icon=rng.choice(("i", "img", "title", "svg", "class", "hidden-label")),
        colon=weighted(rng, {":": 60, "": 40}),
        named=rng.random() < 0.55,
    )


def facts_block(
    style: FactStyle, names: Naming, facts: Sequence[Fact]
) -> list[Element]:
    """The elements that show the facts; none for no facts."""
    return FORMS[style.form](style, names, facts) if facts else []


def shown(tag: str, spans: Phrase, **attributes: str | None) -> Element:
    """An element that displays a phrase."""
    text = "".join(span.text for span in spans)
    return h(tag, text, values=values_of(spans), **attributes)


def fact_names(style: FactStyle, names: Naming, fact: Fact) -> dict[str, Any]:
    """The class tokens of a fact."""
    word = ICONS.get(fact.type)
    if not (style.named and word) or names.style in ("none", "utility", "short"):
        return names.of("fact")
    return names.of("fact", f"{names.block[:4]}-{word}")


def _line(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """One text: "3 bed · 2 bath · Semi-detached"."""
    spans = joined(style.separator, [fact.phrase() for fact in facts])
    return [shown("p" if style.tags[0] == "p" else "div", spans, **names.of("facts"))]


def _items(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """An element each, with the words around the value."""
    outer, inner = style.tags
    bars = style.separator if inner in ("span", "em") else ""
    parts: list[Element | str] = []
    for fact in facts:
        if parts and bars:
            parts.append(bars)
        parts.append(shown(inner, fact.phrase(), **fact_names(style, names, fact)))
    return [h(outer, parts, **names.of("facts"))]


def _lines(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """Texts with line breaks between them, as "Bedrooms: 3" or "3 bedrooms"."""
    spans = [fact.phrase() for fact in facts]
    children: list[Element | str] = []
    for one in spans:
        children += ["".join(span.text for span in one), h("br")]
    values = [value for one in spans for value in values_of(one)]
    return [h("p", children[:-1], values=values, **names.of("facts"))]


def _icons(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """A bare value beside an icon, whose name says what it is."""
    outer, inner = style.tags
    items = []
    for fact in facts:
        word = ICONS.get(fact.type, "info")
        values = values_of((fact.bare(),))
        match style.icon:
            case "i":
                icon = h("i", class_=f"fa fa-{word}")
                item = h(
                    inner, icon, f" {fact.value}", values=values, **names.of("fact")
                )
            case "img":
                icon = h(
                    "img",
                    src=f"/images/icons/{word}.png",
                    alt=fact.label,
                    width="16",
                    height="16",
                )
                item = h(
                    inner,
                    icon,
                    h("span", fact.value, values=values),
                    **names.of("fact"),
                )
            case "title":
                item = h(
                    inner,
                    fact.value,
                    values=values,
                    title=fact.label,
                    **names.of("fact"),
                )
            case "svg":
                icon = h(
                    "svg",
                    h("use", href=f"/sprite.svg#{word}"),
                    class_="icon",
                    width="16",
                )
                item = h(
                    inner,
                    icon,
                    h("span", fact.value, values=values, **names.of("value")),
                    **names.of("fact"),
                )
            case "class":
                item = h(
                    inner, fact.value, values=values, **names.of("fact", f"icon-{word}")
                )
            case _:
                label = h("span", fact.label, class_="sr-only")
                item = h(
                    inner,
                    label,
                    " ",
                    h("b", fact.value, values=values),
                    **names.of("fact"),
                )
        items.append(item)
    return [h(outer, items, **names.of("facts"))]


def _pairs(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """Label and value in elements of their own."""
    outer, inner = style.tags
    return [
        h(
            outer,
            [
                h(
                    inner,
                    h("span", fact.label + style.colon, **names.of("label")),
                    " ",
                    shown("span", (fact.bare(),), **names.of("value")),
                    **fact_names(style, names, fact),
                )
                for fact in facts
            ],
            **names.of("facts"),
        )
    ]


def _terms(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """A definition list."""
    rows = [(h("dt", f.label + style.colon), shown("dd", (f.bare(),))) for f in facts]
    return [h("dl", rows, **names.of("facts"))]


def _labelled(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """Label and value in one element: "Bedrooms: 3", the value perhaps marked."""
    outer, inner = style.tags
    inner = "li" if outer in ("ul", "ol") else "div"
    outer = "div" if outer == "p" else outer
    bold = style.named
    items = [
        h(
            inner,
            f"{fact.label}: ",
            h("strong", fact.value, values=values_of((fact.bare(),))),
        )
        if bold
        else h(inner, f"{fact.label}: {fact.value}", values=values_of((fact.bare(),)))
        for fact in facts
    ]
    return [h(outer, items, **names.of("facts"))]


def _rows(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """A small table of label and value."""
    head = "th" if style.named else "td"
    rows = [
        h("tr", h(head, f.label + style.colon), shown("td", (f.bare(),))) for f in facts
    ]
    return [h("table", rows, **names.of("facts"))]


def _cells(style: FactStyle, names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """Elements without anything around them."""
    tag = "span" if style.tags[1] == "em" else style.tags[1]
    tag = "div" if tag == "li" else tag
    return [shown(tag, f.phrase(), **fact_names(style, names, f)) for f in facts]


def columns(names: Naming, facts: Sequence[Fact]) -> list[Element]:
    """Table cells of bare values; the head of the table says what they are."""
    return [shown("td", (fact.bare(),), **names.of("fact")) for fact in facts]


FORMS: Mapping[str, Callable[[FactStyle, Naming, Sequence[Fact]], list[Element]]] = {
    "line": _line,
    "lines": _lines,
    "items": _items,
    "icons": _icons,
    "pairs": _pairs,
    "terms": _terms,
    "labelled": _labelled,
    "rows": _rows,
    "cells": _cells,
}
