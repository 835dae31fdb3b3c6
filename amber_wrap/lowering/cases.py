"""Make the test cases for each field of the generated file.

A case has the texts that an expression selects in a record of a sample, and the value
that the interpreter reads there.
"""

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
from amber_wrap.lowering.thresholds import LOWERING
from amber_wrap.values.patterns import compose
from amber_wrap.wrapper.ir import PINNED, FieldReading, Wrapper


@dataclass(frozen=True, slots=True)
class Case:
    """The texts that an expression selects in one record, and the value to extract from
    them.

    `shown` is the displayed value, and `matched` is the value with the signs and words
    recognised around it; both are "" if the record has no value. `form` is the value's
    normal form, one element for each key of the field; it is empty without a value.
    """

    texts: tuple[str, ...]
    shown: str
    matched: str
    form: NormalForm

    @property
    def text(self) -> str:
        """The first of the selected texts that contains `matched`, "" if none does."""
        return next((one for one in self.texts if self.matched in one), "")


OWN = "/text()"
"""The end of an expression for the texts that are children of an element."""
Expressions = tuple[tuple[str, tuple[Case, ...]], ...]
"""Pairs of an expression and its cases, one case for each record; the most direct
expression is first.
"""


@dataclass(frozen=True, slots=True)
class LocatorCase:
    """A locator, its expressions, and the cases that these expressions must reproduce.

    `left` has cases only for the records in which no earlier locator of the field finds
    a value; `every` has cases for all records. `pattern` is the locator's regular
    expression, "" for whole texts. If `joins`, the value is all text that stands
    directly in an element, joined. If `pinned`, a person wrote the expression of the
    locator, and the expression isn't tested.
    """

    left: Expressions
    every: Expressions
    pattern: str = ""
    joins: bool = False
    pinned: bool = False

    @property
    def alone(self) -> LocatorCase:
        """The locator as the only one of its field: `left` has cases for all records,
        too.
        """
        return replace(self, left=self.every)


class Cases:
    """A maker of the cases of a wrapper's fields.

    `text` is the helper by which the generated file reads the text of an element;
    `shown` is the text of all samples, joined.
    """

    def __init__(self, wrapper: Wrapper, helpers: ModuleType, shown: str) -> None:
        self._patterns, self._shown = dict(wrapper.patterns), shown
        self._reader = ValueReader(PatternCache(self._patterns))
        self._kinds, self._conventions = dict(wrapper.fields), conventions(wrapper)
        self.text: Callable[..., str] = helpers.text

    def ways(
        self, name: str, reading: FieldReading, records: Sequence[Found]
    ) -> list[LocatorCase]:
        """Return a `LocatorCase` for each locator of a reading of field `name`, with
        cases from the given records.
        """
        rows = [record.rows for record in records]
        columns = [self._reader.column([one], rows) for one in reading.locators]
        normal_form = normal_form_of(self._kinds[name], self._conventions.get(name))

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
        """Return a pattern of the wrapper, without the terms in scripts that no sample
        contains.
        """
        return in_scripts(plain(compose(name, self._patterns)), self._shown)

    def texts(self, path: str, row: Node, joins: bool) -> tuple[str, ...]:
        """Return the texts that an expression selects in a row, cleaned as the
        generated file does.

        If `joins`, the texts that stand directly in an element become one text, as in
        the helper `own`.
        """
        if joins and path.endswith(OWN):
            elements = xpath(path.removesuffix(OWN))(row)
            own = (map(str, xpath("text()")(one)) for one in elements)
            return tuple(self.text(" ".join(some)) for some in own)
        return tuple(map(self.text, xpath(path)(row)))

    def is_spare(
        self, name: str, reading: FieldReading, records: Sequence[Found]
    ) -> bool:
        """Return whether a reading may be the second reading of a field.

        Two conditions must hold on the given records. First, the reading finds no value
        in records where the first reading finds none. Second, at least
        `LOWERING.regular` of the records have a value, or the reading finds the same
        nodes as the first reading by a feature other than position. A position may
        select another element on the next page.
        """
        values = [record.values.get(name) for record in records]
        column = self._reader.column(reading.locators, [one.rows for one in records])
        pairs = list(zip(values, column, strict=True))
        if any(other and not one for one, other in pairs):
            return False
        there = [(one, other) for one, other in pairs if one]
        if len(there) >= LOWERING.regular * len(pairs):
            return True
        is_same = all(other and one.node is other.node for one, other in there)
        return is_same and basis(reading.family) != "movable"


def tags_in(records: Iterable[Found], reading: FieldReading) -> Iterator[str]:
    """Yield the tags of all descendants of the elements that a reading selects in the
    records.
    """
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
    """Return whether two functions give the same text for each element a reading
    selects.

    `text` and `full` are the functions from an element to its text.
    """
    return all(
        text(node) == text(full(node))
        for record in records
        for locator in reading.locators
        if locator.row < len(record.rows)
        for node in xpath(str(locator.xpath))(record.rows[locator.row])
    )
