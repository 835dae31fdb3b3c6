"""Features of the heading above a list.

A heading may announce related items or filters instead of results.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.analysis.features.list_counts import CandidateView
from amber_wrap.analysis.features.registry import feature_of_presence
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.annotate.markup_words import folded
from amber_wrap.annotate.titles import HEADINGS
from amber_wrap.dom.page import NodeId, Page

STEMS: Final = "list_headings.toml"
"""The file of the word stems, in the folder of this module; its comments explain the
meanings.
"""
UNSPACED: Final = ("ja", "zh", "ko")
"""Languages in which a stem may occur within a word."""


def _headed_by(name: str) -> None:
    def is_headed(view: CandidateView) -> float:
        stems = _stems()[name]
        return float(any(stems.search(one) for one in headings_above(view)))

    is_headed.__name__ = f"headed_{name}"
    is_headed.__doc__ = f'Return whether the heading above has a stem of "{name}".'
    feature_of_presence(is_headed)


for _name in ("beside", "narrowing", "site"):
    _headed_by(_name)


@feature_of_presence
def headed(view: CandidateView) -> float:
    """Return 1 if there is a heading directly above the list, else 0."""
    return float(bool(headings_above(view)))


def headings_above(view: CandidateView) -> Sequence[str]:
    """Return the short texts above a list, each of which may be the list's heading.

    The texts are in lower case without accents.
    """
    page, start = view.page, view.starts[0]
    texts = [*_texts_before(page, start)]
    before = (node for node in range(start - 1, -1, -1) if page.tag[node] in HEADINGS)
    nearest = next(before, None)
    if nearest is not None and _is_near(page, nearest, start):
        texts.append(page.string(nearest))
    return [folded(one) for one in texts if 0 < len(one) <= FEATURE.longest_heading]


def _texts_before(page: Page, start: NodeId) -> Sequence[str]:
    """Return up to `FEATURE.texts_above` texts before a node, the nearest first."""
    found: list[str] = []
    node = start - 1
    while node >= 0 and len(found) < FEATURE.texts_above:
        if page.text[node]:
            found.append(" ".join(page.text[node].split()))
        node -= 1
    return found


def _is_near(page: Page, heading: NodeId, start: NodeId) -> bool:
    end = heading + page.size[heading]
    return (
        end <= start
        and page.characters[start] - page.characters[end] <= FEATURE.heading_distance
    )


@cache
def _stems() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each meaning that a heading can have.

    The keys are the meanings in `list_headings.toml`, for example "narrowing" for
    headings of filters. A pattern matches the stems of words with the meaning, in all
    languages of the file.
    """
    text = files(__package__).joinpath(STEMS).read_text("utf-8")
    within: dict[str, list[str]] = {}
    for language, meanings in tomllib.loads(text).items():
        begin = "" if language in UNSPACED else r"\b"
        for meaning, stems in meanings.items():
            forms = (begin + re.escape(folded(one)) for one in stems)
            within.setdefault(meaning, []).extend(forms)
    return {name: re.compile("|".join(forms)) for name, forms in within.items()}
