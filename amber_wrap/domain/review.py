"""Collect all errors in a domain folder, or warnings if it has no errors.

A domain is a kind of records, such as cars. A warning names a likely mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from amber_wrap.domain.domain_folders import find_domain
from amber_wrap.domain.domain_toml import Definition, read_definition
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.gazetteers import gazetteer_name, numbered_terms
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.pattern_file import read_overrides, read_patterns
from amber_wrap.domain.recognisers import read_recognisers
from amber_wrap.domain.schema import Domain, ValueKind
from amber_wrap.domain.toml_and_text_files import Problems, TomlFile, read_domain_file
from amber_wrap.values.regular_expressions import compose

_URL_ANNOTATORS: Final = {"link", "headline-link", "image"}
"""The built-in annotators (code that finds values) whose values are URLs."""
_DIFFERENT_TEXTS: Final = ("Contact us", "2 h", "£14.50", "-")
"""Texts that are so different that no pattern should match all of them."""


@dataclass(frozen=True, slots=True)
class DomainReview:
    """The errors in the folder of a domain, or the warnings if it has no errors.

    Each is a text "file:line: message".
    """

    name: str
    domain: Domain | None
    """The domain, or None if there are errors."""
    errors: tuple[str, ...]
    warnings: tuple[str, ...] = ()


def review(
    name_or_folder: str | Path,
    project_domains: Path | None = None,
    common_words: Collection[str] = (),
) -> DomainReview:
    """Return all errors in a domain, or warnings of likely mistakes if it has no
    errors.

    There is a warning if a word list has one of the lower-case `common_words`.
    """
    problems = Problems(collects=True)
    domain = definition = None
    folder = Path(name_or_folder)
    with problems.collecting():
        folder = find_domain(name_or_folder, project_domains)
        definition = read_definition(folder, project_domains)
        domain = load_domain(folder, project_domains, problems)
    if definition is None:
        # Without a valid domain.toml, no recognisers have been read.
        read_recognisers([folder], problems)
    if domain is None or definition is None:
        errors = sorted(problems.messages, key=_file_and_line)
        return DomainReview(folder.name, None, tuple(errors))
    warnings = _Warnings(folder, definition, domain, common_words)
    sorted_warnings = sorted(warnings.messages(), key=_file_and_line)
    return DomainReview(folder.name, domain, (), tuple(sorted_warnings))


def _file_and_line(message: str) -> tuple[str, int]:
    """Return the file and the line that a message begins with.

    The line is 0 if the message names no line.
    """
    file, _, line_and_text = message.partition(":")
    line = line_and_text.partition(":")[0]
    return (file, int(line)) if line.isdigit() else (file, 0)


@dataclass(frozen=True, slots=True)
class _Warnings:
    """The warnings about the files in the folder of a domain, such as cars.

    `common_words` are lower-case words that word lists shouldn't have.
    """

    folder: Path
    definition: Definition
    domain: Domain
    common_words: Collection[str]

    def messages(self) -> Iterator[str]:
        """Yield all warnings about the domain folder, each as "file:line: message"."""
        yield from self._unrecognised_types()
        yield from self._urls_as_texts()
        yield from self._own_patterns()
        for path in sorted(self.folder.glob("*.txt")):
            fault = "this file is not read: gazetteers belong in gazetteers/"
            yield f"{self.folder.name}/{path.name}:1: {fault}"
        for path in sorted((self.folder / "gazetteers").glob("*.txt")):
            yield from self._gazetteer(path)

    def _place_of(self, *keys: str) -> str:
        """Return the file and line of a setting in domain.toml, as "file:line".

        `keys` is the path to the setting.
        """
        return _place(self.definition.file_with(*keys), *keys)

    def _unrecognised_types(self) -> Iterator[str]:
        """Yield a warning for each attribute type whose values nothing recognises."""
        for kind in self.domain.schema.types:
            if not kind.is_recognised:
                place = self._place_of("types", kind.name)
                yield (
                    f"{place}: nothing recognises {kind.name!r}: give it patterns, "
                    "gazetteers, annotators or names"
                )

    def _urls_as_texts(self) -> Iterator[str]:
        """Yield a warning for each attribute type that gets URLs but isn't of kind URL.

        The URLs come from code that the type lists under `annotators`.
        """
        for kind in self.domain.schema.types:
            if kind.kind is not ValueKind.URL:
                for name in sorted(_URL_ANNOTATORS.intersection(kind.annotators)):
                    place = self._place_of("types", kind.name, "annotators")
                    yield (
                        f"{place}: {name!r} gives addresses, but {kind.name!r} is not "
                        "a url: write kind = \"url\", or 'headline' for the words of "
                        "a title"
                    )

    def _own_patterns(self) -> Iterator[str]:
        """Yield warnings of unused patterns, and of patterns that match nearly any
        text.
        """
        patterns_by_language = {
            "": read_patterns(self.folder),
            **read_overrides(self.folder),
        }
        types = self.domain.schema.types
        used = {name for kind in types for name in (*kind.patterns, *kind.weak)}
        for language, patterns in patterns_by_language.items():
            for pattern in patterns.values():
                name = f"{pattern.name}_{language}" if language else pattern.name
                place = _place(pattern.file, pattern.key)
                if name not in self.domain.patterns:
                    yield (
                        f"{place}: no type uses {pattern.name!r}: list it in "
                        "'patterns' of a type, or delete it"
                    )
                elif name in used and _matches_any_text(name, self.domain.patterns):
                    yield (
                        f"{place}: {pattern.name!r} matches nearly any text: add "
                        "what only its values have, such as a sign, unit or word"
                    )

    def _gazetteer(self, path: Path) -> Iterator[str]:
        """Yield warnings about a file with a word list, and about its terms."""
        file = read_domain_file(self.folder, path)
        name = gazetteer_name(path)
        type_names = [
            kind.name for kind in self.domain.schema.types if name in kind.gazetteers
        ]
        if not type_names and gazetteer_pattern(name) not in self.domain.patterns:
            yield (
                f"{file.shown_path}:1: no type uses {name!r}: list it in 'gazetteers' "
                "of a type, or delete it"
            )
            return
        disjoint_terms = self._terms_of_disjoint_types(type_names, name)
        for line, term in numbered_terms(file):
            place = f"{file.shown_path}:{line}"
            if fault := self._term_fault(term):
                yield f"{place}: {term!r} {fault}"
            elif disjoint_type := disjoint_terms.get(term.casefold()):
                yield f"{place}: {term!r} is also a term of {disjoint_type}"

    def _term_fault(self, term: str) -> str:
        """Return the reason why a word shouldn't be in a word list, or ""."""
        if len(term) == 1 and term.isascii():
            return "is a single character, which is too common: delete it"
        if term.isdigit():
            return "is a number, which is too common: use a pattern"
        if term in self.common_words:
            return "is a very common word: delete it, or add the words beside it"
        return ""

    def _terms_of_disjoint_types(
        self, type_names: Collection[str], gazetteer_name: str
    ) -> dict[str, str]:
        """Return the words that the word list `gazetteer_name` shouldn't have.

        Such a word is a value of a type that can't share a value with `type_names`, the
        types that use the list. The result maps the word, in lower case, to the end of
        a warning.
        """
        schema = self.domain.schema
        order = [kind.name for kind in schema.types]
        warnings: dict[str, str] = {}
        for pair in schema.disjoint:
            for type_name, disjoint_type in (pair, pair[::-1]):
                if type_name not in type_names:
                    continue
                winner = min(pair, key=order.index)
                for name in schema[disjoint_type].gazetteers:
                    if name == gazetteer_name:
                        continue
                    warning = (
                        f"{disjoint_type!r} (gazetteer {name}), which is disjoint: "
                        f"{winner!r} wins, because it comes first"
                    )
                    for term in self.domain.gazetteers[name].terms:
                        warnings.setdefault(term.casefold(), warning)
        return warnings


def _matches_any_text(pattern_name: str, patterns: Mapping[str, str]) -> bool:
    """Return whether a pattern matches within each of several very different texts."""
    regex = re.compile(compose(pattern_name, patterns), re.MULTILINE)
    return all(regex.search(text) for text in _DIFFERENT_TEXTS)


def _place(file: TomlFile, *keys: str) -> str:
    """Return the file and line of the setting at the path `keys`, as "file:line"."""
    return f"{file.source.shown_path}:{file.line_of(*keys)}"
