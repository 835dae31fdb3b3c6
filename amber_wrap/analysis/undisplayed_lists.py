"""Find lists whose records are only in a script.

Only a browser that runs the script displays the records.
"""

from __future__ import annotations

from amber_wrap.analysis.thresholds import SELECTION
from amber_wrap.dom.json_in_scripts import (
    JSON_LD,
    ItemList,
    JsonItem,
    item_lists,
    own_values,
)
from amber_wrap.dom.markup import collapse
from amber_wrap.dom.page import Page


def undisplayed_list(page: Page) -> ItemList | None:
    """Return the largest list in a script if the page displays at most half of the
    list's items.

    Return None if the page displays more items, or if no script has a list. Return None
    also for a list that may be the settings of the page. Items of settings have few
    values, and aren't JSON-LD.
    """
    found = next(iter(item_lists(page)), None)
    if found is None:
        return None
    some = found.items[: SELECTION.items]
    values = sum(1 for item in some for _ in own_values(item))
    if found.script != JSON_LD and values < SELECTION.item_values * len(some):
        return None
    shown = page.string(0)
    displayed = sum(_is_displayed(item, shown) for item in some)
    return found if 2 * displayed <= len(some) else None


def _is_displayed(item: JsonItem, shown: str) -> bool:
    """Return whether the page's text `shown` contains one of the longer texts of an
    item.
    """
    texts = (collapse(one) for _, one in own_values(item) if isinstance(one, str))
    long = (one for one in texts if len(one) >= SELECTION.item_text)
    return any(" " in one and one in shown for one in long)
