"""Read the displayed texts of elements and trees of lxml."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from lxml import etree

from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.values.regular_expressions import SEARCHED
from amber_wrap.values.texts import ITEM_END

INLINE_TAGS: Final = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr"
)

INLINE: Final = frozenset(INLINE_TAGS.split())
"""The tags of inline elements. All other elements are block elements."""

LINES: Final = frozenset(
    "address article aside blockquote center dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header li main menu nav ol p pre "
    "search section summary table ul".split()
)
"""The tags of elements that begin a line of their own by the HTML standard. Browsers
show elements with unknown tags, such as `<search-hit>`, within a line."""

EMPHASIS: Final = frozenset({"b", "strong", "em", "i", "u", "mark", "font"})
"""The tags of elements that emphasise words within a text."""

EACH: Final = "each"
"""The `source` of a value that is a list: the displayed texts of all elements that an
XPath expression selects. `read_node` describes the other sources.
"""

CHOICES: Final = frozenset({"select", "option", "datalist", "textarea"})
"""The tags of form elements whose texts are choices or input, not content of the
page."""

_WHITE_SPACE: Final = re.compile(r"\s+")


def collapse(text: str) -> str:
    """Return a text with each run of white space replaced by one blank, and without
    white space at its ends.
    """
    return " ".join(text.split())


def text_of(node: etree._Element) -> str:
    """Return the displayed text of an element, with a blank wherever a block element
    starts or ends.
    """
    if is_hidden(node):
        return ""
    if not len(node):
        return collapse(node.text or "")
    parts = [node.text or ""]
    # A stack of the open elements (their other children, and the text behind them)
    # replaces recursion, because a tree may be 2,000 levels deep.
    open_elements: list[tuple[Iterator[etree._Element], str]] = []
    children: Iterator[etree._Element] = iter(node)
    while True:
        for child in children:
            is_element = isinstance(child.tag, str)
            gap = " " if is_element and child.tag not in INLINE else ""
            text_behind = gap + (child.tail or "")
            if is_element and not is_hidden(child):
                parts.append(gap + (child.text or ""))
                if len(child):
                    open_elements.append((children, text_behind))
                    children = iter(child)
                    break
            parts.append(text_behind)
        else:
            if not open_elements:
                return collapse("".join(parts))
            children, text_behind = open_elements.pop()
            parts.append(text_behind)


def own_lines_of(node: etree._Element) -> list[str]:
    """Return the texts directly in an element, without the texts in child elements.

    Child elements separate the texts, and blank texts are left out. If a single child
    such as `b` holds all text, return the texts directly in the child.
    """
    while len(node) == 1 and node[0].tag in EMPHASIS:
        if collapse(node.text or "") or collapse(node[0].tail or ""):
            break
        node = node[0]
    lines = [node.text or ""]
    for child in node:
        if isinstance(child.tag, str):
            lines.append("")
        lines[-1] += child.tail or ""
    return [line for line in map(collapse, lines) if line]


def read_node(node: etree._Element, source: str) -> str:
    """Return a text of an element with white space collapsed, or "" if it is missing.

    `source` names the text:

    * "text", "each": the displayed text
    * "@href": the value of the attribute `href`, or of any other attribute
    * "items": the displayed texts of the child elements, joined by `ITEM_END`
    * "own-text": all text directly in the element
    * "first-line", "last-line": the first or last text node directly in the element
    * "tail": the text between the element and the next tag
    * "tail-1": the first part of the tail, as in `parts_of`
    """
    if source in ("text", EACH):
        return text_of(node)
    if source[0] == "@":
        return collapse(node.get(source[1:], ""))
    if source == "items":
        texts = (text_of(child) for child in node if isinstance(child.tag, str))
        return ITEM_END.join(filter(None, texts))
    if source.startswith("tail"):
        tails = [collapse(node.tail or ""), *parts_of(node.tail or "")]
        number = int(source[5:] or 0)
        return tails[number] if number < len(tails) else ""
    lines = own_lines_of(node)
    if source == "first-line":
        lines = lines[:1]
    elif source == "last-line":
        lines = lines[-1:]
    return " ".join(lines)


def parts_of(text: str) -> list[str]:
    """Return the parts of a text between tabs, line breaks and runs of blanks.

    Blank parts are left out.
    """
    text_with_blanks = text.replace("\t", "  ").replace("\n", "  ")
    return [part for part in map(collapse, text_with_blanks.split("  ")) if part]


def shows_value(text: str) -> bool:
    """Return whether a text has a value, and not only blanks, dashes, dots and
    slashes.
    """
    return bool(text.strip("-–—./ "))


def is_blank(node: etree._Element) -> bool:
    """Return whether an element is a mere separator such as `<br>`, without text and
    attributes.

    Separators are ignored when siblings are counted (AMBER, section 3.4).
    """
    has_attributes = any(element.keys() for element in node.iter("*"))
    return not has_attributes and not text_of(node)


def texts_within(
    root: etree._Element, without: Collection[etree._Element] = ()
) -> Iterator[tuple[etree._Element, str]]:
    """Yield a pair (element, displayed text) for each element of a tree.

    A child element comes before its parent. A text of more than `SEARCHED` characters
    is replaced by "". The elements in `without` and their descendants are left out.
    """
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    # The parts of the text of each open element, the outermost element first.
    open_texts: list[list[str]] = []
    for event, node in walk:
        if event == "start":
            open_texts.append([node.text or ""])
            if node in without:
                walk.skip_subtree()
            continue
        node_text = ""
        if event == "end":
            parts = open_texts.pop()
            if node in without:
                node_text = text_of(node)
            else:
                node_text = "" if is_hidden(node) else _shortened("".join(parts))
                collapsed_text = collapse(node_text)
                yield node, collapsed_text if len(collapsed_text) <= SEARCHED else ""
            gap = "" if node.tag in INLINE else " "
            node_text = gap + node_text + gap
        if open_texts:
            open_texts[-1].append(node_text + (node.tail or ""))


def _shortened(text: str) -> str:
    """Return a text, shortened to `SEARCHED` + 2 characters if it is longer than
    `SEARCHED`.
    """
    if len(text) <= SEARCHED:
        return text
    return _WHITE_SPACE.sub(" ", text)[: SEARCHED + 2]


def blocks(
    root: etree._Element, without: Collection[etree._Element] = ()
) -> Iterator[str]:
    """Yield the displayed texts of a tree, split at the tags of block elements.

    Blank texts are left out. Hidden elements, form elements and the elements in
    `without` are skipped.
    """
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    block_parts: list[str] = []
    skipped: etree._Element | None = None
    for event, node in walk:
        is_element = event in ("start", "end")
        if skipped is None and is_element and node.tag not in INLINE:
            if block_text := collapse("".join(block_parts)):
                yield block_text
            block_parts.clear()
        if event == "start" and skipped is None:
            if node.tag in CHOICES or node in without or is_hidden(node):
                skipped = node
                walk.skip_subtree()
            else:
                block_parts.append(node.text or "")
        elif event != "start":
            if node is skipped:
                skipped = None
            if skipped is None and node is not root:
                block_parts.append(node.tail or "")
    if block_text := collapse("".join(block_parts)):
        yield block_text
