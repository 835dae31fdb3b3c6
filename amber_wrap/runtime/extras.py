"""Libraries that only some inputs and outputs need."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from amber_wrap.errors import FileError


def extra_module(module: str, extra: str, path: str) -> Any:
    """A module of one of this package's extras, which `path` needs.

    Raises FileError with the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise FileError(
            f'{path} needs {module}: pip install "amber-wrap[{extra}]"'
        ) from error
