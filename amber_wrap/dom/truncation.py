"""Detect pages that were cut off before their end, and cut off pages that are too
long.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

from lxml import etree

from amber_wrap.dom.hidden_elements import UNSEEN
from amber_wrap.errors import Diagnostic

OPTIONAL_END_TAGS: Final = frozenset(
    b"html head body li dt dd p rt rp optgroup option colgroup caption thead tbody"
    b" tfoot tr td th".split()
)
"""The tags of elements whose end tag may be left out (HTML, "Optional tags")."""
VOID: Final = frozenset(
    b"area base br col embed frame hr img input link meta param source track wbr"
    b" basefont bgsound keygen".split()
)
"""The tags of elements that have no end tag (HTML, "Void elements")."""
_DOCUMENT_END: Final = re.compile(rb"</(?:html|body)\s*>", re.I)
"""Matches an end tag that closes a whole document."""
RAW_TEXT: Final = re.compile(
    rb"<!--.*?(?P<end>-->|\Z)|<(?P<name>script|style|textarea|title|xmp|iframe|noembed"
    rb"|noframes)\b[^<>]*>.*?(?P<tag></(?P=name)\s*>|\Z)",
    re.I | re.S,
)
"""Matches a comment, or an element whose content isn't parsed for tags.

The match extends to the end of the page if the end of the comment, or the end tag, is
missing.
"""
_TAG: Final = re.compile(rb"<(/?)([a-z][^\s<>/]*)[^<>]*?(/?)>", re.I)
_INCOMPLETE_TAG: Final = re.compile(rb"</?[a-z][^<>]*\Z", re.I)
"""Matches an incomplete tag at the end of a page."""

SAMPLE_BUDGET: Final = 1_200_000
"""The greatest size of the analysed part of a sample page, in characters.

An element counts as 10 characters. Real pages are far smaller. The size is limited
instead of the time, so that the result is the same on every machine.
"""
_ELEMENT_COST: Final = 10
"""The number of characters that an element counts as, when a page's size is measured.
"""


class Ending(NamedTuple):
    """The signs at the end of a page's bytes that show whether the page is complete."""

    closed: bool
    """Whether the bytes have the end tag of `html` or `body`."""
    open: int = 0
    """The number of elements, comments and tags that are still open at the end.

    Elements with an optional end tag aren't counted.
    """


WHOLE_PAGE: Final = Ending(closed=True)
"""The result of `ending_of` for a page with an end tag of `html` or `body`."""


def ending_of(body: bytes) -> Ending:
    """Return the signs that show whether the bytes of a page are complete.

    `body` is in UTF-16 or an encoding that extends ASCII.
    """
    unfinished = 0

    def drop_raw_text(raw_text: re.Match[bytes]) -> bytes:
        nonlocal unfinished
        if not (raw_text["end"] or raw_text["tag"]):
            unfinished += 1
        return b""

    # UTF-16 encodes ASCII characters with a null byte each.
    markup = RAW_TEXT.sub(drop_raw_text, body.replace(b"\x00", b""))
    if _DOCUMENT_END.search(markup):
        return Ending(closed=True)
    if _INCOMPLETE_TAG.search(markup, max(0, markup.rfind(b"<"))):
        unfinished += 1
    return Ending(closed=False, open=len(open_at_end(markup)) + unfinished)


def open_at_end(markup: bytes) -> list[bytes]:
    """Return the tags of the elements that are open at the end of HTML markup, outer
    elements first.

    Elements with an optional end tag are left out.
    """
    # A parser would close open elements silently, so the bytes are examined.
    open_tags: list[bytes] = []
    open_counts: Counter[bytes] = Counter()
    for end_slash, name, empty_slash in _TAG.findall(markup):
        tag = name.lower()
        if not end_slash and not empty_slash and tag not in VOID:
            open_tags.append(tag)
            open_counts[tag] += 1
        elif end_slash and open_counts[tag]:
            while (inner_tag := open_tags.pop()) != tag:
                open_counts[inner_tag] -= 1
            open_counts[tag] -= 1
    return [tag for tag in open_tags if tag not in OPTIONAL_END_TAGS]


def cut_to_budget(root: etree._Element, budget: int) -> Diagnostic | None:
    """Remove from a tree all text and elements beyond `budget` characters.

    An element counts as 10 characters. Return a warning with the line of the cut, or
    None if nothing was removed.
    """
    left = budget
    for event, node in etree.iterwalk(root, events=("start", "end")):
        if event == "start":
            text = "" if node.tag in UNSEEN else (node.text or "").strip()
            left -= len(text) + _ELEMENT_COST
        else:
            text = (node.tail or "").strip()
            left -= len(text)
        if left >= 0:
            continue
        if event == "start":
            node[:] = []
            node.text, node.tail = text[:left], None
        else:
            node.tail = text[:left]
        for element in (node, *node.iterancestors()):
            if (parent := element.getparent()) is not None:
                del parent[parent.index(element) + 1 :]
            if element is not node:
                element.tail = None
        return Diagnostic(
            "warning",
            "page-budget",
            f"only the first {budget:,} characters of this page are read (an "
            f"element counts as {_ELEMENT_COST}): the rest is neither learned from nor "
            "checked",
            f"line {node.sourceline}",
        )
    return None


def truncation_message(count: int, usual: int) -> str:
    """Return the message for the user that a page is truncated.

    The page has `count` records, and the largest sample page has `usual` records.
    """
    if not count:
        return "the page ends in the middle, before any record"
    if count < usual:
        return f"the page ends in the middle: {count} of about {usual} records"
    return f"the page ends in the middle, after {count} records: there may be more"
