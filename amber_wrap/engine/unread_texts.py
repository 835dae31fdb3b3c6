"""Find texts in records that no field reads, since they may be lost values.

A record may lack a value because the site shows none, or because the wrapper fails to
read the value. The value counts as lost if the record has an unread text that looks
like a value of the field.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache

from amber_wrap.dom.markup import collapse, is_hidden
from amber_wrap.engine.contract_report import interval
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.values.text_shapes import shape_of
from amber_wrap.wrapper.ir import Contract, FieldRule


class Leftovers:
    """The texts and HTML attributes in records that no field reads."""

    def __init__(self, contract: Contract, records: Sequence[Found]) -> None:
        self._contract = contract
        self._records = records
        self._left = cache(self._find)

    def lost(self, rule: FieldRule) -> frozenset[int]:
        """Return the indexes of records that seem to have lost the value of a field.

        A record without a value counts if more of its unread texts look like a value
        than in a record of the samples. Return the empty set if this excess is as
        common among records with a value.

        If a field with annotators has values in too few records
        (`Contract.least_fill`), return the indexes of all records without a value.
        """
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
        if not lacking:
            return frozenset()
        usual = self._contract.unread.get(name, 0.0) + 0.5
        more = {at for at, times in enumerate(self.counts(rule)) if times > usual}
        lost = more.intersection(lacking)
        # Unread texts that records with a value have as often aren't lost values.
        often = interval(len(more) - len(lost), filled)[1] if filled else 0.0
        is_usual = len(lost) / len(lacking) <= round(often, 6)
        return frozenset(() if is_usual else lost)

    def counts(self, rule: FieldRule) -> list[int]:
        """Return for each record how many unread texts could be values of a field."""
        source = rule.readings[0].locators[0].source
        left = self._left(source if source.startswith("@") else "text")
        known = self._contract.shapes.get(rule.name, ())
        return [
            sum(times for shape, times in one.items() if shape in known) for one in left
        ]

    def _find(self, source: str) -> list[Counter[str]]:
        """Return for each record how many unread texts have each shape (`shape_of`).

        If `source` names an HTML attribute, values of the attribute count instead of
        texts. Texts that occur in most records are left out.
        """
        found = [list(_unread(record, source)) for record in self._records]
        times = Counter(shown for some in found for shown in set(some))
        most = max(1, CHECK.shared * len(found))
        return [
            Counter(shape_of(shown) for shown in some if times[shown] <= most)
            for some in found
        ]


def _unread(record: Found, source: str) -> Iterator[str]:
    """Yield the texts of a record that no field reads.

    If `source` names an HTML attribute, yield the values of the attribute instead.
    """
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
            if node not in taken and (value := collapse(node.get(name, ""))):
                yield value
