"""Find the names of elements in HTML attributes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from amber_wrap.annotate.definition_terms import LABELLED, label_beside
from amber_wrap.annotate.element_icons import IconNames, is_icon, names_of_icon
from amber_wrap.annotate.element_labels import label_of
from amber_wrap.annotate.labels_and_titles import name_words
from amber_wrap.annotate.naming_attributes import DESCRIBING, tokens_in_attributes
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page

_Nodes = Sequence[NodeId]


class NamedElements(NamedTuple):
    """The elements of a page by the words in their attributes and icons, and by their
    labels."""

    by_words: Sequence[tuple[frozenset[str], _Nodes]]
    """Pairs of a set of words, such as {"price"}, and the elements that these words
    name, for example by the class `price`."""
    by_label: Mapping[str, _Nodes]
    """The elements beside each label, such as "Rooms:"."""
    icons: IconNames
    """The names of each icon in an element."""


def find_named_elements(page: Page) -> NamedElements:
    """Return the elements of a page by words in their markup and by their labels, and
    the names of icons.

    Elements without text or with a long text are left out.
    """
    by_words: dict[frozenset[str], list[NodeId]] = defaultdict(list)
    by_label: dict[str, list[NodeId]] = defaultdict(list)
    icon_names: dict[NodeId, list[Sequence[str]]] = defaultdict(list)
    for node in page.elements():
        if is_icon(page, node) and (names := names_of_icon(page, node)):
            icon_names[page.parent[node]].append(names)
    for node in page.elements():
        if 0 < page.text_length(node) <= ANNOTATION.longest_value:
            attributes = page.attributes[node]
            words = frozenset[str]()
            if attributes:
                words = _words_in_attributes(*map(attributes.get, DESCRIBING))
            if page.tag[node] in LABELLED:
                words |= name_words(label_beside(page, node))
            for names in icon_names.get(node, ()):
                words = words.union(*map(name_words, names))
            if words:
                by_words[words].append(node)
            if label := label_of(page, node):
                by_label[label].append(node)
    return NamedElements(tuple(by_words.items()), by_label, icon_names)


@lru_cache(maxsize=1 << 14)
def _words_in_attributes(*values: str | None) -> frozenset[str]:
    """Return the words in the attributes that describe an element, such as `class`.

    `values` has the value of each attribute in `DESCRIBING`, or None for a missing
    attribute.
    """
    tokens = tokens_in_attributes(*values)
    return frozenset[str]().union(*map(name_words, tokens))
