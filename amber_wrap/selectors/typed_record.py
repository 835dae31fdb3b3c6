"""Define the records from which locators are induced."""

from __future__ import annotations

from dataclasses import dataclass

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.dom.page import NodeId, Page


@dataclass(frozen=True, slots=True)
class TypedRecord:
    """A record with its attribute of one type.

    `rows` are the sibling nodes of the record. `attribute` is None if the record lacks
    the attribute.
    """

    page: Page
    rows: tuple[NodeId, ...]
    attribute: Attribute | None

    @property
    def text(self) -> str | None:
        """The value that a locator should read from the record, or None."""
        return self.attribute.text if self.attribute else None

    def row_of(self, attribute: Attribute) -> int | None:
        """Return the index of the record's node that contains an attribute.

        Return None if the attribute is outside of the record.
        """
        for i, top in enumerate(self.rows):
            if self.page.contains(top, attribute.node):
                return i
        return None
