"""Export wrappers to other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli.options import UrlOption, WrapperFile, note_changes


def export_to(
    wrapper: WrapperFile,
    to: Annotated[
        str, typer.Option("--to", metavar="TARGET", help="Tool: scrapy, freshrss, ...")
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE|FOLDER",
            help="Output file, or folder for several files. Default: stdout.",
        ),
    ] = "",
    url: UrlOption = "",
) -> None:
    """Write a wrapper in the form of another tool; list what the tool can't express."""
    from amber_wrap.atomic_write import replace
    from amber_wrap.export.target import subject
    from amber_wrap.export.target_list import target
    from amber_wrap.spec.building import samples_of

    chosen = target(to)
    note_changes(wrapper)
    made = chosen.make(subject(wrapper, samples_of(Path(wrapper)), url))
    for finding in made.findings:
        typer.echo(finding, err=True)
    if not output and len(made.files) == 1:
        typer.echo(next(iter(made.files.values())), nl=False)
        return
    if not output:
        raise errors.FileError(
            f"{to} needs {len(made.files)} files: name a folder for them with -o"
        )
    is_folder = len(made.files) > 1 or output.endswith("/") or Path(output).is_dir()
    for name, text in made.files.items():
        path = Path(output) / name if is_folder else Path(output)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            replace(path.resolve(), text)
        except OSError as error:
            raise errors.FileError(f"cannot write {path}: {error.strerror}") from error
        typer.echo(f"wrote {path}", err=True)
