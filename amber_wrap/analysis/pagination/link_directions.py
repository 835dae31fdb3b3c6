"""Interpret the words, arrows and class tokens of links as directions.

A direction says where a link leads in a sequence of pages, such as next, previous or
more.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files
from itertools import islice
from typing import Final

from amber_wrap.analysis.thresholds import PAGING
from amber_wrap.annotate.labels_and_titles import unaccented
from amber_wrap.dom.page import NodeId, Page

_LABELS: Final = "labels.toml"
"""The file in the folder of this module that lists the words of each direction."""

NEXT_ARROW: Final = re.compile(r"[»›>→►▶⟩⇒❯➔➜➡▸▹⏵⟶≫〉＞]{1,3}\ufe0f?")
"""Matches one to three arrows to the right."""
PREVIOUS_ARROW: Final = re.compile(r"[«‹<←◄◀⟨⇐❮⬅◂◃⏴⟵≪〈＜]{1,3}\ufe0f?")
"""Matches one to three arrows to the left."""
CLASS_FILLERS: Final = (
    "pagination|paginator|paginate|paging|pagenumbers?|pages|pager|page|navigation|nav"
    "|links|link|btn|button|icon|ico|arrow|items?|results?|posts|control|is|has|js|li|a"
)
"""Words that a class token may have besides the direction, such as "pagination" in
"pagination-next"."""
ICON: Final = re.compile(
    r"(?:\w*?(?:arrow|chevron|angle|caret|triangle))(?:double|circle|s)*"
    r"(right|left)(?:long|alt|fill|outline|icon|ios)*"
)
"""Matches class tokens of arrows in icon fonts, such as `fa-angle-right`, after hyphens
are removed.
"""
_LAST_PART: Final = re.compile(r".*(?:__|--)(?=\w)")
"""Matches the part of a class token before the name of its element or modifier, such as
"site-pager__link--" in "site-pager__link--next".
"""
LINK_LABELS: Final = ("aria-label", "title", "value")
"""Names of HTML attributes that may have a label of a link."""


class Direction(StrEnum):
    """The direction in which a link leads through pages of results, such as to the next
    page.

    The comments in `labels.toml` explain each direction.
    """

    NEXT = "next"
    ONWARD = "onward"
    PREVIOUS = "previous"
    OLDER = "older"
    NEWER = "newer"
    MORE = "more"
    FURTHER = "further"


def label_direction(label: str) -> Direction | None:
    """Return the direction that a link's label names, such as `NEXT` for "Next page".

    Return None for long labels and labels with further words, such as titles.
    """
    if len(label) > PAGING.longest_label:
        return None
    directions, fillers = _phrases_and_fillers()
    words = tuple(dict.fromkeys(_folded_words(label)))
    phrase = tuple(word for word in words if word not in fillers)
    if words in directions:
        return directions[words]
    is_onward = directions.get(phrase[:1]) is Direction.ONWARD
    if is_onward and directions.get(phrase[1:]) is Direction.NEXT:
        return Direction.NEXT  # "Continue to the next page"
    if directions.get(phrase) is Direction.FURTHER:
        return Direction.MORE
    return directions.get(phrase)


def begins_with_next(label: str) -> bool:
    """Return whether a label is a word for "next" and one other word, such as "Next
    departures".

    Return False for long labels, and for "Next page".
    """
    if len(label) > PAGING.longest_label:
        return False
    directions, fillers = _phrases_and_fillers()
    phrase = [
        word for word in dict.fromkeys(_folded_words(label)) if word not in fillers
    ]
    return len(phrase) == 2 and directions.get((phrase[0],)) is Direction.NEXT


def is_filler(text: str) -> bool:
    """Return whether a text consists of words that name no direction, such as
    "results".

    Return False for a text of more than `PAGING.longest_label` characters.
    """
    _, fillers = _phrases_and_fillers()
    return len(text) <= PAGING.longest_label and fillers.issuperset(_folded_words(text))


def arrow_direction(label: str) -> Direction | None:
    """Return the direction of a label that consists of arrows, or None for other
    labels.
    """
    arrows = "".join(label.split())
    if NEXT_ARROW.fullmatch(arrows):
        return Direction.NEXT
    return Direction.PREVIOUS if PREVIOUS_ARROW.fullmatch(arrows) else None


def class_direction(tokens: Iterable[str]) -> Direction | None:
    """Return the first direction that a class or id names, such as `NEXT` for
    `pagination-next`.

    The last part of a name such as `site-pager__link--next` counts, too. Return None if
    no token names a direction.
    """
    for token in tokens:
        for name in (token, _LAST_PART.sub("", token)):
            if match := _class_pattern().fullmatch(flat_token(name)):
                return Direction(str(match.lastgroup))
    return None


def icon_direction(tokens: Iterable[str]) -> Direction | None:
    """Return the direction of the first arrow of an icon font, for example `NEXT` for
    the class token `fa-angle-right`.

    Return None if no class token is an arrow.
    """
    for token in tokens:
        if match := ICON.fullmatch(flat_token(token)):
            return Direction.NEXT if match[1] == "right" else Direction.PREVIOUS
    return None


def flat_token(token: str) -> str:
    """Return a class token in lower case without punctuation."""
    return re.sub(r"[\W_]", "", token).casefold()


def _folded_words(label: str) -> list[str]:
    """Return the words of a label in lower case without accents."""
    return re.findall(r"[^\W\d_]+", unaccented(label))


@cache
def _languages() -> Mapping[str, Mapping[str, list[str]]]:
    """Return the content of `labels.toml`: for each language the phrases for each
    direction, and the neutral words such as "page".
    """
    text = files(__package__).joinpath(_LABELS).read_text("utf-8")
    return {
        language: {
            kind: phrases.split() if isinstance(phrases, str) else phrases
            for kind, phrases in kinds.items()
        }
        for language, kinds in tomllib.loads(text).items()
    }


@cache
def _phrases_and_fillers() -> tuple[
    Mapping[tuple[str, ...], Direction], frozenset[str]
]:
    """Return a mapping from phrases to directions, and the neutral words such as
    "page".

    If languages disagree about a phrase, the first direction in `Direction` counts.
    """
    directions: dict[tuple[str, ...], Direction] = {}
    for direction in Direction:
        for language in _languages().values():
            for phrase in language.get(direction, ()):
                words = tuple(dict.fromkeys(_folded_words(phrase)))
                directions.setdefault(words, direction)
    fillers: set[str] = set()
    for language in _languages().values():
        for filler in language.get("fillers", ()):
            fillers.update(_folded_words(filler))
    return directions, frozenset(fillers)


@cache
def _class_pattern() -> re.Pattern[str]:
    """Return the pattern of class tokens that name a direction, such as
    `nextpostslink`.

    Each direction is a named group of the pattern.
    """
    words_of: dict[Direction, list[str]] = {}
    for words, direction in _phrases_and_fillers()[0].items():
        joined = "".join(words)
        if joined.isascii() and len(joined) >= PAGING.least_class_word:
            words_of.setdefault(direction, []).append(joined)
    directions = (
        Direction.NEXT,
        Direction.PREVIOUS,
        Direction.OLDER,
        Direction.NEWER,
    )
    groups = [
        f"(?P<{direction}>{'|'.join(words_of[direction])})" for direction in directions
    ]
    fillers = f"(?:{CLASS_FILLERS})*"
    return re.compile(f"{fillers}(?:{'|'.join(groups)}){fillers}")


def direction_of_words(page: Page, node: NodeId) -> Direction | None:
    """Return the direction that a link's text or label attributes name, such as `NEXT`.

    Return None if neither names a direction.
    """
    attributes = page.attributes[node]
    labels = [page.string(node), *(attributes.get(name, "") for name in LINK_LABELS)]
    for descendant in page.elements(node):
        if descendant != node:
            attributes = page.attributes[descendant]
            labels += [attributes.get(name, "") for name in ("alt", *LINK_LABELS)]
    for label in filter(None, labels):
        if direction := label_direction(label):
            return direction
    return None


def direction_of_link(page: Page, node: NodeId) -> Direction | None:
    """Return the direction that a link's words, classes or id name, such as `NEXT`.

    Return None if the link names no direction.
    """
    return direction_of_words(page, node) or class_direction(link_names(page, node))


def link_names(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the class tokens and ids of a link and of its descendants.

    Class tokens and ids of the parent and grandparent are included if the link is their
    only content.
    """
    containers = []
    for ancestor in islice(ancestors_or_self(page, node), 1, 3):
        is_alone = len(page.child_elements(ancestor)) <= 1
        if page.string(ancestor) != page.string(node) or not is_alone:
            break
        containers.append(ancestor)
    for element in (*page.elements(node), *containers):
        yield from page.classes(element)
        yield page.attributes[element].get("id", "")


def names_around(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the classes, ids and ARIA labels of a link and its nearest ancestors.

    The names are in lower case and without punctuation.
    """
    for element in islice(ancestors_or_self(page, node), PAGING.named_ancestors + 1):
        if page.tag[element] == "body":
            return
        attributes = page.attributes[element]
        yield from map(flat_token, page.classes(element))
        yield flat_token(attributes.get("id", ""))
        yield flat_token(attributes.get("aria-label", ""))


def ancestors_or_self(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield an element, and then its ancestors up to the root.

    If `node` is a text node, the first element is the parent of the text.
    """
    element = page.element(node)
    while element >= 0:
        yield element
        element = page.parent[element]


def link_above(page: Page, node: NodeId) -> NodeId | None:
    """Return the nearest `<a>` element around a node.

    Return None if there is no `<a>` element, or if the nearest `<a>` has no `href`.
    """
    for element in ancestors_or_self(page, node):
        if page.tag[element] == "a":
            return element if "href" in page.attributes[element] else None
    return None
