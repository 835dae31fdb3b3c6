"""Compute features (numbers that describe a list) from class words, headings, pagers
and titles around the list.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.analysis.features.list_counts import CandidateView, log_share, mean
from amber_wrap.analysis.features.registry import (
    feature,
    feature_of_position,
    feature_of_presence,
)
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.analysis.menus_and_adverts import words_of
from amber_wrap.annotate.labels_and_titles import HEADINGS, unaccented
from amber_wrap.dom.page import NodeId, Page

RESULTS: Final = frozenset(
    "result results item items list listing listings hit hits entry entries product "
    "products card cards post posts search row offer offers article articles "
    "record records".split()
)
"""Tags, and words in the class, id or role, of results and their containers."""
COUNT: Final = re.compile(r"(?:^|[(\[])\s*\d[\d.,\s]*[)\]]?\s*$")
"""Matches a number at the end of a text such as "Blue (12)", which may be a filter. The
number is in brackets, or is the whole text.
"""
BRACKETED: Final = re.compile(r"[(\[]\s*\d[\d.,\s]*[)\]]\s*$")
"""Matches a number in brackets at the end of a text such as "Blue (12)", which may be a
filter.
"""


@feature
def in_asides(view: CandidateView) -> float:
    """Return the share of records in menus, footers, adverts and the like."""
    return view.share_in(view.page_counts.regions.asides)


@feature
def in_parts(view: CandidateView) -> float:
    """Return the share of records within a `header`, `nav`, `aside` or `footer`, or
    within an element with an equivalent ARIA role.
    """
    return view.share_in(view.page_counts.in_page_part)


@feature
def in_closed(view: CandidateView) -> float:
    """Return the share of records that are displayed only after a user opens an
    element.

    The element is, for example, a `details` element or a dialog.
    """
    return view.share_in(view.page_counts.regions.closed)


@feature
def on_mobile(view: CandidateView) -> float:
    """Return the share of records within an element for small screens.

    The element has a class word such as "mobile".
    """
    return view.share_in(view.page_counts.regions.mobile)


@feature_of_position
def in_results(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "results".
    """
    return _share_within(view, view.page_counts.regions.results)


