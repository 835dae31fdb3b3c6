"""What the words, arrows and class tokens of links say: on, back, or more here."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.annotate.words import folded

_LABELS: Final = "labels.toml"
"""The file of the words, beside this module; its head says what they mean."""
LONGEST_LINK_LABEL: Final = 60
"""Characters of a label; what is longer is a text."""
SHORT_WORD: Final = 4
"""Letters that a word of a class token has at least: "sig" is in "design"."""

NEXT_ARROW: Final = re.compile(r"[»›>→►▶⟩⇒❯➔➜➡▸▹⏵⟶≫〉＞]{1,3}\ufe0f?")
PREVIOUS_ARROW: Final = re.compile(r"[«‹<←◄◀⟨⇐❮⬅◂◃⏴⟵≪〈＜]{1,3}\ufe0f?")
CLASS_FILLERS: Final = (
    "pagination|paginator|paginate|paging|pagenumbers?|pages|pager|page|navigation|nav"
    "|links|link|btn|button|icon|ico|arrow|items?|results?|posts|control|is|has|js|li|a"
)
"""What a class token says beside the direction: "pagination-next", "nextpostslink"."""
ICON: Final = re.compile(
    r"(?:\w*?(?:arrow|chevron|angle|caret|triangle))(?:double|circle|s)*"
    r"(right|left)(?:long|alt|fill|outline|icon|ios)*"
)
"""Class tokens of icon fonts, without their hyphens: `fa-angle-right`."""


class Direction(StrEnum):
    """Where a label says that its link leads; the file of labels explains each."""

    NEXT = "next"
    ONWARD = "onward"
    PREVIOUS = "previous"
    OLDER = "older"
    NEWER = "newer"
    MORE = "more"
    FURTHER = "further"


def direction(label: str) -> Direction | None:
    """Return where the words of a label lead, if it says nothing else."""
    if len(label) > LONGEST_LINK_LABEL:
        return None
    known, fillers = _words()
    words = tuple(dict.fromkeys(_folded(label)))
    told = tuple(word for word in words if word not in fillers)
    if words in known or told not in known:
        return known.get(words)
    found = known[told]
    return Direction.MORE if found is Direction.FURTHER else found


def is_filler(text: str) -> bool:
    """Return whether a text says at most that it is of a page, or of the current
    one.
    """
    return len(text) <= LONGEST_LINK_LABEL and _words()[1].issuperset(_folded(text))


def arrow(label: str) -> Direction | None:
    """Return where a label that is an arrow points to."""
    shown = "".join(label.split())
    if NEXT_ARROW.fullmatch(shown):
        return Direction.NEXT
    return Direction.PREVIOUS if PREVIOUS_ARROW.fullmatch(shown) else None


def class_direction(tokens: Iterable[str]) -> Direction | None:
    """Return where class tokens, or an id, say that an element leads."""
    for token in tokens:
        if found := _in_class().fullmatch(flat(token)):
            return Direction(str(found.lastgroup))
    return None


def icon_direction(tokens: Iterable[str]) -> Direction | None:
    """Return where the arrow of an icon font points to."""
    for token in tokens:
        if found := ICON.fullmatch(flat(token)):
            is_next = found[1] == "right"
            return Direction.NEXT if is_next else Direction.PREVIOUS
    return None


def flat(token: str) -> str:
    """Return a class token without its signs and capitals."""
    return re.sub(r"[\W_]", "", token).casefold()


def _folded(label: str) -> list[str]:
    """Return the words of a label in lower case and without accents."""
    return re.findall(r"[^\W\d_]+", folded(label))


@cache
def _languages() -> Mapping[str, Mapping[str, list[str]]]:
    text = files(__package__).joinpath(_LABELS).read_text("utf-8")
    return {
        language: {
            kind: given.split() if isinstance(given, str) else given
            for kind, given in kinds.items()
        }
        for language, kinds in tomllib.loads(text).items()
    }


@cache
def _words() -> tuple[Mapping[tuple[str, ...], Direction], frozenset[str]]:
    """Return the phrases that lead somewhere, and the words that don't.

    Where languages disagree, the earlier direction holds.
    """
    phrases: dict[tuple[str, ...], Direction] = {}
    for kind in Direction:
        for language in _languages().values():
            for phrase in language.get(kind, ()):
                phrases.setdefault(tuple(dict.fromkeys(_folded(phrase))), kind)
    told = (one for kinds in _languages().values() for one in kinds.get("fillers", ()))
    return phrases, frozenset(word for one in told for word in _folded(one))


@cache
def _in_class() -> re.Pattern[str]:
    """Return the form of class tokens that say where an element leads."""
    phrases: dict[Direction, list[str]] = {}
    for words, kind in _words()[0].items():
        joined = "".join(words)
        if joined.isascii() and len(joined) >= SHORT_WORD:
            phrases.setdefault(kind, []).append(joined)
    kinds = (Direction.NEXT, Direction.PREVIOUS, Direction.OLDER, Direction.NEWER)
    told = "|".join(f"(?P<{kind}>{'|'.join(phrases[kind])})" for kind in kinds)
    return re.compile(f"(?:{CLASS_FILLERS})*(?:{told})(?:{CLASS_FILLERS})*")
