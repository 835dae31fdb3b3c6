"""Define the options, exit codes, domains and messages that several commands share.

Control characters from pages are replaced in output to a terminal.
"""

from __future__ import annotations

import re
import sys
from contextlib import nullcontext
from keyword import iskeyword
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    BinaryIO,
    Final,
    Literal,
    TextIO,
    TypeVar,
)

import typer

from amber_wrap.errors import SelectionError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from amber_wrap.annotate.examples import Example
    from amber_wrap.domain.project import Project
    from amber_wrap.domain.schema import Domain

T = TypeVar("T")
PROBLEM, MISUSE = 1, 2
"""The exit code for a page with a problem, and the exit code for a wrong call."""


def named_wrapper(name: str) -> str:
    """Return the generated file of a wrapper: "wrappers/hotels.py" for "hotels".

    Return `name` unchanged if it is a file, or if there is no such wrapper.
    """
    from amber_wrap.files import find_wrapper

    return find_wrapper(name)


def argument(help_text: str, **details: Any) -> Any:
    """Return an argument of a command with its help text.

    `details` are further parameters of `typer.Argument`.
    """
    return typer.Argument(help=help_text, **details)


def option(
    name: str, help_text: str, metavar: str | None = None, **details: Any
) -> Any:
    """Return the option `name` of a command with its help text.

    `details` are further parameters of `typer.Option`.
    """
    return typer.Option(name, help=help_text, metavar=metavar, **details)


def output_option(help_text: str, metavar: str = "FILE") -> Any:
    """Return the option `--output`, described by a help text."""
    return typer.Option("-o", "--output", metavar=metavar, help=help_text)


def repeatable(name: str, metavar: str, help_text: str) -> Any:
    """Return an option that may be given several times, described by a help text."""
    help_text = f"{help_text} Repeatable."
    return option(name, help_text, metavar, show_default=False)


WRAPPER_HELP = "Name or file (.py or .json) of a wrapper; the file is not run."
WrapperFile = Annotated[str, argument(WRAPPER_HELP, callback=named_wrapper)]
Pages = Annotated[list[str], argument('Saved pages ("-": stdin).')]
DomainOption = Annotated[
    str,
    option(
        "--domain",
        "Domain of the project, built-in domain, or folder. Default: the one set "
        "by the project or wrapper, else the best match.",
    ),
]
UrlOption = Annotated[
    str, option("--url", "Address of the page, to make URLs absolute.")
]
StrategyOption = Annotated[
    Literal["role", "paper"], option("--strategy", "Strategy for finding data areas.")
]
DistanceOption = Annotated[
    Literal["fast", "zss"],
    option("--distance", "Implementation of the tree edit distance."),
]
WithinOption = Annotated[
    str, option("--within", "Search only within this element.", "CSS|XPATH")
]
WithoutOption = Annotated[str, option("--without", "Ignore this element.", "CSS|XPATH")]
EmptyOption = Annotated[
    list[str] | None,
    option("--empty", "Saved page without results, which check uses.", "PAGE"),
]
FieldsOption = Annotated[
    str,
    option(
        "--fields",
        "Columns to read: only typed ones, all, or those named. Default: typed "
        "with --domain, else all.",
        "typed|all|NAME,...",
    ),
]
ExampleOption = Annotated[
    list[str] | None,
    repeatable(
        "--example",
        "NAME=VALUE",
        "Name and value of a column in one record; finds the values of the other "
        "records.",
    ),
]
RenameOption = Annotated[
    list[str] | None, repeatable("--rename", "NAME=OTHER", "Rename a column.")
]
DropOption = Annotated[list[str] | None, repeatable("--drop", "NAME", "Omit a column.")]
KindOption = Annotated[
    list[str] | None,
    repeatable(
        "--kind", "NAME=KIND", "Set the kind of a column: text, number, date, ..."
    ),
]
ForceOption = Annotated[
    bool, option("--force", "Overwrite a file that was changed by hand.")
]
RawOption = Annotated[
    bool, option("--raw", "Keep values as displayed, and URLs as in the HTML.")
]

JobsOption = Annotated[
    int,
    option(
        "-j", "Number of processes. Default: one per core.", min=0, show_default=False
    ),
]


def parse_examples(arguments: Iterable[str] | None) -> tuple[Example, ...]:
    """Return the examples of the option `--example`, whose arguments are NAME=TEXT.

    Raise SelectionError if an argument has another form, if a name is repeated, or if
    no column can have the name.
    """
    from amber_wrap.annotate.examples import Example
    from amber_wrap.domain.schema import TYPE_NAME

    examples: list[Example] = []
    for argument in arguments or ():
        name, equals_sign, value = argument.partition("=")
        if not (equals_sign and value.strip() and TYPE_NAME.fullmatch(name)):
            raise SelectionError(
                f"--example {argument!r}: write NAME=TEXT, where NAME has only "
                "lower-case letters, digits and underscores, and TEXT is on the page, "
                "as in agent='Smith & Co'"
            )
        if iskeyword(name):
            raise SelectionError(
                f"--example {argument!r}: {name} is a Python keyword, and cannot be "
                f"the name of a column: use another name, such as {name}_text"
            )
        if any(name == example.name for example in examples):
            raise SelectionError(f"--example {name} is given twice: give it once")
        examples.append(Example(name, value))
    return tuple(examples)