@feature_of_position
def in_filters(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "filters".
    """
    return _share_within(view, view.page_counts.regions.filters)


@feature_of_position
def in_secondary(view: CandidateView) -> float:
    """Return the share of records within an element with a class word such as
    "related".
    """
    return _share_within(view, view.page_counts.regions.secondary)


def _share_within(view: CandidateView, region: Sequence[bool]) -> float:
    """Return the share of records whose parent is in a region of the page.

    `region` has for each node of the page whether the node is in the region.
    """
    parent = view.page.parent
    return mean(region[parent[start]] for start in view.starts)


@feature
def in_main(view: CandidateView) -> float:
    """Return 1 if the list is within an element with the tag or class word "main", else
    0.
    """
    page, node = view.page, view.segmentation.area.root
    while node >= 0:
        is_root = page.tag[node] in ("html", "body")
        if not is_root and "main" in words_of(page, node):
            return 1.0
        node = page.parent[node]
    return 0.0


@feature
def result_words(view: CandidateView) -> float:
    """Return the share of records with a class word such as "result" or "item"."""
    return mean(_has_result_word(view, start) for start in view.starts)


@feature
def result_words_above(view: CandidateView) -> float:
    """Return 1 if the parent or grandparent of the first record has a class word such
    as "result" or "item", else 0.
    """
    parent = view.page.parent[view.starts[0]]
    if parent < 0:
        return 0.0
    grandparent = view.page.parent[parent]
    return float(
        _has_result_word(view, parent)
        or (grandparent >= 0 and _has_result_word(view, grandparent))
    )


def _has_result_word(view: CandidateView, node: NodeId) -> bool:
    """Return whether an element has a class word such as "result" or "item"."""
    return not RESULTS.isdisjoint(words_of(view.page, node))


@feature_of_presence
def far_from_pager(view: CandidateView) -> float:
    """Return the distance in characters to the nearest pager outside of the list.

    It is on a logarithmic scale from 0 to 1. Return 0 without a pager on the page, and
    1 if all pagers are within the list.
    """
    before = view.page.characters
    list_begin, list_end = view.span
    pagers = view.page_counts.landmarks.pagers
    distances = [
        before[pager_begin] - before[list_end]
        if pager_begin >= list_end
        else before[list_begin] - before[pager_end]
        for pager_begin, pager_end in pagers
        if pager_begin >= list_end or pager_end <= list_begin
    ]
    if not pagers:
        return 0.0
    return log_share(
        min(distances, default=FEATURE.shortest_far_distance),
        FEATURE.shortest_far_distance,
    )


@feature_of_presence
def stated_range(view: CandidateView) -> float:
    """Return 1 if the page states a range with as many results as records, else 0.

    An example is "1 - 20 of 345" for a list of 20 records.
    """
    fitting_nodes = [
        node
        for node, result_count in view.page_counts.landmarks.stated_ranges
        if result_count == len(view.records)
    ]
    return float(
        any(
            not any(begin <= node < end for begin, end in view.extents)
            for node in fitting_nodes
        )
    )


@feature_of_presence
def another_range(view: CandidateView) -> float:
    """Return 1 if the page states ranges of results, but none with as many results as
    records, else 0.

    An example is "1 - 20 of 345" beside a list of 5 records.
    """
    has_range = bool(view.page_counts.landmarks.stated_ranges)
    return float(has_range and not stated_range(view))


@feature_of_presence
def counts_behind(view: CandidateView) -> float:
    """Return the share of records that end with a count, such as the filter "Blue
    (12)".
    """
    return mean(map(_ends_with_count, _record_texts(view)))


def _ends_with_count(texts: Sequence[str]) -> bool:
    """Return whether a record with the given text nodes ends with a count, such as
    "(12)".

    Return False if the whole record is a number.
    """
    if not texts or not COUNT.search(texts[-1]):
        return False
    return len(texts) > 1 or not texts[-1].isdigit()


@feature_of_presence
def counted_texts(view: CandidateView) -> float:
    """Return the share of the records' text nodes that end with a number in
    brackets.
    """
    return mean(
        bool(BRACKETED.search(text))
        for record_texts in _record_texts(view)
        for text in record_texts
    )


def _record_texts(view: CandidateView) -> Iterator[Sequence[str]]:
    """Yield the texts of the text nodes in each of the first `FEATURE.most_compared`
    records.
    """
    for begin, end in view.extents[: FEATURE.most_compared]:
        yield [text for text in view.page.text[begin:end] if text]


@feature_of_position
def share_of_images(view: CandidateView) -> float:
    """Return the number of images in records, divided by the number of images on the
    page.

    The divisor is at least the number of records. Images that occur several times are
    ignored.
    """
    images_before = view.page_counts.landmarks.images_before
    images_in_records = sum(view.counts_per_record(images_before))
    return images_in_records / max(len(view.records), images_before[-1])


@feature_of_presence
def under_title(view: CandidateView) -> float:
    """Return 1 if an `h1` heading with a text precedes the list, else 0."""
    titles = view.page_counts.landmarks.titles
    return float(any(title < view.starts[0] for title in titles))


STEMS: Final = "list_headings.toml"
"""The name of the file, in the folder of this module, with stems of words such as
"recommend". Headings with these words belong to lists that aren't the results.
"""
UNSPACED: Final = ("ja", "zh", "ko")
"""The languages in which a stem may stand anywhere in a heading, not only at the start
of a word."""


def _register_heading_meaning(meaning: str) -> None:
    """Register the feature `headed_<meaning>`, which is 1 if a text above the list has
    a word with the meaning.

    `list_headings.toml` has the words, for example "filter" for the meaning
    "narrowing".
    """

    def is_headed(view: CandidateView) -> float:
        """Return 1 if a text above the list has a word with the meaning `meaning`, else
        0.
        """
        stems = _heading_stems()[meaning]
        return float(any(stems.search(heading) for heading in headings_above(view)))

    is_headed.__name__ = f"headed_{meaning}"
    is_headed.__doc__ = f'Return whether the heading above has a stem of "{meaning}".'
    feature_of_presence(is_headed)


for _meaning in ("beside", "narrowing", "site"):
    _register_heading_meaning(_meaning)


@feature_of_presence
def headed(view: CandidateView) -> float:
    """Return 1 if a short text or heading is directly above the list, else 0."""
    return float(bool(headings_above(view)))


def headings_above(view: CandidateView) -> Sequence[str]:
    """Return the short texts above a list that may be its heading, in lower case
    without accents.
    """
    page, start = view.page, view.starts[0]
    texts = [*_texts_before(page, start)]
    headings = (node for node in range(start - 1, -1, -1) if page.tag[node] in HEADINGS)
    nearest_heading = next(headings, None)
    if nearest_heading is not None and _is_near(page, nearest_heading, start):
        texts.append(page.string(nearest_heading))
    return [
        unaccented(text) for text in texts if 0 < len(text) <= FEATURE.longest_heading
    ]


def _texts_before(page: Page, start: NodeId) -> Sequence[str]:
    """Return up to `FEATURE.most_texts_above` texts before the node `start`, the
    nearest first.
    """
    texts: list[str] = []
    node = start - 1
    while node >= 0 and len(texts) < FEATURE.most_texts_above:
        if page.text[node]:
            texts.append(" ".join(page.text[node].split()))
        node -= 1
    return texts


def _is_near(page: Page, heading: NodeId, start: NodeId) -> bool:
    """Return whether a heading ends shortly before the node `start`.

    At most `FEATURE.longest_heading_distance` characters of text may be in between.
    """
    end = heading + page.size[heading]
    if end > start:
        return False
    distance = page.characters[start] - page.characters[end]
    return distance <= FEATURE.longest_heading_distance


@cache
def _heading_stems() -> Mapping[str, re.Pattern[str]]:
    """Return a pattern for each meaning that a heading can have, such as "narrowing"
    for filters.

    A pattern matches the stems of words in all languages of `list_headings.toml`.
    """
    text = files(__package__).joinpath(STEMS).read_text("utf-8")
    expressions: dict[str, list[str]] = {}
    for language, meanings in tomllib.loads(text).items():
        word_start = "" if language in UNSPACED else r"\b"
        for meaning, stems in meanings.items():
            expressions.setdefault(meaning, []).extend(
                word_start + re.escape(unaccented(stem)) for stem in stems
            )
    return {
        meaning: re.compile("|".join(alternatives))
        for meaning, alternatives in expressions.items()
    }
