"""Values that a person points at: what plays the same role on the page is of one type.

"The agent is Smith & Co": where that stands, other records show theirs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.measure import tags_above
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.errors import SelectionError

LONGEST = 300
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
    def pattern(self) -> str:
        """The name of the pattern that reads the value where more is said with it."""
        return f"example:{self.name}"


@dataclass(frozen=True, slots=True)
class ExampleAnnotator:
    """Claims for a type what stands in elements of these roles, between two texts."""

    example: Example
    roles: frozenset[Role]
    before: str
    after: str

    @property
    def type(self) -> AttributeType:
        """A type for what a domain doesn't know."""
        is_whole = not (self.before or self.after)
        return AttributeType(self.example.name, ValueKind.TEXT, whole=is_whole)

    @property
    def regex(self) -> str:
        """What reads the value out of a text."""
        before, after = map(re.escape, (self.before, self.after))
        return f"^{before}(?P<value>.+?){after}$"

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """A claim for each element that has such a role and says something between."""
        for node in page.elements():
            if not 0 < page.text_length(node) <= LONGEST:
                continue
            if role_of(page, node) not in self.roles:
                continue
            shown = page.string(node)
            start, end = len(self.before), len(shown) - len(self.after)
            is_like = shown.startswith(self.before) and shown.endswith(self.after)
            if is_like and start < end:
                name, pattern = self.example.name, self.example.pattern
                text = shown[start:end]
                yield Annotation(node, TEXT, start, end, name, text, shown, pattern)


def example_annotator(example: Example, pages: Sequence[Page]) -> ExampleAnnotator:
    """The annotator of an example, from the first sample that shows it.

    Where it is all that an element says, else where it is a part of that.  Raises
    SelectionError.
    """
    value = " ".join(example.value.split())
    for page in pages:
        holding = [
            (node, page.string(node))
            for node in page.elements()
            if len(value) <= page.text_length(node) <= LONGEST
        ]
        for is_found in (value.__eq__, lambda shown: value in shown):
            found = [(node, shown) for node, shown in holding if is_found(shown)]
            if found:
                nodes = [node for node, _ in found]
                inner = [
                    (node, shown)
                    for node, shown in found
                    if not any(node < one < node + page.size[node] for one in nodes)
                ]
                before, _, after = inner[0][1].partition(value)
                same = {
                    role_of(page, node)
                    for node, shown in inner
                    if shown.partition(value)[::2] == (before, after)
                }
                return ExampleAnnotator(example, frozenset(same), before, after)
    raise SelectionError(
        f"the example {example.name}={example.value!r} is on no sample: copy the text "
        "as the page displays it"
    )


def role_of(page: Page, node: NodeId) -> Role:
    """The role of an element."""
    if classes := page.classes(node):
        return tags_above(page, node), classes
    siblings = page.child_elements(page.parent[node]) if node else iter(())
    return tags_above(page, node), sum(one < node for one in siblings)


def with_examples(domain: Domain, found: Sequence[ExampleAnnotator]) -> Domain:
    """The domain with the types and patterns of examples that it lacks."""
    if not found:
        return domain
    known = {kind.name for kind in domain.schema.types}
    new = tuple(one.type for one in found if one.example.name not in known)
    patterns = {one.example.pattern: one.regex for one in found if not one.type.whole}
    return replace(
        domain,
        schema=replace(domain.schema, types=(*domain.schema.types, *new)),
        patterns={**domain.patterns, **patterns},
    )
