"""The command line: parse, call, print, exit code.

Data goes to stdout, all else to stderr, "-" is stdin.  Exit codes: 0 done, 1 nothing
found or a problem in the page, 2 a mistake in the call.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, TypeVar

import typer

from amber_wrap import errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from contextlib import AbstractContextManager

    from amber_wrap.domain.schema import Domain
    from amber_wrap.pipeline import Source

T = TypeVar("T")

# Imports of the compiler stand in the commands: `--version` and `--help` are instant.

app = typer.Typer(
    help="Turn a saved result page into a standalone Python extractor.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
domain_app = typer.Typer(
    help="What the system knows of a domain.", no_args_is_help=True
)
app.add_typer(domain_app, name="domain")

PROBLEM, MISUSE = 1, 2
MISUSES = (
    errors.FileError,
    errors.DomainError,
    errors.GoldError,
    errors.SelectionError,
    errors.WrapperError,
)

Pages = Annotated[list[str], typer.Argument(help='Saved pages; "-" is stdin.')]
DomainOption = Annotated[
    str,
    typer.Option("--domain", help="Built-in domain or domain folder; else the best."),
]
UrlOption = Annotated[
    str, typer.Option("--url", help="The page's address: makes URLs absolute.")
]
StrategyOption = Annotated[
    Literal["role", "paper"],
    typer.Option("--strategy", help="How data areas are found."),
]
DistanceOption = Annotated[
    Literal["fast", "zss"],
    typer.Option("--distance", help="Implementation of the tree edit distance."),
]
WithinOption = Annotated[
    str, typer.Option("--within", metavar="CSS|XPATH", help="Look only inside of it.")
]
WithoutOption = Annotated[
    str, typer.Option("--without", metavar="CSS|XPATH", help="Leave it out.")
]
RawOption = Annotated[
    bool, typer.Option("--raw", help="Values as displayed, URLs as in the HTML.")
]


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Turn a saved result page into a standalone Python extractor."""
    if show:
        from importlib.metadata import version as version_of

        typer.echo(f"amber-wrap {version_of('amber-wrap')}")
        raise typer.Exit


@app.command()
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
) -> None:
    """Induce a wrapper from saved pages of one template."""
    from amber_wrap.codegen.render import render
    from amber_wrap.files import (
        STDIN,
        check_target,
        read_source,
        wrapper_path,
        write_wrapper,
    )
    from amber_wrap.pipeline import Options, compile_wrapper
    from amber_wrap.report import summary

    if samples.count(STDIN) > 1:
        raise errors.FileError("stdin can be read once only")
    sources = [read_source(name) for name in samples]
    path = Path(output) if output is not None else wrapper_path(samples[0])
    if output != STDIN:
        check_target(path, sources if output is None else None)
    options = Options(url, strategy, distance, within, without)
    compilation = compile_wrapper(sources, _domains(domain), options)
    given = {
        "domain": domain or compilation.analysis.domain.name,
        "url": url,
        "within": within,
        "without": without,
        "strategy": "" if strategy == "role" else strategy,
        "distance": "" if distance == "fast" else distance,
    }
    source = render(compilation.wrapper, _command(sources, given))
    typer.echo(summary(compilation), err=True, nl=False)
    if output == STDIN:
        typer.echo(source, nl=False)
    else:
        write_wrapper(path, source)
        typer.echo(f"wrote {path}", err=True)


@app.command()
def apply(
    wrapper: Annotated[str, typer.Argument(help="A generated file; it is not run.")],
    pages: Pages,
    url: UrlOption = "",
    raw: RawOption = False,
) -> None:
    """Extract the records of pages, as JSON Lines."""
    from amber_wrap.codegen.read import read_wrapper
    from amber_wrap.dom.parse import parse
    from amber_wrap.files import read_bytes
    from amber_wrap.generalise.verify import check_expressions
    from amber_wrap.wrapper.interpret import to_rows

    rules = read_wrapper(read_bytes(wrapper).decode("utf-8", "replace"))
    check_expressions(rules)
    found = misused = False
    for name in pages:
        try:
            rows = to_rows(rules, parse(read_bytes(name), url), raw)
        except (errors.PageError, errors.FileError) as error:
            _complain(
                f"{name}: {error}" if isinstance(error, errors.PageError) else error
            )
            misused = misused or isinstance(error, errors.FileError)
            continue
        found = found or bool(rows)
        if not rows:
            _complain(f"{name}: no records")
        for row in rows:
            origin = {"_page": name} if len(pages) > 1 else {}
            typer.echo(json.dumps({**row, **origin}, ensure_ascii=False))
    if misused or not found:
        raise typer.Exit(MISUSE if misused else PROBLEM)


