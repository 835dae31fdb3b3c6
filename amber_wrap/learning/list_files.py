"""Keep the learned word lists as text files beside the database.

People's changes of the files override learning.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from amber_wrap import atomic_write, files
from amber_wrap.domain.domain_folders import DATA
from amber_wrap.domain.learned_lists import (
    LEARNED_FOLDER,
    REJECTED,
    SOURCE,
    LearnedLists,
    learnable,
    read_lists,
)
from amber_wrap.domain.schema import Schema
from amber_wrap.errors import FileError, LearningError
from amber_wrap.learning.database import DATABASE_FILE
from amber_wrap.learning.store import (
    Entry,
    ListName,
    Store,
    is_list_line,
    store_snapshot,
)
from amber_wrap.learning.term_evidence import Lesson, Observation
from amber_wrap.wording import number_of

LICENCE: Final = "facts"
"""The licence that the header of each learned word list states.

Terms are facts, and facts have no copyright.
"""
HEAD_LINES: Final = 2
"""The number of header lines in the text file of a learned list."""
IGNORE: Final = ".gitignore"
"""The name of the Git file that keeps the database of terms out of version control."""
_IGNORED: Final = f"""\
# The lists are for review; the memory beside them can't be read or merged as text.
{DATABASE_FILE}*
"""
"""The content of the `.gitignore` file beside the word lists."""

ListKey = tuple[str, ListName]
"""The key of a word list: its attribute type, and "terms" or "rejected"."""


def list_entries(lists: LearnedLists) -> frozenset[Entry]:
    """Return all lines of the lists of learned and of rejected terms.

    A line is a triple such as ("city", "terms", "Oxford").
    """
    by_list: dict[ListName, Mapping[str, Sequence[str]]] = {
        "terms": lists.terms,
        "rejected": lists.rejected,
    }
    return frozenset(
        (kind, list_name, term)
        for list_name, terms_by_type in by_list.items()
        for kind, terms in terms_by_type.items()
        for term in terms
    )


def to_lists(lines: Iterable[Entry]) -> LearnedLists:
    """Return sorted lists of learned and of rejected terms, made from their lines.

    A line is a triple such as ("city", "terms", "Oxford").
    """
    terms: dict[str, list[str]] = defaultdict(list)
    rejected: dict[str, list[str]] = defaultdict(list)
    for kind, list_name, term in sorted(lines):
        (terms if list_name == "terms" else rejected)[kind].append(term)
    return LearnedLists(
        {kind: tuple(listed) for kind, listed in terms.items()},
        {kind: tuple(listed) for kind, listed in rejected.items()},
    )


def lists_with_edits(
    store: Store, domain_folder: Path, schema: Schema, time: datetime
) -> tuple[frozenset[Entry], LearnedLists]:
    """Return the lines of the text files, and the word lists after people's edits.

    People edit the text files. This function applies their edits to the word lists in
    the database, and stores each edit with `time`. Call this function inside a
    transaction.
    """
    file_lists = read_lists(domain_folder, schema)
    file_lines = list_entries(file_lists)
    if store.is_new():
        store.intend(file_lines, file_lines, time)
        return file_lines, to_lists(file_lines)
    listings = store.listings()
    held = _lines_by_list(it.entry for it in listings if it.held)
    intended = _lines_by_list(it.entry for it in listings if it.intended)
    current = _lines_by_list(file_lines)
    existing_files = {(kind, "terms") for kind in file_lists.terms}
    existing_files |= {(kind, "rejected") for kind in file_lists.rejected}
    entries: set[Entry] = set()
    kinds = {kind.name for kind in learnable(schema)}
    for list_key in {*held, *intended, *current}:
        if list_key[0] not in kinds:
            continue
        is_there = list_key in existing_files
        now = current[list_key] if is_there else intended[list_key]
        # After a crash, the file may have its text of before or after the writing.
        texts = intended[list_key], held[list_key]
        before = min(texts, key=lambda lines: len(lines ^ now))
        added, deleted = now - before, before - now
        store.review(added, True, time)
        store.review(deleted, False, time)
        entries |= (intended[list_key] - deleted) | added
    return file_lines, to_lists(entries)


def reviewed_terms(store: Store) -> frozenset[tuple[str, str]]:
    """Return the terms that people added to a list or deleted from a list.

    Each item is a pair of an attribute type and a casefolded term.
    """
    entries = [review.entry for review in store.reviews()]
    return frozenset((kind, term.casefold()) for kind, _, term in entries)


def write_current_lists(
    store: Store, domain_folder: Path, schema: Schema, time: datetime
) -> tuple[Path, ...]:
    """Apply people's edits of the text files to the word lists, then write the files.

    Return the changed files. Raise FileError if a file can't be written.
    """
    with store.transaction():
        file_lines, lists = lists_with_edits(store, domain_folder, schema, time)
        store.intend(file_lines, list_entries(lists), time)
    return write_intended(store, domain_folder, schema, time)


def write_intended(
    store: Store, domain_folder: Path, schema: Schema, time: datetime
) -> tuple[Path, ...]:
    """Write the database's word lists into text files, and return the changed files.

    Files of empty lists are removed. Raise FileError if a file can't be written.
    """
    with store.transaction():
        lines = frozenset(it.entry for it in store.listings() if it.intended)
        file_lines = list_entries(read_lists(domain_folder, schema))
        folder = domain_folder / LEARNED_FOLDER
        with atomic_write.writing(f"to {folder}"):
            changed = tuple(_write_changed(folder, lines, file_lines, store.lessons()))
            if not (folder / IGNORE).exists():
                atomic_write.remove_temporary_files(folder / IGNORE)
                atomic_write.write_atomically(folder / IGNORE, _IGNORED)
        store.intend(lines, lines, time)
    return changed


def check_writable(domain_folder: Path) -> None:
    """Raise LearningError for a built-in domain, since its lists can't be changed.

    A domain describes a kind of records, such as cars.
    """
    if domain_folder.parent == DATA:
        name = domain_folder.name
        raise LearningError(
            f"{name} is built in and can't be changed: create a domain of your own "
            f"with amber-wrap domain init NAME --like {name}"
        )


def review_line(domain_folder: Path, schema: Schema, entry: Entry, kept: bool) -> Path:
    """Add a line to a word list if `kept` is true, else delete it from the list.

    Return the text file of the list. Raise LearningError if the type can't learn terms,
    or if the term can't be a line. Raise FileError if a file can't be written.
    """
    check_writable(domain_folder)
    kind, list_name, term = entry
    kinds = {learnable_type.name for learnable_type in learnable(schema)}
    if kind not in kinds or not is_list_line(term):
        raise LearningError(f"{term!r} can't be listed as a {kind}")
    folder = domain_folder / LEARNED_FOLDER
    file_lines = list_entries(read_lists(domain_folder, schema))
    same_term = {line for line in file_lines if (line[0], line[2]) == (kind, term)}
    lines = (file_lines - same_term) | ({entry} if kept else set())
    with store_snapshot(folder) as store:
        lessons = store.lessons()
    before, after = _lines_by_list(file_lines), _lines_by_list(lines)
    with atomic_write.writing(f"to {folder}"):
        for list_key in {line[:2] for line in file_lines ^ lines}:
            terms = sorted(term for _, _, term in after[list_key])
            # A missing file counts as lost, so that the file of an emptied list stays.
            if terms or before[list_key]:
                folder.mkdir(exist_ok=True)
                path = folder / list_file_name(list_key)
                sites = _sites_behind(list_key, terms, lessons)
                atomic_write.write_atomically(path, _file_text(sites, terms))
    return folder / list_file_name((kind, list_name))


def copy_lists(
    folder: Path, lists: LearnedLists, lessons: Sequence[Lesson]
) -> tuple[Path, ...]:
    """Write word lists into a folder, and return the written files.

    `lessons` has the pages whose number is stated in the files' headers. Raise
    FileError if a file can't be written. Also raise FileError if a file of the same
    name exists that amber-wrap didn't write.
    """
    for list_key in _lines_by_list(list_entries(lists)):
        path = folder / list_file_name(list_key)
        if path.exists() and not _is_learned_list(path):
            raise FileError(
                f"{path} was not written by amber-wrap, and is not overwritten: name "
                "another folder with --to"
            )
    with atomic_write.writing(f"to {folder}"):
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_write_changed(folder, list_entries(lists), frozenset(), lessons))


def list_file_name(list_key: ListKey) -> str:
    """Return the name of a word list's text file, such as `location.rejected.txt`.

    `list_key` is the attribute type of the list, and "terms" or "rejected".
    """
    return f"{list_key[0]}{REJECTED if list_key[1] == 'rejected' else ''}.txt"


def _is_learned_list(path: Path) -> bool:
    """Return whether a text file's header shows that amber-wrap wrote the file."""
    return f"# source: {SOURCE}".encode() in files.read_bytes(str(path))[:200]


