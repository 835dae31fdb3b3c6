"""The text of elements as it is displayed: instead of `helpers.text` where that
differs."""

from __future__ import annotations

import re

from lxml.etree import _Element

UNSEEN = {"head", "noscript", "script", "style", "template"}
INLINE = (
    " a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr "
)


def text(node: _Element | str) -> str:
    """The displayed text of an element, white space collapsed."""
    return " ".join("".join([node] if isinstance(node, str) else parts(node)).split())


def parts(node: _Element) -> list[str]:
    """Its texts if it is displayed; what is not inline stands apart."""
    if not isinstance(node.tag, str) or hidden(node):
        return []
    gap = "" if f" {node.tag} " in INLINE else " "
    shown = [gap, node.text or ""]
    for child in node:
        shown += [*parts(child), child.tail or ""]
    return [*shown, gap]


def hidden(node: _Element) -> bool:
    """Whether an element isn't displayed."""
    classes = node.get("class", "")
    is_off = "d-none" in classes and re.findall(r"(?<!\S)d-\S*", classes) == ["d-none"]
    return (
        is_off
        or node.tag in UNSEEN
        or node.get("hidden") is not None
        or "display:none" in node.get("style", "").replace(" ", "").lower()
    )
