"""Display the elements of a saved page that are hidden until a script runs.

Some pages hide their body or a list of results until a script has run. In a page that
was saved without a browser, no script ever runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import cast

from lxml import etree

from amber_wrap.dom.blocks import blocks
from amber_wrap.dom.markup import is_hidden_by_style

_STYLED = etree.XPath("//body/descendant-or-self::*[@style]", smart_strings=False)


def show_awaited(root: etree._Element) -> None:
    """Display each element whose style hides more text than the page displays.

    An element is displayed by removing its `style` attribute. Elements without links
    stay hidden, as do elements with `hidden` or `aria-hidden="true"`.
    """
    displayed: int | None = None
    styled = cast("list[etree._Element]", _STYLED(root))
    for box in _outermost(filter(is_hidden_by_style, styled)):
        if "hidden" in box.attrib or box.get("aria-hidden") == "true":
            continue
        # Records have links; data for scripts have none.
        if box.find(".//a[@href]") is None:
            continue
        if displayed is None:
            displayed = _text_length(root)
        style = box.attrib.pop("style")
        if _text_length(box) <= displayed:
            box.set("style", style)


def _outermost(boxes: Iterable[etree._Element]) -> Iterator[etree._Element]:
    """Yield the elements in `boxes` that no other element in `boxes` contains.

    `boxes` must be in document order.
    """
    last: etree._Element | None = None
    for box in boxes:
        if last is None or last not in box.iterancestors():
            last = box
            yield box


def _text_length(node: etree._Element) -> int:
    """Return the number of characters that an element displays."""
    return sum(map(len, blocks(node)))
