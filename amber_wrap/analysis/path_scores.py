"""Which of the places of a type within records are its attribute's.

AMBER compares places by their support alone and takes the first in document order
(section 3.5).  What else is known of a place over all records is its standing.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from amber_wrap.analysis.fullest_path import fuller_paths, span_size
from amber_wrap.analysis.headlines import (
    distinct,
    filled_share,
    is_headline,
    main_links,
)
from amber_wrap.analysis.record_annotations import (
    Claims,
    PlacedAnnotation,
    ShownText,
    ValuePlace,
    texts_at_paths,
)
from amber_wrap.analysis.secondary_amounts import are_beside
from amber_wrap.analysis.value_trimming import NO_CUT, Trimming
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import is_linked, is_titled
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, Schema, ValueKind
from amber_wrap.memo import remembered
from amber_wrap.values.dates import date


class Occurrence(NamedTuple):
    """An element that may become the attribute of its record."""

    node: NodeId
    place: ValuePlace
    annotation: Annotation | None

    @property
    def rank(self) -> NodeId:
        """Where it stands in document order."""
        return self.annotation.node if self.annotation else self.node


@dataclass(frozen=True, slots=True)
class PathScore:
    """What is known of a place over all records; fractions.

    `support` is the paper's.  `fill` is how much of the text there the values are (A2:
    attributes fill their text box).  `variety` tells whether values differ, of links
    and headlines how many do: the shelf that a book is on has a link, too, and many
    books.  Of other texts that are values as a whole, `whole`, it is less than 1 where
    most are the same: what all records share is a label.  The type is merely
    `mentioned` where more is recognised of other types: "Jet Black Metallic" is no
    address, though there is a town called Black.  `cut` is what to cut off from whole
    texts; it counts neither for `fill` nor as mentioned.  `line` is the source of the
    values where only a line of the texts is meant.  Most displayed values are `vague`
    where they can't be read, "2 days ago"; an attribute that most of the elements bear
    around such values, and that can be, is their `clear` form.  At the places `fuller`
    all is said that is said here, and more.  Amounts of money that are other ones than
    the price are `beside` it.
    """

    support: float
    fill: float
    variety: float = 1
    whole: bool = False
    mentioned: bool = False
    cut: Trimming = NO_CUT
    line: str | None = None
    vague: bool = False
    clear: bool = False
    fuller_paths: frozenset[ValuePlace] = frozenset()
    beside: bool = False

    @property
    def merit(self) -> float:
        """How much speaks for the place; 0 where all of its texts is no value."""
        if self.mentioned or (self.whole and self.fill < LEAST_FILL):
            return 0.0
        merit = self.support * (1 + self.fill) * (1 + self.variety)
        return merit / 2 if self.beside else merit


OccurrenceChoice = Callable[[Sequence[tuple[Occurrence, PathScore]]], Occurrence | None]
"""Which of the candidates of one record, each with the standing of its place, it is."""

LearnCut = Callable[[Sequence[ShownText], str | None], Trimming]
"""What is cut off from texts, given what their page is about."""

LEAST_FILL = 0.15
"""How much of a text must be recognised for all of it to be the value."""

DESCRIPTION, COMMON = 150, 0.5
"""Characters from which on a text is a description, and the share of records in which
it must tell a value for that to be its place."""
_LABEL = re.compile(r"\w ?: ")
"""What parts a label from its value."""
ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
NEITHER: tuple[Collection[ValuePlace], Collection[ValuePlace]] = (), ()
NEARLY = 0.95
"""The share of the best merit from which on a candidate is as good."""


def first(candidates: Sequence[tuple[Occurrence, PathScore]]) -> Occurrence:
    """AMBER's choice: the first in document order (A1)."""
    return min((candidate for candidate, _ in candidates), key=lambda one: one.rank)


def best_scored(
    candidates: Sequence[tuple[Occurrence, PathScore]],
) -> Occurrence | None:
    """Displayed rather than hidden; of those with about the most merit the first.

    A place has merit if most records have a value there; the less, the more else it
    says, and if it says the same in all records.  A description that mentions a town
    is no address.  Instead of a vague value its clear form is taken, instead of a town
    the address with its street.
    """
    if len(candidates) == 1:
        [(only, standing)] = candidates
        return only if standing.merit else None
    places = {candidate.place for candidate, standing in candidates if standing.merit}
    shown = [
        one
        for one in candidates
        if not _is_hidden(one[0].place) and one[1].fuller_paths.isdisjoint(places)
    ]
    merits = [
        (candidate, standing.merit, standing.vague)
        for candidate, standing in shown or candidates
        if standing.merit
    ]
    if not merits:
        return None
    enough = NEARLY * max(merit for _, merit, _ in merits)
    best, vague = min(
        ((one, vague) for one, merit, vague in merits if merit >= enough),
        key=lambda one: one[0].rank,
    )
    clear = [
        candidate
        for candidate, standing in candidates
        if vague and standing.clear and candidate.node <= best.node
    ]
    return max(clear, key=lambda one: one.node, default=best)


