"""Find columns that have other names after a redesign.

The name of a column comes from the page, and may change with the page.
"""

from __future__ import annotations

from collections.abc import Iterable

from amber_wrap.dom.page import Page
from amber_wrap.engine.interpret import interpret
from amber_wrap.maintenance.matching import Known
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.wrapper.ir import Wrapper


def successors(
    old: Wrapper, new: Wrapper, pages: Iterable[Page], known: Known
) -> dict[str, str]:
    """Return the new names of columns that continue under another name, by old name.

    A new column continues an old column if most of the new values are known values of
    the old column. A new column continues only one old column.
    """
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
            is_known = len(same) >= HEALING.enough * len(texts)
            if is_known and len(set(same)) >= HEALING.different:
                pairs.append((-len(same) / len(texts), name, other))
    found: dict[str, str] = {}
    for _, name, other in sorted(pairs):
        if name not in found and other not in found.values():
            found[name] = other
    return found
