"""Saved pages in, generated files out: the only code that touches the disk."""

from __future__ import annotations

import keyword
import re
import sys
from collections.abc import Sequence
from difflib import unified_diff
from pathlib import Path

from amber_wrap.atomic import replace
from amber_wrap.codegen.build import Built
from amber_wrap.contract.verification import check_patterns
from amber_wrap.dom.saved import MAX_PAGE
from amber_wrap.errors import FileError
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import Wrapper
from amber_wrap.wrapper.stored import Stored, from_text, to_text

STDIN = "-"
WRAPPERS_FOLDER = "wrappers"
"""Where a project's wrappers are, unless named."""
STORED = ".json"
"""What the file of a wrapper is called that isn't the generated one."""
PACKAGES = ("parsel", "lxml", "w3lib", "cssselect", "jmespath", "packaging")
"""What a generated file imports besides the standard library, directly or not."""


def read_bytes(name: str) -> bytes:
    """A file's bytes, those of stdin for "-"; raises FileError."""
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
        raise FileError(f"cannot read {name}: it has more than {MAX_PAGE:,} bytes")
    return body


def check_stdin(names: Sequence[str]) -> None:
    """Raise FileError for names that mean stdin twice."""
    if names.count(STDIN) > 1:
        raise FileError("stdin can be read once only")


def check_local(name: str) -> None:
    """Raise FileError for the address of a page."""
    if name.startswith(("http://", "https://")):
        raise FileError(f"cannot read {name}: amber-wrap fetch saves it")


def read_saved_page(name: str) -> Source:
    """A saved page; raises FileError."""
    return Source("stdin" if name == STDIN else Path(name).name, read_bytes(name))


def read_rules(name: str) -> Wrapper:
    """The wrapper of a generated file, or of the .json beside it, whichever is named.

    The generated file isn't run.  Raises FileError or WrapperError.
    """
    return read_stored(name).wrapper


def read_stored(name: str) -> Stored:
    """What is stored of a wrapper; its patterns are tried.

    Raises FileError or WrapperError.
    """
    path = stored_path(Path(name))
    if not path.exists() and Path(name).is_file():
        raise FileError(
            f"{path} is missing: {name} runs without it, this command doesn't; "
            "amber-wrap induce makes both"
        )
    stored = from_text(read_bytes(str(path) if path.exists() else name))
    check_patterns(stored.wrapper)
    return stored


def find_wrapper(name: str) -> str:
    """The generated file of a wrapper that is named as `amber-wrap build` names it; any
    other name as it is."""
    path = Path(name)
    named = Path(WRAPPERS_FOLDER, f"{name}.py")
    is_there = path.exists() or stored_path(path).exists()
    return str(named) if not is_there and stored_path(named).exists() else name


def stored_path(path: Path) -> Path:
    """Where a wrapper is stored, beside its generated file."""
    return path.with_suffix(STORED)


def is_changed(path: Path) -> bool:
    """Whether a generated file isn't the one that was written with its .json."""
    file, stored = path.with_suffix(".py"), stored_path(path)
    return (
        file.exists()
        and stored.exists()
        and not from_text(stored.read_bytes()).made(file.read_bytes())
    )


def wrapper_path(sample: str) -> Path:
    """Where a sample's wrapper goes by default: a name that Python can import.

    No module's name, which a script that lies beside it would import instead.
    """
    stem = "stdin" if sample == STDIN else Path(sample.removesuffix(".gz")).stem
    name = re.sub(r"\W+", "_", stem, flags=re.ASCII).strip("_").lower() or "wrapper"
    modules = (*sys.stdlib_module_names, *PACKAGES)
    if name[0].isdigit() or keyword.iskeyword(name) or name in modules:
        name = f"page_{name}"
    return Path(WRAPPERS_FOLDER, f"{name}.py")


def check_target(
    path: Path,
    sources: Sequence[Source] | None = None,
    force: bool = False,
    source: str | None = None,
) -> None:
    """Raise FileError unless a wrapper may be written there.

    Never over a file that wasn't generated, or was changed since, unless by `force`:
    what the new `source`, if it is known, would change is told; with `sources`, where
    nobody named the file, not over the wrapper of other samples either.
    """
    if path.is_dir():
        raise FileError(f"{path} is a folder: name a file with -o")
    if path.suffix != ".py":
        raise FileError(f"{path} is not called .py, as a generated file is")
    if force or not path.exists():
        return
    if not stored_path(path).exists():
        raise FileError(
            f"{path} was not generated by amber-wrap, or its .json is gone, and stays "
            "as it is: name another file with -o, or write over it with --force"
        )
    if source is not None and is_changed(path):
        diff = difference(path.read_text("utf-8", "replace"), source)
        raise FileError(
            f"{diff}{path} was changed by hand since it was generated, and stays as it "
            "is: name another file with -o, or write over it with --force"
        )
    if sources is not None:
        known = {sample.sha256 for sample in read_stored(str(path)).wrapper.samples}
        if known.isdisjoint(source.sha256 for source in sources):
            raise FileError(
                f"{path} is the wrapper of another sample: name a file with -o, this "
                "one to replace it"
            )


def difference(old: str, new: str) -> str:
    """What a new text changes in an old one, as a unified diff."""
    lines = unified_diff(
        *(old.splitlines(True), new.splitlines(True)), "as it is", "as it would be"
    )
    return "".join(lines)


def write_wrapper(path: Path, built: Built, force: bool = False) -> None:
    """Write a generated file and what is stored beside it, each whole or not at all.

    Raises as `check_target` does.
    """
    check_target(path, force=force, source=built.source)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(stored_path(path).resolve(), to_text(built.stored))
        replace(path.resolve(), built.source)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error
