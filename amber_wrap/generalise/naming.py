"""What a page calls its columns: by attributes, classes, labels, headers, links."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from amber_wrap.analysis.typing import Record
from amber_wrap.annotate.names import (
    LABELLING,
    is_label,
    label_beside,
    label_in,
    label_of,
)
from amber_wrap.dom.addresses import address, path_of
from amber_wrap.dom.page import ITEM_PROPERTY, NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.generalise.vetoes import CLASS, HASHED, stem, tells_looks, veto

LONGEST_NAME = 30
TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
UNNAMED = "text"
"""What a column is called of which the page says nothing; such are all numbered."""

NO_USAGE = Counter[str]()
Place = tuple[Page, NodeId]


def usage_of(records: Iterable[tuple[Page, Record]]) -> Counter[str]:
    """How many elements of records have a class of each name."""
    return Counter(
        name
        for page, record in records
        for row in record.nodes
        for node in page.elements(row)
        for name in dict.fromkeys(_of_class(page, node))
    )


def names_of(places: Sequence[Place], usage: Counter[str] = NO_USAGE) -> list[str]:
    """What most of the elements are called by, the best first; else `UNNAMED`.

    What names things comes first, then headers of tables, classes, labels, and where
    links lead; of classes those that don't tell how things look, and those that few
    others have.
    """
    names = []
    ways: tuple[Callable[[Page, NodeId], Iterator[str]], ...]
    ways = (_by_attribute, _by_header, _by_class, _by_label, _by_target)
    for said in ways:
        found = Counter(
            name for page, node in places for name in dict.fromkeys(said(page, node))
        )
        usual = (name for name, count in found.items() if 2 * count > len(places))
        names += sorted(
            usual,
            key=lambda name: (
                tells_looks(name.split("_")),
                usage[name] / found[name],
                -found[name],
            ),
        )
    return list(dict.fromkeys(names)) or [UNNAMED]


def tell_apart(columns: Sequence[Sequence[str]], taken: Collection[str]) -> list[str]:
    """A name for each column: the best that no other one is called by, if there is one,
    else with a number."""
    usage = Counter(name for names in columns for name in names)
    used = set(taken)
    chosen = []
    for names in columns:
        alone = (one for one in names if usage[one] == 1)
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
        if page.attributes[one].get(ITEM_PROPERTY) == "name":
            yield from _names([_item_of(page, one)], ITEM_PROPERTY)
        for attribute in NAMING_ATTRIBUTES:
            yield from _names([page.attributes[one].get(attribute, "")], attribute)


def _item_of(page: Page, node: NodeId) -> str:
    """What the microdata item around an element is of another one, "" if of none: the
    name of the author of a book is the author."""
    while (node := page.parent[node]) > 0:
        if "itemscope" in page.attributes[node]:
            return page.attributes[node].get(ITEM_PROPERTY, "")
    return ""


def _by_header(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        yield from filter(None, [snake(label_beside(page, one))])


def _by_class(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        yield from _of_class(page, one)


def _of_class(page: Page, node: NodeId) -> Iterator[str]:
    return _names(reversed(page.classes(node)), CLASS)


def _by_label(page: Page, node: NodeId) -> Iterator[str]:
    for one in _around(page, node):
        for attribute in LABELLING:
            if is_label(label := page.attributes[one].get(attribute, "")):
                yield from filter(None, [snake(label)])
    said = label_of(page, node), label_in(page, node)
    yield from filter(None, map(snake, said))


def _by_target(page: Page, node: NodeId) -> Iterator[str]:
    """Where a link leads: `/users/17/joel` is one of the users."""
    for one in _around(page, node):
        path = path_of(address(page.attributes[one].get("href", "")))
        folder, slash, _ = path.strip("/").partition("/")
        if slash:
            yield from _names([folder], "href")


def _names(words: Iterable[str], attribute: str) -> Iterator[str]:
    for word in words:
        if word and (name := snake(_written(word, attribute))):
            yield name


def _written(word: str, attribute: str) -> str:
    """What people wrote of a name, "" if nothing that names things.

    Builds make `Teaser_readTime__x7Ym` of the name `readTime` in the file `Teaser`.
    """
    doubt = veto(word, attribute)
    if doubt is None:
        return word
    is_built = attribute == CLASS and doubt.code == HASHED
    return (stem(word) or "").rpartition("_")[2] if is_built else ""
