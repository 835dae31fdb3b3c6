"""Heal a wrapper that a redesign broke, by inducing it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap.cli.options import (
    PROBLEM,
    DomainOption,
    ForceOption,
    Pages,
    UrlOption,
    WithinOption,
    WithoutOption,
    WrapperFile,
    complain,
    domains,
)

if TYPE_CHECKING:
    from amber_wrap.domain.schema import Domain
    from amber_wrap.settings import Options, Source


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
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Output file. Default: WRAPPER, or WRAPPER_2.py for a new generation.",
        ),
    ] = "",
    domain: DomainOption = "",
    url: UrlOption = "",
    within: WithinOption = "",
    without: WithoutOption = "",
    force: ForceOption = False,
) -> None:
    """Heal a wrapper for new pages: induce it again, and keep its columns.

    Without --accept, nothing is written, and the changes are shown as a diff.
    """
    from amber_wrap.codegen.build import build_file
    from amber_wrap.files import (
        check_stdin,
        check_target,
        read_rules,
        read_saved_page,
        stored_path,
        write_wrapper,
    )
    from amber_wrap.maintenance import healing
    from amber_wrap.maintenance.diff import diff
    from amber_wrap.maintenance.generations import next_generation
    from amber_wrap.maintenance.stored_samples import find, sample_folder, store
    from amber_wrap.spec.building import heal_call, induce_call
    from amber_wrap.spec.drafting import HealedSpec

    check_stdin(pages)
    path = Path(wrapper).with_suffix(".py")
    rules = read_rules(wrapper)
    if output:
        check_target(Path(output), force=force)
    spec = HealedSpec.of(path, domain, url, within, without)
    known = domains(spec.domain if spec.is_there else spec.domain or rules.domain)
    options = spec.options
    old = spec.with_samples(find(rules.samples, path, samples), rules.samples)
    new = _unread(path, [read_saved_page(name) for name in pages], known, options)
    if not new:
        return
    healed = healing.heal_wrapper(rules, old, new, known, options)
    for line in (*healed.findings, *diff(healed.matches)):
        typer.echo(line)
    for lost, other in healed.successors.items():
        typer.echo(f"  {lost}: has the same values as {other} of the new page")
    reasons = "; ".join(healed.reasons)
    if healed.kind == "fits":
        complain(f"{path} needs no healing")
        return
    if healed.wrapper is None:
        complain(f"{path} can't be healed: {reasons}")
        raise typer.Exit(PROBLEM)

    if healed.kind == "same generation":
        target = Path(output or path)
        call = induce_call(healed.sources, spec.domain or rules.domain, options)
        typer.echo("the same generation: it reads its samples as before")
    else:
        target = Path(output) if output else next_generation(path)
        if target.resolve() == path.resolve():
            complain(
                f"{path} is not changed, because its samples don't verify ({reasons}): "
                "omit -o to write a new generation beside it"
            )
            raise typer.Exit(PROBLEM)
        call = heal_call(healed.sources, target, path, spec.domain, options)
        typer.echo(f"a new generation: {reasons}")
    bodies = [one.saved.body for one in healed.sources]
    built = build_file(healed.wrapper, bodies, call, options.url)
    for finding in built.findings:
        typer.echo(finding)
    if not accept:
        complain(f"nothing was written: use --accept to write {target}")
        return
    write_wrapper(target, built, force)
    typer.echo(f"wrote {target} and {stored_path(target).name}", err=True)
    for line in spec.write(target, pages, healed, known):
        typer.echo(line, err=True)
    if sample_folder(path).is_dir():
        typer.echo(f"stored the samples in {store(target, healed.sources)}", err=True)


def _unread(
    path: Path, sources: list[Source], known: list[Domain], options: Options
) -> list[Source]:
    """Return the pages that no other generation of the wrapper reads.

    A generation is a wrapper for one design of a site, for example `homes_2.py` beside
    `homes.py`. Print a line for each page that another generation reads.
    """
    from amber_wrap.files import read_rules, stored_path
    from amber_wrap.maintenance.generations import generations
    from amber_wrap.maintenance.healing import is_read

    left = sources
    for other in generations(path):
        if other == path or not stored_path(other).exists():
            continue
        rules = read_rules(str(other))
        read = [one for one in left if is_read(rules, one, known, options)]
        for one in read:
            typer.echo(f"{one.name}: OK, read by {other}")
        left = [one for one in left if one not in read]
    return left
