"""Read text and TOML files of a domain, and report errors with the file and line.

A domain is a kind of records, such as cars.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar

from amber_wrap.errors import DomainError

T = TypeVar("T")

_TOML_ERROR_PLACE = re.compile(r" \(at (?:line (\d+), column \d+|end of document)\)$")
"""A pattern of the line number at the end of an error message of `tomllib`."""
_TABLE_HEADER = re.compile(r"\s*\[\s*([^\[\]]+?)\s*\]\s*(?:#.*)?$")
_KEY = re.compile(r"\s*([\w.\"'-]+)\s*=")
_TYPE_NAMES = {
    str: "a text in quotes",
    bool: "true or false",
    dict: "a table",
    list: "a list of texts, each in quotes",
}
"""The names of the types of TOML values in error messages, by Python type."""
_TOML_REMEDIES = {
    "Unescaped": r"write regular expressions in single quotes, as in '\d+'",
    "Invalid value": 'write texts in quotes, as in "money"',
    "Illegal character": "the quote that opens here is not closed in this line",
    "Unclosed array": "a comma or the closing bracket of the list is missing",
    "Cannot overwrite": "this setting is there twice: delete one",
    "Cannot declare": "this table is there twice: delete one",
    "Expected newline": "write one setting per line, and texts in quotes",
    "Expected '='": "write a setting as name = value",
}
"""Advice to users about a TOML error, by the start of the message of `tomllib`."""
_MOST_LISTED: Final = 20
"""The most known names that an error message about an unknown name lists."""


class Problems:
    """The errors found by several checks of files.

    Each error is raised at once, or collected if `collects` is true.
    """

    def __init__(self, collects: bool = False) -> None:
        self.messages: list[str] = []
        self._collects = collects

    @contextmanager
    def collecting(self) -> Iterator[None]:
        """Collect the message of a DomainError that a `with` block raises.

        If errors aren't collected, the error is raised.
        """
        try:
            yield
        except DomainError as error:
            if not self._collects:
                raise
            if str(error) not in self.messages:
                self.messages.append(str(error))

    def raise_first(self, skipped: int = 0) -> None:
        """Raise DomainError with the first collected message, if there is one.

        The first `skipped` messages are ignored.
        """
        for message in self.messages[skipped:]:
            raise DomainError(message)


RAISE_AT_ONCE: Final = Problems()
"""The `Problems` object that raises each error at once, and collects none."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A UTF-8 text file in the folder of a domain, such as cars.

    `shown_path` is the file's path in messages, for example "homes/domain.toml".
    """

    shown_path: str
    text: str

    def fail(self, line: int, message: str) -> NoReturn:
        """Raise DomainError with a message, and with the file and a line number.

        Lines are numbered from 1.
        """
        raise DomainError(f"{self.shown_path}:{line}: {message}")


def read_domain_file(folder: Path, path: Path) -> SourceFile:
    """Return a text file of a domain folder.

    Raise DomainError if the file can't be read or isn't UTF-8.
    """
    shown_path = f"{folder.name}/{path.relative_to(folder).as_posix()}"
    try:
        return SourceFile(shown_path, path.read_text("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DomainError(
            f"{shown_path}:{line}: this is not UTF-8: save the file as UTF-8"
        ) from error
    except OSError as error:
        raise DomainError(f"{shown_path}: can't be read: {error.strerror}") from error


@dataclass(frozen=True, slots=True)
class TomlFile:
    """A TOML file in the folder of a domain, such as cars.

    The parameter `keys` of a method is the path to a table or value, for example
    "types", "price".
    """

    source: SourceFile
    data: Mapping[str, Any]

    def fail(self, message: str, *keys: str) -> NoReturn:
        """Raise DomainError with the file and line of the setting at `keys`."""
        self.source.fail(self.line_of(*keys), message)

    def has(self, *keys: str) -> bool:
        """Return whether the file has a table or value at the path `keys`."""
        value: Any = self.data
        for key in keys:
            if not isinstance(value, Mapping) or key not in value:
                return False
            value = value[key]
        return True

    def line_of(self, *keys: str) -> int:
        """Return the number, from 1, of the line with the setting at the path `keys`.

        If the file lacks the setting, return the line of the nearest enclosing table,
        or 1.
        """
        table: tuple[str, ...] = ()
        for number, line in enumerate(self.source.text.split("\n"), 1):
            if header := _TABLE_HEADER.match(line):
                table = line_keys = _split_keys(header[1])
            elif key := _KEY.match(line):
                line_keys = (*table, *_split_keys(key[1]))
            else:
                continue
            if line_keys == keys:
                return number
        return self.line_of(*keys[:-1]) if keys else 1

    def get(self, default: T, *keys: str) -> T:
        """Return the value at the path `keys`, or the default if the value is missing.

        Raise DomainError for a value of another type than the default's.
        """
        value: Any = self.data
        for key in keys:
            if key not in value:
                return default
            value = value[key]
        if not isinstance(value, type(default)):
            self.fail(f"{keys[-1]!r} must be {_TYPE_NAMES[type(default)]}", *keys)
        return value

    def table(self, *keys: str) -> dict[str, Any]:
        """Return the table at the path `keys`, or {} if the table is missing.

        Raise DomainError for a value that is no table.
        """
        return self.get(dict[str, Any](), *keys)

    def strings(self, *keys: str) -> tuple[str, ...]:
        """Return the list of texts at the path `keys`, or () if the list is missing.

        Raise DomainError for a value that is no list of texts.
        """
        texts = self.get(list[Any](), *keys)
        if not all(isinstance(text, str) for text in texts):
            self.fail(f"{keys[-1]!r} must be {_TYPE_NAMES[list]}", *keys)
        return tuple(texts)

    def check_keys(self, allowed: Collection[str], *keys: str) -> None:
        """Raise DomainError for a key that isn't `allowed` in the table at `keys`.

        Without `keys`, the table is the whole file.
        """
        for key in self.get({}, *keys) if keys else self.data:
            self.check_known("key", [key], allowed, *keys, key)

    def check_known(
        self, noun: str, names: Iterable[str], known: Collection[str], *keys: str
    ) -> None:
        """Raise DomainError if one of the `names` in a setting isn't in `known`.

        `keys` is the path to the setting. The message has the `noun`, such as "type".
        """
        for name in names:
            if name not in known:
                self.fail(unknown_name_message(noun, name, known), *keys)


def read_toml(folder: Path, path: Path) -> TomlFile:
    """Return a TOML file of a domain folder.

    Raise DomainError if the file can't be read or isn't TOML.
    """
    return parse_toml(read_domain_file(folder, path))


def parse_toml(source: SourceFile) -> TomlFile:
    """Return a text file as a TOML file.

    Raise DomainError if the text isn't TOML.
    """
    try:
        return TomlFile(source, tomllib.loads(source.text))
    except tomllib.TOMLDecodeError as error:
        place = _TOML_ERROR_PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else source.text.count("\n")
        message = _TOML_ERROR_PLACE.sub("", str(error))
        remedies = (
            remedy
            for message_start, remedy in _TOML_REMEDIES.items()
            if message.startswith(message_start)
        )
        remedy = next(remedies, "see https://toml.io")
        source.fail(max(line, 1), f"this is not TOML: {message}: {remedy}")


def unknown_name_message(noun: str, name: str, known: Collection[str]) -> str:
    """Return the error message for an unknown name, with the names that are known.

    `noun` says what is named, for example "type".
    """
    close_names = get_close_matches(name, known, n=1)
    hint = f": did you mean {close_names[0]!r}?" if close_names else ""
    listed = ", ".join(list(known)[:_MOST_LISTED]) or "none"
    if len(known) > _MOST_LISTED:
        listed += f" and {len(known) - _MOST_LISTED} more"
    return f"unknown {noun} {name!r}{hint} (known: {listed})"


def _split_keys(dotted_keys: str) -> tuple[str, ...]:
    """Return the keys in a dotted TOML key, without quotes.

    For example, the keys in `types."price"` are "types" and "price".
    """
    return tuple(key.strip(" \"'") for key in dotted_keys.split("."))
