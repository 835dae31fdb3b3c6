"""Store a page as one list for each property of its nodes, and find nodes in the page.

Nodes are numbered in document order (`NodeId`).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree

from amber_wrap.dom.displayed_texts import EACH, read_node, text_of
from amber_wrap.dom.truncation import WHOLE_PAGE, Ending
from amber_wrap.errors import Diagnostic

NodeId = int
"""The number of a node in document order (preorder).

The subtree of node `a` has the numbers from `a` to `a + page.size[a] - 1`.
"""

TEXT = "text"
"""The `source` by which `read_node` reads the displayed text of an element and its
descendants.
"""
OWN_TEXT, FIRST_LINE, LAST_LINE = "own-text", "first-line", "last-line"
"""The `source`s by which `read_node` reads text nodes directly in an element: all text
nodes, the first text node, or the last text node.
"""
TAIL = "tail"
"""The `source` by which `read_node` reads the text between an element and the next tag.
"""
ITEMS = "items"
"""The `source` by which `read_node` reads a list: the displayed texts of the child
elements.
"""
LISTS = frozenset({ITEMS, EACH})
"""The `source`s by which a value is a list. The items are the child elements of one
element (`ITEMS`), or all elements that an expression selects (`EACH`).
"""

ITEM_PROPERTY = "itemprop"
"""The HTML attribute of microdata that names the property which an element displays."""
NAMING_ATTRIBUTES = (
    ITEM_PROPERTY,
    "data-testid",
    "data-test-id",
    "data-test",
    "data-qa",
    "data-cy",
    "data-automation-id",
)
"""HTML attributes whose values name an element's content, not the element's looks."""

TEXT_NODE = "#text"
"""The tag of a text node."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Page:
    """The DOM tree of a page (AMBER paper, section 2.2), with one list for each
    property of nodes.

    The nodes are the elements and the displayed text nodes. Each list has the property
    of node `i` at index `i`.
    """

    tag: Sequence[str]
    attributes: Sequence[Mapping[str, str]]
    text: Sequence[str]
    """The text of a text node with white space collapsed, and "" for elements."""
    parent: Sequence[NodeId]
    """The parent of each node, or -1 for the root."""
    size: Sequence[int]
    """The number of nodes in the subtree of each node, the node included."""
    depth: Sequence[int]
    """The number of ancestors of each node."""
    characters: Sequence[int]
    """The number of displayed characters before each node.

    An additional last entry has the number of characters of the page.
    """
    hidden: Sequence[bool]
    """Whether each node is an element that hides its content."""
    url: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    ending: Ending = WHOLE_PAGE
    """The signs in the page's bytes that show whether the page was cut off."""
    split_amounts: tuple[NodeId, ...] = ()
    """The elements whose text, the cents of a price, was moved into the text before the
    element (`dom.split_amounts`).
    """
    _elements: Sequence[etree._Element | None] = field(default=(), repr=False)
    """The lxml element of each node, or None for a text node."""
    _ids: Mapping[etree._Element | None, NodeId] = field(
        default_factory=dict, repr=False
    )
    """A dict from each lxml element to the number of its node."""
    _displayed: str = field(default="", repr=False)
    """The displayed text of the page."""
    _spans: Sequence[tuple[int, int] | None] = field(default=(), repr=False)
    """The start and end of each element's text in `_displayed`, or None within hidden
    elements.
    """
    _children: Sequence[tuple[NodeId, ...]] = field(default=(), repr=False)
    """The child elements of each node."""
    _classes: Sequence[tuple[str, ...]] = field(default=(), repr=False)
    """The class tokens of each node."""
    _element_nodes: Sequence[NodeId] = field(default=(), repr=False)
    """The numbers of all nodes that are elements."""
    _elements_before: Sequence[int] = field(default=(), repr=False)
    """The number of elements before each node.

    An additional last entry has the number of all elements.
    """

    def __len__(self) -> int:
        return len(self.tag)

    def is_text(self, node: NodeId) -> bool:
        """Return whether the node is a text node."""
        return self.tag[node] == TEXT_NODE

    def element(self, node: NodeId) -> NodeId:
        """Return the node if it is an element, or the parent of a text node."""
        return self.parent[node] if self.is_text(node) else node

    def contains(self, ancestor: NodeId, node: NodeId) -> bool:
        """Return whether `node` is `ancestor` or one of its descendants."""
        return ancestor <= node < ancestor + self.size[ancestor]

    def are_nested(self, first: NodeId, second: NodeId) -> bool:
        """Return whether two nodes are equal, or one node contains the other node."""
        return self.contains(first, second) or self.contains(second, first)

    def children(self, node: NodeId) -> Iterator[NodeId]:
        """Yield the child elements and text nodes of a node, in document order."""
        child, end = node + 1, node + self.size[node]
        while child < end:
            yield child
            child += self.size[child]

    def child_elements(self, node: NodeId) -> tuple[NodeId, ...]:
        """Return the child elements of a node, in document order."""
        return self._children[node]

    def previous(self, node: NodeId) -> NodeId:
        """Return the sibling element directly before an element, or -1 if there is
        none.
        """
        siblings = self._children[self.parent[node]] if node else ()
        index = bisect_left(siblings, node)
        return siblings[index - 1] if index else -1

    def elements(self, node: NodeId = 0) -> Sequence[NodeId]:
        """Return the elements of a subtree, its root included, in document order."""
        before = self._elements_before
        return self._element_nodes[before[node] : before[node + self.size[node]]]

    def classes(self, node: NodeId) -> tuple[str, ...]:
        """Return the class tokens of an element in the order of the attribute."""
        return self._classes[node]

    def text_length(self, node: NodeId) -> int:
        """Return the number of characters that a subtree displays."""
        return self.characters[node + self.size[node]] - self.characters[node]

    def is_blank(self, node: NodeId) -> bool:
        """Return whether an element is a mere separator such as `<br>`
        (`dom.displayed_texts.is_blank`).
        """
        return not self.string(node) and not any(
            self.attributes[element] for element in self.elements(node)
        )

    def is_hidden(self, node: NodeId) -> bool:
        """Return whether an element hides its content
        (`dom.hidden_elements.is_hidden`).
        """
        return self.hidden[node]

    def is_within_hidden(self, node: NodeId) -> bool:
        """Return whether an element has an ancestor that hides its content."""
        return self._spans[node] is None

    def string(self, node: NodeId) -> str:
        """Return the displayed text of an element (`dom.displayed_texts.text_of`)."""
        if (span := self._spans[node]) is None:
            return text_of(self.element_of(node))
        return self._displayed[span[0] : span[1]]

    def source_text(self, node: NodeId, source: str) -> str:
        """Return a text of an element, or "" if the element has no such text.

        `source` is "text", "@href" or another name in `dom.displayed_texts.read_node`.
        """
        if source in (TEXT, EACH):
            return self.string(node)
        return read_node(self.element_of(node), source)

    def select(self, xpath: str, context: NodeId = 0) -> list[NodeId]:
        """Return the elements that an XPath expression selects from the element
        `context`, in document order.

        Raise `etree.XPathError` if the expression doesn't compile, or if its result is
        no node-set.
        """
        selected = compiled_xpath(xpath)(self.element_of(context))
        if not isinstance(selected, list):
            raise etree.XPathResultError(f"{xpath} selects no elements")
        return [
            self._ids[element]
            for element in selected
            if isinstance(element, etree._Element) and element in self._ids
        ]

    @property
    def root(self) -> etree._Element:
        """The root element of the lxml tree."""
        return self.element_of(0)

    def node_of(self, element: etree._Element) -> NodeId:
        """Return the number of the node that stands for an lxml element."""
        return self._ids[element]

    def element_of(self, node: NodeId) -> etree._Element:
        """Return the lxml element of a node.

        Raise ValueError if the node is a text node.
        """
        element = self._elements[node]
        if element is None:
            raise ValueError(f"node {node} is a text node")
        return element


