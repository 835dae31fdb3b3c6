"""Read the text of an element, with blanks between blocks, such as paragraphs.

Inline elements, such as links, don't separate words.
"""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

from lxml.etree import _Element, tostring

if TYPE_CHECKING:
    from helpers import regex

UNSEEN = ("noscript", "script", "style")
MARKUP = (  # Markup that doesn't separate words.
    r"(?s)<!--.*?-->|<\?.*?>|<(script|style|noscript)\b(?:[^>]*/>|.*?</\1>)|</?(?:a|abbr"
    "|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s"
    r"|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?![\w:-])[^>]*>"
)


def text(node: _Element | str) -> str:
    """Return the displayed text of an element in one line, or "" for a mere dash."""
    if not isinstance(node, str) and (len(node) or node.tag in UNSEEN):
        html = tostring(node, encoding="unicode", with_tail=False)
        node = unescape(regex("<[^>]*>").sub(" ", regex(MARKUP).sub("", html)))
    line = " ".join((node if isinstance(node, str) else node.text or "").split())
    return line if line.strip("-./ \u2013\u2014") else ""
