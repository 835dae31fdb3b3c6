"""The stored samples of a wrapper: where they are kept, and how they are found again.

Pages are their owner's data: they are stored on demand only, in a folder beside the
wrapper (`wrappers/homes.samples` of `wrappers/homes.py`).  A page is known by its
SHA-256; one that was changed is not found.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from amber_wrap.errors import FileError
from amber_wrap.files import read_bytes
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Sample

SAMPLES_SUFFIX: Final = ".samples"
_DIGITS: Final = 8
"""Digits of the SHA-256 that name a folder for a sample whose name is taken."""


def sample_folder(wrapper: Path) -> Path:
    """Return the folder in which the samples of a wrapper are stored."""
    return wrapper.with_suffix(SAMPLES_SUFFIX)


def store(wrapper: Path, sources: Iterable[Source]) -> Path:
    """Store samples beside a wrapper, and return their folder; raises FileError.

    Existing files stay: a page whose name is taken goes into a subfolder.
    """
    folder = sample_folder(wrapper)
    for source in sources:
        path = folder / source.name
        if path.exists() and path.read_bytes() != source.body:
            path = folder / source.sha256[:_DIGITS] / source.name
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.body)
        except OSError as error:
            raise FileError(f"cannot write {path}: {error.strerror}") from error
    return folder


def find(samples: Iterable[Sample], wrapper: Path, folder: str = "") -> list[Source]:
    """Return the samples that are found, in order: in `folder`, if one is named, in the
    wrapper's own folder, beside the wrapper, and in the working directory.

    Raises FileError if `folder` is no folder.
    """
    if folder and not Path(folder).is_dir():
        raise FileError(f"{folder} is no folder: name the one that holds the samples")
    found = []
    for sample in samples:
        for path in _places(sample.name, wrapper, folder):
            source = Source(sample.name, read_bytes(str(path)))
            if source.sha256 == sample.sha256:
                found.append(source)
                break
    return found


def _places(name: str, wrapper: Path, folder: str) -> Iterator[Path]:
    """Yield the files of that name, below folders of samples and in the other
    places.
    """
    if Path(name).name != name:
        return
    for place in (*([Path(folder)] if folder else []), sample_folder(wrapper)):
        yield from filter(Path.is_file, sorted(place.rglob(glob.escape(name))))
    yield from filter(Path.is_file, (wrapper.parent / name, Path(name)))
