"""A page as columns: one row per node, numbered in document order.

Others hold `NodeId`s; lxml's elements leave this package for the interpreter and the
lowering alone, which read trees as generated files do.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from lxml import etree

from amber_wrap.dom.ending import WHOLE_PAGE, Ending
from amber_wrap.dom.markup import EACH, collapse, read_node, text_of
from amber_wrap.errors import Diagnostic
from amber_wrap.memo import remembered

NodeId = int
"""Preorder rank.  Document order is `<`; `a` is an ancestor of `n`, or `n` itself,
when `a <= n < a + page.size[a]`."""

TEXT = "text"
"""A source of values: what a node displays, its descendants included."""
OWN_TEXT, FIRST_LINE, LAST_LINE = "own-text", "first-line", "last-line"
TAIL = "tail"
"""A source of values: what stands directly in an element.  Others are HTML attributes,
such as "@href"."""
ITEMS = "items"
"""A source of values: what the child elements display, one by one."""
LISTS = frozenset({ITEMS, EACH})
"""The sources of lists; the second is what each of several elements displays."""

ITEM_PROPERTY = "itemprop"
"""The HTML attribute (microdata) that marks data, and says what it is."""
NAMING_ATTRIBUTES = (ITEM_PROPERTY, "data-testid", "data-test", "data-qa")
"""HTML attributes that are there to name what an element shows, whatever its look."""

TEXT_NODE = "#text"
"""The tag of a text node."""


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Page:
    """The DOM tree of a page (AMBER, section 2.2), its elements and text nodes.

    White space is collapsed in `text`, which is empty for elements; texts that are
    blank or not displayed have no node.  `size` counts the nodes of a subtree, its
    root included; the root's `depth` is 0 and its `parent` -1.  `characters` has one
    entry more than there are nodes: how many are displayed before each, and in all.
    `hidden` tells the elements that are not displayed (`dom.markup.is_hidden`),
    but not what is within them.

    `ending` is how its bytes end.

    `_displayed` is what the page displays, white space as it is written, and `_spans`
    where in it the text of each node is, None within hidden elements.  `_children` and
    `_classes` are the child elements and the class tokens of each node,
    `_element_nodes` all elements, and `_elements_before` how many there are before each
    node, and in all.
    """

    tag: Sequence[str]
    attributes: Sequence[Mapping[str, str]]
    text: Sequence[str]
    parent: Sequence[NodeId]
    size: Sequence[int]
    depth: Sequence[int]
    characters: Sequence[int]
    hidden: Sequence[bool]
    url: str = ""
    diagnostics: tuple[Diagnostic, ...] = ()
    ending: Ending = WHOLE_PAGE
    _elements: Sequence[etree._Element | None] = field(default=(), repr=False)
    _ids: Mapping[etree._Element | None, NodeId] = field(
        default_factory=dict, repr=False
    )
    _displayed: str = field(default="", repr=False)
    _spans: Sequence[tuple[int, int] | None] = field(default=(), repr=False)
    _children: Sequence[tuple[NodeId, ...]] = field(default=(), repr=False)
    _classes: Sequence[tuple[str, ...]] = field(default=(), repr=False)
    _element_nodes: Sequence[NodeId] = field(default=(), repr=False)
    _elements_before: Sequence[int] = field(default=(), repr=False)

    def __len__(self) -> int:
        return len(self.tag)

    def is_text(self, node: NodeId) -> bool:
        """Return whether the node is a text node."""
        return self.tag[node] == TEXT_NODE

    def element(self, node: NodeId) -> NodeId:
        """Return the node itself, or the element above a text node."""
        return self.parent[node] if self.is_text(node) else node

    def contains(self, ancestor: NodeId, node: NodeId) -> bool:
        """Return whether `node` is in the subtree of `ancestor`, its root included."""
        return ancestor <= node < ancestor + self.size[ancestor]

    def children(self, node: NodeId) -> Iterator[NodeId]:
        """Yield the children of a node, texts included, in document order."""
        child, end = node + 1, node + self.size[node]
        while child < end:
            yield child
            child += self.size[child]

    def child_elements(self, node: NodeId) -> tuple[NodeId, ...]:
        """Return the children of a node that are elements, in document order."""
        return self._children[node]

    def elements(self, node: NodeId = 0) -> Sequence[NodeId]:
        """Return the elements of a subtree, in document order."""
        before = self._elements_before
        return self._element_nodes[before[node] : before[node + self.size[node]]]

    def classes(self, node: NodeId) -> tuple[str, ...]:
        """Return the class tokens of an element, as written."""
        return self._classes[node]

    def text_length(self, node: NodeId) -> int:
        """Return the number of characters that a subtree displays."""
        return self.characters[node + self.size[node]] - self.characters[node]

    @remembered
    def text_lengths(self) -> Sequence[int]:
        """Return the same of every node."""
        before = self.characters
        return [
            before[node + size] - before[node] for node, size in enumerate(self.size)
        ]

    def is_blank(self, node: NodeId) -> bool:
        """Return whether an element is a mere separator (`dom.markup.is_blank`)."""
        return not self.string(node) and not any(
            self.attributes[one] for one in self.elements(node)
        )

    def is_hidden(self, node: NodeId) -> bool:
        """Return whether an element is not displayed (`dom.markup.is_hidden`)."""
        return self.hidden[node]

    def is_within_hidden(self, node: NodeId) -> bool:
        """Return whether any element above an element is not displayed."""
        return self._spans[node] is None

    @remembered
    def string(self, node: NodeId) -> str:
        """Return the displayed text of an element (`dom.markup.text_of`)."""
        if self.hidden[node]:
            return ""
        if (span := self._spans[node]) is None:
            return text_of(self.element_of(node))
        return collapse(self._displayed[slice(*span)])

    @remembered
    def source_text(self, node: NodeId, source: str) -> str:
        """Return what an element's `source` says, collapsed; "" where it is absent.

        The sources are those of `dom.markup.read_node`.
        """
        if source == TEXT:
            return self.string(node)
        return read_node(self.element_of(node), source)

    def select(self, xpath: str, context: NodeId = 0) -> list[NodeId]:
        """Return the elements that an XPath expression selects from an element.

        In document order.  Raises `etree.XPathError` for an expression that does not
        compile or yields no elements.
        """
        found = compiled_xpath(xpath)(self.element_of(context))
        if not isinstance(found, list):
            raise etree.XPathResultError(f"{xpath} selects no elements")
        return [
            self._ids[one]
            for one in found
            if isinstance(one, etree._Element) and one in self._ids
        ]

    @property
    def root(self) -> etree._Element:
        """The root of the tree, for the interpreter (`engine`)."""
        return self.element_of(0)

    def node_of(self, element: etree._Element) -> NodeId:
        """Return the number of an element of the tree."""
        return self._ids[element]

    def element_of(self, node: NodeId) -> etree._Element:
        """Return the element of the tree that has this number."""
        element = self._elements[node]
        if element is None:
            raise ValueError(f"node {node} is a text node")
        return element


@lru_cache(maxsize=4096)
def compiled_xpath(xpath: str) -> etree.XPath:
    """Return a compiled XPath expression; raises `etree.XPathSyntaxError`."""
    return etree.XPath(xpath, smart_strings=False)
