"""Texts of which lists know but some, or but a part, and which are values as a whole.

"Status | withdrawn", "Kind: house, detached": AMBER's gazetteers are never complete
(section 4).  What tells is a label, or that most texts of a place are nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from amber_wrap.analysis.path_scores import PathScore
from amber_wrap.analysis.record_annotations import Claims, ValuePlace
from amber_wrap.analysis.relative_paths import PathNumber
from amber_wrap.analysis.sparse_annotations import are_enough
from amber_wrap.analysis.value_trimming import Trimming, label_within
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.names import label_of
from amber_wrap.annotate.words import is_label
from amber_wrap.dom.markup import shows_value
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind

_NEARLY_ALL = 0.8
"""The share of the texts that must have the label, and that must be a name."""


def labelled(
    page: Page,
    kind: AttributeType,
    claims: Claims,
    standing_of: Mapping[ValuePlace, PathScore],
    nodes_at: Sequence[Mapping[PathNumber, Sequence[NodeId]]],
    keep: float,
    infer: float,
) -> Iterator[tuple[ValuePlace, PathScore]]:
    """Yield the places whose whole texts, but for a label, are values of a type.

    For types of texts that lists recognise; the texts are a few words each, and nothing
    else is claimed in them.  With a label all records that show a text there support
    the place, without one something is claimed in each, or in so many that the others
    are inferred.  `claims` are those of each record, `nodes_at` its elements; `keep`
    and `infer` are the thresholds of the type.
    """
    if kind.whole or kind.kind is not ValueKind.TEXT or not kind.gazetteers:
        return
    for place, standing in standing_of.items():
        path, source = place
        there = [
            [one.annotation for one in found if one.place == place] for found in claims
        ]
        if source != TEXT or any(_is_other(one, kind) for one in chain(*there)):
            continue
        nodes = [one[0] for at in nodes_at if len(one := at.get(path, ())) == 1]
        texts = [shown for one in nodes if shows_value(shown := page.string(one))]
        cut = Trimming(label_within(texts))
        values = [text[slice(*cut.of(text))] for text in texts]
        if sum(map(is_label, values)) < max(1, _NEARLY_ALL * len(values)):
            continue
        mine = [[one for one in found if one.type == kind.name] for found in there]
        own = [found[0] for found in mine if found]
        beside = Counter(label_of(page, one) for one in nodes).most_common(1)
        has_label = bool(cut) or any(
            label and times >= _NEARLY_ALL * len(nodes) for label, times in beside
        )
        if has_label and are_enough(own, values, keep):
            support = len(texts) / len(claims)
            yield place, replace(standing, support=support, fill=1, whole=True, cut=cut)
            continue
        are_claimed = len(own) == len(values) or standing.support > infer
        if are_claimed and 2 * sum(one.text in values for one in own) > len(values):
            yield place, replace(standing, fill=1, whole=True)


def _is_other(claim: Annotation, kind: AttributeType) -> bool:
    """Return whether something else is claimed than values of a type, or headlines."""
    return claim.type != kind.name and not claim.is_of_markup
