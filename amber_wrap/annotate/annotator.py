"""The annotation relation (AMBER, section 3.2) and what recognisers work on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from amber_wrap.dom.page import TEXT, NodeId, Page

READABLE_ATTRIBUTES = ("datetime", "content", "title", "alt", "aria-label")
"""HTML attributes that hold text for people or machines; links and images are the
built-in annotators' business."""
COMPOSED_LENGTH = 80
"""Characters up to which an element is one thing said in several parts."""


@dataclass(frozen=True, slots=True, order=True)
class Annotation:
    """A claim: `node` displays a value of attribute type `type`.

    `node` is a text node, or the element whose `source` ("@href") holds the value.
    `start` and `end` delimit the displayed value `text` in the collapsed text of the
    source; `matched` is all that was recognised, a superset of it ("£900 pcm" where
    the text is "£900"): its normal form is `domain.normal_form`'s.  `recogniser` names
    the pattern, gazetteer or built-in annotator.
    """

    node: NodeId
    source: str
    start: int
    end: int
    type: str
    text: str
    matched: str
    recogniser: str


class Texts:
    """All that a page displays or says in readable attributes, one text a line.

    Recognisers run once over `joined` instead of once a node; `locate` maps an offset
    in it back to the text it is in.  Behind the texts of nodes stand those of small
    elements with several parts: a number and its unit, a label and its value are often
    nodes of their own.
    """

    def __init__(self, page: Page) -> None:
        self._starts: list[int] = []
        self._owners: list[tuple[NodeId, str]] = []
        self._seams: dict[NodeId, tuple[int, ...]] = {}
        lines: list[str] = []
        for node, source, text in _readable(page):
            self._owners.append((node, source))
            lines.append(text)
        for node, text, seams in _composed(page):
            self._owners.append((node, TEXT))
            self._seams[node] = seams
            lines.append(text)
        offset = 0
        for line in lines:
            self._starts.append(offset)
            offset += len(line) + 1
        self.joined = "\n".join(lines)

    def locate(self, offset: int) -> tuple[NodeId, str, int]:
        """(node, source, start of its text in `joined`) of the text at an offset."""
        line = bisect_right(self._starts, offset) - 1
        return (*self._owners[line], self._starts[line])

    def __iter__(self) -> Iterator[tuple[NodeId, str, str]]:
        """(node, source, text) of each text."""
        lines = self.joined.split("\n")
        for (node, source), text in zip(self._owners, lines, strict=False):
            yield node, source, text

    def is_composed(self, claim: Annotation) -> bool:
        """Whether the claim is of a text in several parts."""
        return claim.source == TEXT and claim.node in self._seams

    def is_news(self, claim: Annotation) -> bool:
        """Whether no part of a composed text supports the claim by itself.

        What stands in one part is claimed there.  Digits that nothing but markup parts
        are two numbers.
        """
        if not self.is_composed(claim):
            return True
        left = claim.start - claim.matched.index(claim.text)
        right = left + len(claim.matched)
        return any(left < seam < right for seam in self._seams[claim.node])


def _readable(page: Page) -> Iterator[tuple[NodeId, str, str]]:
    """(node, source, text) of each text node and readable attribute."""
    for node in range(len(page)):
        if page.is_text(node):
            yield node, TEXT, page.text[node]
            continue
        attributes = page.attributes[node]
        for name in READABLE_ATTRIBUTES if attributes else ():
            if name in attributes and (text := " ".join(attributes[name].split())):
                yield node, f"@{name}", text


def _is_list(page: Page, node: NodeId) -> bool:
    """Whether an element holds several pairs of label and value: "3 Baths" is none."""
    labels = [one for one in page.child_elements(node) if page.tag[one] in ("dt", "th")]
    return len(labels) > 1


def _composed(page: Page) -> Iterator[tuple[NodeId, str, tuple[int, ...]]]:
    """(element, its text, where its children meet) of small elements of several parts.

    Children that part a number in two are no parts of one text.
    """
    for node in page.elements():
        if page.size[node] < 3 or not 1 < page.text_length(node) <= COMPOSED_LENGTH:
            continue
        parts = [child for child in page.children(node) if page.text_length(child)]
        if len(parts) < 2 or _is_list(page, node):
            continue
        text, end, seams = page.string(node), 0, []
        for part in parts:
            shown = page.text[part] or page.string(part)
            start = text.find(shown, end)
            if end and start >= 0 and not text[start - 1 : start + 1].isdigit():
                seams.append(start)
            end = max(start, 0) + len(shown)
        if seams:
            yield node, text, tuple(seams)


class Annotator(Protocol):
    """Anything that claims values: a pattern, a gazetteer, a rule on links."""

    def annotate(self, page: Page, texts: Texts) -> Iterable[Annotation]:
        """The claims on a page, in any order."""
        ...
