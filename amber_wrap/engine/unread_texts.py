"""Find texts of records that no column of a wrapper reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from amber_wrap.cache import cached_method
from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.engine.confidence import wilson_interval
from amber_wrap.engine.record_reading import FoundRecord
from amber_wrap.engine.thresholds import CHECK
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.ir import Contract, FieldRule


class UnreadTexts:
    """The texts and HTML attributes in the records of a list that no field reads."""

    def __init__(self, contract: Contract, records: Sequence[FoundRecord]) -> None:
        self._contract = contract
        self._records = records
        self._shape_counts = cached_method(self._count_shapes)

    def lost(self, rule: FieldRule) -> frozenset[int]:
        """Return the indexes of the records that seem to have lost the value of a
        field.

        A record without a value has lost it if unusually many texts in the record look
        like values of the field, although no field reads them.
        """
        name = rule.name
        indexes = range(len(self._records))
        lacking = frozenset(i for i in indexes if name not in self._records[i].values)
        filled = len(indexes) - len(lacking)
        is_rare = filled < self._contract.least_fill.get(name, 1.0) * len(indexes)
        if not lacking or (is_rare and name in self._contract.recognised):
            return lacking
        usual_count = self._contract.unread.get(name, 0.0) + 0.5
        unread_counts = self.count_value_like(rule)
        with_more = {i for i in indexes if unread_counts[i] > usual_count}
        lost = lacking & with_more
        # Unread texts that records with a value have as often aren't lost values.
        share_of_filled = 0.0
        if filled:
            _, share_of_filled = wilson_interval(len(with_more) - len(lost), filled)
        is_usual = len(lost) / len(lacking) <= round(share_of_filled, 6)
        return frozenset() if is_usual else lost

    def count_value_like(self, rule: FieldRule) -> list[int]:
        """Return, for each record, the number of texts that look like values of a
        field, but that no field reads.

        Such a text has the shape of a value on the sample pages, such as "number 4".
        """
        source = rule.readings[0].locators[0].source
        source_or_text = source if source.startswith("@") else "text"
        known_shapes = self._contract.shapes.get(rule.name, ())
        return [
            sum(count for shape, count in counts.items() if shape in known_shapes)
            for counts in self._shape_counts(source_or_text)
        ]

    def _count_shapes(self, source: str) -> list[Counter[str]]:
        """Return, for each record, the number of texts of each shape that no field
        reads.

        An example of a shape is "number 4". Texts that occur in most records are left
        out.
        """
        texts_of_records = [list(_unread(record, source)) for record in self._records]
        records_with = Counter(
            text for texts in texts_of_records for text in set(texts)
        )
        most = max(1, CHECK.label_share * len(texts_of_records))
        return [
            Counter(shape_of(text) for text in texts if records_with[text] <= most)
            for texts in texts_of_records
        ]


def _unread(record: FoundRecord, source: str) -> Iterator[str]:
    """Yield the texts of a record that no field reads.

    If `source` is an HTML attribute such as `@href`, yield its values instead.
    """
    attribute = source[1:] if source.startswith("@") else ""
    read_nodes = {
        value.node
        for value in record.values.values()
        if not attribute or value.source == source
    }
    stack = [row for row in record.rows if row not in read_nodes or attribute]
    while stack:
        node = stack.pop()
        if not isinstance(node.tag, str) or is_hidden(node):
            continue
        if attribute:
            stack += node
            text = collapse(node.get(attribute, ""))
            if text and node not in read_nodes:
                yield text
        else:
            stack += [child for child in node if child not in read_nodes]
            for text_or_none in (node.text, *(child.tail for child in node)):
                if text := collapse(text_or_none or ""):
                    yield text
