"""Annotate the matches of regular expressions (JAPE rules in AMBER)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate

from ahocorasick_rs import AhoCorasick

from amber_wrap.annotate.annotator import Annotation, Span, Texts
from amber_wrap.annotate.prefilter import Needs, fold, needs
from amber_wrap.dom.page import Page
from amber_wrap.values.regular_expressions import compose


class PatternAnnotator:
    """Annotates each match of a pattern with every type that uses the pattern.

    An Aho-Corasick automaton searches for the literals that the patterns require. A
    pattern is tried only in texts that contain one of its literals.
    """

    def __init__(
        self,
        names: Mapping[str, Sequence[str]],
        patterns: Mapping[str, str],
        weak: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        """Take the patterns of each attribute type.

        `names` maps a type to the names of its patterns. `patterns` maps a name to an
        expression. `weak` maps a type to the names of its unreliable patterns.
        """
        self._patterns = patterns
        self._weak = {
            kind: compiled_pattern(
                "|".join(f"(?:{compose(one, patterns)})" for one in named)
            )
            for kind, named in (weak or {}).items()
            if named
        }
        self._types: dict[str, list[str]] = defaultdict(list)
        for kind, named in names.items():
            for name in named:
                self._types[name].append(kind)
        known: dict[str, Needs] = {}
        self._needs = {name: needs(name, patterns, known) for name in self._types}
        sought: dict[str, list[str]] = defaultdict(list)
        for name, one in self._needs.items():
            for literal in one.literals or ():
                sought[literal].append(name)
        self._sought = list(sought.values())
        self._automaton = AhoCorasick(list(sought))

    def annotate(self, page: Page, texts: Texts) -> Iterator[Annotation]:
        """Yield an annotation for each match of a pattern in a text.

        Matches of unreliable patterns are dropped, unless reliable patterns match at
        least as often in similar elements. Similar elements have the same tag and
        classes.
        """
        alike: dict[object, list[Annotation]] = defaultdict(list)
        for claim in self._annotations(texts):
            if claim.type not in self._weak:
                yield claim
                continue
            node = page.element(claim.node)
            look = page.tag[node], page.attributes[node].get("class")
            alike[claim.type, claim.source, look].append(claim)
        for claims in alike.values():
            sure = [
                claim
                for claim in claims
                if not self._weak[claim.type].fullmatch(claim.matched)
            ]
            yield from claims if 2 * len(sure) >= len(claims) else sure

    def _annotations(self, texts: Texts) -> Iterator[Annotation]:
        for name, spans in self._places(texts).items():
            if not spans:
                continue
            expression = self._expression(name)
            for span in spans:
                for match in _matches(expression, texts.joined, *span):
                    start, end = displayed_span(match)
                    line, offset, owners = texts.locate(match.start())
                    start, end, matched = start - offset, end - offset, match[0]
                    text = line[start:end]
                    for node, source in owners:
                        for kind in self._types[name]:
                            yield Annotation(
                                node, source, start, end, kind, text, matched, name
                            )

    def _places(self, texts: Texts) -> Mapping[str, Sequence[Span]]:
        """Return for each pattern the spans of `texts.joined` in which the pattern may
        match.
        """
        lines: dict[str, set[int]] = defaultdict(set)
        for which, found in self._lines(fold(texts.joined)).items():
            for name in self._sought[which]:
                lines[name] |= found
        places: dict[str, Sequence[Span]] = {}
        for name, one in self._needs.items():
            # The texts with digits come first.
            count = texts.numeric if one.digit else len(texts.spans)
            if one.literals is not None:
                found = lines[name]
                places[name] = [texts.spans[i] for i in sorted(found) if i < count]
            elif count:
                places[name] = [(0, texts.spans[count - 1][1])]
        return places

    def _lines(self, folded: str) -> Mapping[int, set[int]]:
        """Return for each literal the lines that contain it.

        The keys are the automaton's numbers of the literals. The values are line
        numbers in `folded`, the joined texts after `fold`.
        """
        found: dict[int, set[int]] = defaultdict(set)
        ends = list(accumulate(len(line) + 1 for line in folded.split("\n")))
        line = 0
        for which, _, end in self._automaton.find_matches_as_indexes(
            folded, overlapping=True
        ):
            while end > ends[line]:
                line += 1
            found[which].add(line)
        return found

    def _expression(self, name: str) -> re.Pattern[str]:
        """Return the compiled expression of a pattern.

        The anchors "^" and "$" match at the start and end of each line.
        """
        expression = compose(name, self._patterns)
        # Without "^" or "$" the flag makes no difference, and the cache is shared.
        depends = "^" in expression or "$" in expression
        return compiled_pattern(expression, re.MULTILINE if depends else 0)


@lru_cache(maxsize=1 << 12)
def compiled_pattern(expression: str, flags: int = 0) -> re.Pattern[str]:
    """Return a compiled regular expression.

    The results are cached here, because the cache of `re` is too small.
    """
    return re.compile(expression, flags)


def _matches(
    expression: re.Pattern[str], joined: str, position: int, end: int
) -> Iterator[re.Match[str]]:
    """Yield the matches in a span of joined texts, each within one line.

    A match over several lines is replaced by a match within the first line. If the
    first line has no match, the match over several lines is dropped.
    """
    while match := expression.search(joined, position, end):
        line_end = joined.find("\n", match.start(), end)
        if 0 <= line_end < match.end():
            short = expression.search(joined, match.start(), line_end)
            if short is None:
                position = line_end + 1
                continue
            match = short
        yield match
        position = max(match.end(), position + 1)
        if position > end:
            return


def displayed_span(match: re.Match[str]) -> Span:
    """Return the span of the displayed value within a match.

    The value is the group `value`, or the whole match if the expression has no such
    group.
    """
    return match.span("value") if "value" in match.re.groupindex else match.span()
