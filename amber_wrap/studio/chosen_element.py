"""Describe a clicked element, and write XPath expressions that select the element.

In the expressions, `@class~="x"` tests for the class `x`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.expressions import selector_of
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.user_decisions import ColumnDecision, full_xpath
from amber_wrap.lowering.xpath_simplification import records_xpath, short
from amber_wrap.studio.file_cache import OpenedPage
from amber_wrap.studio.predicted_values import (
    CUT,
    WHOLE_TEXT,
    by_expression,
    columns_of,
)

_ENOUGH: Final = 0.8
"""An XPath expression is good enough if it reads at least this share of the records
that the best expression reads.

The first such expression is chosen.
"""
_CHOOSABLE: Final = (
    "@href",
    "@src",
    "@title",
    "@datetime",
    "@content",
    "@alt",
    "@value",
)
"""The HTML attributes that a user can choose instead of a clicked element's text."""
_RARE: Final = 0.5
"""A class is rare if less than this share of the records has it.

Only a test for a rare class may exclude records.
"""


def expression_for(opened: OpenedPage, node: NodeId, take: str) -> str:
    """Return an XPath expression for the text or an attribute of an element.

    The expression is relative to the record that contains the element. For an element
    outside of records, the expression may be absolute. `take` is "text", or an
    attribute such as "@href". Raise SelectionError if no expression is found.
    """
    page, number = opened.page, opened.record_of(node)
    attribute_step = "" if take == WHOLE_TEXT else f"/{take}"
    if number is None:
        xpath = heading_expression(opened, node) or page_expression(page, node)
        return xpath + attribute_step
    index, row = next(
        (index, row)
        for index, row in enumerate(opened.rows()[number])
        if page.contains(row, node)
    )
    row_step = f"following-sibling::*[{index}]" if index else "."
    read_counts: dict[str, int] = {}
    for path in paths_in_record(page, row, node):
        xpath = f"{row_step}{path}{attribute_step}"
        values = by_expression(opened, "value", xpath).values
        if number in values and values[number][0] == node:
            read_counts[xpath] = len(values)
    if not read_counts:
        raise SelectionError("no short expression selects this element: write your own")
    least_count = _ENOUGH * max(read_counts.values())
    return next(xpath for xpath, count in read_counts.items() if count >= least_count)


def heading_expression(opened: OpenedPage, node: NodeId) -> str:
    """Return an XPath expression for the nearest heading before each record.

    The expression is relative to the record. `node` is the heading of a record. Return
    "" if no expression is found that selects `node`.
    """
    page, record_starts = opened.page, [rows[0] for rows in opened.rows()]
    first_after = next(
        (record_start for record_start in record_starts if record_start > node), None
    )
    if first_after is None:
        return ""
    ancestor, heading_tag = node, page.tag[node]
    while ancestor >= 0 and not page.contains(ancestor, first_after):
        inside = "" if ancestor == node else f"//{heading_tag}"
        for predicate in (*element_predicates(page, ancestor), ""):
            xpath = f"./preceding::{page.tag[ancestor]}{predicate}[1]{inside}"
            of_next = page.select(plain_xpath(xpath), first_after)[:1]
            of_last = page.select(plain_xpath(xpath), record_starts[-1])[:1]
            if of_next != [node] or of_last == of_next:
                continue  # Two records rule most expressions out, at little cost.
            values = by_expression(opened, "value", xpath).values
            headings = {value_node for value_node, _ in values.values()}
            if all(opened.record_of(heading) is None for heading in headings):
                return xpath
        ancestor = page.parent[ancestor]
    return ""


def paths_in_record(page: Page, row: NodeId, node: NodeId) -> Iterator[str]:
    """Yield XPath paths from `row`, a top element of a record, to `node` in the record.

    Paths with attributes come first, then paths of tags, and last the path of
    positions.
    """
    if node == row:
        yield ""
        return
    tag = page.tag[node]
    for predicate in element_predicates(page, node):
        yield f"//{tag}{predicate}"
    ancestor = page.parent[node]
    while page.contains(row, ancestor) and ancestor != row:
        for predicate in element_predicates(page, ancestor):
            yield f"//{page.tag[ancestor]}{predicate}//{tag}"
        ancestor = page.parent[ancestor]
    yield f"//{tag}"
    yield f"/{_positions(page, row, node)}"


def page_expression(page: Page, node: NodeId) -> str:
    """Return an absolute XPath expression that selects `node` alone on its page."""
    tag = page.tag[node]
    for predicate in (*element_predicates(page, node), ""):
        xpath = f"//{tag}{predicate}"
        if page.select(plain_xpath(xpath)) == [node]:
            return xpath
    return f"/{page.tag[0]}/{_positions(page, 0, node)}" if node else f"/{page.tag[0]}"


