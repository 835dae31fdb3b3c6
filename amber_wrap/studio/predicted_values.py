"""Predict the values of a column that a person is about to add or change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.annotate.examples import Example
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.locators import PatternCache, ReadValue, TreeValueReader
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.example_matching import example_site
from amber_wrap.generalise.patterns_of_examples import span_pattern
from amber_wrap.generalise.user_decisions import ColumnDecision, pinned_locator
from amber_wrap.studio.file_cache import OpenedPage

WHOLE_TEXT: Final = "text"
"""The value of the parameter `take` for an element's text instead of an attribute."""

CUT: Final = 120
"""The most characters of a text that the browser shows."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The values that a column would have after a change, and the change itself."""

    change: Mapping[str, str]
    """The change, such as `{"do": "rename", "name": "a", "to": "b"}`."""
    values: Mapping[int, tuple[NodeId, str]]
    """A dict from the number of each record to a pair of an element and its value."""

    def data(self, opened: OpenedPage, name: str) -> dict[str, Any]:
        """Return the prediction as JSON data for the browser.

        `changed` is the number of records whose predicted value isn't the present value
        of the column `name`.
        """
        present_texts = {
            number: record.values[name].shown
            for number, record in enumerate(opened.records)
            if name in record.values
        }
        new_texts = {number: text for number, (_, text) in self.values.items()}
        changed = sum(
            present_texts.get(number) != new_texts.get(number)
            for number in present_texts.keys() | new_texts.keys()
        )
        return {
            "line": dict(self.change),
            "values": [
                [number, node, text[:CUT]]
                for number, (node, text) in self.values.items()
            ],
            "records": len(opened.records),
            "changed": changed,
        }


def columns_of(opened: OpenedPage, node: NodeId, take: str) -> list[str]:
    """Return the columns whose value is the whole text or attribute of an element.

    `take` is "text", or an attribute such as "@href". Without such a column, return the
    only column that reads a part of the text. Return [] if several columns read a part.
    """
    page, number = opened.page, opened.record_of(node)
    if number is None:
        return []
    parts: list[str] = []
    wholes: list[str] = []
    for name, value in opened.records[number].values.items():
        value_node = page.node_of(value.node)
        is_text = not value.source.startswith("@")
        if (WHOLE_TEXT if is_text else value.source) != take:
            continue
        has_same_text = (
            is_text
            and page.are_nested(value_node, node)
            and page.string(value_node) == page.string(node)
        )
        if value_node == node or has_same_text:
            (wholes if _is_whole(page, value) else parts).append(name)
    if wholes:
        return wholes
    return parts if len(parts) == 1 else []


def by_renaming(
    opened: OpenedPage, name: str, node: NodeId, take: str
) -> Prediction | None:
    """Predict the values if the column that reads an element is renamed to `name`.

    `take` is "text" if the column reads the element's text, or an attribute such as
    "@href". Return None if no column reads the element, or if a column already has the
    name.
    """
    columns = columns_of(opened, node, take)
    if not columns or any(name in record.values for record in opened.records):
        return None
    old_name = columns[0]
    values = {
        number: (opened.page.node_of(value.node), value.shown)
        for number, record in enumerate(opened.records)
        if (value := record.values.get(old_name))
    }
    return Prediction({"do": "rename", "name": old_name, "to": name}, values)


def reads_whole_text(opened: OpenedPage, node: NodeId, column: str) -> bool:
    """Return whether a column's value is the whole text or attribute of the value's
    element.

    Only the value in the record that contains `node` is checked. Return False if the
    record has no value.
    """
    number = opened.record_of(node)
    values = opened.records[number].values if number is not None else {}
    return column in values and _is_whole(opened.page, values[column])


def _is_whole(page: Page, value: ReadValue) -> bool:
    """Return whether a value is the whole text or attribute of the value's element."""
    return value.shown == page.source_text(page.node_of(value.node), value.source)


def by_example(
    opened: OpenedPage, name: str, node: NodeId, part: str = ""
) -> Prediction:
    """Predict the values of a column called `name` by an example.

    The example is the text of `node`, or `part` of this text. Raise SelectionError if
    no values can be predicted by the example.
    """
    page, text = opened.page, opened.page.string(node)
    longest = ANNOTATION.longest_example_text
    if not text or len(text) > longest:
        raise SelectionError(f"an example must have 1 to {longest} characters")
    example = Example(name, part or text)
    _span(text, example)
    site = example_site(example, opened.areas())
    if site is None:
        raise SelectionError("no record shows this text in a single element")
    numbers = {rows[0]: number for number, rows in enumerate(opened.rows())}
    read = {numbers[start]: value for (_, start), value in site.values.items()}
    number = opened.record_of(node)
    example_node = read[number][0] if number in read else None
    if example_node is None or not page.are_nested(example_node, node):
        raise SelectionError(
            "other elements show this text, too, so it can't be an example"
        )
    values = dict(sorted(read.items()))
    if site.text != example.text:
        texts = [shown for _, shown in values.values()]
        pattern = re.compile(pattern_of_part(site.text, example.text, texts))
        values = {
            number: (value_node, match[1])
            for number, (value_node, shown) in values.items()
            if (match := pattern.search(shown))
        }
    change = {"do": "example", "name": name, "value": example.text}
    return Prediction(change, values)


def pattern_for(
    opened: OpenedPage, node: NodeId, take: str, part: str, xpath: str
) -> str:
    """Return a regular expression for `part` of an element's text or attribute.

    `take` is "text", or an attribute such as "@href". The regular expression also
    matches a part of most texts that `xpath` reads. Raise SelectionError if there is no
    such regular expression.
    """
    page = opened.page
    text = page.string(node) if take == WHOLE_TEXT else page.source_text(node, take)
    values = by_expression(opened, "value", xpath).values
    return pattern_of_part(text, part, [shown for _, shown in values.values()])


def pattern_of_part(text: str, part: str, texts: Sequence[str]) -> str:
    """Return a regular expression whose group 1 matches `part` in `text`.

    The regular expression also matches a part of most `texts`. Raise SelectionError if
    there is no such regular expression.
    """
    start, end = _span(text, Example("value", part))
    regex, _ = span_pattern(text, start, end, texts)
    if not regex:
        raise SelectionError("no pattern separates this part from the rest of the text")
    return regex.replace("(?P<value>", "(", 1)


def _span(text: str, example: Example) -> tuple[int, int]:
    """Return the start and the end of the first occurrence of an example in a text.

    Raise SelectionError if the text doesn't contain the example.
    """
    match = re.search(example.words, text) if example.text else None
    if match is None:
        raise SelectionError("write a part of the chosen text, as displayed")
    return match.span()


def by_expression(
    opened: OpenedPage, name: str, xpath: str, pattern: str = ""
) -> Prediction:
    """Predict the values of a column `name` that an XPath expression reads.

    Raise SelectionError if the expression or the pattern is invalid.
    """
    decision = ColumnDecision(name or "value", xpath=xpath, pattern=pattern)
    locator, regex = pinned_locator(decision, [opened.page])
    patterns = PatternCache({locator.pattern: regex} if locator.pattern else {})
    rows = [record.rows for record in opened.records]
    column = TreeValueReader(patterns).column([locator], rows)
    values = {
        number: (opened.page.node_of(value.node), value.shown)
        for number, value in enumerate(column)
        if value is not None
    }
    change = {"do": "expression", "name": name, "xpath": xpath, "pattern": pattern}
    return Prediction(change, values)
