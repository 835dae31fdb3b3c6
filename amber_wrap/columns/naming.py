"""What a page calls its columns: in words, in its markup, or by what they hold."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.columns.filters import LINK, Cell
from amber_wrap.columns.json_ld_names import AGREED, Linked, property_names
from amber_wrap.columns.page_words import (
    around,
    header_marks,
    headers_of,
    labels_of_value,
    words_beside,
)
from amber_wrap.columns.usual_fields import (
    has_usual_word,
    is_english_field,
    usual_field,
)
from amber_wrap.columns.value_names import fits, folders, kind_of, listed_field
from amber_wrap.dom.addresses import path_and_query, path_of
from amber_wrap.dom.page import (
    ITEM_PROPERTY,
    NAMING_ATTRIBUTES,
    OWN_TEXT,
    NodeId,
    Page,
)
from amber_wrap.domain.schema import DERIVED_KEYS, AttributeType, ValueKind
from amber_wrap.selectors.area_groups import Group
from amber_wrap.selectors.volatile_names import (
    CLASS,
    HASHED,
    is_spelt,
    names_things,
    stem,
    tells_looks,
    veto,
)

_LONGEST_NAME = 30
_TOKEN = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+|[^\W\d_]+")
UNNAMED = "text"
"""What a column is called of which the page says nothing; such are all numbered."""
NAMELESS = MappingProxyType({UNNAMED: "the page has no name for it"})
_NEARLY_ALL = 0.9
"""The share of a column's values beside which its label stands."""

_MOST = 0.51
"""The share of a column's values that must be called by a name."""
LATIN = "LATIN"
NAME, TITLE = "name", "title"
_HEADLINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})

NO_USAGE = Counter[str]()
_Said = Callable[[Cell], Iterator[str]]


def usage_of(records: Iterable[tuple[Page, Record]]) -> Counter[str]:
    """How many elements of records have a class of each name."""
    return Counter(
        name
        for page, record in records
        for row in record.nodes
        for node in page.elements(row)
        for name in dict.fromkeys(_of_class(page, node))
    )


def homes_of(group: Group) -> frozenset[str]:
    """The folders that the links of the records' own pages are in."""
    found = (
        path_of(path_and_query(one.text)).strip("/").partition("/")[0]
        for _, _, attributes in group.attributes()
        for one in attributes
        if one.text and one.source == LINK
    )
    return frozenset(filter(None, map(snake, found)))


def origins_of(
    cells: Sequence[Cell],
    usage: Counter[str] = NO_USAGE,
    homes: Collection[str] = (),
    linked: Linked = MappingProxyType({}),
) -> dict[str, str]:
    """What most of the cells are called by, the best first, each with what says so;
    else `UNNAMED`.

    What the page says in words comes first, then what JSON-LD does, then classes, those
    first that have words for usual fields and that few others have; then where links
    lead, if that is one of the usual fields, what the texts are, what stands beside
    them, and other folders that links lead to: but not those where all records lead,
    `homes`.
    """

    classes = _usual(cells, _by_class)
    kind = kind_of([cell.text for cell in cells])
    fitting = Counter({one: n for one, n in classes.items() if fits(kind, one)})
    properties = _usual(cells, lambda cell: _by_property(cell, linked), AGREED)
    origins: list[tuple[str, Iterable[str]]] = [
        *_said(cells),
        ("JSON-LD calls it so", properties),
        ("its class", _best_classes(fitting, usage)),
        ("where its link leads", _usual(cells, _by_usual_folder)),
        ("what its texts are like", filter(None, [kind])),
        ("a heading that leads on", _usual(cells, lambda one: _by_home(one, homes))),
        ("the word beside it", _usual(cells, _by_word_beside, _NEARLY_ALL)),
        (
            "where its link leads",
            (one for one in _usual(cells, _by_folder) if one not in homes),
        ),
    ]
    found: dict[str, str] = {}
    for origin, names in origins:
        for name in names:
            found.setdefault(name, origin)
    looks = [one for one in classes if is_spelt(one.split("_"))]
    return found or dict.fromkeys(looks, "its class") or dict(NAMELESS)


def column_names(
    cells: Sequence[Cell],
    usage: Counter[str] = NO_USAGE,
    homes: Collection[str] = (),
    linked: Linked = MappingProxyType({}),
) -> list[str]:
    """The names of `origins_of`, the best first."""
    return list(origins_of(cells, usage, homes, linked))


def has_own_name(cells: Sequence[Cell]) -> bool:
    """Whether the page says what the cells are: in words, in classes, by a folder."""
    return bool(
        any(names for _, names in _said(cells))
        or _best_classes(_usual(cells, _by_class), NO_USAGE)
        or _usual(cells, _by_usual_folder)
    )


def _said(cells: Sequence[Cell]) -> list[tuple[str, Counter[str]]]:
    """What the page says in words that the cells are, and how."""
    return [
        ("its markup", _usual(cells, _by_attribute)),
        ("the header of its column", _usual(cells, _by_header)),
        ("its label", _usual(cells, _by_label, _NEARLY_ALL)),
    ]


def _usual(cells: Sequence[Cell], said: _Said, share: float = _MOST) -> Counter[str]:
    """The names of at least this share of the cells, those of the most first."""
    found = Counter(
        name for cell in cells for name in dict.fromkeys(filter(None, said(cell)))
    )
    most = found.most_common()
    return Counter({one: n for one, n in most if n >= share * len(cells)})


