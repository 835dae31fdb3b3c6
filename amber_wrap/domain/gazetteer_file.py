"""Gazetteers: text files with a term a line (AMBER, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.source_file import SourceFile, read_source

_HEADER = re.compile(r"#\s*(source|licence|locale)\s*:\s*(\S.*)")
_LOCALE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")


def read_gazetteers(folder: Path) -> dict[str, Gazetteer]:
    """The gazetteers of a domain folder, by name; raises DomainError.

    `fuels.de.txt` holds the variant `fuels_de` of the gazetteer `fuels`.
    """
    names = {
        path: path.stem.replace(".", "_")
        for path in sorted((folder / "gazetteers").glob("*.txt"))
    }
    return {
        name: _read(name, read_source(folder, path)) for path, name in names.items()
    }


def _read(name: str, file: SourceFile) -> Gazetteer:
    header: dict[str, str] = {}
    terms: list[str] = []
    for line in file.text.split("\n"):
        term = line.strip()
        if not term.startswith("#"):
            terms.append(term)
        elif found := _HEADER.fullmatch(term):
            header.setdefault(found[1], found[2])
    terms = list(filter(None, terms))
    # At one go: the lists have thousands of terms.
    together = "|".join(terms)
    if (
        not together.isprintable()
        or "  " in together
        or len(set(together.casefold().split("|"))) < len(terms)
    ):
        _check_terms(file)
    for key in ("source", "licence"):
        if key not in header:
            file.fail(1, f"nothing says the {key}: begin the file with '# {key}: ...'")
    if not terms:
        file.fail(1, "the gazetteer is empty: write one term a line")
    locales = tuple(filter(None, header.get("locale", "").split(", ")))
    for locale in locales:
        if not _LOCALE.fullmatch(locale):
            file.fail(
                1,
                f"{locale!r} is no locale: write a language ('de') or one in a "
                "country ('de-AT'), and ', ' between two",
            )
    return Gazetteer(name, tuple(terms), header["source"], header["licence"], locales)


def _check_terms(file: SourceFile) -> None:
    """Fail at the first term that can't be right."""
    lines: dict[str, int] = {}
    for number, line in enumerate(file.text.split("\n"), 1):
        term = line.strip()
        if not term or term.startswith("#"):
            continue
        if not term.isprintable():
            file.fail(
                number,
                f"{term!r} holds a control character or an unusual blank: write plain "
                "text",
            )
        if "  " in term:
            file.fail(number, f"{term!r} holds two blanks in a row: write one")
        first = lines.setdefault(term.casefold(), number)
        if first != number:
            file.fail(number, f"{term!r} stands in line {first} already: drop one")


def as_regex(gazetteer: Gazetteer) -> str:
    """A regular expression for the terms, in the casings that they stand for.

    At each place the longest term wins.  Word boundaries are the caller's to add.
    """
    # By first letters, which `re` tells apart fast.
    terms = sorted(gazetteer.terms, key=lambda t: (t[0].casefold(), -len(t), t))
    runs = groupby(terms, lambda term: (term[0].casefold(), term == term.lower()))
    return "|".join(
        _any_casing(list(run)) if any_casing else "|".join(map(_as_written, run))
        for (_, any_casing), run in runs
    )


def whole_words(gazetteer: Gazetteer) -> str:
    """A regular expression, in any casing, for the terms as whole words.

    It is for wrappers: plain, since people read it, and without the casing rule, since
    a wrapper looks for a term where its type is known to be.
    """
    terms = sorted(gazetteer.terms, key=lambda term: (-len(term), term))
    return rf"(?<!\w)(?i:{'|'.join(map(_escape, terms))})(?!\w)"


def _any_casing(terms: Sequence[str]) -> str:
    """The terms, which begin with the same letter, in whatever casing."""
    first = terms[0][0]
    letters = _escape(first) if first == first.upper() else f"[{first}{first.upper()}]"
    return f"{letters}(?i:{'|'.join(_escape(term[1:]) for term in terms)})"


def _as_written(term: str) -> str:
    """The term as it is and in capitals."""
    return "|".join(_escape(form) for form in dict.fromkeys((term, term.upper())))


def _escape(term: str) -> str:
    return re.escape(term).replace("\\ ", " ")
