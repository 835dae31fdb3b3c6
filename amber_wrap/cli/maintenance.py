"""Check whether wrappers still work on pages, and heal those that a redesign broke.

Healing means to make a wrapper again from new pages.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from amber_wrap import errors
from amber_wrap.cli import common
from amber_wrap.cli.common import argument, complain, note, option, output_option

if TYPE_CHECKING:
    from amber_wrap.domain.schema import Domain
    from amber_wrap.settings import Options, Source

TRIAL_SIGNS = {"passed": ".", "failed": "F", "skipped": "s"}
"""The sign that the command `test` prints for the outcome on a page.

A page is a sample from which a wrapper (set of extraction rules) was made.
"""
LINE_WIDTH = 79
"""The number of characters in a line of the output of `test`."""


def check(
    wrapper: common.WrapperFile,
    pages: common.Pages,
    domain: common.DomainOption = "",
    as_json: Annotated[
        bool, option("--json", "Print one JSON object per page.")
    ] = False,
) -> None:
    """Check whether a wrapper still fits pages: exit 0 OK, 1 DEGRADED, 3 BROKEN.

    A wrapper has the rules for extracting records from a site's pages.
    """
    from amber_wrap.dom.parse import parse
    from amber_wrap.dom.truncation import SAMPLE_BUDGET
    from amber_wrap.domain.loader import load_domain
    from amber_wrap.engine.contract_report import EXIT_CODES, report_lines
    from amber_wrap.files import check_stdin, read_saved_page, read_wrapper
    from amber_wrap.maintenance.annotator_check import check_with_annotators

    check_stdin(pages)
    stored_wrapper = read_wrapper(wrapper)
    common.note_changes(wrapper)
    name = domain or stored_wrapper.domain
    wrapper_domain = load_domain(name, common.own_domains_folder())
    worst_exit_code, has_bad_file = 0, False
    for name in pages:
        try:
            saved = read_saved_page(name).saved
            page = parse(saved.body, saved.url, SAMPLE_BUDGET)
            report = check_with_annotators(stored_wrapper, page, wrapper_domain)
        except errors.FileError as error:
            complain(error)
            has_bad_file = True
            continue
        except errors.PageError as error:
            complain(f"{name}: {error}")
            worst_exit_code = max(worst_exit_code, EXIT_CODES["BROKEN"])
            continue
        if as_json:
            typer.echo(json.dumps({"page": name, **report}, ensure_ascii=False))
        else:
            typer.echo("\n".join(report_lines(name, report)))
        worst_exit_code = max(worst_exit_code, EXIT_CODES[report["status"]])
    if has_bad_file:
        raise typer.Exit(common.MISUSE)
    if worst_exit_code:
        raise typer.Exit(worst_exit_code)


def run_trials(
    names: Annotated[
        list[str] | None,
        argument(
            "Wrappers or folders. Default: all in wrappers/.",
            metavar="WRAPPER|FOLDER...",
        ),
    ] = None,
) -> None:
    """Run generated files on the samples, and compare with the wrappers' records.

    A wrapper has the rules for extracting records from a site's pages. Samples are the
    pages from which it was made.
    """
    from amber_wrap.spec.trials import trials, wrapper_files

    all_trials = []
    for file in wrapper_files(names or (), Path()):
        trials_of_file = list(trials(file))
        signs = "".join(TRIAL_SIGNS[trial.status] for trial in trials_of_file)
        typer.echo(f"{file} {signs}")
        all_trials += trials_of_file
    for trial in all_trials:
        if trial.status == "failed":
            typer.echo(f" {trial.wrapper} on {trial.page} ".center(LINE_WIDTH, "_"))
            for reason in trial.reasons:
                typer.echo(reason)
    for trial in all_trials:
        if trial.status == "skipped":
            typer.echo(f"skipped {trial.wrapper} on {trial.page}: {trial.reasons[0]}")
    counts = Counter(trial.status for trial in all_trials)
    summary = ", ".join(
        f"{counts[status]} {status}" for status in ("failed", "passed", "skipped")
    )
    typer.echo(f" {summary} ".center(LINE_WIDTH, "="))
    if counts["failed"] or not counts["passed"]:
        raise typer.Exit(common.PROBLEM)


def evaluate(
    corpus: Annotated[
        str,
        argument("Folder of pages with gold records (see docs/evaluation-format.md)."),
    ],
    mode: Annotated[
        Literal["self", "transfer"],
        option(
            "--mode",
            "Score a wrapper on its own sample, or on the other pages of its template.",
        ),
    ] = "self",
    no_domain: Annotated[
        bool, option("--no-domain", "Let all domains compete for each page.")
    ] = False,
    domain: Annotated[
        str, option("--domain", "Score only the pages of this domain (name or folder).")
    ] = "",
    strategy: common.StrategyOption = "role",
    as_json: Annotated[bool, option("--json", "Print a JSON object.")] = False,
    by_page: Annotated[
        bool, option("--by-page", "Also print the figures of each page.")
    ] = False,
    show_errors: Annotated[
        bool, option("--errors", "Also print each difference from the gold records.")
    ] = False,
    jobs: common.JobsOption = 0,
) -> None:
    """Score wrappers on pages whose records are known: precision and recall.

    A wrapper has the rules for extracting records from a site's pages.
    """
    from amber_wrap.evaluation.gold import read_corpus
    from amber_wrap.evaluation.report import figures_json, figures_table
    from amber_wrap.evaluation.tasks import Setting, plan_evaluation

    folder = str(common.domain_folder(domain)) if domain else ""
    setting = Setting(mode, not no_domain, strategy, folder)
    evaluation = plan_evaluation(read_corpus(Path(corpus)), setting)
    results = evaluation.run(jobs or os.cpu_count() or 1)
    with common.progress(results, evaluation.page_count) as results_with_bar:
        page_results = list(results_with_bar)
    to_text = figures_json if as_json else figures_table
    typer.echo(to_text(page_results, setting, by_page, show_errors), nl=False)


def heal(
    wrapper: common.WrapperFile,
    pages: common.Pages,
    accept: Annotated[
        bool, option("--accept", "Write the changes instead of only showing them.")
    ] = False,
    samples: Annotated[
        str, option("--samples", "Folder of the wrapper's samples.", "FOLDER")
    ] = "",
    output: Annotated[
        str,
        output_option(
            "Output file. Default: WRAPPER, or WRAPPER_2.py for a new generation."
        ),
    ] = "",
    domain: common.DomainOption = "",
    url: common.UrlOption = "",
    within: common.WithinOption = "",
    without: common.WithoutOption = "",
    force: common.ForceOption = False,
) -> None:
    """Heal a wrapper: make it again from new pages, and keep its columns.

    A wrapper has the rules for extracting records from a site's pages. Without
    --accept, nothing is written, and the changes are shown as a diff.
    """
    from amber_wrap import files
    from amber_wrap.codegen.build import build_file
    from amber_wrap.maintenance.healing import heal_wrapper
    from amber_wrap.maintenance.wrapper_differences import diff_lines
    from amber_wrap.spec.building import heal_command, induce_command
    from amber_wrap.spec.drafting import HealedSpec

    files.check_stdin(pages)
    path = Path(wrapper).with_suffix(".py")
    old_wrapper = files.read_wrapper(wrapper)
    if output:
        files.check_target(Path(output), force=force)
    spec = HealedSpec.of(path, domain, url, within, without)
    options, domain_name = spec.options, spec.domain or old_wrapper.domain
    domains = common.competing_domains(spec.domain if spec.exists else domain_name)
    stored_samples = files.find_samples(old_wrapper.samples, path, samples)
    old_sources = spec.available_samples(stored_samples, old_wrapper.samples)
    sources = [files.read_saved_page(name) for name in pages]
    sources = _not_read_by_others(path, sources, domains, options)
    if not sources:
        return
    healed = heal_wrapper(old_wrapper, old_sources, sources, domains, options)
    for line in (*healed.findings, *diff_lines(healed.matches)):
        typer.echo(line)
    for lost, successor in healed.successors.items():
        typer.echo(f"  {lost}: has the same values as {successor} of the new page")
    reasons = "; ".join(healed.reasons)
    if healed.kind == "fits":
        complain(f"{path} needs no healing")
        return
    if healed.wrapper is None:
        complain(f"{path} can't be healed: {reasons}")
        raise typer.Exit(common.PROBLEM)

    if healed.kind == "same generation":
        target = Path(output or path)
        call = induce_command(healed.sources, domain_name, options)
        typer.echo("the same generation: it reads its samples as before")
    else:
        target = Path(output) if output else files.next_generation(path)
        if target.resolve() == path.resolve():
            complain(
                f"{path} is not changed, because its samples don't verify ({reasons}): "
                "omit -o to write a new generation beside it"
            )
            raise typer.Exit(common.PROBLEM)
        call = heal_command(healed.sources, target, path, spec.domain, options)
        typer.echo(f"a new generation: {reasons}")
    bodies = [source.saved.body for source in healed.sources]
    built = build_file(healed.wrapper, bodies, call, options.url)
    for finding in built.findings:
        typer.echo(finding)
    if not accept:
        complain(f"nothing was written: use --accept to write {target}")
        return
    files.write_wrapper(target, built, force)
    note(f"wrote {target} and {files.stored_path(target).name}")
    for line in spec.write(target, pages, healed, domains):
        note(line)
    if files.sample_folder(path).is_dir():
        folder = files.store_samples(target, healed.sources)
        note(f"stored the samples in {folder}")


def _not_read_by_others(
    path: Path, sources: list[Source], domains: list[Domain], options: Options
) -> list[Source]:
    """Return the pages that no other wrapper of the site reads.

    Another wrapper, such as `homes_2.py` beside `homes.py`, is for another design of
    the site. Print a line for each page that another wrapper reads.
    """
    from amber_wrap.files import generations, read_wrapper, stored_path
    from amber_wrap.maintenance.healing import is_read

    for generation in generations(path):
        if generation == path or not stored_path(generation).exists():
            continue
        wrapper, unread = read_wrapper(str(generation)), []
        for source in sources:
            if is_read(wrapper, source, domains, options):
                typer.echo(f"{source.name}: OK, read by {generation}")
            else:
                unread.append(source)
        sources = unread
    return sources
