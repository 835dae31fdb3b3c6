"""Change the words of a page: its labels and currencies."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache
from random import Random

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.domain.schema import ValueKind
from operators.draft import ANY_FIELD, VOCABULARY, Change, Draft
from operators.located import LocatedPage, Span, Text

LABEL_LENGTH = 40
"""The greatest length of a label in characters."""
LEAST_SHARE = 0.25
"""The least share of the records that must have a text for the text to be a label."""
SYNONYMS, FRAMES = VOCABULARY["synonyms"], VOCABULARY["frames"]
"""Other words for labels, and sentences into which a label without synonyms is
inserted."""
CODES = VOCABULARY["codes"].split()
"""The codes of currencies."""
SIGNS = "£€$¥₹₽₺₴₪"
"""The signs of currencies."""
_CODE = "|".join(map(re.escape, sorted(CODES, key=len, reverse=True)))
"""A pattern of the codes of currencies, the longest first."""
CURRENCY = re.compile(rf"(?<![^\W\d_])(?:{_CODE})(?![^\W\d_])|[{SIGNS}]")
"""A pattern of the sign or the code of a currency, such as "£" or "GBP"."""
_SIGNS = re.compile(f"({CURRENCY.pattern})")
"""A pattern that splits a text at currencies and keeps them."""
BEFORE = ("£", "€", "$")
"""The currencies that pages write before an amount."""
AFTER = ("€", "kr", "zł", "CHF", "EUR")
"""The currencies that pages write after an amount."""
LETTERS = re.compile(r"[^\W\d_]{2}")
"""A pattern of two adjacent letters."""


EDGES = " \t\r\n\f\v\xa0|,;·•-–—()/"
"""The white space and punctuation that aren't parts of a label."""


def change_label(draft: Draft) -> None:
    """Change the wording of labels beside values, such as "Price:"."""
    places = labels(draft.page)
    labelled = ((_label_text(draft, *place), place) for place in places)
    changes_by_text: dict[Text, list[tuple[Span, str]]] = defaultdict(list)
    for group in draft.choose(draft.grouped(labelled)):
        old_label = _label_text(draft, *group[0])
        new_label = reworded(old_label, draft.rng)
        for text, span in group:
            changes_by_text[text].append((span, new_label))
            _note_change(draft, text, old_label, new_label)
    _rewrite(draft, changes_by_text)


@cache
def labels(page: LocatedPage) -> list[tuple[Text, Span]]:
    """Return the labels on a page: words such as "Price:", and heads of columns.

    A label is repeated in records and has no digits. It is no part of a known value,
    and contains none.
    """
    given = {value for record in page.records for value in record.given.values()}
    value_words = {f" {_casefolded_words(value)} " for value in given}
    all_values = " | ".join(sorted(value_words))
    value_words = {words for words in value_words if LETTERS.search(words)}

    def is_label(text: str) -> bool:
        words_of_text = f" {_casefolded_words(text)} "
        return (
            len(text) <= LABEL_LENGTH
            and bool(LETTERS.search(text))
            and not any(map(str.isdigit, text))
            and words_of_text not in all_values
            and not any(words in words_of_text for words in value_words)
        )

    places: dict[str, list[tuple[Text, Span]]] = defaultdict(list)
    records_with: dict[str, set[int | None]] = defaultdict(set)
    ranks_of_heads = {
        rank
        for head, element in enumerate(page.elements)
        if element.tag == "th"
        for rank in range(head, page.end[head])
    }
    for text in page.displayed_texts:
        record = page.record_of_text(text)
        if record is None and page.element_of(text) not in ranks_of_heads:
            continue
        content = text.read(page.elements)
        value_spans = [span for span, _ in page.gold_spans.get(text, ())]
        for begin, end in _free_parts(content, value_spans):
            label = collapse(content[begin:end])
            places[label].append((text, (begin, end)))
            records_with[label].add(record)  # None for a head of a column.
    least_count = max(2, LEAST_SHARE * len(page.records))
    return [
        place
        for label, records in records_with.items()
        if (None in records or len(records) >= least_count) and is_label(label)
        for place in places[label]
    ]


