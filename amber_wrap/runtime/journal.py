"""How far a run got: what `--resume` goes on from after any end, a kill among them."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.atomic import clear, replace
from amber_wrap.errors import FileError

_VERSION = 1


@dataclass(slots=True)
class Progress:
    """The first `done` pages are in the outputs, up to their positions there.

    `last` is the id of the last of them; `key` stands for wrappers, inputs and options.
    A position is what a sink says of itself, None before there is one.
    """

    key: str
    done: int = 0
    last: str = ""
    output: int | None = None
    dead: int | None = None
    tally: dict[str, Any] = field(default_factory=dict)


class Journal:
    """The progress of a run, in a file beside its output until the run has ended."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """The progress of a run that was cut off, if there is one.

        Raises FileError where it was a run of something else.
        """
        try:
            data = json.loads(self.path.read_text("utf-8"))
            if data.pop("version") != _VERSION:
                raise FileError(
                    f"{self.path} is of another version: --overwrite begins anew"
                )
            progress = Progress(**data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise FileError(f"cannot read {self.path}: {error}") from error
        if progress.key != key:
            raise FileError(
                f"{self.path} is of a run with other wrappers, inputs or options: "
                "--overwrite begins anew"
            )
        return progress

    def save(self, progress: Progress) -> None:
        """Write the progress, once the outputs are on the disk as far as it says."""
        try:
            replace(self.path, json.dumps({"version": _VERSION, **asdict(progress)}))
        except OSError as error:
            raise FileError(f"cannot write {self.path}: {error.strerror}") from error

    def end(self) -> None:
        """The run has ended: there is nothing to go on from."""
        self.path.unlink(missing_ok=True)
        clear(self.path)
