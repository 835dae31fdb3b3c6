"""Build pages as XML in which records and values are marked, and write them as HTML.

Jinja templates make the XML. An element with the attribute `record` is a top node of a
record. An element with the attribute `shows` displays values of a record. `truth`
returns the marked records. `draw_hand` and `write_page` write HTML with the habits of
an author: quotes, case, end tags, white space, encoding.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from lxml import etree
from markupsafe import Markup

from synthetic.random_choices import Style, drawn, weighted

TEMPLATES = Path(__file__).parent / "templates"
"""The folder of the Jinja templates."""
RECORD, SHOWS = "record", "shows"
"""The XML attributes that mark records and values. HTML doesn't have them."""


@dataclass(frozen=True, slots=True)
class Term:
    """A place name in a location. `kind` is "street", "hamlet", "town" or "county"."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a record that an element shows, with its attribute type.

    `source` is "text", or the name of an HTML attribute with "@", such as "@href".
    `terms` are the place names in a location.
    """

    type: str
    text: str
    source: str = "text"
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class TrueValue:
    """A value that a finished page shows, with the XPath of its element."""

    value: Value
    xpath: str


@dataclass(slots=True)
class TrueRecord:
    """A record of a finished page.

    It has the XPaths of its top nodes, and the first value of each attribute type.
    """

    nodes: list[str]
    values: dict[str, TrueValue]


@cache
def environment() -> Environment:
    """Return the environment of the Jinja templates.

    Other modules add functions to its globals.
    """
    jinja = Environment(
        loader=FunctionLoader(_source), autoescape=True, undefined=StrictUndefined
    )
    jinja.globals.update(shows=shows, elements=elements)
    return jinja


def _source(name: str) -> str:
    """Return the text of a template without line breaks and indentation."""
    lines = (TEMPLATES / name).read_text("utf-8").splitlines()
    return "".join(map(str.strip, lines))


@cache
def macros(name: str) -> Any:
    """Return the Jinja macros of `templates/NAME.html`, as functions that return
    Markup.
    """
    return environment().get_template(f"{name}.html").module


def attributes(**values: str) -> Markup:
    """Return HTML attributes as they are written in a tag. Empty ones are left out."""
    pairs = ((name, value) for name, value in values.items() if value)
    return Markup("").join(Markup(' {}="{}"').format(*pair) for pair in pairs)


def shows(values: Iterable[Value]) -> Markup:
    """Return the XML attribute `shows`, which lists the values that an element shows.

    Return "" if there are none.
    """
    data = [[*astuple(value)[:3], [*map(astuple, value.terms)]] for value in values]
    return attributes(shows=json.dumps(data)) if data else Markup("")


def parsed(markup: str) -> etree._Element:
    """Return the element that a piece of markup consists of."""
    return etree.fromstring(markup, etree.XMLParser(huge_tree=True))


def elements(markup: str) -> list[Markup]:
    """Return the elements of a piece of markup."""
    root = parsed(f"<a>{markup}</a>")
    return [Markup(etree.tostring(element, encoding="unicode")) for element in root]


def _marked_values(element: etree._Element) -> Iterator[Value]:
    """Yield the values in an element's XML attribute `shows`."""
    for kind, text, source, terms in json.loads(element.get(SHOWS, "[]")):
        yield Value(kind, text, source, tuple(Term(*term) for term in terms))


def truth(root: etree._Element) -> dict[str, list[TrueRecord]]:
    """Return the marked records of a page by the name of their list, in document order.

    Raise ValueError for a value outside of a record.
    """
    areas: dict[str, dict[str, TrueRecord]] = {}

    def visit(element: etree._Element, path: str, record: TrueRecord | None) -> None:
        if record_mark := element.get(RECORD):
            area, _, rank = record_mark.rpartition("/")
            record = areas.setdefault(area, {}).setdefault(rank, TrueRecord([], {}))
            record.nodes.append(path)
        for value in _marked_values(element):
            if record is None:
                raise ValueError(f"{path} shows values outside of a record")
            record.values.setdefault(value.type, TrueValue(value, path))
        tag_counts: Counter[str] = Counter()
        for child in element.iterchildren("*"):
            tag_counts[child.tag] += 1
            visit(child, f"{path}/{child.tag}[{tag_counts[child.tag]}]", record)

    visit(root, f"/{root.tag}", None)
    return {name: list(records.values()) for name, records in areas.items()}


