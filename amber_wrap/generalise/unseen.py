"""Values that no text shows: attributes of elements without any, and links of icons.

Stars say `title="4.5 out of 5"`, flags `alt="Norway"`, microdata
`content="2024-05-12"`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from amber_wrap.analysis.cells import is_telling
from amber_wrap.analysis.places import Marks
from amber_wrap.analysis.states import stateless
from amber_wrap.annotate.names import words_of
from amber_wrap.dom.addresses import address, path_of
from amber_wrap.dom.page import ITEM_PROPERTY, NodeId, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.embedded import dates
from amber_wrap.embedded.values import to_number
from amber_wrap.generalise.groups import Group
from amber_wrap.generalise.kinds import form_of
from amber_wrap.generalise.vocabulary import squeeze
from amber_wrap.generalise.worth import LINK, Cell

SAYING: Final = ("title", "alt", "aria-label")
"""HTML attributes that say in words what an element without text shows."""
CONTENT: Final = "content"
"""The attribute in which microdata says what isn't displayed."""
DATA: Final = re.compile(
    r"data-(?:[a-z-]+-)?(?:rating|score|stars|votes|count|date|time|timestamp|price)"
)
"""Attributes of a page's own that are called after a value."""
LONGEST: Final = 60
"""Characters up to which an attribute is a value and not a description."""
NEARLY_ALL: Final = 0.9
"""The share of the records in which a column must not repeat another one, and in which
the links of one must differ."""
LEAST: Final = 2
"""Different values that a column has."""
DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
TIME: Final = re.compile(r"\d\d?[:.]\d\d(?!\d|[./-])")
Key = tuple[int, NodeId]
"""A page and the start of a record."""
SCHEMES: Final[Mapping[str, str]] = {
    "magnet:": "magnet",
    "mailto:": "email",
    "tel:": "phone",
    "geo:": "coordinates",
}
"""What links are that lead to no page, by how they begin."""
NO_LINK: Final = re.compile(
    r"#|javascript:|data:|$|https?:.*(?:https?:|%3A%2F%2F)", re.I
)
"""What leads nowhere, or to a page that another one is sent to: a share button."""
ACTIONS: Final = frozenset(
    "add cart basket compare wishlist favorite favourite share print login vote like "
    "report delete edit reply follow subscribe".split()
)
"""Words of links that do something."""


def unseen_columns(
    group: Group, columns: Sequence[Sequence[Cell]], least: int
) -> list[list[Cell]]:
    """The columns of attributes that at least so many records have and that are values,
    but say nothing that a type or one of the `columns` says."""
    others = [
        _comparable((id(one.page), one.start, one.text) for one in column)
        for column in columns
    ]
    by_type: dict[str, list[tuple[int, NodeId, str]]] = defaultdict(list)
    for page, start, attributes in group.attributes():
        for one in attributes:
            by_type[one.type].append((id(page), start, one.text or ""))
    others += map(_comparable, by_type.values())
    found = []
    for column in _by_place(group):
        if len(column) >= least and _are_values(column):
            mine = _comparable((id(one.page), one.start, one.text) for one in column)
            if not any(_repeats(mine, other) for other in others):
                others.append(mine)
                found.append(column)
    return found


def _by_place(group: Group) -> Iterable[list[Cell]]:
    """What elements without text say in attributes, by their places in records."""
    found: dict[tuple[str, int], list[Cell]] = defaultdict(list)
    for page, area in group.members:
        rows = [record.nodes for record in area.records]
        places = Marks(page, rows, stateless(page, rows), labelled=False)
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            seen: Counter[str] = Counter()
            for node in (one for row in record.nodes for one in page.elements(row)[1:]):
                for name in () if page.text_length(node) else _telling(page, node):
                    place, source = places.text(paths[node]), f"@{name}"
                    text = page.source_text(node, source)
                    if 0 < len(text) <= (LONGEST if source != LINK else len(text)):
                        cell = Cell(page, record.start, node, text, source)
                        found[f"{source} {place}", seen[place]].append(cell)
                seen[places.text(paths[node])] += 1
    return found.values()


def _telling(page: Page, node: NodeId) -> Iterator[str]:
    """The attributes of an element that may hold a value."""
    given = page.attributes[node]
    if ITEM_PROPERTY in given and CONTENT in given:
        yield CONTENT
    yield from (name for name in given if DATA.fullmatch(name))
    if saying := next((name for name in SAYING if given.get(name, "").strip()), None):
        yield saying
    if page.tag[node] == "a" and _leads(page, node):
        yield "href"


def _leads(page: Page, link: NodeId) -> bool:
    """Whether a link without text leads to something of its own."""
    given = page.attributes[link]
    said = " ".join(given.get(name, "") for name in ("href", "class", *SAYING))
    shows_picture = any(page.tag[one] == "img" for one in page.elements(link))
    is_other = NO_LINK.match(given.get("href", "").strip()) or shows_picture
    return not is_other and ACTIONS.isdisjoint(words_of(said))


def scheme_of(link: str) -> str:
    """What a link is that leads to no page, "" for others."""
    found = (name for one, name in SCHEMES.items() if link.startswith(one))
    return next(found, "")


def _are_values(column: Sequence[Cell]) -> bool:
    """Whether attributes are values: links, numbers and dates, or states that several
    records share."""
    texts = [cell.text for cell in column]
    distinct = len(set(texts))
    if distinct < LEAST or not all(map(is_telling, texts)):
        return False
    if column[0].source == LINK:
        return distinct >= NEARLY_ALL * len(texts)
    is_state = distinct <= len(texts) / 2 or column[0].source == f"@{CONTENT}"
    return is_state or form_of(texts).kind is not ValueKind.TEXT


def _comparable(said: Iterable[tuple[int, NodeId, str]]) -> dict[Key, set[str]]:
    """What the texts of records can be compared by: the words, where they lead, a day,
    a number."""
    return {(page, start): set(_forms(text)) for page, start, text in said if text}


def _forms(text: str) -> Iterator[str]:
    yield squeeze(text)
    yield path_of(address(text)) if "/" in text else text
    if DAY.match(day := dates.date(text) or ""):
        yield day if TIME.search(text) else day[:10]
    elif len(numbers := re.findall(r"\d+(?:[.,]\d+)*", text)) == 1:
        yield f"{to_number(numbers[0])}"


def _repeats(mine: Mapping[Key, set[str]], other: Mapping[Key, set[str]]) -> bool:
    """Whether nearly all texts of a column are said by another one."""
    same = sum(not forms.isdisjoint(other.get(key, ())) for key, forms in mine.items())
    return same >= NEARLY_ALL * len(mine)
