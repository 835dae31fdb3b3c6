"""Features of the words that records share with the page's heading and search field."""

from __future__ import annotations

from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.registry import feature_of_presence
from amber_wrap.analysis.features.topic_words import path_of_link, topic_words
from amber_wrap.analysis.features.view import CandidateView


@feature_of_presence
def about_search(view: CandidateView) -> float:
    """Return the share of records that contain a word of the page's search field."""
    return _share_with(view, view.measures.topic.searched)


@feature_of_presence
def about_heading(view: CandidateView) -> float:
    """Return the share of records that contain a word of the page's `h1` headings."""
    return _share_with(view, view.measures.topic.headed)


@feature_of_presence
def has_search(view: CandidateView) -> float:
    """Return 1 if a text input of the page contains words, else 0."""
    return float(bool(view.measures.topic.searched))


@feature_of_presence
def leads_to_search(view: CandidateView) -> float:
    """Return the share of records with a link that starts another search.

    The link has a query, and the URL path of a search form on the page.
    """
    actions = view.measures.topic.actions
    if not actions:
        return 0.0
    return mean(
        any("?" in link and path_of_link(link) in actions for link in links)
        for links in view.own_links
    )


def _share_with(view: CandidateView, words: frozenset[str]) -> float:
    if not words:
        return 0.0
    text = view.page.text
    return mean(
        any(not words.isdisjoint(topic_words(one)) for one in text[begin:end] if one)
        for begin, end in view.looked_at
    )
