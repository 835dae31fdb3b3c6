"""Find the parts of a page (menus, dialogs, filters, pagers, titles, images), and the
words that name the topic of the page.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise
from typing import Final

from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.analysis.menus_and_adverts import ASIDES, holds_page, words_of
from amber_wrap.annotate.labels_and_titles import unaccented
from amber_wrap.dom.link_addresses import address_parts
from amber_wrap.dom.page import NodeId, Page

MOBILE: Final = frozenset("mobile phone smartphone handheld".split())
"""Words in the class, id or role of elements for small screens."""
_CLOSED: Final = frozenset(
    "modal popup popover dropdown tooltip dialog lightbox overlay autocomplete suggest "
    "suggestions megamenu flyout offcanvas drawer cookie consent".split()
)
"""Tags, and words in the class, id or role, of elements that are displayed only after a
user opens the element."""
CLOSED_ROLES: Final = frozenset(
    "dialog alertdialog menu menubar listbox tooltip".split()
)
"""ARIA roles of elements that are displayed only after a user opens the element."""
RESULT_PARTS: Final = frozenset("search result results hits matches".split())
"""Tags, and words in the class, id or role, of the part of a page with the results."""
FILTERS: Final = frozenset(
    "filter filters facet facets refine refinement refinements narrow sort sorting "
    "criteria categories".split()
)
"""Words in the class, id or role of filters for results."""
SECONDARY: Final = frozenset(
    "related recommended recommendation recommendations similar popular trending "
    "featured carousel promo promos teaser teasers suggested sponsored viewed".split()
)
"""Words in the class, id or role of lists beside the results, or in place of
results."""
_PartTest = Callable[[Page, NodeId, frozenset[str]], bool]
"""A function that returns whether an element of a page is, for example, a menu. The
last argument has the element's tag, and the words of its class, id and role."""
PAGERS: Final = frozenset("pagination pager paging paginator".split())
"""Words in the class, id or role of pagers, which are rows of links to pages of
results."""
PAGE_NUMBER: Final = re.compile(r"\W*(\d{1,4})\W*")
"""The text of a link to a page by its number, such as "2" or "[2]"."""
_STATED_RANGE: Final = re.compile(
    r"(?<![\d.,])[.,]*(\d[\d.,]{0,11})\s*"
    r"(?:[-\N{EN DASH}\N{EM DASH}~]|[^\W\d]{1,3})\s*(\d[\d.,]{0,11})"
)
"""Matches the first and last number of the displayed results, as in "1 - 20" or "1 to
20". Between the numbers is a dash, a tilde, or a word of up to three letters.
"""
_Extent = tuple[NodeId, NodeId]
"""The first node of an element, and the node after the element's last descendant."""


@dataclass(frozen=True, slots=True)
class Regions:
    """Lists with one truth value per node of a page: whether the node is in a menu or
    another part of the page.
    """

    asides: Sequence[bool]
    """Whether each node is in a menu, footer, advert or the like."""
    closed: Sequence[bool]
    """Whether each node is displayed only after a user opens an element."""
    mobile: Sequence[bool]
    """Whether each node is in an element for small screens."""
    results: Sequence[bool]
    """Whether each node is in an element with a class word such as "results"."""
    filters: Sequence[bool]
    """Whether each node is among filters for results."""
    secondary: Sequence[bool]
    """Whether each node is in a list beside the results, such as related items."""


def page_regions(page: Page) -> Regions:
    """Return for each node of a page whether it is in a menu, a filter or the like."""
    words = [words_of(page, node) for node in range(len(page))]

    def nodes_in_parts(is_part: _PartTest) -> Sequence[bool]:
        """Return for each node whether it is in an element for which `is_part` returns
        True.
        """
        in_part: list[bool] = []
        for node, parent in enumerate(page.parent):
            is_within = parent >= 0 and in_part[parent]
            in_part.append(is_within or is_part(page, node, words[node]))
        return in_part

    return Regions(
        asides=nodes_in_parts(partial(_has_class_word, ASIDES)),
        closed=nodes_in_parts(_is_closed),
        mobile=nodes_in_parts(partial(_has_class_word, MOBILE)),
        results=nodes_in_parts(_holds_results),
        filters=nodes_in_parts(partial(_has_class_word, FILTERS)),
        secondary=nodes_in_parts(partial(_has_class_word, SECONDARY)),
    )


