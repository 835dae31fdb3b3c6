"""Columns that go on under other names: a redesign says the same, called otherwise.

A type of a domain keeps its name wherever it stands; a column is called by the page.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from amber_wrap.dom.page import Page
from amber_wrap.engine.interpret import interpret
from amber_wrap.maintenance.matching import Known
from amber_wrap.wrapper.ir import Wrapper

_KNOWN: Final = 0.5
"""The share of a new column's values that the old one is known to have had."""
DIFFERENT: Final = 2
"""Different values that must be known: a word that all records show is any column's."""


def successors(
    old: Wrapper, new: Wrapper, pages: Iterable[Page], known: Known
) -> dict[str, str]:
    """By the columns that a new wrapper lacks, as people call them, those of it that
    say the same on new pages; none is the successor of two."""
    there = dict(new.fields)
    lost = [name for name in old.keys if name in dict(old.fields) and name not in there]
    free = {name for name in new.keys if name in there and name not in dict(old.fields)}
    shown: dict[str, list[str]] = {name: [] for name in new.keys if name in free}
    for page in pages if lost and free else ():
        for record in interpret(new, page):
            for name in free & record.values.keys():
                shown[name].append(record.values[name].text)
    pairs = []
    for name in lost:
        had = known.values.get(name, frozenset())
        for other, texts in shown.items():
            same = [one for one in texts if one in had]
            if len(set(same)) >= DIFFERENT and len(same) >= _KNOWN * len(texts):
                pairs.append((-len(same) / len(texts), name, other))
    found: dict[str, str] = {}
    for _, name, other in sorted(pairs):
        if name not in found and other not in found.values():
            found[name] = other
    return found
