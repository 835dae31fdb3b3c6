"""Write a changed tree as bytes that parse to the same tree.

lxml's own writer escapes URLs, which changes what a page says, and knows other empty
elements than the parser.
"""

from __future__ import annotations

import codecs
import re
from functools import cache

from lxml import etree

from amber_wrap.dom.markup import parse_html

RAW = frozenset("script style xmp iframe noembed noframes plaintext".split())
"""Elements whose text the parser takes as it stands."""
DECLARATION = re.compile(r"(charset\s*=\s*[\"']?\s*)[\w.:-]+", re.IGNORECASE)
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
_VALUE = str.maketrans({"&": "&amp;", '"': "&quot;", "\r": "&#13;"})


def write_html(root: etree._Element) -> bytes:
    """Write a page in UTF-8 and declare it so: in its <meta>, else by a mark."""
    declared = _declare(root)
    parts = ["<!DOCTYPE html>\n"]
    walk = etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, one in walk:
        if event == "start":
            tag = one.tag
            parts.append(f"<{tag}")
            parts.extend(
                f' {name}="{value.translate(_VALUE)}"' for name, value in one.items()
            )
            parts.append(">")
            if one.text:
                raw = tag in RAW
                parts.append(one.text if raw else one.text.translate(_TEXT))
            continue
        if event == "end":
            if len(one) or one.text or not is_void(one.tag):
                parts.append(f"</{one.tag}>")
        elif event == "comment":
            parts.append(f"<!--{one.text}-->")
        if one.tail and one is not root:
            parts.append(one.tail.translate(_TEXT))
    body = "".join(parts).encode()
    return body if declared else codecs.BOM_UTF8 + body


def _declare(root: etree._Element) -> bool:
    """Make the page's declarations say UTF-8; return whether there is one."""
    found = False
    for meta in root.iter("meta"):
        if meta.get("charset"):
            meta.set("charset", "utf-8")
            found = True
        content = meta.get("content") or ""
        if meta.get("http-equiv", "").lower() == "content-type":
            changed = DECLARATION.sub(r"\1utf-8", content)
            meta.set("content", changed)
            found = found or "charset" in changed.lower()
    return found


@cache
def is_void(tag: str) -> bool:
    """Return whether the parser takes nothing into an element, not even text."""
    tree = parse_html(f"<div><{tag}>x</div>")
    found = [one for one in tree.iter("*") if one.tag == tag]
    return bool(found) and not found[-1].text and not len(found[-1])


@cache
def nests(outer: str, inner: str) -> bool:
    """Return whether the parser leaves one element in another, and the other open after
    it.
    """
    outer = "div" if outer == "body" else outer
    body = parse_html(f"<div><{outer}><{inner}></{inner}><i></i></{outer}></div>")[-1]
    inside = [one.tag for one in body[0][0]] if len(body[0]) == 1 else []
    return inside == [inner, "i"]
