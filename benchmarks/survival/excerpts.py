"""Learn by example, as a regular expression, which part of an element's text is a
value.

Who writes selectors by hand adds such an expression where an element shows more than
the value.  Three kinds are tried, and the first of those that are most often right is
taken: the whole text; what stands between the words that are always around the value;
and the forms of the values themselves, each number in them being any number.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix

MANY = 3
"""The most forms that are learned, and the values that each must have beyond that."""

Pair = tuple[str, str | None]
"""The text of an element, and the value in it or None."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The part of a text that the first group of a pattern matches."""

    pattern: re.Pattern[str]

    def __call__(self, text: str) -> str | None:
        """Return the value in a text, None if there is none."""
        found = self.pattern.search(text)
        return (found[1].strip() or None) if found else None


def learn(pairs: Sequence[Pair]) -> Excerpt:
    """Return the excerpt that is right for most of the pairs."""
    tried = [Excerpt(re.compile(one, re.DOTALL)) for one in _patterns(pairs)]
    return max(tried, key=lambda one: sum(one(text) == value for text, value in pairs))


def _patterns(pairs: Sequence[Pair]) -> Iterator[str]:
    yield "(.+)"
    inside = [(text, value) for text, value in pairs if value and value in text]
    parts = [(text.partition(value), value) for text, value in inside]
    if not parts:
        return
    left = _literal([before for (before, _, _), _ in parts], at_end=True)
    right = _literal([after for (_, _, after), _ in parts], at_end=False)
    yield f"{left}(.+?){right}"
    yield rf"{left}(\S+)"
    forms = {_form(value) for _, value in parts}
    if len(forms) <= max(MANY, len(parts) / MANY):
        longest_first = sorted(forms, key=lambda one: (-len(one), one))
        yield rf"(?<!\w)({'|'.join(longest_first)})(?!\w)"


def _literal(texts: Sequence[str], at_end: bool) -> str:
    """Return the expression of what all texts have in common where they touch the
    value.
    """
    touching = {text[::-1] if at_end else text for text in texts}
    common = commonprefix(list(touching))  # noqa: RUF071 (letters are meant)
    bound = ("^" if at_end else "$") if touching == {common} else ""
    return bound + re.escape(common[::-1]) if at_end else re.escape(common) + bound


def _form(value: str) -> str:
    """Return the expression of a value in which each number may be any other."""
    parts = re.split(r"(\d+(?:[.,]\d+)*)", value)
    return "".join(
        r"\d+(?:[.,]\d+)*" if number % 2 else re.escape(part)
        for number, part in enumerate(parts)
    )
