"""Test generated files on the sample pages of their wrappers.

A test passes if the generated file reads the same records as the wrapper, and the page
meets the wrapper's conditions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from amber_wrap.dom.parse import parse
from amber_wrap.engine.contract_report import report_lines
from amber_wrap.engine.drift_check import check_page
from amber_wrap.engine.output_rows import Row, to_rows
from amber_wrap.errors import FileError
from amber_wrap.files import WRAPPERS_FOLDER, read_wrapper, stored_path
from amber_wrap.settings import Source
from amber_wrap.spec.building import existing_samples

Status = Literal["passed", "failed", "skipped"]
"""The result of testing a generated file on a sample page. A test is skipped if the
page is missing or changed.
"""
TIME_LIMIT: Final = 60
"""The seconds that a generated file may take for all of its sample pages."""
DRIVER: Final = """\
import json, pathlib, runpy, sys
extract = runpy.run_path(sys.argv[1])["extract"]
pages = [pathlib.Path(path).read_bytes() for path in sys.argv[2:]]
print(json.dumps([extract(page) for page in pages]))
"""
"""The Python program of a separate process that runs a generated file on pages and
prints the records as JSON.
"""


@dataclass(frozen=True, slots=True)
class _Trial:
    """The result of testing a generated file on one sample page."""

    wrapper: Path
    """The path of the generated file."""
    page: str
    """The name of the sample."""
    status: Status
    reasons: tuple[str, ...] = ()
    """The reasons why the test failed or was skipped."""


def wrapper_files(names: Sequence[str], folder: Path) -> list[Path]:
    """Return the paths of generated files in the given files and folders.

    Without `names`, return the paths of all generated files in the project at `folder`.
    Raise FileError for a name without a generated file.
    """
    generated_files: list[Path] = []
    for name in names or (str(folder / WRAPPERS_FOLDER),):
        path = Path(name)
        files = path.glob("*.py") if path.is_dir() else [path.with_suffix(".py")]
        wrappers = [
            file
            for file in sorted(files)
            if file.is_file() and stored_path(file).is_file()
        ]
        if not wrappers:
            raise FileError(f"{name}: no wrapper found (a .py file with its .json)")
        generated_files += wrappers
    return generated_files


def trials(file: Path) -> Iterator[_Trial]:
    """Yield the result of testing a generated file on each of its sample pages.

    Raise FileError if the file's .json or a sample can't be read, and WrapperError if
    the .json is invalid.
    """
    wrapper = read_wrapper(str(file))
    sources = existing_samples(file)
    digests = {source.sha256 for source in sources}
    for sample in wrapper.samples:
        if sample.sha256 not in digests:
            reason = "the sample is missing or was changed"
            yield _Trial(file, sample.name, "skipped", (reason,))
    if not sources:
        return
    try:
        rows_by_page = extracted_rows(file, sources)
    except FileError as error:
        for source in sources:
            yield _Trial(file, source.name, "failed", (str(error),))
        return
    for source, rows in zip(sources, rows_by_page, strict=True):
        page = parse(source.saved.body)
        report = check_page(wrapper, page)
        reasons = [*row_differences(rows, to_rows(wrapper, page))]
        if report["status"] != "OK":
            reasons += report_lines(source.name, report)
        status: Status = "failed" if reasons else "passed"
        yield _Trial(file, source.name, status, tuple(reasons))


def extracted_rows(file: Path, sources: Sequence[Source]) -> list[list[Row]]:
    """Return the records that a generated file reads, as one list for each page.

    Raise FileError if the generated file fails or takes more than `TIME_LIMIT` seconds.
    """
    with TemporaryDirectory() as folder:
        pages = [Path(folder, f"{number}.html") for number in range(len(sources))]
        for path, source in zip(pages, sources, strict=True):
            path.write_bytes(source.saved.body)
        try:
            process = subprocess.run(
                [sys.executable, "-c", DRIVER, str(file), *map(str, pages)],
                capture_output=True,
                text=True,
                timeout=TIME_LIMIT,
                check=False,
            )
        except subprocess.TimeoutExpired as error:
            raise FileError(f"the file takes more than {TIME_LIMIT} seconds") from error
    if process.returncode:
        lines = process.stderr.strip().splitlines() or ["no message"]
        raise FileError(f"the file fails: {lines[-1]}")
    rows_by_page: list[list[Row]] = json.loads(process.stdout)
    return rows_by_page


def row_differences(
    file_rows: Sequence[Row], wrapper_rows: Sequence[Row]
) -> Iterator[str]:
    """Yield messages about differences between two readings of the same page.

    `file_rows` are the records read by the generated file, and `wrapper_rows` the
    records read by the wrapper. If the numbers of records differ, this is the only
    message.
    """
    if len(file_rows) != len(wrapper_rows):
        yield f"{len(file_rows)} records instead of {len(wrapper_rows)}"
        return
    for key in dict.fromkeys(key for row in file_rows for key in row):
        differing_values: list[tuple[Any, Any]] = [
            (file_row.get(key), wrapper_row.get(key))
            for file_row, wrapper_row in zip(file_rows, wrapper_rows, strict=True)
            if json.dumps(file_row.get(key)) != json.dumps(wrapper_row.get(key))
        ]
        if differing_values:
            file_value, wrapper_value = differing_values[0]
            yield (
                f"{key} differs in {len(differing_values)} of {len(file_rows)} "
                f"records: {file_value!r} instead of {wrapper_value!r}"
            )
