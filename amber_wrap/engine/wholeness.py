"""Check whether a page is complete, and whether its text was decoded correctly."""

from collections.abc import Iterator

from amber_wrap.dom.ending import Ending
from amber_wrap.dom.expressions import Node
from amber_wrap.engine.garbling import garbled
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.wrapper.ir import Signs


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
        return f"the page ends in the middle: {count} of some {usual} records"
    return f"the page ends in the middle, after {count} records: there may be more"


def garbled_messages(signs: Signs, root: Node) -> Iterator[str]:
    """Yield a message if a page has far more garbled text than the samples."""
    share = garbled(root)
    if share > max(CHECK.garbled, 2 * signs.garbled):
        yield (
            f"the text is garbled: {share:.0%} of its signs beyond ASCII are those of "
            'a wrong decoding, as in "Ã©" for "é"'
        )
