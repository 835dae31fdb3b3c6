"""Detect unstable names, which no XPath expression should test.

Unstable names change with each build, state or item (Leotta et al. 2016, ROBULA+).
Generated names, utility classes, states and numbers are unstable.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from amber_wrap.dom.utility_classes import utility_kind
from amber_wrap.selectors.gibberish import (
    SEPARATORS,
    SHORTEST_WORD,
    WORDS,
    is_hash,
    is_random,
)
from amber_wrap.values.texts_and_urls import DIGIT, LETTER

CLASS = "class"
"""The name of the HTML attribute for classes."""
HASHED, NUMERIC = "hashed", "numeric"
"""Codes of reasons why a name is unstable: the name looks generated, or contains a
number that probably identifies one item or page."""
CACHED = 1 << 16
"""The greatest number of names for which a function of this module caches its
results."""

MAYBE_GENERATED = re.compile(
    r"[\dA-Z:«]|^_|^(?:css|mui|sc|svelte|astro|ng|r|data-v|s|v)-"
)
"""A regular expression that matches every generated name. Names without a match needn't
be compared with the slower patterns."""
LETTER_AND_NUMBER = re.compile(r"_*(?!h[1-6]$|v\d$)[A-Za-z]\d+_*")
"""Matches a class or id of one letter and a number, except headings (`h2`) and versions
(`v1`)."""
_NUMBER = re.compile(r"\d{4,}|(?<![^\W_])\d{3}(?![^\W_])")
"""Matches a number in a class or id that may identify one item: at least four digits,
or three digits that stand alone."""
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.IGNORECASE)
HEXADECIMAL = re.compile(
    r"(?<![^\W_])(?=[a-f]*\d)[0-9a-f]{8,}(?![^\W_])", re.IGNORECASE
)
MODIFIER = "--"
"""The separator before a modifier in class names by the BEM convention, as in
`card--new`."""
SHORTEST_STEM = 4
"""The least number of letters of a stem: the words at the start of a generated
class."""


@dataclass(frozen=True, slots=True)
class Veto:
    """The reason why an XPath expression should not test for a class or an id.

    `code` is "hashed", "utility", "numeric" or "state". `reason` is a text for people.
    """

    code: str
    reason: str


@lru_cache(maxsize=CACHED)
def veto(word: str, attribute: str) -> Veto | None:
    """Return the reason why no expression should test an HTML attribute for a word.

    Return None if there is no reason. `word` is a class token, or the whole value of
    another attribute. Utility classes and states are only found in the class attribute.
    """
    if framework_and_stem := _framework_and_stem(word, attribute):
        framework, _ = framework_and_stem
        return Veto(
            HASHED,
            f"`{word}` is a name that {framework} generates: it changes with "
            "each build",
        )
    if attribute == CLASS and (kind := utility_kind(word)):
        return Veto(
            "utility",
            f"`{word}` is a utility class ({kind}): it says how an element looks, not "
            "what it is",
        )
    if number := _item_number(word):
        return Veto(
            NUMERIC,
            f"`{word}` contains `{number}`: a number that probably belongs to one item",
        )
    if LETTER_AND_NUMBER.fullmatch(word):
        return Veto(HASHED, f"`{word}` is a letter and a number: it has no meaning")
    if part := next(filter(is_random, SEPARATORS.split(word)), None):
        return Veto(
            HASHED,
            f"`{word}` contains `{part}`, which looks random: it changes with "
            "each build or item",
        )
    if attribute == CLASS and _is_state(word):
        return Veto(
            "state",
            f"`{word}` is a state: it says how an element is now or where it stands, "
            "not what it is",
        )
    return None


@lru_cache(maxsize=CACHED)
def stem(token: str) -> str | None:
    """Return the words at the start of a generated or numbered class.

    For example, return `PropertyPrice_price` for `PropertyPrice_price__VL65t`, and
    `item` for `item-48213`. Return None for a utility class, for a name that consists
    of words, and for words with fewer than four letters in all.
    """
    if utility_kind(token):
        return None
    framework_and_stem = _framework_and_stem(token, CLASS)
    written = token if framework_and_stem is None else framework_and_stem[1]
    end = 0
    for part in re.finditer(r"[^\W_]+", written):
        letters = re.match(r"[^\W\d_]+", part[0])
        if is_random(part[0]) or letters is None:
            break
        is_whole = letters[0] == part[0]
        if is_whole or _has_vowel(letters[0].lower()):
            end = part.start() + letters.end()
        if not is_whole:
            break
    words = written[:end]
    return words if words != token and _is_meaningful(words) else None


def has_content_word(words: Sequence[str]) -> bool:
    """Return whether a name describes the content of an element, such as "price".

    `words` are the words of the name in lower case. One of them must look like a full
    word, and must not be a word for an appearance ("small") or a generic element
    ("box"). A name that ends with a number must have two such words.
    """
    appearances, generic = _words("looks")["looks"], _words("looks")["generic"]
    content_words = [
        word
        for word in words
        if word not in generic
        and not _is_appearance(word, appearances)
        and _is_word(word)
    ]
    return len(content_words) >= (2 if words[-1].isdigit() else 1)


def has_generic_word(words: Sequence[str]) -> bool:
    """Return whether one of a name's lower-case words is generic.

    A generic word may name any element, for example "value" in `body-value`.
    """
    return not _words("looks")["generic"].isdisjoint(words)


def has_plain_word(words: Sequence[str]) -> bool:
    """Return whether one of a name's lower-case words describes the content of an
    element.

    The word must have at least three letters, one of them a vowel or beyond ASCII. It
    must not be a generic word such as "box".
    """
    generic = _words("looks")["generic"]
    return any(word not in generic and _is_word(word) for word in words)


def describes_looks(words: Sequence[str]) -> bool:
    """Return whether at least half of a name's lower-case words describe an
    appearance."""
    appearances = _words("looks")["looks"]
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
    return word.isalpha() and len(word) >= SHORTEST_WORD and _has_vowel(word)


def _has_vowel(letters: str) -> bool:
    """Return whether lower-case letters contain a vowel or a letter beyond ASCII."""
    return any(c in "aeiouy" or not c.isascii() for c in letters)


def _is_meaningful(class_stem: str) -> bool:
    """Return whether the stem of a class (the words at its start) may have a meaning.

    The stem must have at least four letters and a vowel, and must not be the name of a
    framework.
    """
    letters = "".join(filter(str.isalpha, class_stem.casefold()))
    is_framework = class_stem.casefold() in _words("generated")["makers"]
    return len(letters) >= SHORTEST_STEM and not is_framework and _has_vowel(letters)


@lru_cache(maxsize=CACHED)
def _framework_and_stem(word: str, attribute: str) -> tuple[str, str] | None:
    """Return the framework that generated a name, and the part of the name that people
    wrote.

    `word` is the name, and `attribute` is the HTML attribute that contains it. For
    example, the part is `Teaser_title` for `Teaser_title__x7Ym`. The part is "" if
    people wrote no part. Return None if no framework generated the name.
    """
    if MAYBE_GENERATED.search(word) is None:
        return None
    for framework, pattern in _generated_names(attribute):
        match = pattern.fullmatch(word)
        if match is None:
            continue
        groups = match.groupdict()
        hash_part = groups.get("hash")
        if hash_part is None or is_hash(hash_part):
            return framework, groups.get("stem") or ""
    return None


def _item_number(word: str) -> str | None:
    """Return the number in a name if the number probably identifies one item.

    Return None otherwise.
    """
    if DIGIT.search(word) is None:
        return None
    for pattern in (UUID, HEXADECIMAL, _NUMBER):
        if match := pattern.search(word):
            return match[0]
    return None if LETTER.search(word) else word


def _is_state(token: str) -> bool:
    """Return whether a class is a state, for example `active`, `is-open`, `row-odd` or
    `card--new`."""
    lists = _words("state")
    states, marks, items = lists["states"], lists["marks"], lists["items"]
    name = token.casefold()
    if name in states or name in marks or name in lists["alone"]:
        return True
    words = [word.casefold() for word in WORDS.findall(token)]
    if len(words) < 2 or words[0] in lists["hooks"]:
        return False
    if words[0] in lists["prefixes"] or words[-1] in states:
        return True
    if words[0] in states | marks and len(words) == 2 and words[1] in items:
        return True
    if words[-1] not in marks:
        return False
    is_modifier = name.rpartition(MODIFIER)[2] == words[-1]
    return words[-2] in items or (is_modifier and words[-2] not in lists["names"])


@cache
def _generated_names(attribute: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return pairs (framework, regular expression) for generated names in an HTML
    attribute."""
    return tuple(
        (entry["by"], re.compile(entry["pattern"], re.VERBOSE))
        for entry in _data("generated")["name"]
        if attribute in entry.get("within", attribute).split()
    )


@cache
def _words(name: str) -> dict[str, frozenset[str]]:
    """Return a dictionary of the word lists in a data file, by the names of the lists.

    `name` is the name of the file without the extension.
    """
    return {
        key: frozenset(words.split())
        for key, words in _data(name).items()
        if isinstance(words, str)
    }


@cache
def _data(name: str) -> dict[str, Any]:
    """Return the content of `data/NAME.toml`."""
    path = files(__package__).joinpath(f"data/{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))
