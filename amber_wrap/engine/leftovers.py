"""What records show and no field reads: there a value may be that a field lost.

That a value is missing says little: other searches find things without one.  It is
lost where its record still shows something like it.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from amber_wrap.dom.markup import collapse, is_hidden
from amber_wrap.engine.ensemble import Found
from amber_wrap.values.shapes import shape_of
from amber_wrap.wrapper.ir import Contract, FieldRule

# What a larger share of the records shows is a label or a button.
_SHARED: Final = 0.5


class Leftovers:
    """The texts and attributes that no field of the records reads."""

    def __init__(self, contract: Contract, records: Sequence[Found]) -> None:
        self._contract = contract
        self._records = records
        self._left = cache(self._find)

    def lost(self, rule: FieldRule) -> frozenset[int]:
        """The numbers of the records that lack a field, and where more is unread that
        may be its value than on the samples; of a type that annotators know, all that
        lack it where fewer have one than on other pages."""
        name = rule.name
        lacking = [
            number
            for number, record in enumerate(self._records)
            if name not in record.values
        ]
        count = len(self._records)
        filled = count - len(lacking)
        is_rare = filled < self._contract.least_fill.get(name, 1.0) * count
        if is_rare and name in self._contract.recognised:
            return frozenset(lacking)
        usual = self._contract.unread.get(name, 0.0) + 0.5
        counts = self.counts(rule) if lacking else []
        return frozenset(number for number in lacking if counts[number] > usual)

    def counts(self, rule: FieldRule) -> list[int]:
        """By record how much is unread that may be the value of a field."""
        source = rule.readings[0].locators[0].source
        left = self._left(source if source.startswith("@") else "text")
        known = self._contract.shapes.get(rule.name, ())
        return [
            sum(times for shape, times in one.items() if shape in known) for one in left
        ]

    def _find(self, source: str) -> list[Counter[str]]:
        """By record the shapes of what no field reads, without what most share."""
        found = [list(_unread(record, source)) for record in self._records]
        times = Counter(shown for some in found for shown in set(some))
        most = max(1, _SHARED * len(found))
        return [
            Counter(shape_of(shown) for shown in some if times[shown] <= most)
            for some in found
        ]


def _unread(record: Found, source: str) -> Iterator[str]:
    """What a record shows in elements from which no value comes, or says in their
    attribute."""
    name = source[1:] if source.startswith("@") else ""
    taken = {
        value.node
        for value in record.values.values()
        if not name or value.source == source
    }
    stack = [row for row in record.rows if row not in taken or name]
    while stack:
        node = stack.pop()
        if not isinstance(node.tag, str) or is_hidden(node):
            continue
        if not name:
            stack += [one for one in node if one not in taken]
            texts = [node.text, *(one.tail for one in node)]
            yield from filter(None, (collapse(one or "") for one in texts))
        else:
            stack += node
            if node not in taken and (said := collapse(node.get(name, ""))):
                yield said
