"""Turn word lists into regular expressions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby

from amber_wrap.domain.schema import Gazetteer

_GAZETTEER = "gazetteer:"
"""The start of the name of a pattern for a word list."""


def as_regex(gazetteer: Gazetteer) -> str:
    """Return a regular expression for the words of a list, without word boundaries.

    A word in lower case matches in any casing. Any other word matches as written or in
    capitals.
    """
    runs = groupby(
        _terms_by_letter(gazetteer),
        lambda term: (term[0].casefold(), term == term.lower()),
    )
    return "|".join(
        _any_casing(list(terms)) if is_lower else "|".join(map(_as_written, terms))
        for (_, is_lower), terms in runs
    )


def whole_words(gazetteer: Gazetteer) -> str:
    """Return a regular expression for the words of a list, between word boundaries.

    The words match in any casing.
    """
    runs = groupby(_terms_by_letter(gazetteer), lambda term: term[0].casefold())
    terms_regex = "|".join(_any_casing(list(terms)) for _, terms in runs)
    return rf"(?<!\w)(?:{terms_regex})(?!\w)"


def _terms_by_letter(gazetteer: Gazetteer) -> list[str]:
    """Return the words of a list, sorted by first letter.

    Of the words with the same first letter, longer ones come first.
    """
    return sorted(
        gazetteer.terms, key=lambda term: (term[0].casefold(), -len(term), term)
    )


def _any_casing(terms: Sequence[str]) -> str:
    """Return a regular expression for words with the same first letter, in any casing.

    For example, return `[fF](?i:arm house|lat)` for "farm house" and "flat".
    """
    first = terms[0][0].lower()
    if len(first.upper()) > 1:  # "ß" in capitals is "SS".
        return f"(?i:{'|'.join(map(_escape, terms))})"
    letters = _escape(first) if first == first.upper() else f"[{first}{first.upper()}]"
    return f"{letters}(?i:{'|'.join(_escape(term[1:]) for term in terms)})"


def _as_written(term: str) -> str:
    """Return a regular expression that matches a term as written or in capitals."""
    return "|".join(_escape(form) for form in dict.fromkeys((term, term.upper())))


def _escape(term: str) -> str:
    """Return a regular expression for exactly this text. Blanks aren't escaped."""
    return re.escape(term).replace("\\ ", " ")


def gazetteer_pattern(name: str) -> str:
    """Return the name of the pattern for a word list, such as "gazetteer:city"."""
    return f"{_GAZETTEER}{name}"


def is_gazetteer(recogniser: str) -> bool:
    """Return whether `recogniser` is the name of a word list's pattern.

    Such a name begins with "gazetteer:", as in "gazetteer:city".
    """
    return recogniser.startswith(_GAZETTEER)
