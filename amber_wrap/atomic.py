"""Files that are written whole or not at all."""

from __future__ import annotations

import os
import tempfile
from glob import escape
from pathlib import Path


def replace(path: Path, source: str | bytes) -> None:
    """Write a file: readers see the old one or the new, also after a crash.

    Text is written in UTF-8, with line feeds at the ends of its lines.
    """
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(source.encode() if isinstance(source, str) else source)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; a wrapper is as readable as any source.
        umask = os.umask(0)
        os.umask(umask)
        os.chmod(temporary, 0o666 & ~umask)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def clear(path: Path) -> None:
    """Remove what whoever was killed while he wrote a file left beside it.

    Call it where nobody else may be writing that file.
    """
    for left in path.parent.glob(f".{escape(path.name)}.*"):
        left.unlink(missing_ok=True)
