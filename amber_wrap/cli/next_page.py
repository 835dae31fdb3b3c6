"""Find the next page of a saved page, without a wrapper."""

from __future__ import annotations

from typing import Annotated

import typer

from amber_wrap.cli.options import UrlOption


def next_page(
    page: Annotated[str, typer.Argument(help='Saved page ("-": stdin).')],
    url: UrlOption = "",
    older: Annotated[
        bool,
        typer.Option(
            "--older", help="If the newest entries come first, find the older ones."
        ),
    ] = False,
    why: Annotated[
        bool, typer.Option("--why", help="Print the reason on stderr.")
    ] = False,
) -> None:
    """Print the address of the next page, or say why there is none."""
    from amber_wrap.analysis.pagination.next_page_link import follow
    from amber_wrap.dom.parse import parse
    from amber_wrap.files import read_bytes

    address, reason = follow(parse(read_bytes(page), url), older)
    typer.echo(address)
    if why:
        typer.echo(reason, err=True)
