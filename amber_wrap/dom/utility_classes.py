"""Detect utility classes, which describe the looks of an element, such as `mt-4`."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

_SIGNS = re.compile(r"^[!-]|!$")
"""Matches the sign `!` or `-` at an end of a Tailwind class.

The sign `!` makes the class important, and `-` makes it negative.
"""
_ARBITRARY = re.compile(r"[A-Z][A-Za-z]*\(.*\)(?:!|:\w+|--\w+)*|.*[\[(].*[\])].*")
"""Matches a class with a CSS value in brackets: `D(ib)` in Atomic CSS, `w-[3rem]` in
Tailwind.
"""

_RESPONSIVE = re.compile(r"\w@[\w-]+$")
"""Matches the end of a class that applies only to some widths of the screen, as in
`u-hidden@tablet`.
"""
_NAMESPACED = re.compile(r"[a-z]\w*-u-|-?tw[-:]")
"""Matches the start of a utility class of a library, as in `nhsuk-u-float-left`. The
prefix `tw-` is the usual one in Tailwind.
"""
_LIBRARIES = frozenset({"ant", "chakra", "el", "mat", "mdc", "v"})
"""The prefixes of classes in libraries of components, such as "v" in `v-list-item`."""


@lru_cache(maxsize=1 << 16)
def utility_kind(token: str) -> str | None:
    """Return the kind of a utility class, such as "spacing" for `mt-4`.

    The kind is a text for people. Return None for other classes.
    """
    if _RESPONSIVE.search(token):
        return "a variant"
    if _NAMESPACED.match(token):
        return "layout"
    variant, colon, rest = token.rpartition(":")
    if colon and (
        variant.split(":")[0].split("-[")[0] in _words("variants")
        or utility_kind(rest)  # Themes name further widths of the screen.
    ):
        return "a variant"
    bare = _SIGNS.sub("", rest).removeprefix("u-")  # A utility class in SUIT CSS.
    if bare in _words("words"):
        return "layout"
    if _ARBITRARY.fullmatch(token):
        return "a CSS value"
    match = _utility_pattern().fullmatch(bare)
    return match.lastgroup if match else None


@lru_cache(maxsize=1 << 16)
def is_component_class(token: str) -> bool:
    """Return whether a class names a component of a library, such as `v-list-item`."""
    library, _, rest = token.partition("-")
    if library == "mantine" or re.fullmatch("Mui[A-Z][A-Za-z]*", library):
        return True
    component = re.split("[-_]", rest)[0]
    return library in _LIBRARIES and component in _words("components")


@cache
def _utility_pattern() -> re.Pattern[str]:
    """Return a regular expression for all utility classes, such as `mt-4`.

    The name of the last matched group is a group of CSS properties, such as "spacing".
    """
    data = _data()

    def with_parts(pattern: str) -> str:
        """Return `pattern` with the names of shared parts replaced by regular
        expressions.

        `data["parts"]` has the regular expression for each name.
        """
        for name, part in data["parts"].items():
            pattern = pattern.replace(name, f"(?:{part})")
        return pattern

    groups = [
        f"(?P<{css_property}>{with_parts(pattern)})"
        for css_property, pattern in data["patterns"].items()
    ]
    return re.compile("|".join(groups), re.VERBOSE)


@cache
def _words(name: str) -> frozenset[str]:
    """Return the list of words called `name` in `data/utility.toml`."""
    return frozenset(_data()[name].split())


@cache
def _data() -> dict[str, Any]:
    """Return the patterns and word lists for utility classes in `data/utility.toml`."""
    path = files(__package__).joinpath("data/utility.toml")
    return tomllib.loads(path.read_text("utf-8"))
