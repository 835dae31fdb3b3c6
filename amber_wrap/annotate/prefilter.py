"""Determine the literals and digits that a text needs for a pattern to match.

The method follows RE2's `FilteredRE2` and Cox, "Regular Expression Matching with a
Trigram Index".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from amber_wrap.values.regular_expressions import PART

_MOST_LITERALS: Final = 256
"""A pattern that requires one of more than this number of literal texts is tried in
every text.
"""
_MOST_CHARACTERS: Final = 32
"""The greatest number of characters in a class such as `[abc]` that are tried one by
one.

A larger class is treated as if it matched any character.
"""
_COMMON: Final = " .,:/-"
"""Punctuation that is assumed to be as frequent as a letter."""
FREQUENT: Final = 1 / 16
"""The assumed frequency of a letter: one in 16 characters of a text.

Nearly all texts contain a literal with this frequency.
"""
FIRST_PART: Final = 0xF0000
"""The code of the first private-use character. In a pattern, such characters stand for
other patterns.
"""

Literals = frozenset[str]
"""A set of literal texts. A text must contain at least one of them for a pattern to
match.
"""
_EMPTY_TEXT: Final = Literals({""})


class Needs(NamedTuple):
    """The conditions that a text must fulfil for a pattern to match."""

    literals: Literals | None = None
    """The text must contain at least one of these literals, regardless of case. None
    stands for no such condition.
    """
    digit: bool = False
    """Whether the text must contain a digit."""
    exact: Literals | None = None
    """All texts that the pattern matches, or None if they can't be listed."""


ANYTHING: Final = Needs()
"""The conditions for a pattern that may match any text."""
_NO_TEXT: Final = Needs(exact=_EMPTY_TEXT)
"""The conditions for a pattern that matches only the empty text."""
NEVER: Final = Needs(Literals(), exact=Literals())
"""The conditions for a pattern that matches no text."""


def fold_case(text: str) -> str:
    """Return a text with the distinction of case removed.

    Texts that `re.IGNORECASE` treats as equal give the same result.
    """
    return text.replace("İ", "i").replace("ı", "i").casefold()


def needs_of_pattern(
    name: str, patterns: Mapping[str, str], needs_by_name: dict[str, Needs]
) -> Needs:
    """Return the conditions that a text must fulfil for the pattern `name` to match.

    Store the conditions of the pattern, and of the patterns to which it refers, in
    `needs_by_name`.
    """
    if name not in needs_by_name:
        placeholders: dict[str, str] = {}

        def placeholder(reference: re.Match[str]) -> str:
            """Return the private-use character that stands for a reference such as
            `{number}`.

            References to the same pattern give the same character.
            """
            character = chr(FIRST_PART + len(placeholders))
            return placeholders.setdefault(reference[1], character)

        template = PART.sub(placeholder, patterns[name])
        part_needs = tuple(
            needs_of_pattern(part, patterns, needs_by_name) for part in placeholders
        )
        needs_by_name[name] = _needs_of_template(template, part_needs)
    return needs_by_name[name]


@lru_cache(maxsize=1 << 12)
def _needs_of_template(template: str, part_needs: tuple[Needs, ...]) -> Needs:
    """Return the conditions that a text must fulfil for a pattern to match.

    `template` is the pattern with private-use characters in place of other patterns,
    whose conditions are in `part_needs`.
    """
    needs_by_code = {FIRST_PART + i: part for i, part in enumerate(part_needs)}
    parsed = _parser.parse(template)
    # The flag would make the blanks in the parts meaningless, too.
    is_verbose = parsed.state.flags & re.VERBOSE
    return ANYTHING if is_verbose else _needs_of_sequence(parsed, needs_by_code)


def _needs_of_sequence(
    items: Iterable[tuple[Any, Any]], part_needs: Mapping[int, Needs]
) -> Needs:
    """Return what a text must contain for a sequence of pattern items to match.

    A private-use character in the pattern stands for another pattern. `part_needs` maps
    the code of the character to what the other pattern needs.
    """
    # Items in a row that match known texts are joined: "ab" for the items "a" and "b".
    joined = _EMPTY_TEXT
    joined_before: list[Literals] = []
    literals_of_items: list[Literals] = []
    is_exact, needs_digit = True, False
    for op, value in items:
        item = _needs_of_item(op, value, part_needs)
        needs_digit |= item.digit
        if item.literals is not None:
            literals_of_items.append(item.literals)
        is_lookbehind = op is sre.ASSERT and value[0] < 0
        longer = None
        if item.exact is not None and not is_lookbehind:
            longer = _concatenations(joined, item.exact)
        if longer is None:
            joined_before.append(joined)
            is_exact, longer = False, item.exact or _EMPTY_TEXT
        joined = longer
    rarest = _rarest([*literals_of_items, *joined_before, joined])
    return Needs(rarest, needs_digit, joined if is_exact else None)


