"""Read the texts in an element whose parts are separate, such as cells of a row."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.etree import _Element

if TYPE_CHECKING:
    from helpers import xpath


def text(node: _Element | str) -> str:
    """Return the texts in an element, joined by blanks, or "" for a mere dash."""
    if not isinstance(node, str):
        node = " ".join(xpath(".//text()")(node)) if len(node) else node.text or ""
    line = " ".join(node.split())
    return line if line.strip("-./ \u2013\u2014") else ""
