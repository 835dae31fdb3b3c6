"""Read and check the patterns of a domain: regular expressions for values.

In a pattern, `{name}` stands for another pattern, `{gazetteer:name}` for a word list,
and `(?P<value>...)` is the displayed value.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from amber_wrap.domain.gazetteer_patterns import as_regex, gazetteer_pattern
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.toml_and_text_files import (
    RAISE_AT_ONCE,
    Problems,
    TomlFile,
    read_toml,
    unknown_name_message,
)
from amber_wrap.values.regular_expressions import PART, compose, fault_of_parts

_NAME = re.compile(r"[a-z][a-z_]*")
_REFERENCE = re.compile(r"\{(gazetteer:)?([A-Za-z][\w-]*)\}")
_SPACE_CLASS = re.compile(r"(?<!\\)(?:\\\\)*\\s")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A regular expression for values, as it is written in a file."""

    name: str
    """The name of the pattern, such as `rooms_de` for the variant of the key `rooms` in
    a file of German patterns.
    """
    text: str
    """The regular expression, in which `{name}` stands for another pattern."""
    file: TomlFile
    key: str

    @property
    def parts(self) -> Iterator[str]:
        """The names of the other patterns that this pattern contains.

        Word lists aren't included.
        """
        return (name for prefix, name in self.references if not prefix)

    @property
    def references(self) -> list[tuple[str, str]]:
        """A pair (prefix, name) for each pattern or list that this pattern contains.

        The prefix is "gazetteer:" for a word list, and "" for a pattern.
        """
        return _REFERENCE.findall(self.text)

    def fail(self, message: str) -> NoReturn:
        """Raise DomainError with a message about the line of this pattern."""
        self.file.fail(message, self.key)


def read_patterns(
    folder: Path, problems: Problems = RAISE_AT_ONCE
) -> dict[str, Pattern]:
    """Return the patterns of a domain folder for all languages, by name.

    Raise DomainError for a file that isn't TOML, or has a malformed pattern.
    """
    path = folder / "patterns.toml"
    return _patterns_in_file(folder, path, problems) if path.is_file() else {}


def read_overrides(
    folder: Path, problems: Problems = RAISE_AT_ONCE
) -> dict[str, dict[str, Pattern]]:
    """Return the patterns of a domain folder for single languages.

    The result maps a language to a dict from names to patterns. Raise DomainError for a
    file that isn't TOML, or has a malformed pattern.
    """
    return {
        path.stem.partition(".")[2]: _patterns_in_file(folder, path, problems)
        for path in sorted(folder.glob("patterns.*.toml"))
    }


def _patterns_in_file(
    folder: Path, path: Path, problems: Problems
) -> dict[str, Pattern]:
    """Return the patterns in one file of a domain folder, by name.

    Raise DomainError if the file isn't TOML, or has a malformed pattern.
    """
    patterns: dict[str, Pattern] = {}
    with problems.collecting():
        file = read_toml(folder, path)
        for name in file.data:
            with problems.collecting():
                patterns[name] = _pattern(name, file)
    return patterns


def _pattern(name: str, file: TomlFile) -> Pattern:
    """Return the pattern under the key `name` of a pattern file.

    Raise DomainError if the pattern is malformed.
    """
    if not _NAME.fullmatch(name):
        file.fail(f"{name!r} is not a pattern name: use a-z and underscores", name)
    alternatives = file.data[name]
    if isinstance(alternatives, str):
        alternatives = [alternatives]
    if not isinstance(alternatives, list) or not all(
        isinstance(alternative, str) for alternative in alternatives
    ):
        file.fail(
            f"{name!r} must be a regular expression in quotes, or a list of them", name
        )
    text = "|".join(alternatives)
    if fault := blank_fault(text):
        file.fail(f"{name!r} {fault}", name)
    return Pattern(name, text, file, name)


def blank_fault(text: str) -> str | None:
    """Return the fault in the white space of a regular expression, or None.

    Only a plain space is allowed.
    """
    if _SPACE_CLASS.search(text):
        return r"contains \s: texts have single spaces only, so use a space"
    if any(character.isspace() and character != " " for character in text):
        return "contains whitespace other than a space: use a space"
    return None


def language_variants(
    patterns: Mapping[str, Pattern], overrides: Mapping[str, Mapping[str, Pattern]]
) -> dict[str, dict[str, Pattern]]:
    """Return the variants of patterns for languages, such as `rooms_de`.

    The result maps a language to a dict from names to patterns. There is a variant of
    each pattern in `overrides`, and of each pattern that contains such a pattern.
    """
    users_of_part: dict[str, set[str]] = defaultdict(set)
    for pattern in patterns.values():
        for part in pattern.parts:
            users_of_part[part].add(pattern.name)
    variants_by_language = {}
    for language, own_patterns in overrides.items():
        affected, pending = set[str](), list(own_patterns)
        while pending:
            name = pending.pop()
            if name not in affected:
                affected.add(name)
                pending += users_of_part.get(name, ())
        present = {**patterns, **own_patterns}
        variants_by_language[language] = {
            f"{name}_{language}": _language_variant(present[name], language, affected)
            for name in sorted(affected)
        }
    return variants_by_language


def _language_variant(
    pattern: Pattern, language: str, affected: Collection[str]
) -> Pattern:
    """Return the variant of a pattern for a language, such as `rooms_de` for `rooms`.

    The variant refers to variants of the `affected` patterns, for example to
    `{count_de}` instead of `{count}`.
    """

    def variant_reference(reference: re.Match[str]) -> str:
        prefix, name = reference[1], reference[2]
        if name in affected and not prefix:
            return f"{{{name}_{language}}}"
        return reference[0]

    text = _REFERENCE.sub(variant_reference, pattern.text)
    return replace(pattern, name=f"{pattern.name}_{language}", text=text)


