"""From a domain folder to a validated `Domain`."""

from __future__ import annotations

from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final

from amber_wrap.domain.gazetteer_file import read_gazetteers
from amber_wrap.domain.pattern_file import Pattern, define, read_patterns
from amber_wrap.domain.schema import (
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
    gazetteers: dict[str, Gazetteer] = {}
    for one in (*_used(file, folder), folder):
        patterns |= read_patterns(one)
        gazetteers |= read_gazetteers(one)
    schema = _schema(file, patterns, gazetteers)
    used_patterns = {name for kind in schema.types for name in kind.patterns}
    used_gazetteers = {name for kind in schema.types for name in kind.gazetteers}
    return Domain(
        name=folder.name,
        title=file.get(folder.name, "title"),
        schema=schema,
        thresholds=_thresholds(file),
        patterns=define(patterns, gazetteers, used_patterns),
        gazetteers={name: gazetteers[name] for name in sorted(used_gazetteers)},
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


def _schema(
    file: TomlFile, patterns: dict[str, Pattern], gazetteers: dict[str, Gazetteer]
) -> Schema:
    """The schema that the file describes."""
    types: list[AttributeType] = []
    keys: set[str] = set()
    table: dict[str, Any] = file.get({}, "types")
    for name in table:
        place = ("types", name)
        kind = _attribute_type(file, name)
        file.check_known("pattern", kind.patterns, sorted(patterns), *place, "patterns")
        file.check_known(
            "gazetteer", kind.gazetteers, sorted(gazetteers), *place, "gazetteers"
        )
        file.check_known(
            "annotator", kind.annotators, BUILT_IN_ANNOTATORS, *place, "annotators"
        )
        for key in kind.keys:
            if key in keys:
                message = f"an earlier type claims the record key {key!r}: rename one"
                file.fail(message, *place)
        keys.update(kind.keys)
        types.append(kind)
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
