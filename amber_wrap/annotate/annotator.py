"""Define annotations, annotators, and the texts of a page that annotators search.

An annotation is a text that may be a value (AMBER paper, section 3.2).
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from operator import itemgetter
from typing import NamedTuple, Protocol

from amber_wrap.annotate.element_names import find_named_elements
from amber_wrap.annotate.links import links_of
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import TEXT, TEXT_NODE, NodeId, Page
from amber_wrap.values.texts import DIGIT

READABLE_ATTRIBUTES = ("datetime", "content", "title", "alt", "aria-label")
"""HTML attributes whose texts may be values, such as dates, like displayed texts.

Attributes with addresses, such as `href`, aren't among them.
"""

Span = tuple[int, int]
"""The start and end offsets of a part of a text."""
Owner = tuple[NodeId, str]
"""A node, and where its text is: "text", or an attribute of the node such as
"@title".
"""


class Basis(StrEnum):
    """The reason why a text may be a value of a type.

    The reason is the words of the text, or that its element is a link, an image or a
    headline.
    """

    TEXT = "text"
    """The words of the text are like the words of a value."""
    LINK = "link"
    """The annotated element is a link or an image."""
    HEADLINE = "headline"
    """The annotated element is a headline, which usually has the name of a record."""


class Annotation(NamedTuple):
    """A text on a page that may be a value of the attribute type `type`."""

    node: NodeId
    """The text node or element that has the value."""
    source: str
    """"text", or an HTML attribute such as "@href"."""
    start: int
    """The offset of the value in the text or attribute, whose white space is
    collapsed."""
    end: int
    """The offset behind the value."""
    type: str
    text: str
    """The value."""
    matched: str
    """The whole match, for example "£900 pcm" if `text` is "£900"."""
    recogniser: str
    """The name of the pattern, word list or built-in annotator."""
    basis: Basis = Basis.TEXT
    """The reason why the text may be a value."""

    @property
    def is_of_markup(self) -> bool:
        """Whether an element is annotated because it is a link, an image or a
        headline."""
        return self.basis is not Basis.TEXT


class Texts:
    """The texts on a page in which annotators search for values.

    They are text nodes, attributes such as `title`, and the joined texts of small
    elements.
    """

    def __init__(self, page: Page) -> None:
        """Collect the texts of a page."""
        self.links = links_of(page)
        self.named_elements = find_named_elements(page)
        self._entries = list(_readable_texts(page))
        # The offsets at which the parts of joined texts begin, by element.
        self._part_starts: dict[NodeId, tuple[int, ...]] = {}
        for node, text, part_starts in _joined_texts(page):
            self._entries.append((node, TEXT, text))
            self._part_starts[node] = part_starts
        owners_of_text: dict[str, list[Owner]] = defaultdict(list)
        for node, source, text in self._entries:
            owners_of_text[text].append((node, source))
        with_digits = [text for text in owners_of_text if DIGIT.search(text)]
        self.numeric = len(with_digits)
        """The number of lines of `joined` with digits, which come first."""
        self._lines = list(dict.fromkeys([*with_digits, *owners_of_text]))
        self._owners = [owners_of_text[line] for line in self._lines]
        self.joined = "\n".join(self._lines)
        """All different texts, each on a line of its own."""
        self.spans: Sequence[Span] = list(_spans_of_lines(self._lines))
        """The (start, end) offsets of each line in `joined`."""

    def locate(self, offset: int) -> tuple[str, int, Sequence[Owner]]:
        """Return (text, start, owners) for the line of `joined` that contains an
        offset.

        `start` is the offset of the line's first character, and `owners` has the (node,
        source) pairs with this text.
        """
        line = bisect_right(self.spans, offset, key=itemgetter(0)) - 1
        start, _ = self.spans[line]
        return self._lines[line], start, self._owners[line]

    def __iter__(self) -> Iterator[tuple[NodeId, str, str]]:
        """Yield (node, source, text) for each text in which values are searched.

        `source` is "text", or an HTML attribute such as "@title".
        """
        return iter(self._entries)

    def is_composed(self, claim: Annotation) -> bool:
        """Return whether the element of a possible value displays a short text in
        several children.

        An example is a number and its unit, as in `<p><b>500</b> m</p>`.
        """
        return claim.source == TEXT and self.has_parts(claim.node)

    def has_parts(self, node: NodeId) -> bool:
        """Return whether several children of an element display a short text together.

        An example is a number and its unit, as in `<p><b>500</b> m</p>`.
        """
        return node in self._part_starts

    def spans_parts(self, claim: Annotation) -> bool:
        """Return whether a possible value extends over several parts of its element, as
        "500 m" does in `<p><b>500</b> m</p>`.

        Return True for an element without parts.
        """
        if not self.is_composed(claim):
            return True
        match_start = claim.start - claim.matched.index(claim.text)
        match_end = match_start + len(claim.matched)
        return any(
            match_start < part_start < match_end
            for part_start in self._part_starts[claim.node]
        )


def _spans_of_lines(lines: Iterable[str]) -> Iterator[Span]:
    """Yield the (start, end) offsets of each line in the lines joined by "\\n"."""
    start = 0
    for line in lines:
        end = start + len(line)
        yield start, end
        start = end + 1


def _readable_texts(page: Page) -> Iterator[tuple[NodeId, str, str]]:
    """Yield (node, source, text) for each text node and each readable attribute.

    `source` is "text", or an attribute in `READABLE_ATTRIBUTES` such as "@title".
    """
    for node, (tag, attributes) in enumerate(
        zip(page.tag, page.attributes, strict=True)
    ):
        if tag == TEXT_NODE:
            yield node, TEXT, page.text[node]
        elif attributes:
            for name in READABLE_ATTRIBUTES:
                if name in attributes and (text := " ".join(attributes[name].split())):
                    yield node, f"@{name}", text


def _joined_texts(page: Page) -> Iterator[tuple[NodeId, str, tuple[int, ...]]]:
    """Yield (element, text, offsets) for each small element with several displayed
    children.

    `offsets` has the start of each child's text, except of the first child. A start
    between two digits is left out.
    """
    for node in page.elements():
        if (
            page.size[node] < 3
            or not 1 < page.text_length(node) <= ANNOTATION.longest_joined_text
        ):
            continue
        children = list(page.children(node))
        parts = [child for child in children if page.text_length(child)]
        # Several pairs of label and value are a list, whose parts don't belong
        # together.
        labels = [child for child in children if page.tag[child] in ("dt", "th")]
        if len(parts) < 2 or len(labels) > 1:
            continue
        text = page.string(node)
        if part_starts := tuple(_part_starts(page, text, parts)):
            yield node, text, part_starts


def _part_starts(page: Page, text: str, parts: Iterable[NodeId]) -> Iterator[int]:
    """Yield the offsets in a text at which its parts start, except the first part.

    An offset between two digits is left out.
    """
    end = 0
    for part in parts:
        part_text = page.text[part] or page.string(part)
        start = text.find(part_text, end)
        if end and start >= 0 and not text[start - 1 : start + 1].isdigit():
            yield start
        end = max(start, 0) + len(part_text)


class Annotator(Protocol):
    """An object that finds the texts on a page that may be values.

    An annotator searches by patterns, by word lists or by rules.
    """

    def annotate(self, page: Page, texts: Texts) -> Iterable[Annotation]:
        """Return the texts on a page that may be values, in any order.

        `texts` are the texts of the page.
        """
        ...
