"""Turn words into valid names of columns, and make names unique."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Final

from amber_wrap.columns.name_sources import (
    has_usual_word,
    is_english_field,
    usual_field,
)
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.utility_classes import is_component_class, utility_kind
from amber_wrap.domain.schema import DERIVED_KEYS, AttributeType, ValueKind
from amber_wrap.selectors.volatile_names import (
    CLASS,
    HASHED,
    NUMERIC,
    has_content_word,
    part_beside_number,
    stem,
    veto,
)

_TOKEN = re.compile(r"[A-Z]?[a-zß-ɏ]+|[A-Z]+(?![a-zß-ɏ])|\d+|[^\W\d_]+")
"""A regular expression for one word of a name, such as "read" in `readTime`."""
_LEADING_PERIOD = re.compile(r"(\d+[A-Za-z]{1,2})[\W_]+(?=[^\W\d_])")
"""A regular expression for a number with a unit at the start of a name, such as
"24h "."""
_HOOK = re.compile("js[-_]")
"""A regular expression for the start of a class such as `js-title`, by which a script
finds an element."""
UNNAMED = "text"
"""The start of the names of columns that the page has no name for, such as `text_1`."""

PERCENT = "percent"
"""The word for the sign "%" in labels."""
LATIN = "LATIN"
"""A word in the Unicode names of Latin letters, from which accents are removed."""


def distinct_names(
    columns: Sequence[Sequence[str]], taken: Collection[str]
) -> list[str]:
    """Return a unique name for each column, given its possible names in `columns`.

    The first name that no other column may have is taken. Without such a name, the
    first one is taken. If it is in `taken` or given to another column, a number is
    appended.
    """
    name_counts = Counter(name for names in columns for name in names)
    used = set(taken)
    chosen = []
    for names in columns:
        unshared = (name for name in names if name_counts[name] == 1)
        name = _unused_name(next(unshared, names[0]), used)
        used.add(name)
        chosen.append(name)
    return chosen


def names_with_free_keys(
    columns: Mapping[str, ValueKind], types: Iterable[AttributeType]
) -> dict[str, str]:
    """Return the new name of each column, by the old name.

    A number is appended to the old name if another column or a type in `types` uses one
    of its keys in the output, such as `price_currency`.
    """
    used_keys = {key for type_ in types for key in type_.keys}
    has_one_key = {name: kind not in DERIVED_KEYS for name, kind in columns.items()}
    new_names = {}
    for name in sorted(columns, key=lambda name: has_one_key[name]):
        new_name, number = name, 1
        keys = AttributeType(new_name, columns[name]).keys
        while not used_keys.isdisjoint(keys):
            number += 1
            new_name = f"{name}_{number}"
            keys = AttributeType(new_name, columns[name]).keys
        new_names[name] = new_name
        used_keys.update(keys)
    return new_names


def is_numbered(name: str, names: Collection[str]) -> bool:
    """Return whether a name consists of another name, "_" and a number, such as
    "text_2".

    The other name must be "text" (`UNNAMED`) or one of the `names`.
    """
    return unnumbered(name, names) != name


def unnumbered(name: str, names: Collection[str]) -> str:
    """Return a name without its number, such as "text" for "text_2".

    Return the name unchanged if `is_numbered` is False for it.
    """
    base, _, number = name.rpartition("_")
    has_number = number.isdecimal() and (base == UNNAMED or base in names)
    return base if has_number else name


def _unused_name(name: str, used: Collection[str]) -> str:
    """Return `name`, with a number appended if it is in `used`, as in "price_2".

    The name "text" always gets a number.
    """
    if name != UNNAMED and name not in used:
        return name
    number = 1 if name == UNNAMED else 2
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"


def snake_case_name(text: str) -> str:
    """Return a column name from the last words of a text, such as `read_time` for
    `readTime`.

    Return "" if no valid name results.
    """
    text = _without_accents(text.rpartition("__")[2])
    period = _LEADING_PERIOD.match(text)
    words = _TOKEN.findall(text[period.end() :] if period else text)
    words = [word.lower() for word in (*words, *(period.groups() if period else ()))]
    longest = COLUMN.longest_name
    while len("_".join(words)) > longest or (words and not words[0].isalpha()):
        words.pop(0)
    name = "_".join(words)
    return name if _is_long_enough(name) and not keyword.iskeyword(name) else ""


def without_block(name: str, class_names: Iterable[str]) -> str:
    """Return a class name without the first words that most of the `class_names` share,
    such as "title" for `event_card_title`.

    Return the whole name if the rest is no valid name, or if only the first words name
    a usual field.
    """
    words = name.split("_")
    others = [parts for it in class_names if len(parts := it.split("_")) > 1]
    least = max(COLUMN.least_sharing, COLUMN.half * len(others))
    length = 0
    while length < len(words) - 1:
        start = words[: length + 1]
        sharing = [it for it in others if it[: length + 1] == start != it]
        if len(sharing) < least:
            break
        length += 1
    first, rest = words[:length], words[length:]
    says_less = has_usual_word(first) and not has_usual_word(rest)
    short = snake_case_name("_".join(rest)) if has_content_word(rest) else ""
    return name if says_less or short != "_".join(rest) else short


def written_part(word: str, attribute: str) -> str:
    """Return the part of a class or other attribute value that people wrote, or "".

    For example, return `readTime` for `Teaser_readTime__x7Ym`, whose ending is
    generated.
    """
    if attribute == CLASS and (is_component_class(word) or _HOOK.match(word)):
        last = re.split("[-_]", word)[-1]
        return last if has_usual_word([last]) else ""
    doubt = veto(word, attribute)
    if doubt is None:
        return word
    if attribute != CLASS and doubt.code == NUMERIC:
        return part_beside_number(word)
    is_built = attribute == CLASS and doubt.code == HASHED
    part = (stem(word) or "").rpartition("_")[2] if is_built else ""
    return part if utility_kind(part) is None else ""


def _without_accents(text: str) -> str:
    """Return the text with accents removed from its Latin letters."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(
        unicodedata.normalize("NFKD", sign)[0]
        if LATIN in unicodedata.name(sign, "")
        else sign
        for sign in composed
    )


