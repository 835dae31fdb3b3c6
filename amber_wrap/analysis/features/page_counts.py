"""Count links, headings, images and the like on a page, once for all candidate lists.

Elements also get numbers for their tags, class tokens and tag paths, so that they can
be compared.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

from amber_wrap.analysis.candidate_lists import common_marks, tag_paths
from amber_wrap.analysis.features.page_parts import (
    page_landmarks,
    page_regions,
    page_topic,
)
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.analysis.menus_and_adverts import holds_page
from amber_wrap.analysis.table_rows import find_header_rows
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.labels_and_titles import HEADINGS
from amber_wrap.annotate.links import Links
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind

CONTROLS: Final = frozenset({"input", "select", "textarea", "button"})
"""Tags of form controls."""
_PAGE_PARTS: Final = frozenset("nav footer aside header".split())
"""Tags of elements outside of the main part of a page."""
_PART_ROLES: Final = frozenset("navigation contentinfo complementary banner".split())
"""ARIA roles of elements outside of the main part of a page."""


@dataclass(frozen=True, slots=True)
class Looks:
    """The tags, class names and tag paths by which elements of a page are compared."""

    marks: Sequence[frozenset[str]]
    """For each node, its classes that another element of the same tag has, too."""
    mark_counts: Mapping[tuple[str, str], int]
    """The number of elements with text for each pair of a tag and a class."""
    tag_paths: Sequence[int]
    """A number for each node, equal for elements with the same tags up to the root."""
    element_kinds: Sequence[int]
    """A number for each node, equal for elements with the same tag, the same classes,
    and parents with the same tag.
    """
    header_rows: Collection[NodeId]
    """The rows of tables and lists with the names or totals of columns, which are no
    records.
    """


def page_looks(page: Page) -> Looks:
    """Return the tags, class tokens and tag paths by which elements of a page are
    compared.
    """
    marks = common_marks(page)
    mark_counts = Counter(
        (page.tag[node], mark)
        for node in page.elements()
        if page.text_length(node)
        for mark in marks[node]
    )
    return Looks(
        marks=marks,
        mark_counts=mark_counts,
        tag_paths=tag_paths(page),
        element_kinds=_element_kinds(page, marks),
        header_rows=find_header_rows(page),
    )


def _element_kinds(page: Page, marks: Sequence[frozenset[str]]) -> Sequence[int]:
    """Return a number for each node, or -1 for a text node.

    Elements with the same tag and marks, and with parents of the same tag, have the
    same number. `marks` has the classes of each node, such as `.price`.
    """
    numbers: dict[tuple[str, frozenset[str], str], int] = {}
    kinds = [-1] * len(page)
    for node in page.elements():
        parent = page.parent[node]
        parent_tag = page.tag[parent] if parent >= 0 else ""
        combination = (page.tag[node], marks[node], parent_tag)
        kinds[node] = numbers.setdefault(combination, len(numbers))
    return kinds


class PageCounts:
    """Counts on a page, from which the features of its lists are computed.

    Entry `i` of a running total is the sum over the nodes before node `i`. The last
    entry is the sum over all nodes.
    """

    def __init__(
        self,
        page: Page,
        annotations: Iterable[Annotation],
        types: Iterable[AttributeType],
        links: Links,
        is_named: bool = False,
    ) -> None:
        """Count texts, elements, links and recognised values of the page.

        `is_named` is True if the user named the kind of records.
        """
        self.page = page
        self.looks = page_looks(page)
        self.regions = page_regions(page)
        self.topic = page_topic(page)
        self.landmarks = page_landmarks(page, links.pages)
        self.links = links.pages
        self.link_targets = [
            page.attributes[link].get("href", "") for link in self.links
        ]
        """The address of each link."""
        in_link = _nodes_within(page, self.links)
        self.linked_characters = _running_totals(
            len(text) if is_in_link else 0
            for text, is_in_link in zip(page.text, in_link, strict=True)
        )
        """Running totals of the characters in links."""
        self.in_page_part = _nodes_within(page, _page_parts(page))
        """For each node, 1 in the header, a menu, an aside or the footer, else 0."""
        self.main_characters = _running_totals(
            0 if is_in_part else len(text)
            for text, is_in_part in zip(page.text, self.in_page_part, strict=True)
        )
        """Running totals of the characters outside of these parts."""
        self.digits = _running_totals(sum(map(str.isdigit, text)) for text in page.text)
        """Running totals of the digits."""
        self.prose_characters = _running_totals(
            len(text) if len(text) >= FEATURE.shortest_prose else 0
            for text in page.text
        )
        """Running totals of the characters in long text nodes."""
        self.text_nodes = _running_totals(map(bool, page.text))
        """Running totals of the text nodes."""
        self.images = _running_totals(tag == "img" for tag in page.tag)
        """Running totals of the images."""
        self.controls = _running_totals(tag in CONTROLS for tag in page.tag)
        """Running totals of the form controls."""
        self.headings = _running_totals(tag in HEADINGS for tag in page.tag)
        """Running totals of the headings."""
        self.headline_links = _running_totals(
            node in links.headlines for node in range(len(page))
        )
        """Running totals of the links that are headlines."""
        self.types = {attribute_type.name: attribute_type for attribute_type in types}
        self.identifying = tuple(
            attribute_type.name
            for attribute_type in self.types.values()
            if attribute_type.regular and attribute_type.kind is not ValueKind.URL
        )
        """The names of the types that identify records, such as the price.

        Each record should have a value of these types. Links don't identify records, as
        every list has links."""
        self.is_named = is_named and bool(self.identifying)
        """Whether the user named the kind of records, and it has identifying types."""
        annotated = [(annotation.type, annotation.node) for annotation in annotations]
        self.annotated_nodes = _annotation_totals(page, annotated)
        """For each type, running totals of the nodes recognised as values."""
        self.annotated_elements = _annotation_totals(
            page, [(type_name, page.element(node)) for type_name, node in annotated]
        )
        """The same for elements, which stand for the text nodes in them."""
        self.longest_text_nodes = _longest_text_nodes(page)
        """For each node, the longest text node in its subtree."""
        self.repetition, self.linked_repetition = self._repetitions()
        """The shares of each node's text in repeated elements, and in linked ones."""

    def _repetitions(self) -> tuple[Sequence[float], Sequence[float]]:
        """Return two numbers for each node: the share of its text in repeated elements,
        and the share in repeated elements with links.

        Repeated elements are siblings with the same tag and the same classes.
        """
        page, marks = self.page, self.looks.marks
        repeated, linked = [0.0] * len(page), [0.0] * len(page)
        link_nodes = set(self.links)
        links_before = _running_totals(node in link_nodes for node in range(len(page)))
        for node in reversed(page.elements()):
            length = page.text_length(node)
            if not length:
                continue
            groups: dict[tuple[str, frozenset[str]], list[NodeId]] = {}
            best_share = best_linked_share = 0.0
            for child in page.child_elements(node):
                child_length = page.text_length(child)
                if not child_length:
                    continue
                groups.setdefault((page.tag[child], marks[child]), []).append(child)
                if 3 * child_length > 2 * length:
                    share = repeated[child] * child_length / length
                    linked_share = linked[child] * child_length / length
                    best_share = max(best_share, share)
                    best_linked_share = max(best_linked_share, linked_share)
            for group in groups.values():
                if len(group) < 2:
                    continue
                share = sum(map(page.text_length, group)) / length
                with_links = sum(
                    links_before[child + page.size[child]] > links_before[child]
                    for child in group
                )
                linked_share = share * with_links / len(group)
                best_share = max(best_share, share)
                best_linked_share = max(best_linked_share, linked_share)
            repeated[node], linked[node] = best_share, best_linked_share
        return repeated, linked

    def links_between(self, begin: NodeId, end: NodeId) -> slice:
        """Return the slice of `self.links` with the links from node `begin` to before
        node `end`.
        """
        first = bisect_left(self.links, begin)
        return slice(first, bisect_left(self.links, end, first))


