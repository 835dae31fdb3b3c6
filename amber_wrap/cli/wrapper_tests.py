"""Test wrappers on their samples."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from amber_wrap.cli.options import PROBLEM

SIGNS = {"passed": ".", "failed": "F", "skipped": "s"}
WIDTH = 79


def run_trials(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WRAPPER|FOLDER...",
            help="Wrappers or folders. Default: all in wrappers/.",
        ),
    ] = None,
) -> None:
    """Run wrappers on their samples: each file must read what its wrapper reads."""
    from amber_wrap.spec.trials import trials, wrapper_files

    files = wrapper_files(names or (), Path())
    found = []
    for file in files:
        mine = list(trials(file))
        typer.echo(f"{file} {''.join(SIGNS[one.status] for one in mine)}")
        found += mine
    for one in found:
        if one.status == "failed":
            typer.echo(f" {one.wrapper} on {one.page} ".center(WIDTH, "_"))
            for reason in one.reasons:
                typer.echo(reason)
    for one in found:
        if one.status == "skipped":
            typer.echo(f"skipped {one.wrapper} on {one.page}: {one.reasons[0]}")
    counts = Counter(one.status for one in found)
    summary = ", ".join(f"{counts[it]} {it}" for it in ("failed", "passed", "skipped"))
    typer.echo(f" {summary} ".center(WIDTH, "="))
    if counts["failed"] or not counts["passed"]:
        raise typer.Exit(PROBLEM)
