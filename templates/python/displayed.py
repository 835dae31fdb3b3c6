"""Read the displayed text of an element that contains hidden elements.

The function `text` replaces the one of `blocks`.
"""

from __future__ import annotations

import re

from lxml.etree import _Element, iterwalk

UNSEEN = ("head", "noscript", "script", "style", "template")
INLINE = set(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark"
    "|nobr|q|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr".split("|")
)


def text(node: _Element | str) -> str:
    """Return the displayed text of an element in one line, or "" for a mere dash."""
    line = " ".join((node if isinstance(node, str) else displayed(node)).split())
    return line if line.strip("-./ \u2013\u2014") else ""


def displayed(node: _Element) -> str:
    """Return the text without hidden elements, with blanks between blocks."""
    parts = []
    walk = iterwalk(node, ("start", "end", "comment", "pi"))
    for event, inner in walk:
        if event == "start" and hidden(inner):
            walk.skip_subtree()
            continue
        part = inner.text if event == "start" else inner.tail
        is_block = event in ("start", "end") and inner.tag not in INLINE
        parts.append(" " * is_block + (part or ""))
    return "".join(parts[:-1])


def hidden(node: _Element) -> bool:
    """Return whether an element is hidden, without regard to its ancestors."""
    classes = node.get("class") or ""
    is_off = "d-none" in classes and re.findall(r"(?<!\S)d-\S*", classes) == ["d-none"]
    return (
        is_off
        or node.tag in UNSEEN
        or node.get("hidden") is not None
        or "display:none" in node.get("style", "").replace(" ", "").lower()
    )
