"""Field rules: from the attributes of one type to the locators that read them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from amber_wrap.analysis.cuts import part_pattern
from amber_wrap.analysis.typing import Attribute
from amber_wrap.dom.page import OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType
from amber_wrap.generalise.candidates import Vocabulary, paths
from amber_wrap.wrapper.interpret import Patterns, read_locator
from amber_wrap.wrapper.ir import FieldRule, Locator, Reading

T = TypeVar("T")

BEYOND = -0.5
"""What a whole text is worth where the typing has none: no list is ever complete, it
may be a value all the same."""
MAX_LOCATORS = 4
"""Locators that a field may have."""
MAX_TRIED = 32
"""Candidates that are tried for a field, those of the most records first."""
MAX_RECORDS = 60
"""Records that candidates are drawn from and tried on."""


@dataclass(frozen=True, slots=True)
class TypedRecord:
    """A record's rows on its page, and its attribute of the type in question."""

    page: Page
    rows: tuple[NodeId, ...]
    attribute: Attribute | None

    @property
    def text(self) -> str | None:
        """The value that a locator should give."""
        return self.attribute.text if self.attribute else None


def field_rule(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    patterns: Patterns,
    vocabulary: Vocabulary,
) -> FieldRule | None:
    """The locators that together read most of the attributes; None without any.

    Greedy: each locator is the one that gets most right and least wrong of the records
    that those before it gave no value for.
    """
    records = spread(records, MAX_RECORDS)
    costs, readers = _candidates(kind, records, patterns, vocabulary)
    values: dict[Locator, list[str | None]] = {}

    def gain(locator: Locator) -> float:
        if locator not in values:
            values[locator] = [_value(locator, patterns, one) for one in records]
        given = values[locator]
        return sum(
            _gain(kind, given[i], records[i].text)
            for i in open_records
            if given[i] is not None
        )

    chosen: list[Locator] = []
    open_records = set(range(len(records)))
    while len(chosen) < MAX_LOCATORS:
        promising = sorted(
            (one for one, read in readers.items() if read & open_records),
            key=lambda one: (-len(readers[one] & open_records), costs[one]),
        )
        # The first, hence the cheapest, of equals.
        tried = sorted(promising[:MAX_TRIED], key=lambda one: costs[one])
        best = max(tried, key=gain, default=None)
        if best is None or gain(best) <= 0:
            break
        chosen.append(best)
        open_records = {i for i in open_records if values[best][i] is None}
    if not chosen:
        return None
    return FieldRule(kind.name, (Reading("class", tuple(chosen)),))


def _gain(kind: AttributeType, given: str | None, typed: str | None) -> float:
    """What a value is worth: 1 if it is right."""
    if given == typed:
        return 1
    return BEYOND if kind.whole and typed is None else -1


def _candidates(
    kind: AttributeType,
    records: Sequence[TypedRecord],
    patterns: Patterns,
    vocabulary: Vocabulary,
) -> tuple[dict[Locator, int], dict[Locator, set[int]]]:
    """Locators of the typed nodes: their costs, and the records that they are of."""
    costs: dict[Locator, int] = {}
    readers: dict[Locator, set[int]] = defaultdict(set)
    for i, record in enumerate(records):
        for locator, cost in dict(
            _locators(kind, record, patterns, vocabulary)
        ).items():
            readers[locator].add(i)
            costs[locator] = min(cost, costs.get(locator, cost))
    return costs, readers


def _locators(
    kind: AttributeType,
    record: TypedRecord,
    patterns: Patterns,
    vocabulary: Vocabulary,
) -> Iterator[tuple[Locator, int]]:
    """The locators of a record's attribute, with their costs."""
    attribute = record.attribute
    if attribute is None or attribute.text is None:
        return
    page, node = record.page, attribute.node
    recogniser = attribute.recogniser
    known = recogniser in patterns and (
        not kind.whole or recogniser == part_pattern(kind.name)
    )
    pattern = recogniser if known else None
    row = next(i for i, top in enumerate(record.rows) if page.contains(top, node))
    sources = [attribute.source]
    if attribute.source == TEXT and any(page.child_elements(node)):
        sources.append(OWN_TEXT)
    for candidate in paths(page, record.rows[row], node, vocabulary):
        for cost, source in enumerate(sources, candidate.cost):
            yield Locator(str(candidate), source, pattern, row), cost


def _value(
    locator: Locator, patterns: Patterns, record: TypedRecord
) -> str | None:
    value = read_locator(locator, patterns, record.page, record.rows)
    return value.text if value else None


def spread(items: Sequence[T], most: int) -> Sequence[T]:
    """At most `most` of the items: half of them the first, the others evenly spread.

    Evenly spread ones alone could miss every second row of a table, say.
    """
    head, rest = items[: most // 2], items[most // 2 :]
    step = max(1, -(-len(rest) // (most - most // 2)))
    return [*head, *rest[::step]]