def parse_pairs(option: str, arguments: Iterable[str] | None) -> dict[str, str]:
    """Return the values of an option that may be given several times, by name.

    The arguments of the option are NAME=VALUE. Raise SelectionError for another form or
    a repeated name.
    """
    values: dict[str, str] = {}
    for argument in arguments or ():
        name, equals_sign, value = argument.partition("=")
        if not (equals_sign and name and value):
            raise SelectionError(f"{option} {argument!r}: write NAME=VALUE")
        if name in values:
            raise SelectionError(f"{option} {name} is given twice: give it once")
        values[name] = value
    return values


def project(with_default: bool = True) -> Project | None:
    """Return the project whose configuration is in the working directory or above.

    Return None if there is no configuration. With `with_default`, raise DomainError if
    the default domain doesn't exist.
    """
    from amber_wrap.domain.project import find_project

    return find_project(Path.cwd(), with_default)


def own_domains_folder() -> Path | None:
    """Return the folder of the project's own domains, such as cars.

    Return None if the working directory isn't in a project.
    """
    this_project = project()
    return this_project.domains if this_project else None


def domain_folder(name: str) -> Path:
    """Return the folder of a domain, such as cars.

    `name` is the name of a domain of the project, the name of a built-in domain, or the
    path of a folder.
    """
    from amber_wrap.domain.domain_folders import find_domain

    return find_domain(name, own_domains_folder())


def competing_domains(name: str) -> list[Domain]:
    """Return the domains, such as cars, among which the compiler chooses in this
    project.

    If `name` isn't "", the domain called `name` is the only choice.
    """
    from amber_wrap.domain.project import domains_to_try

    return domains_to_try(name, Path.cwd())


_CONTROL_CHARACTER: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""A regular expression for control characters, except for tabs and line feeds."""


def complain(message: object) -> None:
    """Print a message on stderr, in one line."""
    typer.echo(f"amber-wrap: {' '.join(str(message).split())}", err=True)


def note(message: object) -> None:
    """Print a message about the progress of a command on stderr."""
    typer.echo(message, err=True)


def note_changes(wrapper: str) -> None:
    """Print a warning if the generated file of a wrapper was changed by hand.

    Commands ignore such changes, because they read the .json beside the file.
    """
    from amber_wrap.files import is_changed, stored_path

    path = Path(wrapper)
    if is_changed(path):
        complain(
            f"{path.with_suffix('.py')} was changed by hand: this command ignores the "
            f"changes and uses {stored_path(path)}"
        )


def progress(steps: Iterable[T], length: int) -> AbstractContextManager[Iterable[T]]:
    """Return a context manager whose value is an iterator over `steps`.

    If stderr is a terminal, the iterator shows a progress bar.
    """
    if not sys.stderr.isatty():
        return nullcontext(steps)
    # A progress bar is drawn by control characters, which are removed from all other
    # texts.
    return typer.progressbar(steps, length=length, file=uncleaned(sys.stderr))


def clean(text: str) -> str:
    """Return a text whose control characters are replaced by JSON escapes.

    Tabs and line feeds are kept.
    """
    return _CONTROL_CHARACTER.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def set_up_streams() -> None:
    """Make stdout and stderr write UTF-8.

    Also replace control characters in output to a terminal.
    """
    for name in ("stdout", "stderr"):
        stream: Any = getattr(sys, name)
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
        if stream.isatty():
            setattr(sys, name, _Cleaned(stream))


def uncleaned(stream: TextIO) -> TextIO:
    """Return the original stream behind a stream that replaces control characters.

    Return a stream of any other sort unchanged.
    """
    return stream.uncleaned if isinstance(stream, _Cleaned) else stream


class _Cleaned:
    """A stream to a terminal that replaces control characters in its output."""

    def __init__(self, stream: TextIO) -> None:
        self.uncleaned = stream

    def write(self, text: str) -> int:
        """Write a text with its control characters replaced.

        Return the number of characters written.
        """
        return self.uncleaned.write(clean(text))

    @property
    def buffer(self) -> _CleanedBytes:
        """The byte stream of this stream. It replaces control characters, too."""
        return _CleanedBytes(self.uncleaned.buffer)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.uncleaned, name)


class _CleanedBytes:
    """A byte stream to a terminal that replaces control characters in UTF-8 text."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> int:
        """Write a text, encoded in UTF-8, with its control characters replaced.

        Return the length of `data`, as if `data` had been written unchanged.
        """
        text = data.decode("utf-8", "surrogateescape")
        self._stream.write(clean(text).encode("utf-8", "surrogateescape"))
        return len(data)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
