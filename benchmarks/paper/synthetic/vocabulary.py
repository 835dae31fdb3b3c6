"""Read the words, sentences and styles in `data/`, and the package's place lists."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
GAZETTEERS = "data/common/gazetteers"
TOWNS = ("uk_towns", "places.gb")
COUNTIES = "uk_counties"
NATIONS = frozenset({"England", "Scotland", "Wales", "Northern Ireland"})


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / f"{name}.toml").read_text("utf-8"))


@cache
def styles() -> Mapping[str, Mapping[str, Any]]:
    """Return styles.toml: by part of a template, what is drawn for it."""
    return _read("styles")


@cache
def vocabulary() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the lists of vocabulary.toml, whose words bars or blanks separate."""
    return {
        group: {name: _split(words) for name, words in lists.items()}
        for group, lists in _read("vocabulary").items()
    }


def _split(words: str) -> tuple[str, ...]:
    if "|" not in words:
        return tuple(word.replace("_", " ") for word in words.split())
    return tuple(one.strip() for line in words.splitlines() for one in line.split("|"))


@cache
def prose() -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return the sentences of prose.toml, by domain and subject, with {holes}."""
    return {
        group: {name: tuple(lines) for name, lines in lists.items()}
        for group, lists in _read("prose").items()
    }


@cache
def gazetteer(name: str) -> tuple[str, ...]:
    """Return the terms of a place list of the package."""
    path = files("amber_wrap.domain") / GAZETTEERS / f"{name}.txt"
    lines = path.read_text("utf-8").splitlines()
    return tuple(line for line in lines if line and not line.startswith("#"))


@cache
def listed_places() -> frozenset[str]:
    """Return every British place that the package lists, in lower case."""
    return frozenset(
        term.casefold() for name in (*TOWNS, COUNTIES) for term in gazetteer(name)
    )


@cache
def makes() -> Mapping[str, tuple[str, ...]]:
    """Return the models of each make of car, the common ones first."""
    lines = (DATA / "makes.txt").read_text("utf-8").splitlines()
    pairs = (line.split(": ") for line in lines if line and not line.startswith("#"))
    return {make: tuple(models.split(", ")) for make, models in pairs}
