"""Write the facts about a fetched page into a file beside the page."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from amber_wrap.atomic_write import replace
from amber_wrap.errors import FileError
from amber_wrap.fetch.session import Fetched

_SUFFIX: Final = ".fetch.json"
"""The suffix added to the name of a page's file."""


def facts_of(page: Fetched) -> dict[str, Any]:
    """Return the facts about a page: addresses, status, time (UTC), size,
    and SHA-256."""
    return {
        "url": page.url,
        "requested": page.requested,
        "status": page.status,
        "time": page.time,
        "rendered": page.is_rendered,
        "bytes": len(page.body),
        "sha256": hashlib.sha256(page.body).hexdigest(),
    }


def save(page: Fetched, path: Path) -> None:
    """Write a page, and the facts about the page in a file beside it.

    Raise FileError if a file can't be written.
    """
    facts = json.dumps(facts_of(page), ensure_ascii=False, indent=1) + "\n"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace(path, page.body)
        replace(path.with_name(path.name + _SUFFIX), facts)
    except OSError as error:
        raise FileError(f"cannot write {path}: {error.strerror}") from error
