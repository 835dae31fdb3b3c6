"""What a page calls its columns: by attributes, classes, labels, headers of tables."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from amber_wrap.annotate.names import LABELLING, is_label, label_beside, label_of
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.generalise.vetoes import CLASS, veto

LONGEST_NAME = 30
TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
UNNAMED = "text"
"""What a column is called of which the page says nothing; such are all numbered."""

Place = tuple[Page, NodeId]


def names_of(places: Sequence[Place]) -> list[str]:
    """What most of the elements are called by, the best first; else `UNNAMED`.

    What names things comes first, then headers of tables, classes and labels.
    """
    names = []
    ways: tuple[Callable[[Page, NodeId], Iterator[str]], ...]
    ways = (_by_attribute, _by_header, _by_class, _by_label)
    for said in ways:
        found = Counter(
            name for page, node in places for name in dict.fromkeys(said(page, node))
        )
        if found:
            name, count = found.most_common(1)[0]
            if 2 * count > len(places):
                names.append(name)
    return names or [UNNAMED]


def tell_apart(columns: Sequence[Sequence[str]], taken: Collection[str]) -> list[str]:
    """A name for each column: the best that no other is called by first, if there is
    one, else with a number."""
    firsts = Counter(names[0] for names in columns)
    used = set(taken)
    chosen = []
    for names in columns:
        alone = (one for one in names if firsts[one] <= (one == names[0]))
        name = _free(next(alone, names[0]), used)
        used.add(name)
        chosen.append(name)
    return chosen


def _free(name: str, taken: Collection[str]) -> str:
    """The name, with a number if it is taken."""
    numbered = name == UNNAMED
    number, found = 1 + (not numbered), f"{name}_1" if numbered else name
    while found in taken:
        found = f"{name}_{number}"
        number += 1
    return found


def snake(text: str) -> str:
    """A name in lower case of the words of a text; "" if there are too few letters.

    Of a BEM class the element, of a long text the last words.
    """
    plain = unicodedata.normalize("NFKD", text.rpartition("__")[2])
    written = "".join(c for c in plain if not unicodedata.combining(c))
    words = [word.lower() for word in TOKEN.findall(written)]
    while len("_".join(words)) > LONGEST_NAME or (words and not words[0].isalpha()):
        words.pop(0)
    name = "_".join(words)
    return name if len(name) > 1 and not keyword.iskeyword(name) else ""


def _around(page: Page, node: NodeId) -> Iterator[NodeId]:
    """The element, and those around it with nothing else in them."""
    length = page.text_length(node)
    while node > 0 and page.text_length(node) == length:
        yield node
        node = page.parent[node]


def _by_attribute(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        for attribute in NAMING_ATTRIBUTES:
            yield from _names([page.attributes[one].get(attribute, "")], attribute)


def _by_header(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        yield from filter(None, [snake(label_beside(page, one))])


def _by_class(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        yield from _names(reversed(page.classes(one)), CLASS)


def _by_label(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        for attribute in LABELLING:
            if is_label(label := page.attributes[one].get(attribute, "")):
                yield from filter(None, [snake(label)])
    yield from filter(None, [snake(label_of(page, node))])


def _names(words: Iterable[str], attribute: str) -> Iterator[str]:
    for word in words:
        if word and veto(word, attribute) is None and (name := snake(word)):
            yield name
