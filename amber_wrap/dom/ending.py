"""How a page ends: whether all of it is there.

A parser closes what is open where the bytes end, and says nothing of it; so the bytes
are looked at.
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
# What ends a document.
_CLOSED: Final = re.compile(rb"</(?:html|body)\s*>", re.I)
# Text, not tags, up to the end tag, or up to the end where there is none.
RAW: Final = re.compile(
    rb"<!--.*?(?P<end>-->|\Z)|<(?P<name>script|style|textarea|title|xmp|iframe|noembed"
    rb"|noframes)\b[^<>]*>.*?(?P<tag></(?P=name)\s*>|\Z)",
    re.I | re.S,
)
_TAG: Final = re.compile(rb"<(/?)([a-z][^\s<>/]*)[^<>]*?(/?)>", re.I)
# A tag that the page ends in.
_PART: Final = re.compile(rb"</?[a-z][^<>]*\Z", re.I)


class Ending(NamedTuple):
    """Whether an end tag of the document is there; where none is, how many elements
    are open at the end whose end tag may not be left out."""

    closed: bool
    open: int = 0


# The ending of a page of which all is there.
WHOLE_PAGE: Final = Ending(closed=True)


def ending_of(body: bytes) -> Ending:
    """Return the ending of a page, in UTF-16 or any encoding that holds ASCII as it
    is.
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
    """Return the elements that are open at the end, the outer first, in lower case.

    An end tag closes what is open within its element; one without an element, nothing.
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
