"""Collect the patterns and word lists by which a domain recognises values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from amber_wrap.domain.domain_folders import DATA
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.gazetteers import read_gazetteers
from amber_wrap.domain.pattern_file import (
    Pattern,
    language_variants,
    read_overrides,
    read_patterns,
)
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.toml_and_text_files import RAISE_AT_ONCE, Problems

BUILT_IN_ANNOTATORS: Final = ("link", "headline-link", "headline", "image")
"""The names of the functions in `amber_wrap.annotate` that find values of records.

A domain.toml may list these names under `annotators`.
"""

RecogniserNoun = Literal["pattern", "gazetteer"]


@dataclass(frozen=True, slots=True)
class Recognisers:
    """The patterns and word lists in several folders, by name."""

    patterns: Mapping[str, Pattern]
    gazetteers: Mapping[str, Gazetteer]
    locales: Mapping[str, tuple[str, ...]]
    """The languages or countries, such as "de-AT", to which a pattern or word list is
    limited.
    """

    def names(self, noun: RecogniserNoun) -> RecogniserNames:
        """Return the names of the patterns, or of the word lists.

        `noun` is "pattern" or "gazetteer".
        """
        if noun == "pattern":
            return RecogniserNames(self.patterns, variants=self.locales)
        variants = [
            name for name in self.gazetteers if gazetteer_pattern(name) in self.locales
        ]
        return RecogniserNames(self.gazetteers, variants)


def read_recognisers(
    folders: Iterable[Path], problems: Problems = RAISE_AT_ONCE
) -> Recognisers:
    """Return the patterns and word lists in folders.

    If several folders define the same name, the last folder's definition is used. Raise
    DomainError for a file that can't be read or is malformed.
    """
    patterns: dict[str, Pattern] = {}
    overrides: dict[str, dict[str, Pattern]] = {}
    gazetteers: dict[str, Gazetteer] = {}
    for folder in folders:
        patterns |= read_patterns(folder, problems)
        gazetteers |= read_gazetteers(folder, gazetteers, problems)
        for language, own_patterns in read_overrides(folder, problems).items():
            overrides[language] = overrides.get(language, {}) | own_patterns
    locales: dict[str, tuple[str, ...]] = {
        gazetteer_pattern(name): gazetteer.locales
        for name, gazetteer in gazetteers.items()
        if gazetteer.locales
    }
    for language, variants in language_variants(patterns, overrides).items():
        patterns |= variants
        locales |= dict.fromkeys(variants, (language,))
    return Recognisers(patterns, gazetteers, locales)


def built_in_folder(noun: RecogniserNoun, name: str) -> str | None:
    """Return the name of the folder in this package that has a pattern or word list.

    `noun` is "pattern" or "gazetteer" (word list). Return None if no folder has it.
    """
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        if name in read_recognisers([folder]).names(noun).known:
            return folder.name
    return None


class RecogniserNames:
    """The names of patterns or word lists, such as `rooms` and its variant `rooms_de`.

    `known` are the names that a domain.toml may list.
    """

    def __init__(self, names: Collection[str], variants: Collection[str]) -> None:
        """Store the names of all patterns or lists, and the names of variants."""
        self._variants: dict[str, list[str]] = defaultdict(list)
        for name in sorted(names):
            if name in variants:
                self._variants[name.rpartition("_")[0]].append(name)
        self._names = frozenset(names)
        self.known = sorted({*names, *self._variants})

    @property
    def plain(self) -> list[str]:
        """The names in `known`, without variants for a language or country.

        For example, `rooms_de` is left out if there is a general `rooms`.
        """
        variants = {
            variant
            for name in self._names & self._variants.keys()
            for variant in self._variants[name]
        }
        return [name for name in self.known if name not in variants]

    def with_variants(self, names: Iterable[str]) -> tuple[str, ...]:
        """Return each name, followed by the names of its variants for languages.

        A name is left out if no pattern or list has it.
        """
        return tuple(
            variant
            for name in names
            for variant in (name, *self._variants.get(name, ()))
            if variant in self._names
        )
