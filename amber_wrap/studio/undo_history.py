"""Write the files of a wrapper after a change, and keep the old files for undo."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from amber_wrap.atomic_write import replace
from amber_wrap.errors import FileError
from amber_wrap.files import STORED, write_wrapper
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.spec.writer import write_spec
from amber_wrap.studio.slow_tasks import Outcome

_KEPT: Final = 100
"""The number of changes of a wrapper that can be undone."""
FILES: Final = (SPEC_SUFFIX, STORED, ".py")
_Contents = dict[str, bytes | None]
"""The contents of a wrapper's files by suffix, or None for a missing file."""


def digest(spec: Path) -> str:
    """Return a digest of a spec's content, or "" if the file doesn't exist."""
    return sha256(spec.read_bytes()).hexdigest() if spec.is_file() else ""


@dataclass(frozen=True, slots=True)
class KeptStep:
    """The label of a change, and the wrapper's files before and after the change."""

    label: str
    before: _Contents
    after: _Contents


@dataclass(slots=True)
class UndoHistory:
    """The changes that were made or undone, by the path of the wrapper's spec."""

    _done: dict[Path, list[KeptStep]] = field(default_factory=lambda: defaultdict(list))
    _undone: dict[Path, list[KeptStep]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def keep(self, spec: Path, base: str, outcome: Outcome, label: str) -> None:
        """Write the files of a change, and forget the undone changes of the wrapper.

        Raise FileError if the spec's digest isn't `base`, or if a person changed the
        generated file.
        """
        if digest(spec) != base:
            raise FileError(
                f"{spec.name} was changed in the meantime: open the page again"
            )
        before = _bodies(spec)
        write_wrapper(spec.with_suffix(".py"), outcome.built)
        write_spec(spec, outcome.spec)
        steps = self._done[spec]
        steps.append(KeptStep(label, before, _bodies(spec)))
        del steps[:-_KEPT]
        self._undone.pop(spec, None)

    def undo_label(self, spec: Path) -> str:
        """Return the label of the change to undo, or "" if there is no change."""
        return self._done[spec][-1].label if self._done[spec] else ""

    def redo_label(self, spec: Path) -> str:
        """Return the label of the change to redo, or "" if there is no change."""
        return self._undone[spec][-1].label if self._undone[spec] else ""

    def undone_creation(self) -> Path | None:
        """Return the spec of the wrapper whose creation was undone last.

        Return None if no creation was undone.
        """
        specs = (spec for spec, steps in self._undone.items() if steps)
        return next((spec for spec in reversed([*specs]) if not spec.exists()), None)

    def undo(self, spec: Path) -> str:
        """Undo the last change of a wrapper, and return the label of the change.

        Raise FileError if there is nothing to undo, or if the spec was changed
        elsewhere.
        """
        if not self._done[spec]:
            raise FileError("there is nothing to undo")
        step = self._done[spec][-1]
        _write(spec, step.after, step.before)
        self._undone[spec].append(self._done[spec].pop())
        return step.label

    def redo(self, spec: Path) -> str:
        """Redo the last undone change of a wrapper, and return the label of the change.

        Raise FileError if there is nothing to redo, or if the spec was changed
        elsewhere.
        """
        if not self._undone[spec]:
            raise FileError("there is nothing to redo")
        step = self._undone[spec][-1]
        _write(spec, step.before, step.after)
        self._done[spec].append(self._undone[spec].pop())
        return step.label


def _write(spec: Path, there: _Contents, bodies: _Contents) -> None:
    """Replace the contents of a wrapper's files by `bodies`.

    `there` are the expected contents before the replacement.  Raise FileError if the
    spec's content isn't the expected content, or if a file can't be written.
    """
    if _body(spec) != there[SPEC_SUFFIX]:
        raise FileError(
            f"{spec.name} was changed outside the studio: undo and redo are impossible"
        )
    try:
        for suffix, body in bodies.items():
            path = spec.with_suffix(suffix)
            if body is None:
                path.unlink(missing_ok=True)
            else:
                replace(path, body)
    except OSError as error:
        raise FileError(f"cannot write {spec}: {error.strerror}") from error


def _bodies(spec: Path) -> _Contents:
    """Return the current contents of a wrapper's files by suffix."""
    return {one: _body(spec.with_suffix(one)) for one in FILES}


def _body(path: Path) -> bytes | None:
    """Return the bytes of a file, or None for a missing file."""
    return path.read_bytes() if path.is_file() else None