def _best_classes(names: Counter[str], usage: Counter[str]) -> list[str]:
    """The names of classes that name things, by how many cells have them; if words for
    usual fields are among them, those only."""
    found = [one for one in names if names_things(one.split("_"))]
    usual = [one for one in found if has_usual_word(one.split("_"))]

    def rank(name: str) -> tuple[bool, float, int]:
        is_look = tells_looks(name.split("_"))
        return is_look, usage[name] / names[name], -names[name]

    return sorted(usual or found, key=rank)


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


def free_of_keys(
    columns: Mapping[str, ValueKind], types: Iterable[AttributeType]
) -> dict[str, str]:
    """By the names of columns those under which no key of one is a key of another, or
    of a type: an amount brings its currency along."""
    taken = {key for one in types for key in one.keys}
    found = {}
    for name, kind in sorted(
        columns.items(), key=lambda one: one[1] not in DERIVED_KEYS
    ):
        free, number = name, 1
        while not taken.isdisjoint(keys := AttributeType(free, kind).keys):
            free, number = f"{name}_{number + 1}", number + 1
        found[name] = free
        taken.update(keys)
    return found


def is_numbered(name: str, names: Collection[str]) -> bool:
    """Whether a name is made up, or that of another of the columns with a number."""
    base, _, number = name.rpartition("_")
    return number.isdecimal() and (base == UNNAMED or base in names)


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

    Letters of other scripts stay; of a BEM class the element counts, of a long text the
    last words.
    """
    words = [word.lower() for word in _TOKEN.findall(_plain(text.rpartition("__")[2]))]
    while len("_".join(words)) > _LONGEST_NAME or (words and not words[0].isalpha()):
        words.pop(0)
    name = "_".join(words)
    return name if _is_name(name) and not keyword.iskeyword(name) else ""


def _plain(text: str) -> str:
    """The text with Latin letters without their accents."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(
        unicodedata.normalize("NFKD", one)[0]
        if LATIN in unicodedata.name(one, "")
        else one
        for one in composed
    )


def _is_name(name: str) -> bool:
    """Whether it has letters enough; of a word of one ideogram it has."""
    return len(name) > 1 or not name.isascii()


def name_of_label(text: str) -> str:
    """What a column is called that a label or header is of: as it is in English, by the
    usual field in other languages, else by what the page says."""
    field = "" if is_english_field(text) else usual_field(text)
    return field or snake(text) or usual_field(text)


def _by_attribute(cell: Cell) -> Iterator[str]:
    page = cell.page
    for one in around(page, cell.node):
        if page.attributes[one].get(ITEM_PROPERTY) == NAME:
            yield from _names([_item_of(cell, one)], ITEM_PROPERTY)
        for attribute in NAMING_ATTRIBUTES:
            yield from _names([page.attributes[one].get(attribute, "")], attribute)


def _item_of(cell: Cell, node: NodeId) -> str:
    """What the microdata item around an element is of the record, or its type: the name
    of the author of a book is the author; "" if it is the record itself."""
    page, whole = cell.page, cell.page.text_length(cell.start)
    while (node := page.parent[node]) > cell.start:
        if "itemscope" in (said := page.attributes[node]):
            is_record = 2 * page.text_length(node) >= whole
            type_ = said.get("itemtype", "").rstrip("/").rpartition("/")[2]
            return said.get(ITEM_PROPERTY, "") or ("" if is_record else type_)
    return ""


def _by_property(cell: Cell, linked: Linked) -> Iterator[str]:
    values = linked.get((cell.page, cell.start), ())
    yield from _names(property_names(values, cell.text), ITEM_PROPERTY)


def _by_header(cell: Cell) -> Iterator[str]:
    yield from map(name_of_label, headers_of(cell))
    yield from _names(header_marks(cell), CLASS)


def _by_label(cell: Cell) -> Iterator[str]:
    yield from map(name_of_label, labels_of_value(cell))


def _by_word_beside(cell: Cell) -> Iterator[str]:
    yield from map(name_of_label, words_beside(cell))


def _by_class(cell: Cell) -> Iterator[str]:
    # What is around an element is not of its own text alone.
    is_own = cell.source == OWN_TEXT
    for one in [cell.node] if is_own else around(cell.page, cell.node):
        yield from _of_class(cell.page, one)


def _of_class(page: Page, node: NodeId) -> Iterator[str]:
    return _names(reversed(page.classes(node)), CLASS)


def _by_usual_folder(cell: Cell) -> Iterator[str]:
    yield from (listed_field(cell.page, one) for one in around(cell.page, cell.node))


def _by_home(cell: Cell, homes: Collection[str]) -> Iterator[str]:
    """Whether it is a headline that leads where all records lead."""
    page, shown = cell.page, list(around(cell.page, cell.node))
    leads = any(snake(one) in homes for node in shown for one in folders(page, node))
    if leads and any(page.tag[node] in _HEADLINES for node in shown):
        yield TITLE


def _by_folder(cell: Cell) -> Iterator[str]:
    """Where a link leads: `/shelves/17` is one of the shelves."""
    for one in around(cell.page, cell.node):
        yield from _names(list(folders(cell.page, one))[-1:], "href")


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
