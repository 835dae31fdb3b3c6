"""Annotate the values whose markup names their type: class="price",
itemprop="address".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.words import COLONS, is_label, name_words
from amber_wrap.dom.page import NAMING_ATTRIBUTES, TEXT, NodeId, Page
from amber_wrap.domain.schema import NUMBER
from amber_wrap.memo import remembered

NAMING = (*NAMING_ATTRIBUTES, "class", "id")
"""HTML attributes in which authors name the content of an element."""
OTHERS = frozenset(
    {
        "label",
        "old",
        "was",
        "former",
        "filter",
        "alert",
        "history",
        "per",
        "min",
    }
    | {"max", "from", "to", "range", "currency", "unit", "total", "saving", "sub"}
    | {"monthly", "weekly", "finance", "mortgage", "deposit", "fee", "tax", "code"}
    | {"previous", "original", "before", "crossed", "strike", "compare", "discount"}
    | {"drop", "cut", "reduction", "rrp", "msrp", "uvp", "votes", "reviews"}
    | {"away", "distance", "radius", "plot", "lot", "land", "garden", "grundstück"}
    | {"grundstueck", "terrain", "terreno", "parcela", "tomt", "działki", "pozemku"}
)
"""Words that change the meaning of a name: "old price" is no price."""
OTHER_TEXTS = frozenset({"icon", "make", "model", "year"})
"""Words that change the meaning of a name for texts. Icon fonts show letters, but no
digits.
"""
NAME = "name"
"""The recogniser of texts that the markup names."""
LABELLING = ("title", "alt", "aria-label")
"""HTML attributes with a label that is displayed as a tooltip: `<b
title="Bedrooms">3</b>`.
"""
DESCRIBING = (*NAMING, *LABELLING)
"""All HTML attributes that describe an element, by names or labels."""
ICONS = frozenset({"i", "svg", "img", "span", "em", "b"})
"""Tags of icons."""
ITEM = "li"
_LINKS = frozenset({"a", "button", "input", "select"})
"""Tags of elements to click on."""
LONGEST_LABELLED = 120
"""The length in characters up to which a text is a value, not a description."""


@dataclass(frozen=True, slots=True)
class NameAnnotator:
    """Annotates the texts of elements with a class such as `card-price` or
    `listingPrice`, but not `price-label`.

    It also annotates texts beside an icon with such a name, and cells with such a
    label. With `number`, its first match is the value, else the whole text is. `labels`
    are whole labels, which may stand anywhere directly before a value.
    """

    type: str
    names: frozenset[str]
    number: re.Pattern[str] | None = None
    labels: frozenset[str] = frozenset()

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield at most one annotation for an element, and of nested elements for the
        inner one.
        """
        by_words, by_label = _called(page)
        called = set().union(
            *(nodes for words, nodes in by_words if not words.isdisjoint(self.names)),
            *(by_label.get(label, ()) for label in self.labels),
        )
        named = [node for node in sorted(called) if self._is_named(page, node)]
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
        recogniser = NUMBER if self.number else NAME
        yield Annotation(node, TEXT, start, end, self.type, text, text, recogniser)

    def _is_named(self, page: Page, node: NodeId) -> bool:
        return (
            self._matches(tokens_of(page, node))
            or self._matches([label_beside(page, node)])
            or (self.number is not None and self._has_icon(page, node))
            or label_of(page, node) in self.labels
        )

    def _has_icon(self, page: Page, node: NodeId) -> bool:
        """Return whether an element has only one icon with a name, so that the icon
        refers to the number.
        """
        named = _icons_with_words(page).get(node, ())
        return len(named) == 1 and self._matches(named[0][1])

    def _matches(self, tokens: Iterable[str]) -> bool:
        others = OTHERS if self.number else OTHERS | OTHER_TEXTS
        for token in tokens:
            words = name_words(token)
            if words & self.names and not (words - self.names) & others:
                return True
        return False


Nodes = Sequence[NodeId]


@remembered
def _called(
    page: Page,
) -> tuple[Sequence[tuple[frozenset[str], Nodes]], Mapping[str, Nodes]]:
    """Return the elements with a short text by the words in their markup, and by their
    labels.
    """
    by_words: dict[frozenset[str], list[NodeId]] = defaultdict(list)
    by_label: dict[str, list[NodeId]] = defaultdict(list)
    icons_of, before, lengths = (
        _icons_with_words(page),
        _before(page),
        [page.text_length(one) for one in range(len(page))],
    )
    for node in page.elements():
        if 0 < lengths[node] <= LONGEST_LABELLED:
            attributes = page.attributes[node]
            words = (
                _markup_words(*map(attributes.get, DESCRIBING)) if attributes else NONE
            )
            is_labelled = page.tag[node] in LABELLED
            if is_labelled:
                words |= name_words(label_beside(page, node))
            for _, tokens in icons_of.get(node, ()):
                words = words.union(*map(name_words, tokens))
            if words:
                by_words[words].append(node)
            may_have_label = is_labelled or before[node] >= 0
            if may_have_label and (label := label_of(page, node)):
                by_label[label].append(node)
    return tuple(by_words.items()), by_label


