"""What a wrapper does without: what reads nothing, and columns that come out wrong."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from amber_wrap.analysis.extraction_typing import AreaTyping
from amber_wrap.annotate.examples import Example
from amber_wrap.columns.duplicates import spaced_words
from amber_wrap.columns.naming import is_numbered
from amber_wrap.contract.verification import typed_values
from amber_wrap.domain.pattern_file import closure
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import interpret
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.selectors.area_groups import Typed
from amber_wrap.values.typed import ITEM_END
from amber_wrap.wrapper.ir import AreaRule, Wrapper

RELIABLE = 0.9
"""The share of a field's values that must come out as they are."""
_MOST = 2
"""So many times the right values of a column are another column."""
_MOST_TOLD = 5
"""Columns left out that are named."""
RECORDS = ""
GIVEN, ELSEWHERE, WANTED, RIGHT = "given", "elsewhere", "wanted", "right"
REPEATED = "repeated"
SAME, WITHIN = "same as ", "within "
"""With the name of another field."""


def pruned(
    wrapper: Wrapper, typed: Sequence[Typed], columns: Collection[str]
) -> tuple[Wrapper, tuple[Typed, ...], tuple[Diagnostic, ...]]:
    """The wrapper without areas and fields that have no value on any sample, nor those
    of the `columns` of whose values most are not as the typings say.

    What an expression reads in all records may be more of one kind than what stands at
    one place in them: a column that comes out otherwise here and there is kept, unless
    other fields say what it says, all of it, or as a part and it is called by a number.
    With it the typings without the columns that are not, and what was left out.
    """
    if len(wrapper.areas) == 1 and not columns:
        return wrapper, tuple(typed), ()  # Nothing takes its records or places.
    counts = _counts(wrapper, typed)

    names = {one.name for area in wrapper.areas for one in area.fields}
    addresses = {name for name, kind in wrapper.fields if kind is ValueKind.URL}

    def is_read(area: AreaRule, name: str) -> bool:
        count = counts[area.name, name]
        is_right = count[RIGHT] >= RELIABLE * count[WANTED]
        is_alone = count[GIVEN] - count[ELSEWHERE] <= _MOST * count[RIGHT]
        is_new = is_right or count[REPEATED] < RELIABLE * count[GIVEN]
        return count[GIVEN] > 0 and (name not in columns or (is_alone and is_new))

    def is_new(area: AreaRule, name: str) -> bool:
        count, others = counts[area.name, name], [one.name for one in area.fields]
        is_named = not is_numbered(name, names)
        how = SAME if is_named else WITHIN
        said = max(
            (
                count[how + one]
                for one in (others[: others.index(name)] if is_named else others)
                if one not in (name, *addresses) and is_read(area, one)
            ),
            default=0,
        )
        return name not in columns or said < RELIABLE * count[GIVEN]

    def is_kept(area: AreaRule, name: str) -> bool:
        return is_read(area, name) and is_new(area, name)

    areas = [
        replace(
            area, fields=tuple(one for one in area.fields if is_kept(area, one.name))
        )
        for area in wrapper.areas
        if counts[area.name, RECORDS][GIVEN]
    ] or wrapper.areas
    read = {one.name for area in areas for one in area.fields}
    left = {name for name in columns if name not in read}
    kept = tuple(one for one in wrapper.fields if one[0] not in left)
    used = frozenset[str]().union(*(area.patterns for area in areas))
    patterns = closure(used, dict(wrapper.patterns)).items()
    told = ", ".join([*sorted(left)[:_MOST_TOLD], *["..."][: len(left) - _MOST_TOLD]])
    message = (
        f"{len(left)} column{'s' * (len(left) > 1)} left out that no expression reads "
        f"as the page shows them ({told}): a second sample may help"
    )
    return (
        replace(wrapper, fields=kept, patterns=tuple(patterns), areas=tuple(areas)),
        tuple(_without(one, left) for one in typed),
        (Diagnostic("info", "columns-left-out", message),) if left else (),
    )


def check_wishes(
    wrapper: Wrapper, typed: Sequence[Typed], examples: Sequence[Example]
) -> None:
    """Raise a SelectionError if what was asked for by examples comes out wrong."""
    if not examples:
        return
    pairs = list(_pairs(wrapper, typed))
    for example in examples:
        name = example.name
        read = [(wanted.get(name), given.get(name)) for wanted, given in pairs]
        own = [given for wanted, given in read if wanted == example.text]
        wanted = sum(one is not None for one, _ in read)
        right = sum(one == given is not None for one, given in read)
        wrong = [given for one, given in read if given is not None and one != given]
        is_missed = own.count(example.text) < RELIABLE * len(own)
        is_other = right < RELIABLE * wanted or len(wrong) > (1 - RELIABLE) * wanted
        if is_missed or is_other:
            missed = [one for one in own if one and one != example.text]
            where = "; in its own record" if missed else "; in one"
            such = f"{where} {(missed or wrong)[0]!r}" if wrong else ""
            raise SelectionError(
                f"{example}: no expression tells its like from what else records show: "
                f"{right} of {wanted} values would come out right, and {len(wrong)} "
                f"that are none{such}; a second sample may help, or to point at what "
                "is alike with --within"
            )


def _pairs(
    wrapper: Wrapper, typed: Sequence[Typed]
) -> Iterator[tuple[Mapping[str, str], Mapping[str, str]]]:
    """Of each record of the typings that a wrapper finds the values by field, as they
    are wanted and as they are read."""
    for one in typed:
        wanted = typed_values(one.typing)
        for record in interpret(wrapper, one.page):
            if record.rows[0] in wanted:
                given = {name: value.text for name, value in record.values.items()}
                yield wanted[record.rows[0]], given


def _counts(
    wrapper: Wrapper, typed: Sequence[Typed]
) -> Mapping[tuple[str, str], Counter[str]]:
    """The values on the samples by area and field, "" for the records: given, of these
    in no record of the typings, part of what a field before says, wanted by these, and
    right; and how often another field says the same, or more."""
    counts: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for one in typed:
        wanted = typed_values(one.typing)
        for record in interpret(wrapper, one.page):
            counts[record.area, RECORDS][GIVEN] += 1
            expected = wanted.get(record.rows[0])
            shown = {name: one.text for name, one in record.values.items()}
            said = ""
            for name, text in shown.items():
                here = counts[record.area, name]
                here[GIVEN] += 1
                here[ELSEWHERE] += expected is None
                here[REPEATED] += f" {text} " in said
                said += f" {text} {ITEM_END}"
                here.update(_repeated(name, shown))
            for name, text in (expected or {}).items():
                found = record.values.get(name)
                counts[record.area, name][WANTED] += 1
                counts[record.area, name][RIGHT] += bool(found and found.text == text)
    return counts


def _repeated(name: str, shown: Mapping[str, str]) -> Iterator[str]:
    """How other fields of a record say what one does, with their names."""
    text = spaced_words(shown[name])
    for other, one in shown.items():
        whole = spaced_words(one)
        if text in whole:
            yield WITHIN + other
        if text == whole:
            yield SAME + other


def _without(typed: Typed, names: Collection[str]) -> Typed:
    """The typing without attributes of some types."""

    def kept(area: AreaTyping) -> AreaTyping:
        found = tuple(
            tuple(one for one in attributes if one.type not in names)
            for attributes in area.attributes
        )
        return replace(area, attributes=found)

    areas = tuple(map(kept, typed.typing.areas))
    return replace(typed, typing=replace(typed.typing, areas=areas))
