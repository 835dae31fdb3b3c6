"""Recognise elements that a browser never displays, or that styles and classes hide."""

from __future__ import annotations

from typing import Final

from lxml import etree

UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "head"})
"""The tags of elements whose content is never displayed."""


def is_hidden(node: etree._Element) -> bool:
    """Return whether an element is hidden by its own tag, attributes or style.

    The ancestors of the element aren't checked.
    """
    names = node.keys()
    return (
        node.tag in UNSEEN
        or "hidden" in names
        or ("class" in names and classes_hide(node.get("class", "")))
        or ("style" in names and is_hidden_by_style(node))
    )


def is_hidden_by_style(node: etree._Element) -> bool:
    """Return whether an element's style attribute has `display: none`."""
    return "display:none" in node.get("style", "").replace(" ", "").lower()


def classes_hide(classes: str) -> bool:
    """Return whether the value of a class attribute hides the element on all screens.

    Return True for "d-none", but False for "d-none d-md-block".
    """
    if "-none" not in classes:
        return False
    display_tokens = {
        token
        for token in classes.split()
        if token.startswith(("d-", "display-")) and not token.startswith("d-print-")
    }
    return display_tokens in ({"d-none"}, {"display-none"})