def element_predicates(page: Page, node: NodeId) -> Iterator[str]:
    """Yield XPath predicates that hold for an element, such as `[@id="price"]`.

    Ids come first, then attributes such as `itemprop`, and classes last.
    """
    attributes = page.attributes[node]
    for name in ("id", *NAMING_ATTRIBUTES, "rel"):
        if stands_in_quotes(value := attributes.get(name, "")):
            yield f'[@{name}="{value}"]'
    for token in page.classes(node):
        if stands_in_quotes(token):
            yield f'[@class~="{token}"]'


def plain_xpath(xpath: str) -> str:
    """Return an expression written by a person as plain XPath 1.0.

    A person may write `@class~="x"` to test for the class `x`.
    """
    return full_xpath(ColumnDecision("value", xpath=xpath))


def _positions(page: Page, ancestor: NodeId, node: NodeId) -> str:
    """Return a path such as `div[2]/b` from an ancestor to an element."""
    steps: list[str] = []
    while node != ancestor:
        tag, parent = page.tag[node], page.parent[node]
        alike = [
            child for child in page.child_elements(parent) if page.tag[child] == tag
        ]
        steps.append(f"{tag}[{alike.index(node) + 1}]" if len(alike) > 1 else tag)
        node = parent
    return "/".join(reversed(steps))


def stands_in_quotes(value: str) -> bool:
    """Return whether an attribute's value can stand in quotes in an XPath expression.

    The value must have 1 to 79 characters, without quotes, backslashes, line breaks,
    "<", ">" and "&".
    """
    return bool(value) and not set(value) & set("\"'\\\n<>&") and len(value) < 80


def element_choices(opened: OpenedPage, node: NodeId) -> dict[str, Any]:
    """Return a description of a clicked element as JSON data.

    Among the data are the element's text and attributes, the number of its record, and
    the columns that read the element.
    """
    page = opened.page
    text = page.string(node)
    takes = [[WHOLE_TEXT, text[: ANNOTATION.longest_example_text]]] if text else []
    takes += [
        [attribute, value[: ANNOTATION.longest_example_text]]
        for attribute in _CHOOSABLE
        if (value := page.source_text(node, attribute))
    ]
    ancestors = []
    ancestor = page.parent[node]
    while ancestor >= 0:
        ancestors.append(ancestor)
        ancestor = page.parent[ancestor]
    number = opened.record_of(node)
    return {
        "node": node,
        "tag": page.tag[node],
        "text": text[:CUT],
        "takes": takes,
        "columns": {take: columns_of(opened, node, take) for take, _ in takes},
        "record": number,
        "exclusion": record_exclusion(opened, number),
        "above": ancestors,
        "selector": selector_of(page, node),
        "path": page_expression(page, node),
        "holds": sum(page.contains(node, rows[0]) for rows in opened.rows()),
    }


def record_exclusion(opened: OpenedPage, number: int | None) -> dict[str, Any]:
    """Return an XPath expression that excludes a record and similar records, such as
    adverts.

    `number` is the number of the record. Under `gone` are the numbers of all excluded
    records. If no expression is found, the result has only the reason, under `why`.
    """
    if number is None or opened.wrapper is None:
        return {"why": "the element is outside all records"}
    if len(opened.wrapper.areas) > 1:
        return {"why": "there are several lists: choose one first"}
    page, rows = opened.page, opened.rows()
    tests = [frozenset(class_tests(page, record_rows[0])) for record_rows in rows]
    test_counts = Counter(test for record_tests in tests for test in record_tests)
    rare_tests = [
        test for test in tests[number] if test_counts[test] < _RARE * len(rows)
    ]
    if not rare_tests:
        return {"why": "no class distinguishes this record from most others"}
    rarest_test = min(
        rare_tests, key=lambda test: (test.startswith("."), test_counts[test], test)
    )
    xpath = f"{records_path(opened)}[not({rarest_test})]"
    remaining_starts = set(page.select(plain_xpath(xpath)))
    excluded_records = [
        index
        for index, record_rows in enumerate(rows)
        if record_rows[0] not in remaining_starts
    ]
    return {"xpath": xpath, "gone": excluded_records}


def records_path(opened: OpenedPage) -> str:
    """Return an XPath expression for the records of a page."""
    page = opened.page
    assert opened.wrapper
    record_paths = [
        short(records_xpath(place)) for place in opened.wrapper.areas[0].followed_places
    ]
    starts = {rows[0] for rows in opened.rows()}
    for record_path in record_paths:
        if starts == set(page.select(plain_xpath(record_path))):
            return f"({record_path})" if record_path.endswith("..") else record_path
    return f"({' | '.join(record_paths)})"


def class_tests(page: Page, row: NodeId) -> Iterator[str]:
    """Yield an XPath test for each class of the element `row`, and of its descendants.

    For example, `.//*[@class~="ad"]` tests for a descendant of the class `ad`.
    """
    for node in page.elements(row):
        for token in page.classes(node):
            if stands_in_quotes(token):
                test = f'@class~="{token}"'
                yield test if node == row else f".//*[{test}]"
