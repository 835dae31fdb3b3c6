"""Annotate links, headlines and images."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from amber_wrap.annotate.annotator import Annotation, Basis, Texts
from amber_wrap.annotate.headlines import headlines
from amber_wrap.annotate.images import SOURCE_SETS, STYLE, pictures
from amber_wrap.annotate.links import Links
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import (
    HEADLINE_ANNOTATORS,
    IMAGE_ADDRESS,
    annotator_pattern,
)

_ElementSources = Iterable[tuple[NodeId, str]]
"""Pairs of an element and the part to read: "text", or an attribute such as "@href"."""

BUILT_IN_RECOGNISERS: Mapping[str, Callable[[Page, Links], _ElementSources]] = {
    "link": lambda page, links: ((node, "@href") for node in links.pages),
    "headline-link": lambda page, links: (
        (node, "@href") for node in links.headlines | links.beside_headings
    ),
    "headline": headlines,
    "image": lambda page, links: pictures(page),
}
"""The functions that yield links, headlines or images, by the name of the annotator."""


@dataclass(frozen=True, slots=True)
class BuiltInAnnotator:
    """An annotator of the links, headlines or images of a page."""

    type: str
    """The name of the type that the annotations have, such as "url"."""
    name: str
    """A key of `BUILT_IN_RECOGNISERS`, for example "image"."""

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each link, headline or image, depending on `name`.

        The annotated text is the whole text or attribute value, or the address in a
        style or `srcset`.
        """
        is_headline = self.name in HEADLINE_ANNOTATORS
        basis = Basis.HEADLINE if is_headline else Basis.LINK
        for node, source in BUILT_IN_RECOGNISERS[self.name](page, texts.links):
            text, name, start = page.source_text(node, source), self.name, 0
            if source.removeprefix("@") in (STYLE, *SOURCE_SETS):
                match = re.search(IMAGE_ADDRESS, text)
                if not match:
                    continue
                text, name = match["value"], annotator_pattern(self.name)
                start = match.start("value")
            yield Annotation(
                node,
                source,
                start,
                start + len(text),
                self.type,
                text,
                text,
                name,
                basis,
            )
