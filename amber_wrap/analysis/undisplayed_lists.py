"""Whether records are displayed at all: some pages bring them in a script only."""

from __future__ import annotations

from amber_wrap.dom.islands import JSON_LD, ItemList, JsonItem, item_lists, own_values
from amber_wrap.dom.markup import collapse
from amber_wrap.dom.page import Page

_MOST_ITEMS = 30
"""Items that are looked for in the page: those of a list are displayed, or aren't."""
LEAST_VALUES = 4
"""Values of an item: a label and its address, and a mark, are an entry of a menu."""
LEAST_TEXT = 8
"""Characters of several words that stand nowhere else by chance."""


def undisplayed_list(page: Page) -> ItemList | None:
    """Return the list of a script that holds most, unless its items are displayed.

    Items say several things each, in a language or in schema.org's: others are settings
    of the page.
    """
    found = next(iter(item_lists(page)), None)
    if found is None:
        return None
    some = found.items[:_MOST_ITEMS]
    values = sum(1 for item in some for _ in own_values(item))
    if found.script != JSON_LD and values < LEAST_VALUES * len(some):
        return None
    shown = page.string(0)
    displayed = sum(_is_displayed(item, shown) for item in some)
    return found if 2 * displayed <= len(some) else None


def _is_displayed(item: JsonItem, shown: str) -> bool:
    """Return whether a page shows some words of an item."""
    texts = (collapse(one) for _, one in own_values(item) if isinstance(one, str))
    return any(len(one) >= LEAST_TEXT and " " in one and one in shown for one in texts)
