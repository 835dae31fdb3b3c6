"""Wrappers: induced, applied, and explained."""

from __future__ import annotations

import shlex
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli.options import (
    PROBLEM,
    DistanceOption,
    DomainOption,
    ExampleOption,
    FieldsOption,
    ForceOption,
    Pages,
    StrategyOption,
    UrlOption,
    WithinOption,
    WithoutOption,
    domains,
    examples,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from amber_wrap.settings import Source


def induce(
    samples: Pages,
    domain: DomainOption = "",
    output: Annotated[
        str | None,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help='Else wrappers/SAMPLE.py; "-": stdout.',
        ),
    ] = None,
    url: UrlOption = "",
    strategy: StrategyOption = "role",
    distance: DistanceOption = "fast",
    within: WithinOption = "",
    without: WithoutOption = "",
    fields: FieldsOption = "",
    example: ExampleOption = None,
    ascii_names: Annotated[
        bool,
        typer.Option("--ascii-names", help="Names of columns in ASCII letters."),
    ] = False,
    force: ForceOption = False,
    keep: Annotated[
        bool,
        typer.Option("--store", help="Keep the samples beside the wrapper, for heal."),
    ] = False,
) -> None:
    """Induce a wrapper from saved pages of one template."""
    from amber_wrap.codegen.build import build
    from amber_wrap.files import (
        STDIN,
        STORED,
        check_stdin,
        check_target,
        read_source,
        stored_path,
        wrapper_path,
        write_wrapper,
    )
    from amber_wrap.generalise.columns import ALL
    from amber_wrap.maintenance.samples import store
    from amber_wrap.pipeline import compile_wrapper
    from amber_wrap.report import columns_not_read, summary
    from amber_wrap.settings import Options

    if keep and output == STDIN:
        raise errors.FileError(
            "samples are stored beside the wrapper: name its file with -o"
        )
    check_stdin(samples)
    sources = [read_source(name) for name in samples]
    path = wrapper_path(samples[0])
    if output is not None:
        path = Path(output)
        path = path.with_suffix(".py") if path.suffix == STORED else path
    if output != STDIN:
        check_target(path, sources if output is None else None, force)
    competing = domains(domain)
    pointed = examples(example)
    options = Options(
        url, strategy, distance, within, without, fields, pointed, ascii_names
    )
    compilation = compile_wrapper(sources, competing, options)
    given: dict[str, str | bool | Sequence[str]] = {
        "domain": named(domain) or compilation.analysis.domain.name,
        "url": url,
        "within": within,
        "without": without,
        "strategy": "" if strategy == "role" else strategy,
        "distance": "" if distance == "fast" else distance,
        "fields": fields or (ALL if len(competing) > 1 else ""),
        "example": example or (),
        "ascii-names": ascii_names,
    }
    call = command("induce", names(sources), given)
    built = build(compilation.wrapper, [one.saved.body for one in sources], call, url)
    typer.echo(summary(compilation), err=True, nl=False)
    for finding in built.findings:
        typer.echo(finding, err=True)
    if not given["fields"] and (hint := columns_not_read(compilation)):
        typer.echo(hint, err=True)
    if output == STDIN:
        typer.echo(built.source, nl=False)
    else:
        write_wrapper(path, built, force)
        typer.echo(f"wrote {path} and {stored_path(path).name}", err=True)
    if keep:
        typer.echo(f"stored the samples in {store(path, sources)}", err=True)


def explain(
    sample: Annotated[str, typer.Argument(help='A saved page; "-" is stdin.')],
    domain: DomainOption = "",
    url: UrlOption = "",
    strategy: StrategyOption = "role",
    distance: DistanceOption = "fast",
    within: WithinOption = "",
    without: WithoutOption = "",
) -> None:
    """Show what each pass makes of a page: annotations, areas, records, supports; and
    what the patterns of its generated file leave out."""
    from amber_wrap.files import read_source
    from amber_wrap.lowering.cuts import cuts
    from amber_wrap.lowering.lower import lower
    from amber_wrap.passes.analysis import parse_samples
    from amber_wrap.pipeline import analyse_samples, compile_wrapper
    from amber_wrap.report import cut_lines, explanation
    from amber_wrap.settings import Options

    options = Options(url, strategy, distance, within, without)
    source = read_source(sample)
    pages = parse_samples([source], options)
    tried, best = analyse_samples(pages, domains(domain), options)
    typer.echo(explanation(pages[0], tried, best), nl=False)
    if not best.record_count:
        raise typer.Exit(PROBLEM)
    made = compile_wrapper([source], domains(domain), options).wrapper
    lowered = lower(made, [page.root for page in pages])
    for line in cut_lines(cuts(lowered.wrapper, lowered.program)):
        typer.echo(line)


def named(domain: str) -> str:
    """A domain in such a call: of absolute paths the names only, as of the samples."""
    return Path(domain).name if domain.startswith("/") else domain


def names(sources: Iterable[Source]) -> list[str]:
    """What the pages' files are called."""
    return [source.name for source in sources]


def command(
    name: str, words: Iterable[str], options: Mapping[str, str | bool | Sequence[str]]
) -> str:
    """The call that makes a wrapper again; options without a value are left out."""
    flags = [(f"--{key}",) for key, value in options.items() if value is True]
    given = [
        (f"--{key}", value)
        for key, values in options.items()
        if not isinstance(values, bool)
        for value in ([values] if isinstance(values, str) else values)
        if value
    ]
    return shlex.join(
        ["amber-wrap", name, *words, *chain.from_iterable([*given, *flags])]
    )
