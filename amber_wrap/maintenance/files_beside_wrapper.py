"""Find the files beside a wrapper: its stored samples, and later wrappers of its site.

Samples are stored only on demand, since pages belong to their owners. The samples of
`wrappers/homes.py` are in the folder `wrappers/homes.samples`. A page is identified by
its SHA-256, so that a changed page isn't found.

After a redesign, a site may need another wrapper. `homes.py` is the first generation.
`homes_2.py` and `homes_3.py` beside it are later generations. A page is read by the
generation whose contract, a set of checks, holds on the page.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from amber_wrap.errors import FileError
from amber_wrap.files import read_bytes
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Sample

SAMPLES_SUFFIX: Final = ".samples"
"""The suffix of the folder that has the samples of a wrapper."""
NUMBERED_STEM: Final = re.compile(r"(.+)_([2-9]|[1-9][0-9]+)")
"""Matches the file name of a later generation without its suffix, such as `homes_2`."""
_SUBFOLDER_DIGITS: Final = 8
"""The number of digits of a sample's SHA-256 that name a subfolder.

The subfolder is for a sample with the same name as another sample.
"""


def sample_folder(wrapper: Path) -> Path:
    """Return the folder in which the samples of a wrapper are stored."""
    return wrapper.with_suffix(SAMPLES_SUFFIX)


def store_samples(wrapper: Path, sources: Iterable[Source]) -> Path:
    """Store the sample pages of a wrapper beside it, and return their folder.

    `wrapper` is the path of the wrapper. `sources` are the pages. A page with the name
    of a stored page goes into a subfolder. Raise FileError if a file can't be written.
    """
    folder = sample_folder(wrapper)
    for source in sources:
        path = folder / source.name
        if path.exists() and path.read_bytes() != source.body:
            path = folder / source.sha256[:_SUBFOLDER_DIGITS] / source.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.body)
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from error
    return folder


def find_samples(
    samples: Iterable[Sample], wrapper: Path, folder: str = ""
) -> list[Source]:
    """Return those of a wrapper's sample pages that still exist, in the given order.

    The files are sought in these folders: `folder` if given, the wrapper's sample
    folder, the wrapper's own folder, and the working directory. Raise FileError if
    `folder` is no folder.
    """
    if folder and not Path(folder).is_dir():
        raise FileError(f"{folder} is not a folder: name the folder of the samples")
    sources = []
    for sample in samples:
        for path in _files_named(sample.name, wrapper, folder):
            source = Source(sample.name, read_bytes(str(path)))
            if source.sha256 == sample.sha256:
                sources.append(source)
                break
    return sources


def _files_named(name: str, wrapper: Path, folder: str) -> Iterator[Path]:
    """Yield the files named `name` in the folders that `find_samples` searches.

    `folder` and the wrapper's sample folder are searched with all subfolders. Yield
    nothing for a name with a slash.
    """
    if Path(name).name != name:
        return
    sample_folders = [sample_folder(wrapper)]
    if folder:
        sample_folders.insert(0, Path(folder))
    for searched in sample_folders:
        yield from filter(Path.is_file, sorted(searched.rglob(glob.escape(name))))
    yield from filter(Path.is_file, (wrapper.parent / name, Path(name)))


def generations(wrapper: Path) -> list[Path]:
    """Return the paths of a wrapper and the later wrappers of the same site.

    They are in the order of their numbers: `homes.py`, `homes_2.py`, `homes_3.py`.
    `wrapper` is the path of any of them. `homes_2.py` is a later wrapper only if
    `homes.py` exists.
    """
    first = wrapper
    numbered = NUMBERED_STEM.fullmatch(wrapper.stem)
    if numbered and wrapper.with_stem(numbered[1]).is_file():
        first = wrapper.with_stem(numbered[1])
    wrappers = [first]
    while (later := _with_number(first, len(wrappers) + 1)).is_file():
        wrappers.append(later)
    return wrappers


def next_generation(wrapper: Path) -> Path:
    """Return the path of a new wrapper for the site of a wrapper.

    The path has the next number, for example `homes_3.py` after `homes_2.py`.
    """
    wrappers = generations(wrapper)
    return _with_number(wrappers[0], len(wrappers) + 1)


def _with_number(first: Path, number: int) -> Path:
    """Return the path of the wrapper with a number: `homes_2.py` for `homes.py` and 2.

    `first` is the path of the site's first wrapper, which has no number.
    """
    return first.with_stem(f"{first.stem}_{number}")
