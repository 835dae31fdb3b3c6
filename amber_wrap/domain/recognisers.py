"""Collect the patterns and gazetteers that the types of a domain can name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.domain.definition import DATA
from amber_wrap.domain.gazetteer_file import read_gazetteers
from amber_wrap.domain.pattern_file import (
    Pattern,
    gazetteer_pattern,
    read_overrides,
    read_patterns,
    variants,
)
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.source_file import AT_ONCE, Problems


@dataclass(frozen=True, slots=True)
class Recognisers:
    """All patterns and gazetteers of some folders, by name.

    `locales` has the locales of each recogniser that isn't for all pages.
    """

    patterns: Mapping[str, Pattern]
    gazetteers: Mapping[str, Gazetteer]
    locales: Mapping[str, tuple[str, ...]]

    def names(self, what: str) -> Names:
        """Return the names of the patterns or of the gazetteers.

        `what` is "pattern" or "gazetteer".
        """
        if what == "pattern":
            return Names(self.patterns, self.locales)
        local = [
            one for one in self.gazetteers if gazetteer_pattern(one) in self.locales
        ]
        return Names(self.gazetteers, local)


def read_recognisers(
    folders: Iterable[Path], problems: Problems = AT_ONCE
) -> Recognisers:
    """Return the recognisers in a domain's folders.

    A recogniser overrides a recogniser of the same name in an earlier folder. Raise
    DomainError for a file that can't be read or is malformed.
    """
    patterns: dict[str, Pattern] = {}
    overrides: dict[str, dict[str, Pattern]] = {}
    gazetteers: dict[str, Gazetteer] = {}
    for one in folders:
        patterns |= read_patterns(one, problems)
        gazetteers |= read_gazetteers(one, gazetteers, problems)
        for language, own in read_overrides(one, problems).items():
            overrides[language] = overrides.get(language, {}) | own
    locales: dict[str, tuple[str, ...]] = {
        gazetteer_pattern(name): one.locales
        for name, one in gazetteers.items()
        if one.locales
    }
    for language, own in variants(patterns, overrides).items():
        patterns |= own
        locales |= dict.fromkeys(own, (language,))
    return Recognisers(patterns, gazetteers, locales)


def built_in_folder(what: str, name: str) -> str | None:
    """Return the name of the built-in folder with a pattern or gazetteer, or None.

    `what` is "pattern" or "gazetteer".
    """
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        if name in read_recognisers([folder]).names(what).known:
            return folder.name
    return None


class Names:
    """The names of recognisers, each with its variants for locales.

    For example, `rooms_de` is the German variant of `rooms`.
    """

    def __init__(self, names: Collection[str], variants: Collection[str]) -> None:
        """Take the names of all recognisers, and the names of the variants among
        them."""
        self._variants: dict[str, list[str]] = {}
        for name in sorted(names):
            if name in variants:
                self._variants.setdefault(name.rpartition("_")[0], []).append(name)
        self._names = frozenset(names)
        self.known = sorted({*names, *self._variants})

    @property
    def plain(self) -> list[str]:
        """The names of recognisers, except variants of a known recogniser."""
        variants = {
            one
            for name in self._names & self._variants.keys()
            for one in self._variants[name]
        }
        return [name for name in self.known if name not in variants]

    def expand(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return each name followed by its variants, without unknown names."""
        return tuple(
            one
            for name in names
            for one in (name, *self._variants.get(name, ()))
            if one in self._names
        )
