"""What a text must hold for a pattern to match in it: necessary literals, and digits.

As RE2's `FilteredRE2` and Cox's "Regular Expression Matching with a Trigram Index" have
it; texts and literals are compared in folded case.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from amber_wrap.values.patterns import PART

_MOST: Final = 256
"""Literals that a pattern is sought by; with more it is sought everywhere."""
_WIDEST: Final = 32
"""Characters of a set that are told apart."""
_COMMON: Final = " .,:/-"
"""What is no letter or digit, and as common as one."""
FREQUENT: Final = 1 / 16
"""The share of a letter among the characters of a text: it is found everywhere."""
FIRST_PART: Final = 0xF0000
"""The first of the characters, for private use, that stand for parts of a pattern."""

Literals = frozenset[str]
_EMPTY: Final = Literals({""})


class Needs(NamedTuple):
    """What a text must hold: one of the literals, unless None, and a digit if `digit`.

    `exact` are all the texts that the pattern matches, None if they can't be told.
    """

    literals: Literals | None = None
    digit: bool = False
    exact: Literals | None = None


ANYTHING: Final = Needs()
_NOTHING: Final = Needs(exact=_EMPTY)
"""What matches between two characters."""
NEVER: Final = Needs(Literals(), exact=Literals())


def fold(text: str) -> str:
    """Return a text in which letters that `re.IGNORECASE` holds for the same are
    the same.
    """
    return text.replace("İ", "i").replace("ı", "i").casefold()


def needs(name: str, patterns: Mapping[str, str], known: dict[str, Needs]) -> Needs:
    """Return the needs of a pattern; those of its parts become `known`."""
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
    """Return the needs of a pattern with characters for its parts; domains share
    many.
    """
    by_character = {FIRST_PART + i: one for i, one in enumerate(parts)}
    parsed = _parser.parse(template)
    # In its parts blanks would be no characters either.
    is_verbose = parsed.state.flags & re.VERBOSE
    return ANYTHING if is_verbose else _of_sequence(parsed, by_character)


def _of_sequence(items: Iterable[tuple[Any, Any]], parts: Mapping[int, Needs]) -> Needs:
    """Return the needs of what stands one after the other."""
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
    """Return the needs of one item of a parsed pattern."""
    if op is sre.LITERAL:
        return parts.get(value) or _of_character(chr(value))
    if op is sre.IN:
        # Of "{one}|{other}" the parser makes a set of the two characters.
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
        # What stands before goes on in what follows: "(?<=N)SW".
        return Needs(one.literals, one.digit, one.exact if direction < 0 else _EMPTY)
    if op is sre.FAILURE or (op is sre.ASSERT_NOT and not value[1]):
        return NEVER
    return _NOTHING if op in (sre.AT, sre.ASSERT_NOT) else ANYTHING


@lru_cache(maxsize=1 << 10)
def _of_character(one: str) -> Needs:
    return Needs(digit=one.isdecimal(), exact=Literals({fold(one)}))


def _of_set(members: Iterable[tuple[Any, Any]]) -> Needs:
    """Return the needs of a set of characters; digits aren't told apart."""
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
    """Return each text of the one before each of the other; None if there are many."""
    if len(one) * len(other) > _MOST:
        return None
    return Literals(a + b for a in one for b in other)


def _rarest(found: Iterable[Literals]) -> Literals | None:
    """Of several sets the one that is expected least; None if all are frequent."""
    return min(filter(_is_rare, found), key=_frequency, default=None)


def _is_rare(literals: Literals) -> bool:
    """Return whether none of the literals is expected everywhere."""
    return max(map(_share, literals), default=0) < FREQUENT


def _frequency(literals: Literals) -> float:
    """At what share of the characters of a text a literal is expected."""
    return sum(map(_share, literals))


@lru_cache(maxsize=1 << 14)
def _share(literal: str) -> float:
    common = sum(one.islower() or one.isdecimal() or one in _COMMON for one in literal)
    return FREQUENT ** (2 * len(literal) - common)
