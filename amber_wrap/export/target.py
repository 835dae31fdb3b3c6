"""Define the input and the output of an export to another tool."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.files import read_stored
from amber_wrap.lowering.program import Program, program_from_data
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper

LOST = "not-carried"
"""The code of a warning that another tool can't express a part of a wrapper."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The generated file, wrapper and sample pages of one site, to be exported."""

    name: str
    """The import name of the generated Python file."""
    program: Program
    """The lists and fields that the file reads, with their expressions."""
    wrapper: Wrapper
    """The wrapper (rules for reading pages) from which the program was made."""
    source: str = ""
    """The text of the file, "" if the file is missing."""
    url: str = ""
    """The address of a page of the site, "" if unknown."""
    samples: tuple[Source, ...] = ()
    """The sample pages whose files exist."""


@dataclass(frozen=True, slots=True)
class Exported:
    """The exported files, and warnings on parts that the other tool can't express."""

    files: Mapping[str, str | bytes]
    """The contents by path (with "/"), bytes for saved pages, text for others."""
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A tool to which the rules for reading a site's pages can be exported."""

    name: str
    summary: str
    """A short description of the exported files."""
    make: Callable[[Subject], Exported]
    """The function that returns the exported files, or raises WrapperError."""


WHOLE_TARGET = "reads the whole text"
"""The beginning of a warning about a tool without regular expressions.  Such a tool
reads the whole text where only a part is the value."""


def lost(field: str, message: str) -> Diagnostic:
    """Return a warning that another tool can't express a property of a field.

    `field` is "" if the warning is about all records.
    """
    return Diagnostic("warning", LOST, message, field)


def export_subject(
    name: str, samples: tuple[Source, ...] = (), url: str = ""
) -> Subject:
    """Return the input for exporting the generated file with the path `name`.

    Raise FileError if the wrapper's JSON file can't be read, and WrapperError if it
    lacks the description of the generated file.
    """
    stored_wrapper = read_stored(name)
    if not stored_wrapper.program:
        raise WrapperError(
            f"{name} was created by an older version, or isn't compiled: create "
            "it again with amber-wrap build or induce"
        )
    generated_file = Path(name).with_suffix(".py")
    program = program_from_data(stored_wrapper.program)
    source = generated_file.read_text("utf-8") if generated_file.is_file() else ""
    return Subject(
        generated_file.stem, program, stored_wrapper.wrapper, source, url, samples
    )
