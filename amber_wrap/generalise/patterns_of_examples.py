"""Make a regular expression for the part of a text that a person gave as an example."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from amber_wrap.analysis.words_to_trim import STRONG_DELIMITER
from amber_wrap.generalise.thresholds import RULE

_WORD: Final = re.compile(r"[^\W\d_]+")
"""A regular expression for a word, which `_surroundings` replaces by "a"."""

_FIGURE: Final = re.compile(r"\d+")
"""A regular expression for a number, which `_surroundings` replaces by "0"."""

DELIMITERS_BEFORE, DELIMITERS_AFTER = re.compile(r"[\W_]+$"), re.compile(r"^[\W_]+")
"""Regular expressions for the delimiters, such as " | ", before and behind a value."""

WORD_BEFORE, WORD_AFTER = re.compile(r"\w+[\W_]+$"), re.compile(r"^[\W_]+\w+")
"""Regular expressions for the word before a value and the word behind it, each with the
delimiters between the word and the value."""


def span_pattern(
    text: str, start: int, end: int, texts: Sequence[str]
) -> tuple[str, bool]:
    """Return a regular expression for the part from `start` to `end` of a text, and
    whether it is reliable.

    The expression also matches most of `texts`, the texts of the matching elements. If
    the part is the whole text, the expression is "".
    """
    head, value, tail = text[:start], text[start:end], text[end:]
    if not head + tail:
        return "", True
    has_strong_sign = STRONG_DELIMITER.search(value)
    delimiters = [
        match[0]
        for match in (DELIMITERS_BEFORE.search(head), DELIMITERS_AFTER.search(tail))
        if match
    ]
    best_regex, best_score, is_sure = "", (-1.0, -1), True
    for before, after in product(
        _head_patterns(head, tail), _tail_patterns(tail, head)
    ):
        regex = f"^{before.regex}(?P<value>.+?){after}$"
        pattern = re.compile(regex)
        own_match = pattern.search(text)
        if own_match is None or own_match.span("value") != (start, end):
            continue
        matches = [
            match
            for record_text in texts
            if (match := pattern.search(record_text))
            and (has_strong_sign or not STRONG_DELIMITER.search(match["value"]))
        ]
        own_surroundings = _surroundings(own_match)
        alike = sum(_surroundings(match) == own_surroundings for match in matches)
        matched = min(len(matches), RULE.least_matching_share * len(texts))
        if (matched, alike) > best_score:
            best_regex, best_score = regex, (matched, alike)
            equally_delimited = sum(
                all(match.string.count(run) == text.count(run) for run in delimiters)
                for match in matches
            )
            are_most = equally_delimited >= RULE.least_same_delimiters_share * len(
                matches
            )
            is_sure = before.is_named or are_most
    return best_regex, is_sure


class _HeadPattern(NamedTuple):
    """A regular expression for the text before a value.

    `is_named` is true if the expression contains a word.
    """

    regex: str
    is_named: bool = False


def _head_patterns(head: str, tail: str) -> Iterator[_HeadPattern]:
    """Yield regular expressions for the text `head` before an example, from exact to
    general.

    For example, "Tel: " gives expressions for the exact text, the last word and the
    colon. `tail` is the text behind the example.
    """
    yield _HeadPattern(re.escape(head), _WORD.search(head) is not None)
    if word := WORD_BEFORE.search(head):
        yield _HeadPattern(rf"(?:.*[\W_])?{re.escape(word[0])}", True)
    if before := DELIMITERS_BEFORE.search(head):
        delimiter, count = re.escape(before[0]), head.count(before[0])
        yield _HeadPattern(f"(?:(?:(?!{delimiter}).)*{delimiter}){{{count}}}")
        yield _HeadPattern(f".*{delimiter}")
    elif (after := DELIMITERS_AFTER.search(tail)) and STRONG_DELIMITER.match(after[0]):
        yield _HeadPattern(f"(?:.*{re.escape(after[0])})?")


def _tail_patterns(tail: str, head: str) -> Iterator[str]:
    """Yield regular expressions for the text `tail` behind an example, from exact to
    general.

    The expressions match the exact text, the first word or the first delimiter. `head`
    is the text before the example.
    """
    yield re.escape(tail)
    if word := WORD_AFTER.search(tail):
        yield rf"{re.escape(word[0])}(?:[\W_].*)?"
    if after := DELIMITERS_AFTER.search(tail):
        delimiter, count = re.escape(after[0]), tail.count(after[0])
        yield f"{delimiter}.*"
        yield f"(?:{delimiter}(?:(?!{delimiter}).)*){{{count}}}"
        if STRONG_DELIMITER.match(after[0]):
            yield f"(?:{delimiter}.*)?"
    elif (before := DELIMITERS_BEFORE.search(head)) and STRONG_DELIMITER.match(
        before[0]
    ):
        yield f"(?:{re.escape(before[0])}.*)?"


def _surroundings(match: re.Match[str]) -> str:
    """Return the text around the value in a match, with "a" for each word and "0" for
    each number.
    """
    start, end = match.span("value")
    text = f"{match.string[:start]}\n{match.string[end:]}"
    return _FIGURE.sub("0", _WORD.sub("a", text))
