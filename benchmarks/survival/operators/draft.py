"""Copy a page, change the copy, and write it as HTML."""

from __future__ import annotations

import codecs
import re
import tomllib
from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from string import ascii_lowercase, digits
from typing import TypeVar

from lxml import etree

from amber_wrap.dom.decoding import parse_html
from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.hidden_elements import is_hidden
from operators.located import Element, LocatedPage

T = TypeVar("T")
VOCABULARY = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))
"""Words that are written into changed pages, such as labels and adverts."""

TEMPLATE, ELEMENT = "template", "element"
"""The two scopes of a change.

A change affects either all elements with the same path of tags and classes, or single
elements.
"""
SCOPES = (TEMPLATE, ELEMENT)
"""The two scopes of a change: all similar elements, or single elements."""
ANY_FIELD = ""
"""The field name of a changed text that may belong to the value of any field."""
WORD_ATTRIBUTES = ("alt", "title", "aria-label", "content", "value")
"""The HTML attributes whose values may be words."""
WORDS = (
    "panel tile entry block grid item card module result body head foot main side meta "
    "info box cell lead core unit stack row slot view pane teaser detail list group"
).split()
"""The words of new class names and ids."""


@dataclass(frozen=True, slots=True)
class Change:
    """A text that a record no longer displays, and the text that replaces it.

    `new` is None if the text was removed. `record` is the number of the record. `field`
    is the name of the changed field, or `ANY_FIELD` if it isn't known.
    """

    field: str
    record: int
    old: str
    new: str | None


class Draft:
    """A copy of a page to be changed, and the random choices of a seed.

    `rate` is the probability with which an element, text or class name changes. `scope`
    is `TEMPLATE` or `ELEMENT`.
    """

    def __init__(self, page: LocatedPage, rng: Random, rate: float, scope: str):
        self.page, self.rng, self.rate = page, rng, rate
        self.is_template = scope == TEMPLATE
        """Whether all instances of a unit change alike."""
        self.root, self.elements = page.copy()
        self.is_changed = False
        self.changes: list[Change] = []
        self.rest: dict[int, str] = {}
        """The text that each record displays after it lost a field, without white
        space."""

    def choose(self, units: Iterable[T]) -> list[T]:
        """Return a random choice of units, each taken with the probability `rate`.

        A unit is an element, a class name, or a group of them. At least one unit is
        taken, unless there is none or the rate is 0.
        """
        all_units = list(units)
        if self.rate <= 0 or not all_units:
            return []
        self.is_changed = True
        chosen = [unit for unit in all_units if self.rng.random() < self.rate]
        return chosen or [self.rng.choice(all_units)]

    def units(self, ranks: Iterable[int]) -> list[list[int]]:
        """Return groups of elements that change together.

        Elements are given by their numbers in document order. Elements change together
        if they have the same path of tags and classes. In the scope `ELEMENT`, each
        element is a group of its own.
        """
        return self.grouped((self.page.template[rank], rank) for rank in ranks)

    def grouped(self, pairs: Iterable[tuple[Hashable, T]]) -> list[list[T]]:
        """Return groups of units that change together, such as elements or class names.

        A pair has a key and a unit. Units with equal keys change together. In the scope
        `ELEMENT`, each unit is a group of its own.
        """
        if not self.is_template:
            return [[unit] for _, unit in pairs]
        groups: dict[Hashable, list[T]] = defaultdict(list)
        for key, unit in pairs:
            groups[key].append(unit)
        return list(groups.values())

    def new_name(self) -> str:
        """Draw a class name or id that the page doesn't have."""
        while True:
            parts = self.rng.sample(WORDS, self.rng.choice((1, 2, 2, 3)))
            name = self.rng.choice("--_").join(parts)
            if name not in self.page.names:
                return name

    def hash(self, length: int) -> str:
        """Draw letters and digits like those that build tools append to class names.

        The last character is a digit.
        """
        characters = self.rng.choices(ascii_lowercase + digits, k=length - 1)
        return "".join(characters) + self.rng.choice("23456789")

    def new(self, tag: str, classes: str = "") -> Element:
        """Return a new element that isn't in the tree yet."""
        return self.root.makeelement(tag, {"class": classes} if classes else {})


