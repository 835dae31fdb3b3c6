"""Options and small services that several commands share."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

if TYPE_CHECKING:
    from collections.abc import Iterable
    from contextlib import AbstractContextManager

    from amber_wrap.domain.schema import Domain

T = TypeVar("T")

PROBLEM, MISUSE = 1, 2
"""Exit codes: nothing found or a problem in the page; a mistake in the call."""

Pages = Annotated[list[str], typer.Argument(help='Saved pages; "-" is stdin.')]
DomainOption = Annotated[
    str,
    typer.Option("--domain", help="Built-in domain or domain folder; else the best."),
]
UrlOption = Annotated[
    str, typer.Option("--url", help="The page's address: makes URLs absolute.")
]
StrategyOption = Annotated[
    Literal["role", "paper"],
    typer.Option("--strategy", help="How data areas are found."),
]
DistanceOption = Annotated[
    Literal["fast", "zss"],
    typer.Option("--distance", help="Implementation of the tree edit distance."),
]
WithinOption = Annotated[
    str, typer.Option("--within", metavar="CSS|XPATH", help="Look only inside of it.")
]
WithoutOption = Annotated[
    str, typer.Option("--without", metavar="CSS|XPATH", help="Leave it out.")
]
RawOption = Annotated[
    bool, typer.Option("--raw", help="Values as displayed, URLs as in the HTML.")
]


def complain(message: object) -> None:
    """Say it on stderr, in one line."""
    typer.echo(f"amber-wrap: {' '.join(str(message).split())}", err=True)


def progress(steps: Iterable[T], length: int) -> AbstractContextManager[Iterable[T]]:
    """The steps, with a progress bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext(steps)
    return typer.progressbar(steps, length=length, file=sys.stderr)


def domains(name: str) -> list[Domain]:
    """The domain of that name, or all built-in ones that compete."""
    from amber_wrap.domain.loader import built_in_domains, load_domain

    return [load_domain(one) for one in ([name] if name else built_in_domains())]
