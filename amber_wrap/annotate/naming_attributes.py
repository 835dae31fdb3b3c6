"""Read the HTML attributes that name or describe an element, such as `class`."""

from __future__ import annotations

from functools import lru_cache

from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.dom.utility_classes import utility_kind

NAMING = (*NAMING_ATTRIBUTES, "class", "id")
"""HTML attributes in which authors name the content of an element."""
LABELLING = ("title", "alt", "aria-label")
"""HTML attributes with a label that is displayed as a tooltip: `<b
title="Bedrooms">3</b>`.
"""
DESCRIBING = (*NAMING, *LABELLING)
"""All HTML attributes that describe an element by a name or label."""


def tokens_of(page: Page, node: NodeId) -> tuple[str, ...]:
    """Return the names and short labels in an element's HTML attributes, for example
    the class tokens.
    """
    attributes = page.attributes[node]
    if not attributes:
        return ()
    return tokens_in_attributes(*map(attributes.get, DESCRIBING))


@lru_cache(maxsize=1 << 14)
def tokens_in_attributes(*values: str | None) -> tuple[str, ...]:
    """Return the names and short labels in the attributes that describe an element.

    `values` has the value of each attribute in `DESCRIBING`, or None.
    """
    value_of = dict(zip(DESCRIBING, values, strict=True))
    names = [
        token
        for name in NAMING
        for token in (value_of[name] or "").split()
        if name != "class" or utility_kind(token) is None
    ]
    texts = (value_of[name] or "" for name in LABELLING)
    return (*names, *filter(is_label, texts))
