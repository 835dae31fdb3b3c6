"""Make wrappers from sample pages, or build them from specs.

A wrapper is the set of rules for reading a site's pages. A spec has a person's
decisions about it, such as names of columns.
"""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli import common, fetch
from amber_wrap.cli.common import argument, complain, note, option, output_option

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from amber_wrap.annotate.examples import Example
    from amber_wrap.settings import Source
    from amber_wrap.spec.writer import Changes


def induce(
    samples: common.Pages,
    domain: common.DomainOption = "",
    output: Annotated[
        str | None,
        output_option('Output file ("-": stdout). Default: wrappers/SAMPLE.py.'),
    ] = None,
    url: common.UrlOption = "",
    strategy: common.StrategyOption = "role",
    distance: common.DistanceOption = "fast",
    within: common.WithinOption = "",
    without: common.WithoutOption = "",
    fields: common.FieldsOption = "",
    example: common.ExampleOption = None,
    rename: common.RenameOption = None,
    drop: common.DropOption = None,
    kind: common.KindOption = None,
    ascii_names: Annotated[
        bool, option("--ascii-names", "Use only ASCII letters in column names.")
    ] = False,
    empty: common.EmptyOption = None,
    force: common.ForceOption = False,
    keep: Annotated[
        bool, option("--store", "Store the samples beside the wrapper, for heal.")
    ] = False,
    browser: fetch.BrowserOption = False,
    wait: fetch.WaitOption = "",
    scroll: fetch.ScrollOption = 0,
    allow_private: fetch.PrivateOption = False,
    ignore_robots: fetch.RobotsOption = False,
) -> None:
    """Make (induce) a wrapper from sample pages of one template.

    A wrapper has the rules for extracting records from a site's pages. A spec
    (NAME.toml) has your decisions about it. If there is a spec, its options apply, and
    the options of this call are added to it. Pages are files or addresses. A page at an
    address is fetched and saved first.
    """
    from amber_wrap import files
    from amber_wrap.generalise.doubts import SETTLED
    from amber_wrap.report.text_report import columns_not_read, induction_summary
    from amber_wrap.settings import Options
    from amber_wrap.spec.building import compile_samples, first_stated_address
    from amber_wrap.spec.drafting import Draft
    from amber_wrap.spec.reader import spec_path

    if keep and output == files.STDIN:
        raise errors.FileError(
            "--store stores the samples beside the wrapper: name its file with -o"
        )
    files.check_stdin(samples)
    session = fetch.session_of(browser, wait, scroll, allow_private, ignore_robots)
    samples = [fetch.save_if_address(name, session) for name in samples]
    sources = [files.read_saved_page(name) for name in samples]
    path = files.wrapper_path(samples[0])
    if output is not None:
        path = Path(output)
        path = path.with_suffix(".py") if path.suffix == files.STORED_SUFFIX else path
    if output != files.STDIN:
        files.check_target(path, sources if output is None else None, force)
    options = Options(
        url=url,
        strategy=strategy,
        distance=distance,
        within=within,
        without=without,
        fields=fields,
        examples=common.parse_examples(example),
        ascii_names=ascii_names,
        empty=texts_of_empty_pages(sources, empty or ()),
    )
    changes = column_decisions(rename, drop, kind, options.examples)
    is_kept = files.STDIN not in (output, *samples)
    url = url or first_stated_address(sources)
    draft = Draft.begin(
        spec_path(path), is_kept, samples, domain, options, changes, url
    )
    spec = draft.spec
    domains = common.competing_domains(spec.domain)
    compilation, made = compile_samples(sources, domains, spec.domain, spec.options)
    typer.echo(induction_summary(compilation), err=True, nl=False)
    for finding in made.built.findings:
        note(finding)
    has_default_fields = not spec.options.fields and len(domains) == 1
    if has_default_fields and (hint := columns_not_read(compilation)):
        note(hint)
    if output == files.STDIN:
        typer.echo(made.built.source, nl=False)
    else:
        files.write_wrapper(path, made.built, force)
        stored = files.stored_path(path).name
        if is_kept:
            draft.finish(compilation.wrapper)
            note(f"wrote {path}, {stored} and {draft.path.name}")
        else:
            note(f"wrote {path} and {stored}")
    if any(diagnostic.code in SETTLED for diagnostic in compilation.diagnostics):
        arguments = [*samples, "-o", output] if output else samples
        note(f"to resolve a doubt: amber-wrap induce {shlex.join(arguments)} OPTION")
    if keep:
        note(f"stored the samples in {files.store_samples(path, sources)}")


