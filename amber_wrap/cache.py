"""What takes long to make of some content, kept on the disk for the next run.

A file is data and nothing else: JSON, below the digest of it.  What is damaged, or
foreign, is as if it weren't there; where nothing can be kept, all is made each time.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Final

from amber_wrap.atomic import replace

SWITCH: Final = "AMBER_WRAP_CACHE"
"""The environment variable that, if it is "off", switches it off."""
KEPT: Final = 16
"""Files that are kept; the oldest make room for new ones."""
_SUFFIX: Final = ".json"
_OWN: Final = re.compile(rf"\.?[0-9a-f]{{40}}{_SUFFIX}.*")
"""The name of a file that is kept, or was being written when a run ended."""

_Texts = Mapping[str, str]


def cached(
    kind: str,
    content: str,
    make: Callable[[], _Texts],
    is_right: Callable[[_Texts], bool] = lambda found: True,
) -> _Texts:
    """What `make` makes of a content, or made of it in an earlier run.

    `kind` says what that is, and in which version; what isn't `is_right` is made anew.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    key = f"{kind}\n{content}"
    path = folder / f"{_digest(key.encode())}{_SUFFIX}"
    found = _read(path)
    if found is None or not is_right(found):
        found = make()
        _write(path, found)
    return found


def cache_folder() -> Path | None:
    """Where files are kept; None if they aren't."""
    if os.environ.get(SWITCH) == "off":
        return None
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    for folder in (
        os.environ.get("XDG_CACHE_HOME", ""),
        os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else "",
        os.path.expanduser(usual),
    ):
        # One that isn't absolute counts as none (XDG Base Directory Specification).
        if os.path.isabs(folder):
            return Path(folder, "amber-wrap")
    return None


def _read(path: Path) -> _Texts | None:
    """What was kept there, None unless it is whole."""
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
        if digest.decode() != _digest(data):
            return None
        found = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return None
    is_right = isinstance(found, dict) and set(map(type, found.values())) <= {str}
    return found if is_right else None


def _write(path: Path, made: _Texts) -> None:
    """Keep it, if the system lets us."""
    data = json.dumps(made, ensure_ascii=False)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace(path, f"{_digest(data.encode())}\n{data}")
        files = filter(lambda one: _OWN.fullmatch(one.name), path.parent.iterdir())
        for old in sorted(files, key=os.path.getmtime)[:-KEPT]:
            old.unlink()


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()
