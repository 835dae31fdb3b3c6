"""The learned lists as people find, change and get them: text beside the memory.

What people write into a list, or delete from it, is found by comparison with what
learning left there, and stays as they want it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from amber_wrap import atomic, files
from amber_wrap.domain.definition import DATA
from amber_wrap.domain.learned import (
    LEARNED_FOLDER,
    REJECTED,
    SOURCE,
    Lists,
    learnable,
    read_lists,
)
from amber_wrap.domain.schema import Schema
from amber_wrap.errors import FileError, LearningError
from amber_wrap.learning.database import DATABASE_FILE
from amber_wrap.learning.evidence import Lesson
from amber_wrap.learning.store import (
    Entry,
    ListName,
    Store,
    is_list_line,
    store_snapshot,
)

LICENCE: Final = "facts"
HEAD_LINES: Final = 2
IGNORE: Final = ".gitignore"
_IGNORED: Final = f"""\
# The lists are for review; the memory beside them can't be read or merged as text.
{DATABASE_FILE}*
"""

Name = tuple[str, ListName]
"""A list: the attribute type, and whether it holds terms or rejected ones."""


def list_entries(lists: Lists) -> frozenset[Entry]:
    """The lines of lists."""
    both: tuple[ListName, ListName] = ("terms", "rejected")
    return frozenset(
        (kind, which, term)
        for which, of in zip(both, (lists.terms, lists.rejected), strict=True)
        for kind, terms in of.items()
        for term in terms
    )


def to_lists(lines: Iterable[Entry]) -> Lists:
    """The lists of lines, sorted."""
    found: dict[ListName, dict[str, list[str]]] = {"terms": {}, "rejected": {}}
    for kind, which, term in sorted(lines):
        found[which].setdefault(kind, []).append(term)
    return Lists(
        *({kind: tuple(some) for kind, some in of.items()} for of in found.values())
    )


def absorb(store: Store, found: Lists, schema: Schema, time: datetime) -> Lists:
    """The lists that count: those last decided on, with what people changed in them.

    `found` is what the text files hold.  A file that isn't there was lost, not emptied.
    A new memory takes all lines for learned ones, since another may have written them.
    Types that the schema lost have no lists.  Call it inside a transaction.
    """
    lines = list_entries(found)
    if store.is_new():
        store.intend(lines, lines, time)
        return to_lists(lines)
    listings = store.listings()
    held = _by_list(one.entry for one in listings if one.held)
    intended = _by_list(one.entry for one in listings if one.intended)
    current = _by_list(lines)
    there = {(kind, "terms") for kind in found.terms}
    there |= {(kind, "rejected") for kind in found.rejected}
    result: set[Entry] = set()
    kinds = {kind.name for kind in learnable(schema)}
    for name in {*held, *intended, *current}:
        if name[0] not in kinds:
            continue
        now = current[name] if name in there else intended[name]
        # After a crash the file may be the one before the writing or the one after.
        left = min((intended[name], held[name]), key=lambda one: len(one ^ now))
        store.review(now - left, True, time)
        store.review(left - now, False, time)
        result |= (intended[name] - (left - now)) | (now - left)
    return to_lists(result)


def settled(store: Store) -> frozenset[tuple[str, str]]:
    """Types and casefolded terms that people decided on: their lines stay."""
    return frozenset(
        (kind, term.casefold())
        for kind, _, term in (one.entry for one in store.reviews())
    )


def follow_memory(
    store: Store, domain_folder: Path, schema: Schema, time: datetime
) -> tuple[Path, ...]:
    """Let the text files hold what the memory says, and people changed in them.

    A learner that was killed may have left some of them as they were before.
    """
    with store.transaction():
        found = read_lists(domain_folder, schema)
        lists = absorb(store, found, schema, time)
        store.intend(list_entries(found), list_entries(lists), time)
    return write_intended(store, domain_folder, schema, time)


def write_intended(
    store: Store, domain_folder: Path, schema: Schema, time: datetime
) -> tuple[Path, ...]:
    """Let the text files hold what is intended; raises FileError.

    Whoever comes second writes what counts by then: no learner undoes another's lists.
    Git is told to leave the memory out, unless the folder tells it something already.
    The lists that changed, of which those without a term are gone.
    """
    with store.transaction():
        lines = frozenset(one.entry for one in store.listings() if one.intended)
        found = list_entries(read_lists(domain_folder, schema))
        folder = domain_folder / LEARNED_FOLDER
        try:
            changed = tuple(_write(folder, lines, found, store.lessons()))
            if not (folder / IGNORE).exists():
                atomic.clear(folder / IGNORE)
                atomic.replace(folder / IGNORE, _IGNORED)
        except OSError as error:
            raise FileError(f"cannot write to {folder}: {error.strerror}") from error
        store.intend(lines, lines, time)
    return changed


def check_writable(domain_folder: Path) -> None:
    """Raise LearningError for a built-in domain."""
    if domain_folder.parent == DATA:
        name = domain_folder.name
        raise LearningError(
            f"{name} is built in and stays as it is: make a domain of your own, "
            f"amber-wrap domain init NAME --like {name}"
        )


def review_line(domain_folder: Path, schema: Schema, entry: Entry, kept: bool) -> Path:
    """Write a line into a list, or take it out, as people do it in their editor: the
    next `learn` finds it so, and leaves it so.

    A line that comes leaves the other list of its type.  The list that the line is of;
    raises FileError, and LearningError for a built-in domain or a term of an odd form.
    """
    check_writable(domain_folder)
    kind, which, term = entry
    if kind not in {one.name for one in learnable(schema)} or not is_list_line(term):
        raise LearningError(f"{term!r} can't be listed as a {kind}")
    folder = domain_folder / LEARNED_FOLDER
    found = list_entries(read_lists(domain_folder, schema))
    alike = {one for one in found if one[::2] == (kind, term)}
    lines = (found - alike) | ({entry} if kept else set())
    with store_snapshot(folder) as store:
        lessons = store.lessons()
    before, after = _by_list(found), _by_list(lines)
    try:
        for name in {one[:2] for one in found ^ lines}:
            terms = sorted(one for *_, one in after[name])
            # A list that isn't there counts as lost: one without terms stays.
            if terms or before[name]:
                folder.mkdir(exist_ok=True)
                path = folder / list_file_name(name)
                atomic.replace(path, _text(_behind(name, terms, lessons), terms))
    except OSError as error:
        raise FileError(f"cannot write to {folder}: {error.strerror}") from error
    return folder / list_file_name((kind, which))


def copy_lists(
    folder: Path, lists: Lists, lessons: Sequence[Lesson]
) -> tuple[Path, ...]:
    """Write lists into a folder; raises FileError, also before it overwrites others.

    The lists that were written.
    """
    for path in map(
        folder.joinpath, map(list_file_name, _by_list(list_entries(lists)))
    ):
        if path.exists() and not _is_ours(path):
            raise FileError(
                f"{path} was not written by amber-wrap and stays as it is: name "
                "another folder with --to"
            )
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return tuple(_write(folder, list_entries(lists), frozenset(), lessons))
    except OSError as error:
        raise FileError(f"cannot write to {folder}: {error.strerror}") from error


def list_file_name(name: Name) -> str:
    """The name of a list's text file."""
    return f"{name[0]}{REJECTED if name[1] == 'rejected' else ''}.txt"


