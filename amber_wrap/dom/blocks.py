"""Collect the displayed texts of a tree, split where a block element starts or ends."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from lxml import etree

from amber_wrap.dom.markup import INLINE, collapse, is_hidden

# Elements of forms whose texts are choices or input, not content of the page.
CHOICES: Final = frozenset({"select", "option", "datalist", "textarea"})


def blocks(
    root: etree._Element, without: Collection[etree._Element] = ()
) -> Iterator[str]:
    """Yield the displayed texts of a tree in document order, with white space
    collapsed.

    Hidden elements, choices in forms and the elements in `without` are left out.
    """
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    pending: list[str] = []
    left_out: etree._Element | None = None
    for event, one in walk:
        is_element = event in ("start", "end")
        if left_out is None and is_element and one.tag not in INLINE:
            if text := collapse("".join(pending)):
                yield text
            pending.clear()
        if event == "start" and left_out is None:
            if one.tag in CHOICES or one in without or is_hidden(one):
                left_out = one
                walk.skip_subtree()
            else:
                pending.append(one.text or "")
        elif event != "start":
            if one is left_out:
                left_out = None
            if left_out is None and one is not root:
                pending.append(one.tail or "")
    if text := collapse("".join(pending)):
        yield text
