"""Annotate matches of regular expressions and terms of word lists.

AMBER calls them JAPE rules and gazetteers (AMBER paper, section 4).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import Final
from unicodedata import unidata_version

from ahocorasick_rs import AhoCorasick, Implementation

from amber_wrap.annotate.annotator import Annotation, Span, Texts
from amber_wrap.annotate.prefilter import Needs, fold_case, needs_of_pattern
from amber_wrap.cache import cached
from amber_wrap.dom.page import Page
from amber_wrap.domain.gazetteers import gazetteer_pattern
from amber_wrap.domain.schema import Gazetteer
from amber_wrap.values.regular_expressions import compose
from amber_wrap.values.texts_and_urls import lower_case


class PatternAnnotator:
    """An annotator of the matches of regular expressions, called patterns.

    A match is a possible value of each type that uses the pattern. A pattern is tried
    only in texts with one of the literals that it requires.
    """

    def __init__(
        self,
        names: Mapping[str, Sequence[str]],
        patterns: Mapping[str, str],
        weak: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take the names of each type's patterns, and the regular expressions by name.

        `weak` has the names of each type's unreliable patterns.
        """
        self._patterns = patterns
        # For each type an expression that matches any unreliable pattern of the type.
        self._weak_patterns = {
            type_name: compiled_pattern(
                "|".join(f"(?:{compose(name, patterns)})" for name in weak_names)
            )
            for type_name, weak_names in (weak or {}).items()
            if weak_names
        }
        self._types_of_pattern: dict[str, list[str]] = defaultdict(list)
        for type_name, pattern_names in names.items():
            for name in pattern_names:
                self._types_of_pattern[name].append(type_name)
        needs_by_name: dict[str, Needs] = {}
        self._needs = {
            name: needs_of_pattern(name, patterns, needs_by_name)
            for name in self._types_of_pattern
        }
        patterns_by_literal: dict[str, list[str]] = defaultdict(list)
        for name, pattern_needs in self._needs.items():
            for literal in pattern_needs.literals or ():
                patterns_by_literal[literal].append(name)
        # For each literal, by its number in the automaton, the names of the patterns.
        self._patterns_of_literal = list(patterns_by_literal.values())
        self._automaton = AhoCorasick(list(patterns_by_literal))

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each match of a pattern in a text.

        Matches of unreliable patterns are dropped if they are the majority in elements
        with the same tag and classes.
        """
        claims_in_similar: dict[object, list[Annotation]] = defaultdict(list)
        for claim in self._annotations(texts):
            if claim.type not in self._weak_patterns:
                yield claim
                continue
            node = page.element(claim.node)
            look = page.tag[node], page.attributes[node].get("class")
            claims_in_similar[claim.type, claim.source, look].append(claim)
        for claims in claims_in_similar.values():
            reliable_claims = [
                claim
                for claim in claims
                if not self._weak_patterns[claim.type].fullmatch(claim.matched)
            ]
            if 2 * len(reliable_claims) >= len(claims):
                yield from claims
            else:
                yield from reliable_claims

    def _annotations(self, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each match of a reliable or unreliable pattern."""
        for name, spans in self._spans_to_search(texts).items():
            if not spans:
                continue
            expression = self._expression(name)
            for span_start, span_end in spans:
                for match in _matches(expression, texts.joined, span_start, span_end):
                    yield from self._annotations_of_match(texts, name, match)

    def _annotations_of_match(
        self, texts: Texts, name: str, match: re.Match[str]
    ) -> Iterator[Annotation]:
        """Yield the annotations for one match of the pattern `name` in `texts.joined`.

        Each node with the matched text gets an annotation for each type that uses the
        pattern.
        """
        line, line_start, owners = texts.locate(match.start())
        start, end = (offset - line_start for offset in displayed_span(match))
        for node, source in owners:
            for type_name in self._types_of_pattern[name]:
                yield Annotation(
                    node, source, start, end, type_name, line[start:end], match[0], name
                )

    def _spans_to_search(self, texts: Texts) -> Mapping[str, Sequence[Span]]:
        """Return the (start, end) offsets of the parts of `texts.joined` to search for
        each pattern.

        A pattern without such parts may be missing.
        """
        lines_of_pattern: dict[str, set[int]] = defaultdict(set)
        for literal, lines in self._lines_of_literals(fold_case(texts.joined)).items():
            for name in self._patterns_of_literal[literal]:
                lines_of_pattern[name] |= lines
        spans: dict[str, Sequence[Span]] = {}
        for name, pattern_needs in self._needs.items():
            # The lines with digits come first.
            line_count = texts.numeric if pattern_needs.digit else len(texts.spans)
            if pattern_needs.literals is not None:
                lines_to_search = sorted(lines_of_pattern[name])
                spans[name] = [
                    texts.spans[line] for line in lines_to_search if line < line_count
                ]
            elif line_count:
                _, end_of_last = texts.spans[line_count - 1]
                spans[name] = [(0, end_of_last)]
        return spans

    def _lines_of_literals(self, folded_texts: str) -> Mapping[int, set[int]]:
        """Return the numbers of the lines in `folded_texts` with each literal that a
        pattern requires.

        The key of a literal is its number in the automaton that searches all literals
        at once.
        """
        lines_of_literal: dict[int, set[int]] = defaultdict(set)
        line_ends = list(accumulate(len(line) + 1 for line in folded_texts.split("\n")))
        line = 0
        for literal, _, end in self._automaton.find_matches_as_indexes(
            folded_texts, overlapping=True
        ):
            while end > line_ends[line]:
                line += 1
            lines_of_literal[literal].add(line)
        return lines_of_literal

    def _expression(self, name: str) -> re.Pattern[str]:
        """Return the compiled expression of a pattern.

        The anchors "^" and "$" match at the start and end of each line.
        """
        expression = compose(name, self._patterns)
        # Without anchors the flag makes no difference, and other code has compiled the
        # expression without the flag.
        has_anchor = "^" in expression or "$" in expression
        return compiled_pattern(expression, re.MULTILINE if has_anchor else 0)


@lru_cache(maxsize=1 << 12)
def compiled_pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled regular expression.

    The results are cached here, because the cache of `re` is too small.
    """
    return re.compile(expression, flags)


def _matches(
    expression: re.Pattern[str], joined: str, start: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield the matches of an expression between two offsets of the text `joined`.

    A match over several lines is shortened to its first line, or dropped.
    """
    while match := expression.search(joined, start, end):
        line_end = joined.find("\n", match.start(), end)
        if 0 <= line_end < match.end():
            match_in_line = expression.search(joined, match.start(), line_end)
            if match_in_line is None:
                start = line_end + 1
                continue
            match = match_in_line
        yield match
        start = max(match.end(), start + 1)
        if start > end:
            return


def displayed_span(match: re.Match[str]) -> Span:
    """Return the (start, end) offsets of the displayed value within a match.

    The value is the group `value`, or the whole match if the expression has no such
    group.
    """
    return match.span("value") if "value" in match.re.groupindex else match.span()


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
