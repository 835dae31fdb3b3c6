"""Cut the list out of a page, as the page would be if a search had found nothing.

Records go with what stands between them, with boxes that they fill (a day with its
heading), and with their copies for other screens: nobody shows these without records.
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
"""How often a list is cut out of a page, and the least quality of such a list."""
MOST = 0.5
"""The share above which texts of an element, or records of a copy, are most of it."""

Records = Sequence[Sequence[NodeId]]
"""The top nodes of each record."""
Candidates = Callable[[Page], Sequence[Sequence[Record]]]
"""A function that lists the candidates of a page."""


def without_list(one: truths.TruePage, page: Page, candidates: Candidates) -> Page:
    """Return the page without its records and their copies.

    Where the records aren't known, without the candidates that agree well, the best
    first, again and again: what follows may be the rest of the list.
    """
    if one.nodes:
        return _without_nodes(page, truths.true_records(page, one.nodes), candidates)
    for _ in range(MOST_CUTS):
        quality = one.quality(page)
        best = max(candidates(page), key=quality, default=())
        if not best or quality(best) < LEAST_CUT:
            break
        page = without(page, [record.nodes for record in best])
    return page


def _without_nodes(page: Page, records: Records, candidates: Candidates) -> Page:
    targets = set(_own_links(page, records))
    page = without(page, records)
    for _ in range(MOST_CUTS):
        lists = [[one.nodes for one in found] for found in candidates(page)]
        copies = [one for one in lists if _are_copies(page, one, targets)]
        if not copies:
            break
        page = without(page, max(copies, key=len))
    return page


def _are_copies(page: Page, records: Records, targets: set[str]) -> bool:
    """Return whether most records have a link of the records that were cut out."""
    led = sum(not targets.isdisjoint(_links(page, one)) for one in records)
    return led > MOST * len(records)


def _own_links(page: Page, records: Records) -> Iterator[str]:
    """Yield the links that only one record has."""
    counts = Counter(link for one in records for link in set(_links(page, one)))
    return (link for link, n in counts.items() if n == 1)


def _links(page: Page, nodes: Sequence[NodeId]) -> Iterator[str]:
    for top in nodes:
        for node in page.elements(top):
            if page.tag[node] == "a" and page.attributes[node].get("href"):
                yield page.attributes[node]["href"]


def without(page: Page, records: Records) -> Page:
    """Return the page without some records, the boxes they fill and what is between
    them.
    """
    for element in map(page.element_of, sorted(_between(page, _filled(page, records)))):
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)
    text = etree.tostring(page.root, method="html", encoding="utf-8")
    # The page still declares the encoding that it had.
    return parse(codecs.BOM_UTF8 + text)


def _filled(page: Page, records: Records) -> set[NodeId]:
    """Return for each node the highest ancestor that records fill, and that holds few.

    What holds most of them is the part of the page where they are.
    """
    shown, held = Counter[NodeId](), Counter[NodeId]()
    nodes = [node for one in records for node in one]
    for node in nodes:
        above = node
        while above >= 0:
            shown[above] += page.text_length(node)
            held[above] += 1
            above = page.parent[above]

    def top(node: NodeId) -> NodeId:
        while True:
            parent = page.parent[node]
            is_filled = shown[parent] > MOST * page.text_length(parent)
            if not is_filled or held[parent] > MOST * len(nodes):
                return node
            node = parent

    return set(map(top, nodes))


def _between(page: Page, nodes: set[NodeId]) -> set[NodeId]:
    """Return nodes with their siblings in between, if the nodes are most of them."""
    found = set(nodes)
    for parent in {page.parent[node] for node in nodes}:
        mine = [one for one in page.child_elements(parent) if one in nodes]
        span = range(mine[0], mine[-1] + 1)
        between = [one for one in page.child_elements(parent) if one in span]
        texts = sum(map(page.text_length, between))
        if sum(map(page.text_length, mine)) > MOST * texts:
            found.update(between)
    return found
