"""Cache expensive results: on the disk, or in memory as long as an object lives.

A cache file has a digest of the input as its name. It is pure data (JSON). A damaged or
foreign file is ignored. If the system can't write a file, the result isn't cached.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar
from weakref import ref

from amber_wrap.atomic_write import replace

SWITCH: Final = "AMBER_WRAP_CACHE"
"""The environment variable that switches the cache off with the value "off"."""
KEPT: Final = 16
"""The number of cache files that are kept. The oldest files are deleted."""
_SUFFIX: Final = ".json"
_OWN: Final = re.compile(rf"\.?[0-9a-f]{{40}}{_SUFFIX}.*")
"""The name of a cache file, or of a temporary one that a killed run left."""
_Texts = Mapping[str, str]
P = ParamSpec("P")
R = TypeVar("R")
Subject = TypeVar("Subject")


def cached(
    kind: str,
    content: str,
    make: Callable[[], _Texts],
    is_right: Callable[[_Texts], bool] = lambda found: True,
) -> _Texts:
    """Return the result of `make`, or the result that an earlier call cached.

    `kind` is the type and version of the result. `content` is the text of the input. If
    `is_right` returns False for a cached result, the result is computed again.
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
    """Return the folder of the cache, or None if caching is off."""
    if os.environ.get(SWITCH) == "off":
        return None
    usual = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    for folder in (
        os.environ.get("XDG_CACHE_HOME", ""),
        os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else "",
        os.path.expanduser(usual),
    ):
        # Relative paths are ignored (XDG Base Directory Specification).
        if os.path.isabs(folder):
            return Path(folder, "amber-wrap")
    return None


def _read(path: Path) -> _Texts | None:
    """Return a cached result, or None if the file is missing or damaged."""
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
    """Write a result to the cache, if the system allows that."""
    data = json.dumps(made, ensure_ascii=False)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace(path, f"{_digest(data.encode())}\n{data}")
        files = filter(lambda one: _OWN.fullmatch(one.name), path.parent.iterdir())
        for old in sorted(files, key=os.path.getmtime)[:-KEPT]:
            old.unlink()


def _digest(data: bytes) -> str:
    return blake2b(data, digest_size=20).hexdigest()


def remembered(
    function: Callable[Concatenate[Subject, P], R],
) -> Callable[Concatenate[Subject, P], R]:
    """Decorate a function to run only once for the same arguments.

    The first argument is the subject, for example a page.  Subjects are compared by
    identity.  When the subject is garbage-collected, its results are dropped.  A result
    must be immutable and must not refer to its subject.  The other arguments must be
    hashable and positional.
    """
    # A result that refers to its subject would keep the subject alive.
    known: dict[ref[Subject], dict[Any, R]] = {}

    @wraps(function)
    def found(subject: Subject, /, *args: P.args, **kwargs: P.kwargs) -> R:
        results = known.get(ref(subject))
        if results is None:
            results = known[ref(subject, known.pop)] = {}
        try:
            return results[args]
        except KeyError:
            result = results[args] = function(subject, *args, **kwargs)
            return result

    return found
