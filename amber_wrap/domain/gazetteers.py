"""Read the word lists of a domain (AMBER paper, section 4), among them learned words.

`learned/location.txt` has the words that were learned for the type `location`.
`learned/location.rejected.txt` has the words that must not be learned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import Final

from amber_wrap.domain.schema import (
    AttributeType,
    Domain,
    Gazetteer,
    Schema,
    ValueKind,
)
from amber_wrap.domain.toml_and_text_files import (
    RAISE_AT_ONCE,
    Problems,
    SourceFile,
    read_domain_file,
    unknown_name_message,
)

LEARNED_FOLDER: Final = "learned"
"""The subfolder of a domain folder that has the lists of learned terms."""
REJECTED: Final = ".rejected"
"""The end of the name of a file of rejected terms, before ".txt"."""
SOURCE: Final = "learned by amber-wrap"
"""The text in a list of learned terms that says where the terms come from."""
_GAZETTEER = "gazetteer:"
"""The start of the name of a pattern for a word list."""
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


@dataclass(frozen=True, slots=True)
class LearnedLists:
    """The words that were learned from pages, and the words that must not be learned.

    Both fields are dicts from an attribute type, such as "location", to words.
    """

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rejected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def learnable(schema: Schema) -> Iterator[AttributeType]:
    """Yield the attribute types that can learn words from pages.

    They are the types whose values are texts, and which have a word list.
    """
    for kind in schema.types:
        if kind.kind is ValueKind.TEXT and kind.gazetteers:
            yield kind


def read_lists(folder: Path, schema: Schema, is_own: bool = True) -> LearnedLists:
    """Return the words that were learned, and the words that were rejected, in a domain
    folder.

    Raise DomainError for a malformed file. If `is_own`, raise DomainError also for a
    list of a type that can't learn words.
    """
    known = sorted(kind.name for kind in learnable(schema))
    terms: dict[str, tuple[str, ...]] = {}
    rejected: dict[str, tuple[str, ...]] = {}
    for path in sorted((folder / LEARNED_FOLDER).glob("*.txt")):
        file = read_domain_file(folder, path)
        name = path.stem.removesuffix(REJECTED)
        if name not in known:
            if not is_own:
                continue
            file.fail(1, unknown_name_message("type with a gazetteer", name, known))
        terms_by_type = rejected if path.stem.endswith(REJECTED) else terms
        terms_by_type[name] = read_gazetteer(name, file, may_be_empty=True).terms
    return LearnedLists(terms, rejected)


def with_lists(domain: Domain, lists: LearnedLists) -> Domain:
    """Return the domain with learned words added and rejected words removed.

    A domain is a kind of records, with word lists, such as towns, for its types.
    """
    for kind in domain.schema.types:
        if rejected := lists.rejected.get(kind.name):
            domain = _without_rejected_terms(domain, kind.name, rejected)
        if terms := lists.terms.get(kind.name):
            domain = _with_learned_terms(domain, kind.name, terms)
    return domain


def _without_rejected_terms(
    domain: Domain, type_name: str, rejected: Collection[str]
) -> Domain:
    """Return the domain without rejected words in the word lists of a type.

    Other types that use the same lists keep the words.
    """
    rejected_folds = {term.casefold() for term in rejected}
    names: list[str] = []
    gazetteers, locales = dict(domain.gazetteers), dict(domain.locales)
    for name in domain.schema[type_name].gazetteers:
        gazetteer = domain.gazetteers[name]
        remaining_terms = tuple(
            term for term in gazetteer.terms if term.casefold() not in rejected_folds
        )
        user_count = sum(name in kind.gazetteers for kind in domain.schema.types)
        new_name = name
        if user_count > 1 and len(remaining_terms) < len(gazetteer.terms):
            new_name = f"{name}_{type_name}"
            if gazetteer_locales := locales.get(gazetteer_pattern(name)):
                locales[gazetteer_pattern(new_name)] = gazetteer_locales
        gazetteers[new_name] = replace(gazetteer, name=new_name, terms=remaining_terms)
        names.append(new_name)
    return _with_gazetteers(domain, type_name, names, gazetteers, locales)


def _with_learned_terms(
    domain: Domain, type_name: str, terms: Collection[str]
) -> Domain:
    """Return the domain with learned words added to a type, as a further word list."""
    learned_name = f"{LEARNED_FOLDER}_{type_name}"
    gazetteers = dict(domain.gazetteers)
    own_names = domain.schema[type_name].gazetteers
    other_names = [name for name in own_names if name != learned_name]
    known_terms = {term for name in other_names for term in gazetteers[name].terms}
    old_terms = gazetteers[learned_name].terms if learned_name in gazetteers else ()
    new_terms = dict.fromkeys((*old_terms, *terms))
    learned_terms = tuple(term for term in new_terms if term not in known_terms)
    gazetteers[learned_name] = Gazetteer(learned_name, learned_terms, SOURCE, "")
    names = (*other_names, learned_name)
    return _with_gazetteers(domain, type_name, names, gazetteers, domain.locales)


def _with_gazetteers(
    domain: Domain,
    type_name: str,
    names: Collection[str],
    gazetteers: Mapping[str, Gazetteer],
    locales: Mapping[str, tuple[str, ...]],
) -> Domain:
    """Return the domain with other word lists for a type.

    `names` are the names of the type's new word lists, and `gazetteers` has all word
    lists by name. The patterns of the new lists are made again.
    """
    types = tuple(
        replace(kind, gazetteers=tuple(names)) if kind.name == type_name else kind
        for kind in domain.schema.types
    )
    learned = gazetteers.get(f"{LEARNED_FOLDER}_{type_name}")
    learned_terms = learned.terms if learned else ()
    patterns = dict(domain.patterns)
    for name in names:
        pattern_name = gazetteer_pattern(name)
        if pattern_name in patterns:
            terms = (*gazetteers[name].terms, *learned_terms)
            patterns[pattern_name] = as_regex(replace(gazetteers[name], terms=terms))
    return replace(
        domain,
        schema=replace(domain.schema, types=types),
        patterns=patterns,
        gazetteers=gazetteers,
        locales=locales,
    )
