"""Read the word lists of a domain (AMBER paper, section 4)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.toml_and_text_files import (
    RAISE_AT_ONCE,
    Problems,
    SourceFile,
    read_domain_file,
    unknown_name_message,
)

_HEADER = re.compile(r"#\s*(source|licence|locale)\s*:\s*(\S.*)")

_INHERITED = re.compile(r"^#\s*inherited\s*:", re.MULTILINE)

_LOCALE = re.compile(r"[a-z]{2,3}(?:-[A-Z]{2})?")


def read_gazetteers(
    folder: Path,
    inherited: Mapping[str, Gazetteer] = MappingProxyType({}),
    problems: Problems = RAISE_AT_ONCE,
) -> dict[str, Gazetteer]:
    """Return the word lists of a domain folder, by name: `fuels_de` for `fuels.de.txt`.

    A file may add to the list of the same name in `inherited`. Raise DomainError for an
    unreadable or malformed file, unless `problems` collects the errors.
    """
    gazetteers: dict[str, Gazetteer] = {}
    for path in sorted((folder / "gazetteers").glob("*.txt")):
        with problems.collecting():
            file = read_domain_file(folder, path)
            name = gazetteer_name(path)
            gazetteer = read_gazetteer(name, file, problems)
            if comment := _INHERITED.search(file.text):
                line = file.text.count("\n", 0, comment.start()) + 1
                gazetteer = _with_inherited_terms(gazetteer, inherited, file, line)
            gazetteers[name] = gazetteer
    return gazetteers


def gazetteer_name(path: Path) -> str:
    """Return the name of the word list in a file: `fuels_de` for `fuels.de.txt`."""
    return path.stem.replace(".", "_")


def _with_inherited_terms(
    gazetteer: Gazetteer,
    inherited: Mapping[str, Gazetteer],
    file: SourceFile,
    line: int,
) -> Gazetteer:
    """Return a word list with the words of the inherited list of the same name added.

    The file asks for this by the comment `# inherited: keep` in line `line`. Raise
    DomainError for a comment with another word, or if no such list is inherited.
    """
    if "keep" not in file.text.split("\n")[line - 1].split():
        file.fail(line, "write '# inherited: keep' to add to the inherited terms")
    name = gazetteer.name
    if name not in inherited:
        known = sorted(inherited)
        file.fail(line, unknown_name_message("inherited gazetteer", name, known))
    base = inherited[name]
    terms = {term.casefold(): term for term in (*base.terms, *gazetteer.terms)}
    return Gazetteer(
        name,
        tuple(terms.values()),
        source="; ".join(dict.fromkeys((base.source, gazetteer.source))),
        licence="; ".join(dict.fromkeys((base.licence, gazetteer.licence))),
        locales=gazetteer.locales or base.locales,
    )


def read_gazetteer(
    name: str,
    file: SourceFile,
    problems: Problems = RAISE_AT_ONCE,
    may_be_empty: bool = False,
) -> Gazetteer:
    """Return the word list in a file.

    Raise DomainError if the file is malformed, or lacks its source or its licence. Also
    raise DomainError for a list without words, unless `may_be_empty` is true. Faulty
    words raise no error if `problems` collects the errors.
    """
    header, terms, are_well_formed = _header_and_terms(file.text)
    if not are_well_formed:
        _check_terms(file, problems)
    for key in ("source", "licence"):
        if key not in header:
            file.fail(1, f"the {key} is missing: begin the file with '# {key}: ...'")
    if not terms and not may_be_empty:
        file.fail(1, "the gazetteer is empty: write one term per line")
    locales = tuple(filter(None, header.get("locale", "").split(", ")))
    for locale in locales:
        if not _LOCALE.fullmatch(locale):
            file.fail(
                1,
                f"{locale!r} is not a locale: write a language ('de'), or a language "
                "and a country ('de-AT'), and separate locales by ', '",
            )
    return Gazetteer(name, terms, header["source"], header["licence"], locales)


@lru_cache(maxsize=1 << 8)
def _header_and_terms(text: str) -> tuple[Mapping[str, str], tuple[str, ...], bool]:
    """Return the header of a word list, its words, and whether all words are valid.

    The header has the keys "source", "licence" and "locale".
    """
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    terms = tuple(line for line in lines if line[0] != "#")
    header: dict[str, str] = {}
    for line in lines if len(terms) < len(lines) else ():
        if line[0] == "#" and (entry := _HEADER.fullmatch(line)):
            header.setdefault(entry[1], entry[2])
    # All terms are checked at once, because some lists have thousands of them.
    joined_terms = "|".join(terms)
    are_well_formed = (
        joined_terms.isprintable()
        and "  " not in joined_terms
        and len(set(joined_terms.casefold().split("|"))) >= len(terms)
    )
    return header, terms, are_well_formed


def _check_terms(file: SourceFile, problems: Problems) -> None:
    """Raise DomainError for a malformed or repeated word in a word list."""
    first_lines: dict[str, int] = {}
    for line, term in numbered_terms(file):
        first_line = first_lines.setdefault(term.casefold(), line)
        with problems.collecting():
            if fault := _term_fault(term, first_line if first_line != line else 0):
                file.fail(line, f"{term!r} {fault}")


def numbered_terms(file: SourceFile) -> Iterator[tuple[int, str]]:
    """Yield each word in the file of a word list, as (line number from 1, word)."""
    for number, line in enumerate(file.text.split("\n"), 1):
        term = line.strip()
        if term and not term.startswith("#"):
            yield number, term


def _term_fault(term: str, first_line: int) -> str:
    """Return the fault of a word in a word list, or "" if there is none.

    `first_line` is the number of an earlier line with the same word, or 0.
    """
    if not term.isprintable():
        return "has a control character or an unusual space: use plain text"
    if "  " in term:
        return "has two spaces in a row: use one"
    return f"is already in line {first_line}: delete one" if first_line else ""