def reworded(label: str, rng: Random) -> str:
    """Draw another wording of a label. A colon at its end may be dropped."""
    bare_label = label.rstrip(": ")
    synonyms = SYNONYMS.get(bare_label.casefold())
    new_label = rng.choice(synonyms or FRAMES).format(bare_label)
    return new_label + ":" if label.endswith(":") and rng.random() < 0.5 else new_label


def change_currency(draft: Draft) -> None:
    """Change the currency of all amounts on the page, or of single prices."""
    page = draft.page
    prices = [
        (match, number, name, value)
        for number, record in enumerate(page.records)
        for name, value in record.values.items()
        if value.type.kind is ValueKind.MONEY and value.spans
        if (match := CURRENCY.search(value.value))
    ]
    # Most sites have one currency, so it is always chosen.
    chosen = draft.choose(draft.grouped((price[0].group(), price) for price in prices))
    changed: dict[Text, list[tuple[Span, str]]] = defaultdict(list)
    for group in chosen:
        first_match = group[0][0]
        old = first_match.group()
        choices = AFTER if first_match.start() else BEFORE
        new = draft.rng.choice([currency for currency in choices if currency != old])
        places = (
            _currency_places(page, old)
            if draft.is_template
            else (place for *_, value in group for place in value.spans.items())
        )
        for text, (begin, end) in places:
            for match in CURRENCY.finditer(text.read(draft.elements), begin, end):
                if match.group() == old:
                    changed[text].append((match.span(), new))
                    if draft.is_template:
                        _note_change(draft, text, old, new)
        for _, record, name, value in group:
            parts = _SIGNS.split(value.value)
            new_value = "".join(new if part == old else part for part in parts)
            for field in (name, ANY_FIELD):
                draft.changes.append(Change(field, record, value.value, new_value))
    _rewrite(draft, changed)


def _currency_places(page: LocatedPage, sign: str) -> Iterator[tuple[Text, Span]]:
    """Yield the parts of texts that may be amounts in the currency `sign`.

    Such a part has a digit or is a single word. Known values that aren't amounts of
    money are left out.
    """
    for text in page.displayed_texts:
        content = text.read(page.elements)
        spans = page.gold_spans.get(text, ()) if sign in content else ()
        others = [span for span, one in spans if one.kind is not ValueKind.MONEY]
        for begin, end in _free_parts(content, others) if sign in content else ():
            part = content[begin:end]
            if any(map(str.isdigit, part)) or len(part.split()) == 1:
                yield text, (begin, end)


def _free_parts(text: str, taken_spans: Iterable[Span]) -> Iterator[Span]:
    """Yield the parts of a text that are outside of the taken spans.

    A span has the start and the end of a part. White space and punctuation at the ends
    of a part are left out.
    """
    position = 0
    for begin, end in [*sorted(taken_spans), (len(text), len(text))]:
        part = text[position:begin]
        start = position + len(part) - len(part.lstrip(EDGES))
        stop = position + len(part.rstrip(EDGES))
        if start < stop:
            yield start, stop
        position = max(position, end)


def _label_text(draft: Draft, text: Text, span: Span) -> str:
    """Return the text of a label."""
    return collapse(text.read(draft.page.elements)[slice(*span)])


def _note_change(draft: Draft, text: Text, old: str, new: str) -> None:
    """Note in the draft that a record displays `new` instead of `old`.

    Do nothing if the text isn't in a record.
    """
    record = draft.page.record_of_text(text)
    if record is not None:
        draft.changes.append(Change(ANY_FIELD, record, old, new))


def _rewrite(draft: Draft, changes_by_text: dict[Text, list[tuple[Span, str]]]) -> None:
    """Replace parts of texts by new words.

    In each text, the last part is replaced first, so that the indices of the other
    parts stay right.
    """
    for text, parts in changes_by_text.items():
        content = text.read(draft.elements)
        for (begin, end), new_words in sorted(set(parts), reverse=True):
            content = content[:begin] + new_words + content[end:]
        text.write(draft.elements, content)


def _casefolded_words(text: str) -> str:
    """Return the words of a text, casefolded and separated by blanks."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))
