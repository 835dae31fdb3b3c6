"""Parse the bytes of a page into a `Page`.

Elements that a script would display later are treated as displayed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, compress, count

from lxml import etree

from amber_wrap.dom.awaited_elements import display_awaited
from amber_wrap.dom.decoding import html_parser, parse_html
from amber_wrap.dom.displayed_texts import INLINE, collapse
from amber_wrap.dom.hidden_elements import UNSEEN, is_hidden
from amber_wrap.dom.page import TEXT_NODE, NodeId, Page
from amber_wrap.dom.split_amounts import has_other_numbers, join_cents
from amber_wrap.dom.truncation import cut_to_budget, ending_of
from amber_wrap.errors import Diagnostic, PageError

CONTROL_BYTES = bytes(set(range(32)) - set(b"\t\n\f\r\x1b"))
"""The control characters that are rare in texts, but frequent in binary data."""

NO_ATTRIBUTES: Mapping[str, str] = {}
"""The empty mapping that every text node has in place of HTML attributes."""

UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""The byte order marks of UTF-16."""


def parse(body: bytes, url: str = "", budget: int = 0) -> Page:
    """Return the page parsed from bytes, with the address `url`.

    `budget` is the greatest number of characters, or 0 for no limit. Raise PageError if
    the bytes are blank or binary data, or have no elements.
    """
    check_body(body)
    parser = html_parser()
    root = parse_html(body, parser)
    cut_warning = cut_to_budget(root, budget) if budget else None
    warnings = [*_parser_limits(parser)]
    if cut_warning:
        warnings.append(cut_warning)
    display_awaited(root)
    split_amounts = [] if has_other_numbers(root) else join_cents(root)
    columns = _Columns()
    columns.fill(root)
    if len(columns.tag) < 2:
        raise PageError("the page has no elements: save it as HTML")
    are_elements = [tag != TEXT_NODE for tag in columns.tag]
    nodes = tuple(compress(count(), are_elements))
    children: list[list[NodeId]] = [[] for _ in are_elements]
    for node in nodes[1:]:
        children[columns.parent[node]].append(node)
    displayed = "".join(columns.displayed_parts)
    ids = dict(zip(columns.elements, range(len(columns.elements)), strict=True))
    # The blank between two elements is in the span of neither element.
    spans = tuple(
        span and (span[0] + displayed.startswith(" ", span[0]), span[1])
        for span in columns.spans
    )
    return Page(
        tag=tuple(columns.tag),
        attributes=tuple(columns.attributes),
        text=tuple(columns.text),
        parent=tuple(columns.parent),
        size=tuple(columns.size),
        depth=tuple(columns.depth),
        characters=tuple(accumulate(map(len, columns.text), initial=0)),
        hidden=tuple(columns.hidden),
        url=url,
        diagnostics=tuple(warnings),
        ending=ending_of(body),
        split_amounts=tuple(
            ids[element] for element in split_amounts if element in ids
        ),
        _elements=tuple(columns.elements),
        _ids=ids,
        _displayed=displayed,
        _spans=spans,
        _children=tuple(map(tuple, children)),
        _classes=tuple(
            tuple(attributes["class"].split()) if "class" in attributes else ()
            for attributes in columns.attributes
        ),
        _element_nodes=nodes,
        _elements_before=tuple(accumulate(are_elements, initial=0)),
    )


def check_body(body: bytes) -> None:
    """Raise PageError if the bytes of a page are blank or binary data."""
    if not body.strip():
        raise PageError("the page is empty: save it again")
    if _looks_binary(body):
        raise PageError(
            "the page is binary data, not HTML (an image, or compressed with "
            "Brotli, for example): save the page itself, uncompressed"
        )


def _looks_binary(body: bytes) -> bool:
    """Return whether bytes have too many control characters for text.

    Images and PDF files, for example, have too many.
    """
    head = body[:4096]
    if head.startswith(UTF16_MARKS):
        return False
    control_count = len(head) - len(head.translate(None, CONTROL_BYTES))
    return control_count > 0.02 * len(head)