def _nodes_within(page: Page, elements: Iterable[NodeId]) -> bytearray:
    """Return a byte for each node: 1 if it is in the subtree of one of the `elements`,
    and 0 otherwise.
    """
    is_within = bytearray(len(page))
    for node in elements:
        is_within[node : node + page.size[node]] = b"\1" * page.size[node]
    return is_within


def _page_parts(page: Page) -> Iterator[NodeId]:
    """Yield the header, menus, asides and footer of a page, by their tags or roles.

    An element with most of the page's text is left out.
    """
    for node in page.elements():
        role = page.attributes[node].get("role")
        is_part = page.tag[node] in _PAGE_PARTS or role in _PART_ROLES
        if is_part and not holds_page(page, node):
            yield node


def _annotation_totals(
    page: Page, annotated: Iterable[tuple[str, NodeId]]
) -> Mapping[str, Sequence[int]]:
    """Return running totals of the nodes with recognised values, by type.

    Entry `i` is the number of nodes with values of the type before node `i`. The last
    entry is the number of all such nodes. `annotated` has pairs (type, node).
    """
    nodes_of_type: dict[str, set[NodeId]] = {}
    for type_name, node in annotated:
        nodes_of_type.setdefault(type_name, set()).add(node)
    return {
        type_name: _running_totals(node in nodes for node in range(len(page)))
        for type_name, nodes in sorted(nodes_of_type.items())
    }


def _longest_text_nodes(page: Page) -> Sequence[NodeId]:
    """Return for each node the longest text node in the node's subtree.

    For a subtree without text nodes, the result is any node of the subtree.
    """
    text, longest = page.text, list(range(len(page)))
    for node in range(len(page) - 1, 0, -1):
        parent = page.parent[node]
        if parent >= 0 and len(text[longest[node]]) >= len(text[longest[parent]]):
            longest[parent] = longest[node]
    return longest


def _running_totals(counts: Iterable[int]) -> Sequence[int]:
    """Return the running totals of the counts, beginning with 0.

    For example, the result for `[2, 3]` is `[0, 2, 5]`.
    """
    return list(accumulate(counts, initial=0))
