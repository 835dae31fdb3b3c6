"""The annotation relation (AMBER, section 3.2) and what recognisers work on."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from amber_wrap.dom.page import NodeId, Page

TEXT = "text"
READABLE_ATTRIBUTES = ("datetime", "content", "title", "alt", "aria-label")
"""HTML attributes that hold text for people or machines; links and images are the
built-in annotators' business."""


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
    in it back to the text it is in.
    """

    def __init__(self, page: Page) -> None:
        self._starts: list[int] = []
        self._owners: list[tuple[NodeId, str]] = []
        lines: list[str] = []
        offset = 0
        for node, source, text in _readable(page):
            self._starts.append(offset)
            self._owners.append((node, source))
            lines.append(text)
            offset += len(text) + 1
        self.joined = "\n".join(lines)

    def locate(self, offset: int) -> tuple[NodeId, str, int]:
        """(node, source, start of its text in `joined`) of the text at an offset."""
        line = bisect_right(self._starts, offset) - 1
        return (*self._owners[line], self._starts[line])


def _readable(page: Page) -> Iterator[tuple[NodeId, str, str]]:
    for node in range(len(page)):
        if page.is_text(node):
            yield node, TEXT, page.text[node]
            continue
        attributes = page.attributes[node]
        for name in READABLE_ATTRIBUTES:
            text = " ".join(attributes.get(name, "").split())
            if text:
                yield node, f"@{name}", text


class Annotator(Protocol):
    """Anything that claims values: a pattern, a gazetteer, a rule on links."""

    def annotate(self, page: Page, texts: Texts) -> Iterable[Annotation]:
        """The claims on a page, in any order."""
        ...
