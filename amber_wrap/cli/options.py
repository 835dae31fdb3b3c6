"""Define the options that several commands share, and find the project's domains.

A domain describes a kind of records, such as cars.
"""

from __future__ import annotations

from keyword import iskeyword
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from amber_wrap.errors import SelectionError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from amber_wrap.annotate.examples import Example
    from amber_wrap.domain.project import Project
    from amber_wrap.domain.schema import Domain

PROBLEM, MISUSE = 1, 2
"""The exit code for a page with a problem, and the exit code for a wrong call."""


def named_wrapper(name: str) -> str:
    """Return the generated file of a wrapper: "wrappers/hotels.py" for "hotels".

    Return `name` unchanged if it is a file, or if there is no wrapper of this name.
    """
    from amber_wrap.files import find_wrapper

    return find_wrapper(name)


def output_option(help_text: str, metavar: str = "FILE") -> Any:
    """Return the option `--output`, described by a help text."""
    return typer.Option("-o", "--output", metavar=metavar, help=help_text)


def repeatable(name: str, metavar: str, help_text: str) -> Any:
    """Return an option that may be given several times, described by a help text."""
    help_text = f"{help_text} Repeatable."
    return typer.Option(name, metavar=metavar, help=help_text, show_default=False)


WRAPPER_HELP = "Name or file (.py or .json) of a wrapper; the file is not run."
WrapperFile = Annotated[str, typer.Argument(help=WRAPPER_HELP, callback=named_wrapper)]
Pages = Annotated[list[str], typer.Argument(help='Saved pages ("-": stdin).')]
DomainOption = Annotated[
    str,
    typer.Option(
        "--domain",
        help="Domain of the project, built-in domain, or folder. Default: the one set "
        "by the project or wrapper, else the best match.",
    ),
]
UrlOption = Annotated[
    str, typer.Option("--url", help="Address of the page, to make URLs absolute.")
]
StrategyOption = Annotated[
    Literal["role", "paper"],
    typer.Option("--strategy", help="Strategy for finding data areas."),
]
DistanceOption = Annotated[
    Literal["fast", "zss"],
    typer.Option("--distance", help="Implementation of the tree edit distance."),
]
WithinOption = Annotated[
    str,
    typer.Option(
        "--within", metavar="CSS|XPATH", help="Search only within this element."
    ),
]
WithoutOption = Annotated[
    str, typer.Option("--without", metavar="CSS|XPATH", help="Ignore this element.")
]
EmptyOption = Annotated[
    list[str] | None,
    typer.Option(
        "--empty", metavar="PAGE", help="Saved page without results, which check uses."
    ),
]
FieldsOption = Annotated[
    str,
    typer.Option(
        "--fields",
        metavar="typed|all|NAME,...",
        help="Columns to read: only typed ones, all, or those named. Default: typed "
        "with --domain, else all.",
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
    bool, typer.Option("--force", help="Overwrite a file that was changed by hand.")
]
RawOption = Annotated[
    bool,
    typer.Option("--raw", help="Keep values as displayed, and URLs as in the HTML."),
]

JobsOption = Annotated[
    int,
    typer.Option(
        "-j",
        min=0,
        help="Number of processes. Default: one per core.",
        show_default=False,
    ),
]


def parse_examples(arguments: Iterable[str] | None) -> tuple[Example, ...]:
    """Return the example values that the arguments of the option `--example` give.

    An argument is NAME=TEXT: a column and a value on the page. Raise SelectionError if
    an argument has another form, if a name is given twice, or if a column can't have
    the name.
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
    """Return the values that the arguments of a repeated option give, by name.

    An argument is NAME=VALUE. `option` is the option's name for messages. Raise
    SelectionError if an argument has another form, or if a name is given twice.
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
    """Return the project that contains the working directory.

    A project is a directory with a configuration file of amber-wrap. Return None if
    neither the working directory nor a directory above it has one. With `with_default`,
    raise DomainError if the default domain (kind of records) doesn't exist.
    """
    from amber_wrap.domain.project import find_project

    return find_project(Path.cwd(), with_default)


def own_domains_folder() -> Path | None:
    """Return the folder of the project's own domains (kinds of records).

    Return None if the working directory isn't in a project.
    """
    this_project = project()
    return this_project.domains if this_project else None


def domain_folder(name: str) -> Path:
    """Return the folder that describes a domain (a kind of records).

    `name` is the name of a domain of the project, the name of a built-in domain, or the
    path of a folder.
    """
    from amber_wrap.domain.domain_toml import find_domain

    return find_domain(name, own_domains_folder())


def competing_domains(name: str) -> list[Domain]:
    """Return the domains (kinds of records) to try on a page.

    The best domain is chosen later. If `name` is given, return only this domain. If
    `name` is "", return only the project's default domain. Without a default domain,
    return all domains of the project and all built-in domains.
    """
    from amber_wrap.domain.domain_toml import domain_names
    from amber_wrap.domain.loader import load_domain

    this_project = project()
    own_folder = this_project.domains if this_project else None
    if chosen_domain := name or (this_project and this_project.domain):
        return [load_domain(chosen_domain, own_folder)]
    return [
        load_domain(known_name, own_folder) for known_name in domain_names(own_folder)
    ]
