"""How a generated file reads elements whose parts stand apart, as cells do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lxml.etree import _Element

if TYPE_CHECKING:
    from helpers import xpath


def text(node: _Element | str) -> str:
    """The text of an element, parts apart, white space collapsed; no dashes alone."""
    if not isinstance(node, str):
        node = " ".join(xpath(".//text()")(node))
    shown = " ".join(node.split())
    return shown if shown.strip("-./ \u2013\u2014") else ""
