"""Compare records before and after a change."""

from __future__ import annotations

from collections import Counter
from typing import Any

from amber_wrap.engine.output_rows import records_on
from amber_wrap.studio.background_jobs import Outcome
from amber_wrap.studio.file_cache import OpenedPage


def record_changes(before: OpenedPage, outcome: Outcome) -> dict[str, Any]:
    """Return the effects of a change on the records of a page, as JSON data:

    - `records`: the numbers of records before and after the change,
    - `gone`: the old indexes of the lost records,
    - `changed`: the number of changed values in each column,
    - `values`: changed values as triples of the record's old index (None for a new
      record), the element, and the text,
    - `notes`, `lost` and `unheld`: the fields of `outcome`.
    """
    page, wrapper = before.page, outcome.built.stored.wrapper
    after = OpenedPage(page, wrapper, records_on(wrapper, page.root), None)
    old_numbers = {rows[0]: number for number, rows in enumerate(before.rows())}
    changed: Counter[str] = Counter()
    values: list[list[Any]] = []
    for record, rows in zip(after.records, after.rows(), strict=True):
        number = old_numbers.get(rows[0])
        old_values = before.records[number].values if number is not None else {}
        for name in (old_values.keys() | record.values.keys()) - {*outcome.lost}:
            old, new = old_values.get(name), record.values.get(name)
            if (old and old.shown) != (new and new.shown):
                changed[name] += 1
                if new:
                    values.append([number, page.node_of(new.node), new.shown])
    remaining = {rows[0] for rows in after.rows()}
    return {
        "notes": outcome.notes,
        "lost": outcome.lost,
        "unheld": outcome.unheld,
        "records": [len(before.records), len(after.records)],
        "gone": [n for start, n in old_numbers.items() if start not in remaining],
        "changed": dict(sorted(changed.items())),
        "values": values,
    }
