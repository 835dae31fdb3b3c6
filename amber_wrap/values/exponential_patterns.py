"""Find regular expressions that take exponential time on some texts.

The check is approximate, by the ambiguity of automata (Glushkov 1961; Weber and Seidl
1991).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import lru_cache
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

_MANY: Final = 10
"""A repeat counts as endless if it allows at least this number of repetitions."""

_MOST_POSITIONS, _MOST_EDGES, _MOST_PAIRS = 500, 10_000, 20_000
"""The greatest sizes of a repeat's automaton: positions, edges, pairs of positions.

A pattern with a larger automaton counts as exponential, and is refused."""

_REPEATED_GROUP: Final = re.compile(r"\)\s*(?:[*+]|\{\d*,?\d*\})")
"""Matches a quantifier behind a group.

A pattern without it can't take exponential time.
"""

_FOLDS: Final = re.compile(r"\(\?[a-z]*i")
"""Matches a flag that makes a pattern ignore case."""

_NON_ASCII_SAMPLE: Final = "\x00éÉßñжЖ漢٣½²€–\xa0\u2028"
r"""Characters outside of ASCII, with at least one for each class such as `\d` or `\s`.
"""

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
"""A part of a parsed pattern, as pairs of an operator and its argument."""


class _Part(NamedTuple):
    """The automaton of a part of a pattern, whose states are the positions of its
    characters.
    """

    firsts: list[int]
    """The positions in the pattern at which a match may begin."""
    lasts: list[tuple[int, int]]
    """Pairs of a position at which a match may end, and a set of characters as bits.

    The characters in the set can't follow the match.
    """
    skips: int
    """The number of ways to match the empty text: 0, 1, or 2 for several."""


_EMPTY_PART: Final = _Part([], [], 1)
"""The automaton of a pattern that matches only the empty text."""


class _TooLargeError(Exception):
    """Raised for an automaton with too many positions, edges or pairs of positions."""


@lru_cache(maxsize=1 << 12)
def is_exponential(pattern: str) -> bool:
    """Return whether a valid regular expression may take a time exponential in the
    text's length.

    An expression that is too large to examine counts as exponential.
    """
    if not _REPEATED_GROUP.search(pattern):
        return False
    try:
        alphabet, folds = _alphabet(pattern), bool(_FOLDS.search(pattern))
        return any(
            _Automaton(alphabet, folds).is_ambiguous(repeat)
            for repeat in _repeats(_parser.parse(pattern))
        )
    except _TooLargeError:
        return True


def _repeats(items: _Items) -> Iterator[tuple[Any, Any]]:
    """Yield each outermost endless repeat that contains alternatives or repeats.

    An example is `(a|b)*`. A repeat is a pair of an operator and its argument.
    """
    for op, value in items:
        if op not in _REPEATS or value[1] < _MANY:
            for part in _parts(op, value):
                yield from _repeats(part)
        elif _has_choice(value[2]):
            yield op, value


def _has_choice(items: _Items) -> bool:
    """Return whether a part of a parsed pattern has alternatives or repeats.

    A repeat with a fixed number of repetitions, such as `a{3}`, is ignored.
    """
    return any(
        op is sre.BRANCH
        or (op in _REPEATS and value[0] != value[1])
        or any(map(_has_choice, _parts(op, value)))
        for op, value in items
    )


def _parts(op: Any, value: Any) -> list[_Items]:
    """Return the parts within an item of a parsed pattern, such as a branch's
    alternatives.
    """
    if op in _REPEATS:
        return [value[2]]
    if op is sre.SUBPATTERN:
        return [value[3]]
    if op is sre.BRANCH:
        return list(value[1])
    if op is sre.GROUPREF_EXISTS:
        return [branch for branch in value[1:] if branch]
    if op in (sre.ASSERT, sre.ASSERT_NOT):
        return [value[1]]
    return [value] if op is sre.ATOMIC_GROUP else []


def _alphabet(pattern: str) -> str:
    r"""Return the characters by which character classes are compared.

    They are ASCII, the characters in the pattern, their neighbours in Unicode, and
    samples for each class such as `\d`.
    """
    codes = {ord(character) for character in pattern}
    neighbours = {code - 1 for code in codes} | {code + 1 for code in codes}
    codes |= {code for code in neighbours if 0 < code < 0x110000}
    codes |= set(range(1, 128))
    return "".join(sorted({*map(chr, codes), *_NON_ASCII_SAMPLE}))


class _Automaton:
    """The automaton of a repeat, whose states are the positions of characters in the
    pattern.

    In sets of characters, bit i stands for character i of the alphabet.
    """

    def __init__(self, alphabet: str, folds: bool) -> None:
        """Create an automaton without positions for the sample characters `alphabet`.

        If `folds` is true, the pattern ignores case.
        """
        self._alphabet, self._folds = alphabet, folds
        # The characters that each position matches, as a bit set.
        self._characters_at: list[int] = []
        # For each position the next positions, and the characters that lead there.
        self._edges: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self._edge_count = 0

    def is_ambiguous(self, repeat: tuple[Any, Any]) -> bool:
        """Return whether a repeat can match the same text in two ways.

        Raise _TooLargeError if the automaton has too many positions, edges or pairs of
        positions.
        """
        self._item(*repeat)
        # In a repeat, each position leads to each other position. Two paths that meet
        # are therefore parts of loops.
        pairs = {
            (left, right)
            for edges in self._edges.values()
            for n, (left, left_characters) in enumerate(edges)
            for right, right_characters in edges[n + 1 :]
            if left_characters & right_characters
        }
        unvisited = list(pairs)
        while unvisited:
            left, right = unvisited.pop()
            if left == right:
                return True
            next_pairs = {
                (left_next, right_next)
                for left_next, left_characters in self._edges[left]
                for right_next, right_characters in self._edges[right]
                if left_characters & right_characters
            }
            unvisited += next_pairs - pairs
            pairs |= next_pairs
            if len(pairs) > _MOST_PAIRS:
                raise _TooLargeError
        return False

    def _sequence(self, items: _Items) -> _Part:
        """Return the automaton of consecutive items of a parsed pattern."""
        sequence = _EMPTY_PART
        for op, value in items:
            sequence = self._joined(sequence, self._item(op, value))
        return sequence

    def _item(self, op: Any, value: Any) -> _Part:
        """Return the automaton of one item of a parsed pattern."""
        if op in _REPEATS:
            return self._repeat(op, *value)
        if op in (sre.ASSERT, sre.ASSERT_NOT, sre.AT, sre.GROUPREF, sre.FAILURE):
            # As these count as empty, a few harmless expressions are refused.
            return _EMPTY_PART
        if branches := [self._sequence(items) for items in _parts(op, value)]:
            skips = sum(branch.skips for branch in branches)
            if op is sre.GROUPREF_EXISTS:
                skips += 1
            return _Part(
                [first for branch in branches for first in branch.firsts],
                [last for branch in branches for last in branch.lasts],
                min(2, skips),
            )
        position = len(self._characters_at)
        if position == _MOST_POSITIONS:
            raise _TooLargeError
        self._characters_at.append(self._characters(op, value))
        return _Part([position], [(position, 0)], 0)

    def _repeat(self, op: Any, least: int, most: int, items: Any) -> _Part:
        """Return the automaton of a part that is repeated `least` to `most` times."""
        if most < _MANY or least == most:
            rounds = _EMPTY_PART
            for n in reversed(range(most)):  # a{1,3} equals a(a(a)?)?
                rounds = self._joined(self._sequence(items), rounds)
                if n >= least:
                    rounds = rounds._replace(skips=min(2, rounds.skips + 1))
            return rounds
        loop = self._sequence(items)
        self._connect(loop.lasts, loop.firsts)
        lasts = loop.lasts
        last_positions = [position for position, _ in lasts]
        if op is sre.POSSESSIVE_REPEAT and last_positions == loop.firsts:
            lasts = [
                (position, not_next | self._characters_at[position])
                for position, not_next in lasts
            ]
        return _Part(loop.firsts, lasts, loop.skips or int(least == 0))

    def _joined(self, left: _Part, right: _Part) -> _Part:
        """Return the automaton of a part `left`, followed by a part `right`."""
        self._connect(left.lasts, right.firsts)
        # A part that can be skipped in two ways yields the next positions twice.
        return _Part(
            left.firsts + right.firsts * left.skips,
            right.lasts + left.lasts * right.skips,
            min(2, left.skips * right.skips),
        )

    def _connect(self, lasts: list[tuple[int, int]], firsts: list[int]) -> None:
        """Add the edges from the last positions `lasts` of a part to the first
        positions `firsts` of the next part.
        """
        self._edge_count += len(lasts) * len(firsts)
        if self._edge_count > _MOST_EDGES:
            raise _TooLargeError
        for position, not_next in lasts:
            for next_position in firsts:
                if characters := self._characters_at[next_position] & ~not_next:
                    self._edges[position].append((next_position, characters))

    def _characters(self, op: Any, value: Any) -> int:
        """Return the bit set of the characters that an item of a parsed pattern
        matches.

        If the pattern ignores case, the item may match either case of the character.
        """
        # With the flag "s", "." also matches a line's end; that changes nothing here.
        if op is sre.ANY:
            op, value = sre.NOT_LITERAL, ord("\n")
        members = value if op is sre.IN else [(op, value)]
        is_negated = members[0][0] is sre.NEGATE
        bit_set = 0
        for i, character in enumerate(self._alphabet):
            cases = {character}
            if self._folds:
                cases |= {*character.lower()[:1], *character.upper()[:1]}
            is_member = any(
                _matches_any(member_op, member, cases) for member_op, member in members
            )
            if is_member is not is_negated:
                bit_set |= 1 << i
        return bit_set


def _matches_any(op: Any, value: Any, characters: set[str]) -> bool:
    """Return whether a member of a character class matches one of the characters.

    `op` and `value` are the operator and the argument of the member.
    """
    if op is sre.LITERAL:
        return chr(value) in characters
    if op is sre.NOT_LITERAL:
        return characters != {chr(value)}
    if op is sre.RANGE:
        return any(value[0] <= ord(character) <= value[1] for character in characters)
    return op is sre.CATEGORY and any(
        re.match(_CATEGORIES[value], character) for character in characters
    )
