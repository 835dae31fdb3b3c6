"""Show the elements of a saved page that wait for a script to show them.

A page that builds its list in a script often hides it by its style until it is ready,
and so does one that hides all of its body against flicker.  Saved without a browser,
it stays hidden for ever.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lxml import etree

from amber_wrap.dom.blocks import blocks

_HIDDEN_BY_STYLE = etree.XPath(
    '//body/descendant-or-self::*[contains(translate(@style, "DISPLAYNOE ", '
    '"displaynoe"), "display:none")]',
    smart_strings=False,
)


def show_awaited(root: etree._Element) -> None:
    """Remove the styles that hide more text than the page displays.

    Choices of forms count neither way; what `aria-hidden` or `hidden` says, stays.
    """
    displayed: int | None = None
    for box in _outermost(cast("list[etree._Element]", _HIDDEN_BY_STYLE(root))):
        if "hidden" in box.attrib or box.get("aria-hidden") == "true":
            continue
        if displayed is None:
            displayed = _text_length(root)
        style = box.attrib.pop("style")
        if _text_length(box) <= displayed:
            box.set("style", style)


def _outermost(boxes: list[etree._Element]) -> Iterator[etree._Element]:
    """Yield elements, given in document order, that no other of them contains."""
    last: etree._Element | None = None
    for box in boxes:
        if last is None or last not in box.iterancestors():
            last = box
            yield box


def _text_length(node: etree._Element) -> int:
    """Return how many characters a node displays."""
    return sum(map(len, blocks(node)))
