"""Keep the progress of a run on disk, so that `--resume` can continue after a crash.

The remaining pages are the pages that an interrupted run has not done yet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.atomic_write import clear, replace
from amber_wrap.errors import FileError
from amber_wrap.runtime.input_pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    file_size,
)
from amber_wrap.runtime.inputs import pages

_VERSION = 1


@dataclass(slots=True)
class Progress:
    """The progress of a run that can be resumed.

    `done` is the number of pages that were processed.  `last` is the id of the last
    processed page.  `key` is a digest of the run's wrappers, inputs and options.
    `output` is the size of the output of records at the last save (`Sink.position`).
    `dead` is the size of the output of failed pages at the last save.  A size is None
    before the first save.  `tally` has the counts of the run so far (`Tally.to_data`).
    """

    key: str
    done: int = 0
    last: str = ""
    output: int | None = None
    dead: int | None = None
    tally: dict[str, Any] = field(default_factory=dict)


class Journal:
    """A file beside the output that holds the progress of an unfinished run."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """Return the progress of the interrupted run, or None if there is no journal.

        Raise FileError if the journal can't be read, or if the journal belongs to a run
        with another key.
        """
        try:
            data = json.loads(self.path.read_text("utf-8"))
            if data.pop("version") != _VERSION:
                raise FileError(
                    f"{self.path} is of another version: start again with --overwrite"
                )
            progress = Progress(**data)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise FileError(f"cannot read {self.path}: {error}") from error
        if progress.key != key:
            raise FileError(
                f"{self.path} is of a run with other wrappers, inputs or options: "
                "start again with --overwrite"
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
        """Remove the journal after the run has ended."""
        self.path.unlink(missing_ok=True)
        clear(self.path)


class Remaining:
    """The pages of `inputs` that an interrupted run has not done yet.

    The pages that are done are skipped without being read. `Remaining()` raises
    FileError in the same cases as `pages`. Iteration raises FileError if the inputs
    have changed since the interrupted run.
    """

    def __init__(self, inputs: Sequence[str], html: str, progress: Progress) -> None:
        self._done, self._expected = progress.done, progress.last
        self._passed, self._last = 0, ""
        self._path, self._before, self._within = "", 0, 0
        self._pages = pages(inputs, InputOptions(html), self._skip)

    @property
    def read(self) -> int:
        """Return the number of bytes of the inputs read so far.

        The bytes of a Parquet file are added when the file is finished.
        """
        return self._before + self._within

    def _skip(self, page: PageRef) -> bool:
        if page.path != self._path:
            self._before += file_size(self._path)
            self._path = page.path
        self._within = page.read
        is_done = self._passed < self._done
        if is_done:
            self._passed, self._last = self._passed + 1, page.id
        return is_done

    def __iter__(self) -> Iterator[InputPage | BadInput]:
        for page in self._pages:
            if self._passed < self._done:
                # `_skip` wasn't called for this input, which can't be read.
                self._passed, self._last = self._passed + 1, page.id
                continue
            self._check()
            yield page
        self._check()

    def _check(self) -> None:
        if self._done and (self._passed, self._last) != (self._done, self._expected):
            raise FileError(
                f"page {self._done:,} of the inputs was {self._expected}, and now is "
                f"{self._last or 'missing'}: the inputs have changed; start again with "
                "--overwrite"
            )
