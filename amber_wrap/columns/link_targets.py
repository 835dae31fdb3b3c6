"""Read the targets of links whose texts don't show the targets, such as links to
documents and email addresses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.annotate.table_headers import header_above
from amber_wrap.cache import remembered
from amber_wrap.columns.buttons_and_action_links import ACTIONS, looks_like_button
from amber_wrap.columns.cells import LINK, Cell
from amber_wrap.columns.naming.spelling import snake_case_name
from amber_wrap.dom.link_addresses import address_parts, path_and_query, without_query
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.selectors.area_groups import AreaGroup

_ADDRESS: Final = re.compile(r"(?:https?://|www\.)\S+$", re.IGNORECASE)
"""A regular expression for a text that is a web address. The link's target may be read
in place of such a text."""

_SCHEMES: Final[Mapping[str, str]] = {
    "magnet:": "magnet",
    "mailto:": "email",
    "tel:": "phone",
    "geo:": "coordinates",
}
"""Column names for links that open no page, by the start of the link target."""

NO_LINK: Final = re.compile(
    r"#|javascript:|data:|mailto:\?|$|(?!magnet:).+(?:https?:|%3A%2F%2F)"
    r"|[^?]*\.(?:jpe?g|png|gif|webp)(?:$|\?)",
    re.IGNORECASE,
)
"""A regular expression for link targets that are never values of records. Examples are
"#", pictures, and addresses that contain another address, as in share buttons."""

_DOCUMENT: Final = re.compile(
    r"[^?#]*\.(?:pdf|ps|epub|docx?|odt|rtf|xlsx?|ods|csv|pptx?|odp)(?:$|[?#])",
    re.IGNORECASE,
)
"""A regular expression for link targets that are documents, by the file extension."""


def leads_to_page(page: Page, link: NodeId) -> bool:
    """Return whether the target of a link may be a value of a record.

    Return False for a target such as "#", for a link around a picture, and for a link
    with an action such as sharing.
    """
    attributes = page.attributes[link]
    texts = " ".join(attributes.get(name, "") for name in ("href", "class", *LABELLING))
    if NO_LINK.match(attributes.get("href", "").strip()):
        return False
    if scheme_of(attributes.get("href", "")):
        return True
    if any(page.tag[node] == "img" for node in page.elements(link)):
        return False
    return ACTIONS.isdisjoint(name_words(texts))


def may_hide_target(page: Page, node: NodeId) -> bool:
    """Return whether an element is a link whose text may not show the link target.

    These links may not show the target:

    - a link to a document, such as `<a href="/2024.pdf">PDF</a>`,
    - a link that is all of a table cell below a header,
    - a button that leads to another website, such as
      `<a class="btn" href="https://shop.org/7">Tickets</a>`,
    - a link that opens no page, such as `<a href="tel:0113496">Call</a>`, if its text
      has neither a digit nor an "@".
    """
    attributes = page.attributes[node]
    href = attributes.get("href", "")
    if page.tag[node] != "a":
        return False
    if _DOCUMENT.match(href) or "download" in attributes or headed_cell(page, node):
        return True
    host = address_parts(href).hostname or ""
    if looks_like_button(page, node) and host not in _own_hosts(page):
        return True
    return bool(scheme_of(href)) and not re.search(r"[\d@]", page.string(node))


@remembered
def _own_hosts(page: Page) -> frozenset[str]:
    """Return the domains that may belong to the website of a page:

    - the domain of the page's address,
    - the domain of most links,
    - each domain to whose home page a link leads,
    - "", for links without a domain.
    """
    links = [
        address_parts(page.attributes[node].get("href", ""))
        for node in page.elements()
        if page.tag[node] == "a"
    ]
    hosts = Counter(link.hostname or "" for link in links)
    homes = {link.hostname or "" for link in links if link.path in ("", "/")}
    own_host = address_parts(page.url).hostname or ""
    return frozenset({"", own_host, *homes, *dict(hosts.most_common(1))})


def headed_cell(page: Page, link: NodeId) -> NodeId:
    """Return the table cell whose only content is the given link, or 0 if there is
    none.

    The cell must be below a header with a text.
    """
    cell = page.parent[link]
    is_filled = page.tag[link] == "a" and page.size[cell] == page.size[link] + 1
    is_headed = is_filled and page.tag[cell] == "td" and header_above(page, cell)
    return cell if is_headed else 0


def with_link_targets(column: list[Cell]) -> list[Cell]:
    """Return a column with link targets in place of its texts, such as
    "www.example.com".

    Return the column unchanged unless all texts are links that display an address.
    """
    links = [_link_of(cell) for cell in column]
    are_addresses = all(_ADDRESS.match(cell.text) for cell in column)
    if any(link < 0 for link in links) or not are_addresses:
        return column
    return [
        replace(cell, node=link, text=cell.page.source_text(link, LINK), source=LINK)
        for cell, link in zip(column, links, strict=True)
    ]


def _link_of(cell: Cell) -> NodeId:
    """Return the link that shows exactly the text of `cell`, or -1 if there is none.

    The link is the element of `cell`, an ancestor or a descendant.
    """
    page, length = cell.page, cell.page.text_length(cell.node)
    ancestors = (
        node
        for node in range(cell.node, cell.start, -1)
        if page.contains(node, cell.node)
    )
    links = (
        node
        for node in (*page.elements(cell.node), *ancestors)
        if page.tag[node] == "a"
        and page.text_length(node) == length
        and not NO_LINK.match(page.attributes[node].get("href", "").strip())
    )
    return next(links, -1)


def scheme_of(link: str) -> str:
    """Return the column name for the scheme of a link, such as "email" for `mailto:`.

    Return "" for a link that opens a page.
    """
    names = (name for scheme, name in _SCHEMES.items() if link.startswith(scheme))
    return next(names, "")


def common_scheme(column: Sequence[Cell]) -> str:
    """Return the column name for links that open no page, such as "phone" for `tel:`.

    Return "" unless all links of the column have the same scheme.
    """
    schemes = set()
    for cell in column:
        link = cell.node if cell.source == LINK else _link_of(cell)
        target = cell.page.attributes[link].get("href", "") if link >= 0 else ""
        schemes.add(scheme_of(target))
    return schemes.pop() if len(schemes) == 1 else ""


def record_folders(group: AreaGroup) -> frozenset[str]:
    """Return the first folders of links to the records' pages, such as "books" for
    `/books/17`.
    """
    first_folders = (
        without_query(path_and_query(attribute.text)).strip("/").partition("/")[0]
        for _, _, attributes in group.attributes()
        for attribute in attributes
        if attribute.text and attribute.source == LINK
    )
    return frozenset(filter(None, map(snake_case_name, first_folders)))