def _is_closed(page: Page, node: NodeId, words: frozenset[str]) -> bool:
    """Return whether an element is displayed only after a user opens it.

    Return False for an element with most of the page's text.
    """
    if holds_page(page, node):
        return False
    attributes = page.attributes[node]
    return (
        (page.tag[node] == "details" and "open" not in attributes)
        or page.tag[node] in ("dialog", "menu", "datalist")
        or attributes.get("role") in CLOSED_ROLES
        or attributes.get("aria-hidden") == "true"
        or attributes.get("aria-expanded") == "false"
        or not _CLOSED.isdisjoint(words)
    )


def _has_class_word(
    part_words: frozenset[str], page: Page, node: NodeId, words: frozenset[str]
) -> bool:
    """Return whether an element's tag, class, id or role has one of `part_words`.

    Return False for an element with most of the page's text, unless it is a `nav` or
    `footer`.
    """
    return bool(part_words & words) and not holds_page(page, node)


def _holds_results(page: Page, node: NodeId, words: frozenset[str]) -> bool:
    """Return whether an element below `body` has a word such as "results" in its tag,
    class, id or role.
    """
    is_root = page.tag[node] in ("html", "body")
    return not is_root and bool(RESULT_PARTS & words)


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Elements that show where a page displays results."""

    pagers: Sequence[_Extent]
    """The first node of each pager, and the node after the pager."""
    stated_ranges: Sequence[tuple[NodeId, int]]
    """Each text node such as "1 - 20", and the number of results in its range."""
    titles: Sequence[NodeId]
    """The `h1` headings with a text."""
    images_before: Sequence[int]
    """The number of unrepeated images before each node, and last the number of all
    unrepeated images.
    """


def page_landmarks(page: Page, links: Sequence[NodeId]) -> Landmarks:
    """Return the pagers, stated ranges of results, titles and images of a page.

    `links` are the page's links to other pages.
    """
    return Landmarks(
        pagers=[*_named_pagers(page), *_numbered_pagers(page, links)],
        stated_ranges=_stated_ranges(page),
        titles=_titles(page),
        images_before=_images_before(page),
    )


def _named_pagers(page: Page) -> Iterator[_Extent]:
    """Yield the range of nodes of each link with `rel="next"`, and of each short
    element with a class word such as "pager".

    A range is the first node of the element, and the node after its last descendant.
    """
    for node in page.elements():
        relations = page.attributes[node].get("rel", "").split(" ")
        is_next_link = page.tag[node] == "a" and "next" in relations
        if is_next_link or _is_named_pager(page, node):
            yield node, node + page.size[node]


def _is_named_pager(page: Page, node: NodeId) -> bool:
    """Return whether a short element has a class word such as "pager".

    Return False for an element with most of the page's text.
    """
    return (
        not PAGERS.isdisjoint(words_of(page, node))
        and 0 < page.text_length(node) <= FEATURE.longest_pager
        and not holds_page(page, node)
    )


def _numbered_pagers(page: Page, links: Sequence[NodeId]) -> Iterator[_Extent]:
    """Yield each pair of neighbouring links with consecutive numbers.

    A pair is given by its first node, and the node after the pair.
    """
    page_numbers = []
    for link in links:
        match = PAGE_NUMBER.fullmatch(page.string(link))
        page_numbers.append((link, int(match[1]) if match else None))
    for (link, number), (next_link, next_number) in pairwise(page_numbers):
        if number is not None and next_number == number + 1:
            yield link, next_link + page.size[next_link]


def _stated_ranges(page: Page) -> Sequence[tuple[NodeId, int]]:
    """Return each text node that states a range of results, with the number of results.

    An example is a node "1 - 20", which states a range of 20 results.
    """
    text_starts = list(accumulate((len(text) + 1 for text in page.text), initial=0))
    ranges = []
    for match in _STATED_RANGE.finditer(" ".join(page.text)):
        first, last = (int(re.sub(r"\D", "", digits)) for digits in match.groups())
        if last - first + 1 >= FEATURE.least_range:
            node = bisect_right(text_starts, match.start(1)) - 1
            ranges.append((node, last - first + 1))
    return ranges


def _images_before(page: Page) -> Sequence[int]:
    """Return the number of images before each node, and last the number of all images.

    An image whose address occurs several times on the page isn't counted.
    """
    addresses = [_image_addresses(page, node) for node in range(len(page))]
    counts = Counter(addresses)
    are_unique = (bool(image) and counts[image] == 1 for image in addresses)
    return list(accumulate(are_unique, initial=0))


def _image_addresses(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the addresses of an image, or () for another element.

    An image that is loaded lazily has several addresses.
    """
    if page.tag[node] != "img":
        return ()
    attributes = page.attributes[node].items()
    return tuple(
        address for name, address in attributes if name.endswith(("src", "srcset"))
    )


