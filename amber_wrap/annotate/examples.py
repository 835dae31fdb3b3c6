"""Annotate values in elements that resemble the element of a user's example.

Such elements have the same tags and classes as the element with the example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import (
    FIRST_LINE,
    LAST_LINE,
    OWN_TEXT,
    TEXT,
    NodeId,
    Page,
    tags_above,
)
from amber_wrap.errors import SelectionError

Role = tuple[tuple[str, ...], tuple[str, ...] | int]
"""A key that similar elements have in common: the tags from an element up to the root,
and the class tokens of the element. If the element has no classes, the index among the
siblings replaces the class tokens.
"""


@dataclass(frozen=True, slots=True)
class Example:
    """A value on a sample page that a user gave as an example for a column."""

    name: str
    """The name of the column."""
    value: str
    """The value as the page displays it."""

    @property
    def text(self) -> str:
        """The value as a page displays it, with white space collapsed."""
        return " ".join(self.value.split())

    @property
    def pattern(self) -> str:
        """The name of the regular expression that matches the value, such as
        "example:agent"."""
        return f"example:{self.name}"

    @property
    def words(self) -> str:
        """A regular expression that matches the value, but not within a longer word or
        number.
        """
        before, after = "", ""
        if self.text[0].isdigit():
            before = r"(?<!\d)(?<!\d[.,])"
        elif self.text[0].isupper() or self.text[0].islower():
            before = r"(?<![^\W\d_])"
        if self.text[-1].isdigit():
            after = r"(?!\d|[.,]\d)"
        elif self.text[-1].isupper() or self.text[-1].islower():
            after = r"(?![^\W\d_])"
        return f"{before}{re.escape(self.text)}{after}"

    def __str__(self) -> str:
        return f"the example {self.name}={self.value!r}"


class Fit(IntEnum):
    """How much of an element's text a user's example value fills: all, a line, or less.

    The best fit has the lowest number.
    """

    WHOLE, LINE, PART = range(3)


class ExampleSighting(NamedTuple):
    """An element that displays a value which a user gave as an example."""

    fit: Fit
    length: int
    """The number of characters of the part `source` if `fit` is `Fit.PART`, or else of
    the element's text."""
    node: NodeId
    source: str
    """The part of the text that contains the value, such as "first-line"."""


def sightings(example: Example, page: Page) -> Iterator[ExampleSighting]:
    """Yield the innermost elements that display a user's example, the last of the page
    first.

    Elements with long texts are left out.
    """
    value, value_pattern = example.text, re.compile(example.words)
    innermost = len(page)
    for node in reversed(page.elements()):
        if page.contains(node, innermost) or page.text_length(node) < len(value):
            continue
        element_text = page.string(node)
        if len(element_text) > ANNOTATION.longest_example_text:
            continue
        if not value_pattern.search(element_text):
            continue
        innermost = node
        if element_text == value:
            yield ExampleSighting(Fit.WHOLE, len(element_text), node, TEXT)
            continue
        texts = {source: page.source_text(node, source) for source in SOURCES}
        for source, text in texts.items():
            if text == value:
                yield ExampleSighting(Fit.LINE, len(element_text), node, source)
                break
        else:
            source = next(
                source for source, text in texts.items() if value_pattern.search(text)
            )
            yield ExampleSighting(Fit.PART, len(texts[source]), node, source)


SOURCES = (OWN_TEXT, FIRST_LINE, LAST_LINE, TEXT)
"""The parts of an element's text in which a user's example value is searched, in order.
"""


@dataclass(frozen=True, slots=True)
class _ExampleRoles:
    """A user's example value, and the tags and classes of elements that display it.

    Each item of `roles` has the tags of an element and its ancestors, and the element's
    classes (see `role_of`).
    """

    example: Example
    roles: frozenset[Role]

    def annotations(self, page: Page) -> list[Annotation]:
        """Return a possible value for each element with the same tags and classes as an
        element that displays the example.

        Elements without text or with a long text are left out.
        """
        return [
            self._annotation(page, node)
            for node in page.elements()
            if 0 < page.text_length(node) <= ANNOTATION.longest_example_text
            and role_of(page, node) in self.roles
        ]

    def _annotation(self, page: Page, node: NodeId) -> Annotation:
        """Return the whole text of an element as a possible value of the example's
        column.
        """
        text = page.string(node)
        return Annotation(
            node,
            TEXT,
            start=0,
            end=len(text),
            type=self.example.name,
            text=text,
            matched=text,
            recogniser=self.example.pattern,
        )


def roles_of_example(example: Example, pages: Sequence[Page]) -> _ExampleRoles:
    """Return an example with the tags and classes of the elements that display it on
    the sample pages.

    Raise SelectionError if no sample page displays it.
    """
    roles = {
        role_of(page, sighting.node)
        for page in pages
        for sighting in sightings(example, page)
    }
    if not roles:
        raise SelectionError(
            f"{example} is on no sample: copy the text as the page displays it"
        )
    return _ExampleRoles(example, frozenset(roles))


def role_of(page: Page, node: NodeId) -> Role:
    """Return the tags from an element up to the root, and the element's classes.

    If the element has no classes, return the index among the siblings instead of
    classes.
    """
    if classes := page.classes(node):
        return tags_above(page, node), classes
    siblings = page.child_elements(page.parent[node]) if node else ()
    return tags_above(page, node), sum(sibling < node for sibling in siblings)
