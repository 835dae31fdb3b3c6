"""Detect text that was decoded with a wrong encoding before the page was written."""

import re
from typing import Final

from amber_wrap.dom.expressions import Node
from amber_wrap.dom.markup import UNSEEN

# What the bytes 80 to BF, which only follow others in UTF-8, are in Latin-1 and in
# Windows-1252.  The blank that doesn't break lines follows anything, so it is left out.
FOLLOWING: Final = "\x80-\x9f\xa1-\xbf" + bytes(
    one for one in range(0x80, 0xA0) if one not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
).decode("cp1252")
# A sign of several bytes of UTF-8, each read as one of those; and signs that couldn't
# be read.
_GARBLED: Final = re.compile(
    f"[\xc2-\xdf][{FOLLOWING}]|[\xe0-\xef][{FOLLOWING}]{{2}}|[\xf0-\xf4][{FOLLOWING}]{{3}}"
    "|\ufffd"
)
_BEYOND: Final = re.compile(r"[^\x00-\x7f\xa0]")


def garbled(root: Node) -> float:
    """Return the share of a page's displayed non-ASCII characters that a wrong
    decoding may have made; 0 if there are none."""
    text = "\n".join(
        said
        for one in root.iter()
        for said in (
            one.text if isinstance(one.tag, str) and one.tag not in UNSEEN else "",
            one.tail,
        )
        if said
    )
    every = len(_BEYOND.findall(text))
    return sum(map(len, _GARBLED.findall(text))) / every if every else 0.0
