"""Steps kept: the files of a wrapper written, and what they were before, for undo."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from amber_wrap.atomic import replace
from amber_wrap.errors import FileError
from amber_wrap.files import STORED, write_wrapper
from amber_wrap.spec.reader import SPEC_SUFFIX
from amber_wrap.spec.writer import write_spec
from amber_wrap.studio.work import Outcome

_KEPT: Final = 100
"""Steps of a wrapper that can be undone."""
FILES: Final = (SPEC_SUFFIX, STORED, ".py")
Before = dict[str, bytes | None]
"""What the files of a wrapper were, by suffix; None was no file."""


def digest(spec: Path) -> str:
    """What tells a spec from the same one after a change; "" without a file."""
    return sha256(spec.read_bytes()).hexdigest() if spec.is_file() else ""


@dataclass(slots=True)
class UndoHistory:
    """The steps that were kept, by the specs of their wrappers."""

    _steps: dict[Path, list[tuple[str, str, Before]]] = field(
        default_factory=lambda: defaultdict(list)
    )

    def keep(self, spec: Path, base: str, outcome: Outcome, label: str) -> None:
        """Write what a step comes to.

        Raises FileError where a file was changed since the step began: the spec isn't
        what `base` is the digest of, or the generated file is a person's now.
        """
        if digest(spec) != base:
            raise FileError(f"{spec.name} was changed meanwhile: look at it again")
        before = {one: _read(spec.with_suffix(one)) for one in FILES}
        write_wrapper(spec.with_suffix(".py"), outcome.built)
        write_spec(spec, outcome.spec)
        steps = self._steps[spec]
        steps.append((label, digest(spec), before))
        del steps[:-_KEPT]

    def labels(self, spec: Path) -> list[str]:
        """What can be undone, the last step last."""
        return [label for label, _, _ in self._steps[spec]]

    def undo(self, spec: Path) -> str:
        """Take the last step back, and say which it was; raises FileError."""
        if not self._steps[spec]:
            raise FileError("there is nothing to undo")
        label, after, before = self._steps[spec][-1]
        if digest(spec) != after:
            raise FileError(f"{spec.name} was changed elsewhere: nothing is undone")
        try:
            for suffix, body in before.items():
                path = spec.with_suffix(suffix)
                if body is None:
                    path.unlink(missing_ok=True)
                else:
                    replace(path, body)
        except OSError as error:
            raise FileError(f"cannot write {spec}: {error.strerror}") from error
        self._steps[spec].pop()
        return label


def _read(path: Path) -> bytes | None:
    """The bytes of a file, None without one."""
    return path.read_bytes() if path.is_file() else None
