"""Copy a page for display: number elements, and remove scripts, links and resources.

The copy is shown in a sandboxed frame.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from copy import deepcopy
from typing import Final

from lxml import etree

from amber_wrap.dom.page import NodeId, Page

_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    "base-uri 'none'"
)
"""The content security policy (CSP) of the copy. Only inline styles and `data:` images
are allowed."""
REMOVED_TAGS: Final = frozenset(
    "script noscript template iframe frame frameset object embed applet base link meta "
    "portal animate animatemotion animatetransform set".split()
)
"""The tags of elements that aren't copied, unless a highlighted element is in them."""
_LINKING: Final = frozenset(
    "href action formaction ping srcset src data poster background manifest target "
    "srcdoc xlink:href longdesc cite usemap".split()
)
"""HTML attributes that load a resource, or lead to another page."""
MARK: Final = "data-amber"
"""The attribute that has the numbers of an element's highlights in a page's copy."""
_CONTROL: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]")
"""A pattern of the characters that HTML can't hold."""


def page_snapshot(
    page: Page,
    marks: Mapping[NodeId, list[int]],
    policy: str = _POLICY,
    head: str = "",
) -> str:
    """Return the HTML of a page without scripts, links and external resources.

    The attribute `MARK` of an element gets the numbers in `marks`. `policy` is the
    content security policy (CSP) of the HTML. `head` is HTML that is added at the
    start.
    """
    mark_numbers = {
        page.element_of(node): " ".join(map(str, node_marks))
        for node, node_marks in marks.items()
    }
    page_root = page.element_of(0)
    page_copy = deepcopy(page_root)
    for original, copied in zip(page_root.iter(), page_copy.iter(), strict=True):
        if original in mark_numbers:
            copied.set(MARK, mark_numbers[original])
    for element in list(page_copy.iter()):
        if not isinstance(element.tag, str):
            remove_element(element)
            continue
        if element.tag.lower() in REMOVED_TAGS:
            if not holds_mark(element):
                remove_element(element)
                continue
            element.tag = (
                "div"  # The parser moved the following content into this element.
            )
            element.text = None
        remove_active_attributes(element)
    html: str = etree.tostring(page_copy, encoding="unicode", method="html")
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
    return f"<!DOCTYPE html>{meta}{head}{_CONTROL.sub('', html)}"


def remove_active_attributes(element: etree._Element) -> None:
    """Remove an element's attributes that run scripts, load resources or are links.

    An image in a `data:` URL stays.
    """
    mark = element.get(MARK)
    for name, value in [
        (str(name), str(value)) for name, value in element.attrib.items()
    ]:
        lower = name.lower()
        is_image = lower == "src" and value.lstrip().startswith("data:image/")
        if not (lower.startswith("on") or (lower in _LINKING and not is_image)):
            continue
        if not _CONTROL.search(name):
            del element.attrib[name]
            continue
        element.attrib.clear()  # lxml can't delete attributes with such names.
        if mark:
            element.set(MARK, mark)
        return


def holds_mark(element: etree._Element) -> bool:
    """Return whether an element or one of its descendants is to be highlighted.

    Elements to be highlighted have the attribute `MARK`.
    """
    return any(MARK in inner.attrib for inner in element.iter("*"))


def remove_element(element: etree._Element) -> None:
    """Remove an element from its tree, but keep the element's tail text."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        previous = element.getprevious()
        if previous is not None:
            previous.tail = _CONTROL.sub("", (previous.tail or "") + element.tail)
        else:
            parent.text = _CONTROL.sub("", (parent.text or "") + element.tail)
    parent.remove(element)
