"""Find a regular expression that cuts values out of texts, from one example.

The expression matches the parts of other texts between the same delimiters as in the
example.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from amber_wrap.analysis.value_trimming import STRONG
from amber_wrap.generalise.thresholds import RULE

_WORD: Final = re.compile(r"[^\W\d_]+")
_FIGURE: Final = re.compile(r"\d+")
BEFORE, AFTER = re.compile(r"[\W_]+$"), re.compile(r"^[\W_]+")
"""Delimiters directly before a value, and directly behind it."""
WORD_BEFORE, WORD_AFTER = re.compile(r"\w+[\W_]+$"), re.compile(r"^[\W_]+\w+")
"""A word with delimiters, directly before a value and directly behind it."""


def span_pattern(
    text: str, start: int, end: int, texts: Sequence[str]
) -> tuple[str, bool]:
    """Return a regular expression that finds the span from `start` to `end` in a text,
    and whether the expression is likely right.

    The expression finds spans in as many of the `texts` as possible. The expression is
    "" if the span is the whole text. The expression is likely right if it contains a
    word before the span. Otherwise, the expression is likely right if most matched
    texts contain the delimiters around the span exactly as often as `text`.
    """
    if not text[:start] + text[end:]:
        return "", True
    head, tail = text[:start], text[end:]
    inside = STRONG.search(text[start:end])
    runs = [one[0] for one in (BEFORE.search(head), AFTER.search(tail)) if one]
    best, most, is_sure = "", (-1.0, -1), True
    for before, after in product(_heads(head, tail), _tails(tail, head)):
        regex = f"^{before.regex}(?P<value>.+?){after}$"
        pattern = re.compile(regex)
        own = pattern.search(text)
        if own is None or own.span("value") != (start, end):
            continue
        found = [
            match
            for one in texts
            if (match := pattern.search(one))
            and (inside or not STRONG.search(match["value"]))
        ]
        alike = sum(_left(one) == _left(own) for one in found)
        share = min(len(found), RULE.cut * len(texts))
        if (share, alike) > most:
            best, most = regex, (share, alike)
            parted = sum(
                all(one.string.count(run) == text.count(run) for run in runs)
                for one in found
            )
            is_sure = before.is_named or parted >= RULE.parted * len(found)
    return best, is_sure


class _Head(NamedTuple):
    """A regular expression for the text before a value.

    `is_named` is true if the expression contains a word.
    """

    regex: str
    is_named: bool = False


def _heads(head: str, tail: str) -> Iterator[_Head]:
    """Yield regular expressions for the text before a value.

    `head` is the text before the example. `tail` is the text behind the example.
    """
    yield _Head(re.escape(head), _WORD.search(head) is not None)
    if word := WORD_BEFORE.search(head):
        yield _Head(rf"(?:.*[\W_])?{re.escape(word[0])}", True)
    if found := BEFORE.search(head):
        delimiter, count = re.escape(found[0]), head.count(found[0])
        yield _Head(f"(?:(?:(?!{delimiter}).)*{delimiter}){{{count}}}")
        yield _Head(f".*{delimiter}")
    elif (found := AFTER.search(tail)) and STRONG.match(found[0]):
        yield _Head(f"(?:.*{re.escape(found[0])})?")


def _tails(tail: str, head: str) -> Iterator[str]:
    """Yield regular expressions for the text behind a value.

    `tail` is the text behind the example. `head` is the text before the example.
    """
    yield re.escape(tail)
    if word := WORD_AFTER.search(tail):
        yield rf"{re.escape(word[0])}(?:[\W_].*)?"
    if found := AFTER.search(tail):
        delimiter, count = re.escape(found[0]), tail.count(found[0])
        yield f"{delimiter}.*"
        yield f"(?:{delimiter}(?:(?!{delimiter}).)*){{{count}}}"
        if STRONG.match(found[0]):
            yield f"(?:{delimiter}.*)?"
    elif (found := BEFORE.search(head)) and STRONG.match(found[0]):
        yield f"(?:{re.escape(found[0])}.*)?"


def _left(match: re.Match[str]) -> str:
    """Return the text around the value in a match, with "a" in place of each word and
    "0" in place of each number."""
    start, end = match.span("value")
    left = f"{match.string[:start]}\n{match.string[end:]}"
    return _FIGURE.sub("0", _WORD.sub("a", left))
