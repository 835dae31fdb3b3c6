"""What stands in one text with a value that is a whole text, and where to cut it off.

"3 bed flat in Walton Street, Oxford - added today" holds an address, but not only.  No
list knows every street: what the address is, the other annotations tell, which say what
it isn't, and the delimiters that the texts of all records have in common.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import chain, zip_longest
from typing import NamedTuple

from amber_wrap.analysis.claims import Said, Span

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

LONGEST = 200
"""Characters up to which a text is more than a mention in a description."""
LEAST_CUTS = 3
"""Texts that must speak for a delimiter."""
LEAST_SHARE = 0.25
"""The share of the texts with a delimiter that must speak for it."""
MOST_AGAINST = 0.2
"""The share of the texts with an opinion that may speak against it."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The delimiters up to which a text is cut off, and those from which on it is."""

    before: frozenset[str] = frozenset()
    after: frozenset[str] = frozenset()

    @staticmethod
    def union(cuts: Iterable[Cut]) -> Cut:
        """What any of the cuts cuts off."""
        return reduce(
            lambda a, b: Cut(a.before | b.before, a.after | b.after), cuts, Cut()
        )

    def __bool__(self) -> bool:
        """Whether anything is cut off."""
        return bool(self.before or self.after)

    @property
    def pattern(self) -> str:
        """The regular expression of the whole text; its group `value` is what remains.

        The value begins after the first of the delimiters before it, and ends at the
        last of those after it, at a strong one at the first.
        """
        strong = {one for one in self.after if STRONG.match(one)}
        weak = self.after - strong
        head = f"(?:.*?{_any_of(self.before)})?" if self.before else ""
        tails = [f"{_any_of(strong)}.*"] if strong else []
        if weak:
            tails.append(f"{_any_of(weak)}(?:(?!{_any_of(weak)}).)*")
        tail = f"(?:{'|'.join(tails)})?" if tails else ""
        return rf"^{head} ?(?P<value>\S.*?) ?{tail}$"

    def of(self, text: str) -> Span:
        """Where in a text the value is; all of it, if nothing would remain."""
        match = _compiled(self).search(text) if self else None
        return match.span("value") if match else (0, len(text))


NO_CUT = Cut()


@lru_cache(maxsize=1 << 8)
def _compiled(cut: Cut) -> re.Pattern[str]:
    return re.compile(cut.pattern)


def _any_of(delimiters: Iterable[str]) -> str:
    found = [
        re.escape(one).replace("\\ ", " ")
        for one in sorted(delimiters, key=lambda one: (-len(one), one))
    ]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"


def part_pattern(kind: str) -> str:
    """The name under which the cut of a type is a pattern."""
    return f"part:{kind}"


def no_cut(texts: Sequence[Said]) -> Cut:
    """AMBER cuts off nothing."""
    return NO_CUT


def learn_cut(texts: Sequence[Said]) -> Cut:
    """The delimiters that the texts of all records speak for; mostly there is none."""
    short = [said for said in texts if len(said.text) <= LONGEST]
    label = _label(short)
    if sum(bool(said.others) for said in short) < LEAST_CUTS:
        return Cut(label)  # Nothing else is said that could be cut off.
    return Cut(_agreed(map(_heads, short)) | label, _agreed(map(_tails, short)))


def _label(texts: Sequence[Said]) -> frozenset[str]:
    """What parts the label that all texts begin with from the values, if they do."""
    labels = {found[0] if (found := LABEL.match(one.text)) else "" for one in texts}
    if len(texts) < LEAST_CUTS or len(labels) > 1 or "" in labels:
        return frozenset()
    [label] = labels
    if any(start < len(label) for one in texts for start, _ in one.parts):
        return frozenset()
    *_, colon = DELIMITER.finditer(label)
    return frozenset({colon[0]})


def _agreed(opinions: Iterable[Mapping[str, int]]) -> frozenset[str]:
    """The delimiters with enough opinions in favour and few against them."""
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
        if count >= max(LEAST_CUTS, LEAST_SHARE * present[one])
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
    """The delimiters in a text: what shows several types is looked at for each."""
    return tuple(
        Delimiter(*found.span(), found[0], STRONG.match(found[0]) is not None)
        for found in DELIMITER.finditer(text)
    )


def _heads(said: Said) -> dict[str, int]:
    """What a text says of cutting off all before its first delimiter of each kind."""
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


def _is_before(end: int, own: Sequence[Span]) -> bool:
    return any(end <= start for start, _ in own)


def _tails(said: Said) -> dict[str, int]:
    """What a text says of cutting off all from its last delimiter of each kind on.

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


def _starts_between(said: Said, begin: int, end: int) -> bool:
    """Whether something else is recognised before the next delimiter."""
    return any(begin <= start <= end for start, _ in said.others)


def _is_known(said: Said, begin: int) -> bool:
    """Whether at least half of what follows is recognised as something else."""
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
