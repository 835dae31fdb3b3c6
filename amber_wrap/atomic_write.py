"""Write files as a whole or not at all."""

from __future__ import annotations

import os
import tempfile
from glob import escape
from pathlib import Path


def replace(path: Path, source: str | bytes) -> None:
    """Write a file so that readers see the old or the new content, even after a crash.

    Text is written in UTF-8 with its line ends unchanged.  Raise OSError if the system
    can't write the file.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(source.encode() if isinstance(source, str) else source)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files: give this one the usual permissions.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def clear(path: Path) -> None:
    """Remove the temporary files that a killed writer left beside a file.

    Call this only when no other process may be writing the file.
    """
    for left in path.parent.glob(f".{escape(path.name)}.*"):
        left.unlink(missing_ok=True)