def _lines_by_list(lines: Iterable[Entry]) -> defaultdict[ListKey, frozenset[Entry]]:
    """Return lines of word lists, grouped by list."""
    grouped: dict[ListKey, set[Entry]] = defaultdict(set)
    for line in lines:
        grouped[line[:2]].add(line)
    return defaultdict(
        frozenset, {key: frozenset(entries) for key, entries in grouped.items()}
    )


def _write_changed(
    folder: Path,
    lines: Collection[Entry],
    file_lines: Collection[Entry],
    lessons: Sequence[Lesson],
) -> Iterator[Path]:
    """Write each word list that differs from its file, and yield the path of the file.

    `lines` are the lines of the word lists, and `file_lines` those of the present
    files. A file is also written if its header is outdated. Files of empty lists are
    removed. `lessons` has the pages from which terms were learned.
    """
    new, old = _lines_by_list(lines), _lines_by_list(file_lines)
    for list_key in sorted({*new, *old}):
        path = folder / list_file_name(list_key)
        atomic_write.remove_temporary_files(path)
        if not new[list_key]:
            path.unlink(missing_ok=True)
            yield path
            continue
        terms = sorted(term for _, _, term in new[list_key])
        sites = _sites_behind(list_key, terms, lessons)
        if new[list_key] == old[list_key]:
            head = files.read_bytes(str(path)).decode().splitlines()[:HEAD_LINES]
            # Without known sites, the header stays: another database may have had them.
            if not sites or head == _file_header(sites):
                continue
        atomic_write.write_atomically(path.resolve(), _file_text(sites, terms))
        yield path


