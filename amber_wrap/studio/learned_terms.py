"""Find new words on the pages of a folder, and store words that a person accepts.

The words are written to the word lists of a domain in the folder. Built-in domains
aren't changed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from amber_wrap.atomic_write import write_atomically
from amber_wrap.domain.domain_folders import DATA, find_domain
from amber_wrap.domain.learned_lists import LEARNED_FOLDER, learnable, read_lists
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.new_domain import starter_files, write_domain_folder
from amber_wrap.domain.project import DOMAINS_FOLDER, PROJECT_FILE, find_project
from amber_wrap.domain.schema import Domain
from amber_wrap.errors import FileError, SelectionError
from amber_wrap.learning.list_files import list_entries, review_line
from amber_wrap.learning.rounds import LearningTask, LessonResult, read_page
from amber_wrap.learning.session import LearningOptions, run_session
from amber_wrap.learning.store import Entry, ListName, store_snapshot
from amber_wrap.learning.term_judgement import Judgement
from amber_wrap.studio.background_jobs import ReportProgress
from amber_wrap.studio.spec_changes import text_value

_LISTS: Final = ("terms", "rejected")
"""The names of the lists of accepted terms, and of rejected terms.

A term is a value of a type, such as the name of a town.
"""
_MOST_SHOWN: Final = 300
"""The greatest number of terms that are shown. Terms that more records support or
oppose come first."""


def learned_terms(
    progress: ReportProgress, root: Path, domain: str, pages: Sequence[tuple[str, Path]]
) -> dict[str, Any]:
    """Return new words for the word lists of a domain, found on pages, as JSON data.

    A word is included even if only one site has it. No file is written.
    """
    loaded, folder = named_domain(root, domain)
    types = [kind.name for kind in learnable(loaded.schema)]
    saved_pages = [read_page(str(path)) for _, path in pages] if types else []

    def run(step: Any, tasks: Any) -> Iterator[LessonResult]:
        task: LearningTask
        for number, task in enumerate(tasks):
            count = len(saved_pages)
            progress(number % count, count, task[0].source.name)
            yield step(task)

    with store_snapshot(folder / LEARNED_FOLDER) as store:
        options = LearningOptions(run=run, least_sites=1)
        outcome = run_session(
            saved_pages, loaded, folder, store, options, lambda: datetime.now(UTC)
        )
    decided = sorted(list_entries(read_lists(folder, loaded.schema)))
    judgements = [*outcome.added, *outcome.rejected, *outcome.waiting]
    rows = [_row(judgement) for judgement in judgements]
    rows.sort(key=lambda row: -row["for"] - row["against"])
    return {
        "domain": loaded.name,
        "types": types,
        "is_own": folder.is_relative_to(root),
        "rows": rows[:_MOST_SHOWN],
        "decided": [list(entry) for entry in decided],
    }


def _row(judgement: Judgement) -> dict[str, Any]:
    """Return a word found on pages as JSON data, with the reason for accepting or
    rejecting it.

    `for` is the number of records with the word in a value of its type. `against` is
    the number of records with the word only in another text.
    """
    evidence = judgement.evidence
    return {
        "type": judgement.type,
        "term": judgement.term,
        "because": judgement.reason,
        "for": evidence.supporting,
        "against": evidence.opposing,
        "pages": sorted({*evidence.pages, *evidence.opposing_pages}),
        "is_listed": judgement.decision == "reject",
    }


def decide_term(root: Path, domain: str, request: Mapping[str, Any]) -> dict[str, Any]:
    """Add a word to a word list of a domain, or remove it.

    Return the path of the list under `list`. Raise SelectionError for an invalid
    request, and FileError if the domain isn't in the folder `root`.
    """
    kind, term = text_value(request, "type"), text_value(request, "term")
    list_name = text_value(request, "list")
    if list_name not in _LISTS or not isinstance(request.get("kept"), bool):
        raise SelectionError(
            "`list` must be terms or rejected, and `kept` true or false"
        )
    loaded, folder = named_domain(root, domain)
    if not folder.is_relative_to(root):
        raise FileError(
            f"{loaded.name} is not in this folder: create a domain that extends it"
        )
    if not (folder / LEARNED_FOLDER).resolve().is_relative_to(root):
        raise FileError(f"the lists of {loaded.name} are not in this folder")
    name: ListName = "rejected" if list_name == "rejected" else "terms"
    entry: Entry = (kind, name, term)
    path = review_line(folder, loaded.schema, entry, request["kept"])
    return {"list": path.relative_to(root).as_posix()}


def begin_domain(root: Path, name: str, like: str) -> dict[str, Any]:
    """Create a domain that extends the domain `like`.

    Return the new domain's name under `domain`. Raise DomainError for an invalid name,
    or FileError if the new folder exists or would be outside of `root`.
    """
    project = find_project(root, with_default=False)
    domains_folder = project.domains if project else root / DOMAINS_FOLDER
    if not domains_folder.resolve().is_relative_to(root):
        raise FileError(
            f"the domains of the project are in {domains_folder}, "
            "outside of this folder"
        )
    files = starter_files(name, like, domains_folder if project else None)
    write_domain_folder(domains_folder / name, files)
    if project is None:
        write_atomically(root / PROJECT_FILE, f'domains = "{DOMAINS_FOLDER}"\n')
    return {"domain": name}


def named_domain(root: Path, name: str) -> tuple[Domain, Path]:
    """Return a domain without learned words, and its folder.

    Raise FileError if the domain is neither built in nor in the folder `root`.
    """
    project = find_project(root, with_default=False)
    domains_folder = project.domains if project else None
    folder = find_domain(name, domains_folder).resolve()
    is_own = folder.is_relative_to(domains_folder or root)
    if folder.parent != DATA and not is_own:
        raise FileError(f"the domain {name} is not in this folder")
    return load_domain(name, domains_folder, learned=False), folder
