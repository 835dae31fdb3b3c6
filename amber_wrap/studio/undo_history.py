"""Undo and redo changes of the file of a person's decisions."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from amber_wrap.atomic_write import write_atomically, writing
from amber_wrap.errors import FileError
from amber_wrap.files import STORED_SUFFIX, write_wrapper
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.spec.writer import write_spec
from amber_wrap.studio.background_jobs import Outcome

_MOST_CHANGES: Final = 100
"""The most changes of a wrapper (set of extraction rules) that can be undone."""

FILE_SUFFIXES: Final = (SPEC_SUFFIX, STORED_SUFFIX, ".py")
"""The suffixes of a wrapper's files: the decisions, the rules, the Python file."""

_Contents = dict[str, bytes | None]
"""The contents of files by suffix, or None for a missing file."""


def spec_digest(spec: Path) -> str:
    """Return a digest of the file of a person's decisions, "" if it is missing."""
    return sha256(spec.read_bytes()).hexdigest() if spec.is_file() else ""


@dataclass(frozen=True, slots=True)
class PendingStep:
    """A change of a person's decisions, tried but not saved yet."""

    spec: Path
    """The path of the file with the person's decisions."""
    base: str
    """A digest of the file of decisions before the change."""
    outcome: Outcome
    """The changed text of the file, and the extraction rules made by it."""
    label: str
    """The name of the change for the user."""


@dataclass(frozen=True, slots=True)
class KeptStep:
    """A change of a person's decisions that was written."""

    label: str
    """The name of the change for the user."""
    before: _Contents
    """The contents of the files before the change, by suffix."""
    after: _Contents
    """The contents of the files after the change, by suffix."""


@dataclass(slots=True)
class UndoHistory:
    """The changes that can be undone or redone, for each set of extraction rules."""

    _done: dict[Path, list[KeptStep]] = field(default_factory=lambda: defaultdict(list))
    _undone: dict[Path, list[KeptStep]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def keep(self, spec: Path, base: str, outcome: Outcome, label: str) -> None:
        """Write the files of a change, and forget the undone changes of these files.

        Raise FileError if the file `spec` no longer has the digest `base`, or if a
        person changed the generated file.
        """
        if spec_digest(spec) != base:
            raise FileError(
                f"{spec.name} was changed in the meantime: open the page again"
            )
        old_contents = _contents(spec)
        write_wrapper(spec.with_suffix(".py"), outcome.built)
        write_spec(spec, outcome.spec)
        kept_steps = self._done[spec]
        kept_steps.append(KeptStep(label, old_contents, _contents(spec)))
        del kept_steps[:-_MOST_CHANGES]
        self._undone.pop(spec, None)

    def undo_label(self, spec: Path) -> str:
        """Return the label of the change to undo, or "" if there is no change."""
        return self._done[spec][-1].label if self._done[spec] else ""

    def redo_label(self, spec: Path) -> str:
        """Return the label of the change to redo, or "" if there is no change."""
        return self._undone[spec][-1].label if self._undone[spec] else ""

    def undone_creation(self) -> Path | None:
        """Return the file of decisions whose creation was undone last.

        Return None if no creation was undone.
        """
        specs = (spec for spec, steps in self._undone.items() if steps)
        return next((spec for spec in reversed([*specs]) if not spec.exists()), None)

    def undo(self, spec: Path) -> str:
        """Undo the last change of a person's decisions, and return the change's label.

        Raise FileError if there is no change, or if the file `spec` has changed since.
        """
        if not self._done[spec]:
            raise FileError("there is nothing to undo")
        kept_step = self._done[spec][-1]
        _write(spec, kept_step.after, kept_step.before)
        self._undone[spec].append(self._done[spec].pop())
        return kept_step.label

    def redo(self, spec: Path) -> str:
        """Redo the last undone change of a person's decisions, and return the change's
        label.

        Raise FileError if there is no change, or if the file `spec` has changed since.
        """
        if not self._undone[spec]:
            raise FileError("there is nothing to redo")
        kept_step = self._undone[spec][-1]
        _write(spec, kept_step.before, kept_step.after)
        self._done[spec].append(self._undone[spec].pop())
        return kept_step.label


def _write(spec: Path, expected: _Contents, new: _Contents) -> None:
    """Replace the contents of the decisions file `spec` and of the files made from it.

    Raise FileError if the present content of `spec` isn't the `expected` one, or if a
    file can't be written.
    """
    if _content(spec) != expected[SPEC_SUFFIX]:
        raise FileError(
            f"{spec.name} was changed outside the studio: undo and redo are impossible"
        )
    with writing(spec):
        for suffix, content in new.items():
            path = spec.with_suffix(suffix)
            if content is None:
                path.unlink(missing_ok=True)
            else:
                write_atomically(path, content)


def _contents(spec: Path) -> _Contents:
    """Return the contents of `spec` and of the files made from it, by suffix."""
    return {suffix: _content(spec.with_suffix(suffix)) for suffix in FILE_SUFFIXES}


def _content(path: Path) -> bytes | None:
    """Return the bytes of a file, or None for a missing file."""
    return path.read_bytes() if path.is_file() else None
