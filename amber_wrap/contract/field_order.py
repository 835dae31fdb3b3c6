"""Find the order of the fields in the records of the samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from amber_wrap.contract.thresholds import CONTRACT
from amber_wrap.engine.ensemble import FoundRecord, value_positions


def field_order(records: Sequence[FoundRecord]) -> tuple[str, ...]:
    """Return the names of fields in the order of their values in nearly all records.

    A field is left out if its values are before a more frequent field's values in some
    records, and after them in others.
    """
    positions = [value_positions(record) for record in records]
    counts = Counter(name for by_name in positions for name in by_name)
    mean = {
        name: sum(by_name[name] for by_name in positions if name in by_name) / count
        for name, count in counts.items()
    }

    def follows(first: str, second: str) -> bool:
        """Return whether `second` follows `first` in nearly all records with both."""
        pairs = [
            (by_name[first], by_name[second])
            for by_name in positions
            if first in by_name and second in by_name
        ]
        ordered = sum(before <= after for before, after in pairs)
        return ordered >= CONTRACT.least_ordered_share * len(pairs)

    order: list[str] = []
    for name, _ in counts.most_common():
        longer = sorted([*order, name], key=lambda field: (mean[field], field))
        index = longer.index(name)
        if all(follows(first, name) for first in longer[:index]) and all(
            follows(name, second) for second in longer[index + 1 :]
        ):
            order = longer
    return tuple(order)
