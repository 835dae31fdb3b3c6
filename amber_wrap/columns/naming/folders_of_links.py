"""Find names of columns in the folders of links, such as "author" in `/user/17`."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from amber_wrap.columns.cells import Cell, nodes_with_same_text
from amber_wrap.columns.naming.names_in_attributes_and_classes import (
    TITLE,
    names_of_words,
)
from amber_wrap.columns.naming.spelling import snake_case_name
from amber_wrap.columns.naming.usual_fields import usual_field
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.page import NodeId, Page

_FIELD_OF_FOLDER: Final = {
    **dict.fromkeys(("author", "username"), "author"),
    **{name: name for name in ("tags", "category", "company", "brand", "artist")},
    **{name: name for name in ("team", "player", "country", "region", "city", "venue")},
}
"""The column names that folders in links give, by the field that the folder stands for.
For example, a folder for user names gives the column name "author"."""

_HEADLINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
"""HTML tags of headings."""


def link_folders(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the folders in the path of a link's target, the innermost first.

    Yield nothing if the element is no link.
    """
    path = without_query(path_and_query(page.attributes[node].get("href", "")))
    names = path.strip("/").split("/")[:-1]
    yield from (name for name in reversed(names) if name)


def field_of_link_folder(page: Page, node: NodeId) -> str:
    """Return the usual field of records that a folder in a link's target names, or "".

    For example, return "author" for a link to `/user/17`.
    """
    fields = (
        _FIELD_OF_FOLDER.get(usual_field(folder), "")
        for folder in link_folders(page, node)
    )
    return next(filter(None, fields), "")


def names_by_usual_folder(cell: Cell) -> Iterator[str]:
    """Yield the usual field that a folder of a link names, such as "author" for
    `/user/17`.

    The link is the text's element or an ancestor with the same text.
    """
    for node in nodes_with_same_text(cell.page, cell.node):
        yield field_of_link_folder(cell.page, node)


def names_by_record_folder(cell: Cell, own_folders: Collection[str]) -> Iterator[str]:
    """Yield "title" if a text is a heading with a link into one of the `own_folders`.

    `own_folders` has the first folders of links to the records' pages.
    """
    page, nodes = cell.page, list(nodes_with_same_text(cell.page, cell.node))
    leads_to_record = any(
        snake_case_name(folder) in own_folders
        for node in nodes
        for folder in link_folders(page, node)
    )
    if leads_to_record and any(page.tag[node] in _HEADLINES for node in nodes):
        yield TITLE


def names_by_folder(cell: Cell) -> Iterator[str]:
    """Yield the first folder of a link's target as a name, for example `shelves` for
    `/shelves/17`."""
    for node in nodes_with_same_text(cell.page, cell.node):
        yield from names_of_words(list(link_folders(cell.page, node))[-1:], "href")