def regexes_of(
    patterns: Mapping[str, Pattern],
    gazetteers: Mapping[str, Gazetteer],
    wanted: Iterable[str],
) -> dict[str, str]:
    """Return the regular expressions of the `wanted` patterns, by name.

    Patterns that a wanted pattern contains are included. A regular expression refers to
    a contained pattern as `{name}`.
    """
    return with_parts(wanted, all_regexes(patterns, gazetteers))


def all_regexes(
    patterns: Mapping[str, Pattern], gazetteers: Mapping[str, Gazetteer]
) -> dict[str, str]:
    """Return the regular expressions of all patterns, and of the word lists that they
    contain, by name.
    """
    regexes = {name: pattern.text for name, pattern in patterns.items()}
    for pattern in patterns.values():
        if "{gazetteer:" in pattern.text:  # The test saves the slower search.
            for prefix, name in pattern.references:
                if prefix:
                    regexes[gazetteer_pattern(name)] = as_regex(gazetteers[name])
    return regexes


def with_parts(names: Iterable[str], regexes: Mapping[str, str]) -> dict[str, str]:
    """Return the regular expressions of the patterns called `names`, by name.

    Patterns and word lists that these patterns contain are included.
    """
    needed: dict[str, str] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in needed:
            needed[name] = regexes[name]
            pending += PART.findall(regexes[name])
    return dict(sorted(needed.items()))


def check_domain_patterns(
    patterns: Mapping[str, Pattern],
    gazetteers: Mapping[str, Gazetteer],
    wanted: Iterable[str],
    problems: Problems = RAISE_AT_ONCE,
) -> None:
    """Raise DomainError for a faulty pattern, for example a pattern that contains
    itself.

    The `wanted` patterns, which types use, must not match the empty text.
    """
    earlier_problems = len(problems.messages)
    for pattern in patterns.values():
        for prefix, name in pattern.references:
            noun = "gazetteer" if prefix else "pattern"
            known_names = set(gazetteers) if prefix else set(patterns)
            if name not in known_names:
                with problems.collecting():
                    pattern.fail(unknown_name_message(noun, name, sorted(known_names)))
    # A pattern can't be composed if a part is missing, or if it contains itself.
    problems.raise_first(earlier_problems)
    for pattern in patterns.values():
        with problems.collecting():
            _check_cycle(pattern, patterns, ())
    problems.raise_first(earlier_problems)

    regexes = all_regexes(patterns, gazetteers)
    if fault := fault_of_parts(regexes):
        name, reason = fault
        faulty_pattern = patterns.get(name) or next(iter(patterns.values()))
        with problems.collecting():
            faulty_pattern.fail(f"{name!r} can't be composed: {reason}")
    problems.raise_first(earlier_problems)
    composed = {name: compose(name, regexes) for name in patterns}
    wanted = tuple(wanted)
    parts = {part for pattern in patterns.values() for part in pattern.parts}
    for name in (*wanted, *(name for name in patterns if name not in parts)):
        if _regex_fault(composed[name]):
            with problems.collecting():
                _fail_at_faulty_part(name, patterns, composed)
    problems.raise_first(earlier_problems)
    for name in wanted:
        if re.search(composed[name], "", re.MULTILINE):
            with problems.collecting():
                patterns[name].fail(
                    f"{name!r} matches the empty text: require a character"
                )


def plugin_pattern_fault(regex: str) -> str | None:
    """Return the fault in the regular expression of a plugin, or None.

    A fault is a reference to another pattern, such as `{name}`, or a match of the empty
    text.
    """
    if part := PART.search(regex):
        return f"contains {part[0]}, which is not replaced here: write it out"
    if fault := blank_fault(regex) or _regex_fault(regex):
        return fault
    if re.search(regex, ""):
        return "matches the empty text: require a character"
    return None


def _check_cycle(
    pattern: Pattern, patterns: Mapping[str, Pattern], users: tuple[str, ...]
) -> None:
    """Raise DomainError if a pattern contains itself.

    `users` are the patterns in which the pattern is contained, the outermost first.
    """
    if pattern.name in users:
        cycle = " -> ".join((*users[users.index(pattern.name) :], pattern.name))
        message = f"{pattern.name!r} contains itself ({cycle}): break the cycle"
        pattern.fail(message)
    for part in pattern.parts:
        _check_cycle(patterns[part], patterns, (*users, pattern.name))


def _regex_fault(regex: str) -> str | None:
    """Return the fault in a regular expression, or None.

    No capturing group is allowed except `(?P<value>...)`.
    """
    try:
        compiled = re.compile(regex, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        reason = error.msg if isinstance(error, re.error) else error
        return f"is not a regular expression: {reason}"
    if compiled.groups > len(compiled.groupindex.keys() & {"value"}):
        return (
            "contains a capturing group: use (?:...), or (?P<value>...) for the value"
        )
    return None


def _fail_at_faulty_part(
    name: str, patterns: Mapping[str, Pattern], composed: Mapping[str, str]
) -> None:
    """Raise DomainError if a pattern is no regular expression.

    The error names the contained pattern that is at fault, if there is one. `composed`
    has the patterns with all contained patterns written out.
    """
    for part in patterns[name].parts:
        _fail_at_faulty_part(part, patterns, composed)
    if fault := _regex_fault(composed[name]):
        patterns[name].fail(f"{name!r} {fault}")
