"""Describe a clicked element: its texts, its columns, and its record."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.expressions import selector_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.lowering.paths import joined, short
from amber_wrap.studio.expressions import page_expression, plain_xpath, stands_in_quotes
from amber_wrap.studio.opened import OpenedPage
from amber_wrap.studio.predictions import CUT, WHOLE_TEXT, columns_of

_TAKEN: Final = ("@href", "@src", "@title", "@datetime", "@content", "@alt", "@value")
"""The HTML attributes of an element that a click can choose instead of the text."""
_RARE: Final = 0.5
"""A class in at least this share of the records is too frequent for an exclusion."""


def element_choices(opened: OpenedPage, node: NodeId) -> dict[str, Any]:
    """Return a description of an element as JSON data.

    The description includes the element's text, attributes, columns, record and
    ancestors.
    """
    page = opened.page
    shown = page.string(node)[: ANNOTATION.example]
    takes = [[WHOLE_TEXT, shown]] if shown else []
    takes += [
        [one, value[: ANNOTATION.example]]
        for one in _TAKEN
        if (value := page.source_text(node, one))
    ]
    above = []
    one = page.parent[node]
    while one >= 0:
        above.append(one)
        one = page.parent[one]
    number = opened.record_of(node)
    return {
        "node": node,
        "tag": page.tag[node],
        "text": page.string(node)[:CUT],
        "takes": takes,
        "columns": {take: columns_of(opened, node, take) for take, _ in takes},
        "record": number,
        "exclusion": record_exclusion(opened, number),
        "above": above,
        "selector": selector_of(page, node),
        "path": page_expression(page, node),
        "holds": sum(page.contains(node, rows[0]) for rows in opened.rows()),
    }


def record_exclusion(opened: OpenedPage, number: int | None) -> dict[str, Any]:
    """Return an expression that excludes a record and similar records, as JSON data.

    Similar records, for example advertisements, share a rare class.  The expression is
    under `xpath`, and selects the remaining records.  The numbers of the excluded
    records are under `gone`.  If no expression is found, the only key is `why`, with
    the reason.
    """
    if number is None or opened.wrapper is None:
        return {"why": "the element is in no record"}
    if len(opened.wrapper.areas) > 1:
        return {"why": "there are several lists: choose one first"}
    page, rows = opened.page, opened.rows()
    held = [frozenset(names_in(page, some[0])) for some in rows]
    counts = Counter(name for names in held for name in names)
    rare = [name for name in held[number] if counts[name] < _RARE * len(rows)]
    if not rare:
        return {"why": "no class marks this record, or too many records have it"}
    mark = min(rare, key=lambda name: (name.startswith("."), counts[name], name))
    xpath = f"{records_path(opened)}[not({mark})]"
    kept = set(page.select(plain_xpath(xpath)))
    gone = [at for at, some in enumerate(rows) if some[0] not in kept]
    return {"xpath": xpath, "gone": gone}


def records_path(opened: OpenedPage) -> str:
    """Return an expression for the records of a page.

    The expression is the wrapper's first expression that selects all records.  If there
    is none, the expression is a union of the wrapper's expressions.
    """
    page = opened.page
    assert opened.wrapper
    paths = [short(joined(one)) for one in opened.wrapper.areas[0].followed_places]
    starts = {rows[0] for rows in opened.rows()}
    for path in paths:
        if starts == set(page.select(plain_xpath(path))):
            return f"({path})" if path.endswith("..") else path
    return f"({' | '.join(paths)})"


def names_in(page: Page, row: NodeId) -> Iterator[str]:
    """Yield an XPath test for each class of a record, and of the record's descendants.

    For example, `.//*[@class~="ad"]` is the test for a descendant of the class `ad`.
    """
    for node in page.elements(row):
        for token in page.classes(node):
            if stands_in_quotes(token):
                test = f'@class~="{token}"'
                yield test if node == row else f".//*[{test}]"
