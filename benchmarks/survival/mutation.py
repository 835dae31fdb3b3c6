"""Change pages at random, as sites change, and note what known records then display.

There are twelve sorts of change (operators). In the scope "template", all elements with
the same path of tags and classes change alike, as when a site changes its template. In
the scope "element", single elements and texts change, as when a site is inconsistent.
At least one element, class name or text changes.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from operators import OPERATORS
from operators.draft import ANY_FIELD, Change, Draft, squeezed, write_html
from operators.located import LocatedPage, spaced, uncut

from examples import Row, Rows


class Specimen(LocatedPage):
    """A page with known records, from which changed copies are made."""

    def mutate(
        self, operator: str, rate: float, scope: str, seed: int
    ) -> Mutation | None:
        """Return a changed copy of the page, the same for the same arguments.

        Return None if the page has nothing that the operator can change. With rate 0,
        nothing is changed.
        """
        rng = Random(f"{operator}/{rate}/{scope}/{seed}/{self.name}")
        draft = Draft(self, rng, rate, scope)
        OPERATORS[operator](draft)
        if rate > 0 and not draft.is_changed:
            return None
        changes = tuple(dict.fromkeys(draft.changes))
        gold = tuple(record.given for record in self.records)
        return Mutation(write_html(draft.root), changes, gold, self.urls, draft.rest)


@dataclass(frozen=True, slots=True)
class Mutation:
    """A changed page in UTF-8, and the changes of its displayed values.

    `gold` are the known values of the page's records, in document order. `urls` are the
    types whose values are URLs. `rest` has, by the record's number, the text that a
    record still displays after it lost a value.
    """

    html: bytes
    changes: tuple[Change, ...]
    gold: tuple[Mapping[str, str], ...]
    urls: frozenset[str] = frozenset()
    rest: Mapping[int, str] = field(default_factory=dict)

    def expected(self, rows: Rows) -> list[Row]:
        """Return the records that a system should read on the changed page.

        `rows` are the records that it read before the change.
        """
        expected_rows = [dict(row) for row in rows]
        # Those of a single field first, so that those of any field find new values.
        changes = sorted(self.changes, key=lambda one: one.field == ANY_FIELD)
        rank_of = {it: self._rank(it, rows) for it in {one.record for one in changes}}
        for change in changes:
            rank = rank_of[change.record]
            row = {} if rank is None else expected_rows[rank]
            for name in [change.field] if change.field else list(row):
                value = row.get(name)
                is_gold = not change.field and self._is_gold(change.record, name, value)
                if value is not None and not is_gold:
                    row[name] = self._changed(name, value, change)
        return expected_rows

    def _rank(self, record: int, rows: Rows) -> int | None:
        """Return the index in `rows` of the known record with the number `record`.

        Return None if no row has a value of this record.
        """

        def shared(rank: int) -> int:
            values = ((rows[rank].get(name) or "", it) for name, it in gold.items())
            return sum(either_contains(*pair) for pair in values)

        gold = self.gold[record]
        if len(rows) == len(self.gold) and shared(record):
            return record
        best = max(
            range(len(rows)),
            key=lambda rank: (shared(rank), -abs(rank - record)),
            default=None,
        )
        return best if best is not None and shared(best) else None

    def _is_gold(self, record: int, name: str, value: str | None) -> bool:
        """Return whether a value is the known value of a type in a record."""
        gold_value = self.gold[record].get(name)
        return bool(gold_value and value) and squeezed(gold_value) == squeezed(value)

    def _changed(self, name: str, value: str, change: Change) -> str | None:
        """Return the value of a type after a change of the text in its record.

        Return None if the value isn't displayed any more.
        """
        if change.new is None:
            if change.field:
                return None if either_contains(value, change.old) else value
            text, rest = squeezed(value), self.rest[change.record]
            is_gone = text in squeezed(change.old) and text not in rest
            return None if is_gone else value
        if name in self.urls:
            return value
        return replaced(value, change.old, change.new)


def either_contains(value: str, other_value: str) -> bool:
    """Return whether one value contains the other, without cutting words or numbers."""
    shorter, longer = sorted((value, other_value), key=len)
    pattern = uncut(spaced(shorter))
    return bool(shorter.strip() and re.search(pattern, longer, re.IGNORECASE))


def replaced(value: str, old: str, new: str) -> str:
    """Return a value in which the text `old` is replaced by `new`.

    Case and white space don't matter for finding `old`. A part of a word isn't
    replaced.
    """
    words = rf"(?<![^\W\d_]){spaced(old)}(?![^\W\d_])"
    return re.sub(words, lambda _: new, value, flags=re.IGNORECASE)
