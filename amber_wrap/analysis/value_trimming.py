"""Learn which parts to remove from texts that contain a value and more.

"3 bed flat in Walton Street, Oxford - added today" contains an address. No gazetteer
has every street. The annotations of other types and the delimiters that the texts of
all records share show which part isn't the address.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, reduce
from itertools import chain, takewhile, zip_longest
from typing import NamedTuple

from amber_wrap.analysis.record_annotations import ShownText, TextSpan, overlaps
from amber_wrap.analysis.thresholds import ALIGNMENT

DELIMITER = re.compile(
    r" ?[|•·∙▪●»›;]+ ?| [-–—/] | ?: |, | [(\[]| [^\W\d_A-Z]{1,4} (?=[A-ZÀ-Þ\d])"
)
"""What may separate two things in one text: signs, a bracket, and short words before
names and numbers ("in", "na", "bei").
"""
STRONG = re.compile(r" ?[|•·∙▪●»›;]")
"""Delimiters that separate wherever they stand. Of the weaker delimiters, only the one
nearest to a value of another type counts.
"""

LABEL = re.compile(r"[^\W\d][^:]{1,24}: ")
"""A label before a value: "Location: Oxford"."""

_WORD = re.compile(r"\S+")
_NUMBER = r"\d[\d.,]*"
"""The pattern that replaces numbers in common words of texts."""


@dataclass(frozen=True, slots=True)
class Trimming:
    """The parts to remove from texts. A text is removed up to a delimiter in `before`,
    and from a delimiter in `after` on.

    `heads` and `tails` are regular expressions for words at the start and end of texts
    that aren't part of the values.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()

    @staticmethod
    def union(cuts: Iterable[Trimming]) -> Trimming:
        """Return a trimming that removes every part that one of the `cuts` removes."""
        return reduce(
            lambda a, b: Trimming(
                a.before | b.before,
                a.after | b.after,
                a.heads | b.heads,
                a.tails | b.tails,
            ),
            cuts,
            Trimming(),
        )

    def __bool__(self) -> bool:
        """Return whether anything is removed."""
        return bool(self.before or self.after or self.heads or self.tails)

    @property
    def pattern(self) -> str:
        """A regular expression for the whole text, whose group `value` is the remaining
        part.

        The value starts behind the first delimiter of `before`. It ends at the last
        delimiter of `after`, or at the first strong one.
        """
        strong = {one for one in self.after if STRONG.match(one)}
        weak = self.after - strong
        head = f"(?:.*?{_any_of(self.before)})?" if self.before else ""
        head += f" ?(?:(?:{'|'.join(sorted(self.heads))}) )?" if self.heads else ""
        tails = [f"{_any_of(strong)}.*"] if strong else []
        if weak:
            tails.append(f"{_any_of(weak)}(?:(?!{_any_of(weak)}).)*")
        tail = f"(?:{'|'.join(tails)})?" if tails else ""
        if self.tails:
            tail = f"(?: (?:{'|'.join(sorted(self.tails))}))? ?{tail}"
        return rf"^{head} ?(?P<value>\S.*?) ?{tail}$"

    def of(self, text: str) -> TextSpan:
        """Return the span of the value in a text, or of the whole text if nothing would
        remain.
        """
        match = _compiled(self).search(text) if self else None
        return match.span("value") if match else (0, len(text))


NO_CUT = Trimming()


@lru_cache(maxsize=1 << 8)
def _compiled(cut: Trimming) -> re.Pattern[str]:
    return re.compile(cut.pattern)


def _any_of(delimiters: Iterable[str]) -> str:
    found = [
        re.escape(one).replace("\\ ", " ")
        for one in sorted(delimiters, key=lambda one: (-len(one), one))
    ]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def part_pattern(kind: str) -> str:
    """Return the name of the pattern for a type's trimming."""
    return f"part:{kind}"


def no_cut(texts: Sequence[ShownText], topic: str | None) -> Trimming:
    """Return the trimming that removes nothing, as AMBER does."""
    return NO_CUT


def learn_cut(texts: Sequence[ShownText], topic: str | None = None) -> Trimming:
    """Return the trimming that the texts of all records support; mostly it removes
    nothing.

    `topic` is the topic of the page: names that the texts share with it are part of the
    values. If it is None, no words are removed.
    """
    short = [shown for shown in texts if len(shown.text) <= ALIGNMENT.longest_trimmed]
    cut = Trimming(_label(short))
    if sum(bool(shown.others) for shown in short) >= ALIGNMENT.least_texts:
        cut = Trimming(
            _agreed(map(_heads, short)) | cut.before, _agreed(map(_tails, short))
        )
    if topic is None:
        return cut
    heads, tails = _frame([one.within(cut.of(one.text)) for one in short], topic)
    return replace(cut, heads=heads, tails=tails)


