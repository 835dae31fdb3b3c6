"""Change the words of a page: labels and currencies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

from amber_wrap.dom.markup import collapse
from amber_wrap.domain.schema import ValueKind
from operators.draft import ANY_FIELD, VOCABULARY, Change, Draft
from operators.located import LocatedPage, Span, Text

LABEL_LENGTH = 40
LEAST_SHARE = 0.25
"""The share of the records that a label recurs in."""
SYNONYMS, FRAMES = VOCABULARY["synonyms"], VOCABULARY["frames"]
CODES = VOCABULARY["codes"].split()
SIGNS = "£€$¥₹₽₺₴₪"
_CODE = "|".join(map(re.escape, sorted(CODES, key=len, reverse=True)))
CURRENCY = re.compile(rf"(?<![^\W\d_])(?:{_CODE})(?![^\W\d_])|[{SIGNS}]")
_SIGNS = re.compile(f"({CURRENCY.pattern})")
BEFORE = ("£", "€", "$")
AFTER = ("€", "kr", "zł", "CHF", "EUR")
"""Currencies as they are written before an amount and after it."""
LETTERS = re.compile(r"[^\W\d_]{2}")


def change_label(draft: Draft) -> None:
    """Say in other words what stands beside the values of records."""
    pieces = labels(draft.page)
    chosen = draft.choose(draft.grouped((_label(draft, *one), one) for one in pieces))
    changed: dict[Text, list[tuple[Span, str]]] = {}
    for group in chosen:
        old = _label(draft, *group[0])
        new = reworded(old, draft.rng)
        for text, span in group:
            changed.setdefault(text, []).append((span, new))
            _note(draft, text, old, new)
    _rewrite(draft, changed)


@cache
def labels(page: LocatedPage) -> list[tuple[Text, Span]]:
    """Return the labels of a page: texts that recur in records, and heads of columns.

    They are parts of texts that hold no part of a gold value, no digit, and no words of
    any gold value of the page.
    """
    spoken = {_words(v) for one in page.records for v in one.given.values()}
    joined = " | ".join(f" {one} " for one in sorted(spoken))
    spoken = {f" {one} " for one in spoken if LETTERS.search(one)}

    def is_label(text: str) -> bool:
        shown = f" {_words(text)} "
        return (
            len(text) <= LABEL_LENGTH
            and bool(LETTERS.search(text))
            and not any(map(str.isdigit, text))
            and shown not in joined
            and not any(one in shown for one in spoken)
        )

    places: dict[str, list[tuple[Text, Span]]] = {}
    records: dict[str, set[int]] = {}
    heads: set[str] = set()
    columns = {
        rank
        for head, one in enumerate(page.elements)
        if one.tag == "th"
        for rank in range(head, page.end[head])
    }
    for text in page.displayed_texts:
        record = page.record_of_text(text)
        if record is None and page.element_of(text) not in columns:
            continue
        shown = text.read(page.elements)
        taken = [span for span, _ in page.gold_spans.get(text, ())]
        for begin, end in _between(shown, taken):
            key = collapse(shown[begin:end])
            places.setdefault(key, []).append((text, (begin, end)))
            if record is None:
                heads.add(key)
            else:
                records.setdefault(key, set()).add(record)
    least = max(2, LEAST_SHARE * len(page.records))
    return [
        place
        for key, found in places.items()
        if (key in heads or len(records[key]) >= least) and is_label(key)
        for place in found
    ]


def reworded(label: str, rng: Random) -> str:
    """Draw another wording of a label, with or without the colon."""
    core = label.rstrip(": ")
    known = SYNONYMS.get(core.casefold())
    new = rng.choice(known) if known else rng.choice(FRAMES).format(core)
    return new + ":" if label.endswith(":") and rng.random() < 0.5 else new


def change_currency(draft: Draft) -> None:
    """Write amounts in another currency: all of the page, or single prices."""
    page = draft.page
    prices = [
        (i, name, value, match)
        for i, record in enumerate(page.records)
        for name, value in record.values.items()
        if value.type.kind is ValueKind.MONEY and value.spans
        for match in [CURRENCY.search(value.value)]
        if match
    ]
    units = draft.grouped((one[3].group(), one) for one in prices)
    # A site has few currencies, most have one: that is always chosen.
    chosen = draft.choose(units)
    changed: dict[Text, list[tuple[Span, str]]] = {}
    for group in chosen:
        old = group[0][3].group()
        is_before = group[0][3].start() == 0
        pool = [one for one in (BEFORE if is_before else AFTER) if one != old]
        new = draft.rng.choice(pool)
        texts = (
            _amounts(page, old)
            if draft.is_template
            else ((t, s) for _, _, value, _ in group for t, s in value.spans.items())
        )
        for text, (begin, end) in texts:
            shown = text.read(draft.elements)
            for match in CURRENCY.finditer(shown, begin, end):
                if match.group() == old:
                    changed.setdefault(text, []).append((match.span(), new))
                    if draft.is_template:
                        _note(draft, text, old, new)
        for record, name, value, _ in group:
            shown = "".join(
                new if part == old else part for part in _SIGNS.split(value.value)
            )
            draft.changes.append(Change(name, record, value.value, shown))
            draft.changes.append(Change(ANY_FIELD, record, value.value, shown))
    _rewrite(draft, changed)


def _amounts(page: LocatedPage, sign: str) -> Iterator[tuple[Text, Span]]:
    """Yield the texts that may name a currency, without values of other kinds."""
    for text in page.displayed_texts:
        shown = text.read(page.elements)
        if sign not in shown:
            continue
        spans = page.gold_spans.get(text, ())
        taken = [span for span, one in spans if one.kind is not ValueKind.MONEY]
        for begin, end in _between(shown, taken):
            part = shown[begin:end]
            if any(map(str.isdigit, part)) or len(part.split()) == 1:
                yield text, (begin, end)


def _between(text: str, taken: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of a text that no span takes, without white space and marks
    around.
    """
    at = 0
    for begin, end in [*sorted(taken), (len(text), len(text))]:
        part = text[at:begin]
        start = at + len(part) - len(part.lstrip(" \t\r\n\f\v\xa0|,;·•-–—()/"))
        stop = at + len(part.rstrip(" \t\r\n\f\v\xa0|,;·•-–—()/"))
        if start < stop:
            yield start, stop
        at = max(at, end)


def _label(draft: Draft, text: Text, span: Span) -> str:
    return collapse(text.read(draft.page.elements)[slice(*span)])


def _note(draft: Draft, text: Text, old: str, new: str) -> None:
    record = draft.page.record_of_text(text)
    if record is not None:
        draft.changes.append(Change(ANY_FIELD, record, old, new))


def _rewrite(draft: Draft, changed: dict[Text, list[tuple[Span, str]]]) -> None:
    """Put new words into texts, from the last one to the first."""
    for text, parts in changed.items():
        shown = text.read(draft.elements)
        for (begin, end), new in sorted(set(parts), reverse=True):
            shown = shown[:begin] + new + shown[end:]
        text.write(draft.elements, shown)


def _words(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