@lru_cache(maxsize=4096)
def compiled_xpath(xpath: str) -> etree.XPath:
    """Return a compiled XPath expression.

    Raise `etree.XPathSyntaxError` if the expression isn't XPath 1.0.
    """
    return etree.XPath(xpath, smart_strings=False)


def tags_above(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the tags of an element and its ancestors, from the element to the root."""
    tags = []
    while node >= 0:
        tags.append(page.tag[node])
        node = page.parent[node]
    return tuple(tags)


def lowest_common_ancestor(page: Page, nodes: Iterable[NodeId]) -> NodeId:
    """Return the deepest node whose subtree contains all of the given nodes.

    Raise ValueError if `nodes` is empty.
    """
    nodes = list(nodes)
    ancestor, last = min(nodes), max(nodes)
    while not page.contains(ancestor, last):
        ancestor = page.parent[ancestor]
    return ancestor


def child_above(page: Page, ancestor: NodeId, node: NodeId) -> NodeId:
    """Return the child of `ancestor` whose subtree contains `node`.

    Raise ValueError if `node` is no descendant of `ancestor`.
    """
    while page.parent[node] != ancestor:
        node = page.parent[node]
        if node < 0:
            raise ValueError("the node is not a descendant of the ancestor")
    return node


def siblings(page: Page, parent: NodeId) -> tuple[NodeId, ...]:
    """Return the child elements of a node, without mere separators such as `<br>`.

    Separators aren't counted as siblings (AMBER paper, section 3.4, segment).
    """
    return tuple(
        child
        for child in page.child_elements(parent)
        # The descendants of most children needn't be examined, because the children
        # have attributes or a text.
        if page.attributes[child] or page.text_length(child) or not page.is_blank(child)
    )
