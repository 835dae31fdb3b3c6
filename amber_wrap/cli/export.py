"""Convert wrappers to the formats of other tools, or from them.

A wrapper is the set of rules for reading a site's pages.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from amber_wrap import errors
from amber_wrap.cli import common
from amber_wrap.cli.common import argument, note, option, output_option, repeatable


def export_to(
    wrapper: common.WrapperFile,
    to: Annotated[str, option("--to", "Tool: scrapy, freshrss, ...", "TARGET")],
    output: Annotated[
        str,
        output_option(
            "Output file, or folder for several files. Default: stdout.", "FILE|FOLDER"
        ),
    ] = "",
    url: common.UrlOption = "",
) -> None:
    """Convert a wrapper for another tool, and list what the tool can't express.

    A wrapper has the rules for extracting records from a site's pages.
    """
    from amber_wrap.atomic_write import write_file
    from amber_wrap.export.target import export_subject
    from amber_wrap.export.target_list import target_called
    from amber_wrap.spec.building import existing_samples

    export_target = target_called(to)
    common.note_changes(wrapper)
    exported = export_target.make(
        export_subject(wrapper, existing_samples(Path(wrapper)), url)
    )
    for finding in exported.findings:
        note(finding)
    file_count = len(exported.files)
    if not output and file_count == 1:
        [text] = exported.files.values()
        typer.echo(text, nl=False)
        return
    if not output:
        raise errors.FileError(
            f"{to} needs {file_count} files: name a folder for them with -o"
        )
    is_folder = file_count > 1 or output.endswith("/") or Path(output).is_dir()
    for name, text in exported.files.items():
        path = Path(output) / name if is_folder else Path(output)
        write_file(path, text)
        note(f"wrote {path}")


def feed(
    wrapper: common.WrapperFile,
    page: Annotated[str, argument('Saved page ("-": stdin).')],
    to: Annotated[
        Literal["json", "atom"], option("--to", "Format: JSON Feed 1.1 or Atom.")
    ] = "json",
    url: common.UrlOption = "",
) -> None:
    """Print the records of a page as a feed."""
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.output_rows import to_rows
    from amber_wrap.export.feed import atom, feed_entries, json_feed
    from amber_wrap.files import read_saved_page, read_wrapper

    common.note_changes(wrapper)
    stored_wrapper = read_wrapper(wrapper)
    saved = read_saved_page(page).saved
    address = url or saved.url
    rows = to_rows(stored_wrapper, parse(saved.body, address))
    entries = feed_entries(stored_wrapper.fields, rows)
    make_feed = {"json": json_feed, "atom": atom}[to]
    typer.echo(make_feed(Path(wrapper).stem, address, entries), nl=False)


def import_schema(
    tool: Annotated[
        Literal["crawl4ai", "freshrss", "selectorlib"], argument("Tool of the schema.")
    ],
    schema: Annotated[str, argument("File of the schema.")],
    samples: Annotated[
        list[str] | None,
        repeatable(
            "--sample",
            "PAGE",
            "Saved page that the schema reads; adds kinds, a contract and a .py file.",
        ),
    ] = None,
    output: Annotated[
        str, output_option("Output file. Default: wrappers/SCHEMA.json.")
    ] = "",
    url: common.UrlOption = "",
    force: common.ForceOption = False,
) -> None:
    """Convert another tool's schema into a wrapper for the commands of amber-wrap.

    A wrapper has the rules for extracting records from a site's pages.
    """
    from amber_wrap import files
    from amber_wrap.atomic_write import write_atomically
    from amber_wrap.codegen.build import build_file
    from amber_wrap.export.foreign_schemas import read_foreign
    from amber_wrap.export.foreign_wrapper import with_samples, wrapper_of
    from amber_wrap.spec.building import command_line
    from amber_wrap.wrapper.stored_wrapper import StoredWrapper, digest_of, to_text

    path = Path(output) if output else files.wrapper_path(schema)
    path = path.with_suffix(".py")
    files.check_target(path, force=force)
    try:
        foreign_schema = read_foreign(tool, files.read_bytes(schema))
        wrapper = wrapper_of(foreign_schema)
    except errors.WrapperError as error:
        raise errors.WrapperError(f"{schema}: {error}") from error
    for finding in foreign_schema.findings:
        note(finding)
    arguments = [tool, Path(schema).name]
    call = command_line("import", arguments, {"sample": samples or ()})
    if samples:
        sources = [files.read_saved_page(name) for name in samples]
        wrapper = with_samples(wrapper, sources, url)
        try:
            bodies = [source.saved.body for source in sources]
            files.write_wrapper(path, build_file(wrapper, bodies, call, url), force)
        except errors.WrapperError as error:
            note(f"no .py file was written: {error}")
        else:
            note(f"wrote {path} and {files.stored_path(path).name}")
            return
    target = files.stored_path(path)
    if target.exists() and not force:
        raise errors.FileError(
            f"{target} already exists: name another file with -o, or overwrite it with "
            "--force"
        )
    target.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(
        target.resolve(), to_text(StoredWrapper(wrapper, call, digest_of(b"")))
    )
    note(f"wrote {target}")