def displayed_words(nodes: Sequence[Element], within: Element | None = None) -> str:
    """Return the displayed texts in `nodes`, with the words of HTML attributes such as
    `alt`.

    The content of the element `within` is left out.
    """
    parts = []
    for node in nodes:
        walk = etree.iterwalk(node, events=("start", "end", "comment", "pi"))
        for event, inner in walk:
            if event != "start":
                parts.append(inner.tail if inner is not node else "")
            elif inner is within or is_hidden(inner):
                walk.skip_subtree()
            else:
                parts += [inner.text, *map(inner.get, WORD_ATTRIBUTES)]
    return collapse(" ".join(filter(None, parts)))


def squeezed(text: str) -> str:
    """Return a text without white space, casefolded."""
    return "".join(text.split()).casefold()


def has_own_text(element: Element) -> bool:
    """Return whether an element has text outside of its child elements."""
    texts = (element.text, *(child.tail for child in element))
    return any(text and text.strip() for text in texts)


def addresses(nodes: Sequence[Element]) -> str:
    """Return the values of `href`, `src`, `srcset` and `data-*` attributes in
    `nodes`.
    """
    return " ".join(
        value
        for node in nodes
        for element in node.iter("*")
        for name, value in element.items()
        if name in ("href", "src", "srcset") or name.startswith("data-")
    )


RAW = frozenset("script style xmp iframe noembed noframes plaintext".split())
"""The tags of elements whose text the parser doesn't unescape."""
DECLARATION = re.compile(r"(charset\s*=\s*[\"']?\s*)[\w.:-]+", re.IGNORECASE)
"""A pattern of the declaration of an encoding in a <meta>."""
_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#13;"})
"""The characters that are escaped in texts."""
_VALUE = str.maketrans({"&": "&amp;", '"': "&quot;", "\r": "&#13;"})
"""The characters that are escaped in the values of HTML attributes."""


def write_html(root: etree._Element) -> bytes:
    """Return a tree as HTML in UTF-8, which lxml parses to the same tree again.

    The encoding is declared in the page's <meta> if it has one, otherwise by a byte
    order mark. lxml's own writer isn't used, because it escapes URLs and closes some
    elements in another way.
    """
    declared = _declare(root)
    parts = ["<!DOCTYPE html>\n"]
    for event, it in etree.iterwalk(root, events=("start", "end", "comment", "pi")):
        if event == "start":
            pairs = it.items()
            attributes = (
                f' {name}="{value.translate(_VALUE)}"' for name, value in pairs
            )
            text = it.text or ""
            text = text if it.tag in RAW else text.translate(_TEXT)
            parts += [f"<{it.tag}", *attributes, ">", text]
            continue
        if event == "comment":
            parts.append(f"<!--{it.text}-->")
        elif event == "end" and (len(it) or it.text or not is_void(it.tag)):
            parts.append(f"</{it.tag}>")
        if it.tail and it is not root:
            parts.append(it.tail.translate(_TEXT))
    body = "".join(parts).encode()
    return body if declared else codecs.BOM_UTF8 + body


def _declare(root: etree._Element) -> bool:
    """Change the page's declarations of an encoding to UTF-8.

    Return whether there is such a declaration.
    """
    is_declared = False
    for meta in root.iter("meta"):
        if meta.get("charset"):
            meta.set("charset", "utf-8")
            is_declared = True
        content = meta.get("content") or ""
        if meta.get("http-equiv", "").lower() == "content-type":
            changed = DECLARATION.sub(r"\1utf-8", content)
            meta.set("content", changed)
            is_declared = is_declared or "charset" in changed.lower()
    return is_declared


@cache
def is_void(tag: str) -> bool:
    """Return whether elements with a tag never have content, such as <br>."""
    tree = parse_html(f"<div><{tag}>x</div>")
    *_, last = (None, *tree.iter(tag))
    return last is not None and not last.text and not len(last)


@cache
def nests(outer: str, inner: str) -> bool:
    """Return whether an element with the tag `inner` may be inside one with the tag
    `outer`.

    A <p> may not be in a <p>, for example: the parser closes the outer <p> early.
    """
    outer = "div" if outer == "body" else outer
    body = parse_html(f"<div><{outer}><{inner}></{inner}><i></i></{outer}></div>")[-1]
    child_tags = [child.tag for child in body[0][0]] if len(body[0]) == 1 else []
    return child_tags == [inner, "i"]