def texts_of_empty_pages(
    samples: Sequence[Source], empty: Sequence[str]
) -> tuple[str, ...]:
    """Return the texts of pages without results, such as `No hotels found`.

    All pages `empty` have these texts, and no sample has them. Raise FileError for an
    unreadable file, PageError for a file that is no page, and SelectionError if no text
    is found.
    """
    from amber_wrap.contract.page_signs import empty_texts
    from amber_wrap.dom.parse import parse
    from amber_wrap.files import read_saved_page

    if not empty:
        return ()
    empty_pages = [parse(read_saved_page(name).saved.body) for name in empty]
    sample_pages = [parse(sample.saved.body) for sample in samples]
    if texts := empty_texts(sample_pages, empty_pages):
        return texts
    raise errors.SelectionError(
        f"--empty {' '.join(empty)}: the samples have all its texts, too: name a "
        "page that says that there are no results"
    )


def build(
    names: Annotated[
        list[str] | None,
        argument("Names or files of wrappers. Default: all in wrappers/."),
    ] = None,
    check: Annotated[
        bool, option("--check", "Write nothing, and exit 1 if a file would change.")
    ] = False,
    force: common.ForceOption = False,
) -> None:
    """Build wrappers from their specs: NAME.toml makes NAME.py and NAME.json.

    A wrapper has the rules for extracting records from a site's pages. A spec has your
    decisions about a wrapper.
    """
    from amber_wrap.files import write_wrapper
    from amber_wrap.spec.building import build_spec, find_specs
    from amber_wrap.spec.reader import read_spec

    is_right = True
    for path in find_specs(names or (), Path()):
        file = path.with_suffix(".py")
        try:
            spec = read_spec(path)
            made = build_spec(spec, path, common.competing_domains(spec.domain))
            changes = made.first_change(file)
            if changes and not check:
                write_wrapper(file, made.built, force)
        except errors.AmberError as error:
            complain(error)
            is_right = False
            continue
        for finding in made.findings:
            if finding.level == "warning":
                note(f"{path.stem}: {finding}")
        if changes and check:
            typer.echo(changes, nl=False)
            is_right = False
        outcome = "would change" if check else "built"
        note(f"{file}: {outcome if changes else 'matches its spec'}")
    if not is_right:
        raise typer.Exit(common.PROBLEM)


def column_decisions(
    rename: Iterable[str] | None,
    drop: Iterable[str] | None,
    kind: Iterable[str] | None,
    examples: Iterable[Example],
) -> Changes:
    """Return the user's decisions about columns, from the options of a command.

    Raise SelectionError if a new name or a kind of values is invalid.
    """
    from amber_wrap.domain.schema import COLUMN_NAME, ValueKind
    from amber_wrap.spec.writer import Changes

    new_names = common.parse_pairs("--rename", rename)
    kinds = common.parse_pairs("--kind", kind)
    for new_name in new_names.values():
        if not COLUMN_NAME.fullmatch(new_name):
            raise errors.SelectionError(
                f"--rename: {new_name!r} is not a valid name: use at most 41 "
                "letters, digits and underscores, beginning with a letter"
            )
    for name, kind_name in kinds.items():
        if kind_name not in tuple(ValueKind):
            raise errors.SelectionError(
                f"--kind {name}={kind_name}: unknown kind; use {', '.join(ValueKind)}"
            )
    example_values = {example.name: example.value for example in examples}
    return Changes(new_names, tuple(drop or ()), kinds, example_values)
