"""Which of the places of a type within records are its attribute's.

AMBER compares places by their support alone and takes the first in document order
(section 3.5).  What else is known of a place over all records is its standing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from amber_wrap.analysis.places import Path
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import BUILT_IN
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType

Place = tuple[Path, str]
"""Where an attribute is within a record: a path, and the source at its end."""


@dataclass(frozen=True, slots=True)
class Claim:
    """An annotation as alignment sees it: on an element of a record."""

    node: NodeId
    place: Place
    annotation: Annotation


@dataclass(frozen=True, slots=True)
class Candidate:
    """An element that may become the attribute of its record."""

    node: NodeId
    place: Place
    annotation: Annotation | None

    @property
    def rank(self) -> NodeId:
        """Where it stands in document order."""
        return self.annotation.node if self.annotation else self.node


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a place over all records; fractions.

    `support` is the paper's.  `fill` is how much of the text there the values are (A2:
    attributes fill their text box).  `variety` is 1 unless the texts there are values
    as a whole, `whole`, and most of them the same: a title that all records share is a
    label.  The type is merely `mentioned` where more is recognised of other types: "Jet
    Black Metallic" is no address, though there is a town called Black.
    """

    support: float
    fill: float
    variety: float
    whole: bool
    mentioned: bool


Choice = Callable[[Sequence[tuple[Candidate, Standing]]], Candidate | None]
"""Which of the candidates of one record, each with the standing of its place, it is."""

LEAST_FILL = 0.15
"""How much of a text must be recognised for all of it to be the value."""

HEADLINE_LENGTH = 20
"""Characters from which on the text of a link says all that a headline can."""
NEARLY = 0.95
"""The share of the best merit from which on a candidate is as good."""


def first(candidates: Sequence[tuple[Candidate, Standing]]) -> Candidate:
    """AMBER's choice: the first in document order (A1)."""
    return min((candidate for candidate, _ in candidates), key=lambda one: one.rank)


def best_standing(
    candidates: Sequence[tuple[Candidate, Standing]],
) -> Candidate | None:
    """Displayed rather than hidden; of those with about the most merit the first.

    A place has merit if most records have a value there; the less, the more else it
    says, and if it says the same in all records.  A description that mentions a town
    is no address.
    """
    shown = [one for one in candidates if not one[0].place[1].startswith("@")]
    merits = [
        (candidate, place.support * (1 + place.fill) * (1 + place.variety))
        for candidate, place in shown or candidates
        if not place.whole or (place.fill >= LEAST_FILL and not place.mentioned)
    ]
    if not merits:
        return None
    enough = NEARLY * max(merit for _, merit in merits)
    return min(
        (candidate for candidate, merit in merits if merit >= enough),
        key=lambda one: one.rank,
    )


def standings(
    page: Page, kind: AttributeType, claims: Sequence[Sequence[Claim]]
) -> dict[Place, Standing]:
    """The standing of each place of a type, from the claims of each record."""
    mentions = _mentions(claims, kind) if kind.whole else set()
    found: dict[Place, list[list[Claim]]] = defaultdict(list)
    for claimed in claims:
        here: dict[Place, list[Claim]] = defaultdict(list)
        for claim in claimed:
            if claim.annotation.type == kind.name:
                here[claim.place].append(claim)
        for place, together in here.items():
            found[place].append(together)
    return {
        place: Standing(
            support=len(records) / len(claims),
            fill=sum(_fill(page, one, kind.whole) for one in records) / len(records),
            variety=_variety(page, records) if kind.whole else 1,
            whole=kind.whole,
            mentioned=place in mentions,
        )
        for place, records in found.items()
    }


def _mentions(claims: Sequence[Sequence[Claim]], kind: AttributeType) -> set[Place]:
    """The places where more is recognised of other types than of this one."""
    own: Counter[Place] = Counter()
    others: Counter[Place] = Counter()
    for found in claims:
        taken = [one for one in found if one.annotation.type == kind.name]
        for one in found:
            size = len(one.annotation.text)
            if one.annotation.type == kind.name:
                own[one.place] += size
            elif not any(_overlap(one.annotation, other.annotation) for other in taken):
                others[one.place] += size
    return {place for place in own if others[place] > own[place]}


def _overlap(one: Annotation, other: Annotation) -> bool:
    return (
        (one.node, one.source) == (other.node, other.source)
        and one.start < other.end
        and other.start < one.end
    )


def _fill(page: Page, claims: Sequence[Claim], whole: bool) -> float:
    """How much of their text the values are; of a link or headline, how much it says.

    A link of few words, or of none, is rarely the one that names its record.
    """
    node, source = claims[0].node, claims[0].place[1]
    if claims[0].annotation.recogniser in BUILT_IN:
        return min(1, page.text_length(node) / HEADLINE_LENGTH)
    # A whole text may be recognised in parts; of several single values one counts.
    counted = claims if whole else claims[:1]
    recognised = sum(len(claim.annotation.text) for claim in counted)
    return min(1, recognised / len(page.source_text(node, source)))


def _variety(page: Page, records: Sequence[Sequence[Claim]]) -> float:
    """1 if a third of the texts differ, less if fewer do."""
    texts = {page.source_text(one[0].node, one[0].place[1]) for one in records}
    return min(1, 3 * len(texts) / len(records))
