"""How a generated file reads elements in which some parts stand apart, as paragraphs
do, and others don't, as links."""

from __future__ import annotations

from lxml.etree import _Element

INLINE = (
    " a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr "
)


def text(node: _Element | str) -> str:
    """The displayed text of an element, white space collapsed; no dashes alone."""
    shown = " ".join((node if isinstance(node, str) else displayed(node)).split())
    return shown if shown.strip("-./ \u2013\u2014") else ""


def displayed(node: _Element) -> str:
    """Its text; what is not inline stands apart."""
    if not isinstance(node.tag, str) or node.tag in ("script", "style", "noscript"):
        return ""
    gap = "" if f" {node.tag} " in INLINE else " "
    parts = [displayed(child) + (child.tail or "") for child in node]
    return gap + (node.text or "") + "".join(parts) + gap
