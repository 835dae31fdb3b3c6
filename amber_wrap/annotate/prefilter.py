"""Determine what a text must contain for a pattern to match: literals, and digits.

This follows RE2's `FilteredRE2` and Cox, "Regular Expression Matching with a Trigram
Index". Texts and literals are compared case-folded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from amber_wrap.values.regular_expressions import PART

_MOST: Final = 256
"""The greatest number of literals of a pattern.

A pattern with more literals is tried in every text."""
_WIDEST: Final = 32
"""The greatest number of characters of a character class that are listed."""
_COMMON: Final = " .,:/-"
"""Characters that are about as frequent as letters and digits."""
FREQUENT: Final = 1 / 16
"""The frequency of one letter in a text.

A literal with this frequency excludes hardly any text."""
FIRST_PART: Final = 0xF0000
"""The first of the private-use characters that stand for parts of a pattern."""

Literals = frozenset[str]
_EMPTY: Final = Literals({""})


class Needs(NamedTuple):
    """The conditions that a text must fulfil for a pattern to match.

    The text must contain one of `literals`, unless `literals` is None. The text must
    contain a digit if `digit` is true. `exact` has all texts that the pattern matches,
    or is None if the texts can't be listed.
    """

    literals: Literals | None = None
    digit: bool = False
    exact: Literals | None = None


ANYTHING: Final = Needs()
_NOTHING: Final = Needs(exact=_EMPTY)
"""The needs of a pattern that matches only the empty text."""
NEVER: Final = Needs(Literals(), exact=Literals())


def fold(text: str) -> str:
    """Return a text without distinction of case.

    Texts that `re.IGNORECASE` treats as equal give the same result.
    """
    return text.replace("İ", "i").replace("ı", "i").casefold()


def needs(name: str, patterns: Mapping[str, str], known: dict[str, Needs]) -> Needs:
    """Return what a text must contain for the pattern `name` to match.

    The results for the pattern and for all patterns it refers to are stored in `known`.
    """
    if name not in known:
        parts: dict[str, str] = {}

        def placeholder(part: Any) -> str:
            return parts.setdefault(part[1], chr(FIRST_PART + len(parts)))

        template = PART.sub(placeholder, patterns[name])
        known[name] = _of_template(
            template, tuple(needs(part, patterns, known) for part in parts)
        )
    return known[name]


@lru_cache(maxsize=1 << 12)
def _of_template(template: str, parts: tuple[Needs, ...]) -> Needs:
    """Return what a text must contain for a pattern to match.

    `template` is the pattern with a private-use character for each reference to another
    pattern. `parts` are the needs of the other patterns, in the order of the
    characters. The result is cached, because several domains have the same templates.
    """
    by_character = {FIRST_PART + i: one for i, one in enumerate(parts)}
    parsed = _parser.parse(template)
    # The flag would make the blanks in the parts meaningless, too.
    is_verbose = parsed.state.flags & re.VERBOSE
    return ANYTHING if is_verbose else _of_sequence(parsed, by_character)


def _of_sequence(items: Iterable[tuple[Any, Any]], parts: Mapping[int, Needs]) -> Needs:
    """Return what a text must contain to match a sequence of items of a parsed
    pattern.
    """
    run, runs, is_exact, digit = _EMPTY, [], True, False
    found: list[Literals] = []
    for op, value in items:
        one = _of_item(op, value, parts)
        digit |= one.digit
        if one.literals is not None:
            found.append(one.literals)
        is_behind = op is sre.ASSERT and value[0] < 0
        longer = None if is_behind or one.exact is None else _product(run, one.exact)
        if longer is None:
            runs.append(run)
            is_exact, longer = False, one.exact or _EMPTY
        run = longer
    best = _rarest([*found, *runs, run])
    return Needs(best, digit, run if is_exact else None)


def _of_item(op: Any, value: Any, parts: Mapping[int, Needs]) -> Needs:
    """Return what a text must contain to match one item of a parsed pattern."""
    if op is sre.LITERAL:
        return parts.get(value) or _of_character(chr(value))
    if op is sre.IN:
        # The parser turns the branches "{one}|{other}" into a set of two characters.
        if any(member in parts for _, member in value):
            return _of_branches(_of_item(kind, one, parts) for kind, one in value)
        return _of_set(value)
    if op is sre.SUBPATTERN:
        return _of_sequence(value[-1], parts)
    if op is sre.ATOMIC_GROUP:
        return _of_sequence(value, parts)
    if op is sre.BRANCH:
        return _of_branches([_of_sequence(one, parts) for one in value[1]])
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, most, repeated = value
        one = _of_sequence(repeated, parts)
        if least == 0:
            is_exact = most == 1 and one.exact is not None
            return Needs(exact=(one.exact or _EMPTY) | _EMPTY if is_exact else None)
        return one if most == 1 else Needs(one.literals, one.digit)
    if op is sre.ASSERT:
        direction, looked_for = value
        one = _of_sequence(looked_for, parts)
        # A text behind a lookbehind includes it: "(?<=N)SW".
        return Needs(one.literals, one.digit, one.exact if direction < 0 else _EMPTY)
    if op is sre.FAILURE or (op is sre.ASSERT_NOT and not value[1]):
        return NEVER
    return _NOTHING if op in (sre.AT, sre.ASSERT_NOT) else ANYTHING


@lru_cache(maxsize=1 << 10)
def _of_character(one: str) -> Needs:
    return Needs(digit=one.isdecimal(), exact=Literals({fold(one)}))


def _of_set(members: Iterable[tuple[Any, Any]]) -> Needs:
    """Return what a text must contain to match a character class.

    For `[0-9]` that is any digit. For `[ab]` that is "a" or "b".
    """
    characters: set[str] = set()
    for op, value in members:
        if op is sre.LITERAL:
            characters.add(chr(value))
        elif op is sre.RANGE and value[1] - value[0] < _WIDEST:
            characters.update(map(chr, range(value[0], value[1] + 1)))
        elif op is sre.CATEGORY and value is sre.CATEGORY_DIGIT:
            characters.add("0")
        else:
            return ANYTHING
    if all(map(str.isdecimal, characters)):
        return Needs(digit=True)
    if len(characters) > _WIDEST or any(map(str.isdecimal, characters)):
        return ANYTHING
    return Needs(exact=Literals(map(fold, characters)))


def _of_branches(branches: Iterable[Needs]) -> Needs:
    return reduce(
        lambda one, other: Needs(
            _union(one.literals, other.literals),
            one.digit and other.digit,
            _union(one.exact, other.exact),
        ),
        branches,
    )


def _union(one: Literals | None, other: Literals | None) -> Literals | None:
    if one is None or other is None:
        return None
    both = one | other
    return both if len(both) <= _MOST else None


def _product(one: Literals, other: Literals) -> Literals | None:
    """Return each text of `one` followed by each text of `other`, or None if there are
    too many results.
    """
    if len(one) * len(other) > _MOST:
        return None
    return Literals(a + b for a in one for b in other)


def _rarest(found: Iterable[Literals]) -> Literals | None:
    """Return the set of literals that is expected in the fewest texts, or None if each
    set has a frequent literal.
    """
    return min(filter(_is_rare, found), key=_frequency, default=None)


def _is_rare(literals: Literals) -> bool:
    """Return whether each literal is rarer in texts than a single letter."""
    return max(map(_share, literals), default=0) < FREQUENT


def _frequency(literals: Literals) -> float:
    """Return the expected number of occurrences of some literals for each character of
    a text.
    """
    return sum(map(_share, literals))


@lru_cache(maxsize=1 << 14)
def _share(literal: str) -> float:
    common = sum(one.islower() or one.isdecimal() or one in _COMMON for one in literal)
    return FREQUENT ** (2 * len(literal) - common)
