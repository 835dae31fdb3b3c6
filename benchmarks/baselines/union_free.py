"""Union-free regular expressions over the nodes of pages: RoadRunner's wrappers.

Crescenzi, Mecca, Merialdo (VLDB 2001), section 3: tags and strings, fields (#PCDATA),
optionals and iterators.  A wrapper remembers which strings of which pages stand for
each of its own, so that what it extracts can be read off it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from amber_wrap.dom.markup import UNSEEN, collapse
from amber_wrap.dom.page import TEXT, NodeId, Page

SLOT_ATTRIBUTES = ("href", "src")
"""Attributes whose values are strings of the template or fields, as texts are."""


@dataclass(frozen=True, slots=True)
class String:
    """A string of a page: of a text node, or of an attribute ("@href")."""

    page: int
    node: NodeId
    source: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """Strings that match: one of the template if all are equal, else a field."""

    strings: tuple[String, ...]

    @property
    def is_field(self) -> bool:
        """Whether the strings differ."""
        return len({one.text for one in self.strings}) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """A tag with its attributes (as Texts, first) and all up to its end tag."""

    tag: str
    children: Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Hook:
    """An optional: (...)?"""

    body: Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Plus:
    """An iterator: (...)+"""

    body: Nodes


Node = Text | Element | Hook | Plus
Nodes = tuple[Node, ...]


def fields(wrapper: Node) -> Iterator[Text]:
    """Yield the fields of a wrapper, in order, each with its strings on all pages."""
    pending = [wrapper]
    while pending:
        node = pending.pop()
        if isinstance(node, Text):
            if node.is_field:
                yield node
        else:
            pending += reversed(
                node.children if isinstance(node, Element) else node.body
            )


def tree(page: Page, number: int) -> Element:
    """Return the displayed part of a page as a wrapper that matches it alone."""
    built: dict[NodeId, Node] = {}
    for node in reversed(range(len(page))):
        if page.is_text(node):
            string = String(number, node, TEXT, page.text[node])
            built[node] = Text((string,))
        elif page.tag[node] not in UNSEEN:
            below = tuple(built.pop(one) for one in page.children(node) if one in built)
            attributes = tuple(
                Text((String(number, node, f"@{name}", collapse(value)),))
                for name in SLOT_ATTRIBUTES
                if (value := page.attributes[node].get(name)) is not None
            )
            built[node] = Element(page.tag[node], attributes + below)
    root = built[0]
    assert isinstance(root, Element)
    return root


def first_token(node: Node) -> str:
    """Return the token that a node begins with: its tag, or the source of a string."""
    while isinstance(node, Hook | Plus):
        node = node.body[0]
    return node.strings[0].source if isinstance(node, Text) else f"<{node.tag}>"


def last_token(node: Node) -> str:
    """Return the token that a node ends with: its tag, or the source of a string."""
    while isinstance(node, Hook | Plus):
        node = node.body[-1]
    return first_token(node)
