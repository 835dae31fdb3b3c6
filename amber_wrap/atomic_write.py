"""Write files as a whole or not at all, and report what can't be written."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from glob import escape
from pathlib import Path

from amber_wrap.errors import FileError


@contextmanager
def writing(path: object) -> Iterator[None]:
    """Turn an OSError of the `with` block into a FileError that names `path`."""
    try:
        yield
    except BrokenPipeError:
        # A program that closes the pipe early is no error: click ends quietly.
        raise
    except OSError as error:
        reason = error.strerror or str(error)
        raise FileError(f"cannot write {path}: {reason}") from error


def write_file(path: Path, content: str | bytes) -> None:
    """Write a file as a whole or not at all, and create its folder.

    If `path` is a link, the file that it leads to is written. Raise FileError if the
    file can't be written.
    """
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path.resolve(), content)


def write_atomically(path: Path, content: str | bytes) -> None:
    """Write a file so that readers see the old or the new content, even after a crash.

    Raise OSError if the system can't write the file.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        # A file of `mkstemp` is private; the new file gets the usual permissions.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def remove_temporary_files(path: Path) -> None:
    """Remove the temporary files that killed processes left when they wrote to `path`.

    No other process may be writing the file.
    """
    for temporary in path.parent.glob(f".{escape(path.name)}.*"):
        temporary.unlink(missing_ok=True)
