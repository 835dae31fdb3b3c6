"""Split displayed values into terms: components(n) of AMBER, section 4."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from amber_wrap.learning.thresholds import LEARNING

_SEPARATOR: Final = re.compile(r"[,;|/·•●▪›»→()\[\]{}\"“”]| [-–—~:] |[–—]| {2,}|\n")
_LABEL: Final = re.compile(r"^[^:]{1,25}: ?(?!//)")
_TERM: Final = re.compile(r"[^\W_](?:[^\W_]|[ '’.&-](?=[^ ]))*\.?")
_NUMBER: Final = re.compile(r"^\d[\w-]* |(?<=\w) \d[\w-]*$")


def split_terms(text: str) -> tuple[str, ...]:
    """Return the terms of a displayed value, in order, each once.

    "Oxford, Walton Street, ground-floor apartment" has three terms. A label before a
    colon is left out.
    """
    parts = (part.strip(" .:-") for part in _SEPARATOR.split(_LABEL.sub("", text)))
    return tuple(dict.fromkeys(filter(None, parts)))


def cut_out(text: str, others: Iterable[str]) -> str:
    """Return a text with each occurrence of the texts `others` replaced by " | "."""
    for other in others:
        if other:
            text = text.replace(other, " | ")
    return text


def holds(text: str, term: str) -> bool:
    """Return whether a text holds a term as whole words, in any casing."""
    words = rf"(?<!\w){re.escape(term)}(?!\w)"
    return re.search(words, text, re.IGNORECASE) is not None


@dataclass(frozen=True, slots=True)
class TermVocabulary:
    """The spelling of a type's known terms; terms with another spelling aren't learned.

    A term has at most `words` words. A term may have digits only if `digits`. If
    `capitalised`, a term must begin with a capital. If `lower`, terms are put in lower
    case.
    """

    words: int = LEARNING.words
    digits: bool = True
    capitalised: bool = False
    lower: bool = False

    @classmethod
    def like(cls, terms: Iterable[str]) -> TermVocabulary:
        """Return the vocabulary that describes the spelling of known terms."""
        terms = tuple(terms)
        if not terms:
            return cls()
        enough = LEARNING.mostly * len(terms)
        return cls(
            words=max(LEARNING.words, *(len(term.split()) for term in terms)),
            digits=sum(map(_has_digit, terms)) > LEARNING.digits * len(terms),
            capitalised=sum(term[0].isupper() for term in terms) >= enough,
            lower=sum(term == term.lower() for term in terms) >= enough,
        )

    def of(self, terms: Iterable[str]) -> Iterator[str]:
        """Yield each of the given terms that may be learned, spelled as in a list.

        If the known terms have no digits, numbers at either end are cut off: "Walton
        Street" is learned from "12 Walton Street".
        """
        for term in terms:
            bare = term if self.digits else _NUMBER.sub("", term)
            if self.admits(bare):
                yield self.spelling(bare)

    def admits(self, term: str) -> bool:
        """Return whether a term may be learned.

        The length and the characters of a term are always limited, since pages are
        untrusted.
        """
        return (
            2 <= len(term) <= LEARNING.longest_term
            and len(term.split()) <= self.words
            and any(c.isalpha() for c in term)
            and _TERM.fullmatch(term) is not None
            and (self.digits or not _has_digit(term))
            and not (self.capitalised and term[0].islower())
        )

    def spelling(self, term: str) -> str:
        """Return a term as a list would hold it: "Walton Street" for "WALTON STREET".

        The term is put in lower case if the known terms are in lower case.
        """
        if self.lower:
            return term.lower()
        return " ".join(_title(term)) if _is_shouted(term) else term


def _is_shouted(term: str) -> bool:
    """Return whether a term is in capitals and has more than three letters."""
    return term.isupper() and sum(c.isalpha() for c in term) > 3


def _title(term: str) -> Iterator[str]:
    for word in term.split(" "):
        yield "-".join(part[:1] + part[1:].lower() for part in word.split("-"))


def _has_digit(term: str) -> bool:
    return any(c.isdigit() for c in term)
