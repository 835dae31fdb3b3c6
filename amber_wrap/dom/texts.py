"""Compute the displayed text of each element of a tree in one walk."""

import re
from collections.abc import Collection, Iterator
from typing import Final

from lxml import etree

from amber_wrap.dom.markup import INLINE, collapse, is_hidden, text_of
from amber_wrap.values.patterns import SEARCHED

_SPACE: Final = re.compile(r"\s+")


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
