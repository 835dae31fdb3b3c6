"""Build pages from templates as XML that marks records and values; read the truth off.

The templates are Jinja macros in `templates/`; line breaks and the indentation of their
lines are no content.  An element with `record="AREA/RANK"` is a top node of a record,
one with `shows` (JSON) displays values of a record.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from lxml import etree
from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
RECORD, SHOWS = "record", "shows"


@dataclass(frozen=True, slots=True)
class Term:
    """A name in a location: `kind` is "street", "hamlet", "town" or "county"."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute that an element shows: in its text or in an HTML attribute."""

    type: str
    text: str
    source: str = "text"
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class TrueValue:
    """A value in a finished page: `xpath` is that of its element."""

    value: Value
    xpath: str


@dataclass(slots=True)
class TrueRecord:
    """A record in a finished page: its top nodes and the first value of each type."""

    nodes: list[str]
    values: dict[str, TrueValue]


@cache
def environment() -> Environment:
    """Return the environment of the templates; modules add to its globals."""
    env = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined
    )
    env.globals.update(shows=shows, elements=elements)
    return env


def _source(name: str) -> str:
    lines = (TEMPLATES / name).read_text("utf-8").splitlines()
    return "".join(map(str.strip, lines))


@cache
def macros(name: str) -> Any:
    """Return the macros of `templates/NAME.html` as functions that give Markup."""
    return environment().get_template(f"{name}.html").module


def attributes(**named: str) -> Markup:
    """Return HTML attributes as they stand in a tag; empty ones are left out."""
    pairs = ((name, value) for name, value in named.items() if value)
    return Markup("").join(Markup(' {}="{}"').format(*pair) for pair in pairs)


def shows(values: Iterable[Value]) -> Markup:
    """Return the attribute that marks an element as the place of values."""
    told = [
        [v.type, v.text, v.source, [[t.kind, t.name] for t in v.terms]] for v in values
    ]
    return attributes(shows=json.dumps(told)) if told else Markup("")


def parsed(markup: str) -> etree._Element:
    """Return the element that a piece of markup is."""
    return etree.fromstring(markup, etree.XMLParser(huge_tree=True))


def elements(markup: str) -> list[Markup]:
    """Return the elements of a piece of markup one by one."""
    root = parsed(f"<a>{markup}</a>")
    return [Markup(etree.tostring(one, encoding="unicode")) for one in root]


def _values(element: etree._Element) -> Iterator[Value]:
    for kind, text, source, terms in json.loads(element.get(SHOWS, "[]")):
        yield Value(kind, text, source, tuple(Term(*one) for one in terms))


def truth(root: etree._Element) -> dict[str, list[TrueRecord]]:
    """Return the records of a page by data area, in document order.

    Raises ValueError for a value outside of a record.
    """
    areas: dict[str, dict[str, TrueRecord]] = {}

    def visit(element: etree._Element, path: str, record: TrueRecord | None) -> None:
        if mark := element.get(RECORD):
            area, _, rank = mark.rpartition("/")
            record = areas.setdefault(area, {}).setdefault(rank, TrueRecord([], {}))
            record.nodes.append(path)
        for value in _values(element):
            if record is None:
                raise ValueError(f"{path} shows values outside of a record")
            record.values.setdefault(value.type, TrueValue(value, path))
        seen: Counter[str] = Counter()
        for child in element.iterchildren("*"):
            seen[child.tag] += 1
            visit(child, f"{path}/{child.tag}[{seen[child.tag]}]", record)

    visit(root, f"/{root.tag}", None)
    return {name: list(records.values()) for name, records in areas.items()}
