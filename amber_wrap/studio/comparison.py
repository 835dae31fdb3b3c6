"""Compare the records of a page before and after a change of a spec."""

from __future__ import annotations

from typing import Any

from amber_wrap.engine.interpret import found_on
from amber_wrap.studio.opened import OpenedPage
from amber_wrap.studio.work import Outcome


def comparison(before: OpenedPage, outcome: Outcome) -> dict[str, Any]:
    """Return what a change of the spec does to the records of a page.

    The result includes the numbers of records before and after the change, the lost
    records, and the changed values.
    """
    wrapper = outcome.built.stored.wrapper
    after = OpenedPage(before.page, wrapper, found_on(wrapper, before.page.root), None)
    starts = {rows[0]: number for number, rows in enumerate(before.rows())}
    changed, values = dict[str, int](), []
    for one, rows in zip(after.found, after.rows(), strict=True):
        number = starts.get(rows[0])
        old = before.found[number].values if number is not None else {}
        for name in (old.keys() | one.values.keys()) - {*outcome.lost}:
            was, now = old.get(name), one.values.get(name)
            if (was and was.shown) != (now and now.shown):
                changed[name] = changed.get(name, 0) + 1
                if now:
                    values.append([number, before.page.node_of(now.node), now.shown])
    there = {rows[0] for rows in after.rows()}
    return {
        "notes": outcome.notes,
        "lost": outcome.lost,
        "unheld": outcome.unheld,
        "records": [len(before.found), len(after.found)],
        "gone": [n for start, n in starts.items() if start not in there],
        "changed": dict(sorted(changed.items())),
        "values": values,
    }
