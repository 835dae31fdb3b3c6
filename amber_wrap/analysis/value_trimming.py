"""What stands in one text with a value that is a whole text, and where to cut it off.

"3 bed flat in Walton Street, Oxford - added today" holds an address, but not only.  No
list knows every street: what the address is, the other annotations tell, which say what
it isn't, and the delimiters that the texts of all records have in common.
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

DELIMITER = re.compile(
    r" ?[|•·∙▪●»›;]+ ?| [-–—/] | ?: |, | [(\[]| [^\W\d_A-Z]{1,4} (?=[A-ZÀ-Þ\d])"
)
"""What may part two things that are said in one text: signs, a bracket, and the short
words that stand before names and numbers ("in", "na", "bei")."""
STRONG = re.compile(r" ?[|•·∙▪●»›;]")
"""Delimiters that part a text wherever they stand; of others the next to what is known
to be something else counts."""

LABEL = re.compile(r"[^\W\d][^:]{1,24}: ")
"""A label before a value: "Location: Oxford"."""

_WORD = re.compile(r"\S+")
_NUMBER = r"\d[\d.,]*"
"""What stands for any number in the words that texts have in common."""
_NEARLY_ALL = 0.9
"""The share of the texts that must have a frame of words in common."""

_LONGEST = 200
"""Characters up to which a text is more than a mention in a description."""
LEAST_CUTS = 3
"""Texts that must speak for a delimiter."""
_LEAST_SHARE = 0.25
"""The share of the texts with a delimiter that must speak for it."""
MOST_AGAINST = 0.2
"""The share of the texts with an opinion that may speak against it."""


@dataclass(frozen=True, slots=True)
class Trimming:
    """The delimiters up to which a text is cut off, and those from which on it is.

    `heads` and `tails` are regular expressions of the words that texts begin and end
    with, and that are no part of the values.
    """

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()
    heads: frozenset[str] = frozenset()
    tails: frozenset[str] = frozenset()

    @staticmethod
    def union(cuts: Iterable[Trimming]) -> Trimming:
        """Return what any of the cuts cuts off."""
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
        """Whether anything is cut off."""
        return bool(self.before or self.after or self.heads or self.tails)

    @property
    def pattern(self) -> str:
        """The regular expression of the whole text; its group `value` is what remains.

        The value begins after the first of the delimiters before it, and ends at the
        last of those after it, at a strong one at the first.
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
        """Return where in a text the value is; all of it, if nothing would remain."""
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
    """Return the name under which the cut of a type is a pattern."""
    return f"part:{kind}"


def no_cut(texts: Sequence[ShownText], topic: str | None) -> Trimming:
    """AMBER cuts off nothing."""
    return NO_CUT


def learn_cut(texts: Sequence[ShownText], topic: str | None = None) -> Trimming:
    """Return what the texts of all records say is to be cut off; mostly there is
    nothing.

    `topic` is what the page is about: names that the texts have in common with it are
    part of the values.  Without a topic all words are.
    """
    short = [said for said in texts if len(said.text) <= _LONGEST]
    cut = Trimming(_label(short))
    if sum(bool(said.others) for said in short) >= LEAST_CUTS:
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
    """Return the words that nearly all texts begin with, and those that they end
    with.

    What begins with a capital is a name where it doesn't begin the text, or where the
    page is about it.
    """
    if len(texts) < LEAST_CUTS:
        return frozenset(), frozenset()
    about = {_letters(one) for one in _WORD.findall(topic)}
    head = _shared([_unclaimed(one) for one in texts], about)
    while head and head[-1].endswith(_NUMBER):
        head.pop()
    tail = _shared([_unclaimed(one, is_reversed=True) for one in texts], None)
    return _expression(head), _expression(tail[::-1])


def _unclaimed(said: ShownText, is_reversed: bool = False) -> list[str]:
    """Return the words from one end of a text to the first value in it, as
    expressions; all but the last if there is none.
    """
    found = [*_WORD.finditer(said.text)][:: -1 if is_reversed else 1]
    free = takewhile(lambda one: not overlaps(one.span(), said.parts), found[:-1])
    return [_NUMBER.join(map(re.escape, re.split(_NUMBER, one[0]))) for one in free]