def _needs_of_item(op: Any, value: Any, part_needs: Mapping[int, Needs]) -> Needs:
    """Return what a text must contain for one item of a parsed pattern, such as a
    letter or a group, to match.

    `part_needs` has what other patterns need, by the code of the private-use character
    that stands for the other pattern.
    """
    if op is sre.LITERAL:
        return part_needs.get(value) or _needs_of_character(chr(value))
    if op is sre.IN:
        # The parser turns the branches "{one}|{other}" into a set of two characters.
        if any(member in part_needs for _, member in value):
            return _needs_of_branches(
                _needs_of_item(member_op, member, part_needs)
                for member_op, member in value
            )
        return _needs_of_set(value)
    if op is sre.SUBPATTERN:
        return _needs_of_sequence(value[-1], part_needs)
    if op is sre.ATOMIC_GROUP:
        return _needs_of_sequence(value, part_needs)
    if op is sre.BRANCH:
        _, branches = value
        return _needs_of_branches(
            [_needs_of_sequence(branch, part_needs) for branch in branches]
        )
    if op in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, most, repeated = value
        once = _needs_of_sequence(repeated, part_needs)
        if least > 0:
            return once if most == 1 else Needs(once.literals, once.digit)
        if most != 1 or once.exact is None:
            return ANYTHING
        return Needs(exact=once.exact | _EMPTY_TEXT)
    if op is sre.ASSERT:
        direction, looked_for = value
        assertion = _needs_of_sequence(looked_for, part_needs)
        # A lookbehind is joined with what follows: "(?<=N)SW" matches only in "NSW".
        exact = assertion.exact if direction < 0 else _EMPTY_TEXT
        return Needs(assertion.literals, assertion.digit, exact)
    if op is sre.FAILURE or (op is sre.ASSERT_NOT and not value[1]):
        return NEVER
    return _NO_TEXT if op in (sre.AT, sre.ASSERT_NOT) else ANYTHING


@lru_cache(maxsize=1 << 10)
def _needs_of_character(character: str) -> Needs:
    """Return the condition for a literal character to match: a text must contain it."""
    return Needs(digit=character.isdecimal(), exact=Literals({fold_case(character)}))


def _needs_of_set(members: Iterable[tuple[Any, Any]]) -> Needs:
    """Return the conditions under which a character class may match, such as a digit
    for `[0-9]`.

    A class with many characters, or with both digits and others, has no conditions.
    """
    characters: set[str] = set()
    for op, value in members:
        if op is sre.LITERAL:
            characters.add(chr(value))
        elif op is sre.RANGE and value[1] - value[0] < _MOST_CHARACTERS:
            characters.update(map(chr, range(value[0], value[1] + 1)))
        elif op is sre.CATEGORY and value is sre.CATEGORY_DIGIT:
            characters.add("0")
        else:
            return ANYTHING
    if all(map(str.isdecimal, characters)):
        return Needs(digit=True)
    has_digit = any(map(str.isdecimal, characters))
    if len(characters) > _MOST_CHARACTERS or has_digit:
        return ANYTHING
    return Needs(exact=Literals(map(fold_case, characters)))


def _needs_of_branches(branches: Iterable[Needs]) -> Needs:
    """Return the conditions that a text must fulfil for one of several alternatives to
    match, as in `a|b`."""
    return reduce(
        lambda left, right: Needs(
            _union(left.literals, right.literals),
            left.digit and right.digit,
            _union(left.exact, right.exact),
        ),
        branches,
    )


def _union(left: Literals | None, right: Literals | None) -> Literals | None:
    """Return the union of two sets of literals, or None if no literal is required.

    No literal is required if one of the sets is None, or if the union is too large.
    """
    if left is None or right is None:
        return None
    union = left | right
    return union if len(union) <= _MOST_LITERALS else None


def _concatenations(starts: Literals, ends: Literals) -> Literals | None:
    """Return each text of `starts` followed by each text of `ends`, or None if there
    are too many results.
    """
    if len(starts) * len(ends) > _MOST_LITERALS:
        return None
    return Literals(start + end for start in starts for end in ends)


def _rarest(choices: Iterable[Literals]) -> Literals | None:
    """Return the set in `choices` whose literals occur least often in texts.

    Return None if every set has a literal that is as frequent as a single letter.
    """
    return min(filter(_is_rare, choices), key=_frequency, default=None)


def _is_rare(literals: Literals) -> bool:
    """Return whether each literal is rarer in texts than a single letter."""
    return max(map(_frequency_of_literal, literals), default=0) < FREQUENT


def _frequency(literals: Literals) -> float:
    """Return the expected number of occurrences of literals per character of a text."""
    return sum(map(_frequency_of_literal, literals))


@lru_cache(maxsize=1 << 14)
def _frequency_of_literal(literal: str) -> float:
    """Return the expected number of occurrences of a literal per character of a text.

    Rare characters count as two letters.
    """
    frequent_count = sum(
        ("a" <= character <= "z") or character.isdecimal() or character in _COMMON
        for character in literal
    )
    return FREQUENT ** (2 * len(literal) - frequent_count)
