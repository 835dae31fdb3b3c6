"""Detect pages that were cut off before their end.

A parser closes open elements silently at the end of input, so the bytes are examined
instead of the tree.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final, NamedTuple

# End tags that authors may leave out (HTML, "Optional tags"), and elements that have
# none ("Void elements").
OPTIONAL: Final = frozenset(
    b"html head body li dt dd p rt rp optgroup option colgroup caption thead tbody"
    b" tfoot tr td th".split()
)
VOID: Final = frozenset(
    b"area base br col embed frame hr img input link meta param source track wbr"
    b" basefont bgsound keygen".split()
)
# The end tags that close a whole document.
_CLOSED: Final = re.compile(rb"</(?:html|body)\s*>", re.I)
# Comments and elements whose content is text up to the end tag, or to the end of the
# page.
RAW: Final = re.compile(
    rb"<!--.*?(?P<end>-->|\Z)|<(?P<name>script|style|textarea|title|xmp|iframe|noembed"
    rb"|noframes)\b[^<>]*>.*?(?P<tag></(?P=name)\s*>|\Z)",
    re.I | re.S,
)
_TAG: Final = re.compile(rb"<(/?)([a-z][^\s<>/]*)[^<>]*?(/?)>", re.I)
# An incomplete tag at the end of a page.
_PART: Final = re.compile(rb"</?[a-z][^<>]*\Z", re.I)


class Ending(NamedTuple):
    """A finding on whether the bytes of a page are complete.

    `closed` is true if the bytes contain the end tag of `html` or `body`. Otherwise,
    `open` is the number of unfinished elements, comments and tags. Elements with an
    optional end tag don't count.
    """

    closed: bool
    open: int = 0


# The ending of a complete page.
WHOLE_PAGE: Final = Ending(closed=True)


def ending_of(body: bytes) -> Ending:
    """Return whether the bytes of a page are complete.

    The encoding must be UTF-16 or a superset of ASCII.
    """
    unfinished = 0

    def without(match: re.Match[bytes]) -> bytes:
        nonlocal unfinished
        unfinished += not (match["end"] or match["tag"])
        return b""

    markup = RAW.sub(without, body.replace(b"\x00", b""))
    if _CLOSED.search(markup):
        return Ending(True)
    unfinished += bool(_PART.search(markup, max(0, markup.rfind(b"<"))))
    return Ending(False, len(open_at_end(markup)) + unfinished)


def open_at_end(markup: bytes) -> list[bytes]:
    """Return the tags of the elements that are open at the end of the markup.

    Outer elements come first, and tags are in lower case. Elements with an optional end
    tag are left out.
    """
    stack: list[bytes] = []
    there: Counter[bytes] = Counter()
    for ends, tag, is_empty in _TAG.findall(markup):
        name = tag.lower()
        if not ends and not is_empty and name not in VOID:
            stack.append(name)
            there[name] += 1
        elif ends and there[name]:
            while (last := stack.pop()) != name:
                there[last] -= 1
            there[name] -= 1
    return [one for one in stack if one not in OPTIONAL]