def _parser_limits(parser: etree.HTMLParser) -> Iterator[Diagnostic]:
    """Yield a warning for the first limit of libxml2 that a parsed page exceeded.

    Nothing is yielded if the page exceeded no limit.
    """
    # libxml2 drops the rest of the page silently.
    for entry in parser.error_log:
        if entry.type_name == "ERR_RESOURCE_LIMIT" or "Excessive depth" in (
            entry.message
        ):
            yield Diagnostic(
                "warning",
                "page-truncated",
                f"the parser stopped early ({entry.message.strip()}): neither "
                "this command nor the generated file reads the rest of the page",
                f"line {entry.line}",
            )
            return


@dataclass(slots=True)
class _Columns:
    """The properties of a `Page` under construction, as lists indexed by node."""

    tag: list[str] = field(default_factory=list)
    attributes: list[Mapping[str, str]] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    parent: list[NodeId] = field(default_factory=list)
    size: list[int] = field(default_factory=list)
    depth: list[int] = field(default_factory=list)
    elements: list[etree._Element | None] = field(default_factory=list)
    hidden: list[bool] = field(default_factory=list)
    spans: list[tuple[int, int] | None] = field(default_factory=list)
    """The start and end of each element's text in the displayed text, or None within
    hidden elements.
    """
    displayed_parts: list[str] = field(default_factory=list)
    """The parts of the displayed text."""

    def fill(self, root: etree._Element) -> None:
        """Append `root` and all nodes below it to the lists of this object.

        Texts that only a comment separates become one text node.
        """
        # A tree may be 2,000 levels deep, so that the code isn't recursive. The loop
        # avoids calls, because it runs once for each node.
        add, sizes, spans = self._add, self.size, self.spans
        display = self.displayed_parts.append
        open_nodes: list[NodeId] = []
        text_node = ""  # The text of the text node that is being read.
        hidden_depth = 0  # The number of open elements that hide their content.
        length = 0  # The number of displayed characters before the current position.
        gap = False  # Whether a blank separates the next text from the last text.

        walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
        for event, element in walk:
            text: str | None
            if event == "start":
                tag = element.tag
                if text_node and not text_node.isspace():
                    add(TEXT_NODE, NO_ATTRIBUTES, collapse(text_node), open_nodes)
                text_node = ""
                attributes = dict(element.items())
                # Only these can hide an element; the test saves calls of `is_hidden`.
                hidden = (
                    tag in UNSEEN
                    or "hidden" in attributes
                    or "style" in attributes
                    or "-none" in attributes.get("class", "")
                ) and is_hidden(element)
                span = None
                if not hidden_depth:
                    gap = gap or tag not in INLINE
                    span = length, length
                add(tag, attributes, "", open_nodes, element, hidden, span)
                open_nodes.append(len(sizes) - 1)
                hidden_depth += hidden
                text = element.text
            else:
                if event == "end":
                    if text_node and not text_node.isspace():
                        add(TEXT_NODE, NO_ATTRIBUTES, collapse(text_node), open_nodes)
                    text_node = ""
                    node = open_nodes.pop()
                    sizes[node] = len(sizes) - node
                    hidden_depth -= self.hidden[node]
                    if span := spans[node]:
                        spans[node] = span[0], length
                        gap = gap or element.tag not in INLINE
                text = None if element is root else element.tail
            if text and not hidden_depth:
                text_node += text
                if words := collapse(text):
                    if gap or text[0].isspace():
                        display(" ")
                        length += 1
                    display(words)
                    length += len(words)
                    gap = text[-1].isspace()
                else:
                    gap = True

    def _add(
        self,
        tag: str,
        attributes: Mapping[str, str],
        text: str,
        ancestors: Sequence[NodeId],
        element: etree._Element | None = None,
        hidden: bool = False,
        span: tuple[int, int] | None = None,
    ) -> None:
        """Append one node to the lists, before the node's descendants are appended.

        The size of the node is 1 at first. `ancestors` starts with the root. `span` is
        the start and the end of the node's displayed text.
        """
        self.tag.append(tag)
        self.attributes.append(attributes)
        self.text.append(text)
        self.parent.append(ancestors[-1] if ancestors else -1)
        self.size.append(1)
        self.depth.append(len(ancestors))
        self.elements.append(element)
        self.hidden.append(hidden)
        self.spans.append(span)
