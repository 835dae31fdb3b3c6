"""Evaluate wrappers on pages whose records are known."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Literal

import typer

from amber_wrap.cli.options import JobsOption, StrategyOption, domain_folder
from amber_wrap.cli.terminal import progress


def evaluate(
    corpus: Annotated[
        str,
        typer.Argument(
            help="Folder of pages with gold records (see docs/evaluation-format.md)."
        ),
    ],
    mode: Annotated[
        Literal["self", "transfer"],
        typer.Option(
            "--mode",
            help="Score a wrapper on its own sample, or on the other pages of its "
            "template.",
        ),
    ] = "self",
    no_domain: Annotated[
        bool,
        typer.Option("--no-domain", help="Let all domains compete for each page."),
    ] = False,
    domain: Annotated[
        str,
        typer.Option(
            "--domain", help="Score only the pages of this domain (name or folder)."
        ),
    ] = "",
    strategy: StrategyOption = "role",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print a JSON object.")
    ] = False,
    by_page: Annotated[
        bool, typer.Option("--by-page", help="Also print the figures of each page.")
    ] = False,
    show_errors: Annotated[
        bool,
        typer.Option(
            "--errors", help="Also print each difference from the gold records."
        ),
    ] = False,
    jobs: JobsOption = 0,
) -> None:
    """Score wrappers on pages whose records are known: precision and recall."""
    from amber_wrap.evaluation.gold import read_corpus
    from amber_wrap.evaluation.report import figures_json, figures_table
    from amber_wrap.evaluation.tasks import Setting, plan_evaluation

    folder = str(domain_folder(domain)) if domain else ""
    setting = Setting(mode, not no_domain, strategy, folder)
    evaluation = plan_evaluation(read_corpus(Path(corpus)), setting)
    results = evaluation.run(jobs or os.cpu_count() or 1)
    with progress(results, evaluation.page_count) as results_with_bar:
        page_results = list(results_with_bar)
    to_text = figures_json if as_json else figures_table
    typer.echo(to_text(page_results, setting, by_page, show_errors), nl=False)
