"""Check whether a page is complete, and whether its text was decoded correctly.

Text may have been decoded with a wrong encoding before the page was written.
"""

import re
from collections.abc import Iterator
from typing import Final

from amber_wrap.dom.expressions import Node
from amber_wrap.dom.markup import UNSEEN
from amber_wrap.dom.truncation import Ending
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import Signs

# The characters of the bytes 80 to BF, which in UTF-8 only follow other bytes, in
# Latin-1 and in Windows-1252. The no-break space is left out: it may follow anything.
FOLLOWING: Final = "\x80-\x9f\xa1-\xbf" + bytes(
    one for one in range(0x80, 0xA0) if one not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
).decode("cp1252")
# A character of several UTF-8 bytes, each decoded alone; and U+FFFD, which replaces an
# undecodable byte.
_GARBLED: Final = re.compile(
    f"[\xc2-\xdf][{FOLLOWING}]|[\xe0-\xef][{FOLLOWING}]{{2}}|[\xf0-\xf4][{FOLLOWING}]{{3}}"
    "|\ufffd"
)
_BEYOND: Final = re.compile(r"[^\x00-\x7f\xa0]")


def garbled(root: Node) -> float:
    """Return the share of garbled characters among the non-ASCII characters of a page.

    A garbled character is one that a wrong decoding may have made. Only displayed texts
    count. Return 0 if they have no non-ASCII characters.
    """
    text = "\n".join(
        text
        for one in root.iter()
        for text in (
            one.text if isinstance(one.tag, str) and one.tag not in UNSEEN else "",
            one.tail,
        )
        if text
    )
    every = len(_BEYOND.findall(text))
    return sum(map(len, _GARBLED.findall(text))) / every if every else 0.0


def is_cut(signs: Signs, ending: Ending) -> bool:
    """Return whether the HTML of a page is truncated.

    A page with the end tag of `body` or `html` isn't truncated. Without the end tag, a
    page is truncated if the samples have the tag, or have fewer unclosed elements.
    """
    if ending.closed:
        return False
    return signs.ending.closed or ending.open > signs.ending.open


def cut_message(count: int, usual: int) -> str:
    """Return the message that a page is truncated.

    `count` is the number of records on the page. `usual` is the number of records on
    the fullest sample.
    """
    if not count:
        return "the page ends in the middle, before any record"
    if count < usual:
        return f"the page ends in the middle: {count} of about {usual} records"
    return f"the page ends in the middle, after {count} records: there may be more"


def garbled_messages(signs: Signs, root: Node) -> Iterator[str]:
    """Yield a message if a page has far more garbled text than the samples."""
    share = garbled(root)
    if share > max(CHECK.garbled, 2 * signs.garbled):
        yield (
            f"the text is garbled: {share:.0%} of its non-ASCII characters look "
            'wrongly decoded, as in "Ã©" for "é"'
        )
