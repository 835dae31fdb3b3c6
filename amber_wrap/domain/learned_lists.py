"""Read the learned lists of a domain (U and its complement in AMBER, section 4).

`learned/location.txt` has terms of the type `location` that no gazetteer has.
`learned/location.rejected.txt` has terms that no gazetteer may recognise as a location.
People may edit both files, and their changes override learning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from amber_wrap.domain.gazetteer_file import as_regex, read_gazetteer
from amber_wrap.domain.pattern_file import gazetteer_pattern
from amber_wrap.domain.schema import (
    AttributeType,
    Domain,
    Gazetteer,
    Schema,
    ValueKind,
)
from amber_wrap.domain.source_file import read_domain_file, unknown

LEARNED_FOLDER: Final = "learned"
REJECTED: Final = ".rejected"
SOURCE: Final = "learned by amber-wrap"


@dataclass(frozen=True, slots=True)
class Lists:
    """The learned and the rejected terms, by attribute type."""

    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    rejected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def learnable(schema: Schema) -> Iterator[AttributeType]:
    """Yield the types whose terms can be learned: texts that gazetteers recognise."""
    for kind in schema.types:
        if kind.kind is ValueKind.TEXT and kind.gazetteers:
            yield kind


def read_lists(folder: Path, schema: Schema, is_own: bool = True) -> Lists:
    """Return the learned lists in a domain folder.

    `is_own` is False for the folder of an extended domain. Raise DomainError for a
    malformed file. Raise DomainError also for a list of a type that can't be learned,
    if `is_own`.
    """
    known = sorted(kind.name for kind in learnable(schema))
    terms: dict[str, tuple[str, ...]] = {}
    rejected: dict[str, tuple[str, ...]] = {}
    for path in sorted((folder / LEARNED_FOLDER).glob("*.txt")):
        file = read_domain_file(folder, path)
        name = path.stem.removesuffix(REJECTED)
        if name not in known and not is_own:
            continue
        if name not in known:
            file.fail(1, unknown("type with a gazetteer", name, known))
        lists = rejected if path.stem.endswith(REJECTED) else terms
        lists[name] = read_gazetteer(name, file, may_be_empty=True).terms
    return Lists(terms, rejected)


def with_lists(domain: Domain, lists: Lists) -> Domain:
    """Return the domain with the learned terms added and the rejected terms removed."""
    for kind in domain.schema.types:
        if rejected := lists.rejected.get(kind.name):
            domain = _without(domain, kind.name, rejected)
        if terms := lists.terms.get(kind.name):
            domain = _with(domain, kind.name, terms)
    return domain


def _without(domain: Domain, kind: str, rejected: Collection[str]) -> Domain:
    """Return the domain with terms removed from the gazetteers of a type.

    Other types that share a gazetteer keep the terms.
    """
    gone = {term.casefold() for term in rejected}
    names: list[str] = []
    gazetteers = dict(domain.gazetteers)
    locales = dict(domain.locales)
    for name in domain.schema[kind].gazetteers:
        full = domain.gazetteers[name]
        left = tuple(term for term in full.terms if term.casefold() not in gone)
        shared = sum(name in one.gazetteers for one in domain.schema.types) > 1
        if len(left) < len(full.terms) and shared:
            old, name = name, f"{name}_{kind}"
            if tags := locales.get(gazetteer_pattern(old)):
                locales[gazetteer_pattern(name)] = tags
        gazetteers[name] = replace(full, name=name, terms=left)
        names.append(name)
    return _relisted(domain, kind, names, gazetteers, locales)


def _with(domain: Domain, kind: str, terms: Collection[str]) -> Domain:
    """Return the domain with learned terms added to a type.

    The learned terms become a further gazetteer of the type. A pattern that contains a
    gazetteer of the type matches the learned terms, too.
    """
    name = f"{LEARNED_FOLDER}_{kind}"
    others = [one for one in domain.schema[kind].gazetteers if one != name]
    known = {term for one in others for term in domain.gazetteers[one].terms}
    had = domain.gazetteers[name].terms if name in domain.gazetteers else ()
    new = tuple(term for term in dict.fromkeys((*had, *terms)) if term not in known)
    gazetteers = dict(domain.gazetteers) | {name: Gazetteer(name, new, SOURCE, "")}
    return _relisted(domain, kind, (*others, name), gazetteers, domain.locales)


def _relisted(
    domain: Domain,
    kind: str,
    names: Collection[str],
    gazetteers: Mapping[str, Gazetteer],
    locales: Mapping[str, tuple[str, ...]],
) -> Domain:
    """Return the domain with the gazetteers `names` for the type `kind`.

    `gazetteers` and `locales` replace the domain's gazetteers and locales.
    """
    types = tuple(
        replace(one, gazetteers=tuple(names)) if one.name == kind else one
        for one in domain.schema.types
    )
    learned = gazetteers.get(f"{LEARNED_FOLDER}_{kind}")
    patterns = dict(domain.patterns)
    for name in names:
        if (pattern := gazetteer_pattern(name)) in patterns:
            own = gazetteers[name]
            extra = learned.terms if learned else ()
            patterns[pattern] = as_regex(replace(own, terms=(*own.terms, *extra)))
    return replace(
        domain,
        schema=replace(domain.schema, types=types),
        patterns=patterns,
        gazetteers=gazetteers,
        locales=locales,
    )