def _titles(page: Page) -> Sequence[NodeId]:
    """Return the `h1` headings of a page that have a text."""
    return [
        node
        for node in page.elements()
        if page.tag[node] == "h1" and page.text_length(node)
    ]


TOPIC_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""Matches a word of three or more letters, which may name the topic of a page."""
SEARCHES: Final = ("", "text", "search")
"""The values of the attribute `type` of inputs that may be search fields."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Words and URL paths that show the topic of a page."""

    search_words: frozenset[str]
    """The words in the page's text inputs."""
    title_words: frozenset[str]
    """The words in `h1` headings."""
    search_paths: frozenset[str]
    """The URL paths of forms with a text input and the method GET."""


def page_topic(page: Page) -> Topic:
    """Return the words and URL paths that show the topic of a page."""
    return Topic(
        search_words=_search_words(page),
        title_words=frozenset(
            word
            for title in _titles(page)
            for text in page.text[title : title + page.size[title]]
            for word in topic_words(text)
        ),
        search_paths=_search_paths(page),
    )


def topic_words(text: str) -> Sequence[str]:
    """Return the words of three or more letters in a text, in lower case without
    accents.
    """
    return TOPIC_WORD.findall(unaccented(text))


def _search_words(page: Page) -> frozenset[str]:
    """Return the words in the values of the page's text inputs.

    Values of more than `FEATURE.longest_search` characters are left out.
    """
    values = (
        page.attributes[node].get("value", "")
        for node in page.elements()
        if _is_search_field(page, node)
    )
    return frozenset(
        word
        for value in values
        if len(value) <= FEATURE.longest_search
        for word in topic_words(value)
    )


def _search_paths(page: Page) -> frozenset[str]:
    """Return the URL paths of the search forms of a page, except "" and "/".

    A search form has a text input and sends a GET request.
    """
    paths: set[str] = set()
    for form in page.elements():
        attributes = page.attributes[form]
        if page.tag[form] == "form" and attributes.get("method", "").lower() != "post":
            inside = range(form, form + page.size[form])
            if any(_is_search_field(page, node) for node in inside):
                paths.add(path_of_link(attributes.get("action", "")))
    return frozenset(paths - {"", "/"})


def _is_search_field(page: Page, node: NodeId) -> bool:
    """Return whether an element is an input of text, which may be a search field."""
    input_type = page.attributes[node].get("type", "").lower()
    return page.tag[node] == "input" and input_type in SEARCHES


def path_of_link(link: str) -> str:
    """Return the path of a URL without final slashes, or "" for an invalid URL."""
    return address_parts(link.strip()).path.rstrip("/")
