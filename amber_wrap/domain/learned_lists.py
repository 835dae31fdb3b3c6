"""Add learned words to the word lists of a domain, and leave out rejected words."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from amber_wrap.domain.gazetteer_patterns import as_regex, gazetteer_pattern
from amber_wrap.domain.gazetteers import read_gazetteer
from amber_wrap.domain.schema import AttributeType, Domain, Gazetteer, Schema, ValueKind
from amber_wrap.domain.toml_and_text_files import read_domain_file, unknown_name_message

LEARNED_FOLDER: Final = "learned"
"""The subfolder of a domain folder that has the lists of learned terms."""

REJECTED: Final = ".rejected"
"""The end of the name of a file of rejected terms, before ".txt"."""

SOURCE: Final = "learned by amber-wrap"
"""The text in a list of learned terms that says where the terms come from."""


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
