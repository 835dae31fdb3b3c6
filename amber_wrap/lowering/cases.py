"""What a wrapper reads on its samples: the cases that a lowered field must agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.page import OWN_TEXT
from amber_wrap.domain.normal_form import Form
from amber_wrap.engine.ensemble import Found
from amber_wrap.engine.interpret import Patterns, conventions, form_of
from amber_wrap.engine.reading import Reader, Value
from amber_wrap.lowering.paths import value_paths
from amber_wrap.values.patterns import compose
from amber_wrap.wrapper.ir import Reading, Wrapper


@dataclass(frozen=True, slots=True)
class Case:
    """One record: the `texts` of what is selected in it, and the value to be read.

    `shown` is the displayed value and `matched` all that was recognised around it, both
    "" where the record has none; `form` is the value's normal form, key by key.
    """

    texts: tuple[str, ...]
    shown: str
    matched: str
    form: Form

    @property
    def text(self) -> str:
        """The text that the value stands in."""
        return next((one for one in self.texts if self.matched in one), "")


Expressions = tuple[tuple[str, tuple[Case, ...]], ...]
"""Expressions, the most direct first, with what each selects in all records."""


@dataclass(frozen=True, slots=True)
class Way:
    """A locator that may be lowered, and the pattern that it reads values through, "".

    `left` are the cases that no locator before it has a value of, `every` those of all
    records.  If it `joins`, the value is all that stands directly in an element.
    """

    left: Expressions
    every: Expressions
    pattern: str = ""
    joins: bool = False

    @property
    def alone(self) -> Way:
        """The same as the only locator: it has to be right in all records."""
        return replace(self, left=self.every)


class Cases:
    """Makes the cases of a wrapper's fields; `helpers` read texts as the file will."""

    def __init__(self, wrapper: Wrapper, helpers: ModuleType) -> None:
        self._patterns = dict(wrapper.patterns)
        self._reader = Reader(Patterns(self._patterns))
        self._kinds, self._told = dict(wrapper.fields), conventions(wrapper)
        self._text: Callable[..., str] = helpers.text

    def ways(self, name: str, reading: Reading, records: Sequence[Found]) -> list[Way]:
        """The locators of a reading, with what the records show of a field."""
        rows = [record.rows for record in records]
        columns = [self._reader.column([one], rows) for one in reading.locators]
        normal_form = form_of(self._kinds[name], self._told.get(name))

        def case(path: str, record: Found, value: Value | None) -> Case:
            texts = tuple(map(self._text, xpath(path)(record.rows[0])))
            shown, matched = (value.shown, value.matched) if value else ("", "")
            return Case(
                texts, shown, matched, normal_form(shown, matched, "") if value else ()
            )

        found = []
        last = len(reading.locators) - 1
        for at, locator in enumerate(reading.locators):
            paths = list(value_paths(locator))
            taken = [any(one[i] for one in columns[:at]) for i in range(len(records))]
            left = tuple(
                (
                    path,
                    tuple(
                        case(
                            path,
                            record,
                            record.values.get(name)
                            if columns[at][i] or at == last
                            else None,
                        )
                        for i, record in enumerate(records)
                        if not taken[i]
                    ),
                )
                for path in paths
            )
            every = tuple(
                (path, tuple(case(path, one, one.values.get(name)) for one in records))
                for path in paths
            )
            named = locator.pattern
            pattern = compose(named, self._patterns) if named else ""
            joins = locator.source == OWN_TEXT and not pattern
            found.append(Way(left, every, pattern, joins))
        return found

    def invents(self, name: str, reading: Reading, records: Sequence[Found]) -> bool:
        """Whether a reading has values for records that have none."""
        lacking = [record.rows for record in records if name not in record.values]
        return any(self._reader.column(reading.locators, lacking))


def same_texts(
    records: Iterable[Found],
    reading: Reading,
    text: Callable[[Node], str],
    full: Callable[[Node], str],
) -> bool:
    """Whether two ways to read elements agree on all that a reading selects."""
    return all(
        text(node) == full(node)
        for record in records
        for locator in reading.locators
        if locator.row < len(record.rows)
        for node in xpath(str(locator.xpath))(record.rows[locator.row])
    )
