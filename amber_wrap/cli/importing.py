"""Import schemas of other tools as wrappers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from amber_wrap import errors
from amber_wrap.cli.options import ForceOption, UrlOption


def import_schema(
    tool: Annotated[
        Literal["crawl4ai", "freshrss", "selectorlib"],
        typer.Argument(help="Tool of the schema."),
    ],
    schema: Annotated[str, typer.Argument(help="File of the schema.")],
    samples: Annotated[
        list[str] | None,
        typer.Option(
            "--sample",
            metavar="PAGE",
            help="Saved page that the schema reads; adds kinds, a contract and a .py "
            "file. Repeatable.",
            show_default=False,
        ),
    ] = None,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Output file. Default: wrappers/SCHEMA.json.",
        ),
    ] = "",
    url: UrlOption = "",
    force: ForceOption = False,
) -> None:
    """Convert the schema of another tool into a wrapper, for apply, check and heal."""
    from amber_wrap.atomic_write import replace
    from amber_wrap.codegen.build import build_file
    from amber_wrap.export.foreign_schemas import read_foreign, wrapper_of
    from amber_wrap.export.foreign_wrapper import with_samples
    from amber_wrap.files import (
        check_target,
        read_bytes,
        read_saved_page,
        stored_path,
        wrapper_path,
        write_wrapper,
    )
    from amber_wrap.spec.building import command
    from amber_wrap.wrapper.stored_wrapper import Stored, digest_of, to_text

    path = Path(output) if output else wrapper_path(schema)
    path = path.with_suffix(".py")
    check_target(path, force=force)
    try:
        found = read_foreign(tool, read_bytes(schema))
        wrapper = wrapper_of(found)
    except errors.WrapperError as error:
        raise errors.WrapperError(f"{schema}: {error}") from error
    for finding in found.findings:
        typer.echo(finding, err=True)
    words = [tool, Path(schema).name]
    call = command("import", words, {"sample": samples or ()})
    if samples:
        sources = [read_saved_page(one) for one in samples]
        wrapper = with_samples(wrapper, sources, url)
        try:
            bodies = [one.saved.body for one in sources]
            write_wrapper(path, build_file(wrapper, bodies, call, url), force)
        except errors.WrapperError as error:
            typer.echo(f"no .py file was written: {error}", err=True)
        else:
            typer.echo(f"wrote {path} and {stored_path(path).name}", err=True)
            return
    target = stored_path(path)
    if target.exists() and not force:
        raise errors.FileError(
            f"{target} already exists: name another file with -o, or overwrite it with "
            "--force"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    replace(target.resolve(), to_text(Stored(wrapper, call, digest_of(b""))))
    typer.echo(f"wrote {target}", err=True)
