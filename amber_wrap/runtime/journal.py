"""Keep the progress of a run on disk, so that `--resume` can continue after a crash."""

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
    """The progress of a run: its first `done` pages are in the outputs.

    `last` is the id of the last page that is done.  `key` identifies the run's
    wrappers, inputs and options.  `output` and `dead` are the positions of the two
    outputs (`Sink.position`), for records and for failed pages.  A position is None if
    the output hasn't been written yet.
    """

    key: str
    done: int = 0
    last: str = ""
    output: int | None = None
    dead: int | None = None
    tally: dict[str, Any] = field(default_factory=dict)


class Journal:
    """A file beside the output of a run, which holds the progress until the run is
    done.
    """

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """Return the progress of an interrupted run, or None if there is none.

        Raise FileError if the journal belongs to a run with another key.
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
        """Write the progress to the journal.

        Call this after the outputs were flushed to the disk.  Raise FileError if the
        system can't write the file.
        """
        try:
            replace(self.path, json.dumps({"version": _VERSION, **asdict(progress)}))
        except OSError as error:
            raise FileError(f"cannot write {self.path}: {error.strerror}") from error

    def end(self) -> None:
        """Remove the journal: the run has ended, nothing is left to resume."""
        self.path.unlink(missing_ok=True)
        clear(self.path)
