"""Store a wrapper in a file as canonical JSON, and load it.

The file is untrusted: its size is limited, and it is validated by
`docs/wrapper.schema.json`.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from json import JSONDecoder
from pathlib import Path
from typing import Any, Final

import fastjsonschema

from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.ir import FORMAT, Wrapper
from amber_wrap.wrapper.json_values import wrapper_from_data, wrapper_to_data

_SPACE: Final = re.compile(r"[ \t\n\r]*")
_DECODER: Final = JSONDecoder()
_MOST_BYTES = 8_000_000
"""The largest accepted size of a wrapper file. A typical file has 30 kB."""


def line_at(text: str, path: Sequence[str | int]) -> int:
    """Return the number of the line, from 1, in which a value of a JSON text begins.

    `path` has the keys and indices that lead to the value. If a key or index is
    missing, return the line of the object or array that lacks it.
    """
    offset = _after_space(text, 0)
    for key in path:
        inner_offset = _offset_of_member(text, offset, key)
        if inner_offset is None:
            break
        offset = inner_offset
    return text.count("\n", 0, offset) + 1


def _offset_of_member(text: str, offset: int, member: str | int) -> int | None:
    """Return the offset of a member or item of the JSON value that begins at `offset`.

    Return None if the value has no such member or item.
    """
    opening, member_offset, index = text[offset], None, 0
    if opening not in "{[":
        return None
    offset = _after_space(text, offset + 1)
    while text[offset] not in "}]":
        key = str(index)
        if opening == "{":
            key, offset = _DECODER.raw_decode(text, offset)
            colon = _after_space(text, offset)
            offset = _after_space(text, colon + 1)
        if key == str(member):
            member_offset = offset
        _, offset = _DECODER.raw_decode(text, offset)
        offset = _after_space(text, offset)
        if text[offset] == ",":
            offset = _after_space(text, offset + 1)
        index += 1
    return member_offset


def _after_space(text: str, offset: int) -> int:
    """Return the offset of the first character from `offset` on that is no JSON
    whitespace."""
    match = _SPACE.match(text, offset)
    return match.end() if match else offset


@dataclass(frozen=True, slots=True)
class StoredWrapper:
    """A wrapper, and the facts about the Python file that was generated from it."""

    wrapper: Wrapper
    command: str
    """The command that made the wrapper."""
    digest: str
    """The SHA-256 of the generated file in hexadecimal."""
    program: Mapping[str, Any] = field(default_factory=dict)
    """The rules and constants of the generated file as JSON values, or {} if
    unknown."""

    def is_unchanged(self, source: bytes) -> bool:
        """Return whether `source` is the generated file as it was first written, apart
        from line endings.
        """
        return digest_of(source) == self.digest


def digest_of(source: bytes) -> str:
    """Return the SHA-256, in hexadecimal, of the bytes of a generated file.

    Each CR LF is first converted to a line feed.
    """
    return hashlib.sha256(source.replace(b"\r\n", b"\n")).hexdigest()


def to_text(stored: StoredWrapper) -> str:
    """Return a wrapper and the facts about its generated file as JSON text.

    Equal wrappers with equal facts have equal texts.
    """
    data = {
        "format": FORMAT,
        "command": stored.command,
        "digest": stored.digest,
        **wrapper_to_data(stored.wrapper),
        **({"program": dict(stored.program)} if stored.program else {}),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def from_text(text: bytes) -> StoredWrapper:
    """Return the wrapper and the facts about its generated file from a text that
    `to_text` returned.

    Raise WrapperError if the text is invalid.
    """
    if len(text) > _MOST_BYTES:
        raise WrapperError(
            f"this is not a wrapper: it has more than {_MOST_BYTES:,} bytes"
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrapperError(f"this is not a wrapper: {error}") from error
    if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
        raise WrapperError(
            f"the wrapper has format {data['format']!r}, this version reads {FORMAT}: "
            "induce it again"
        )
    with errors_with_line(text):
        _validate(data)
        wrapper = wrapper_from_data(data)
    return StoredWrapper(
        wrapper, data["command"], data["digest"], data.get("program", {})
    )


@contextmanager
def errors_with_line(text: bytes) -> Iterator[None]:
    """Add a line number to a WrapperError that the `with` block raises.

    It is the line of the faulty value in the JSON text `text`. An error without the
    path of a value stays as it is.
    """
    try:
        yield
    except WrapperError as error:
        if not error.path:
            raise
        source = text.decode(json.detect_encoding(text), "surrogatepass")
        line = line_at(source, error.path)
        raise WrapperError(f"{error} (line {line} of the .json)") from error


def _validate(data: Any) -> None:
    """Raise WrapperError for data that the JSON Schema of wrappers doesn't allow."""
    try:
        validator()(data)
    except fastjsonschema.JsonSchemaValueException as error:
        _, *path = error.path  # The path begins with "data".
        raise WrapperError(f"this is not a wrapper: {error}", (*path,)) from error


@cache
def validator() -> Callable[[Any], Any]:
    """Return the function that checks data against the JSON Schema of wrappers.

    The function raises an exception for invalid data.
    """
    validate: Callable[[Any], Any] = fastjsonschema.compile(schema())
    return validate


@cache
def schema() -> dict[str, Any]:
    """Return the JSON Schema of the files that store wrappers."""
    packaged = resources.files("amber_wrap") / "_docs"
    folder = packaged if packaged.is_dir() else Path(__file__).parents[2] / "docs"
    text = (folder / "wrapper.schema.json").read_text("utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
