"""Compose regular expressions from named patterns, and find expressions that take
exponential time.

An expression takes exponential time if a repeated part matches one text in several
ways. A repeat becomes an automaton (Glushkov 1961). The states are the positions of the
characters in the pattern. The automaton is exponentially ambiguous if two different
paths along the same text lead from a state back to the same state (Weber and Seidl
1991).

The analysis is approximate. Lookaround, back references and anchors count as empty.
Repeats with high counts count as endless. A few harmless expressions are therefore
refused.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

_MANY: Final = 10
"""The least count of a repeat that counts as endless."""
_MOST_POSITIONS, _MOST_EDGES, _MOST_PAIRS = 500, 10_000, 20_000
"""The bounds of an automaton. A pattern with a larger automaton is refused."""
_REPEATED_GROUP: Final = re.compile(r"\)\s*(?:[*+]|\{\d*,?\d*\})")
"""A quantifier behind a group. A pattern without one takes no exponential time."""
_FOLDS: Final = re.compile(r"\(\?[a-z]*i")
"""The flag that makes a pattern ignore case. The flag of a part counts for the whole
pattern."""
_OTHERS: Final = "\x00éÉßñжЖ漢٣½²€–\xa0\u2028"
"""Further sample characters, with at least one for each category of `re`."""
_REPEATS: Final = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
_CATEGORIES: Final = {
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
_Items = Iterable[tuple[Any, Any]]
"""A part of a parsed pattern: the operators and arguments of its items."""
# A reference to another pattern. A quantifier such as {2,3} starts with a digit.
PART: Final = re.compile(r"\{([a-z][a-z_:-]*)\}")
# The number of characters of a text that are searched, which bounds the cost.
SEARCHED: Final = 4096
# The greatest number of characters of a composed pattern, and of patterns around one;
# built-in domains have 24,000 and 6.
_LONGEST: Final = 250_000
_DEEPEST: Final = 50


class _Part(NamedTuple):
    """The automaton of a part of a pattern.

    `firsts` are the positions that the part may begin with. `lasts` are pairs of a
    position that the part may end with, and a bit set. The bit set has the characters
    that can't follow the position, because a possessive repeat consumes the characters.

    `skips` is the number of ways to match the empty text, at most 2.
    """

    firsts: list[int]
    lasts: list[tuple[int, int]]
    skips: int


_NOTHING: Final = _Part([], [], 1)


class _TooLargeError(Exception):
    """An automaton with too many positions, edges or pairs of positions."""


@lru_cache(maxsize=1 << 12)
def is_exponential(pattern: str) -> bool:
    """Return whether a regular expression may take a time that is exponential in the
    length of the text.

    The expression must be valid. An expression that is too large to examine counts as
    exponential.
    """
    if not _REPEATED_GROUP.search(pattern):
        return False
    try:
        alphabet, folds = _alphabet(pattern), bool(_FOLDS.search(pattern))
        return any(
            _Automaton(alphabet, folds).is_ambiguous(one)
            for one in _repeats(_parser.parse(pattern))
        )
    except _TooLargeError:
        return True


def _repeats(items: _Items) -> Iterator[tuple[Any, Any]]:
    """Yield the outermost endless repeats whose content has alternatives or repeats."""
    for op, value in items:
        if op not in _REPEATS or value[1] < _MANY:
            for one in _parts(op, value):
                yield from _repeats(one)
        elif _has_choice(value[2]):
            yield op, value


def _has_choice(items: _Items) -> bool:
    """Return whether a part of a parsed pattern has alternatives or repeats."""
    return any(
        op is sre.BRANCH
        or (op in _REPEATS and value[0] != value[1])
        or any(map(_has_choice, _parts(op, value)))
        for op, value in items
    )


def _parts(op: Any, value: Any) -> list[_Items]:
    """Return the parts within an item of a parsed pattern, for example the alternatives
    of a branch.
    """
    if op in _REPEATS:
        return [value[2]]
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.GROUPREF_EXISTS:
        return [one for one in value[1:] if one]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return [value] if op is sre.ATOMIC_GROUP else []


def _alphabet(pattern: str) -> str:
    """Return sample characters for the comparison of a pattern's character classes.

    The sample has ASCII, the characters in the pattern, their neighbours in Unicode,
    and characters of each category of `re`.
    """
    named = {*map(ord, pattern)}
    near = {at + by for at in named for by in (-1, 1) if 0 < at + by < 0x110000}
    return "".join(
        sorted({*map(chr, range(1, 128)), *map(chr, named | near), *_OTHERS})
    )


class _Automaton:
    """The automaton of a repeat: positions in the pattern, and edges between the
    positions.
    """

    def __init__(self, alphabet: str, folds: bool) -> None:
        self._alphabet, self._folds = alphabet, folds
        self._taken: list[int] = []
        self._ways: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._edges = 0

    def is_ambiguous(self, repeat: tuple[Any, Any]) -> bool:
        """Return whether a repeat can match the same text in two ways.

        Raise _TooLargeError if the automaton has too many positions, edges or pairs of
        positions.
        """
        self._item(*repeat)
        # In a repeat, each position leads to every other one, so that two paths that
        # meet are parts of loops.
        pairs = {
            (one, other)
            for ways in self._ways.values()
            for n, (one, mask) in enumerate(ways)
            for other, also in ways[n + 1 :]
            if mask & also
        }
        left = list(pairs)
        while left:
            one, other = left.pop()
            if one == other:
                return True
            further = {
                (to, also_to)
                for to, mask in self._ways[one]
                for also_to, also in self._ways[other]
                if mask & also
            }
            left += further - pairs
            pairs |= further
            if len(pairs) > _MOST_PAIRS:
                raise _TooLargeError
        return False

    def _sequence(self, items: _Items) -> _Part:
        found = _NOTHING
        for op, value in items:
            found = self._joined(found, self._item(op, value))
        return found

    def _item(self, op: Any, value: Any) -> _Part:
        if op in _REPEATS:
            return self._repeat(op, *value)
        if op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF, sre.FAILURE):
            return _NOTHING
        if parts := _parts(op, value):
            some = [self._sequence(one) for one in parts]
            return _Part(
                [at for one in some for at in one.firsts],
                [end for one in some for end in one.lasts],
                min(2, sum(one.skips for one in some) + (op is sre.GROUPREF_EXISTS)),
            )
        if len(self._taken) == _MOST_POSITIONS:
            raise _TooLargeError
        self._taken.append(self._characters(op, value))
        at = len(self._taken) - 1
        return _Part([at], [(at, 0)], 0)

    def _repeat(self, op: Any, least: int, most: int, items: Any) -> _Part:
        """Return the automaton of a repeat.

        A repeat with a small or fixed number of rounds is written out, as `aa?` for
        `a{1,2}`. Any other repeat becomes a loop.
        """
        if most < _MANY or least == most:
            found = _NOTHING
            for n in reversed(range(most)):  # a{1,3} equals a(a(a)?)?
                found = self._joined(self._sequence(items), found)
                if n >= least:
                    found = found._replace(skips=min(2, found.skips + 1))
            return found
        part = self._sequence(items)
        self._connect(part.lasts, part.firsts)
        lasts = part.lasts
        if op is sre.POSSESSIVE_REPEAT and [at for at, _ in lasts] == part.firsts:
            lasts = [(at, not_next | self._taken[at]) for at, not_next in lasts]
        return _Part(part.firsts, lasts, part.skips or int(not least))

    def _joined(self, one: _Part, other: _Part) -> _Part:
        """Return the automaton of `one` followed by `other`."""
        self._connect(one.lasts, other.firsts)
        return _Part(
            one.firsts + other.firsts * one.skips,
            other.lasts + one.lasts * other.skips,
            min(2, one.skips * other.skips),
        )

    def _connect(self, lasts: list[tuple[int, int]], firsts: list[int]) -> None:
        self._edges += len(lasts) * len(firsts)
        if self._edges > _MOST_EDGES:
            raise _TooLargeError
        for at, not_next in lasts:
            for to in firsts:
                if mask := self._taken[to] & ~not_next:
                    self._ways[at].append((to, mask))

    def _characters(self, op: Any, value: Any) -> int:
        """Return a bit set of the characters that an item of a parsed pattern matches.

        Bit i stands for character i of the alphabet. If the pattern ignores case, the
        item may match either case of the character.
        """
        # With the flag "s", "." also matches a line's end; that changes nothing here.
        if op is sre.ANY:
            op, value = sre.NOT_LITERAL, ord("\n")
        members = value if op is sre.IN else [(op, value)]
        is_negated = members[0][0] is sre.NEGATE
        found = 0
        for at, char in enumerate(self._alphabet):
            either = {char}
            if self._folds:
                either |= {*char.lower()[:1], *char.upper()[:1]}
            is_in = any(_holds(kind, one, either) for kind, one in members)
            found |= (is_in is not is_negated) << at
        return found


def _holds(op: Any, value: Any, either: set[str]) -> bool:
    """Return whether a member of a character class matches one of the characters in
    `either`.
    """
    if op is sre.LITERAL:
        return chr(value) in either
    if op is sre.NOT_LITERAL:
        return either != {chr(value)}
    if op is sre.RANGE:
        return any(value[0] <= ord(one) <= value[1] for one in either)
    return op is sre.CATEGORY and any(
        re.match(_CATEGORIES[value], one) for one in either
    )


def compose(name: str, patterns: Mapping[str, str]) -> str:
    """Return the regular expression of a named pattern.

    Each reference such as `{number}` is replaced by the expression of another pattern.
    """
    return PART.sub(lambda part: f"(?:{compose(part[1], patterns)})", patterns[name])


def fault_of_pattern(pattern: str) -> str:
    """Return the fault of a regular expression, or "" if the expression is valid.

    A valid expression compiles, isn't too long, and doesn't take exponential time.
    """
    if len(pattern) > _LONGEST:
        return f"it has more than {_LONGEST:,} characters"
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error) or type(error).__name__
    if is_exponential(pattern):
        return (
            "it can match the same text in several ways, which may take exponential "
            "time: make its repeated parts unambiguous"
        )
    return ""


def fault_of_parts(patterns: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the name of a pattern that can't be composed, and the reason.

    A pattern can't be composed if it refers to an unknown pattern or to itself, or if
    the result is too long. Return None if all patterns can be composed.
    """
    lengths: dict[str, int] = {}

    def measure(name: str, around: tuple[str, ...]) -> int:
        """Return the length of the pattern `name` with all patterns that it uses.

        `around` are the patterns that contain the pattern `name`, outer patterns first.
        Raise ValueError with a name and a reason if a pattern can't be composed.
        """
        parts = PART.findall(patterns[name])
        if len(around) > _DEEPEST:
            raise ValueError(name, f"it is nested in more than {_DEEPEST} others")
        for one in parts:
            if one not in patterns:
                raise ValueError(name, f"there is no pattern {one!r}")
            if one not in lengths:
                lengths[one] = measure(one, (*around, name))
        length = len(patterns[name]) + sum(lengths[one] + 4 for one in parts)
        if length > _LONGEST:
            raise ValueError(name, f"it has more than {_LONGEST:,} characters")
        return length

    try:
        for name in patterns:
            lengths[name] = measure(name, ())
    except ValueError as error:
        name, why = error.args
        return name, why
    return None
