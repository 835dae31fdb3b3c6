"""Find the names of elements in HTML attributes, icons and labels."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from unicodedata import category

from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.labels_and_titles import COLONS, is_label, name_words
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NAMING_ATTRIBUTES, TAIL, NodeId, Page
from amber_wrap.dom.utility_classes import utility_kind

NAMING = (*NAMING_ATTRIBUTES, "class", "id")
"""HTML attributes in which authors name the content of an element."""
LABELLING = ("title", "alt", "aria-label")
"""HTML attributes with a label that is displayed as a tooltip: `<b
title="Bedrooms">3</b>`.
"""
DESCRIBING = (*NAMING, *LABELLING)
"""All HTML attributes that describe an element by a name or label."""
ICONS = frozenset({"i", "svg", "img", "span", "em", "b"})
"""Tags of elements that may be icons."""
ITEM = "li"
_NAMED_GLYPHS: Final = re.compile("material-(?:icons|symbols)(?![^-])")
"""Matches the classes of icon fonts that display a name in the text, such as "home", as
a glyph.
"""
_PRIVATE_USE: Final = "Co"
"""The Unicode category of characters for private use."""
_CLICKABLE = frozenset({"a", "button", "input", "select"})
"""Tags of elements to click on."""


_LONGEST_DRAWING = 40
"""The number of characters at the beginning of a drawing's path that identify it."""
_Nodes = Sequence[NodeId]
IconNames = Mapping[NodeId, Sequence[Sequence[str]]]
"""For each element with icons, the names of each icon."""


class Drawing(NamedTuple):
    """An HTML attribute in an icon by which the icon's drawing differs from others,
    such as `href="a.svg#bed"`.
    """

    node: NodeId
    attribute: str
    text: str
    """The part of the attribute's value that differs between icons, such as "#bed"."""


class NamedElements(NamedTuple):
    """The elements of a page by the words in their attributes and icons, and by their
    labels."""

    by_words: Sequence[tuple[frozenset[str], _Nodes]]
    """Pairs of a set of words, such as {"price"}, and the elements that these words
    name, for example by the class `price`."""
    by_label: Mapping[str, _Nodes]
    """The elements beside each label, such as "Rooms:"."""
    icons: IconNames
    """The names of each icon in an element."""


def find_named_elements(page: Page) -> NamedElements:
    """Return the elements of a page by words in their markup and by their labels, and
    the names of icons.

    Elements without text or with a long text are left out.
    """
    by_words: dict[frozenset[str], list[NodeId]] = defaultdict(list)
    by_label: dict[str, list[NodeId]] = defaultdict(list)
    icon_names: dict[NodeId, list[Sequence[str]]] = defaultdict(list)
    for node in page.elements():
        if is_icon(page, node) and (names := names_of_icon(page, node)):
            icon_names[page.parent[node]].append(names)
    for node in page.elements():
        if 0 < page.text_length(node) <= ANNOTATION.longest_value:
            attributes = page.attributes[node]
            words = frozenset[str]()
            if attributes:
                words = _words_in_attributes(*map(attributes.get, DESCRIBING))
            if page.tag[node] in LABELLED:
                words |= name_words(label_beside(page, node))
            for names in icon_names.get(node, ()):
                words = words.union(*map(name_words, names))
            if words:
                by_words[words].append(node)
            if label := label_of(page, node):
                by_label[label].append(node)
    return NamedElements(tuple(by_words.items()), by_label, icon_names)


@lru_cache(maxsize=1 << 14)
def _words_in_attributes(*values: str | None) -> frozenset[str]:
    """Return the words in the attributes that describe an element, such as `class`.

    `values` has the value of each attribute in `DESCRIBING`, or None for a missing
    attribute.
    """
    tokens = _tokens_in_attributes(*values)
    return frozenset[str]().union(*map(name_words, tokens))


def named_icons(page: Page, node: NodeId) -> list[NodeId]:
    """Return the icons with a name or drawing among the children of an element.

    For example, `<i class="bed">` has a name.
    """
    return [
        child
        for child in page.child_elements(node)
        if is_icon(page, child) and (tokens_of(page, child) or drawing_of(page, child))
    ]


def is_icon(page: Page, node: NodeId) -> bool:
    """Return whether an element may be an icon.

    An icon has a tag in `ICONS` and displays no text, or only a glyph.
    """
    return page.tag[node] in ICONS and (
        not page.text_length(node) or is_glyph(page, node)
    )


