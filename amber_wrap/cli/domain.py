"""List, show, create and check domains.

A domain describes a kind of records, such as cars.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap.cli.common import (
    MISUSE,
    argument,
    note,
    option,
    own_domains_folder,
    project,
)

if TYPE_CHECKING:
    from amber_wrap.domain.review import DomainReview

domain_app = typer.Typer(
    help="List, show, create and check domains, built in or your own.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@domain_app.command("list")
def list_domains() -> None:
    """List the domains of your project and the built-in ones.

    A domain describes a kind of records, such as cars.
    """
    from amber_wrap import errors
    from amber_wrap.domain.domain_folders import domain_names, find_domain
    from amber_wrap.domain.loader import load_domain

    own_folder = own_domains_folder()
    for name in domain_names(own_folder):
        try:
            title = load_domain(name, own_folder).title
        except errors.DomainError as error:
            title = f"broken: {error}"
        origin = _origin(find_domain(name, own_folder))
        typer.echo(f"{name:14} {origin:20} {title}")


@domain_app.command("show")
def show_domain(
    name: Annotated[
        str, argument("Domain of the project, built-in domain, or folder.")
    ],
) -> None:
    """Show the attribute types of a domain, and the patterns and lists of each type.

    A domain describes a kind of records, such as cars. The types that the domain
    inherits are shown, too.
    """
    from amber_wrap.domain.domain_folders import find_domain
    from amber_wrap.domain.domain_toml import read_definition
    from amber_wrap.domain.loader import load_domain
    from amber_wrap.report.domain_text import domain_description

    own_folder = own_domains_folder()
    folder = find_domain(name, own_folder)
    for layer in read_definition(folder, own_folder).layers:
        verb = "from" if layer.folder == folder else "extends"
        typer.echo(f"{verb}: {layer.folder.name} ({_origin(layer.folder)})")
    typer.echo(domain_description(load_domain(folder, own_folder)), nl=False)


@domain_app.command("init")
def init_domain(
    name: Annotated[str, argument("Name in lower case, such as boats.")],
    like: Annotated[
        str, option("--like", "Domain to extend, with all it recognises.", "DOMAIN")
    ] = "",
) -> None:
    """Create a domain of your own: a folder with valid, commented files.

    A domain describes a kind of records, such as cars. The folder is created in the
    project's folder of domains. Outside of a project, the working directory becomes a
    project: a new amber-wrap.toml names the folder of domains.
    """
    from amber_wrap.atomic_write import write_atomically
    from amber_wrap.domain.new_domain import starter_files, write_domain_folder
    from amber_wrap.domain.project import DOMAINS_FOLDER, PROJECT_FILE

    # The project's default domain may be the domain that is started here.
    this_project = project(with_default=False)
    own_folder = this_project.domains if this_project else None
    folder = Path(os.path.relpath(own_folder or DOMAINS_FOLDER), name)
    files = starter_files(name, like, own_folder)
    write_domain_folder(folder, files)
    written_paths = [folder / file_name for file_name in files]
    if this_project is None:
        write_atomically(Path(PROJECT_FILE), f'domains = "{DOMAINS_FOLDER}"\n')
        written_paths.append(Path(PROJECT_FILE))
    for path in written_paths:
        note(f"wrote {path}")
    note(f"next: amber-wrap domain check {name} --sample PAGE (PAGE is a saved page)")


@domain_app.command("check")
def check_domains(
    names: Annotated[
        list[str] | None,
        argument("Names or folders. Default: all of the project.", metavar="DOMAIN"),
    ] = None,
    sample: Annotated[
        str, option("--sample", "Also show what is recognised on this page.", "PAGE")
    ] = "",
) -> None:
    """Check domains, and print the file, line and remedy of each error and warning.

    A domain describes a kind of records, such as cars. Exit 0 if all domains can be
    used, else 2.
    """
    from amber_wrap import errors
    from amber_wrap.annotate.locale import FUNCTION_WORDS, locale_of
    from amber_wrap.domain.domain_folders import own_domains
    from amber_wrap.domain.review import review
    from amber_wrap.passes.analysis import parse_samples
    from amber_wrap.report.pass_steps import recognition_report
    from amber_wrap.settings import DEFAULTS

    own_folder = own_domains_folder()
    checked_names = names or own_domains(own_folder)
    if not checked_names:
        raise errors.DomainError(
            "your project has no domains yet: name a domain, or create one with "
            "'amber-wrap domain init NAME'"
        )
    common_words = frozenset(" ".join(FUNCTION_WORDS.values()).split())
    reviews = [review(name, own_folder, common_words) for name in checked_names]
    for domain_review in reviews:
        _print_review(domain_review)
    if sample:
        from amber_wrap.files import read_saved_page

        [page] = parse_samples([read_saved_page(sample)], DEFAULTS)
        locale = locale_of(page)
        locale_parts = [part for part in (locale.language, locale.country) if part]
        locale_name = "-".join(locale_parts) or "unknown"
        for domain_review in reviews:
            if domain_review.domain:
                name = domain_review.name
                typer.echo(f"\n{name} on {sample}, locale {locale_name}:")
                typer.echo(recognition_report(page, domain_review.domain), nl=False)
    if any(domain_review.errors for domain_review in reviews):
        raise typer.Exit(MISUSE)


def _print_review(review: DomainReview) -> None:
    """Print the errors and warnings about a domain, and their numbers.

    A domain describes a kind of records, such as cars.
    """
    from amber_wrap.wording import number_of

    for message in review.errors:
        typer.echo(message)
    for message in review.warnings:
        place, _, text = message.partition(": ")
        typer.echo(f"{place}: warning: {text}")
    errors, warnings = len(review.errors), len(review.warnings)
    verdict = number_of(errors, "error") if errors else "can be used"
    if warnings:
        verdict += f", {number_of(warnings, 'warning')}"
    typer.echo(f"{review.name}: {verdict}")


def _origin(folder: Path) -> str:
    """Return the origin of a domain: "built in", or the path of its folder."""
    from amber_wrap.domain.domain_folders import DATA

    return "built in" if folder.parent == DATA else os.path.relpath(folder)
