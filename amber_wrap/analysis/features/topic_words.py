"""Find the words that tell the topic of a page, in headings and search fields."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.annotate.markup_words import folded
from amber_wrap.dom.page import NodeId, Page

TOPIC_WORD: Final = re.compile(r"[^\W\d_]{3,}")
"""A word that may name the topic of a page."""
SEARCHES: Final = ("", "text", "search")
"""The types of inputs that may be search fields."""


@dataclass(frozen=True, slots=True)
class Topic:
    """Words and URL paths that tell the topic of a page.

    `searched` are the words in text inputs. `headed` are the words in `h1` headings.
    `actions` are the URL paths of search forms. A search form has a text input and
    sends a GET request.
    """

    searched: frozenset[str]
    headed: frozenset[str]
    actions: frozenset[str]


def page_topic(page: Page) -> Topic:
    """Return the words and URL paths that tell the topic of a page."""
    return Topic(_searched(page), _headed(page), _actions(page))


def topic_words(text: str) -> Sequence[str]:
    """Return the words of three or more letters in a text, in lower case without
    accents.
    """
    return TOPIC_WORD.findall(folded(text))


def _searched(page: Page) -> frozenset[str]:
    """Return the words in the values of the page's text inputs."""
    typed = (
        page.attributes[node].get("value", "")
        for node in page.elements()
        if _is_search(page, node)
    )
    short = (one for one in typed if len(one) <= FEATURE.longest_search)
    return frozenset(word for one in short for word in topic_words(one))


def _actions(page: Page) -> frozenset[str]:
    """Return the URL paths of the search forms of a page.

    A search form has a text input and sends a GET request.
    """
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
    """Return the path of a URL without final slashes, or "" for an invalid URL."""
    try:
        return urlsplit(link.strip()).path.rstrip("/")
    except ValueError:
        return ""


def _headed(page: Page) -> frozenset[str]:
    """Return the words of the `h1` headings of a page."""
    nodes = (node for node in page.elements() if page.tag[node] == "h1")
    return frozenset(word for node in nodes for word in topic_words(_shown(page, node)))


def _shown(page: Page, node: NodeId) -> str:
    return " ".join(filter(None, page.text[node : node + page.size[node]]))
