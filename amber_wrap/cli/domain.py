"""What the system knows of a domain."""

from __future__ import annotations

from typing import Annotated

import typer

domain_app = typer.Typer(
    help="What the system knows of a domain.", no_args_is_help=True
)


@domain_app.command("list")
def list_domains() -> None:
    """List the built-in domains."""
    from amber_wrap.domain.loader import built_in_domains, load_domain

    for name in built_in_domains():
        typer.echo(f"{name:14} {load_domain(name).title}")


@domain_app.command("show")
def show_domain(
    name: Annotated[str, typer.Argument(help="A built-in domain or a domain folder.")],
) -> None:
    """Show the attribute types of a domain and what recognises them."""
    from amber_wrap.domain.loader import load_domain
    from amber_wrap.report import describe

    typer.echo(describe(load_domain(name)), nl=False)
