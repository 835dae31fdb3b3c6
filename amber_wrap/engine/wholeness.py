"""Whether all of a page is there, and what it says was written as it should be."""

from collections.abc import Iterator
from typing import Final

from amber_wrap.dom.ending import Ending
from amber_wrap.dom.expressions import Node
from amber_wrap.engine.garbling import garbled
from amber_wrap.wrapper.ir import Signs

# A share of garbled signs that says that a page is.  Others may be written as character
# references, which no decoding changes.
_GARBLED: Final = 0.2


def is_cut(signs: Signs, ending: Ending) -> bool:
    """Whether a page ends before it should, as the samples did not."""
    if ending.closed:
        return False
    return signs.ending.closed or ending.open > signs.ending.open


def told_cut(count: int, usual: int) -> str:
    """That a page is cut, in words; it has `count` records of some `usual`."""
    if not count:
        return "the page ends in the middle, before any record"
    if count < usual:
        return f"the page ends in the middle: {count} of some {usual} records"
    return f"the page ends in the middle, after {count} records: there may be more"


def told_garbled(signs: Signs, root: Node) -> Iterator[str]:
    """That a page is garbled, in words, if it is and the samples weren't."""
    share = garbled(root)
    if share > max(_GARBLED, 2 * signs.garbled):
        yield (
            f"the text is garbled: {share:.0%} of its signs beyond ASCII are those of "
            'a wrong decoding, as in "Ã©" for "é"'
        )
