"""Annotate the terms of word lists, which are called gazetteers."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Final
from unicodedata import unidata_version

from ahocorasick_rs import AhoCorasick, Implementation

from amber_wrap.annotate.annotator import Annotation, Texts
from amber_wrap.cache import cached
from amber_wrap.dom.page import Page
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.values.texts import lower_case

LONG: Final = 20_000
"""The least number of terms of a word list whose index is cached on the disk."""

_KIND: Final = f"word index 1, Unicode {unidata_version}"
"""The key of cached word indexes. The version number in the key must be raised when the
format changes.
"""

_WORD: Final = re.compile(r"[^\W_]+")


@lru_cache(maxsize=1 << 8)
def word_index(terms: tuple[str, ...]) -> Mapping[str, str]:
    """Return the terms by their longest word, in lower case.

    Terms with the same longest word are joined by line breaks. The key of terms without
    a word is "".
    """
    if len(terms) < LONG:
        return _make_index(terms)
    return cached(
        _KIND,
        "\n".join(terms),
        lambda: _make_index(terms),
        lambda index: _may_be_index_of(index, terms),
    )


def _may_be_index_of(index: Mapping[str, str], terms: Iterable[str]) -> bool:
    """Return whether a cached mapping has exactly the given terms as values.

    Each key must also occur in the terms that belong to it.
    """
    indexed_terms = "\n".join(index.values()).split("\n") if index else []
    return set(indexed_terms) == set(terms) and all(
        word in terms_of_word.lower() or word in terms_of_word.upper().lower()
        for word, terms_of_word in index.items()
    )


def _make_index(terms: Iterable[str]) -> dict[str, str]:
    """Return the terms by their longest word in lower case, joined by line breaks."""
    terms_of_word: dict[str, list[str]] = defaultdict(list)
    for term in terms:
        for form in lower_case_forms(term):
            terms_of_word[_longest_word(form)].append(term)
    return {word: "\n".join(word_terms) for word, word_terms in terms_of_word.items()}


def _longest_word(form: str) -> str:
    """Return the longest word of a term in lower case, or "" if the term has no word.

    Of several longest words, the first one counts.
    """
    return form if form.isalnum() else max(_WORD.findall(form), key=len, default="")


def word_set(text: str) -> set[str]:
    """Return the words of a text, and in addition the empty string.

    The empty string is the key of all terms without a word in `word_index`.
    """
    return {"", *_WORD.findall(" ".join({*text.split()}))}


def lower_case_forms(term: str) -> Iterator[str]:
    """Yield the one or two forms of a term in lower case: "straße" and "strasse" for
    "Straße"."""
    form, form_of_capitals = lower_case(term), lower_case(term.upper())
    yield form
    if form_of_capitals != form:
        yield form_of_capitals


class GazetteerAnnotator:
    """An annotator of the terms in word lists.

    A term is a possible value of each type that uses the word list.
    """

    def __init__(self, gazetteers: Mapping[str, Sequence[Gazetteer]]) -> None:
        """Take the word lists of each attribute type."""
        self._gazetteers = [
            (type_name, gazetteer_pattern(gazetteer.name), word_index(gazetteer.terms))
            for type_name, gazetteers_of_type in gazetteers.items()
            for gazetteer in gazetteers_of_type
        ]

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each occurrence of a term, as whole words, on a page.

        Of several terms of a type that start at the same offset, only the longest is
        annotated.
        """
        joined = texts.joined
        lowered = lower_case(joined)
        terms_by_form = self._possible_terms(word_set(lowered))
        if not terms_by_form:
            return
        # An automaton of all terms of the lists would take too long to build.
        automaton = AhoCorasick(
            list(terms_by_form),
            # This kind searches as fast as the others, and is built in half the time.
            implementation=Implementation.NoncontiguousNFA,
        )
        terms_of_form = list(terms_by_form.values())
        # For each start and type, the end and gazetteer of the longest term.
        longest: dict[tuple[int, str], tuple[int, str]] = {}
        for form, start, end in automaton.find_matches_as_indexes(
            lowered, overlapping=True
        ):
            if not _is_whole_word(joined, start, end):
                continue
            for term, type_name, gazetteer in terms_of_form[form]:
                if _has_casing_of(term, joined[start:end]):
                    previous = longest.get((start, type_name), (0, ""))
                    longest[start, type_name] = max((end, gazetteer), previous)
        for (start, type_name), (end, gazetteer) in longest.items():
            line, line_start, owners = texts.locate(start)
            start, end = start - line_start, end - line_start
            term = line[start:end]
            for node, source in owners:
                yield Annotation(
                    node, source, start, end, type_name, term, term, gazetteer
                )

    def _possible_terms(self, words: set[str]) -> dict[str, set[tuple[str, str, str]]]:
        """Return the terms that may occur on a page, by their lower-case forms.

        Each term is a tuple (term, type, word list). Its longest word is in `words`,
        the words of the page.
        """
        terms_by_form: dict[str, set[tuple[str, str, str]]] = defaultdict(set)
        for type_name, gazetteer, index in self._gazetteers:
            for word in words & index.keys():
                for term in index[word].split("\n"):
                    for form in lower_case_forms(term):
                        terms_by_form[form].add((term, type_name, gazetteer))
        return terms_by_form


def _is_whole_word(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text neither starts nor ends within a word."""
    before, after = text[start - 1 : start], text[end : end + 1]
    starts_within_word = before.isalnum() and text[start].isalnum()
    ends_within_word = after.isalnum() and text[end - 1].isalnum()
    return not (starts_within_word or ends_within_word)


def _has_casing_of(term: str, text: str) -> bool:
    """Return whether a text is written with the capital letters of the equal `term`.

    Any text suits a term in lower case, and a text all in capitals suits any term.
    """
    return text in (term, term.upper()) or term == term.lower()
