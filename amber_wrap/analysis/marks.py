"""Find the marks of elements, which are class tokens and naming attributes in CSS
notation.

Marks are, for example, `.price` and `[itemprop=price]`. Positions of elements in
records are compared by marks.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page

NO_MARKS = frozenset[str]()
MARKING = ("class", *NAMING_ATTRIBUTES)
"""HTML attributes whose values identify elements: `class` and the naming attributes."""


def marks(page: Page) -> Sequence[frozenset[str]]:
    """Return the class tokens and naming attributes of each node of a page, for example
    `.price` and `[itemprop=price]`.
    """
    return [marks_of(page, node) for node in range(len(page))]


def marks_of(page: Page, node: NodeId) -> frozenset[str]:
    """Return the class tokens and naming attributes of an element, for example `.price`
    and `[itemprop=price]`.
    """
    attributes = page.attributes[node]
    return _marks(*map(attributes.get, MARKING)) if attributes else NO_MARKS


@lru_cache(maxsize=1 << 14)
def _marks(classes: str | None, *names: str | None) -> frozenset[str]:
    """Return class tokens and naming attributes in CSS notation, for example `.price`
    and `[itemprop=price]`.

    `classes` is the value of `class`. `names` are the values of `NAMING_ATTRIBUTES` in
    order. None stands for a missing attribute.
    """
    tokens = (f".{token}" for token in (classes or "").split())
    named = zip(NAMING_ATTRIBUTES, names, strict=True)
    return frozenset(
        [*tokens, *(f"[{name}={value}]" for name, value in named if value is not None)]
    )


ID = re.compile(r"(?<![^\W_])(?=[a-f]*\d)[\da-f]{8,}(?![^\W_])|\d+")
"""A number, or a long hexadecimal number, in a class token or name. It may be the id of
a record."""


def without_ids(page: Page, records: Sequence[Sequence[NodeId]]) -> Mapping[str, str]:
    """Return a mapping that replaces ids of records in class tokens and names by "#".

    For example, `.price_7001` and `.price_7014` are mapped to `.price_#`. Only one
    record may have the token with the id. Most records must have a token that differs
    only in the id.
    """
    bearers: dict[str, set[int]] = defaultdict(set)
    for i, rows in enumerate(records):
        nodes = chain.from_iterable(map(page.elements, rows))
        for together in {marks_of(page, node) for node in nodes}:
            for mark in _with_id(together):
                bearers[mark].add(i)
    alike: dict[str, dict[str, int]] = defaultdict(dict)
    for mark, own in bearers.items():
        if len(own) == 1:
            alike[ID.sub("#", mark)][mark] = min(own)
    return {
        mark: shape
        for shape, found in alike.items()
        if 2 * len(set(found.values())) > len(records) > 1
        for mark in found
    }


@lru_cache(maxsize=1 << 14)
def _with_id(together: frozenset[str]) -> Sequence[str]:
    """Return the class tokens and names in `together` that contain a number."""
    return [one for one in together if ID.search(one)]
