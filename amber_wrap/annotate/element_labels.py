"""Find the labels beside and within elements, and the nouns behind numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amber_wrap.annotate.definition_terms import label_beside
from amber_wrap.annotate.labels_and_titles import CLICKED, COLONS, is_label
from amber_wrap.dom.page import TAIL, NodeId, Page

ITEM = "li"


def label_of(page: Page, node: NodeId) -> str:
    """Return the label of an element, or "" if there is none.

    It is the text of the table header, of the `dt`, or of the previous sibling.
    """
    if label := label_beside(page, node):
        return label
    before = page.previous(node)
    if before < 0 or _are_alike(page, before, node):
        return ""
    if not CLICKED.isdisjoint(page.tag[before : before + page.size[before]]):
        return ""  # The text of a button or link names an action.
    return _label_or_nothing(page.string(before))


def _are_alike(page: Page, first: NodeId, second: NodeId) -> bool:
    """Return whether two elements have the same tag and classes, like items of one
    list.

    Return False for elements without classes, except `li`.
    """
    tag, classes = page.tag[first], page.classes(first)
    is_item = tag == ITEM or bool(classes)
    return is_item and (tag, classes) == (page.tag[second], page.classes(second))


def noun_behind(page: Page, node: NodeId) -> str:
    """Return the noun in the element after a number, for example "comments", or "".

    The parent must have no other child elements.
    """
    siblings = page.child_elements(page.parent[node])
    if len(siblings) != 2 or siblings[0] != node:
        return ""
    number, text = map(page.string, siblings)
    has_words = sum(map(str.isalpha, number)) > 1  # One is a unit, as in "1.2k".
    if has_words and _are_alike(page, *siblings):
        return ""
    has_number = any(sign.isdigit() for sign in number)
    return text if has_number and is_label(text) else ""


def label_in(page: Page, node: NodeId) -> str:
    """Return the label at the start of an element, or "" if there is none.

    The label in `<p><b>Fax:</b> 0113 496</p>` is "Fax:".
    """
    first, end = node + 1, node + page.size[node]
    if first >= end or page.is_text(first) or len(page.child_elements(node)) > 1:
        return ""
    if first + page.size[first] == end:
        return ""  # The element has no text behind the child.
    return _label_or_nothing(page.string(first))


def fact_label(page: Page, node: NodeId) -> str:
    """Return the label of a value in a list of labelled values, or "" if there is none.

    For example, the label of "2 May" in `<p><b>Opens</b> 2 May</p><p><b>Closes</b> 9
    May</p>` is "Opens". A neighbour with the same tag and classes must have another
    label.
    """
    fact, label_at = node, label_in
    if not label_in(page, node) and page.previous(node) == page.parent[node] + 1:
        fact, label_at = page.parent[node], _label_of_two
    label = label_at(page, fact)
    if not label:
        return ""
    is_listed = any(
        (page.tag[other], page.classes(other)) == (page.tag[fact], page.classes(fact))
        and label_at(page, other) not in ("", label)
        for other in _neighbours(page, fact)
    )
    return label if is_listed else ""


def _neighbours(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the sibling element before a node, and the sibling after it."""
    if (previous := page.previous(node)) >= 0:
        yield previous
    following = node + page.size[node]
    if following < page.parent[node] + page.size[page.parent[node]]:
        yield following


def _label_of_two(page: Page, node: NodeId) -> str:
    """Return the text of the first of two elements in a node, if it may be a label, or
    "".

    The node must consist of exactly two elements.
    """
    looks = _looks_of_two_parts(page, node)
    return _label_or_nothing(page.string(node + 1)) if looks else ""


def value_beside_label(page: Page, node: NodeId) -> NodeId:
    """Return the child with the value in an element that consists of a label and a
    value.

    An example is the `b` in `<li class="fuel"><i>Fuel</i><b>Petrol</b></li>`. Return
    the element itself if no sibling has children with the same tags and classes, but
    another label.
    """
    parts = page.child_elements(node)
    look = _looks_of_two_parts(page, node)
    is_fact = look and any(
        _looks_of_two_parts(page, sibling) == look
        and page.classes(sibling) != page.classes(node)
        and page.string(sibling + 1) != page.string(parts[0])
        for sibling in _neighbours(page, node)
    )
    return parts[1] if is_fact and label_of(page, parts[1]) else node


def _looks_of_two_parts(page: Page, node: NodeId) -> list[tuple[str, Sequence[str]]]:
    """Return the tags and classes of the two elements of which a node consists.

    Return [] if the node doesn't consist of two elements.
    """
    parts = page.child_elements(node)
    is_all = sum(page.size[part] for part in parts) + 1 == page.size[node]
    if len(parts) != 2 or not is_all:
        return []
    return [(page.tag[part], page.classes(part)) for part in parts]


def label_before_text(page: Page, node: NodeId) -> str:
    """Return the text of an element that labels the text directly behind it, as in
    `<b>Fax:</b> 0113`.

    Return "" if there is no colon, or if the element contains a link or button.
    """
    after, parent = node + page.size[node], page.parent[node]
    if parent < 0 or after >= parent + page.size[parent] or not page.is_text(after):
        return ""
    text, tail = page.string(node), page.source_text(node, TAIL)
    has_colon = text.endswith(COLONS) or tail.startswith(COLONS)
    is_clickable = not CLICKED.isdisjoint(page.tag[node:after])
    return text if has_colon and is_label(text) and not is_clickable else ""


def _label_or_nothing(text: str) -> str:
    """Return a text if it begins with a capital or ends with a colon, as labels do,
    else ""."""
    is_complete = text[:1].isupper() or text.endswith(COLONS)
    return text if is_complete and is_label(text) else ""
