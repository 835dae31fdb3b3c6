"""Find features of a site's pages, such as a `<header>` outside of the lists.

By these features, pages with another layout, incomplete pages and empty pages are
recognised.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.dom.displayed_texts import blocks
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.truncation import Ending
from amber_wrap.engine.empty_page import count_denials
from amber_wrap.engine.page_faults import garbled_share
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.selectors.costs_and_limits import STEM, VETOED
from amber_wrap.selectors.node_tests import TESTED_ATTRIBUTES, NodeTests
from amber_wrap.wrapper.ir import Signs
from amber_wrap.wrapper.xpath import Equals, Path, Step

LANDMARKS = ("header", "nav", "form", "input", "footer", "aside", "main")
"""HTML tags of elements that are often on all pages of a site. Such elements are
preferred when pages are recognised."""
_STANDARDISED = frozenset({"rel", "role"})
"""HTML attributes whose values a standard defines, so that they don't identify a site.
"""


def template_landmarks(
    pages: Sequence[Page],
    records: Sequence[Iterable[NodeId]],
    vocabulary: NodeTests,
) -> tuple[Path, ...]:
    """Return XPath expressions that select an element outside of the lists of records
    on every sample page.

    `records` has the nodes of records on each page. At most `CONTRACT.most_landmarks`
    expressions are returned, preferably for elements such as `<header>`.
    """
    outside = [
        list(_elements_outside_lists(page, page_records))
        for page, page_records in zip(pages, records, strict=True)
    ]
    landmarks = [
        [node for node in nodes if page.tag[node] in LANDMARKS]
        for page, nodes in zip(pages, outside, strict=True)
    ]
    preferred = _common_expressions(pages, landmarks, vocabulary)
    if len(preferred) >= CONTRACT.most_landmarks:
        return tuple(_evenly_chosen(preferred, CONTRACT.most_landmarks))
    common = _common_expressions(pages, outside, vocabulary)
    others = [path for path in common if path not in preferred]
    further = _evenly_chosen(others, CONTRACT.most_landmarks - len(preferred))
    chosen = {*preferred, *further}
    return tuple(path for path in common if path in chosen)


def _common_expressions(
    pages: Sequence[Page], nodes: Sequence[Iterable[NodeId]], vocabulary: NodeTests
) -> list[Path]:
    """Return the XPath expressions that select one of a page's `nodes` on every page.

    `nodes` has the nodes for each of the `pages`. The expressions have the order of the
    elements on the first page.
    """
    paths_by_page = [
        dict.fromkeys(
            path for node in page_nodes if (path := _expression(page, node, vocabulary))
        )
        for page, page_nodes in zip(pages, nodes, strict=True)
    ]
    return [
        path
        for path in paths_by_page[0]
        if all(path in page_paths for page_paths in paths_by_page)
    ]


def _evenly_chosen(paths: Sequence[Path], most: int) -> Iterator[Path]:
    """Yield at most `most` of the paths, at even distances and in their order."""
    count = min(most, len(paths))
    return (paths[index * len(paths) // count] for index in range(count))


def _elements_outside_lists(page: Page, records: Iterable[NodeId]) -> Iterator[NodeId]:
    """Yield the displayed elements that neither contain a list of records nor are
    within one.

    Repeated elements are left out. Of the elements without attributes, only those with
    a tag such as `<header>` are yielded.
    """
    containing: set[NodeId] = set()
    lists: set[NodeId] = set()
    for record in records:
        lists.add(page.parent[record])
        # Elements around a list may be missing on a page without records.
        node = record
        while node >= 0 and node not in containing:
            containing.add(node)
            node = page.parent[node]
    known: set[tuple[Sequence[str], ...]] = set()
    node = 0
    while node < len(page):
        if node in lists or page.hidden[node]:
            node += page.size[node]
            continue
        tag, attributes = page.tag[node], page.attributes[node]
        if (attributes or tag in LANDMARKS) and node not in containing:
            tested = (one for one in attributes.items() if one[0] in TESTED_ATTRIBUTES)
            look = (tag, *tested)
            if look not in known:
                known.add(look)
                yield node
        node += 1


def _expression(page: Page, node: NodeId, vocabulary: NodeTests) -> Path | None:
    """Return an XPath expression that selects an element by an id, a class or another
    attribute that seldom changes.

    Return None if the element has no such attribute.
    """
    for mark in vocabulary.own_tests(page, node):
        test = mark.predicate
        is_standard = isinstance(test, Equals) and test.attribute in _STANDARDISED
        if mark.family not in {STEM, *VETOED} and not is_standard:
            return Path((Step(page.tag[node], (test,), deep=True),), absolute=True)
    return None


def empty_texts(pages: Sequence[Page], empty: Sequence[Page]) -> tuple[str, ...]:
    """Return the texts that all pages without records have, but no sample page, such as
    "No results".

    `empty` are the pages without records. At most `CONTRACT.most_empty_texts` texts are
    returned.
    """
    if not empty:
        return ()
    sample_texts = {text for page in pages for text in blocks(page.root)}
    first, *further = [dict.fromkeys(blocks(page.root)) for page in empty]
    common = [
        text
        for text in first
        if text not in sample_texts and all(text in texts for texts in further)
    ]
    return tuple(common[: CONTRACT.most_empty_texts])


def page_signs(pages: Sequence[Page], records: Sequence[list[FoundRecord]]) -> Signs:
    """Return features of sample pages by which incomplete, empty and wrongly decoded
    pages are recognised.

    The numbers and shares in the result are the greatest of all sample pages.
    """
    closed, unclosed = zip(*(page.ending for page in pages), strict=True)
    denial_counts = []
    for page, page_records in zip(pages, records, strict=True):
        rows = {row for record in page_records for row in record.rows}
        denial_counts.append(count_denials(blocks(page.root, rows)))
    return Signs(
        ending=Ending(all(closed), max(unclosed)),
        denials=max(denial_counts),
        garbled=round(max(garbled_share(page.root) for page in pages), 3),
    )
