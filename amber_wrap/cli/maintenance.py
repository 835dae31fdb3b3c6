"""Check whether wrappers still work, and heal wrappers that a redesign broke.

Healing makes the wrapper again from new pages. `check` looks at new pages, and `test`
at the sample pages from which the wrappers were made.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli.options import (
    MISUSE,
    PROBLEM,
    DomainOption,
    ForceOption,
    Pages,
    UrlOption,
    WithinOption,
    WithoutOption,
    WrapperFile,
    competing_domains,
    output_option,
    own_domains_folder,
)
from amber_wrap.cli.terminal import complain, note_changes

if TYPE_CHECKING:
    from amber_wrap.domain.schema import Domain
    from amber_wrap.settings import Options, Source

TRIAL_SIGNS = {"passed": ".", "failed": "F", "skipped": "s"}
"""The sign that the command `test` prints for each outcome on a sample page."""
LINE_WIDTH = 79
"""The number of characters in a line of the output of `test`."""


def check(
    wrapper: WrapperFile,
    pages: Pages,
    domain: DomainOption = "",
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per page.")
    ] = False,
) -> None:
    """Check whether a wrapper still fits pages: exit 0 OK, 1 DEGRADED, 3 BROKEN."""
    import json

    from amber_wrap.dom.parse import parse
    from amber_wrap.dom.truncation import SAMPLE_BUDGET
    from amber_wrap.domain.loader import load_domain
    from amber_wrap.engine.contract_report import EXIT_CODES, report_lines
    from amber_wrap.files import check_stdin, read_saved_page, read_wrapper
    from amber_wrap.maintenance.annotator_check import check_with_annotators

    check_stdin(pages)
    stored_wrapper = read_wrapper(wrapper)
    note_changes(wrapper)
    wrapper_domain = load_domain(domain or stored_wrapper.domain, own_domains_folder())
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
        raise typer.Exit(MISUSE)
    if worst_exit_code:
        raise typer.Exit(worst_exit_code)


def run_trials(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="WRAPPER|FOLDER...",
            help="Wrappers or folders. Default: all in wrappers/.",
        ),
    ] = None,
) -> None:
    """Run generated files on the samples, and compare with the wrappers' records."""
    from amber_wrap.spec.trials import trials, wrapper_files

    files = wrapper_files(names or (), Path())
    all_trials = []
    for file in files:
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
        raise typer.Exit(PROBLEM)


def heal(
    wrapper: WrapperFile,
    pages: Pages,
    accept: Annotated[
        bool,
        typer.Option(
            "--accept", help="Write the changes instead of only showing them."
        ),
    ] = False,
    samples: Annotated[
        str,
        typer.Option(
            "--samples", metavar="FOLDER", help="Folder of the wrapper's samples."
        ),
    ] = "",
    output: Annotated[
        str,
        output_option(
            "Output file. Default: WRAPPER, or WRAPPER_2.py for a new generation."
        ),
    ] = "",
    domain: DomainOption = "",
    url: UrlOption = "",
    within: WithinOption = "",
    without: WithoutOption = "",
    force: ForceOption = False,
) -> None:
    """Heal a wrapper: make it again from new pages, and keep its columns.

    Without --accept, nothing is written, and the changes are shown as a diff.
    """
    from amber_wrap.codegen.build import build_file
    from amber_wrap.files import (
        check_stdin,
        check_target,
        find_samples,
        next_generation,
        read_saved_page,
        read_wrapper,
        sample_folder,
        store_samples,
        stored_path,
        write_wrapper,
    )
    from amber_wrap.maintenance import healing
    from amber_wrap.maintenance.matching import diff_lines
    from amber_wrap.spec.building import heal_command, induce_command
    from amber_wrap.spec.drafting import HealedSpec

    check_stdin(pages)
    path = Path(wrapper).with_suffix(".py")
    old_wrapper = read_wrapper(wrapper)
    if output:
        check_target(Path(output), force=force)
    spec = HealedSpec.of(path, domain, url, within, without)
    domain_name = spec.domain
    if not spec.exists:
        domain_name = spec.domain or old_wrapper.domain
    domains = competing_domains(domain_name)
    options = spec.options
    stored_samples = find_samples(old_wrapper.samples, path, samples)
    old_sources = spec.available_samples(stored_samples, old_wrapper.samples)
    new_sources = _not_read_by_others(
        path, [read_saved_page(name) for name in pages], domains, options
    )
    if not new_sources:
        return
    healed = healing.heal_wrapper(
        old_wrapper, old_sources, new_sources, domains, options
    )
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
        raise typer.Exit(PROBLEM)

    if healed.kind == "same generation":
        target = Path(output or path)
        call = induce_command(
            healed.sources, spec.domain or old_wrapper.domain, options
        )
        typer.echo("the same generation: it reads its samples as before")
    else:
        target = Path(output) if output else next_generation(path)
        if target.resolve() == path.resolve():
            complain(
                f"{path} is not changed, because its samples don't verify ({reasons}): "
                "omit -o to write a new generation beside it"
            )
            raise typer.Exit(PROBLEM)
        call = heal_command(healed.sources, target, path, spec.domain, options)
        typer.echo(f"a new generation: {reasons}")
    bodies = [source.saved.body for source in healed.sources]
    built = build_file(healed.wrapper, bodies, call, options.url)
    for finding in built.findings:
        typer.echo(finding)
    if not accept:
        complain(f"nothing was written: use --accept to write {target}")
        return
    write_wrapper(target, built, force)
    typer.echo(f"wrote {target} and {stored_path(target).name}", err=True)
    for line in spec.write(target, pages, healed, domains):
        typer.echo(line, err=True)
    if sample_folder(path).is_dir():
        folder = store_samples(target, healed.sources)
        typer.echo(f"stored the samples in {folder}", err=True)


def _not_read_by_others(
    path: Path,
    sources: list[Source],
    domains: list[Domain],
    options: Options,
) -> list[Source]:
    """Return the pages in `sources` that no other generation of the wrapper reads.

    A generation is a wrapper for one design of a site. For example, `homes_2.py` beside
    `homes.py` reads pages after a redesign. `path` is the file of the wrapper itself,
    which isn't tried. `domains` (kinds of records) and `options` are those of the
    command `heal`, for reading the pages. Print a line for each page that another
    generation reads.
    """
    from amber_wrap.files import generations, read_wrapper, stored_path
    from amber_wrap.maintenance.healing import is_read

    unread = sources
    for generation in generations(path):
        if generation == path or not stored_path(generation).exists():
            continue
        wrapper = read_wrapper(str(generation))
        still_unread = []
        for source in unread:
            if is_read(wrapper, source, domains, options):
                typer.echo(f"{source.name}: OK, read by {generation}")
            else:
                still_unread.append(source)
        unread = still_unread
    return unread