def _is_long_enough(name: str) -> bool:
    """Return whether a name has at least two characters or a character beyond ASCII."""
    return len(name) > 1 or not name.isascii()


def name_of_label(text: str) -> str:
    """Return the column name that a label or a header gives, or "" if it has no words
    for a name.

    A label may give the English name of a usual field, such as "price" for "Preis".
    """
    field = "" if is_english_field(text) else usual_field(text)
    words = text.replace("%", f" {PERCENT} ") if re.search(r"\w", text) else text
    return field or snake_case_name(words) or usual_field(text)


def name_of_header(text: str) -> str:
    """Return the name that the header of a table gives a column, or "".

    A header of one letter also gives a name: "W" for won matches gives "w".
    """
    letter = text.strip().lower()
    is_letter = len(letter) == 1 and letter.isalpha()
    label = "" if is_letter and letter.isascii() else name_of_label(text)
    return label or (letter if is_letter else "")


_LETTERS: Final = str.maketrans(
    dict(
        zip(
            "абвгдезиклмнопрстуфыэіјαβγδεζηικλμνξοπρσςτυφωøłđðıħŋəґђќѓћўй",
            "abvgdeziklmnoprstufyeijavgdeziiklmnxoprsstyfoolddihneggkgcuy",
            strict=True,
        )
    )
    | dict(
        letter_and_ascii.split("=")
        for letter_and_ascii in (
            "ё=yo ж=zh х=kh ц=ts ч=ch ш=sh щ=shch ъ= ь= ю=yu я=ya є=ye ї=yi љ=lj њ=nj "
            "џ=dz ѕ=dz θ=th χ=ch ψ=ps ß=ss æ=ae œ=oe þ=th"
        ).split()
    )
)
"""The ASCII letters for Cyrillic and Greek letters, and for Latin letters other than
accented ones."""


def in_ascii(names: Iterable[str]) -> list[str]:
    """Return the names in ASCII, without names that can't be transliterated.

    If no name can be transliterated, return only the name "text" (`UNNAMED`).
    """
    return list(filter(None, map(transliterated, names))) or [UNNAMED]


def transliterated(name: str) -> str:
    """Return a name in lower-case ASCII, or "" if its script can't be
    transliterated."""
    replaced = unicodedata.normalize("NFKC", name).translate(_LETTERS)
    signs = unicodedata.normalize("NFKD", replaced)
    bare = "".join(sign for sign in signs if not unicodedata.combining(sign))
    ascii_name = bare.translate(_LETTERS)
    return snake_case_name(ascii_name) if ascii_name.isascii() else ""
