"""Find images, and distinguish pictures of records from decoration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.annotate.words import WORD
from amber_wrap.dom.page import NodeId, Page

IMAGE_SOURCES = ("data-src", "data-lazy-src", "data-original", "data-lazy", "src")
"""HTML attributes with the address of an image.

The attributes of lazy loading come first, because `src` may have a placeholder."""
ICON_WORDS = frozenset({"icon", "icons", "logo", "avatar"})
"""Words in the classes of images that don't show the object of a record."""


def images(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Yield every image that has an address and is no icon, as (element, source).

    The source is the attribute with the address, for example "@src".
    """
    for node, name, _ in _addresses(page):
        if not _is_icon(page, node):
            yield node, f"@{name}"


def pictures(page: Page) -> Iterator[tuple[NodeId, str]]:
    """Yield every image that isn't decoration, as (element, source).

    The source is the attribute with the address, for example "@src". Decoration is an
    icon, or an image that is repeated on the page.
    """
    decoration = _decoration([address for _, _, address in _addresses(page)])
    for node, source in images(page):
        if page.source_text(node, source) not in decoration:
            yield node, source


def _addresses(page: Page) -> Iterator[tuple[NodeId, str, str]]:
    """Yield (element, attribute name, address) for each image with an address."""
    for node in page.elements():
        if page.tag[node] == "img":
            for name in IMAGE_SOURCES:
                address = page.attributes[node].get(name, "").strip()
                if address and not address.startswith("data:"):
                    yield node, name, page.source_text(node, f"@{name}")
                    break


def _decoration(addresses: Sequence[str]) -> Collection[str]:
    """Return the addresses of images that are decoration, such as buttons and
    placeholders.

    An address that occurs many times is decoration. All addresses in a folder are
    decoration if the addresses occur many times on average.
    """
    uses = Counter(addresses)
    folders = Counter(map(_folder, addresses))
    files = Counter(map(_folder, uses))
    many = ANNOTATION.repeated
    return {
        one
        for one, count in uses.items()
        if count >= many or folders[_folder(one)] >= many * files[_folder(one)]
    }


def _folder(address: str) -> str:
    return address.partition("?")[0].rpartition("/")[0]


def _is_icon(page: Page, node: NodeId) -> bool:
    """Return whether an image is marked as an icon or logo, is a vector drawing, or is
    tiny.
    """
    attributes = page.attributes[node]
    alt = attributes.get("alt", "")
    words = f"{attributes.get('class', '')} {alt if len(alt.split()) < 4 else ''}"
    sizes = [attributes.get(name, "") for name in ("width", "height")]
    return (
        any(word.lower() in ICON_WORDS for word in WORD.findall(words))
        or attributes.get("src", "").partition("?")[0].lower().endswith(".svg")
        or all(size.isdecimal() and int(size) <= ANNOTATION.icon for size in sizes)
    )
