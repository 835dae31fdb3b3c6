"""The simplest expression, regular expression and conversion for each field."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from amber_wrap.domain.schema import DERIVED_KEYS, FIGURES, ValueKind
from amber_wrap.lowering.cases import Case, Way
from amber_wrap.lowering.dates import NO_DATES, Calendar, calendar_of
from amber_wrap.lowering.figures import (
    FIGURE_PATTERNS,
    SIGN_AFTER,
    SIGN_BEFORE,
    USUAL_CURRENCIES,
    number_patterns,
)
from amber_wrap.lowering.helpers import helpers
from amber_wrap.lowering.program import Column, Derived, Read
from amber_wrap.lowering.terms import plain, shape_pattern
from amber_wrap.values.typed import find_figure, sign_of

SHORT, LONG = 700, 5000
"""Characters of a pattern that is copied as it is: gladly, and if nothing else fits."""
SCALES = (1, 1000, 10_000, 10**6)
CONVERSIONS: dict[ValueKind, tuple[str, ...]] = {
    ValueKind.MONEY: ("number",),
    ValueKind.NUMBER: ("number", "decimal"),
    ValueKind.QUANTITY: ("number", "decimal"),
    ValueKind.COUNT: ("count",),
    ValueKind.YEAR: ("count",),
    ValueKind.URL: ("link",),
    ValueKind.TEXT: ("",),
    ValueKind.DATE: ("", "date"),
    ValueKind.TEXTS: ("texts",),
}


@dataclass(frozen=True, slots=True)
class Conversion:
    """A helper by name, "" for none, and what a number is multiplied by."""

    helper: str
    scale: int = 1
    calendar: Calendar = NO_DATES

    def __call__(self, texts: Sequence[str], pattern: str) -> object:
        """The value that a generated file makes of the texts."""
        if self.helper == "texts":
            return [one for one in texts if taken([one], "")] or None
        if self.helper == "joined":
            return taken([" ".join(filter(None, texts))], "")
        found = taken(texts, pattern)
        if self.helper in ("", "link"):
            return found
        if self.helper == "date":
            return self.calendar.date(found)
        given = (found,) if self.scale == 1 else (found, self.scale)
        return getattr(helpers(), self.helper)(*given)


def taken(texts: Iterable[str], pattern: str) -> str | None:
    """What `find` of a generated file gives of these texts."""
    ways, seen = [["", pattern or helpers().TEXT]], {"": list(texts)}
    found: str | None = helpers().find(None, ways, seen)
    return found


def lower_field(name: str, kind: ValueKind, ways: Sequence[Way]) -> Column | None:
    """The column that gives what the interpreter gives in all cases, if there is one.

    One way that is right in all records goes before several.
    """
    alone = [[one.alone] for one in ways]
    for some in (*(alone if len(ways) > 1 else ()), ways):
        for convert in conversions(kind, some):
            reads = []
            for way in some:
                read = lower_way(kind, way, convert)
                if read is None:
                    break
                reads.append(read)
            else:
                derived = list(derive(name, kind, reads, some))
                found = [one for one in derived if one is not None]
                if len(found) == len(derived):
                    return Column(
                        *(name, kind, tuple(reads), convert.helper, convert.scale),
                        *(tuple(found), convert.calendar),
                    )
    return None


def conversions(kind: ValueKind, ways: Iterable[Way]) -> Iterator[Conversion]:
    """Conversions of a kind, the simplest first."""
    if kind is ValueKind.TEXT and any(way.joins for way in ways):
        yield Conversion("joined")
    for helper in CONVERSIONS[kind]:
        if helper == "date":
            cases = [case for way in ways for case in way.left[0][1]]
            yield Conversion(helper, calendar=calendar_of(cases))
        else:
            for scale in SCALES if helper == "number" else (1,):
                yield Conversion(helper, scale)


def lower_way(kind: ValueKind, way: Way, convert: Conversion) -> Read | None:
    """The simplest expression and pattern that agree with all cases."""
    for path, cases in way.left:
        if (convert.helper == "joined") != path.endswith("/text()"):
            continue
        for pattern in proposals(kind, way.pattern, cases):
            if agrees(pattern, cases, convert):
                return Read(path, pattern)
    return None


def proposals(kind: ValueKind, full: str, cases: Sequence[Case]) -> Iterator[str]:
    """Patterns that may find the values, the simplest first."""
    full = plain(full)
    if kind in FIGURES:
        yield from number_patterns(cases, kind)
    if not full or kind not in FIGURES:
        yield ""
    if full and len(full) <= SHORT:
        yield full
    shape = shape_pattern(cases) if full else ""
    if shape and kind is ValueKind.DATE:
        yield shape
    if full and len(full) <= LONG:
        yield full
    if shape:
        yield shape


def agrees(pattern: str, cases: Iterable[Case], convert: Conversion) -> bool:
    """Whether a pattern and a conversion give the value of each case."""
    for case in cases:
        try:
            value = convert(case.texts, pattern)
        except ValueError:
            return False
        if value != (case.form[0] if case.form else None):
            return False
    return True


def derive(
    name: str, kind: ValueKind, reads: Sequence[Read], ways: Sequence[Way]
) -> Iterator[Derived | None]:
    """The other keys of a field that have values; None for one that isn't found."""
    for at, suffix in enumerate(DERIVED_KEYS.get(kind, ()), 1):
        cases = [
            (case, case.form[at] if case.form and case.form[0] is not None else None)
            for way, read in zip(ways, reads, strict=True)
            for case in dict(way.left)[read.xpath]
        ]
        valued = [one for one in cases if one[0].form and one[0].form[0] is not None]
        meanings = {meaning for _, meaning in valued}
        if meanings <= {None}:
            continue
        key = f"{name}_{suffix}"
        is_one = len(meanings) == 1 and suffix != "period"
        is_any = suffix == "currency" and any(
            sign in reads[0].pattern for sign in (SIGN_BEFORE, SIGN_AFTER)
        )
        signs = {
            sign_in(case, kind, suffix): str(meaning)
            for case, meaning in valued
            if meaning is not None
        }
        if is_any:
            signs = USUAL_CURRENCIES | signs
        looked_up = None
        if len(reads) == 1 and (is_any or not is_one):
            looked_up = look_up(key, signs, cases) or look_up(key, signs, valued, True)
        constant = Derived(key, (("", str(meanings.pop())),)) if is_one else None
        yield looked_up or constant


