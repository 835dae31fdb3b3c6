"""Learn new words for the word lists of a domain from pages.

Also show learned words, or forget the words of a site.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from amber_wrap import errors
from amber_wrap.cli import common
from amber_wrap.cli.common import argument, complain, note, option

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import AbstractContextManager
    from datetime import datetime

    from amber_wrap.domain.schema import Domain
    from amber_wrap.learning.rounds import LearningPage, LearningTask, LessonResult, Run
    from amber_wrap.learning.session import LearningOutcome
    from amber_wrap.learning.store import Store

LearnedDomainOption = Annotated[
    str,
    option(
        "--domain",
        "Domain of the project, built-in domain, or folder. Default: that of the "
        "project.",
    ),
]
SitesOption = Annotated[
    int, option("--sites", "Number of sites that must agree on a term.", "N", min=1)
]
WriteOption = Annotated[
    bool, option("--write", "Write the changes; without it, only show them.")
]


def learn(
    pages: Annotated[
        list[str], argument('Saved pages or folders ("-": read names from stdin).')
    ],
    domain: LearnedDomainOption = "",
    write: WriteOption = False,
    continuous: Annotated[
        bool, option("--continuous", "Read each page once, in order.")
    ] = False,
    site: Annotated[
        str, option("--site", "Site of all pages. Default: the folder of each page.")
    ] = "",
    types: Annotated[
        str, option("--types", "Learn only terms of these types.", "TYPE,...")
    ] = "",
    sites: SitesOption = 2,
    max_rounds: Annotated[
        int, option("--max-rounds", "Maximum number of rounds.", min=1)
    ] = 20,
    as_json: Annotated[bool, option("--json", "Print a JSON object.")] = False,
    jobs: common.JobsOption = 0,
) -> None:
    """Learn the terms of a domain from saved result pages of several sites.

    A domain describes a kind of records, such as cars. Show which terms would be added
    to the domain's lists, and which would be rejected; --write changes the lists.
    """
    from amber_wrap.learning.learning_report import learning_json, learning_table
    from amber_wrap.learning.list_files import (
        check_writable,
        write_current_lists,
        write_intended,
    )
    from amber_wrap.learning.rounds import page_files
    from amber_wrap.learning.session import LearningOptions, run_session

    base_domain, folder = _base_domain(domain)
    if write:
        check_writable(folder)
    chosen_types = _chosen_types(types, base_domain)
    read_pages, has_bad_file = _read_pages(page_files(pages), site)
    if not read_pages:
        raise typer.Exit(common.MISUSE)
    most_jobs = 1 if continuous else len(read_pages)
    jobs = min(jobs or os.cpu_count() or 1, most_jobs)
    written_lists: tuple[Path, ...] = ()
    with _store(folder, write) as store, _workers(jobs) as run:
        if write:
            written_lists = write_current_lists(
                store, folder, base_domain.schema, _now()
            )
        options = LearningOptions(chosen_types, continuous, max_rounds, run, sites)
        outcome = run_session(read_pages, base_domain, folder, store, options, _now)
        if write:
            written_lists += write_intended(store, folder, base_domain.schema, _now())
    for reason in outcome.skipped:
        complain(reason)
    typer.echo((learning_json if as_json else learning_table)(outcome), nl=False)
    _print_advice(outcome, write)
    _print_written_lists(dict.fromkeys(written_lists))
    if has_bad_file:
        raise typer.Exit(common.MISUSE)
    if not outcome.pages:
        raise typer.Exit(common.PROBLEM)


def export(
    domain: LearnedDomainOption = "",
    to: Annotated[
        str, option("--to", "Output folder. Default: that of the domain.", "FOLDER")
    ] = "",
) -> None:
    """Write a domain's lists of terms again, from everything learned for the domain.

    A domain describes a kind of records, such as cars.
    """
    from amber_wrap.learning.list_files import (
        check_writable,
        copy_lists,
        write_intended,
    )
    from amber_wrap.learning.session import judge_terms

    base_domain, folder = _base_domain(domain)
    if not to:
        check_writable(folder)
    with _store(folder, write=not to) as store:
        with store.transaction():
            decisions = judge_terms((), base_domain, folder, store, _now())
        if to:
            written_lists = copy_lists(Path(to), decisions.after, store.lessons())
        else:
            written_lists = write_intended(store, folder, base_domain.schema, _now())
    _print_written_lists(written_lists)


def forget(
    site: Annotated[str, option("--site", "Site to forget.")],
    domain: LearnedDomainOption = "",
    sites: SitesOption = 2,
    write: WriteOption = False,
) -> None:
    """Drop a site's evidence for terms, and the terms that have no other evidence.

    A term is a value of a type, such as the name of a town.
    """
    from amber_wrap.learning.forgotten_sites import forget_site
    from amber_wrap.learning.learning_report import forget_text
    from amber_wrap.learning.list_files import check_writable, write_intended

    base_domain, folder = _base_domain(domain)
    if write:
        check_writable(folder)
    written_lists: tuple[Path, ...] = ()
    with _store(folder, write) as store:
        with store.transaction():
            forgotten = forget_site(site, base_domain, folder, store, _now(), sites)
        if write:
            written_lists = write_intended(store, folder, base_domain.schema, _now())
    typer.echo(forget_text(forgotten), nl=False)
    if not write:
        complain("nothing was changed: use --write to change the lists")
    _print_written_lists(written_lists)


def history(
    term: Annotated[str, argument("Term, in upper or lower case.")],
    domain: LearnedDomainOption = "",
) -> None:
    """Show the evidence for and against a term, by page and site, and the decision.

    A term is a value of a type, such as the name of a town.
    """
    from amber_wrap.learning.learning_report import history_text
    from amber_wrap.learning.term_history import term_history

    base_domain, folder = _base_domain(domain)
    with _store(folder, write=False) as store, store.transaction():
        found = term_history(term, base_domain, folder, store, _now())
    if found.is_empty:
        complain(f"nothing was learned about {term!r}")
        raise typer.Exit(common.PROBLEM)
    typer.echo(history_text(found), nl=False)


def _base_domain(name: str) -> tuple[Domain, Path]:
    """Return the domain called `name`, and its folder.

    For "", return the project's default domain. Learned words aren't included. Raise
    DomainError if there is no such domain.
    """
    from amber_wrap.domain.domain_folders import find_domain, own_domains
    from amber_wrap.domain.loader import load_domain

    this_project = common.project()
    own_folder = this_project.domains if this_project else None
    chosen_domain = name or (this_project and this_project.domain)
    if not chosen_domain:
        names = ", ".join(own_domains(own_folder))
        hint = f" (yours: {names})" if names else ""
        raise errors.DomainError(
            f"no domain given: name one with --domain{hint}, or set a default: "
            'domain = "NAME" in amber-wrap.toml'
        )
    domain = load_domain(chosen_domain, own_folder, learned=False)
    return domain, find_domain(chosen_domain, own_folder)


def _chosen_types(names: str, domain: Domain) -> frozenset[str] | None:
    """Return the attribute types that the option `--types` names, or None for all.

    Raise DomainError if a named type has no word list, or if no type at all has one.
    """
    from amber_wrap.domain.learned_lists import learnable
    from amber_wrap.domain.toml_and_text_files import unknown_name_message

    learnable_types = sorted(kind.name for kind in learnable(domain.schema))
    if not learnable_types:
        raise errors.DomainError(
            f"{domain.name}: no type of this domain has a gazetteer: add a gazetteer "
            "to the type that should be learned"
        )
    chosen_types = [name.strip() for name in names.split(",") if name.strip()]
    for name in chosen_types:
        if name not in learnable_types:
            raise errors.DomainError(
                unknown_name_message("type with a gazetteer", name, learnable_types)
            )
    return frozenset(chosen_types) or None


def _read_pages(names: Sequence[str], site: str) -> tuple[list[LearningPage], bool]:
    """Return the pages to learn terms from, and whether any page couldn't be read.

    Print a message for each page that can't be read.
    """
    from amber_wrap.learning.rounds import read_page

    pages = []
    for name in names:
        try:
            pages.append(read_page(name, site))
        except errors.FileError as error:
            complain(error)
    return pages, len(pages) < len(names)


def _store(folder: Path, write: bool) -> AbstractContextManager[Store]:
    """Return a context manager for the database of learned words.

    If `write` is false, the context manager opens a temporary copy of the database.
    """
    from amber_wrap.domain.learned_lists import LEARNED_FOLDER
    from amber_wrap.learning.store import open_store, store_snapshot

    return (open_store if write else store_snapshot)(folder / LEARNED_FOLDER)


@contextmanager
def _workers(jobs: int) -> Iterator[Run]:
    """Yield a function like `map` that runs calls in `jobs` worker processes.

    If `jobs` is 1, the calls run in this process. If stderr is a terminal, the function
    shows a progress bar.
    """
    from amber_wrap.child_processes import process_pool

    with process_pool(jobs) if jobs > 1 else nullcontext() as pool:

        def run(
            step: Callable[[LearningTask], LessonResult], tasks: Iterable[LearningTask]
        ) -> Iterator[LessonResult]:
            tasks = list(tasks)
            results = pool.map(step, tasks) if pool else map(step, tasks)
            with common.progress(results, len(tasks)) as results_with_bar:
                yield from results_with_bar

        yield run


def _print_advice(outcome: LearningOutcome, is_written: bool) -> None:
    """Print advice on the next step after learning words, such as to save more
    pages.
    """
    least_sites, waiting_count = outcome.least_sites, outcome.short_of_sites
    if len(outcome.known_sites) == 1 and least_sites > 1:
        complain(
            f"all pages are from one site, {outcome.known_sites[0]!r}, which is not "
            "enough: save the pages of each site in a folder of its own, or name the "
            "site with --site; use --sites 1 to learn from one site"
        )
    elif waiting_count and not outcome.added:
        terms = "1 term waits" if waiting_count == 1 else f"{waiting_count} terms wait"
        complain(
            f"{terms} for evidence from more sites: save more pages of each site, save "
            f"pages of further sites, or use --sites {least_sites - 1} and review the "
            "added terms"
        )
    if not is_written and (outcome.added or outcome.rejected):
        complain("nothing was written: use --write to change the lists")


def _print_written_lists(lists: Iterable[Path]) -> None:
    """Print the path of each text file of a word list that was written or removed."""
    for path in lists:
        verb = "wrote" if path.exists() else "removed"
        note(f"{verb} {os.path.relpath(path)}")


def _now() -> datetime:
    from datetime import UTC, datetime

    return datetime.now(UTC)