VOID = frozenset(
    "area base br col embed hr img input link meta param source wbr".split()
)
"""The tags of elements without content."""
BLOCK = frozenset(
    "html head body div ul ol li dl dt dd table thead tbody tfoot tr td th p section "
    "article header footer nav aside main form fieldset figure figcaption h1 h2 h3 h4 "
    "h5 h6 select option blockquote address hr script style link meta title".split()
)
"""The tags of elements that begin a new line in indented HTML."""
IMPLIED_ENDS = frozenset("li dt dd tr td th option".split())
"""The tags of elements whose end tags may be left out in HTML."""
RAW = frozenset({"script", "style"})
"""The tags of elements whose text isn't escaped."""
BOOLEAN = frozenset({"checked", "disabled", "required", "selected"})
"""The HTML attributes without a value."""


def draw_hand(rng: Random) -> Style:
    """Draw the habits with which an author writes HTML.

    If `indent` is None, everything is in one line. If `slashed`, elements without
    content end with a slash, as in XHTML. If `entities`, characters outside of ASCII
    are numeric entities. If `mark`, the file begins with a byte order mark.
    """
    is_old = rng.random() < 0.12
    encoding = weighted(rng, {"utf-8": 85, "cp1252": 15})
    return Style(
        indent=weighted(rng, {"  ": 30, "\t": 25, "    ": 20, "": 10, None: 15}),
        **drawn(rng, "hand"),
        upper=is_old and rng.random() < 0.5,
        closes_all=not is_old and rng.random() < 0.95,
        **drawn(rng, "hand-details"),
        encoding=encoding,
        declares=rng.random() < 0.93,
        mark=encoding == "utf-8" and rng.random() < 0.03,
    )


def write_page(root: etree._Element, doctype: str, habits: Style) -> bytes:
    """Return the bytes of a page, written with an author's habits."""
    doctype_lines = [doctype] if doctype else []
    body = "".join(_element_html(root, habits, 0)).strip()
    text = "\n".join([*doctype_lines, body]) + "\n"
    if habits.newline != "\n":
        text = text.replace("\n", habits.newline)
    byte_order_mark = b"\xef\xbb\xbf" if habits.mark else b""
    return byte_order_mark + text.encode(habits.encoding, "xmlcharrefreplace")


def _element_html(element: etree._Element, habits: Style, depth: int) -> Iterator[str]:
    """Yield the HTML of an element in pieces."""
    tag = element.tag.upper() if habits.upper else element.tag
    indentation = _indentation(element.tag, habits, depth)
    yield f"{indentation}<{tag}"
    for name, value in element.items():
        if name not in (RECORD, SHOWS):
            yield " " + _attribute_html(name, value, habits)
    yield " />" if element.tag in VOID and habits.slashed else ">"
    if element.tag in VOID:
        return
    is_raw = element.tag in RAW
    yield _text_html(element.text, habits, is_raw)
    for child in element:
        if isinstance(child.tag, str):
            yield from _element_html(child, habits, depth + 1)
        else:
            yield f"{_indentation('div', habits, depth + 1)}<!--{child.text}-->"
        yield _text_html(child.tail, habits, is_raw)
    if habits.closes_all or element.tag not in IMPLIED_ENDS:
        yield indentation if any(child.tag in BLOCK for child in element) else ""
        yield f"</{tag}>"


def _text_html(text: str | None, habits: Style, is_raw: bool) -> str:
    """Return a text as HTML. If `is_raw`, the text isn't escaped, as in a script."""
    return (text or "") if is_raw else escape(text or "", habits)


def _indentation(tag: str, habits: Style, depth: int) -> str:
    """Return the line break and indentation before a tag, or "" for an inline
    element.
    """
    if habits.indent is None or tag not in BLOCK:
        return ""
    return "\n" + habits.indent * depth


def _attribute_html(name: str, value: str, habits: Style) -> str:
    """Return an HTML attribute as an author with the given habits writes it."""
    is_boolean = name in BOOLEAN
    if habits.upper:
        name = name.upper()
    if is_boolean:
        return f'{name}="{name}"' if habits.long_booleans else name
    escaped = escape(value, habits)
    quote = habits.quote or ("" if value.replace("-", "").isalnum() else '"')
    if quote in escaped:
        quote = '"' if quote else quote
    escaped = escaped.replace('"', "&quot;") if quote == '"' else escaped
    return f"{name}={quote}{escaped}{quote}"


def escape(text: str, habits: Style) -> str:
    """Return a displayed text as HTML, as an author with the given habits writes it."""
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = escaped.replace("£", habits.pound).replace("\xa0", "&nbsp;")
    if habits.entities:
        escaped = escaped.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return escaped
