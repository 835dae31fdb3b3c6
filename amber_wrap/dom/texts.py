"""Collect the displayed texts of a tree: between block elements, or of each element."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from lxml import etree

from amber_wrap.dom.markup import INLINE, collapse, is_hidden, text_of
from amber_wrap.values.regular_expressions import SEARCHED

_SPACE: Final = re.compile(r"\s+")
# Elements of forms whose texts are choices or input, not content of the page.
CHOICES: Final = frozenset({"select", "option", "datalist", "textarea"})


def texts_within(
    root: etree._Element, without: Collection[etree._Element] = ()
) -> Iterator[tuple[etree._Element, str]]:
    """Yield each element of a tree with its displayed text (`dom.markup.text_of`),
    inner elements first.

    A text of more than `SEARCHED` characters is replaced by "". The elements in
    `without` and their descendants are left out.
    """
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    around: list[list[str]] = []
    for event, one in walk:
        if event == "start":
            around.append([one.text or ""])
            if one in without:
                walk.skip_subtree()
            continue
        shown = ""
        if event == "end":
            parts = around.pop()
            if one in without:
                shown = text_of(one)
            else:
                shown = "" if is_hidden(one) else _shortened("".join(parts))
                text = collapse(shown)
                yield one, text if len(text) <= SEARCHED else ""
            gap = "" if one.tag in INLINE else " "
            shown = gap + shown + gap
        if around:
            around[-1].append(shown + (one.tail or ""))


def _shortened(text: str) -> str:
    """Return a text, cut to little more than `SEARCHED` characters.

    A text that was cut remains too long to be searched.
    """
    if len(text) <= SEARCHED:
        return text
    return _SPACE.sub(" ", text)[: SEARCHED + 2]


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
