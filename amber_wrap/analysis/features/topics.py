"""Features of the words that records share with the page's heading and search field."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature_of_presence
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.analysis.features.view import CandidateView
from amber_wrap.annotate.words import folded
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.memo import remembered

TOPIC_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""A word that may name the topic of a page."""
SEARCHES: Final = ("", "text", "search")
"""The types of inputs that may be search fields."""


@feature_of_presence
def about_search(view: CandidateView) -> float:
    """Return the share of records with a word that is in the page's search field."""
    return _share_with(view, _searched(view.page))


@feature_of_presence
def about_heading(view: CandidateView) -> float:
    """Return the share of the records with a word of a main heading."""
    return _share_with(view, _headed(view.page))


@feature_of_presence
def has_search(view: CandidateView) -> float:
    """Return 1 if the search field of the page isn't empty."""
    return float(bool(_searched(view.page)))


@feature_of_presence
def leads_to_search(view: CandidateView) -> float:
    """Return the share of records with a link that starts another search.

    Such a link has the path of a form's action and a query (HTML, "form submission").
    """
    actions = _actions(view.page)
    if not actions:
        return 0.0
    return mean(
        any("?" in link and _path(link) in actions for link in links)
        for links in view.own_links
    )


def _share_with(view: CandidateView, words: frozenset[str]) -> float:
    if not words:
        return 0.0
    text = view.page.text
    return mean(
        any(not words.isdisjoint(_words(one)) for one in text[begin:end] if one)
        for begin, end in view.looked_at
    )


def _words(text: str) -> Sequence[str]:
    return TOPIC_WORD.findall(folded(text))


@remembered
def _searched(page: Page) -> frozenset[str]:
    """Return the words in the text inputs of the page."""
    typed = (
        page.attributes[node].get("value", "")
        for node in page.elements()
        if _is_search(page, node)
    )
    return frozenset(
        w for one in typed if len(one) <= FEATURE.longest_search for w in _words(one)
    )


@remembered
def _actions(page: Page) -> frozenset[str]:
    """Return the paths to which forms with text inputs send a GET request."""
    found: set[str] = set()
    for form in page.elements():
        attributes = page.attributes[form]
        if page.tag[form] == "form" and attributes.get("method", "").lower() != "post":
            inside = range(form, form + page.size[form])
            if any(_is_search(page, node) for node in inside):
                found.add(_path(attributes.get("action", "")))
    return frozenset(found - {"", "/"})


def _is_search(page: Page, node: NodeId) -> bool:
    kind = page.attributes[node].get("type", "").lower()
    return page.tag[node] == "input" and kind in SEARCHES


def _path(link: str) -> str:
    """Return the path of a link, without its host."""
    try:
        return urlsplit(link.strip()).path.rstrip("/")
    except ValueError:
        return ""


@remembered
def _headed(page: Page) -> frozenset[str]:
    """Return the words of the `h1` headings."""
    nodes = (node for node in page.elements() if page.tag[node] == "h1")
    return frozenset(word for node in nodes for word in _words(_shown(page, node)))


def _shown(page: Page, node: NodeId) -> str:
    return " ".join(filter(None, page.text[node : node + page.size[node]]))
