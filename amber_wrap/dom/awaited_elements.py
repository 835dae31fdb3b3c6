"""Display hidden elements that a script would display later."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from lxml import etree

from amber_wrap.dom.displayed_texts import blocks
from amber_wrap.dom.hidden_elements import is_hidden_by_style

_STYLED = etree.XPath("//body/descendant-or-self::*[@style]", smart_strings=False)


def display_awaited(root: etree._Element) -> None:
    """Make hidden elements visible that contain more text than the page displays.

    A script would display these elements later, so the attribute `style` that hides
    them is removed. Elements without a link, or with `hidden` or `aria-hidden="true"`,
    stay hidden.
    """
    displayed_length: int | None = None
    styled = cast("list[etree._Element]", _STYLED(root))
    for element in _outermost(filter(is_hidden_by_style, styled)):
        if "hidden" in element.attrib or element.get("aria-hidden") == "true":
            continue
        # Records have links; data for scripts have none.
        if element.find(".//a[@href]") is None:
            continue
        if displayed_length is None:
            displayed_length = _text_length(root)
        style = element.attrib.pop("style")
        if _text_length(element) <= displayed_length:
            element.set("style", style)


def _outermost(elements: Iterable[etree._Element]) -> Iterator[etree._Element]:
    """Yield the elements in `elements` that have no ancestor in `elements`.

    `elements` must be in document order.
    """
    outermost: etree._Element | None = None
    for element in elements:
        if outermost is None or outermost not in element.iterancestors():
            outermost = element
            yield element


def _text_length(node: etree._Element) -> int:
    """Return the number of characters that an element displays."""
    return sum(map(len, blocks(node)))