def _sites_behind(
    list_key: ListKey, terms: Sequence[str], lessons: Iterable[Lesson]
) -> Sequence[str]:
    """Return the site of each page on which records support the terms of a list.

    For a list of rejected terms, return the site of each page on which records oppose
    them. A site is repeated for each of its pages.
    """
    kind, list_name = list_key
    listed = frozenset(terms)

    def is_behind(seen: Observation) -> bool:
        count = seen.supporting if list_name == "terms" else seen.opposing
        return seen.type == kind and seen.term in listed and count > 0

    return [
        lesson.site for lesson in lessons if any(map(is_behind, lesson.observations))
    ]


def _file_header(sites: Sequence[str]) -> list[str]:
    """Return the header of a word list's file, with the numbers of pages and sites.

    `sites` has the site of each page from which terms were learned. It is empty if
    people wrote the list.
    """
    pages, places = number_of(len(sites), "page"), number_of(len(set(sites)), "site")
    origin = f" from {pages} of {places}" if sites else ", as people decided"
    return [f"# source: {SOURCE}{origin}", f"# licence: {LICENCE}"]


def _file_text(sites: Sequence[str], terms: Iterable[str]) -> str:
    """Return the text file of a word list: a header, then one term a line.

    `sites` has the site of each page from which the terms were learned.
    """
    return "".join(f"{line}\n" for line in (*_file_header(sites), *terms))
