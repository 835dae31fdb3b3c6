"""From a domain folder to a validated `Domain`."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from amber_wrap.domain.gazetteer_file import read_gazetteers
from amber_wrap.domain.pattern_file import (
    Pattern,
    check,
    define,
    gazetteer_pattern,
    read_overrides,
    read_patterns,
    variants,
)
from amber_wrap.domain.schema import (
    FIGURES,
    NUMBER,
    AttributeType,
    Domain,
    Gazetteer,
    Schema,
    Thresholds,
    ValueKind,
)
from amber_wrap.domain.source_file import TomlFile, read_toml
from amber_wrap.errors import DomainError

BUILT_IN_ANNOTATORS: Final = ("link", "headline-link", "headline", "image")
"""What `annotators` may name; `amber_wrap.annotate` implements them."""

_DATA: Final = Path(__file__).parent / "data"
_BUILT_IN: Final = ("real-estate", "used-cars", "products", "listing")
_KEYS: Final = ("title", "uses", "pivots", "disjoint", "thresholds", "types")


def built_in_domains() -> tuple[str, ...]:
    """The names of the built-in domains, those that expect the most first."""
    return _BUILT_IN


def load_domain(name_or_folder: str | Path) -> Domain:
    """Load and check a domain: a built-in one by its name, any other by its folder.

    Raises DomainError, which names file, line and remedy, when the folder isn't there
    or anything in it is wrong.
    """
    folder = _find(name_or_folder)
    if not (folder / "domain.toml").is_file():
        raise DomainError(
            f"{folder.name}: this folder holds no domain.toml: write one, or name a "
            f"built-in domain ({', '.join(_BUILT_IN)})"
        )
    file = read_toml(folder, folder / "domain.toml")
    file.check_keys(_KEYS)
    patterns: dict[str, Pattern] = {}
    overrides: dict[str, dict[str, Pattern]] = {}
    gazetteers: dict[str, Gazetteer] = {}
    for one in (*_used(file, folder), folder):
        patterns |= read_patterns(one)
        gazetteers |= read_gazetteers(one)
        for language, own in read_overrides(one).items():
            overrides[language] = overrides.get(language, {}) | own
    by_language = variants(patterns, overrides)
    for own in by_language.values():
        patterns |= own
    locales: dict[str, tuple[str, ...]] = {}
    for language, own in by_language.items():
        locales |= dict.fromkeys(own, (language,))
    local_lists = {name: one.locales for name, one in gazetteers.items() if one.locales}
    schema = _schema(file, _Names(patterns, locales), _Names(gazetteers, local_lists))
    used_patterns = {name for kind in schema.types for name in kind.patterns}
    for kind in schema.types:
        if kind.names and kind.kind in FIGURES:
            place = ("types", kind.name, "names")
            file.check_known("pattern", [NUMBER], sorted(patterns), *place)
            used_patterns.add(NUMBER)
    used_gazetteers = {name for kind in schema.types for name in kind.gazetteers}
    if folder.parent != _DATA:  # Those are checked before they are published.
        check(patterns, gazetteers, used_patterns)
    locales = {name: locales[name] for name in used_patterns & locales.keys()}
    for name in used_gazetteers & local_lists.keys():
        locales[gazetteer_pattern(name)] = local_lists[name]
    return Domain(
        name=folder.name,
        title=file.get(folder.name, "title"),
        schema=schema,
        thresholds=_thresholds(file),
        patterns=define(patterns, gazetteers, used_patterns),
        gazetteers={name: gazetteers[name] for name in sorted(used_gazetteers)},
        locales=dict(sorted(locales.items())),
    )


def _find(name_or_folder: str | Path) -> Path:
    if name_or_folder in _BUILT_IN:
        return _DATA / str(name_or_folder)
    folder = Path(name_or_folder).resolve()
    if folder.is_dir():
        return folder
    close = get_close_matches(str(name_or_folder), _BUILT_IN, n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    raise DomainError(
        f"there is no domain {str(name_or_folder)!r}{hint}: name a folder, or one of "
        f"{', '.join(_BUILT_IN)}"
    )


def _used(file: TomlFile, folder: Path) -> list[Path]:
    """The folders under `uses`: siblings of the domain's, or built-in ones."""
    found = []
    for name in file.strings("uses"):
        places = [parent / name for parent in (folder.parent, _DATA)]
        there = [place for place in places if place.is_dir()]
        if not there:
            known = sorted(one.name for one in _DATA.iterdir() if one.is_dir())
            file.check_known("folder", [name], known, "uses")
        found.append(there[0])
    return found


