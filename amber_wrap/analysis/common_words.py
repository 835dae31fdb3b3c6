"""Find the words that nearly all texts at one path in the records start or end with.

For example, the texts "Iffley (3 km away)" and "Cowley (5 km away)" end with the same
words around a number.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from amber_wrap.analysis.record_annotations import AnnotatedText, overlaps_any
from amber_wrap.analysis.thresholds import ALIGNMENT

_WORD = re.compile(r"\S+")
_NUMBER = r"\d[\d.,]*"
"""A regular expression for any number. Numbers in words are replaced by it, so that
words that differ only in numbers are equal.
"""
_ABBREVIATION = re.compile(r"[^\W\d]{1,4}\\\.")
"""Matches a short word with a full stop, such as "Str.", after `re.escape`."""


def common_words(
    texts: Sequence[AnnotatedText], topic: str
) -> tuple[frozenset[str], frozenset[str]]:
    """Return two sets: a regular expression for the words that nearly all texts start
    with, and one for the words that they end with.

    A set is empty if the texts have no such words in common. `topic` has the page's
    title and main headings, whose words may be names.
    """
    if len(texts) < ALIGNMENT.least_texts:
        return frozenset(), frozenset()
    topic_words = {_letters(word) for word in _WORD.findall(topic)}
    first_words = _shared_start(
        [_free_words(annotated) for annotated in texts], topic_words
    )
    while first_words and first_words[-1].endswith(_NUMBER):
        first_words.pop()
    reversed_words = [_free_words(annotated, is_reversed=True) for annotated in texts]
    last_words = _shared_start(reversed_words, None)
    if _end_names(last_words, texts):
        last_words = []
    return _expression(first_words), _expression(last_words[::-1])


def _free_words(annotated: AnnotatedText, is_reversed: bool = False) -> list[str]:
    """Return the words before the first recognised value of a text, as regular
    expressions.

    If `is_reversed`, return the words after the last value instead, the last word
    first.
    """
    words = list(_WORD.finditer(annotated.text))
    if is_reversed:
        words.reverse()
    free_words = []
    for word in words[:-1]:  # The last word may be a value.
        if overlaps_any(word.span(), annotated.inner_spans):
            break
        escaped = [re.escape(part) for part in re.split(_NUMBER, word[0])]
        free_words.append(_NUMBER.join(escaped))
    return free_words


def _letters(word: str) -> str:
    """Return the letters of a word that is given as a regular expression.

    The expression for numbers (`_NUMBER`) within the word is left out.
    """
    return "".join(filter(str.isalpha, word.replace(_NUMBER, "")))


def _shared_start(
    texts: Sequence[Sequence[str]], topic_words: Collection[str] | None
) -> list[str]:
    """Return the words that nearly all texts start with, up to the first name.

    `texts` has the words of each text. A word with a capital letter is a name. The
    first word is one only if it is also in `topic_words`, or if `topic_words` is None.
    """
    start: list[str] = []
    while True:
        length = len(start)
        next_words = Counter(
            words[length]
            for words in texts
            if len(words) > length and words[:length] == start
        ).most_common(1)
        if not next_words:
            break
        [(word, count)] = next_words
        if count < ALIGNMENT.common_words_share * len(texts):
            break
        letters = _letters(word)
        may_be_name = length > 0 or topic_words is None or letters in topic_words
        # Names may be parts of values.
        if letters[:1].isupper() and may_be_name:
            break
        start.append(word)
    return start if any(map(_letters, start)) else []


def _expression(words: Sequence[str]) -> frozenset[str]:
    """Return a set with one regular expression for the whole sequence of words. Return
    an empty set if there are no words.
    """
    return frozenset({" ".join(words)} if words else ())


def _end_names(last_words: Sequence[str], texts: Iterable[AnnotatedText]) -> bool:
    """Return whether the words that end all texts are parts of names, such as "Str." in
    "Mill Str.".

    `last_words` has these words as regular expressions, the last word first.
    """
    if last_words[:1] == [_NUMBER]:
        ends = ("".join(annotated.text.split()[-1:]) for annotated in texts)
        return len(set(filter(re.compile(_NUMBER).fullmatch, ends))) > 1
    return len(last_words) == 1 and _ABBREVIATION.fullmatch(last_words[0]) is not None