def score_paths(
    page: Page,
    kind: AttributeType,
    schema: Schema,
    claims: Claims,
    own: Claims,
    learn_cut: LearnCut,
    lines: Mapping[ValuePlace, str],
) -> dict[ValuePlace, PathScore]:
    """Return the standing of each place of a type, from the claims of each record.

    `own` are those of the type, `lines` the sources of places of which only a line is
    meant.
    """
    found: dict[ValuePlace, list[list[PlacedAnnotation]]] = defaultdict(list)
    for mine in own:
        here: dict[ValuePlace, list[PlacedAnnotation]] = {}
        for claim in mine:
            if (together := here.get(claim.place)) is None:
                here[claim.place] = together = []
                found[claim.place].append(together)
            together.append(claim)
    said = texts_at_paths(page, kind, schema, claims, lines) if kind.whole else {}
    topic, main = _topic(page), main_links(own)
    vague, clear = _legibility(page, found) if kind.kind is ValueKind.DATE else NEITHER
    standing_of = {}
    for place, records in found.items():
        support = len(records) / len(claims)
        headline = is_headline(records[0][0])
        # Titles may be the same.
        titled = is_titled(page, records[0][0].node)
        variety = distinct(page, records) if headline and not titled else 1
        if not kind.whole:
            standing_of[place] = PathScore(
                support,
                _mean_fill(page, records, main),
                variety,
                mentioned=_in_passing(page, records, support),
                vague=place in vague,
                clear=place in clear,
                beside=kind.kind is ValueKind.MONEY
                and are_beside(page, [one[0] for one in records]),
            )
            continue
        cut = learn_cut(said[place], None if headline else topic)
        values = [one.within(cut.of(one.text)) for one in said[place]]
        told = [one for one in values if one.own]
        fill = _mean_fill(page, records, main) if headline else _whole_fill(told)
        if headline and variety == 1 and is_linked(page, records[0][0].node):
            fill = max(fill, LEAST_FILL)  # Links to so many things name these.
        standing_of[place] = PathScore(
            support,
            fill,
            variety if headline or titled else _variety(told),
            whole=True,
            mentioned=span_size(one.others for one in values)
            > span_size(one.own for one in values)
            or 2 * sum(map(_is_list, values)) > len(values),
            cut=cut,
            line=lines.get(place),
        )
    if kind.whole and not kind.annotators:
        eligible = {
            place: one
            for place, one in standing_of.items()
            if one.merit and not _is_hidden(place)
        }
        cuts = {place: one.cut for place, one in eligible.items()}
        varieties = {place: one.variety for place, one in eligible.items()}
        for place, places in fuller_paths(
            page, cuts, varieties, said, own, lines
        ).items():
            standing_of[place] = replace(standing_of[place], fuller_paths=places)
    return standing_of


@remembered
def _topic(page: Page) -> str:
    """Return what a page says that it is about."""
    titles = (one for one, tag in enumerate(page.tag) if tag in ("title", "h1"))
    return " ".join(map(page.string, titles))


def _is_hidden(place: ValuePlace) -> bool:
    return place[1].startswith("@")


def _legibility(
    page: Page, found: Mapping[ValuePlace, Sequence[Sequence[PlacedAnnotation]]]
) -> tuple[Collection[ValuePlace], Collection[ValuePlace]]:
    """Return the places of vague dates, and those of their clear forms."""
    claims = {place: [one[0] for one in records] for place, records in found.items()}
    if not any(map(_is_hidden, claims)):
        return NEITHER
    read = {place: _most(map(_is_read, mine)) for place, mine in claims.items()}
    vague = {place for place in claims if not (read[place] or _is_hidden(place))}
    nodes = sorted(claim.node for place in vague for claim in claims[place])

    def is_around(claim: PlacedAnnotation) -> bool:
        i = bisect_left(nodes, claim.node)
        return i < len(nodes) and page.contains(claim.node, nodes[i])

    clear = {
        place
        for place, mine in claims.items()
        if _is_hidden(place) and read[place] and _most(map(is_around, mine))
    }
    return vague, clear


def _is_read(claim: PlacedAnnotation) -> bool:
    """Return whether a text is read as a date, not left as it is displayed."""
    return bool(ISO_DATE.match(date(claim.annotation.text) or ""))


def _most(votes: Iterable[bool]) -> bool:
    counted = Counter(votes)
    return counted[True] > counted[False]


def _mean_fill(
    page: Page, records: Sequence[Sequence[PlacedAnnotation]], main: Collection[NodeId]
) -> float:
    return sum(filled_share(page, one[0], main) for one in records) / len(records)


def _in_passing(
    page: Page, records: Sequence[Sequence[PlacedAnnotation]], support: float
) -> bool:
    """Return whether values stand in descriptions, and in few of them."""
    lengths = (len(page.source_text(one[0].node, one[0].place[1])) for one in records)
    return support < COMMON and sum(lengths) > DESCRIPTION * len(records)


def _whole_fill(texts: Sequence[ShownText]) -> float:
    """Return the mean share of a text that is recognised, maybe in parts."""
    shares = [min(1, span_size([one.own]) / len(one.text)) for one in texts]
    return sum(shares) / max(1, len(shares))


def _is_list(said: ShownText) -> bool:
    """Return whether a text is a list of labels with their values."""
    return len(_LABEL.findall(said.text)) > 1


def _variety(texts: Sequence[ShownText]) -> float:
    """1 if a third of the texts differ, less if fewer do."""
    return min(1, 3 * len({one.text for one in texts}) / max(1, len(texts)))
