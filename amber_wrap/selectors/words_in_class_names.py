"""Decide whether the words of a class describe content, or only looks."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from amber_wrap.selectors.gibberish import SHORTEST_WORD
from amber_wrap.selectors.word_lists import word_lists


def has_content_word(words: Sequence[str]) -> bool:
    """Return whether a name, such as a class, describes the content of an element.

    `words` are the words of the name in lower case.
    """
    appearances, generic = word_lists("looks")["looks"], word_lists("looks")["generic"]
    content_words = [
        word
        for word in words
        if word not in generic
        and not _is_appearance(word, appearances)
        and _is_word(word)
    ]
    return len(content_words) >= (2 if words[-1].isdigit() else 1)


def has_generic_word(words: Sequence[str]) -> bool:
    """Return whether a name, such as a class, has a generic word, such as "box".

    `words` are the words of the name in lower case.
    """
    return not word_lists("looks")["generic"].isdisjoint(words)


def has_plain_word(words: Sequence[str]) -> bool:
    """Return whether a name, such as a class, has a word that isn't generic.

    `words` are the words of the name in lower case. An example of a generic word is
    "box".
    """
    generic = word_lists("looks")["generic"]
    return any(word not in generic and _is_word(word) for word in words)


def describes_looks(words: Sequence[str]) -> bool:
    """Return whether at least half of the words of a name describe an appearance.

    `words` are the words of a name, such as a class, in lower case.
    """
    appearances = word_lists("looks")["looks"]
    return 2 * sum(_is_appearance(word, appearances) for word in words) >= len(words)


def _is_appearance(word: str, appearances: Collection[str]) -> bool:
    """Return whether a word is one of the `appearances`, or composed of two of them,
    for example `small` or `smalltext`."""
    return word in appearances or any(
        word[:i] in appearances and word[i:] in appearances
        for i in range(2, len(word) - 1)
    )


def _is_word(word: str) -> bool:
    """Return whether a string may be a word.

    A word has at least three letters, one of them a vowel or a letter beyond ASCII.
    """
    return word.isalpha() and len(word) >= SHORTEST_WORD and has_vowel(word)


def has_vowel(letters: str) -> bool:
    """Return whether lower-case letters contain a vowel or a letter beyond ASCII."""
    return any(c in "aeiouy" or not c.isascii() for c in letters)
