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
"""The code of the warnings that another tool can't express a part of what is
exported."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The rules for reading one site's pages, to be exported to another tool.

    `name` is the import name of the generated file. `program` describes the lists and
    fields that the file reads, with their expressions. `wrapper` has the rules from
    which the program was made. `source` is the text of the file, "" if the file is
    missing. `url` is the address of a page, "" if unknown. `samples` are the pages from
    which the wrapper was made. Sample pages whose files are missing are left out.
    """

    name: str
    program: Program
    wrapper: Wrapper
    source: str = ""
    url: str = ""
    samples: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True)
class Exported:
    """The exported files by path, and warnings on parts that the other tool can't
    express.

    Paths are separated by "/". The content of a saved page is bytes. The content of any
    other file is text.
    """

    files: Mapping[str, str | bytes]
    findings: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True)
class ExportTarget:
    """A tool to which the rules for reading a site's pages can be exported.

    `summary` is the line about the tool in the help.  `make` returns the exported
    files, or raises WrapperError if the tool can't express the rules.
    """

    name: str
    summary: str
    make: Callable[[Subject], Exported]


WHOLE_TARGET = "reads the whole text"
"""The beginning of a warning about a tool without regular expressions.  Such a tool
reads the whole text where only a part is the value."""


def lost(field: str, message: str) -> Diagnostic:
    """Return the warning that another tool can't express a part of what is exported.

    `message` names the part. `field` is the name of the field that has the part, "" if
    the part concerns all records.
    """
    return Diagnostic("warning", LOST, message, field)


def export_subject(
    name: str, samples: tuple[Source, ...] = (), url: str = ""
) -> Subject:
    """Return the `Subject` for exporting a generated file and the rules that it
    applies.

    `name` is the path of the generated file. `samples` are the sample pages. `url` is
    the address of a page, "" if unknown. Raise FileError if the data stored beside the
    file can't be read. Raise WrapperError if the stored data are invalid, or if they
    don't describe the content of the file.
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