def _is_ours(path: Path) -> bool:
    return f"# source: {SOURCE}".encode() in files.read_bytes(str(path))[:200]


def _by_list(lines: Iterable[Entry]) -> defaultdict[Name, frozenset[Entry]]:
    grouped: dict[Name, set[Entry]] = defaultdict(set)
    for line in lines:
        grouped[line[:2]].add(line)
    return defaultdict(frozenset, {name: frozenset(s) for name, s in grouped.items()})


def _write(
    folder: Path,
    lines: Collection[Entry],
    found: Collection[Entry],
    lessons: Sequence[Lesson],
) -> Iterator[Path]:
    """Write the lists that aren't as they are to be, each whole or not at all.

    Their heads count, too: they tell of pages that others may have learned from.
    """
    wanted, there = _by_list(lines), _by_list(found)
    for name in sorted({*wanted, *there}):
        path = folder / list_file_name(name)
        atomic.clear(path)
        if not wanted[name]:
            path.unlink(missing_ok=True)
            yield path
            continue
        terms = sorted(term for *_, term in wanted[name])
        behind = _behind(name, terms, lessons)
        if wanted[name] == there[name]:
            head = files.read_bytes(str(path)).decode().splitlines()[:HEAD_LINES]
            # Another memory, that isn't here, may know where the terms are from.
            if not behind or head == _head(behind):
                continue
        atomic.replace(path.resolve(), _text(behind, terms))
        yield path


def _behind(
    name: Name, terms: Sequence[str], lessons: Iterable[Lesson]
) -> Sequence[str]:
    """The sites that terms of a list come from, for each page once."""
    kind, which = name
    listed = frozenset(terms)
    return [
        lesson.site
        for lesson in lessons
        if any(
            one.type == kind
            and one.term in listed
            and (one.supporting if which == "terms" else one.opposing)
            for one in lesson.observations
        )
    ]


def _head(sites: Sequence[str]) -> list[str]:
    """Return what a list says of itself, from the sites of its pages."""
    pages, several = number_of(len(sites), "page"), number_of(len(set(sites)), "site")
    origin = f" from {pages} of {several}" if sites else ", as people decided"
    return [f"# source: {SOURCE}{origin}", f"# licence: {LICENCE}"]


def _text(sites: Sequence[str], terms: Iterable[str]) -> str:
    """Return a list as text: where it comes from, then a term a line."""
    return "".join(f"{line}\n" for line in (*_head(sites), *terms))


def number_of(number: int, what: str) -> str:
    """ "1 page", "2 pages"."""
    return f"{number} {what}{'' if number == 1 else 's'}"
