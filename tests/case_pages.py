"""Read case files of the analysis passes: trees with annotations as marks.

A case is a TOML file.  Its `html` is indented for reading; ids name elements.  A text
or an HTML attribute such as `[price £995]` is the value "£995" annotated as a price.
Instead of `html`, `html_of` may name the case that has the tree.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from amber_wrap.annotate.annotator import TEXT, Annotation
from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse

CASES = Path(__file__).parent / "cases"
MARK = re.compile(r"\[(\w+) ([^\[\]]+)\]")

Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class AnnotatedPage:
    """A page whose elements have names and whose annotations are known."""

    page: Page
    annotations: tuple[Annotation, ...]

    def node(self, name: str) -> NodeId:
        """Return the element with an id."""
        (node,) = self.page.select(f"//*[@id='{name}']")
        return node

    def name(self, node: NodeId) -> str:
        """Return the id of an element, or its tag."""
        return self.page.attributes[node].get("id", f"<{self.page.tag[node]}>")

    def pivots(self, kind: str) -> dict[NodeId, str]:
        """Return the nodes annotated with a type, and the first value of each."""
        annotated = (
            annotation
            for annotation in reversed(self.annotations)
            if annotation.type == kind
        )
        return dict(
            sorted((annotation.node, annotation.text) for annotation in annotated)
        )


def cases(folder: str) -> list[Any]:
    """Load the cases of a folder as test parameters."""
    return [
        pytest.param(load(path), id=path.stem)
        for path in sorted((CASES / folder).glob("*.toml"))
    ]


def load(path: Path) -> Case:
    """Load a case with its tree."""
    case = tomllib.loads(path.read_text("utf-8"))
    if "html_of" in case:
        case["html"] = load(CASES / case["html_of"])["html"]
    return case


def annotated_page(html: str) -> AnnotatedPage:
    """Parse a tree without its marks, and turn the marks into annotations."""
    marked = parse(html.encode())
    page = parse(MARK.sub(r"\2", html).encode())
    assert list(marked.tag) == list(page.tag)
    annotations = (
        annotation
        for node in range(len(marked))
        for source, text in sources(marked, node)
        for annotation in claims(node, source, text)
    )
    return AnnotatedPage(page, tuple(sorted(annotations)))


def sources(page: Page, node: NodeId) -> Iterator[tuple[str, str]]:
    """Yield the text of a text node, or the attributes of an element."""
    if page.is_text(node):
        yield TEXT, page.text[node]
    for name, value in page.attributes[node].items():
        yield f"@{name}", collapse(value)


def claims(node: NodeId, source: str, marked: str) -> Iterator[Annotation]:
    """Yield the annotations of a text, with offsets that don't count the marks."""
    added = 0
    for mark in MARK.finditer(marked):
        kind, value = mark.groups()
        start = mark.start() - added
        end = start + len(value)
        added += len(mark[0]) - len(value)
        yield Annotation(node, source, start, end, kind, value, value, "case")


PARTS = ("<div>", "<span>", "text", "<br>", "<i></i>", '<img src="/1.png">')


def random_pages() -> st.SearchStrategy[Page]:
    """Draw small trees of elements, texts and separators."""
    steps = st.tuples(st.sampled_from(PARTS), st.integers(0, 2))
    return st.lists(steps, min_size=8, max_size=40).map(grown)


def grown(steps: list[tuple[str, int]]) -> Page:
    """Build a tree of parts, each with the number of elements to close before it."""
    html = ["<div>"]
    opened: list[str] = []
    for part, closed in steps:
        html += [opened.pop() for _ in range(min(closed, len(opened)))]
        html.append(part)
        if part in ("<div>", "<span>"):
            opened.append(part.replace("<", "</"))
    return parse("".join(html).encode())
