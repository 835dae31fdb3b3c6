"""Read saved pages and wrappers, write generated files, and find related files.

- `homes.py` is the first generated file of a site,
- `homes_2.py` and `homes_3.py` are generated files for later designs of the site,
- `homes.samples` is the folder with the sample pages of `homes.py`.
"""

from __future__ import annotations

import glob
import keyword
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from difflib import unified_diff
from pathlib import Path
from typing import Final

from amber_wrap.atomic_write import write_atomically, writing
from amber_wrap.codegen.build import Built
from amber_wrap.dom.saved_formats import MAX_PAGE
from amber_wrap.errors import FileError
from amber_wrap.lowering.program import check_program
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Sample, Wrapper
from amber_wrap.wrapper.pattern_check import check_patterns
from amber_wrap.wrapper.stored_wrapper import (
    StoredWrapper,
    errors_with_line,
    from_text,
    to_text,
)

STDIN = "-"
"""The file name that stands for the standard input."""
WRAPPERS_FOLDER = "wrappers"
"""The folder of a project in which generated files are stored by default."""
STORED_SUFFIX = ".json"
"""The suffix of the file with a wrapper's data, beside the generated file."""
PACKAGES = ("parsel", "lxml", "w3lib", "cssselect", "jmespath", "packaging")
"""The packages that a generated file imports, directly or indirectly."""

SAMPLES_SUFFIX: Final = ".samples"
"""The suffix of the folder with the sample pages of a generated file."""
NUMBERED_STEM: Final = re.compile(r"(.+)_([2-9]|[1-9][0-9]+)")
"""Matches the file name of a site's later wrapper without its suffix, such as
`homes_2`.
"""
_SUBFOLDER_DIGITS: Final = 8
"""The number of digits of a SHA-256 that name the subfolder of a sample page.

If two samples have the same name, the second is stored in such a subfolder.
"""


def read_bytes(name: str) -> bytes:
    """Return the bytes of a file, or of the standard input for "-".

    Raise FileError if the file can't be read or has more than `MAX_PAGE` bytes, or if
    the name is a web address.
    """
    if name == STDIN:
        return sys.stdin.buffer.read()
    check_local(name)
    try:
        with open(name, "rb") as file:
            body = file.read(MAX_PAGE + 1)
    except OSError as error:
        raise FileError(f"cannot read {name}: {error.strerror}") from error
    except ValueError as error:
        raise FileError(f"cannot read {name!r}: {error}") from error
    if len(body) > MAX_PAGE:
        raise FileError(f"cannot read {name}: more than {MAX_PAGE:,} bytes")
    return body


def check_stdin(names: Sequence[str]) -> None:
    """Raise FileError if more than one of the names is "-", for the standard input."""
    if names.count(STDIN) > 1:
        raise FileError("stdin can be read only once")


def check_local(name: str) -> None:
    """Raise FileError if the name of a file is a web address."""
    if name.startswith(("http://", "https://")):
        raise FileError(f"cannot read {name}: save the page with amber-wrap fetch")


def read_saved_page(name: str) -> Source:
    """Return the saved page in a file, or in the standard input for "-".

    Raise FileError if the file can't be read or has more than `MAX_PAGE` bytes, or if
    the name is a web address.
    """
    return Source("stdin" if name == STDIN else Path(name).name, read_bytes(name))


def read_wrapper(name: str) -> Wrapper:
    """Return the wrapper of the generated file `name`, from the .json beside it.

    Raise FileError if the .json can't be read, and WrapperError if it is invalid.
    """
    return read_stored(name).wrapper


def read_stored(name: str) -> StoredWrapper:
    """Return the checked data in the .json of the generated file `name`.

    Raise FileError if the .json can't be read, and WrapperError if it is invalid.
    """
    path = stored_path(Path(name))
    if not path.exists() and Path(name).is_file():
        raise FileError(
            f"{path} is missing: {name} runs without this file, but this command needs "
            "it; amber-wrap induce writes both"
        )
    text = read_bytes(str(path) if path.exists() else name)
    stored = from_text(text)
    with errors_with_line(text):
        check_patterns(stored.wrapper)
        if stored.program:
            check_program(stored.program)
    return stored


def find_wrapper(name: str) -> str:
    """Return the path of a generated file: "wrappers/hotels.py" for "hotels".

    Return `name` unchanged if it is the path of a file, or if there is no such
    generated file.
    """
    path = Path(name)
    if path.exists() or stored_path(path).exists():
        return name
    generated_file = Path(WRAPPERS_FOLDER, f"{name}.py")
    return str(generated_file) if stored_path(generated_file).exists() else name


def stored_path(path: Path) -> Path:
    """Return the path of the .json beside a generated file."""
    return path.with_suffix(STORED_SUFFIX)


