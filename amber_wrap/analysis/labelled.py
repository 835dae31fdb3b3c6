"""Cells with a label beside or above them, of whose values lists know but some.

"Status | sold", "Status | withdrawn": the label says that all of what stands in the
cells is of one type, and AMBER's gazetteers are never complete (section 4).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from amber_wrap.analysis.claims import Claim, Place
from amber_wrap.analysis.places import Path
from amber_wrap.analysis.scarcity import are_enough
from amber_wrap.analysis.standing import Standing
from amber_wrap.annotate.names import is_label, label_of
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.embedded.markup import shows_value

NEARLY_ALL = 0.8
"""The share of the cells that must have the label, and that must show a name."""


def labelled(
    page: Page,
    kind: AttributeType,
    claimed: Sequence[Mapping[Place, Claim]],
    standing_of: Mapping[Place, Standing],
    nodes_at: Sequence[Mapping[Path, Sequence[NodeId]]],
    keep: float,
) -> Iterator[tuple[Place, Standing]]:
    """The labelled places whose whole texts are values of a type, supported by all
    records that show one there.

    For types of texts that lists recognise; the texts are a few words each.  `claimed`
    has a claim per record and place, `nodes_at` the elements of each record; `keep` is
    the threshold for optional types.
    """
    if kind.whole or kind.kind is not ValueKind.TEXT or not kind.gazetteers:
        return
    for place, standing in standing_of.items():
        path, source = place
        found = (at.get(path, ()) for at in nodes_at)
        nodes = [one for some in found if len(some) == 1 for one in some]
        texts = [shown for one in nodes if shows_value(shown := page.string(one))]
        if source != TEXT or not texts:
            continue
        claims = [own[place].annotation for own in claimed if place in own]
        [(label, times)] = Counter(label_of(page, one) for one in nodes).most_common(1)
        if (
            label
            and times >= NEARLY_ALL * len(nodes)
            and sum(map(is_label, texts)) >= NEARLY_ALL * len(texts)
            and are_enough(claims, texts, keep)
        ):
            support = len(texts) / len(claimed)
            yield place, replace(standing, support=support, fill=1.0, whole=True)
