"""Values that the markup calls by their type: class="price", itemprop="address"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.page import NAMING_ATTRIBUTES, TEXT, NodeId, Page
from amber_wrap.domain.schema import NUMBER

NAMING = (*NAMING_ATTRIBUTES, "class", "id")
"""HTML attributes in which authors say what an element shows."""
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
OTHERS = frozenset(
    {
        "label",
        "icon",
        "old",
        "was",
        "former",
        "filter",
        "alert",
        "history",
        "per",
        "min",
    }
    | {"max", "from", "to", "range", "currency", "unit", "total", "monthly", "saving"}
)
"""Words that make another thing of a named one."""
LONGEST = 120
"""Characters up to which a text is a value and not a description."""


@dataclass(frozen=True, slots=True)
class NameAnnotator:
    """Claims for type `type` what stands in elements that one of its names is a word
    of: `card-price`, `listingPrice`, not `price-label`.

    With a `number` its first match is the value, else the whole text is.
    """

    type: str
    names: frozenset[str]
    number: re.Pattern[str] | None = None

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """At most one annotation per element, of nested ones for the inner."""
        named = [node for node in page.elements() if self._is_named(page, node)]
        for node, after in pairwise([*named, len(page)]):
            if not page.contains(node, after):
                yield from self._claim(page, node)

    def _claim(self, page: Page, node: NodeId) -> Iterator[Annotation]:
        shown = page.string(node)
        start, end = 0, len(shown)
        if self.number is not None:
            match = self.number.search(shown)
            if match is None:
                return
            start, end = match.span()
        text = shown[start:end]
        recogniser = NUMBER if self.number else "name"
        yield Annotation(node, TEXT, start, end, self.type, text, text, recogniser)

    def _is_named(self, page: Page, node: NodeId) -> bool:
        if not 0 < page.text_length(node) <= LONGEST:
            return False
        attributes = page.attributes[node]
        for attribute in NAMING:
            for token in attributes.get(attribute, "").split():
                words = {word.lower() for word in WORD.findall(token)}
                if words & self.names and not words & OTHERS:
                    return True
        return False
