"""Find the pages that an interrupted run has not done yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from amber_wrap.errors import FileError
from amber_wrap.runtime.inputs import pages
from amber_wrap.runtime.journal import Progress
from amber_wrap.runtime.pages import (
    BadInput,
    InputOptions,
    InputPage,
    PageRef,
    file_size,
)


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
                f"page {self._done:,} of the inputs was {self._expected}, and is "
                f"{self._last or 'missing'}: they have changed, begin anew"
            )
