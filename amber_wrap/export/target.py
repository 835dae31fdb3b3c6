"""What a target gets, and what it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.files import read_stored
from amber_wrap.lowering.program import Program
from amber_wrap.lowering.stored import program_from_data
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper

LOST = "not-carried"
"""The code of a finding: something that a target can't say."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A wrapper to be exported.

    `name` is that of its generated file, which can be imported, `source` its text, ""
    where there is none.  `url` is the address of a page, "" if nobody gave one;
    `samples` are the pages that it was induced from, as far as they are found.
    """

    name: str
    program: Program
    wrapper: Wrapper
    source: str = ""
    url: str = ""
    samples: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """Files by name, paths with "/", and what the target can't carry: findings of code
    `LOST`, whose `where` is the field.  A saved page is bytes."""

    files: Mapping[str, str | bytes]
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A tool that wrappers are exported to.

    `summary` is a line of help.  `make` raises WrapperError where nothing of the
    wrapper can be said in the target, with what to do.
    """

    name: str
    summary: str
    make: Callable[[Subject], Exported]


WHOLE_TARGET = "the whole text"


def lost(field: str, message: str) -> Diagnostic:
    """What is told of a field that a target carries in part, or not at all; of all
    records if `field` is ""."""
    return Diagnostic("warning", LOST, message, field)


def subject(name: str, samples: tuple[Source, ...] = (), url: str = "") -> Subject:
    """The wrapper of that file; raises FileError or WrapperError."""
    stored = read_stored(name)
    if not stored.program:
        raise WrapperError(
            f"{name} was made by an older version, or isn't compiled: make it again "
            "with amber-wrap build or induce"
        )
    file = Path(name).with_suffix(".py")
    program = program_from_data(stored.program)
    source = file.read_text("utf-8") if file.is_file() else ""
    return Subject(file.stem, program, stored.wrapper, source, url, samples)
