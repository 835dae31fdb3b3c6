"""The wrapper in its file: all that induction knows, in canonical JSON.

The file is read, never run; one by a stranger is bounded in size and held against the
schema (`docs/wrapper.schema.json`) before anything is made of it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import fastjsonschema

from amber_wrap.errors import WrapperError
from amber_wrap.wrapper.data import wrapper_from_data, wrapper_to_data
from amber_wrap.wrapper.ir import FORMAT, Wrapper

_MOST_BYTES = 8_000_000
"""A wrapper's file is no larger; those of the corpus have 30 kB in the median."""


@dataclass(frozen=True, slots=True)
class Stored:
    """A wrapper with the command that made it and the SHA-256 (hex) of the generated
    file, as it was written.

    `program` are the JSON values of what that file does (`lowering.stored`); a wrapper
    by an older version, or by another tool, has none.
    """

    wrapper: Wrapper
    command: str
    digest: str
    program: Mapping[str, Any] = field(default_factory=dict)

    def made(self, source: bytes) -> bool:
        """Whether a generated file is as it was written; ends of lines don't count."""
        return digest_of(source) == self.digest


def digest_of(source: bytes) -> str:
    """The SHA-256 of a generated file, its lines ended by line feeds."""
    return hashlib.sha256(source.replace(b"\r\n", b"\n")).hexdigest()


def to_text(stored: Stored) -> str:
    """Canonical JSON: equal wrappers give equal text, and the other way round."""
    data = {
        "format": FORMAT,
        "command": stored.command,
        "digest": stored.digest,
        **wrapper_to_data(stored.wrapper),
        **({"program": dict(stored.program)} if stored.program else {}),
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def from_text(text: bytes) -> Stored:
    """What `to_text` wrote; raises WrapperError for anything else."""
    if len(text) > _MOST_BYTES:
        raise WrapperError(
            f"this is no wrapper: it has more than {_MOST_BYTES:,} bytes"
        )
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrapperError(f"this is no wrapper: {error}") from error
    if isinstance(data, dict) and data.get("format", FORMAT) != FORMAT:
        raise WrapperError(
            f"the wrapper has format {data['format']!r}, this version reads {FORMAT}: "
            "induce it again"
        )
    try:
        validator()(data)
    except fastjsonschema.JsonSchemaException as error:
        raise WrapperError(f"this is no wrapper: {error}") from error
    wrapper = wrapper_from_data(data)
    return Stored(wrapper, data["command"], data["digest"], data.get("program", {}))


@cache
def validator() -> Callable[[Any], Any]:
    """The function that holds data against the schema."""
    found: Callable[[Any], Any] = fastjsonschema.compile(schema())
    return found


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema: within the package in a wheel, in `docs` of a checkout."""
    packaged = resources.files("amber_wrap") / "_docs"
    folder = packaged if packaged.is_dir() else Path(__file__).parents[2] / "docs"
    text = (folder / "wrapper.schema.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found
