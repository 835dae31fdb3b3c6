"""Find the words that tell the topic of a page: its headings and search fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.annotate.words import folded
from amber_wrap.dom.page import NodeId, Page

TOPIC_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""A word that may name the topic of a page."""
SEARCHES: Final = ("", "text", "search")
"""The types of inputs that may be search fields."""


@dataclass(frozen=True, slots=True)
class Topic:
    """The words in the text inputs of a page, those of its `h1` headings, and the paths
    to which its forms with text inputs send a GET request.
    """

    searched: frozenset[str]
    headed: frozenset[str]
    actions: frozenset[str]


def page_topic(page: Page) -> Topic:
    """Return the topic of a page."""
    return Topic(_searched(page), _headed(page), _actions(page))


def topic_words(text: str) -> Sequence[str]:
    """Return the words of a text that may name a topic."""
    return TOPIC_WORD.findall(folded(text))


def _searched(page: Page) -> frozenset[str]:
    """Return the words in the text inputs of the page."""
    typed = (
        page.attributes[node].get("value", "")
        for node in page.elements()
        if _is_search(page, node)
    )
    short = (one for one in typed if len(one) <= FEATURE.longest_search)
    return frozenset(word for one in short for word in topic_words(one))


def _actions(page: Page) -> frozenset[str]:
    """Return the paths to which forms with text inputs send a GET request."""
    found: set[str] = set()
    for form in page.elements():
        attributes = page.attributes[form]
        if page.tag[form] == "form" and attributes.get("method", "").lower() != "post":
            inside = range(form, form + page.size[form])
            if any(_is_search(page, node) for node in inside):
                found.add(path_of_link(attributes.get("action", "")))
    return frozenset(found - {"", "/"})


def _is_search(page: Page, node: NodeId) -> bool:
    kind = page.attributes[node].get("type", "").lower()
    return page.tag[node] == "input" and kind in SEARCHES


def path_of_link(link: str) -> str:
    """Return the path of a link, without its host."""
    try:
        return urlsplit(link.strip()).path.rstrip("/")
    except ValueError:
        return ""


def _headed(page: Page) -> frozenset[str]:
    """Return the words of the `h1` headings."""
    nodes = (node for node in page.elements() if page.tag[node] == "h1")
    return frozenset(word for node in nodes for word in topic_words(_shown(page, node)))


def _shown(page: Page, node: NodeId) -> str:
    return " ".join(filter(None, page.text[node : node + page.size[node]]))
