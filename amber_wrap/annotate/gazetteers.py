"""Annotate the terms of gazetteers (AMBER, section 4: domain knowledge)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from ahocorasick_rs import AhoCorasick, Implementation

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.annotate.word_index import forms, lower_case, word_index, word_set
from amber_wrap.dom.page import Page
from amber_wrap.domain.pattern_file import gazetteer_pattern
from amber_wrap.domain.schema import Gazetteer


class GazetteerAnnotator:
    """Annotates each term of a gazetteer with the attribute types that use the
    gazetteer.

    An Aho-Corasick automaton searches for the terms that share a word with the page. An
    automaton of all terms would take too long to build.
    """

    def __init__(self, gazetteers: Mapping[str, Sequence[Gazetteer]]) -> None:
        """Take the gazetteers of each attribute type."""
        self._lists = [
            (kind, gazetteer_pattern(gazetteer.name), word_index(gazetteer.terms))
            for kind, lists in gazetteers.items()
            for gazetteer in lists
        ]

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each occurrence of a term on a page.

        Terms match whole words only. If several terms of a type start at the same
        offset, the longest one counts.
        """
        joined = texts.joined
        lowered = lower_case(joined)
        claims = self._possible_terms(word_set(lowered))
        if not claims:
            return
        automaton = AhoCorasick(
            list(claims),
            # This kind searches as fast as the others, and is built in half the time.
            implementation=Implementation.NoncontiguousNFA,
        )
        by_form = list(claims.values())
        longest: dict[tuple[int, str], tuple[int, str]] = {}
        for which, start, end in automaton.find_matches_as_indexes(
            lowered, overlapping=True
        ):
            if not _is_word(joined, start, end):
                continue
            found = joined[start:end]
            for term, kind, name in by_form[which]:
                if _same_casing(term, found):
                    longest[start, kind] = max(
                        (end, name), longest.get((start, kind), (0, ""))
                    )
        for (start, kind), (end, name) in longest.items():
            text, offset, owners = texts.locate(start)
            start, end = start - offset, end - offset
            found = text[start:end]
            for node, source in owners:
                yield Annotation(node, source, start, end, kind, found, found, name)

    def _possible_terms(self, words: set[str]) -> dict[str, set[tuple[str, str, str]]]:
        """Return the terms that share a word with a page.

        `words` are the words of the page. The result maps each term in lower case to
        tuples (term, type, gazetteer).
        """
        claims: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
        for kind, name, index in self._lists:
            for word in words & index.keys():
                for term in index[word].split("\n"):
                    for form in forms(term):
                        claims[form].add((term, kind, name))
        return claims


def _is_word(text: str, start: int, end: int) -> bool:
    before, after = text[start - 1 : start], text[end : end + 1]
    return not (
        (before.isalnum() and text[start].isalnum())
        or (after.isalnum() and text[end - 1].isalnum())
    )


def _same_casing(term: str, found: str) -> bool:
    """Return whether a text has the capital letters that a term requires.

    A term in lower case requires none. Any other term must be spelt as in the
    gazetteer, or all in capitals.
    """
    return found in (term, term.upper()) or term == term.lower()
