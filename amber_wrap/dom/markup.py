"""From bytes to a tree, and from a tree to the text that a reader sees."""

from collections.abc import Iterator
from typing import Final

from lxml import etree
from w3lib.encoding import html_to_unicode

from amber_wrap.values.typed import ITEM_END

# Text below these is not displayed.
UNSEEN: Final = frozenset({"script", "style", "template", "noscript", "head"})
# Elements that run on in the line; every other one breaks it.
INLINE_TAGS: Final = (
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark "
    "nobr q s samp small span strike strong sub sup time tt u var wbr"
)
INLINE: Final = frozenset(INLINE_TAGS.split())
# Elements that set off words of a text, and make no other text of them.
EMPHASIS: Final = frozenset({"b", "strong", "em", "i", "u", "mark", "font"})
# What is read of all selected nodes, not of the first only.
EACH: Final = "each"


def decode(body: bytes, charset: str = "") -> str:
    """Decode a page as browsers do: byte order mark, `charset` of the HTTP header,
    declaration, UTF-8.

    But which of UTF-8 and Windows-1252 it is the bytes tell, whatever is declared: one
    is often called the other, and a few broken bytes don't make a page the other.
    """
    return _decode(body, charset)[1]


def _decode(body: bytes, charset: str = "") -> tuple[bool, str]:
    """Return the text of a page, and whether the bytes are that, all of it, in
    UTF-8.
    """
    said = f"text/html; charset={charset}" if charset else None
    try:
        encoding, text = html_to_unicode(said, body, "utf-8")
    except (LookupError, ValueError):  # Python has codecs that are none of pages.
        encoding, text = "cp1252", ""
    # Without tags, what is declared is UTF-16, say, and no page in ASCII can say so.
    is_lost = "<" not in text or (encoding == "utf-8" and "\ufffd" in text)
    if encoding != "cp1252" and not is_lost:
        return encoding == "utf-8", text
    both = (body.decode(one, "replace") for one in ("utf-8-sig", "cp1252"))
    # Read as what it is, a page is shorter: of UTF-8 the other one makes several signs
    # for each.  What can't be read at all counts twice.
    return False, min(both, key=lambda text: len(text) + text.count("\ufffd"))


def html_parser() -> etree.HTMLParser:
    """Return a parser set up as parsel sets up its own: one tree, whoever parses.

    Only that it keeps no table of ids, a tenth of its time: no expression asks `id()`.
    """
    return etree.HTMLParser(
        recover=True, encoding="utf8", huge_tree=True, collect_ids=False
    )


def parse_html(
    page: str | bytes, parser: etree.HTMLParser | None = None
) -> etree._Element:
    """Parse a page into the tree that `parsel.Selector` holds of its text."""
    parser = parser or html_parser()
    root = etree.fromstring(to_utf8(page) or b"<html/>", parser=parser)
    if root is None:
        return etree.fromstring(b"<html/>", parser=parser)
    # Of several documents in one, expressions reach all: "//" begins above the first.
    root.extend(list(root.itersiblings("*")))
    return root


def to_utf8(page: str | bytes) -> bytes:
    """Return a page as the parser gets it: UTF-8 without zeros, nor white space
    around it.
    """
    if isinstance(page, bytes):
        is_utf8, text = _decode(page)
        body = page.strip().replace(b"\x00", b"")
        # Between tags is no white space of other scripts, nor a byte order mark.
        if is_utf8 and body[:1] + body[-1:] == b"<>":
            return body
        page = text
    return page.strip().replace("\x00", "").encode("utf8", "replace")


def collapse(text: str) -> str:
    """Make one blank of every run of white space, none at the ends."""
    return " ".join(text.split())


def is_hidden(node: etree._Element) -> bool:
    """Return whether an element is never displayed, or not as the page stands."""
    given = node.keys()
    return (
        node.tag in UNSEEN
        or "hidden" in given
        or ("class" in given and hides(node.get("class", "")))
        or (
            "style" in given
            and "display:none" in node.get("style", "").replace(" ", "").lower()
        )
    )


def hides(classes: str) -> bool:
    """Return whether class tokens name no display on any screen, as "d-none
    d-md-block" does on some.
    """
    return "-none" in classes and {
        one
        for one in classes.split()
        if one.startswith(("d-", "display-")) and not one.startswith("d-print-")
    } in ({"d-none"}, {"display-none"})


def text_of(node: etree._Element) -> str:
    """Return the displayed text of a node: a blank where an element breaks the
    line.
    """
    if is_hidden(node):
        return ""
    if not len(node):
        return collapse(node.text or "")
    parts = [node.text or ""]
    # What is left of the elements around, and what stands behind them: no recursion,
    # a tree may be 2,000 deep.
    around: list[tuple[Iterator[etree._Element], str]] = []
    children: Iterator[etree._Element] = iter(node)
    while True:
        for one in children:
            is_element = isinstance(one.tag, str)
            gap = " " if is_element and one.tag not in INLINE else ""
            behind = gap + (one.tail or "")
            if is_element and not is_hidden(one):
                parts.append(gap + (one.text or ""))
                if len(one):
                    around.append((children, behind))
                    children = iter(one)
                    break
            parts.append(behind)
        else:
            if not around:
                return collapse("".join(parts))
            children, behind = around.pop()
            parts.append(behind)


def own_lines_of(node: etree._Element) -> list[str]:
    """Return the texts that stand directly in a node, as its child elements part
    them.

    Or in the only element within it, if all of its text is emphasised.
    """
    while len(node) == 1 and node[0].tag in EMPHASIS:
        if collapse(node.text or "") or collapse(node[0].tail or ""):
            break
        node = node[0]
    lines = [node.text or ""]
    for one in node:
        if isinstance(one.tag, str):
            lines.append("")
        lines[-1] += one.tail or ""
    return [line for line in map(collapse, lines) if line]


def read_node(node: etree._Element, source: str) -> str:
    """Return what a node displays, or an HTML attribute says, white space
    collapsed.

    The source is "text", of the node's own texts all, the first or the last
    ("own-text", "first-line", "last-line"), an attribute such as "@href", or the text
    behind the node ("tail"), of which "tail-1" is the first of parts with room between.
    Of "items", what its elements display each, a line for each; of "each", what the
    node displays, and so for each node that is selected.
    """
    if source in ("text", EACH):
        return text_of(node)
    if source[0] == "@":
        return collapse(node.get(source[1:], ""))
    if source == "items":
        texts = (text_of(one) for one in node if isinstance(one.tag, str))
        return ITEM_END.join(filter(None, texts))
    if source.startswith("tail"):
        parts = [collapse(node.tail or ""), *parts_of(node.tail or "")]
        number = int(source[5:] or 0)
        return parts[number] if number < len(parts) else ""
    lines = own_lines_of(node)
    if source == "first-line":
        lines = lines[:1]
    elif source == "last-line":
        lines = lines[-1:]
    return " ".join(lines)


def parts_of(text: str) -> list[str]:
    """Return the parts of a preformatted line: what stands two blanks apart or
    more.
    """
    wide = text.replace("\t", "  ").replace("\n", "  ")
    return [part for part in map(collapse, wide.split("  ")) if part]


def shows_value(shown: str) -> bool:
    """Return whether a text says something; a mere dash says that there is nothing."""
    return bool(shown.strip("-–—./ "))


def is_blank(node: etree._Element) -> bool:
    """Return whether a node is a mere separator: no text and no attribute, all the
    way down.

    AMBER, section 3.4: such nodes are collapsed before siblings are counted.
    """
    return not any(one.keys() for one in node.iter("*")) and not text_of(node)
