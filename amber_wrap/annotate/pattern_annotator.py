"""Annotate the matches of regular expressions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from ahocorasick_rs import AhoCorasick

from amber_wrap.annotate.annotator import Annotation, Span, Texts
from amber_wrap.annotate.prefilter import Needs, fold_case, needs_of_pattern
from amber_wrap.dom.page import Page
from amber_wrap.values.regular_expressions import compose


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