NONE = frozenset[str]()


@lru_cache(maxsize=1 << 14)
def _markup_words(*values: str | None) -> frozenset[str]:
    """Return the words in the values of the attributes `DESCRIBING`."""
    return NONE.union(*map(name_words, _markup_tokens(*values)))


def icons(page: Page, node: NodeId) -> list[NodeId]:
    """Return the children of an element that display no text, and whose markup has a
    name.
    """
    found = _icons_with_words(page).get(node, ())
    return [child for child, _ in found if any(tokens_of(page, child))]


def with_icons(page: Page) -> Collection[NodeId]:
    """Return the elements that contain icons with names in their markup."""
    return _icons_with_words(page).keys()


def tokens_of(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the names and short labels in the markup of an element."""
    attributes = page.attributes[node]
    return _markup_tokens(*map(attributes.get, DESCRIBING)) if attributes else ()


@lru_cache(maxsize=1 << 14)
def _markup_tokens(*values: str | None) -> tuple[str, ...]:
    """Return the names and short labels in the values of the attributes `DESCRIBING`.

    The results are cached, because a template repeats the same classes.
    """
    given = dict(zip(DESCRIBING, values, strict=True))
    tokens = (token for name in NAMING for token in (given[name] or "").split())
    return (*tokens, *filter(is_label, (given[name] or "" for name in LABELLING)))


@remembered
def _icons_with_words(
    page: Page,
) -> Mapping[NodeId, Sequence[tuple[NodeId, list[str]]]]:
    """Return the icons in each element, with the names in their markup."""
    found: dict[NodeId, list[tuple[NodeId, list[str]]]] = defaultdict(list)
    lengths = [page.text_length(one) for one in range(len(page))]
    for node in page.elements():
        is_icon = not lengths[node] and page.tag[node] in ICONS
        if is_icon and (words := _icon_words(page, node)):
            found[page.parent[node]].append((node, words))
    return dict(found)


def _icon_words(page: Page, node: NodeId) -> list[str]:
    """Return the names in the markup of an icon, including the drawing in `<use
    href="a.svg#bed">`.
    """
    drawings = (
        page.attributes[one].get(name, "").partition("#")[2]
        for one in page.elements(node)
        if page.tag[one] == "use"
        for name in ("href", "xlink:href")
    )
    return [*tokens_of(page, node), *filter(None, drawings)]


def label_of(page: Page, node: NodeId) -> str:
    """Return the label of a cell, or else the text of the previous sibling if it may be
    a label, or "".
    """
    if label := label_beside(page, node):
        return label
    before = _before(page)[node]
    if before < 0:
        return ""
    if _is_like(page, before, node):
        return ""
    links = _links_before(page)
    if links[before] < links[before + page.size[before]]:
        return ""  # The text of a button or link names an action.
    return _titled(page.string(before))


def _is_like(page: Page, node: NodeId, other: NodeId) -> bool:
    """Return whether two elements look like items of one list, by tag and classes."""
    tag, classes = page.tag[node], page.classes(node)
    is_item = tag == ITEM or bool(classes)
    return is_item and (tag, classes) == (page.tag[other], page.classes(other))


def label_in(page: Page, node: NodeId) -> str:
    """Return the label at the start of an element: "Fax:" in `<p><b>Fax:</b> 0113
    496</p>`.
    """
    first, end = node + 1, node + page.size[node]
    if first >= end or page.is_text(first) or len(page.child_elements(node)) > 1:
        return ""
    return _titled(page.string(first)) if first + page.size[first] < end else ""


def _titled(text: str) -> str:
    """Return the text if it is a label, else "".

    Words of a sentence over several elements, such as "from", are none.
    """
    is_titled = text[:1].isupper() or text.endswith(COLONS)
    return text if is_titled and is_label(text) else ""


@remembered
def _before(page: Page) -> Sequence[NodeId]:
    """Return for each element its previous sibling element, or -1."""
    found, last = [-1] * len(page), [-1] * len(page)
    for node in page.elements()[1:]:
        parent = page.parent[node]
        found[node], last[parent] = last[parent], node
    return found


@remembered
def _links_before(page: Page) -> Sequence[int]:
    """Return the number of elements to click on before each node, with one more entry
    for the total.
    """
    return tuple(accumulate((tag in _LINKS for tag in page.tag), initial=0))
