"""How a generated file reads elements in which some parts stand apart, as paragraphs
do, and others don't, as links."""

from __future__ import annotations

from html import unescape
from typing import TYPE_CHECKING

from lxml.etree import _Element, tostring

if TYPE_CHECKING:
    from helpers import regex

UNSEEN = ("noscript", "script", "style")
MARKUP = (  # What parts no words.
    r"(?s)<!--.*?-->|<\?.*?>|<(script|style|noscript)\b(?:[^>]*/>|.*?</\1>)|</?(?:a|abbr"
    "|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|ins|kbd|label|mark|nobr|q|s"
    r"|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr)(?![\w:-])[^>]*>"
)


def text(node: _Element | str) -> str:
    """The displayed text of an element, white space collapsed; no dashes alone."""
    if not isinstance(node, str) and (len(node) or node.tag in UNSEEN):
        html = tostring(node, encoding="unicode", with_tail=False)
        node = unescape(regex("<[^>]*>").sub(" ", regex(MARKUP).sub("", html)))
    shown = " ".join((node if isinstance(node, str) else node.text or "").split())
    return shown if shown.strip("-./ \u2013\u2014") else ""