def _letters(word: str) -> str:
    """Return the letters of a word, given as an expression."""
    return "".join(filter(str.isalpha, word.replace(_NUMBER, "")))


def _shared(texts: Sequence[Sequence[str]], about: Collection[str] | None) -> list[str]:
    """Return what nearly all texts begin with, up to a name; nothing if it has no
    word.

    The first word of a text has a capital anyway: it is a name if the page is `about`
    it; None where all words with a capital are.
    """
    found: list[str] = []
    while True:
        at = len(found)
        begun = [one for one in texts if len(one) > at and one[:at] == found]
        following = Counter(one[at] for one in begun).most_common(1)
        if not following or following[0][1] < _NEARLY_ALL * len(texts):
            break
        word = following[0][0]
        letters = _letters(word)
        if letters[:1].isupper() and (at or about is None or letters in about):
            break
        found.append(word)
    return found if any(map(_letters, found)) else []


def _expression(words: Sequence[str]) -> frozenset[str]:
    """Return the regular expression of words, if there are any."""
    return frozenset({" ".join(words)} if words else ())


def _label(texts: Sequence[ShownText]) -> frozenset[str]:
    """Return what parts the label that all texts begin with from the values, if
    they do.
    """
    if not (found := label_within([one.text for one in texts])):
        return found
    label = LABEL.match(texts[0].text)
    end = label.end() if label else 0
    is_claimed = any(start < end for one in texts for start, _ in one.parts)
    return frozenset() if is_claimed else found


def label_within(texts: Sequence[str]) -> frozenset[str]:
    """Return what ends the label that all texts begin with, if they do."""
    labels = {found[0] if (found := LABEL.match(one)) else "" for one in texts}
    if len(texts) < LEAST_CUTS or len(labels) > 1 or "" in labels:
        return frozenset()
    [label] = labels
    *_, colon = DELIMITER.finditer(label)
    return frozenset({colon[0]})


def _agreed(opinions: Iterable[Mapping[str, int]]) -> frozenset[str]:
    """Return the delimiters with enough opinions in favour and few against them."""
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
        if count >= max(LEAST_CUTS, _LEAST_SHARE * present[one])
        and against[one] <= MOST_AGAINST * (count + against[one])
    )


class Delimiter(NamedTuple):
    """A delimiter in a text, and whether it is a strong one."""

    begin: int
    end: int
    text: str
    is_strong: bool


@lru_cache(maxsize=1 << 12)
def _delimiters(text: str) -> tuple[Delimiter, ...]:
    """Return the delimiters in a text: what shows several types is looked at for
    each.
    """
    return tuple(
        Delimiter(*found.span(), found[0], STRONG.match(found[0]) is not None)
        for found in DELIMITER.finditer(text)
    )


def _heads(said: ShownText) -> dict[str, int]:
    """Return what a text says of cutting off all before its first delimiter of each
    kind.
    """
    opinions: dict[str, int] = {}
    nearest = True
    parts = said.parts
    known = max((end for _, end in said.others if _is_before(end, parts)), default=-1)
    for begin, _, delimiter, is_strong in _delimiters(said.text):
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


def _tails(said: ShownText) -> dict[str, int]:
    """Return what a text says of cutting off all from its last delimiter of each
    kind on.

    From the first, if it is a strong one.
    """
    opinions: dict[str, int] = {}
    found = _delimiters(said.text)
    for one, after in zip_longest(found, found[1:]):
        begin, end, delimiter, is_strong = one
        if any(begin < stop for _, stop in said.parts):
            opinion = -1
        elif is_strong or not after or _starts_between(said, end, after.begin):
            opinion = int(_is_known(said, end))
        else:
            opinion = 0
        if delimiter not in opinions or not is_strong:
            opinions[delimiter] = opinion
    return opinions


def _starts_between(said: ShownText, begin: int, end: int) -> bool:
    """Return whether something else is recognised before the next delimiter."""
    return any(begin <= start <= end for start, _ in said.others)


def _is_known(said: ShownText, begin: int) -> bool:
    """Return whether at least half of what follows is recognised as something else."""
    shown = sum(map(str.isalnum, said.text[begin:]))
    known = sum(
        map(
            str.isalnum,
            chain.from_iterable(
                said.text[start:end] for start, end in said.others if start >= begin
            ),
        )
    )
    return 2 * known >= shown > 0
