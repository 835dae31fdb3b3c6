"""Record the pages that a run has read, so that a killed run can be resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from amber_wrap.atomic_write import remove_temporary_files, write_atomically, writing
from amber_wrap.errors import FileError
from amber_wrap.runtime.input_pages import Input, InputOptions, PageRef, file_size
from amber_wrap.runtime.inputs import pages

_JOURNAL_VERSION = 1


class Journal:
    """The file `<output>.journal`, which keeps the progress of an unfinished run."""

    def __init__(self, output: Path) -> None:
        self.path = output.with_name(f"{output.name}.journal")

    def load(self, key: str) -> Progress | None:
        """Return the progress of an interrupted run, or None if the journal is missing.

        `key` is a digest of the run's inputs, options and wrappers. Raise FileError if
        the journal can't be read, or has another key.
        """
        try:
            data = json.loads(self.path.read_text("utf-8"))
            if data.pop("version") != _JOURNAL_VERSION:
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
        """Write the progress of a run into this file, or raise FileError."""
        data = {"version": _JOURNAL_VERSION, **asdict(progress)}
        with writing(self.path):
            write_atomically(self.path, json.dumps(data))

    def end(self) -> None:
        """Remove this file (the run's progress) after the run has ended."""
        self.path.unlink(missing_ok=True)
        remove_temporary_files(self.path)


class RemainingPages:
    """An iterable of the pages of `inputs` that an interrupted run has not done yet.

    The constructor raises FileError if an input can't be read. Iterating raises
    FileError if the inputs have changed.
    """

    def __init__(self, inputs: Sequence[str], html: str, progress: Progress) -> None:
        # The number of pages that were done or skipped, and the id of the last one.
        self._done, self._skipped = (progress.done, progress.last), (0, "")
        self._file, self._bytes_of_earlier_files, self._bytes_of_file = "", 0, 0
        self._pages = pages(inputs, InputOptions(html), self._skip)

    @property
    def bytes_read(self) -> int:
        """Return the number of bytes of the inputs read so far.

        The bytes of a Parquet file are added when the file is finished.
        """
        return self._bytes_of_earlier_files + self._bytes_of_file

    def _skip(self, page: PageRef) -> bool:
        """Return whether an interrupted run has processed a page, and count the page's
        bytes.

        Call this method once for each page, in the order of the inputs.
        """
        if page.path != self._file:
            self._bytes_of_earlier_files += file_size(self._file)
            self._file = page.path
        self._bytes_of_file = page.bytes_read
        return self._is_done(page.id)

    def _is_done(self, page_id: str) -> bool:
        """Return whether an interrupted run has processed the next page of the inputs.

        `page_id` is the id of the page. A processed page is counted as skipped.
        """
        is_done = self._skipped[0] < self._done[0]
        if is_done:
            self._skipped = self._skipped[0] + 1, page_id
        return is_done

    def __iter__(self) -> Iterator[Input]:
        for page in self._pages:
            # An input that can't be read may come without a call of `_skip`.
            if not self._is_done(page.id):
                self._check_unchanged()
                yield page
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        """Raise FileError if the inputs have changed since a run was interrupted."""
        (done_count, last_done), (_, last_skipped) = self._done, self._skipped
        if done_count and self._skipped != self._done:
            raise FileError(
                f"page {done_count:,} of the inputs was {last_done}, and now is "
                f"{last_skipped or 'missing'}: the inputs have changed; start again "
                "with --overwrite"
            )


@dataclass(slots=True)
class Progress:
    """The progress of a run, from which an interrupted run continues."""

    key: str
    """The digest of the run's inputs, options and wrappers."""
    done: int = 0
    """The number of processed pages."""
    last: str = ""
    """The id of the last processed page."""
    output: int | None = None
    """The size of the records' output at the last save (`Sink.position`), None before
    the first save.
    """
    dead: int | None = None
    """The size of the failed pages' output at the last save (`Sink.position`), None
    before the first save.
    """
    tally: dict[str, Any] = field(default_factory=dict)
    """The counts of the run so far, from `Tally.to_data`."""