class _Names:
    """The names of recognisers, and which of them are variants of which."""

    def __init__(self, names: Collection[str], variants: Collection[str]) -> None:
        """`variants` are those of the names that are for some locales only."""
        self._variants: dict[str, list[str]] = {}
        for name in sorted(names):
            if name in variants:
                self._variants.setdefault(name.rpartition("_")[0], []).append(name)
        self._names = frozenset(names)
        self.known = sorted({*names, *self._variants})

    def expand(self, names: Iterable[str]) -> tuple[str, ...]:
        """Each name, and all its variants."""
        return tuple(
            one
            for name in names
            for one in (name, *self._variants.get(name, ()))
            if one in self._names
        )


def _schema(file: TomlFile, patterns: _Names, gazetteers: _Names) -> Schema:
    """The schema that the file describes; a type has all variants of what it names."""
    types: list[AttributeType] = []
    keys: set[str] = set()
    table: dict[str, Any] = file.get({}, "types")
    for name in table:
        place = ("types", name)
        kind = _attribute_type(file, name)
        file.check_known("pattern", kind.patterns, patterns.known, *place, "patterns")
        file.check_known(
            "gazetteer", kind.gazetteers, gazetteers.known, *place, "gazetteers"
        )
        file.check_known(
            "annotator", kind.annotators, BUILT_IN_ANNOTATORS, *place, "annotators"
        )
        for key in kind.keys:
            if key in keys:
                message = f"an earlier type claims the record key {key!r}: rename one"
                file.fail(message, *place)
        keys.update(kind.keys)
        types.append(
            replace(
                kind,
                patterns=patterns.expand(kind.patterns),
                gazetteers=gazetteers.expand(kind.gazetteers),
            )
        )
    names = [kind.name for kind in types]
    pivots = file.strings("pivots")
    file.check_known("type", pivots, names, "pivots")
    pairs: list[tuple[str, str]] = []
    listed: list[Any] = file.get([], "disjoint")
    for pair in listed:
        if not _is_pair(pair):
            file.fail(
                "each entry of 'disjoint' must be a pair of types, as in "
                '["year", "price"]',
                "disjoint",
            )
        file.check_known("type", pair, names, "disjoint")
        pairs.append((pair[0], pair[1]))
    try:
        return Schema(tuple(types), pivots, tuple(pairs))
    except ValueError as error:
        file.fail(f"{error}: list types with regular = true here", "pivots")


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(one, str) for one in value)
    )


def _attribute_type(file: TomlFile, name: str) -> AttributeType:
    """The attribute type of the table `types.<name>`."""
    place = ("types", name)
    file.check_keys([one.name for one in fields(AttributeType)[1:]], *place)
    kinds = [kind.value for kind in ValueKind]
    kind = file.get("", *place, "kind")
    if not kind:
        file.fail(f"the type has no kind: add kind = {kinds[0]!r} or another", *place)
    file.check_known("kind", [kind], kinds, *place, "kind")
    try:
        return AttributeType(
            name,
            ValueKind(kind),
            regular=file.get(False, *place, "regular"),
            patterns=file.strings(*place, "patterns"),
            gazetteers=file.strings(*place, "gazetteers"),
            annotators=file.strings(*place, "annotators"),
            names=file.strings(*place, "names"),
            whole=file.get(False, *place, "whole"),
        )
    except ValueError as error:
        file.fail(str(error), *place)


def _thresholds(file: TomlFile) -> Thresholds:
    table: dict[str, Any] = file.get({}, "thresholds")
    file.check_keys([one.name for one in fields(Thresholds)], "thresholds")
    for one in fields(Thresholds):
        value: Any = table.get(one.name, one.default)
        wanted = (int,) if isinstance(one.default, int) else (int, float)
        if isinstance(value, bool) or not isinstance(value, wanted):
            what = "a whole number" if wanted == (int,) else "a number"
            file.fail(f"{one.name!r} must be {what}", "thresholds", one.name)
    try:
        return Thresholds(**table)
    except ValueError as error:
        file.fail(str(error), "thresholds")