def is_glyph(page: Page, node: NodeId) -> bool:
    """Return whether the text of an element stands for a glyph of an icon font.

    The text is a character for private use or, in Google's icon fonts, a name such as
    "play_arrow". If a table cell displays only such a name, the name is a value
    instead.
    """
    length = page.text_length(node)
    if not 0 < length <= ANNOTATION.longest_value:
        return False
    if any(_NAMED_GLYPHS.match(token) for token in page.classes(node)):
        while page.tag[node] not in LABELLED and node > 0:
            node = page.parent[node]
        return page.text_length(node) > length
    return all(category(sign) == _PRIVATE_USE for sign in page.string(node))


def tokens_of(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the names and short labels in an element's HTML attributes, for example
    the class tokens.
    """
    attributes = page.attributes[node]
    if not attributes:
        return ()
    return _tokens_in_attributes(*map(attributes.get, DESCRIBING))


@lru_cache(maxsize=1 << 14)
def _tokens_in_attributes(*values: str | None) -> tuple[str, ...]:
    """Return the names and short labels in the attributes that describe an element.

    `values` has the value of each attribute in `DESCRIBING`, or None.
    """
    value_of = dict(zip(DESCRIBING, values, strict=True))
    names = [
        token
        for name in NAMING
        for token in (value_of[name] or "").split()
        if name != "class" or utility_kind(token) is None
    ]
    texts = (value_of[name] or "" for name in LABELLING)
    return (*names, *filter(is_label, texts))


def names_of_icon(page: Page, icon: NodeId) -> Sequence[str]:
    """Return the names and short labels in the markup of an icon.

    The fragment of a drawing's address is a name: "bed" in `<use href="a.svg#bed">`.
    The text of a glyph is a name, too.
    """
    fragments = [drawing.text[1:] for drawing in _drawings_of_sprites(page, icon)]
    return [*tokens_of(page, icon), *filter(None, (*fragments, page.string(icon)))]


def drawing_of(page: Page, icon: NodeId) -> Drawing | None:
    """Return the HTML attribute by which the drawing of an icon differs from others, or
    None.

    Examples are the fragment "#bed" in `<use href="a.svg#bed">`, the file name of an
    image, and the beginning of the longest drawn path.
    """
    for drawing in _drawings_of_sprites(page, icon):
        return drawing
    for node in page.elements(icon):
        file_name = page.attributes[node].get("src", "").partition("?")[0]
        if page.tag[node] == "img" and not file_name.startswith("data:"):
            file_name = file_name.rpartition("/")[2]
            return Drawing(node, "src", file_name) if file_name else None
    paths = [node for node in page.elements(icon) if page.tag[node] == "path"]
    # The other paths may be frames, which all icons of a set have.
    lengths = [len(page.attributes[node].get("d", "")) for node in paths]
    if not any(lengths):
        return None
    longest = paths[lengths.index(max(lengths))]
    return Drawing(longest, "d", page.attributes[longest]["d"][:_LONGEST_DRAWING])


def _drawings_of_sprites(page: Page, icon: NodeId) -> Iterator[Drawing]:
    """Yield the drawings that an icon takes from a file with several drawings."""
    for node in page.elements(icon):
        if page.tag[node] == "use":
            for name in ("href", "xlink:href"):
                address = page.attributes[node].get(name, "")
                if fragment := address.partition("#")[2]:
                    yield Drawing(node, name, f"#{fragment}")


def label_of(page: Page, node: NodeId) -> str:
    """Return the label of an element, or "" if there is none.

    It is the text of the table header, of the `dt`, or of the previous sibling.
    """
    if label := label_beside(page, node):
        return label
    before = page.previous(node)
    if before < 0 or _are_alike(page, before, node):
        return ""
    if not _CLICKABLE.isdisjoint(page.tag[before : before + page.size[before]]):
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
    is_clickable = not _CLICKABLE.isdisjoint(page.tag[node:after])
    return text if has_colon and is_label(text) and not is_clickable else ""


def _label_or_nothing(text: str) -> str:
    """Return a text if it begins with a capital or ends with a colon, as labels do,
    else ""."""
    is_complete = text[:1].isupper() or text.endswith(COLONS)
    return text if is_complete and is_label(text) else ""
