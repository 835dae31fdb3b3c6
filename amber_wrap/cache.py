"""Cache expensive results, either on the disk, or in memory while an object lives.

Damaged cache files are ignored.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, wraps
from hashlib import blake2b
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar, cast
from weakref import WeakMethod, ref

from amber_wrap.atomic_write import write_atomically

SWITCH: Final = "AMBER_WRAP_CACHE"
"""The environment variable that switches the cache off with the value "off"."""
MOST_FILES: Final = 16
"""The greatest number of files in the cache. The oldest files are deleted."""
_SUFFIX: Final = ".json"
_CACHE_FILE: Final = re.compile(rf"\.?[0-9a-f]{{40}}{_SUFFIX}.*")
"""Matches the name of a cache file, or of a temporary file that a killed process left.
"""
_Texts = Mapping[str, str]
"""A result that can be cached on the disk: a mapping from texts to texts."""
P = ParamSpec("P")
R = TypeVar("R")
Subject = TypeVar("Subject")


def cached(
    kind: str,
    content: str,
    make: Callable[[], _Texts],
    is_valid: Callable[[_Texts], bool] = lambda result: True,
) -> _Texts:
    """Return the cached result for the input `content`.

    Without a valid cached result, call `make`, and cache its result. `kind` is the type
    and version of the result.
    """
    folder = cache_folder()
    if folder is None:
        return make()
    key = f"{kind}\n{content}"
    path = folder / f"{_digest(key.encode())}{_SUFFIX}"
    result = _read_result(path)
    if result is None or not is_valid(result):
        result = make()
        _write_result(path, result)
    return result


def cache_folder() -> Path | None:
    """Return the folder of the cache, or None if caching is off."""
    if os.environ.get(SWITCH) == "off":
        return None
    default = "~/Library/Caches" if sys.platform == "darwin" else "~/.cache"
    for folder in (
        os.environ.get("XDG_CACHE_HOME", ""),
        os.environ.get("LOCALAPPDATA", "") if os.name == "nt" else "",
        os.path.expanduser(default),
    ):
        # Relative paths are ignored (XDG Base Directory Specification).
        if os.path.isabs(folder):
            return Path(folder, "amber-wrap")
    return None


def _read_result(path: Path) -> _Texts | None:
    """Return a cached result, or None if the file is missing or damaged."""
    try:
        digest, _, data = path.read_bytes().partition(b"\n")
        if digest.decode() != _digest(data):
            return None
        result = json.loads(data)
    except (OSError, ValueError, RecursionError):
        return None
    if not isinstance(result, dict):
        return None
    has_texts_only = all(type(value) is str for value in result.values())
    return result if has_texts_only else None


def _write_result(path: Path, result: _Texts) -> None:
    """Write a result to a cache file, and delete the oldest files above `MOST_FILES`.

    Do nothing if the system doesn't allow writing.
    """
    data = json.dumps(result, ensure_ascii=False)
    with suppress(OSError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_atomically(path, f"{_digest(data.encode())}\n{data}")
        cache_files = [
            file for file in path.parent.iterdir() if _CACHE_FILE.fullmatch(file.name)
        ]
        for old_file in sorted(cache_files, key=os.path.getmtime)[:-MOST_FILES]:
            old_file.unlink()


def _digest(data: bytes) -> str:
    """Return a digest of bytes as 40 hexadecimal digits."""
    return blake2b(data, digest_size=20).hexdigest()


def remembered(
    function: Callable[Concatenate[Subject, P], R],
) -> Callable[Concatenate[Subject, P], R]:
    """Decorate a function so that it computes its result once for equal arguments.

    The results are kept as long as the first argument lives. A result must be
    immutable, and must not refer to the first argument. All other arguments must be
    hashable and positional.
    """
    # A result that refers to its subject would keep the subject alive.
    results_by_subject: dict[ref[Subject], dict[Any, R]] = {}

    @wraps(function)
    def remembering(subject: Subject, /, *args: P.args, **kwargs: P.kwargs) -> R:
        results = results_by_subject.get(ref(subject))
        if results is None:
            results = {}
            results_by_subject[ref(subject, results_by_subject.pop)] = results
        try:
            return results[args]
        except KeyError:
            result = results[args] = function(subject, *args, **kwargs)
            return result

    return remembering


def cached_method(method: Callable[P, R]) -> Callable[P, R]:
    """Return a method of an object that computes its result once for equal arguments.

    The arguments must be hashable. The result doesn't keep the object alive.
    """
    weak_method = WeakMethod(method)

    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        bound = weak_method()
        assert bound is not None, "only a living object calls its method"
        return bound(*args, **kwargs)

    return cast(Callable[P, R], cache(call))