def _frame(
    texts: Sequence[ShownText], topic: str
) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words at the start of nearly all texts, and those at the end.

    A word with a capital is a name if it isn't the first word, or if it is in the topic
    of the page.
    """
    if len(texts) < ALIGNMENT.least_texts:
        return frozenset(), frozenset()
    about = {_letters(one) for one in _WORD.findall(topic)}
    head = _shared([_free_words(one) for one in texts], about)
    while head and head[-1].endswith(_NUMBER):
        head.pop()
    tail = _shared([_free_words(one, is_reversed=True) for one in texts], None)
    return _expression(head), _expression(tail[::-1])


def _free_words(shown: ShownText, is_reversed: bool = False) -> list[str]:
    """Return the words from one end of a text up to its first value, as regular
    expressions.

    Without a value, return all words but the last.
    """
    found = [*_WORD.finditer(shown.text)][:: -1 if is_reversed else 1]
    free = takewhile(lambda one: not overlaps(one.span(), shown.parts), found[:-1])
    return [_NUMBER.join(map(re.escape, re.split(_NUMBER, one[0]))) for one in free]


def _letters(word: str) -> str:
    """Return the letters of a word that is given as a regular expression."""
    return "".join(filter(str.isalpha, word.replace(_NUMBER, "")))


def _shared(texts: Sequence[Sequence[str]], about: Collection[str] | None) -> list[str]:
    """Return the common words at the start of nearly all texts, up to a name, or [] if
    they have no letters.

    A name is a word with a capital. The first word of a text usually has a capital, so
    it is a name only if the topic `about` contains it. If `about` is None, the first
    word is treated like all others.
    """
    found: list[str] = []
    while True:
        at = len(found)
        begun = [one for one in texts if len(one) > at and one[:at] == found]
        following = Counter(one[at] for one in begun).most_common(1)
        if not following or following[0][1] < ALIGNMENT.common_words * len(texts):
            break
        word = following[0][0]
        letters = _letters(word)
        if letters[:1].isupper() and (at or about is None or letters in about):
            break
        found.append(word)
    return found if any(map(_letters, found)) else []


def _expression(words: Sequence[str]) -> frozenset[str]:
    """Return a set with the regular expression for the words, or an empty set."""
    return frozenset({" ".join(words)} if words else ())


def _label(texts: Sequence[ShownText]) -> frozenset[str]:
    """Return a set with the end of the label that all texts start with, such as ": ";
    an empty set if there is none, or if a value is within the label.
    """
    if not (found := label_within([one.text for one in texts])):
        return found
    label = LABEL.match(texts[0].text)
    end = label.end() if label else 0
    is_claimed = any(start < end for one in texts for start, _ in one.parts)
    return frozenset() if is_claimed else found


def label_within(texts: Sequence[str]) -> frozenset[str]:
    """Return a set with the end of the label that all texts start with, or an empty
    set.
    """
    labels = {found[0] if (found := LABEL.match(one)) else "" for one in texts}
    if len(texts) < ALIGNMENT.least_texts or len(labels) > 1 or "" in labels:
        return frozenset()
    [label] = labels
    *_, colon = DELIMITER.finditer(label)
    return frozenset({colon[0]})


def _agreed(opinions: Iterable[Mapping[str, int]]) -> frozenset[str]:
    """Return the delimiters that enough texts support and few contradict. `opinions`
    has for each text the results of `_heads` or `_tails`.
    """
    present: Counter[str] = Counter()
    in_favour: Counter[str] = Counter()
    against: Counter[str] = Counter()
    for delimiter, opinion in chain.from_iterable(one.items() for one in opinions):
        present[delimiter] += 1
        in_favour[delimiter] += opinion > 0
        against[delimiter] += opinion < 0
    return frozenset(
        one
        for one, count in in_favour.items()
        if count >= ALIGNMENT.least(ALIGNMENT.delimiter_support, present[one])
        and against[one] <= ALIGNMENT.delimiter_dissent * (count + against[one])
    )


class Delimiter(NamedTuple):
    """A delimiter in a text, and whether it is a strong one."""

    begin: int
    end: int
    text: str
    is_strong: bool


@lru_cache(maxsize=1 << 12)
def _delimiters(text: str) -> tuple[Delimiter, ...]:
    """Return the delimiters in a text; cached, because a text may be examined for
    several types.
    """
    return tuple(
        Delimiter(*found.span(), found[0], STRONG.match(found[0]) is not None)
        for found in DELIMITER.finditer(text)
    )


def _heads(shown: ShownText) -> dict[str, int]:
    """Return for each delimiter 1 if the text supports removing all before its first
    occurrence, -1 if the text contradicts that, and 0 if neither.
    """
    opinions: dict[str, int] = {}
    nearest = True
    parts = shown.parts
    known = max((end for _, end in shown.others if _is_before(end, parts)), default=-1)
    for begin, _, delimiter, is_strong in _delimiters(shown.text):
        if any(start < begin for start, _ in parts):
            opinion = -1
        elif not parts or not 0 <= known <= begin:
            opinion = 0
        else:
            opinion = int(nearest or is_strong)
            nearest = False
        opinions.setdefault(delimiter, opinion)
    return opinions


def _is_before(end: int, own: Sequence[TextSpan]) -> bool:
    return any(end <= start for start, _ in own)


def _tails(shown: ShownText) -> dict[str, int]:
    """Return for each delimiter 1 if the text supports removing all from its last
    occurrence on, -1 if the text contradicts that, and 0 if neither. Of a strong
    delimiter, the first occurrence counts.
    """
    opinions: dict[str, int] = {}
    found = _delimiters(shown.text)
    for one, after in zip_longest(found, found[1:]):
        begin, end, delimiter, is_strong = one
        if any(begin < stop for _, stop in shown.parts):
            opinion = -1
        elif is_strong or not after or _starts_between(shown, end, after.begin):
            opinion = int(_is_known(shown, end))
        else:
            opinion = 0
        if delimiter not in opinions or not is_strong:
            opinions[delimiter] = opinion
    return opinions


def _starts_between(shown: ShownText, begin: int, end: int) -> bool:
    """Return whether a value of another type starts between two offsets."""
    return any(begin <= start <= end for start, _ in shown.others)


def _is_known(shown: ShownText, begin: int) -> bool:
    """Return whether at least half of the text from an offset on is recognised as other
    types.
    """
    letters = sum(map(str.isalnum, shown.text[begin:]))
    known = sum(
        map(
            str.isalnum,
            chain.from_iterable(
                shown.text[start:end] for start, end in shown.others if start >= begin
            ),
        )
    )
    return 2 * known >= letters > 0
