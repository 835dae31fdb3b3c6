"""Find the elements in tabs that a page doesn't display at first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from amber_wrap.analysis.menus_and_adverts import words_of
from amber_wrap.dom.page import NodeId, Page

TAB_WORDS: Final = frozenset("tab pane tabpanel".split())
"""Words in the class, id or role of a tab panel.

A page displays only one of several panels that are siblings.
"""

OPEN_TAB_WORDS: Final = frozenset("active current selected".split())
"""Words in the class, id or role of the tab panel that is displayed."""


def closed_nodes(page: Page) -> Sequence[bool]:
    """Return for each node whether it is hidden, or displayed only after a user opens
    an element.

    Elements that a user opens are, for example, `details`, dialogs, popovers and tabs.
    """
    is_closed = [False] * len(page)

    def close(node: NodeId) -> None:
        size = page.size[node]
        is_closed[node : node + size] = [True] * size

    for node in page.elements():
        attributes = page.attributes[node]
        if (
            page.is_hidden(node)
            or "popover" in attributes
            or (page.tag[node] == "dialog" and "open" not in attributes)
        ):
            close(node)
        elif page.tag[node] == "details" and "open" not in attributes:
            for child in page.child_elements(node):
                if page.tag[child] != "summary":
                    close(child)
        for tab in _closed_tabs(page, node):
            close(tab)
    return is_closed


def _closed_tabs(page: Page, parent: NodeId) -> Iterator[NodeId]:
    """Yield the child elements of `parent` that are tab panels and aren't displayed.

    Yield nothing if no child is marked as the open panel, for example by the class
    "active".
    """
    tabs = [
        tab for tab in page.child_elements(parent) if words_of(page, tab) & TAB_WORDS
    ]
    open_tabs = [tab for tab in tabs if words_of(page, tab) & OPEN_TAB_WORDS]
    if open_tabs:
        yield from (tab for tab in tabs if tab not in open_tabs)
