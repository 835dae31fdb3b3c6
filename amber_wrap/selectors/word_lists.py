"""Read the word lists of the package: words for looks, states and frameworks."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def word_lists(name: str) -> dict[str, frozenset[str]]:
    """Return a dictionary of the word lists in a data file, by the names of the lists.

    `name` is the name of the file without the extension.
    """
    return {
        key: frozenset(words.split())
        for key, words in word_list_file(name).items()
        if isinstance(words, str)
    }


@cache
def word_list_file(name: str) -> dict[str, Any]:
    """Return the content of `data/NAME.toml`."""
    path = files(__package__).joinpath(f"data/{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))