def look_up(
    key: str,
    signs: Mapping[str, str],
    cases: Sequence[tuple[Case, object]],
    needs_value: bool = False,
) -> Derived | None:
    """The key that is told by a sign in the text, if that is right in all cases.

    Those may be the ones with a value only, then it goes with that.
    """
    listed = "|".join(map(re.escape, sorted(signs, key=lambda s: (-len(s), s))))
    listed = listed.replace(r"\ ", " ")
    if len(signs) > 1 and all(len(one) == 1 for one in signs):
        listed = f"[{''.join(sorted(signs))}]"
    for pattern in (listed, rf"\d ?({listed})", rf"\d.{{0,4}}?({listed})"):
        if all(
            signs.get(taken(case.texts, pattern) or "") == meaning
            for case, meaning in cases
        ):
            return Derived(key, tuple(sorted(signs.items())), pattern, needs_value)
    return None


def sign_in(case: Case, kind: ValueKind, suffix: str) -> str:
    """The currency or unit sign of a value, or the words that say what it is paid
    for."""
    found = find_figure(FIGURE_PATTERNS[kind], case.matched)
    if found is None:
        return ""
    if suffix != "period":
        return sign_of(found[0]) or sign_of(found[1])
    return case.matched[found[0].end() :].strip(" (")