@app.command()
def explain(
    sample: Annotated[str, typer.Argument(help='A saved page; "-" is stdin.')],
    domain: DomainOption = "",
    url: UrlOption = "",
    strategy: StrategyOption = "role",
    distance: DistanceOption = "fast",
    within: WithinOption = "",
    without: WithoutOption = "",
) -> None:
    """Show what each pass makes of a page: annotations, areas, records, supports."""
    from amber_wrap.files import read_source
    from amber_wrap.pipeline import Options, analyse_samples, parse_samples
    from amber_wrap.report import explanation

    options = Options(url, strategy, distance, within, without)
    pages = parse_samples([read_source(sample)], options)
    tried, best = analyse_samples(pages, _domains(domain), options)
    typer.echo(explanation(pages[0], tried, best), nl=False)
    if not best.record_count:
        raise typer.Exit(PROBLEM)


@app.command()
def evaluate(
    corpus: Annotated[
        str, typer.Argument(help="A folder of gold: docs/evaluation-format.md.")
    ],
    mode: Annotated[
        Literal["self", "transfer"],
        typer.Option(
            "--mode", help="A wrapper on its sample, or on a template's other pages."
        ),
    ] = "self",
    no_domain: Annotated[
        bool, typer.Option("--no-domain", help="All domains compete.")
    ] = False,
    domain: Annotated[
        str, typer.Option("--domain", help="Only its gold; may be a domain folder.")
    ] = "",
    strategy: StrategyOption = "role",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object.")
    ] = False,
    by_page: Annotated[
        bool, typer.Option("--by-page", help="Add the figures of each page.")
    ] = False,
    show_errors: Annotated[
        bool, typer.Option("--errors", help="Add each difference from the gold.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            "-j", min=0, help="Processes; else one per core.", show_default=False
        ),
    ] = 0,
) -> None:
    """Score wrappers on pages whose records are known: precision and recall."""
    from amber_wrap.evaluation.figures import table, to_json
    from amber_wrap.evaluation.gold import read_corpus
    from amber_wrap.evaluation.tasks import Setting, plan

    setting = Setting(mode, not no_domain, strategy, domain)
    evaluation = plan(read_corpus(Path(corpus)), setting)
    results = evaluation.run(jobs or os.cpu_count() or 1)
    with _progress(results, evaluation.page_count) as steps:
        scored = list(steps)
    report = to_json if as_json else table
    typer.echo(report(scored, setting, by_page, show_errors), nl=False)


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


def main() -> None:
    """Run the command line; the one place where errors become words and exit codes."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        app()
    except MISUSES as error:
        _complain(str(error))
        sys.exit(MISUSE)
    except errors.AmberError as error:
        _complain(str(error))
        sys.exit(PROBLEM)
    except BrokenPipeError:
        # Whoever read our output has enough of it; don't complain at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except (Exception, RecursionError) as error:
        if os.environ.get("AMBER_WRAP_DEBUG"):
            raise
        _complain(
            f"internal error ({type(error).__name__}: {error}): please report it; "
            "AMBER_WRAP_DEBUG=1 shows where"
        )
        sys.exit(PROBLEM)


def _complain(message: object) -> None:
    typer.echo(f"amber-wrap: {' '.join(str(message).split())}", err=True)


def _progress(steps: Iterable[T], length: int) -> AbstractContextManager[Iterable[T]]:
    """The steps, with a progress bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        return nullcontext(steps)
    return typer.progressbar(steps, length=length, file=sys.stderr)


def _domains(name: str) -> list[Domain]:
    from amber_wrap.domain.loader import built_in_domains, load_domain

    return [load_domain(one) for one in ([name] if name else built_in_domains())]


def _command(sources: Sequence[Source], options: Mapping[str, str]) -> str:
    """The call that makes the wrapper again; of absolute paths the names only."""
    words = ["amber-wrap", "induce", *(source.name for source in sources)]
    for option, value in options.items():
        if value:
            words += [
                f"--{option}",
                Path(value).name if value[0] == "/" and option == "domain" else value,
            ]
    return shlex.join(words)
