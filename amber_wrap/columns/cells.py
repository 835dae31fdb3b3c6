"""Define the cells of columns, which are texts of records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from amber_wrap.dom.page import TEXT, NodeId, Page

LINK: Final = "@href"
"""The value of `Cell.source` for a text that is the target of a link."""

RecordKey = tuple[Page, NodeId]
"""A record, identified by its page and its first node."""
RecordTexts = dict[RecordKey, str]
"""Texts by record, reduced to letters and digits."""


class PartPattern(NamedTuple):
    """A regular expression for one of several values in a text.

    For example, it finds "Oxford" in "Ann Poe | Oxford".
    """

    before: str
    """An expression for the text before the value."""
    after: str
    """An expression for the text behind the value."""
    form: str = ""
    """An expression for the value, or "" for any text."""

    def __call__(self, pattern: str = "") -> str:
        """Return the expression for the whole text, with the group `value` for the
        value.

        `pattern` finds the value within the part between `before` and `after`. It is ""
        if the value is all of this part.
        """
        if not pattern:
            return f"{self.before}(?P<value>{self.form or '.+?'}){self.after}"
        end = re.compile(r"(?<!\\)\$")
        inner = end.sub(lambda _: self.after, pattern.removeprefix("^"))
        inner = inner.replace(".+)", ".+?)").replace(r"\D*", r"\D*?")
        if "(?P<value>" not in inner:
            inner = f"(?P<value>{inner.removesuffix(self.after)}){self.after}"
        return self.before + inner


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of one record in a column."""

    page: Page
    start: NodeId
    """The first node of the record."""
    node: NodeId
    """The element that holds the text."""
    text: str
    source: str = TEXT
    """Where the element has the text: in its content, or in an HTML attribute such as
    `@href`."""
    label: str = ""
    """A label at the start of the text, such as "Rooms:", or ""."""
    part: PartPattern | None = None
    """The expression that finds the text in a longer text, or None for a whole text."""

    @property
    def record(self) -> RecordKey:
        """The page and the first node of the record that the text belongs to."""
        return self.page, self.start


def cells_by_record(column: Iterable[Cell]) -> dict[RecordKey, Cell]:
    """Return the cells of a column by record.

    If a record has several cells, take the last.
    """
    return {cell.record: cell for cell in column}


def nodes_with_same_text(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield an element, and each ancestor that has the same text.

    For a line break, begin with its parent, since a line break has no text.
    """
    node = page.parent[node] if page.tag[node] == "br" else node
    length = page.text_length(node)
    while node > 0 and page.text_length(node) == length:
        yield node
        node = page.parent[node]
