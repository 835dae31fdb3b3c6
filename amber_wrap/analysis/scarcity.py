"""Places of values of which lists know but a few.

AMBER infers an attribute where most records have a claim (section 3.5), and wants that
of lists that know one value in five (section 6.1, robustness).  What tells the place
then is not how many of its texts are known, but that nothing else is said there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from amber_wrap.analysis.claims import Claim, Place
from amber_wrap.analysis.standing import LEAST_FILL, Standing
from amber_wrap.annotate.annotator import COMPOSED_LENGTH, Annotation
from amber_wrap.annotate.builtin import BUILT_IN
from amber_wrap.domain.schema import AttributeType

LEAST_KNOWN, KNOWN_SHARE = 3, 0.05
"""Records, and the share of the texts at a place, that must have a claim there."""
FEW = 5
"""Texts of which a single claim may be enough."""
LEAST_VARIETY = 0.2
"""The share of the texts that must differ: the same few are labels."""


def presumed(
    kind: AttributeType,
    claimed: Sequence[Mapping[Place, Claim]],
    standing_of: Mapping[Place, Standing],
    texts_at: Callable[[Place], Sequence[str]],
    keep: float,
) -> Iterator[tuple[Place, Standing]]:
    """The best place of a type, supported by all records that show a text there.

    For types of whole texts that lists recognise, at places with short texts that
    differ and of which some are claimed, and not mostly for other types.  (What is part
    of a text, a status, has few values: lists know them, and badges say other things.)
    `claimed` has a claim per record and place, `texts_at` is what the records show at a
    place, claimed or not; `keep` is the threshold for optional types.
    """
    if not kind.gazetteers or not kind.whole:
        return
    known = {
        place: [found[place].annotation for found in claimed if place in found]
        for place, standing in standing_of.items()
        if not standing.mentioned and not place[1].startswith("@")
        if standing.fill >= LEAST_FILL
    }
    most = max(map(len, known.values()), default=0)
    for place, claims in known.items():
        if len(claims) < most or claims[0].recogniser in BUILT_IN:
            continue
        texts = texts_at(place)
        if (
            _are_enough(claims, texts, keep)
            and len(set(texts)) >= max(LEAST_KNOWN, LEAST_VARIETY * len(texts))
            and sum(map(len, texts)) <= COMPOSED_LENGTH * len(texts)
            and len(texts) > len(claims)
            and not _is_prose(texts)
        ):
            support = len(texts) / len(claimed)
            yield place, replace(standing_of[place], support=support)


def _are_enough(
    claims: Sequence[Annotation], texts: Sequence[str], keep: float
) -> bool:
    """Whether so many claims, of so many texts, are no chance.

    Three, if they are several terms or no mere words of something longer; else of the
    different texts a share that lets a place keep its claims (AMBER, section 3.5).
    """
    terms = {claim.text for claim in claims}
    if len(terms) > 1 and len(claims) >= LEAST_KNOWN:
        return len(claims) >= KNOWN_SHARE * len(texts)
    known = [text for text in texts if any(_is_component(t, text) for t in terms)]
    if len(terms) == 1 and len(known) >= LEAST_KNOWN:
        return len(known) >= KNOWN_SHARE * len(texts)
    least = 1 if len(texts) <= FEW else 2
    return len(known) >= least and len(set(known)) >= keep * len(set(texts))


def _is_component(term: str, text: str) -> bool:
    """Whether a term is all of a text, or all between two signs: "Oxford, Jericho"."""
    before, found, after = text.partition(term)
    neighbours = before.rstrip(" ")[-1:] + after.lstrip(" ")[:1]
    return bool(found) and not any(map(str.isalnum, neighbours))


def _is_prose(texts: Sequence[str]) -> bool:
    """Whether texts are sentences rather than names: most words are in lower case."""
    words = " ".join(texts).split()
    return 2 * sum(word[0].islower() for word in words) > len(words)
