"""Find the images of a page that are no decoration, and the attributes with their
addresses.

The address of an image that is loaded late may be in a data attribute, `srcset` or
style.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from amber_wrap.annotate.labels_and_titles import WORD
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page

IMAGE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""HTML attributes with the address of an image.

The attributes of lazy loading come first, because `src` may have a placeholder."""
SOURCE_SETS = ("data-srcset", "srcset")
"""HTML attributes with several addresses of an image, each with a width or density."""
STYLE = "style"
"""The HTML attribute that may have the address of a background image."""
_BACKGROUND = re.compile(
    r"background(?:-image)?\s*:[^;]{0,200}url\((?!\s*[\"']?data:)", re.I
)
"""A regular expression for a background image in a style."""
_IMAGE_FILE = re.compile(
    r"(?:https?:)?[^\s:;,{}]+\.(?:avif|gif|jpe?g|png|webp)(?:[?#]\S*)?", re.IGNORECASE
)
"""A regular expression for the address of an image file."""
_PORTRAIT = "avatar"
"""The word in the class or `alt` of a person's picture, which rarely shows the record
itself.
"""
ICON_WORDS = frozenset({"icon", "icons", "logo", _PORTRAIT})
"""Words in the class or `alt` of images that don't show a record's object, such as
icons.
"""


def images(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Yield every image that has an address and is no icon, as (element, source).

    The source is the attribute with the address, for example "@src".
    """
    for image, source, _ in _addresses(page):
        if not _is_icon(page, image):
            yield image, source


def pictures(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Yield (element, source) for every image of a page, except decoration such as
    icons.

    The source is the attribute with the address, for example "@src".
    """
    addresses = list(_addresses(page))
    decoration = _decoration([address for _, _, address in addresses])
    varied = [
        (image, source)
        for image, source, address in addresses
        if address not in decoration
        and not _is_drawing_or_tiny(page, image)
        and not _is_called(page, image, {_PORTRAIT})
    ]
    shown = [it for it in varied if not _is_called(page, it[0], ICON_WORDS)]
    yield from shown if len(shown) >= ANNOTATION.least_decoration_uses else varied


def _addresses(page: Page) -> Iterator[tuple[NodeId, str, str]]:
    """Yield (element, source, value of the source) for each image with an address.

    The source is the attribute with the address, for example "@src".
    """
    uses = Counter(
        page.attributes[node].get("src", "")
        for node in page.elements()
        if page.tag[node] == "img"
    )
    for node in page.elements():
        if page.tag[node] == "img":
            name = _attribute_of_img(page.attributes[node], uses)
        elif page.tag[node] == "source":
            name = _attribute_of_source(page, node, uses)
        else:
            name = _attribute_of_background(page.attributes[node])
            if name and not _is_empty(page, node):
                continue
        if name:
            source = f"@{name}"
            yield node, source, page.source_text(node, source)


def _is_empty(page: Page, node: NodeId) -> bool:
    """Return whether an element has no text and no `img`."""
    tags = page.tag[node : node + page.size[node]]
    return not page.text_length(node) and "img" not in tags


def _attribute_of_img(attributes: Mapping[str, str], uses: Counter[str]) -> str | None:
    """Return the name of the attribute with the address of an `img`, or None.

    `uses` counts the images with each value of `src`. A frequent value is a
    placeholder, so that another attribute has the address.
    """
    names = [
        name
        for name in IMAGE_SOURCES
        if (address := attributes.get(name, "").strip())
        and not address.startswith("data:")
    ]
    is_placeholder = uses[attributes.get("src", "")] >= ANNOTATION.least_decoration_uses
    if not names or (names == ["src"] and is_placeholder):
        lazy = _data_attribute(attributes) or _source_set(attributes)
        return lazy or next(iter(names), None)
    return names[0]


def _attribute_of_source(page: Page, node: NodeId, uses: Counter[str]) -> str | None:
    """Return the name of the attribute of a `source` element that has image addresses,
    or None.

    The element must be the first child of a `picture` whose `img` has no address. A
    value of `src` that is frequent in `uses` is a placeholder and no address.
    """
    picture = page.parent[node]
    if page.tag[picture] != "picture" or node != picture + 1:
        return None
    # The parser of lxml takes what follows a `source` for its content.
    images_within = (it for it in page.elements(picture) if page.tag[it] == "img")
    if any(_attribute_of_img(page.attributes[it], uses) for it in images_within):
        return None
    return _source_set(page.attributes[node])


def _source_set(attributes: Mapping[str, str]) -> str | None:
    """Return the name of the attribute with a set of image addresses, such as "srcset",
    or None."""
    return next((name for name in SOURCE_SETS if attributes.get(name)), None)


def _attribute_of_background(attributes: Mapping[str, str]) -> str | None:
    """Return the name of the attribute with the address of a background image, or None.

    The attribute is a data attribute or `style`.
    """
    has_style = _BACKGROUND.search(attributes.get(STYLE, ""))
    return _data_attribute(attributes) or (STYLE if has_style else None)


def _data_attribute(attributes: Mapping[str, str]) -> str | None:
    """Return the name of the first data attribute with the address of an image file.

    Return None if no data attribute has such an address.
    """
    names = (
        name
        for name, value in attributes.items()
        if name.startswith("data-") and _IMAGE_FILE.fullmatch(value.strip())
    )
    return next(names, None)


def _decoration(addresses: Sequence[str]) -> Collection[str]:
    """Return the addresses of images that are decoration, such as buttons.

    An image is decoration if its address occurs at least
    `ANNOTATION.least_decoration_uses` times. The same is true if the addresses in its
    folder occur so often on average.
    """
    uses = Counter(addresses)
    uses_of_folder = Counter(map(_folder, addresses))
    files_in_folder = Counter(map(_folder, uses))

    def is_repeated(address: str) -> bool:
        """Return whether an address occurs too often for a picture of a record.

        Also return True if the addresses in its folder occur too often on average.
        """
        folder = _folder(address)
        return (
            uses[address] >= ANNOTATION.least_decoration_uses
            or uses_of_folder[folder]
            >= ANNOTATION.least_decoration_uses * files_in_folder[folder]
        )

    return set(filter(is_repeated, uses))


def _folder(address: str) -> str:
    """Return an address without its query and the last part of its path."""
    return address.partition("?")[0].rpartition("/")[0]


def _is_icon(page: Page, image: NodeId) -> bool:
    """Return whether an image is marked as an icon or logo, is a vector drawing, or is
    tiny.
    """
    return _is_called(page, image, ICON_WORDS) or _is_drawing_or_tiny(page, image)


def _is_called(page: Page, image: NodeId, names: Collection[str]) -> bool:
    """Return whether a class or the short `alt` of an image has a word in `names`."""
    attributes = page.attributes[image]
    alt = attributes.get("alt", "")
    is_alt_short = len(alt.split()) < 4
    texts = f"{attributes.get('class', '')} {alt if is_alt_short else ''}"
    return any(word.lower() in names for word in WORD.findall(texts))


def _is_drawing_or_tiny(page: Page, image: NodeId) -> bool:
    """Return whether an image is a vector drawing, or is tiny."""
    attributes = page.attributes[image]
    sizes = [attributes.get(name, "") for name in ("width", "height")]
    return attributes.get("src", "").partition("?")[0].lower().endswith(".svg") or all(
        size.isdecimal() and int(size) <= ANNOTATION.largest_icon for size in sizes
    )
