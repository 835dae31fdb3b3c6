"""Load and validate the folder of a domain.

A domain is a kind of records, such as cars, with the types of their values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any, Final

from amber_wrap.domain.domain_folders import BUILT_IN_DOMAINS, DATA, find_domain
from amber_wrap.domain.domain_toml import KEYS, Definition, read_definition
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.learned_lists import read_lists, with_lists
from amber_wrap.domain.pattern_file import check_domain_patterns, regexes_of
from amber_wrap.domain.plugins import known_annotators, load_plugins, with_plugins
from amber_wrap.domain.recognisers import (
    RecogniserNoun,
    Recognisers,
    built_in_folder,
    read_recognisers,
)
from amber_wrap.domain.schema import (
    COLUMN_KINDS,
    FIGURES,
    IMAGE,
    IMAGE_ADDRESS,
    NUMBER,
    TYPE_NAME,
    AttributeType,
    Domain,
    Schema,
    Thresholds,
    ValueKind,
    annotator_pattern,
    no_type_name,
)
from amber_wrap.domain.toml_and_text_files import RAISE_AT_ONCE, Problems

_NAME: Final = re.compile(r"[A-Za-z][\w.-]*")
"""Matches a text that can be the name of a pattern or word list."""


def built_in_domains() -> tuple[str, ...]:
    """Return the names of the domains in this package, the most specific domain first.

    The last domain, "listing", is for records of any kind.
    """
    return BUILT_IN_DOMAINS


def load_domain(
    name_or_folder: str | Path,
    project_domains: Path | None = None,
    problems: Problems = RAISE_AT_ONCE,
    learned: bool = True,
) -> Domain:
    """Return the domain with the given name, or in the given folder.

    `project_domains` is the folder of the project's own domains. The words that were
    learned for the domain are left out if `learned` is false. Raise DomainError if the
    folder is missing or a file is invalid, unless `problems` collects the errors.
    """
    folder = find_domain(name_or_folder, project_domains)
    definition = read_definition(folder, project_domains)
    recognisers = read_recognisers(definition.folders(), problems)
    are_readable = not problems.messages
    thresholds = _thresholds(definition, problems)
    types = _types(definition, recognisers if are_readable else None, problems)
    disjoint = _disjoint(definition, problems)
    with problems.collecting():
        _check_pivots(definition)
    used_patterns = {
        name for kind in types for name in (*kind.patterns, *kind.weak, *kind.short)
    }
    if any(kind.kind in FIGURES and (kind.names or kind.labels) for kind in types):
        used_patterns.add(NUMBER)
    # Built-in domains are checked by tests, not at each start.
    if are_readable and folder.parent != DATA:
        with problems.collecting():
            check_domain_patterns(
                recognisers.patterns, recognisers.gazetteers, used_patterns, problems
            )
    plugins = load_plugins(definition, types, problems)
    problems.raise_first()
    used_gazetteers = {name for kind in types for name in kind.gazetteers}
    used_names = (*used_patterns, *map(gazetteer_pattern, used_gazetteers))
    domain = Domain(
        name=folder.name,
        title=definition.own_layer.file.get(folder.name, "title"),
        extends=tuple(layer.folder.name for layer in definition.layers[1:]),
        schema=Schema(types, definition.pivots(), disjoint),
        thresholds=thresholds,
        patterns=regexes_of(recognisers.patterns, recognisers.gazetteers, used_patterns)
        | _patterns_of_images(types),
        gazetteers={
            name: recognisers.gazetteers[name] for name in sorted(used_gazetteers)
        },
        locales={
            name: locales
            for name, locales in sorted(recognisers.locales.items())
            if name in used_names
        },
    )
    for layer_folder in definition.folders():
        is_own = layer_folder == folder
        if learned or not is_own:
            lists = read_lists(layer_folder, domain.schema, is_own)
            domain = with_lists(domain, lists)
    return with_plugins(domain, plugins)


def _patterns_of_images(types: Iterable[AttributeType]) -> dict[str, str]:
    """Return a dict from the name of the pattern for image addresses to the pattern.

    Return {} if no attribute type has images as values.
    """
    has_images = any(IMAGE in kind.annotators for kind in types)
    return {annotator_pattern(IMAGE): IMAGE_ADDRESS} if has_images else {}


def _types(
    definition: Definition, recognisers: Recognisers | None, problems: Problems
) -> tuple[AttributeType, ...]:
    """Return the attribute types of a domain.

    Raise DomainError for an invalid type, or for two types with the same key in a
    record. The names of patterns and word lists aren't checked if `recognisers` is
    None.
    """
    types: list[AttributeType] = []
    keys: set[str] = set()
    for name in definition.table("types"):
        with problems.collecting():
            kind = _attribute_type(definition, name, recognisers)
            for key in kind.keys:
                if key in keys:
                    message = f"an earlier type has the record key {key!r}"
                    definition.fail(f"{message}: rename one", "types", name)
            keys.update(kind.keys)
            types.append(kind)
    return tuple(types)


def _disjoint(
    definition: Definition, problems: Problems
) -> tuple[tuple[str, str], ...]:
    """Return the pairs of types that can't share a value.

    Raise DomainError for an entry that isn't a pair of types.
    """
    type_names = list(definition.table("types"))
    pairs = []
    for file, pair in definition.disjoint():
        with problems.collecting():
            if not (isinstance(pair, list) and list(map(type, pair)) == [str, str]):
                file.fail(
                    "each entry of 'disjoint' must be a pair of types, as in "
                    '["year", "price"]',
                    "disjoint",
                )
            file.check_known("type", pair, type_names, "disjoint")
            pairs.append((pair[0], pair[1]))
    return tuple(pairs)


def _check_pivots(definition: Definition) -> None:
    """Raise DomainError if a domain has no pivot, or if a pivot is an unknown or
    optional type.

    A pivot is a type that each record has once. The key `pivots` lists the pivots.
    """
    pivots = definition.pivots()
    definition.check_known("type", pivots, definition.table("types"), "pivots")
    if not pivots:
        key = "without" if definition.own_layer.file.has("without") else "pivots"
        definition.fail(
            "a domain needs a pivot type, which each record has once: write "
            'pivots = ["price"], or another type, above the first table',
            key,
        )
    for name in pivots:
        keys: tuple[str, ...] = ("types", name, "regular")
        if not definition.get(False, *keys):
            if not definition.file_with(*keys).has(*keys):
                keys = ("pivots",)
            definition.fail(
                f"the pivot type {name!r} must be regular: write regular = true below "
                f"[types.{name}]",
                *keys,
            )


def _attribute_type(
    definition: Definition, name: str, recognisers: Recognisers | None
) -> AttributeType:
    """Return the attribute type in the table `types.<name>` of a domain.toml.

    Raise DomainError for a wrong key or value. The names of patterns and word lists
    aren't checked if `recognisers` is None.
    """
    table = ("types", name)
    for key in KEYS:
        if definition.file_with(*table, key).has(*table, key):
            definition.fail(
                f"{key!r} belongs to [types.{name}] here: write it above the first "
                "table",
                *table,
                key,
            )
    type_keys = [field.name for field in fields(AttributeType) if field.name != "name"]
    definition.check_keys(type_keys, *table)
    kinds = [kind.value for kind in ValueKind if kind not in COLUMN_KINDS]
    kind = definition.get("", *table, "kind")
    if not kind:
        message = f"the type has no kind: add kind = {kinds[0]!r} or another"
        definition.fail(message, *table)
    definition.check_known("kind", [kind], kinds, *table, "kind")
    annotators = definition.strings(*table, "annotators")
    definition.check_known(
        "annotator", annotators, known_annotators(annotators), *table, "annotators"
    )
    names = definition.strings(*table, "names")
    labels = definition.strings(*table, "labels")
    is_figure = ValueKind(kind) in FIGURES
    if recognisers and is_figure and NUMBER not in recognisers.patterns:
        for key, words in (("names", names), ("labels", labels)):
            if words:
                definition.fail(
                    f"the {key} of a {kind} need the pattern {NUMBER!r}: "
                    "\"common\" has it, add that to 'uses'",
                    *table,
                    key,
                )
    if not TYPE_NAME.fullmatch(name):
        definition.fail(no_type_name(name), *table)
    try:
        return AttributeType(
            name,
            ValueKind(kind),
            regular=definition.get(False, *table, "regular"),
            patterns=_recogniser_names(definition, name, "patterns", recognisers),
            gazetteers=_recogniser_names(definition, name, "gazetteers", recognisers),
            annotators=annotators,
            names=names,
            labels=labels,
            weak=_recogniser_names(definition, name, "weak", recognisers),
            short=_recogniser_names(definition, name, "short", recognisers),
            whole=definition.get(False, *table, "whole"),
        )
    except ValueError as error:
        definition.fail(str(error), *table)


def _recogniser_names(
    definition: Definition,
    type_name: str,
    key: str,
    recognisers: Recognisers | None,
) -> tuple[str, ...]:
    """Return the names of the patterns or word lists that a type lists under `key`.

    Each name is followed by its variants for languages. Raise DomainError for an
    unknown name.
    """
    keys = ("types", type_name, key)
    listed_names = definition.strings(*keys)
    if recognisers is None:
        return listed_names
    noun: RecogniserNoun = "gazetteer" if key == "gazetteers" else "pattern"
    names = recognisers.names(noun)
    for name in listed_names:
        if name in names.known:
            continue
        if not _NAME.fullmatch(name):
            file_name = "patterns.toml" if noun == "pattern" else "gazetteers/"
            definition.fail(
                f"{name!r} is not the name of a {noun}: define it in {file_name} under "
                "a name, and list the name here",
                *keys,
            )
        if folder := built_in_folder(noun, name):
            definition.fail(
                f"unknown {noun} {name!r}: \"{folder}\" has it, add that to 'uses'",
                *keys,
            )
        definition.check_known(noun, [name], names.plain, *keys)
    return names.with_variants(listed_names)


def _thresholds(definition: Definition, problems: Problems) -> Thresholds:
    """Return the numbers in domain.toml that control how records are found.

    Raise DomainError for an unknown name or a wrong value, unless `problems` collects
    the errors.
    """
    with problems.collecting():
        table = definition.table("thresholds")
        names = [threshold.name for threshold in fields(Thresholds)]
        definition.check_keys(names, "thresholds")
        for threshold in fields(Thresholds):
            name = threshold.name
            value: Any = table.get(name, threshold.default)
            is_whole = isinstance(threshold.default, int)
            number_types = (int,) if is_whole else (int, float)
            if isinstance(value, bool) or not isinstance(value, number_types):
                noun = "a whole number" if is_whole else "a number"
                definition.fail(f"{name!r} must be {noun}", "thresholds", name)
        try:
            return Thresholds(**table)
        except ValueError as error:
            definition.fail(str(error), "thresholds")
    return Thresholds()