def is_changed(path: Path) -> bool:
    """Return whether a generated file was changed after it was written.

    Return False if the file or its .json doesn't exist.
    """
    generated_file, stored_file = path.with_suffix(".py"), stored_path(path)
    if not (generated_file.exists() and stored_file.exists()):
        return False
    stored = from_text(stored_file.read_bytes())
    return not stored.is_unchanged(generated_file.read_bytes())


def wrapper_path(sample: str) -> Path:
    """Return the default path of the generated file for a sample page.

    For example, return "wrappers/hotels.py" for "hotels.html". For the name of a Python
    module, such as "json.html", return "wrappers/page_json.py".
    """
    stem = "stdin" if sample == STDIN else Path(sample.removesuffix(".gz")).stem
    name = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_").lower() or "wrapper"
    # Scripts in the same folder would import the wrapper instead of the module.
    module_names = (*sys.stdlib_module_names, *PACKAGES)
    if name[0].isdigit() or keyword.iskeyword(name) or name in module_names:
        name = f"page_{name}"
    return Path(WRAPPERS_FOLDER, f"{name}.py")


def check_target(
    path: Path,
    sources: Sequence[Source] | None = None,
    force: bool = False,
    source: str | None = None,
) -> None:
    """Raise FileError if a generated file may not be written to `path`.

    The path must end in .py. Unless `force`, these files may not be overwritten:

    - a file that wasn't generated,
    - a file that was changed by hand, if the new text (`source`) is given,
    - the file for other sample pages, if the new sample pages (`sources`) are given.
    """
    if path.is_dir():
        raise FileError(f"{path} is a folder: name a file with -o")
    if path.suffix != ".py":
        raise FileError(f"{path}: the name of a generated file must end in .py")
    if force or not path.exists():
        return
    if not stored_path(path).exists():
        raise FileError(
            f"{path} was not generated by amber-wrap, or its .json is missing: name "
            "another file with -o, or overwrite this one with --force"
        )
    if source is not None and is_changed(path):
        diff = difference(path.read_text("utf-8", "replace"), source)
        raise FileError(
            f"{diff}{path} was changed by hand after generation: name another file "
            "with -o, or overwrite this one with --force"
        )
    if sources is not None:
        old_samples = read_stored(str(path)).wrapper.samples
        old_digests = {sample.sha256 for sample in old_samples}
        if old_digests.isdisjoint(sample.sha256 for sample in sources):
            raise FileError(
                f"{path} is the wrapper of another sample: name another file with -o, "
                "or this one to replace it"
            )


def difference(old: str, new: str) -> str:
    """Return the changes from an old text to a new text as a unified diff.

    Return "" if the texts are equal.
    """
    old_lines, new_lines = old.splitlines(True), new.splitlines(True)
    return "".join(unified_diff(old_lines, new_lines, "current", "generated"))


def write_wrapper(path: Path, built: Built, force: bool = False) -> None:
    """Write the generated file at `path` and its .json, each as a whole or not at all.

    Raise FileError if a file can't be written, or if `check_target` forbids it.
    """
    check_target(path, force=force, source=built.source)
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(stored_path(path).resolve(), to_text(built.stored))
        write_atomically(path.resolve(), built.source)


# --- the files beside a wrapper ------------------------------------------------------


def sample_folder(wrapper: Path) -> Path:
    """Return the folder in which the sample pages of a generated file are stored.

    `wrapper` is the path of the generated file.
    """
    return wrapper.with_suffix(SAMPLES_SUFFIX)


def store_samples(wrapper: Path, sources: Iterable[Source]) -> Path:
    """Store sample pages beside the generated file `wrapper`, and return their folder.

    Raise FileError if a file can't be written.
    """
    folder = sample_folder(wrapper)
    for source in sources:
        path = folder / source.name
        if path.exists() and path.read_bytes() != source.body:
            path = folder / source.sha256[:_SUBFOLDER_DIGITS] / source.name
        with writing(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(source.body)
    return folder


def find_samples(
    samples: Iterable[Sample], wrapper: Path, folder: str = ""
) -> list[Source]:
    """Return the sample pages of the generated file `wrapper`, in the given order.

    Pages that are missing or were changed are left out. The folder `folder` is searched
    first. Raise FileError if `folder` is no folder.
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
    """Yield the files named `name` in the folders that may have stored sample pages.

    `folder` is searched first.
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
    """Return the paths of all generated files of one site, such as `homes_2.py`.

    `wrapper` is the path of any of the files.
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
    """Return the path for the next generated file of a site.

    For example, return `homes_3.py` if `homes_2.py` is the last file. `wrapper` is the
    path of any generated file of the site.
    """
    wrappers = generations(wrapper)
    return _with_number(wrappers[0], len(wrappers) + 1)


def _with_number(first: Path, number: int) -> Path:
    """Return the path of the generated file number `number` of a site.

    `first` is the site's first generated file. For `homes.py` and 2, return
    `homes_2.py`.
    """
    return first.with_stem(f"{first.stem}_{number}")
