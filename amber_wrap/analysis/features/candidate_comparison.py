"""Compare the lists of a page that may be its list of results.

On a page without results, the best list is hardly better than the second best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log1p
from statistics import median
from typing import Final

from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.dom.page import NodeId

SCORES: Final = 10.0
"""The number by which scores of lists are divided, to make them similar to other
features in size."""
COMPARED: Final = tuple(
    "record_count text_share text_share_outside types_in_most share_of_images "
    "result_words result_words_above in_results own_links headed_by_links "
    "common_columns stated_range in_main one_price_or_date prices dates".split()
)
"""The names of the features that are compared with their highest value among all lists
of the page.
"""

NodeSpan = tuple[NodeId, NodeId]
"""The first node of a list's first record, and the node after the last record."""


def contrasts(
    index: int,
    scores: Sequence[float],
    spans: Sequence[NodeSpan],
    highest: Mapping[str, float],
    own: Mapping[str, float],
) -> Mapping[str, float]:
    """Return features, by name, that compare one list with the other candidate lists of
    its page.

    `index` is the list's index in `scores` and `spans`. `own` has the features of this
    list, and `highest` the highest value of each feature on the page.
    """
    begin, end = spans[index]
    scores_elsewhere = [
        score
        for score, (other_begin, other_end) in zip(scores, spans, strict=True)
        if other_end <= begin or other_begin >= end
    ]
    own_score = scores[index]
    lead = FEATURE.most_lead
    if scores_elsewhere:
        lead = min(lead, own_score - max(scores_elsewhere))
    comparison = {
        "score": own_score / SCORES,
        "lead": lead / SCORES,
        "candidates": log1p(len(scores)),
        "candidates_elsewhere": log1p(len(scores_elsewhere)),
        "rivals": float(
            sum(score > own_score - FEATURE.most_rival_difference for score in scores)
        ),
        "good_candidates": float(sum(score > 0 for score in scores)),
        "median_score": median(scores) / SCORES,
    }
    for name in COMPARED:
        comparison[f"highest_{name}"] = highest[name]
        comparison[f"short_of_{name}"] = highest[name] - own[name]
    return comparison


def highest_features(features: Sequence[Mapping[str, float]]) -> Mapping[str, float]:
    """Return the highest value of each feature in `COMPARED` among the lists of a
    page.
    """
    return {name: max(candidate[name] for candidate in features) for name in COMPARED}
