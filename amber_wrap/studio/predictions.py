"""Predict what a column would read, by each way that a person can say it.

A prediction uses the shown page only, and is quick.  An example reads the elements at
the same place of the other records, as the compiler does (`generalise.example_sites`);
an expression reads what it selects.  The compiler's result of a step is shown before it
is kept, too (`work`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.annotate.examples import LONGEST, Example
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.engine.interpret import PatternCache
from amber_wrap.engine.reading import ReadValue, ValueReader
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.example_sites import example_site
from amber_wrap.generalise.span_patterns import span_pattern
from amber_wrap.generalise.user_decisions import ColumnDecision, pin
from amber_wrap.studio.opened import Look

WHOLE_TEXT: Final = "text"
CUT: Final = 120
"""Characters of a text that are shown of an element."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The values that a column would have: record number, element and text of each."""

    line: Mapping[str, str]
    values: Mapping[int, tuple[NodeId, str]]

    def data(self, look: Look, name: str) -> dict[str, Any]:
        """Return JSON data for the browser, with the number of changed values."""
        now = {
            number: record.values[name].shown
            for number, record in enumerate(look.found)
            if name in record.values
        }
        then = {number: text for number, (_, text) in self.values.items()}
        others = sum(now.get(one) != then.get(one) for one in now.keys() | then.keys())
        return {
            "line": dict(self.line),
            "values": [
                [n, node, text[:CUT]] for n, (node, text) in self.values.items()
            ],
            "records": len(look.found),
            "changed": others,
        }


def columns_of(look: Look, node: NodeId, take: str) -> list[str]:
    """Return the columns that read an element's text, or an attribute.

    These are the columns that read all of it; else the one that reads a part; where
    several do, nobody knows which is meant.  A column that reads an element around it
    or in it with the same text reads the text, too: a click chooses the innermost one.
    """
    page, number = look.page, look.record_of(node)
    parts: list[str] = []
    wholes: list[str] = []
    for name, value in look.found[number].values.items() if number is not None else ():
        at, is_text = page.node_of(value.node), not value.source.startswith("@")
        if (WHOLE_TEXT if is_text else value.source) != take:
            continue
        is_nested = page.contains(at, node) or page.contains(node, at)
        is_alike = is_text and page.string(at) == page.string(node)
        if at == node or (is_nested and is_alike):
            (wholes if _is_whole(page, value) else parts).append(name)
    return wholes or parts * (len(parts) == 1)


def by_another_name(
    look: Look, name: str, node: NodeId, take: str
) -> Prediction | None:
    """Predict what renaming the column that reads an element would give.

    None where no column reads the element, or a column has the new name already.
    """
    page, columns = look.page, columns_of(look, node, take)
    if not columns or any(name in record.values for record in look.found):
        return None
    values = {
        number: (page.node_of(record.values[columns[0]].node), shown.shown)
        for number, record in enumerate(look.found)
        if (shown := record.values.get(columns[0]))
    }
    return Prediction({"do": "rename", "name": columns[0], "to": name}, values)


def reads_all(look: Look, node: NodeId, column: str) -> bool:
    """Return whether a column reads all that its element says in an element's record,
    and not only a part."""
    number = look.record_of(node)
    values = look.found[number].values if number is not None else {}
    return column in values and _is_whole(look.page, values[column])


def _is_whole(page: Page, value: ReadValue) -> bool:
    return value.shown == page.source_text(page.node_of(value.node), value.source)


def by_example(look: Look, name: str, node: NodeId, part: str = "") -> Prediction:
    """Return what the compiler reads if an element's text, or a part, is an example.

    Raise SelectionError for an element that can't be an example, and if its text stands
    at another place of the records, too, which the compiler would take.
    """
    page, text = look.page, look.page.string(node)
    if not text or len(text) > LONGEST:
        raise SelectionError(f"an example is a text of {LONGEST} characters at most")
    example = Example(name, part or text)
    _span(text, example)
    site = example_site(example, look.areas())
    if site is None:
        raise SelectionError("the records don't show this text in one element")
    there = {rows[0]: number for number, rows in enumerate(look.rows())}
    read = {there[start]: value for (_, start), value in site.values.items()}
    number = look.record_of(node)
    own, _ = read.get(-1 if number is None else number, (-1, ""))
    if own < 0 or not (page.contains(own, node) or page.contains(node, own)):
        raise SelectionError("other elements show this text, too: it is no example")
    values = {number: read[number] for number in sorted(read)}
    if site.text != example.text:
        texts = [shown for _, shown in values.values()]
        cut = re.compile(pattern_of_part(site.text, example.text, texts))
        values = {
            number: (one, match[1])
            for number, (one, shown) in values.items()
            if (match := cut.search(shown))
        }
    line = {"do": "example", "name": name, "value": example.text}
    return Prediction(line, values)


def pattern_for(look: Look, node: NodeId, take: str, part: str, xpath: str) -> str:
    """Return the pattern for a part of an element's text or attribute.

    The pattern also matches the other texts that the expression reads.  Raise
    SelectionError.
    """
    page = look.page
    text = page.string(node) if take == WHOLE_TEXT else page.source_text(node, take)
    read = by_expression(look, "value", xpath).values
    return pattern_of_part(text, part, [shown for _, shown in read.values()])


def pattern_of_part(text: str, part: str, texts: Sequence[str]) -> str:
    """Return the regular expression whose group is a part of a text, and of others.

    Raise SelectionError if the text lacks the part, or no pattern fits.
    """
    regex, _ = span_pattern(text, *_span(text, Example("value", part)), texts)
    if not regex:
        raise SelectionError("nothing tells this part from the rest of the text")
    return regex.replace("(?P<value>", "(", 1)


def _span(text: str, example: Example) -> tuple[int, int]:
    """Return where a text shows an example; raise SelectionError."""
    seen = re.search(example.words, text) if example.text else None
    if seen is None:
        raise SelectionError("write words of the chosen text, as it shows them")
    return seen.span()


def by_expression(look: Look, name: str, xpath: str, pattern: str = "") -> Prediction:
    """Return what an expression reads; raise SelectionError if it is invalid."""
    decided = ColumnDecision(name or "value", xpath=xpath, pattern=pattern)
    locator, form = pin(decided, [look.page])
    patterns = PatternCache({locator.pattern: form} if locator.pattern else {})
    rows = [one.rows for one in look.found]
    column = ValueReader(patterns).column([locator], rows)
    values = {
        number: (look.page.node_of(value.node), value.shown)
        for number, value in enumerate(column)
        if value is not None
    }
    line = {"do": "expression", "name": name, "xpath": xpath, "pattern": pattern}
    return Prediction(line, values)
