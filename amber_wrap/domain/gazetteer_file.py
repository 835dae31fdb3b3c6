"""Gazetteers: text files with a term a line (AMBER, section 4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path

from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.source_file import SourceFile, read_source

_HEADER = re.compile(r"#\s*(source|licence)\s*:\s*(\S.*)")


def read_gazetteers(folder: Path) -> dict[str, Gazetteer]:
    """The gazetteers of a domain folder, by name; raises DomainError."""
    return {
        path.stem: _read(path.stem, read_source(folder, path))
        for path in sorted((folder / "gazetteers").glob("*.txt"))
    }


def _read(name: str, file: SourceFile) -> Gazetteer:
    header: dict[str, str] = {}
    lines: dict[str, int] = {}
    terms: list[str] = []
    for number, line in enumerate(file.text.split("\n"), 1):
        term = line.strip()
        if term.startswith("#"):
            if found := _HEADER.fullmatch(term):
                header.setdefault(found[1], found[2])
        elif term:
            _check_term(file, number, term)
            first = lines.setdefault(term.casefold(), number)
            if first != number:
                file.fail(number, f"{term!r} stands in line {first} already: drop one")
            terms.append(term)
    for key in ("source", "licence"):
        if key not in header:
            file.fail(1, f"nothing says the {key}: begin the file with '# {key}: ...'")
    if not terms:
        file.fail(1, "the gazetteer is empty: write one term a line")
    return Gazetteer(name, tuple(terms), header["source"], header["licence"])


def _check_term(file: SourceFile, number: int, term: str) -> None:
    if not term.isprintable():
        file.fail(
            number,
            f"{term!r} holds a control character or an unusual blank: write plain text",
        )
    if "  " in term:
        file.fail(number, f"{term!r} holds two blanks in a row: write one")


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
