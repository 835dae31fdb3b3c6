"""Find ancestors and siblings in a page's tree (AMBER, sections 2.2 and 3.3)."""

from __future__ import annotations

from collections.abc import Iterable

from amber_wrap.dom.page import NodeId, Page


def tags_above(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the tags from an element up to the root."""
    tags = []
    while node >= 0:
        tags.append(page.tag[node])
        node = page.parent[node]
    return tuple(tags)


def lowest_common_ancestor(page: Page, nodes: Iterable[NodeId]) -> NodeId:
    """Return the deepest node whose subtree contains all the nodes.

    Raise ValueError if there are no nodes.
    """
    first, last = min(nodes := list(nodes)), max(nodes)
    ancestor = first
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
    """Return the child elements of a node, without mere separators such as `<br>`
    (AMBER, section 3.4, segment).
    """
    return tuple(
        child
        for child in page.child_elements(parent)
        # For most children, attributes or a text save the examination of descendants.
        if page.attributes[child] or page.text_length(child) or not page.is_blank(child)
    )
