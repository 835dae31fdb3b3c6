"""List what a click on an element can mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from amber_wrap.annotate.examples import LONGEST
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.selector import selector_of
from amber_wrap.lowering.paths import joined, short
from amber_wrap.studio.expressions import by_token, page_expression, stands_in_quotes
from amber_wrap.studio.opened import Look
from amber_wrap.studio.predictions import CUT, WHOLE_TEXT, columns_of

_TAKEN: Final = ("@href", "@src", "@title", "@datetime", "@content", "@alt", "@value")
"""The HTML attributes of an element that a click can choose instead of its text."""
_RARE: Final = 0.5
"""The largest share of records that may have a name which marks false records."""


def choice(look: Look, node: NodeId) -> dict[str, Any]:
    """Return a description of an element: its text, its attributes and its place."""
    page = look.page
    takes = [[WHOLE_TEXT, page.string(node)[:LONGEST]]] if page.string(node) else []
    takes += [
        [one, said[:LONGEST]] for one in _TAKEN if (said := page.source_text(node, one))
    ]
    above = []
    one = page.parent[node]
    while one >= 0:
        above.append(one)
        one = page.parent[one]
    number = look.record_of(node)
    return {
        "node": node,
        "tag": page.tag[node],
        "text": page.string(node)[:CUT],
        "takes": takes,
        "columns": {take: columns_of(look, node, take) for take, _ in takes},
        "record": number,
        "odd": without_record(look, number),
        "above": above,
        "selector": selector_of(page, node),
        "path": page_expression(page, node),
        "holds": sum(page.contains(node, rows[0]) for rows in look.rows()),
    }


def without_record(look: Look, number: int | None) -> dict[str, Any]:
    """Return an expression for the records without one record and its like.

    The numbers of the excluded records come with it, or the reason if there is no such
    expression.  The expression tests names that few records have, on the record or on
    elements in it.
    """
    if number is None or look.wrapper is None:
        return {"why": "it is in no record"}
    if len(look.wrapper.areas) > 1:
        return {"why": "there are several lists: choose one first"}
    page, rows = look.page, look.rows()
    held = [frozenset(names_in(page, some[0])) for some in rows]
    counts = Counter(name for names in held for name in names)
    rare = [name for name in held[number] if counts[name] < _RARE * len(rows)]
    if not rare:
        return {"why": "nothing tells it from the other records: no class, no element"}
    odd = min(rare, key=lambda name: (name.startswith("."), counts[name], name))
    xpath = f"{records_path(look)}[not({odd})]"
    kept = set(page.select(by_token(xpath)))
    gone = [at for at, some in enumerate(rows) if some[0] not in kept]
    return {"xpath": xpath, "gone": gone}


def records_path(look: Look) -> str:
    """Return an expression for the records, if possible for all of them."""
    page = look.page
    assert look.wrapper
    paths = [short(joined(one)) for one in look.wrapper.areas[0].followed_places]
    starts = {rows[0] for rows in look.rows()}
    for path in paths:
        if starts == set(page.select(by_token(path))):
            return f"({path})" if path.endswith("..") else path
    return f"({' | '.join(paths)})"


def names_in(page: Page, row: NodeId) -> Iterator[str]:
    """Yield tests of the class tokens of a record and of the elements in it."""
    for node in page.elements(row):
        for token in page.classes(node):
            if stands_in_quotes(token):
                test = f'@class~="{token}"'
                yield test if node == row else f".//*[{test}]"
