"""Recognise texts that are not displayed, but read aloud by screen readers."""

from __future__ import annotations

import re

from amber_wrap.dom.page import OWN_TEXT, NodeId, Page

_SPOKEN_MARK = re.compile(
    r"(?i:(?<![a-z])sr-?only|show-for-sr|visually[_-]?hidden|hidden-visually"
    r"|screen-?reader|assistive-text|a11y-(?:hidden|only)|off-?screen)"
)
"""Matches a class token that marks a text for screen readers only."""

_SHORTEST_LABEL = 4
"""The least length in characters of a label before a value. A shorter text may be a
unit or a currency.
"""


def is_spoken(page: Page, node: NodeId) -> bool:
    """Return whether a class of an element marks the text as meant only for screen
    readers.
    """
    return _SPOKEN_MARK.search(page.attributes[node].get("class", "")) is not None


def seen_text(page: Page, node: NodeId) -> str:
    """Return the text of an element without parts for screen readers, such as "Sort
    ascending".

    Return the whole text if all of it is for screen readers.
    """
    spoken = [part for part in page.elements(node) if is_spoken(page, part)]
    if not spoken:
        return page.string(node)
    text_nodes = filter(page.is_text, range(node, node + page.size[node]))
    seen = [
        page.text[text_node]
        for text_node in text_nodes
        if not any(page.contains(part, text_node) for part in spoken)
    ]
    return " ".join(seen) or page.string(node)


def displayed_child(page: Page, node: NodeId) -> NodeId:
    """Return the child element with all text of an element, apart from texts for screen
    readers.

    Return the element itself if there is no such child or no such text.
    """
    children = [child for child in page.children(node) if page.text_length(child)]
    visible = [child for child in children if not is_spoken(page, child)]
    if len(visible) == 1 < len(children) and not page.is_text(visible[0]):
        return visible[0]
    return node


def label_run_on(page: Page, node: NodeId) -> str:
    """Return the text of an element's only child if the element's own text follows
    without a blank.

    In `<p><i>Town</i>Leeds</p>`, the text is "Town", which is probably hidden or
    displayed apart. Return "" for other elements, and for a text that is short or
    doesn't end with a letter.
    """
    children = page.child_elements(node)
    own_text = page.source_text(node, OWN_TEXT)
    if len(children) != 1 or not own_text:
        return ""
    label = page.string(children[0])
    is_word = label[-1:].isalpha() and len(label) >= _SHORTEST_LABEL
    is_run_on = page.string(node) == f"{label}{own_text}" and own_text[0].isalnum()
    return label if is_word and is_run_on else ""
