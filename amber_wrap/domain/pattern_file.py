"""Pattern files: named regular expressions that compose (the part of JAPE in AMBER).

A pattern is a regular expression, or a list of them: its alternatives.  `{name}` stands
for another pattern, `{gazetteer:name}` for the terms of a gazetteer.  The group
`(?P<value>...)` is the displayed value where more than that must match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.domain.gazetteer_file import as_regex
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.domain.source_file import TomlFile, read_toml, unknown
from amber_wrap.embedded.patterns import PART, compose

_NAME = re.compile(r"[a-z][a-z_]*")
_REFERENCE = re.compile(r"\{(gazetteer:)?([A-Za-z][\w-]*)\}")
_SPACE_CLASS = re.compile(r"(?<!\\)(?:\\\\)*\\s")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern as it was written, and the file where it stands."""

    name: str
    text: str
    file: TomlFile

    @property
    def parts(self) -> Iterator[str]:
        """The names of the patterns that this one is composed of."""
        return (name for kind, name in _REFERENCE.findall(self.text) if not kind)


def read_patterns(folder: Path) -> dict[str, Pattern]:
    """The patterns of a domain folder, by name; raises DomainError."""
    path = folder / "patterns.toml"
    if not path.is_file():
        return {}
    file = read_toml(folder, path)
    return {name: _read(name, file) for name in file.data}


def _read(name: str, file: TomlFile) -> Pattern:
    if not _NAME.fullmatch(name):
        file.fail(f"{name!r} is no pattern name: use a-z and underscores", name)
    alternatives = file.data[name]
    if isinstance(alternatives, str):
        alternatives = [alternatives]
    if not isinstance(alternatives, list) or not all(
        isinstance(one, str) for one in alternatives
    ):
        file.fail(
            f"{name!r} must be a regular expression in quotes, or a list of such", name
        )
    text = "|".join(alternatives)
    if _SPACE_CLASS.search(text):
        file.fail(rf"{name!r} holds \s: every blank is one space, so write that", name)
    if any(character.isspace() and character != " " for character in text):
        file.fail(f"{name!r} holds a blank other than a space: write a space", name)
    return Pattern(name, text, file)


def define(
    patterns: Mapping[str, Pattern],
    gazetteers: Mapping[str, Gazetteer],
    wanted: Iterable[str],
) -> dict[str, str]:
    """The definitions of the wanted patterns and of all their parts, by name.

    `embedded.patterns.compose` fills the parts in.  All patterns are checked.  Raises
    DomainError for a part that isn't known or that needs itself, and for an expression
    that can't be used.
    """
    texts = {name: pattern.text for name, pattern in patterns.items()}
    for pattern in patterns.values():
        for kind, name in _REFERENCE.findall(pattern.text):
            what, known = ("gazetteer", gazetteers) if kind else ("pattern", patterns)
            if name not in known:
                pattern.file.fail(unknown(what, name, sorted(known)), pattern.name)
            if kind:
                texts[gazetteer_pattern(name)] = as_regex(gazetteers[name])
    for pattern in patterns.values():
        _check_circle(pattern, patterns, ())

    composed = {name: compose(name, texts) for name in patterns}
    wanted = tuple(wanted)
    parts = {part for pattern in patterns.values() for part in pattern.parts}
    for name in (*wanted, *(name for name in patterns if name not in parts)):
        if _fault(composed[name]):
            _fail_at_origin(name, patterns, composed)
    for name in wanted:
        if re.search(composed[name], "", re.MULTILINE):
            message = f"{name!r} matches the empty text: let it need a character"
            patterns[name].file.fail(message, name)
    return closure(wanted, texts)


def gazetteer_pattern(name: str) -> str:
    """The name of the pattern that matches the terms of a gazetteer."""
    return f"gazetteer:{name}"


def closure(names: Iterable[str], texts: Mapping[str, str]) -> dict[str, str]:
    """The definitions of the patterns named and of all that they are composed of."""
    found: dict[str, str] = {}
    pending = list(names)
    while pending:
        name = pending.pop()
        if name not in found:
            found[name] = texts[name]
            pending += PART.findall(texts[name])
    return dict(sorted(found.items()))


def _check_circle(
    pattern: Pattern, patterns: Mapping[str, Pattern], users: tuple[str, ...]
) -> None:
    """Fail for a pattern that needs itself; `users` led to it."""
    if pattern.name in users:
        cycle = " -> ".join((*users[users.index(pattern.name) :], pattern.name))
        message = f"{pattern.name!r} needs itself ({cycle}): break the circle"
        pattern.file.fail(message, pattern.name)
    for part in pattern.parts:
        _check_circle(patterns[part], patterns, (*users, pattern.name))


def _fault(expression: str) -> str | None:
    """What makes an expression useless, None when nothing does."""
    try:
        compiled = re.compile(expression, re.MULTILINE)
    except (re.error, OverflowError, RecursionError) as error:
        reason = error.msg if isinstance(error, re.error) else error
        return f"is no regular expression: {reason}"
    if compiled.groups > len(compiled.groupindex.keys() & {"value"}):
        return "holds a capturing group: write (?:...), or (?P<value>...) for the value"
    return None


def _fail_at_origin(
    name: str, patterns: Mapping[str, Pattern], composed: Mapping[str, str]
) -> None:
    """Raise for the part that brings the fault in, or else for the pattern itself."""
    for part in patterns[name].parts:
        _fail_at_origin(part, patterns, composed)
    if fault := _fault(composed[name]):
        patterns[name].file.fail(f"{name!r} {fault}", name)
