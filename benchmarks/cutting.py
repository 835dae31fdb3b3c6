"""Cut the list out of a page, as if a search had found nothing.

Not only the records are removed, but also the content between them, boxes that contain
nothing else (a day with its heading), and copies of the records for other screens.
"""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import truths
from lxml import etree

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse

MOST_CUTS, LEAST_CUT = 3, 0.15
"""Two limits for cutting lists out of a page.

The first is the greatest number of lists to cut out. The second is the least quality of
such a list: its agreement with the true records, from 0 to 1.
"""
MOST = 0.5
""""Most" of a text or of the records is more than this share."""

Records = Sequence[Sequence[NodeId]]
"""The top nodes of each record."""
Candidates = Callable[[Page], Sequence[Sequence[Record]]]
"""A function that returns all lists found on a page.

A list is a sequence of records.
"""


def without_list(
    true_page: truths.TruePage, page: Page, candidates: Candidates
) -> Page:
    """Return a page after cutting out its list of records and copies of this list.

    If the nodes of the true records aren't known, the found list that agrees best with
    them is cut out. This is repeated, because a found list may have only some of the
    records.
    """
    if true_page.nodes:
        records = truths.true_records(page, true_page.nodes)
        return _without_nodes(page, records, candidates)
    for _ in range(MOST_CUTS):
        quality = true_page.quality(page)
        best_candidate = max(candidates(page), key=quality, default=())
        if not best_candidate or quality(best_candidate) < LEAST_CUT:
            break
        page = without(page, [record.nodes for record in best_candidate])
    return page


def _without_nodes(page: Page, records: Records, candidates: Candidates) -> Page:
    """Return a page without `records`, and without found lists that repeat these
    records.
    """
    counts = Counter(link for record in records for link in set(_links(page, record)))
    own_links = {link for link, count in counts.items() if count == 1}
    page = without(page, records)
    for _ in range(MOST_CUTS):
        lists = ([record.nodes for record in one] for one in candidates(page))
        copies = [nodes for nodes in lists if _are_copies(page, nodes, own_links)]
        if not copies:
            break
        page = without(page, max(copies, key=len))
    return page


def _are_copies(page: Page, records: Records, own_links: set[str]) -> bool:
    """Return whether most of `records` repeat records that were already cut out.

    `own_links` are the links that only one of those had. A record with such a link
    repeats it.
    """
    linked = [not own_links.isdisjoint(_links(page, record)) for record in records]
    return sum(linked) > MOST * len(records)


def _links(page: Page, nodes: Sequence[NodeId]) -> Iterator[str]:
    """Yield the link addresses below nodes."""
    for top_node in nodes:
        for node in page.elements(top_node):
            if page.tag[node] == "a" and page.attributes[node].get("href"):
                yield page.attributes[node]["href"]


def without(page: Page, records: Records) -> Page:
    """Return a page without `records`, their boxes, and all content between them.

    A box is an element that contains only records, such as a day with its heading.
    """
    for element in map(page.element_of, sorted(_between(page, _filled(page, records)))):
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)
    text = etree.tostring(page.root, method="html", encoding="utf-8")
    # The mark overrides the encoding that the page still declares.
    return parse(codecs.BOM_UTF8 + text)


def _filled(page: Page, records: Records) -> set[NodeId]:
    """Return the largest elements that consist mostly of the text of records.

    An element that has most of the records is too large, because it contains the whole
    list.
    """
    text_lengths, record_counts = Counter[NodeId](), Counter[NodeId]()
    nodes = [node for record in records for node in record]
    for node in nodes:
        ancestor = node
        while ancestor >= 0:
            text_lengths[ancestor] += page.text_length(node)
            record_counts[ancestor] += 1
            ancestor = page.parent[ancestor]

    def highest_filled(node: NodeId) -> NodeId:
        while True:
            parent = page.parent[node]
            is_filled = text_lengths[parent] > MOST * page.text_length(parent)
            if not is_filled or record_counts[parent] > MOST * len(nodes):
                return node
            node = parent

    return set(map(highest_filled, nodes))


def _between(page: Page, nodes: set[NodeId]) -> set[NodeId]:
    """Return the nodes, together with the siblings between them.

    Siblings between two nodes of a parent are added only if the nodes have most of the
    text there.
    """
    with_siblings = set(nodes)
    for parent in {page.parent[node] for node in nodes}:
        children = list(page.child_elements(parent))
        own_children = [child for child in children if child in nodes]
        span = range(own_children[0], own_children[-1] + 1)
        children_between = [child for child in children if child in span]
        text_length = sum(map(page.text_length, children_between))
        if sum(map(page.text_length, own_children)) > MOST * text_length:
            with_siblings.update(children_between)
    return with_siblings
