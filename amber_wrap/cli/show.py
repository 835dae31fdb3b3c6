"""Show how records are found: as text, as an HTML report, or in the studio.

The studio is a local server for correcting extraction rules in a browser.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli import common
from amber_wrap.cli.common import argument, note, option

if TYPE_CHECKING:
    from collections.abc import Sequence

    from amber_wrap.domain.schema import Domain
    from amber_wrap.settings import Options, Source


SAMPLE_HELP = 'Saved page ("-": stdin), or a wrapper.'


def explain(
    sample: Annotated[str, argument(SAMPLE_HELP, callback=common.named_wrapper)],
    page: Annotated[
        str | None, argument("Saved page to show the wrapper's records on.")
    ] = None,
    domain: common.DomainOption = "",
    url: common.UrlOption = "",
    strategy: common.StrategyOption = "role",
    distance: common.DistanceOption = "fast",
    within: common.WithinOption = "",
    without: common.WithoutOption = "",
    html: Annotated[
        str, option("--html", "Write an HTML report instead of text.", "FILE")
    ] = "",
) -> None:
    """Show how records are found on a page: annotations, lists, records, values.

    An annotation is a text that may be a value. Also show why each column is read or
    omitted, and why it has its name. List the patterns in the generated file that match
    less than the original patterns.
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
    domains = common.competing_domains(domain)
    if html:
        write_sample_report(source, domains, options, html)
        return
    pages = parse_samples([source], options)
    analyses, best = analyse_samples(pages, domains, options)
    typer.echo(explanation(pages[0], analyses, best), nl=False)
    if not best.record_count:
        raise typer.Exit(common.PROBLEM)
    compilation = compile_wrapper([source], domains, options)
    lowered = lower_wrapper(compilation.wrapper, [page.root for page in pages])
    loss_lines = pattern_loss_lines(lowered.wrapper, lowered.program)
    for line in (*column_lines(compilation), *loss_lines):
        typer.echo(line)


def write_sample_report(
    source: Source, domains: Sequence[Domain], options: Options, html: str
) -> None:
    """Write an HTML report on how a wrapper is made from a sample page.

    `html` is the path of the report.
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
    """Write an HTML report on the records that a wrapper reads on a page.

    `html` is the path of the report. Raise SelectionError if `page` is None or `html`
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
    common.note_changes(wrapper)
    saved = read_saved_page(page).saved
    parsed, name = parse(saved.body, url or saved.url), Path(page).name
    file = Path(wrapper).with_suffix(".py")
    code = file.read_text("utf-8", "replace") if file.is_file() else ""
    report = check_page(stored_wrapper, parsed)
    write_report(html, view_of_page(name, parsed, stored_wrapper, report, code))


def write_report(name: str, text: str) -> None:
    """Write the HTML of a report to the file `name`.

    Raise FileError if the file can't be written.
    """
    from amber_wrap.atomic_write import write_file

    write_file(Path(name), text)
    note(f"wrote {Path(name)}: open it in a browser")


def studio(
    folder: Annotated[
        str, argument("Folder of saved pages; its wrappers/ holds the wrappers.")
    ] = ".",
    port: Annotated[
        int,
        option("--port", "Port of the server (0: any free port).", min=0, max=65535),
    ] = 0,
) -> None:
    """View saved pages and their wrappers in a browser, and correct wrappers there.

    A wrapper has the rules for extracting records from a site's pages.
    """
    try:
        import uvicorn

        from amber_wrap.studio.http_server import application
    except ImportError as error:
        raise errors.FileError(
            f"the studio needs {error.name}: run pip install 'amber-wrap[studio]'"
        ) from error
    import socket

    from amber_wrap.studio.api_calls import Studio
    from amber_wrap.studio.http_server import ADDRESS, new_token
    from amber_wrap.studio.page_folder import Folder

    studio_of_folder = Studio(Folder.at(Path(folder)))
    server_socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server_socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        server_socket.bind((ADDRESS, port))
        # From now on, a request that comes too early waits instead of being refused.
        server_socket.listen()
    except OSError as error:
        raise errors.FileError(
            f"cannot listen on port {port}: {error.strerror}"
        ) from error
    port, token = server_socket.getsockname()[1], new_token()
    typer.echo(f"http://{ADDRESS}:{port}/#{token}")
    note("open this address in a browser; press Ctrl-C to stop the studio")
    config = uvicorn.Config(
        application(studio_of_folder, port, token),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="none",
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run([server_socket])
