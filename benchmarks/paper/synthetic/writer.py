"""Write HTML as a site does: quotes, case, end tags, white space, encoding."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lxml import etree

from synthetic.chance import Style, drawn, weighted
from synthetic.markup import RECORD, SHOWS

VOID = frozenset(
    "area base br col embed hr img input link meta param source wbr".split()
)
BLOCK = frozenset(
    "html head body div ul ol li dl dt dd table thead tbody tfoot tr td th p section "
    "article header footer nav aside main form fieldset figure figcaption h1 h2 h3 h4 "
    "h5 h6 select option blockquote address hr script style link meta title".split()
)
IMPLIED_ENDS = frozenset("li dt dd tr td th option".split())
"""Elements whose end tags HTML lets authors leave out."""
RAW = frozenset({"script", "style"})
BOOLEAN = frozenset({"checked", "disabled", "required", "selected"})


def draw_hand(rng: Random) -> Style:
    """Draw the habits of whoever wrote a template.

    Without an `indent` all is in one line; `slashed` are void elements as in XHTML,
    `entities` numeric ones for what is not ASCII, `mark` is that of byte order.
    """
    old = rng.random() < 0.12
    encoding = weighted(rng, {"utf-8": 85, "cp1252": 15})
    return Style(
        indent=weighted(rng, {"  ": 30, "\t": 25, "    ": 20, "": 10, None: 15}),
        **drawn(rng, "hand"),
        upper=old and rng.random() < 0.5,
        closes_all=not old and rng.random() < 0.95,
        **drawn(rng, "hand-details"),
        encoding=encoding,
        declares=rng.random() < 0.93,
        mark=encoding == "utf-8" and rng.random() < 0.03,
    )


def write_page(root: etree._Element, doctype: str, hand: Style) -> bytes:
    """Return the bytes of a page."""
    lines = [doctype] if doctype else []
    body = "".join(_element(root, hand, 0)).strip()
    text = "\n".join([*lines, body]) + "\n"
    if hand.newline != "\n":
        text = text.replace("\n", hand.newline)
    mark = b"\xef\xbb\xbf" if hand.mark else b""
    return mark + text.encode(hand.encoding, "xmlcharrefreplace")


def _element(element: etree._Element, hand: Style, depth: int) -> Iterator[str]:
    tag = element.tag.upper() if hand.upper else element.tag
    pad = _pad(element.tag, hand, depth)
    yield f"{pad}<{tag}"
    for name, value in element.items():
        if name not in (RECORD, SHOWS):
            yield " " + _attribute(name, value, hand)
    yield " />" if element.tag in VOID and hand.slashed else ">"
    if element.tag in VOID:
        return
    is_raw = element.tag in RAW
    yield _text(element.text, hand, is_raw)
    for child in element:
        if isinstance(child.tag, str):
            yield from _element(child, hand, depth + 1)
        else:
            yield f"{_pad('div', hand, depth + 1)}<!--{child.text}-->"
        yield _text(child.tail, hand, is_raw)
    if hand.closes_all or element.tag not in IMPLIED_ENDS:
        yield pad if any(child.tag in BLOCK for child in element) else ""
        yield f"</{tag}>"


def _text(text: str | None, hand: Style, is_raw: bool) -> str:
    return (text or "") if is_raw else escape(text or "", hand)


def _pad(tag: str, hand: Style, depth: int) -> str:
    if hand.indent is None or tag not in BLOCK:
        return ""
    return "\n" + hand.indent * depth


def _attribute(name: str, value: str, hand: Style) -> str:
    is_boolean = name in BOOLEAN
    if hand.upper:
        name = name.upper()
    if is_boolean:
        return f'{name}="{name}"' if hand.long_booleans else name
    shown = escape(value, hand)
    quote = hand.quote or ("" if value.replace("-", "").isalnum() else '"')
    if quote in shown:
        quote = '"' if quote else quote
    shown = shown.replace('"', "&quot;") if quote == '"' else shown
    return f"{name}={quote}{shown}{quote}"


def escape(text: str, hand: Style) -> str:
    """Return displayed text as HTML."""
    shown = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    shown = shown.replace("£", hand.pound).replace("\xa0", "&nbsp;")
    if hand.entities:
        shown = shown.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return shown
