"""Explain how records are found on a page, as text or as an HTML report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli.options import (
    PROBLEM,
    DistanceOption,
    DomainOption,
    StrategyOption,
    UrlOption,
    WithinOption,
    WithoutOption,
    competing_domains,
    named_wrapper,
)
from amber_wrap.cli.terminal import note_changes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amber_wrap.domain.schema import Domain
    from amber_wrap.settings import Options, Source


def explain(
    sample: Annotated[
        str,
        typer.Argument(
            help='Saved page ("-": stdin), or a wrapper.', callback=named_wrapper
        ),
    ],
    page: Annotated[
        str | None,
        typer.Argument(help="Saved page to show the wrapper's records on."),
    ] = None,
    domain: DomainOption = "",
    url: UrlOption = "",
    strategy: StrategyOption = "role",
    distance: DistanceOption = "fast",
    within: WithinOption = "",
    without: WithoutOption = "",
    html: Annotated[
        str,
        typer.Option(
            "--html", metavar="FILE", help="Write an HTML report instead of text."
        ),
    ] = "",
) -> None:
    """Show how records are found on a page: annotations, lists, records, values.

    Also show why each column is read or omitted, and why it has its name. List the
    patterns in the generated file that match less than the wrapper's patterns.
    """
    from amber_wrap.files import read_saved_page
    from amber_wrap.lowering.lower import lower_wrapper
    from amber_wrap.passes.analysis import parse_samples
    from amber_wrap.pipeline import analyse_samples, compile_wrapper
    from amber_wrap.report.pass_steps import explanation
    from amber_wrap.report.text_report import column_lines, pattern_loss_lines
    from amber_wrap.settings import Options

    if page is not None or sample.endswith((".py", ".json")):
        write_page_report(sample, page, html, url)
        return
    options = Options(url, strategy, distance, within, without)
    source = read_saved_page(sample)
    domains = competing_domains(domain)
    if html:
        write_sample_report(source, domains, options, html)
        return
    pages = parse_samples([source], options)
    analyses, best = analyse_samples(pages, domains, options)
    typer.echo(explanation(pages[0], analyses, best), nl=False)
    if not best.record_count:
        raise typer.Exit(PROBLEM)
    compilation = compile_wrapper([source], domains, options)
    lowered = lower_wrapper(compilation.wrapper, [page.root for page in pages])
    loss_lines = pattern_loss_lines(lowered.wrapper, lowered.program)
    for line in (*column_lines(compilation), *loss_lines):
        typer.echo(line)


def write_sample_report(
    source: Source, domains: Sequence[Domain], options: Options, html: str
) -> None:
    """Write an HTML report on how a wrapper is made from a sample page.

    `source` is the sample page. `html` is the file of the report.
    """
    from amber_wrap.codegen.build import build_file
    from amber_wrap.pipeline import compile_wrapper
    from amber_wrap.report.html_report import view_of_sample
    from amber_wrap.report.pass_steps import PassTimes

    times = PassTimes()
    compilation = compile_wrapper([source], domains, options, times)
    built = build_file(compilation.wrapper, [source.saved.body], "amber-wrap induce")
    write_report(html, view_of_sample(compilation, built.source, times))


def write_page_report(wrapper: str, page: str | None, html: str, url: str) -> None:
    """Write an HTML report on the records that a wrapper selects on a page.

    `html` is the file of the report. Raise SelectionError if `page` is None or `html`
    is empty.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.engine.drift_check import check_page
    from amber_wrap.files import read_saved_page, read_wrapper
    from amber_wrap.report.html_report import view_of_page

    stored_wrapper = read_wrapper(wrapper)
    if page is None or not html:
        raise errors.SelectionError(
            f"{wrapper} is a wrapper: also name a page, and a file for the report, as "
            "in explain WRAPPER PAGE --html report.html"
        )
    note_changes(wrapper)
    saved = read_saved_page(page).saved
    parsed_page = parse(saved.body, url or saved.url)
    file = Path(wrapper).with_suffix(".py")
    code = file.read_text("utf-8", "replace") if file.is_file() else ""
    contract_report = check_page(stored_wrapper, parsed_page)
    report_html = view_of_page(
        Path(page).name, parsed_page, stored_wrapper, contract_report, code
    )
    write_report(html, report_html)


def write_report(name: str, text: str) -> None:
    """Write the HTML of a report to the file `name`.

    Raise FileError if the file can't be written.
    """
    from amber_wrap.atomic_write import write_file

    path = Path(name)
    write_file(path, text)
    typer.echo(f"wrote {path}: open it in a browser", err=True)
