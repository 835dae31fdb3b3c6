"""The annotation relation (AMBER, section 3.2) and what recognisers work on."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, chain
from operator import itemgetter
from typing import NamedTuple, Protocol

from amber_wrap.dom.page import TEXT, TEXT_NODE, NodeId, Page
from amber_wrap.values.shapes import DIGIT

READABLE_ATTRIBUTES = ("datetime", "content", "title", "alt", "aria-label")
"""HTML attributes that hold text for people or machines; links and images are the
built-in annotators' business."""
COMPOSED_LENGTH = 80
"""Characters up to which an element is one thing said in several parts."""

Span = tuple[int, int]
"""Where something starts in a text, and where it ends."""
Owner = tuple[NodeId, str]
"""A node and its source that says a text."""


class Basis(StrEnum):
    """What a claim rests on."""

    TEXT = "text"
    """The words of the text."""
    LINK = "link"
    """That the element leads somewhere, or shows an image."""
    HEADLINE = "headline"
    """That the element stands where records are called by their names."""


class Annotation(NamedTuple):
    """A claim: `node` displays a value of attribute type `type`.

    `node` is a text node, or the element whose `source` ("@href") holds the value.
    `start` and `end` delimit the displayed value `text` in the collapsed text of the
    source; `matched` is all that was recognised, a superset of it ("£900 pcm" where
    the text is "£900"): its normal form is `domain.normal_form`'s.  `recogniser` names
    the pattern, gazetteer or built-in annotator, `basis` says what it went by.
    """

    node: NodeId
    source: str
    start: int
    end: int
    type: str
    text: str
    matched: str
    recogniser: str
    basis: Basis = Basis.TEXT

    @property
    def is_of_markup(self) -> bool:
        """Whether the element makes it a value, whatever its text says."""
        return self.basis is not Basis.TEXT


class Texts:
    """All that a page displays or says in readable attributes, each text once.

    Recognisers run once over `joined`, one text a line, instead of once a node; `spans`
    tell where the lines are, and `locate` maps an offset back to the text it is in.
    The first `numeric` lines are those with a digit.  To the texts of nodes come those
    of small elements with several parts: a number and its unit, a label and its value
    are often nodes of their own.
    """

    def __init__(self, page: Page) -> None:
        self._said = list(_readable(page))
        self._seams: dict[NodeId, tuple[int, ...]] = {}
        for node, text, seams in _composed(page):
            self._said.append((node, TEXT, text))
            self._seams[node] = seams
        owners: dict[str, list[Owner]] = defaultdict(list)
        for node, source, text in self._said:
            owners[text].append((node, source))
        numeric = [text for text in owners if DIGIT.search(text)]
        self.numeric = len(numeric)
        self._lines = list(dict.fromkeys(chain(numeric, owners)))
        self._owners = [owners[text] for text in self._lines]
        self.joined = "\n".join(self._lines)
        ends = list(accumulate(map(len, self._lines), lambda end, size: end + 1 + size))
        self.spans: Sequence[Span] = [
            (end - len(text), end) for end, text in zip(ends, self._lines, strict=True)
        ]

    def locate(self, offset: int) -> tuple[str, int, Sequence[Owner]]:
        """(text, where it starts in `joined`, who says it) of the text at an offset."""
        line = bisect_right(self.spans, offset, key=itemgetter(0)) - 1
        return self._lines[line], self.spans[line][0], self._owners[line]

    def __iter__(self) -> Iterator[tuple[NodeId, str, str]]:
        """(node, source, text) of each text, equal ones of several nodes each."""
        return iter(self._said)

    def is_composed(self, claim: Annotation) -> bool:
        """Return whether the claim is of a text in several parts."""
        return claim.source == TEXT and self.has_parts(claim.node)

    def has_parts(self, node: NodeId) -> bool:
        """Return whether an element's text is one of several parts."""
        return node in self._seams

    def is_news(self, claim: Annotation) -> bool:
        """Return whether no part of a composed text supports the claim by itself.

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
    for node, (tag, attributes) in enumerate(
        zip(page.tag, page.attributes, strict=True)
    ):
        if tag == TEXT_NODE:
            yield node, TEXT, page.text[node]
        elif attributes:
            for name in READABLE_ATTRIBUTES:
                if name in attributes and (text := " ".join(attributes[name].split())):
                    yield node, f"@{name}", text


def _composed(page: Page) -> Iterator[tuple[NodeId, str, tuple[int, ...]]]:
    """(element, its text, where its children meet) of small elements of several parts.

    Children that part a number in two are no parts of one text.
    """
    lengths = page.text_lengths()
    for node in page.elements():
        if page.size[node] < 3 or not 1 < lengths[node] <= COMPOSED_LENGTH:
            continue
        children = list(page.children(node))
        parts = [child for child in children if lengths[child]]
        # Several pairs of label and value are a list: "3 Baths" is none.
        labels = [child for child in children if page.tag[child] in ("dt", "th")]
        if len(parts) < 2 or len(labels) > 1:
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
        """Return the claims on a page, in any order."""
        ...
