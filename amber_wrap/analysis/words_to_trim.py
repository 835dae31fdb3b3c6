"""Learn which parts to remove from texts that contain a value and other words.

For example, the address remains of "3 bed flat in Walton Street, Oxford - added today".
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from amber_wrap.analysis.common_words import common_words
from amber_wrap.analysis.record_annotations import AnnotatedText, TextSpan
from amber_wrap.analysis.thresholds import ALIGNMENT

DELIMITER = re.compile(
    r" ?[|•·∙▪●»›;]+ ?| [-–—/] | ?: |, | [(\[]| [^\W\d_A-Z]{1,4} (?=[A-ZÀ-Þ\d])"
)
"""Matches a delimiter between two parts of a text: punctuation, a bracket, or a short
word. A short word is, for example, "in" before a name or number.
"""
STRONG_DELIMITER = re.compile(r" ?[|•·∙▪●»›;]")
"""Matches a delimiter that always separates two parts, such as "|"."""

LABEL = re.compile(r"[^\W\d][^:]{1,24}: ")
"""Matches a label before a value, as in "Location: Oxford"."""


@dataclass(frozen=True, slots=True)
class Trimming:
    """The parts to remove from texts so that a value remains."""

    delimiters_before: frozenset[str] = frozenset()
    """The text before any of these delimiters is removed."""
    delimiters_after: frozenset[str] = frozenset()
    """The text after any of these delimiters is removed."""
    first_words: frozenset[str] = frozenset()
    """Regular expressions for words to remove at the start."""
    last_words: frozenset[str] = frozenset()
    """Regular expressions for words to remove at the end."""

    @staticmethod
    def union(cuts: Iterable[Trimming]) -> Trimming:
        """Return a trimming that removes every part that any of the `cuts` removes."""
        union = NO_CUT
        for cut in cuts:
            union = Trimming(
                union.delimiters_before | cut.delimiters_before,
                union.delimiters_after | cut.delimiters_after,
                union.first_words | cut.first_words,
                union.last_words | cut.last_words,
            )
        return union

    def __bool__(self) -> bool:
        """Return whether the trimming removes anything."""
        return self != NO_CUT

    @property
    def pattern(self) -> str:
        """A regular expression for a whole text, whose group `value` is the part that
        remains.
        """
        strong = set(filter(STRONG_DELIMITER.match, self.delimiters_after))
        weak = self.delimiters_after - strong
        head = ""
        if self.delimiters_before:
            head = f"(?:.*?{_any_of(self.delimiters_before)})?"
        if self.first_words:
            head += f" ?(?:(?:{'|'.join(sorted(self.first_words))}) )?"
        tails = []
        if strong:
            tails.append(f"{_any_of(strong)}.*")
        if weak:
            tails.append(f"{_any_of(weak)}(?:(?!{_any_of(weak)}).)*")
        tail = f"(?:{'|'.join(tails)})?" if tails else ""
        if self.last_words:
            tail = f"(?: (?:{'|'.join(sorted(self.last_words))}))? ?{tail}"
        return rf"^{head} ?(?P<value>\S.*?) ?{tail}$"

    def value_span(self, text: str) -> TextSpan:
        """Return the start and end of the value in a text.

        Return the start and end of the whole text if the trimming would leave nothing.
        """
        match = _compiled(self).search(text) if self else None
        return match.span("value") if match else (0, len(text))


NO_CUT = Trimming()
"""The trimming that removes nothing."""


@lru_cache(maxsize=1 << 8)
def _compiled(cut: Trimming) -> re.Pattern[str]:
    """Return the compiled regular expression of a trimming (`Trimming.pattern`)."""
    return re.compile(cut.pattern)


def _any_of(delimiters: Iterable[str]) -> str:
    """Return a regular expression that matches any of `delimiters`, and tries the
    longest first.
    """
    longest_first = sorted(delimiters, key=lambda text: (-len(text), text))
    escaped = [re.escape(text).replace("\\ ", " ") for text in longest_first]
    return escaped[0] if len(escaped) == 1 else f"(?:{'|'.join(escaped)})"


def no_cut(texts: Sequence[AnnotatedText], topic: str | None) -> Trimming:
    """Return a trimming that removes nothing, as in the AMBER paper.

    It takes the parameters of `learn_cut`, and ignores them.
    """
    return NO_CUT


def learn_cut(texts: Sequence[AnnotatedText], topic: str | None = None) -> Trimming:
    """Return what to remove from the texts at one path in the records, so that a value
    remains.

    `topic` has the page's title and main headings, and names in it are kept. If `topic`
    is None, only text before and after delimiters is removed.
    """
    short = [
        annotated
        for annotated in texts
        if len(annotated.text) <= ALIGNMENT.longest_trimmed
    ]
    cut = Trimming(_label_delimiter(short))
    if sum(bool(annotated.other_spans) for annotated in short) >= ALIGNMENT.least_texts:
        delimiters_before = _agreed_delimiters(map(_head_opinions, short))
        delimiters_after = _agreed_delimiters(map(_tail_opinions, short))
        cut = Trimming(delimiters_before | cut.delimiters_before, delimiters_after)
    if topic is None:
        return cut
    trimmed = [annotated.within(cut.value_span(annotated.text)) for annotated in short]
    first_words, last_words = common_words(trimmed, topic)
    return replace(cut, first_words=first_words, last_words=last_words)


def _label_delimiter(texts: Sequence[AnnotatedText]) -> frozenset[str]:
    """Return a set with the delimiter that ends the label of all texts, such as ": ".

    The set is empty without a common label, or if a value starts within the label.
    """
    delimiter = label_within([annotated.text for annotated in texts])
    if not delimiter:
        return delimiter
    label = LABEL.match(texts[0].text)
    label_end = label.end() if label else 0
    has_value = any(
        start < label_end for annotated in texts for start, _ in annotated.inner_spans
    )
    return frozenset() if has_value else delimiter


def label_within(texts: Sequence[str]) -> frozenset[str]:
    """Return a set with the delimiter that ends the label of all texts, such as ": "
    for "Location: Oxford".

    The set is empty if the texts have no common label, or if there are fewer than
    `ALIGNMENT.least_texts` texts.
    """
    matches = [LABEL.match(text) for text in texts]
    labels = {match[0] if match else "" for match in matches}
    if len(texts) < ALIGNMENT.least_texts or len(labels) > 1 or "" in labels:
        return frozenset()
    [label] = labels
    *_, colon = DELIMITER.finditer(label)
    return frozenset({colon[0]})


def _agreed_delimiters(
    opinions_of_texts: Iterable[Mapping[str, int]],
) -> frozenset[str]:
    """Return the delimiters at which enough texts should be cut.

    `opinions_of_texts` has for each text a number for each delimiter: 1 for a cut, -1
    against a cut, and 0 if undecided.
    """
    text_counts: Counter[str] = Counter()
    in_favour: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for opinions in opinions_of_texts:
        for delimiter, opinion in opinions.items():
            text_counts[delimiter] += 1
            if opinion > 0:
                in_favour[delimiter] += 1
            elif opinion < 0:
                against[delimiter] += 1

    def is_agreed(delimiter: str) -> bool:
        votes, dissent = in_favour[delimiter], against[delimiter]
        least = ALIGNMENT.least(
            ALIGNMENT.least_delimiter_support, text_counts[delimiter]
        )
        most_dissent = ALIGNMENT.most_delimiter_dissent * (votes + dissent)
        return votes >= least and dissent <= most_dissent

    return frozenset(filter(is_agreed, text_counts))


class Delimiter(NamedTuple):
    """A delimiter in a text, such as " - "."""

    begin: int
    """The offset of the delimiter in the text."""
    end: int
    """The offset of the text after the delimiter."""
    text: str
    is_strong: bool
    """Whether the delimiter always separates, as "|" does."""


@lru_cache(maxsize=1 << 12)
def _delimiters(text: str) -> tuple[Delimiter, ...]:
    """Return the delimiters in a text.

    The result is cached, because a text may be examined for several types of values.
    """
    return tuple(
        Delimiter(
            match.start(),
            match.end(),
            match[0],
            STRONG_DELIMITER.match(match[0]) is not None,
        )
        for match in DELIMITER.finditer(text)
    )


def _head_opinions(annotated: AnnotatedText) -> dict[str, int]:
    """Return for each delimiter in a text whether to remove the text before it.

    The result is 1 for yes, -1 for no, and 0 if it is undecided.
    """
    opinions: dict[str, int] = {}
    parts = annotated.inner_spans
    last_start = max((start for start, _ in parts), default=-1)
    ends_of_others = [end for _, end in annotated.other_spans if end <= last_start]
    end_of_others = max(ends_of_others, default=-1)
    is_nearest = True
    for delimiter in _delimiters(annotated.text):
        if any(start < delimiter.end for start, _ in parts):
            opinion = -1
        elif not parts or not 0 <= end_of_others <= delimiter.begin:
            opinion = 0
        else:
            opinion = 1 if is_nearest or delimiter.is_strong else 0
            is_nearest = False
        opinions.setdefault(delimiter.text, opinion)
    return opinions


def _tail_opinions(annotated: AnnotatedText) -> dict[str, int]:
    """Return for each delimiter in a text whether to remove the text after it.

    The result is 1 for yes, -1 for no, and 0 if it is undecided.
    """
    opinions: dict[str, int] = {}
    delimiters = _delimiters(annotated.text)
    for delimiter, following in zip_longest(delimiters, delimiters[1:]):
        # A value of another type has to start before the following delimiter.
        may_cut = (
            delimiter.is_strong
            or not following
            or any(
                delimiter.end <= start <= following.begin
                for start, _ in annotated.other_spans
            )
        )
        if any(delimiter.begin < end for _, end in annotated.inner_spans):
            opinion = -1
        elif may_cut and _is_mostly_known(annotated, delimiter.end):
            opinion = 1
        else:
            opinion = 0
        if delimiter.text not in opinions or not delimiter.is_strong:
            opinions[delimiter.text] = opinion
    return opinions


def _is_mostly_known(annotated: AnnotatedText, begin: int) -> bool:
    """Return whether values of other types make up at least half of a text from the
    offset `begin` on.

    Only letters and digits count.
    """
    total = sum(map(str.isalnum, annotated.text[begin:]))
    known = 0
    for start, end in annotated.other_spans:
        if start >= begin:
            known += sum(map(str.isalnum, annotated.text[start:end]))
    return 2 * known >= total > 0
