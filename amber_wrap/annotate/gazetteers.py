"""Values that stand in a list (AMBER, section 4: domain knowledge)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ahocorasick_rs import AhoCorasick

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.dom.page import Page
from amber_wrap.domain.pattern_file import gazetteer_pattern
from amber_wrap.domain.schema import Gazetteer


class GazetteerAnnotator:
    """Claims each occurrence of a term, for every type that lists it.

    One automaton scans for the terms of all types at once.
    """

    def __init__(self, gazetteers: Mapping[str, Sequence[Gazetteer]]) -> None:
        """`gazetteers` maps an attribute type to its lists."""
        claims: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
        for kind, lists in gazetteers.items():
            for gazetteer in lists:
                for term in gazetteer.terms:
                    claim = (term, kind, gazetteer_pattern(gazetteer.name))
                    # Capitals may be spelt in another way: ß is SS.
                    for form in {_lower(term): None, _lower(term.upper()): None}:
                        claims[form].append(claim)
        self._claims = list(claims.values())
        self._automaton = AhoCorasick(list(claims)) if claims else None

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """The longest term of a type at each place, whole words only."""
        if self._automaton is None:
            return
        joined = texts.joined
        longest: dict[tuple[int, str], tuple[int, str]] = {}
        for which, start, end in self._automaton.find_matches_as_indexes(
            _lower(joined), overlapping=True
        ):
            if not _is_word(joined, start, end):
                continue
            found = joined[start:end]
            for term, kind, name in self._claims[which]:
                if _same_casing(term, found):
                    longest[start, kind] = max(
                        (end, name), longest.get((start, kind), (0, ""))
                    )
        for (start, kind), (end, name) in longest.items():
            node, source, offset = texts.locate(start)
            found = joined[start:end]
            yield Annotation(
                node, source, start - offset, end - offset, kind, found, found, name
            )


def _lower(text: str) -> str:
    """Lower case, character by character: offsets must hold in the original."""
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _is_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (
        (before.isalnum() and text[start].isalnum())
        or (after.isalnum() and text[end - 1].isalnum())
    )


def _same_casing(term: str, found: str) -> bool:
    """The rule of `domain.schema.Gazetteer`."""
    return found in (term, term.upper()) or term == term.lower()
