"""Recognise icons and the names of what they picture."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple
from unicodedata import category

from amber_wrap.annotate.definition_terms import LABELLED
from amber_wrap.annotate.naming_attributes import tokens_of
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page

ICONS = frozenset({"i", "svg", "img", "span", "em", "b"})
"""Tags of elements that may be icons."""

_NAMED_GLYPHS: Final = re.compile("material-(?:icons|symbols)(?![^-])")
"""Matches the classes of icon fonts that display a name in the text, such as "home", as
a glyph.
"""

_PRIVATE_USE: Final = "Co"
"""The Unicode category of characters for private use."""

_LONGEST_DRAWING = 40
"""The number of characters at the beginning of a drawing's path that identify it."""

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
