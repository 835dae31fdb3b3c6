"""Print a page's records as a feed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from amber_wrap.cli.options import UrlOption, WrapperFile, note_changes


def feed(
    wrapper: WrapperFile,
    page: Annotated[str, typer.Argument(help='Saved page ("-": stdin).')],
    to: Annotated[
        Literal["json", "atom"],
        typer.Option("--to", help="Format: JSON Feed 1.1 or Atom."),
    ] = "json",
    url: UrlOption = "",
) -> None:
    """Print the records of a page as a feed."""
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.interpret import to_rows
    from amber_wrap.export.feed import atom, feed_entries, json_feed
    from amber_wrap.files import read_rules, read_saved_page

    note_changes(wrapper)
    rules = read_rules(wrapper)
    saved = read_saved_page(page).saved
    address = url or saved.url
    rows = to_rows(rules, parse(saved.body, address))
    make = {"json": json_feed, "atom": atom}[to]
    typer.echo(
        make(Path(wrapper).stem, address, feed_entries(rules.fields, rows)), nl=False
    )
