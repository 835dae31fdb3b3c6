"""Values that a person points at, and where they stand on a page.

"The agent is Smith & Co": where that stands, other records show theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

from amber_wrap.annotate.annotator import Annotation
from amber_wrap.dom.measure import tags_above
from amber_wrap.dom.page import FIRST_LINE, LAST_LINE, OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.errors import SelectionError

LONGEST = 200
"""Characters of the longest text that an example is sought within."""

Role = tuple[tuple[str, ...], tuple[str, ...] | int]
"""The tags from an element up to the root, and its class tokens; without such, its
place among its siblings."""


@dataclass(frozen=True, slots=True)
class Example:
    """A value on a sample, and what it is called."""

    name: str
    value: str

    @property
    def text(self) -> str:
        """The value as a page displays it: white space collapsed."""
        return " ".join(self.value.split())

    @property
    def pattern(self) -> str:
        """The name of the pattern that reads the value where more is said with it."""
        return f"example:{self.name}"

    @property
    def words(self) -> str:
        """The regular expression that finds the value, but not in a longer word or
        number."""
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
    """What of a text an example is, the best first."""

    WHOLE, LINE, PART = range(3)


class ExampleSighting(NamedTuple):
    """Where an example stands: `source` of an element says it, and maybe more.

    `length` is that of all that is said there.
    """

    fit: Fit
    length: int
    node: NodeId
    source: str


def sightings(example: Example, page: Page) -> Iterator[ExampleSighting]:
    """Yield where a page displays an example: all that an element says, one of its
    lines, or words of it; in no element around such a one.
    """
    value, words = example.text, re.compile(example.words)
    inner = len(page)
    for node in reversed(page.elements()):
        if page.contains(node, inner) or page.text_length(node) < len(value):
            continue
        shown = page.string(node)
        if len(shown) > LONGEST or not words.search(shown):
            continue
        inner = node
        if shown == value:
            yield ExampleSighting(Fit.WHOLE, len(shown), node, TEXT)
            continue
        said = [(one, page.source_text(node, one)) for one in SOURCES]
        for source, text in said:
            if text == value:
                yield ExampleSighting(Fit.LINE, len(shown), node, source)
                break
        else:
            source, text = next(one for one in said if words.search(one[1]))
            yield ExampleSighting(Fit.PART, len(text), node, source)


SOURCES = (OWN_TEXT, FIRST_LINE, LAST_LINE, TEXT)
"""Where a value with others beside it is sought, one after the other."""


@dataclass(frozen=True, slots=True)
class _Pointed:
    """What plays a role on the samples that an example plays, too."""

    example: Example
    roles: frozenset[Role]

    def annotations(self, page: Page) -> list[Annotation]:
        """Return a claim for each element with such a role, in document order."""
        found = []
        for node in page.elements():
            if (
                0 < page.text_length(node) <= LONGEST
                and role_of(page, node) in self.roles
            ):
                name, shown = self.example.name, page.string(node)
                span, by = (0, len(shown)), self.example.pattern
                found.append(Annotation(node, TEXT, *span, name, shown, shown, by))
        return found


def pointed_at(example: Example, pages: Sequence[Page]) -> _Pointed:
    """Return the roles of an example on the samples.

    Raises SelectionError if it is on none.
    """
    roles = {
        role_of(page, one.node) for page in pages for one in sightings(example, page)
    }
    if not roles:
        raise SelectionError(
            f"{example} is on no sample: copy the text as the page displays it"
        )
    return _Pointed(example, frozenset(roles))


def role_of(page: Page, node: NodeId) -> Role:
    """Return the role of an element."""
    if classes := page.classes(node):
        return tags_above(page, node), classes
    siblings = page.child_elements(page.parent[node]) if node else iter(())
    return tags_above(page, node), sum(one < node for one in siblings)
