"""What a wrapper reads on its samples: the cases that a lowered field must agree on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import ModuleType

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.page import OWN_TEXT
from amber_wrap.domain.normal_form import NormalForm
from amber_wrap.engine.ensemble import Found, basis
from amber_wrap.engine.interpret import PatternCache, conventions, normal_form_of
from amber_wrap.engine.reading import ReadValue, ValueReader
from amber_wrap.lowering.paths import value_paths
from amber_wrap.lowering.patterns import in_scripts, plain
from amber_wrap.values.patterns import compose
from amber_wrap.wrapper.ir import PINNED, FieldReading, Wrapper


@dataclass(frozen=True, slots=True)
class Case:
    """One record: the `texts` of what is selected in it, and the value to be read.

    `shown` is the displayed value and `matched` all that was recognised around it, both
    "" where the record has none; `form` is the value's normal form, key by key.
    """

    texts: tuple[str, ...]
    shown: str
    matched: str
    form: NormalForm

    @property
    def text(self) -> str:
        """The text that the value stands in."""
        return next((one for one in self.texts if self.matched in one), "")


OWN = "/text()"
"""The end of an expression for what stands directly in elements."""
_REGULAR = 0.9
"""The share of the records that have a field which hardly any lacks."""
Expressions = tuple[tuple[str, tuple[Case, ...]], ...]
"""Expressions, the most direct first, with what each selects in all records."""


@dataclass(frozen=True, slots=True)
class LocatorCase:
    """A locator that may be lowered, and the pattern that it reads values through, "".

    `left` are the cases that no locator before it has a value of, `every` those of all
    records.  If it `joins`, the value is all that stands directly in an element; if it
    is `pinned`, a person wrote it, and it is taken as it is.
    """

    left: Expressions
    every: Expressions
    pattern: str = ""
    joins: bool = False
    pinned: bool = False

    @property
    def alone(self) -> LocatorCase:
        """The same as the only locator: it has to be right in all records."""
        return replace(self, left=self.every)


class Cases:
    """Makes the cases of a wrapper's fields; `text` reads elements as the file will,
    `shown` is all text of the samples."""

    def __init__(self, wrapper: Wrapper, helpers: ModuleType, shown: str) -> None:
        self._patterns, self._shown = dict(wrapper.patterns), shown
        self._reader = ValueReader(PatternCache(self._patterns))
        self._kinds, self._told = dict(wrapper.fields), conventions(wrapper)
        self.text: Callable[..., str] = helpers.text

    def ways(
        self, name: str, reading: FieldReading, records: Sequence[Found]
    ) -> list[LocatorCase]:
        """Return the locators of a reading, with what the records show of a field."""
        rows = [record.rows for record in records]
        columns = [self._reader.column([one], rows) for one in reading.locators]
        normal_form = normal_form_of(self._kinds[name], self._told.get(name))

        def case(
            path: str, record: Found, value: ReadValue | None, joins: bool
        ) -> Case:
            texts = self.texts(path, record.rows[0], joins)
            shown, matched = (value.shown, value.matched) if value else ("", "")
            return Case(
                texts, shown, matched, normal_form(shown, matched, "") if value else ()
            )

        found = []
        last = len(reading.locators) - 1
        for at, locator in enumerate(reading.locators):
            named = locator.pattern
            pattern = self.pattern(named) if named else ""
            joins = locator.source == OWN_TEXT and not pattern
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
                            joins,
                        )
                        for i, record in enumerate(records)
                        if not taken[i]
                    ),
                )
                for path in paths
            )
            every = tuple(
                (
                    path,
                    tuple(
                        case(path, one, one.values.get(name), joins) for one in records
                    ),
                )
                for path in paths
            )
            pinned = (named or reading.family).startswith(PINNED)
            found.append(LocatorCase(left, every, pattern, joins, pinned))
        return found

    def pattern(self, name: str) -> str:
        """Return a pattern of the wrapper in the scripts of its samples."""
        return in_scripts(plain(compose(name, self._patterns)), self._shown)

    def texts(self, path: str, row: Node, joins: bool) -> tuple[str, ...]:
        """Return what is selected in a row, as the file reads it; where it `joins`,
        the own texts of each element, as its helper `own` does.
        """
        if joins and path.endswith(OWN):
            elements = xpath(path.removesuffix(OWN))(row)
            own = (map(str, xpath("text()")(one)) for one in elements)
            return tuple(self.text(" ".join(some)) for some in own)
        return tuple(map(self.text, xpath(path)(row)))

    def is_spare(
        self, name: str, reading: FieldReading, records: Sequence[Found]
    ) -> bool:
        """Return whether a reading may stand in where the first has no value.

        It invents none; of a field that many records lack, it reads the same elements,
        by marks of theirs: on the next page, other elements may say such a thing.
        """
        values = [record.values.get(name) for record in records]
        column = self._reader.column(reading.locators, [one.rows for one in records])
        pairs = list(zip(values, column, strict=True))
        if any(other and not one for one, other in pairs):
            return False
        there = [(one, other) for one, other in pairs if one]
        if len(there) >= _REGULAR * len(pairs):
            return True
        is_same = all(other and one.node is other.node for one, other in there)
        return is_same and basis(reading.family) != "movable"


def tags_in(records: Iterable[Found], reading: FieldReading) -> Iterator[str]:
    """Yield the tags of what elements hold that a reading selects."""
    for record in records:
        for locator in reading.locators:
            if locator.row < len(record.rows):
                for node in xpath(str(locator.xpath))(record.rows[locator.row]):
                    yield from (one.tag for one in node.iterdescendants("*"))


def same_texts(
    records: Iterable[Found],
    reading: FieldReading,
    text: Callable[[Node | str], str],
    full: Callable[[Node], str],
) -> bool:
    """Return whether two ways to read elements agree on all that a reading selects."""
    return all(
        text(node) == text(full(node))
        for record in records
        for locator in reading.locators
        if locator.row < len(record.rows)
        for node in xpath(str(locator.xpath))(record.rows[locator.row])
    )
