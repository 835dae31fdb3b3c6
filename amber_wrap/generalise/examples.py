"""Add wished fields: fields that a person points at by an example from one record.

The other records have the value of the field at the same tag path. Within a longer
text, the value lies between the same delimiters as the example.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import AreaTyping, Attribute, Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.analysis.value_trimming import STRONG
from amber_wrap.annotate.examples import Example, ExampleSighting, Fit, sightings
from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.locale import for_locale, locale_of
from amber_wrap.annotate.names import label_in, label_of
from amber_wrap.annotate.patterns import displayed_span
from amber_wrap.annotate.run import readers
from amber_wrap.annotate.words import COLONS
from amber_wrap.dom.markup import shows_value
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.normal_form import NORMAL_FORMS
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.selectors.area_groups import Typed, with_attributes
from amber_wrap.selectors.row_widths import RowKey, row_kinds
from amber_wrap.values.patterns import SEARCHED

_LEAST_RECORDS: Final = 2
"""The number of records that must have a text at the tag path of the example."""
_NEARLY_ALL: Final = 0.95
"""The share of the texts at a tag path that the pattern for the values must match."""
_MOST: Final = 0.75
"""The share of the texts that must have the same number of delimiters."""
CELL: Final = "td"
UNLABELLED: Final = ":labelled()"
_WORD: Final = re.compile(r"[^\W\d_]+")
_FIGURE: Final = re.compile(r"\d+")
BEFORE, AFTER = re.compile(r"[\W_]+$"), re.compile(r"^[\W_]+")
"""Delimiters directly before a value, and directly behind it."""
WORD_BEFORE, WORD_AFTER = re.compile(r"\w+[\W_]+$"), re.compile(r"^[\W_]+\w+")
"""A word with delimiters, directly before a value and directly behind it."""
_Key = tuple[str, int]
"""A tag path in records, and the index among the elements there."""
_Read = tuple[str, str, str | None]
"""The value in a text, the whole match around it, and the name of its pattern."""


def with_wishes(
    typed: Sequence[Typed], domain: Domain, examples: Iterable[Example]
) -> tuple[tuple[Typed, ...], Domain, tuple[Diagnostic, ...]]:
    """Return the typed areas with the wished fields, the domain with their types and
    patterns, and findings about doubtful wishes.

    A wished field replaces an attribute of its name. Raises SelectionError for an
    example that isn't in the records, or that is no value of its type.
    """
    doubts: list[Diagnostic] = []
    for example in examples:
        typed, domain, found = _with_wish(typed, domain, example)
        doubts += found
    return tuple(typed), domain, tuple(doubts)


class _Site(NamedTuple):
    """The record in which an example stands, and its element there."""

    sighting: ExampleSighting
    page: Page
    area: AreaTyping
    record: Record


def _with_wish(
    typed: Sequence[Typed], domain: Domain, example: Example
) -> tuple[tuple[Typed, ...], Domain, Iterable[Diagnostic]]:
    """Return the typed areas, the domain and the findings for one example."""
    sites = sorted(_sites(typed, example), key=lambda one: one.sighting)
    if not sites:
        count = sum(one.typing.record_count for one in typed)
        raise SelectionError(
            f"{example} is in none of the {count} records that were found: give one "
            "that is, or point at the list with --within"
        )
    kinds = row_kinds(
        (one.page, record)
        for one in typed
        for area in one.typing.areas
        for record in area.records
    )
    keys = {
        (one.page, start): (one.page, found)
        for one in typed
        for area in one.typing.areas
        for start, found in _keys(one.page, area, kinds).items()
    }

    def key_of(site: _Site) -> _Key:
        return keys[site.page, site.record.start][1][site.sighting.node]

    site, key = sites[0], key_of(sites[0])
    if site.sighting.fit is Fit.WHOLE:
        # What some records show alone others show among other things.
        parted = (
            one for one in sites if key_of(one) == key and _is_parted(example, one)
        )
        site = next(parted, site)
    source = site.sighting.source
    said = {
        record: (there, page.source_text(there, source))
        for record, (page, found) in keys.items()
        for there, other in found.items()
        if other == key
    }
    texts = [text for _, text in said.values()]
    wish = _wish(example, site, domain, texts)
    support = sum(wish.read(text) is not None for text in texts)
    alike = [
        sum(place == key[0] for place, _ in one.values()) for _, one in keys.values()
    ]
    is_moving = len(set(alike) - {0}) > 1

    def changed(
        page: Page, record: Record, found: Sequence[Attribute]
    ) -> Sequence[Attribute]:
        kept = [one for one in found if one.type != example.name]
        there, text = said.get((page, record.start), (0, ""))
        if value := wish.read(text):
            share = support / sum(one.typing.record_count for one in typed)
            name = example.name
            kept.append(Attribute(name, there, source, *value, share, "annotated"))
        return sorted(kept, key=lambda one: one.node)

    doubts = _doubts(example, is_moving or not wish.is_sure, support)
    return tuple(with_attributes(one, changed) for one in typed), wish.domain, doubts


def _doubts(example: Example, is_moving: bool, support: int) -> Iterator[Diagnostic]:
    """Yield findings about an example that a person should check."""
    if is_moving:
        yield Diagnostic(
            "warning",
            "example-unsure",
            f"{example}: records show more or fewer texts like it, and only "
            "their order distinguishes them: see whether the values are right",
        )
    if support < _LEAST_RECORDS:
        yield Diagnostic(
            "warning",
            "example-alone",
            f"{example}: no other record shows anything there; with an example of "
            "another record, or a second sample, more may be found",
        )


def _is_parted(example: Example, site: _Site) -> bool:
    """Return whether the example is one item of a text that lists several."""
    text = site.page.source_text(site.sighting.node, site.sighting.source)
    head, _, tail = text.partition(example.text)
    return bool(head or tail) and all(
        STRONG.search(run[0] if (run := by.search(side)) else "")
        for side, by in ((head, BEFORE), (tail, AFTER))
        if side
    )


def _sites(typed: Iterable[Typed], example: Example) -> Iterator[_Site]:
    """Yield the records in which an example stands."""
    for one in typed:
        for sighting in sightings(example, one.page):
            for area in one.typing.areas:
                for record in area.records:
                    if any(
                        one.page.contains(row, sighting.node) for row in record.nodes
                    ):
                        yield _Site(sighting, one.page, area, record)


def _keys(
    page: Page, area: AreaTyping, kinds: Mapping[RowKey, int]
) -> Mapping[NodeId, Mapping[NodeId, _Key]]:
    """Return the tag path and index of each element, by first node of its record.

    Table cells are identified by their index in a row of their kind, whatever class
    marks their state, and by their labels. Elements within a cell are identified by
    that cell, too.
    """
    places = Marks(page, [record.nodes for record in area.records])
    found = {}
    for record in area.records:
        paths = places.of_record(page, record.nodes)
        keys: dict[NodeId, _Key] = {}
        cells: dict[NodeId, str] = {}
        seen = Counter[str]()
        for row in record.nodes:
            kind = kinds.get((page, row), 0)
            for node in page.elements(row):
                own = _cell(page, node)
                if own.endswith(UNLABELLED) and kind and page.parent[node] == row:
                    own = f"{own} of kind {kind}"
                cells[node] = own or cells.get(page.parent[node], "")
                path = (
                    "" if own and page.tag[node] == CELL else places.text(paths[node])
                )
                place = f"{cells[node]} {path}"
                keys[node] = place, seen[place]
                seen[place] += 1
        found[record.start] = keys
    return found


def _cell(page: Page, node: NodeId) -> str:
    """Return the part of a tag path that distinguishes a table cell, or a labelled
    value, from others."""
    if page.tag[node] not in LABELLED:
        label = label_of(page, node) or label_in(page, node)
        return f":labelled({label})" if label.endswith(COLONS) else ""
    label = label_beside(page, node)
    siblings = page.child_elements(page.parent[node])
    is_told = label and [label_beside(page, one) for one in siblings].count(label) == 1
    at = f"{siblings.index(node)}" if page.tag[node] == CELL and not is_told else ""
    return f"{page.tag[node]}{at}:labelled({label})" if at or label else ""


@dataclass(frozen=True, slots=True)
class _Wish:
    """The patterns that read the values of a wished field, in order; without any, whole
    texts are values.

    `domain` contains the type of the field. `is_sure` states that all values lie at the
    same position of their texts.
    """

    domain: Domain
    readers: Mapping[str, re.Pattern[str]]
    is_sure: bool = True

    def read(self, text: str) -> _Read | None:
        """Return the value in a text, or None."""
        for name, pattern in self.readers.items():
            if match := pattern.search(text, 0, SEARCHED):
                start, end = displayed_span(match)
                return text[start:end], match[0], name
        return (text, text, None) if shows_value(text) and not self.readers else None


def _wish(example: Example, site: _Site, domain: Domain, texts: Sequence[str]) -> _Wish:
    """Return the patterns that read the example from its text, and similar values from
    `texts`.

    The patterns of the domain's type are used if they find the example. Raises
    SelectionError if the example is no value of that type.
    """
    text = site.page.source_text(site.sighting.node, site.sighting.source)
    seen = re.search(example.words, text)
    start, end = seen.span() if seen else (0, len(text))
    local = for_locale(domain, locale_of(site.page))
    known = {kind.name: kind for kind in local.schema.types}.get(example.name)
    kind = known or AttributeType(example.name, ValueKind.TEXT, whole=True)
    if not kind.whole:
        patterns = readers(local)
        found = {name: patterns[name] for name in kind.readers if name in patterns}
        wish = _Wish(domain, found)
        if found and (value := wish.read(text)):
            first = text.index(value[1])
            if first < end and start < first + len(value[1]):
                return wish
    regex, is_sure = span_pattern(text, start, end, texts)
    pattern = {example.pattern: re.compile(regex)} if regex else {}
    wish = _Wish(_with_type(domain, kind, example, regex), pattern, is_sure)
    shown, matched, _ = wish.read(text) or ("", "", None)
    form = NORMAL_FORMS[kind.kind](shown, matched, "")
    if kind.kind is ValueKind.URL or form[0] is None:
        raise SelectionError(
            f"{example} is no {kind.kind}, as {example.name} is in the domain "
            f"{domain.name}: call it by another name"
        )
    return wish


def _with_type(
    domain: Domain, kind: AttributeType, example: Example, regex: str
) -> Domain:
    """Return the domain with this type in place of its own type of the same name,
    and with the type's pattern."""
    is_whole = kind.kind is ValueKind.TEXT and not regex
    types = {one.name: one for one in domain.schema.types}
    for one in types.values():
        if kind.name in one.keys[1:]:
            raise SelectionError(
                f"{example}: records have {kind.name} with their {one.name}, in the "
                f"domain {domain.name}: call it by another name"
            )
    types[kind.name] = replace(types.get(kind.name, kind), whole=is_whole)
    patterns = {**domain.patterns, example.pattern: regex} if regex else domain.patterns
    schema = replace(domain.schema, types=tuple(types.values()))
    return replace(domain, schema=schema, patterns=patterns)


def span_pattern(
    text: str, start: int, end: int, texts: Sequence[str]
) -> tuple[str, bool]:
    """Return a regular expression that cuts the span out of its text and similar spans
    out of others, and whether all spans are likely at the same position. The expression
    is "" for whole texts.

    The texts before and behind the span are matched literally. Where other texts differ
    there, the word next to the value is matched, else the delimiter, counted from the
    start or the end. Of the expressions that match equally many texts, the one is
    chosen whose remaining texts look most like the example's.
    """
    if not text[:start] + text[end:]:
        return "", True
    head, tail = text[:start], text[end:]
    inside = STRONG.search(text[start:end])
    runs = [one[0] for one in (BEFORE.search(head), AFTER.search(tail)) if one]
    best, most, is_sure = "", (-1.0, -1), True
    for before, after in product(_heads(head, tail), _tails(tail, head)):
        regex = f"^{before.regex}(?P<value>.+?){after}$"
        pattern = re.compile(regex)
        own = pattern.search(text)
        if own is None or own.span("value") != (start, end):
            continue
        found = [
            match
            for one in texts
            if (match := pattern.search(one))
            and (inside or not STRONG.search(match["value"]))
        ]
        alike = sum(_left(one) == _left(own) for one in found)
        share = min(len(found), _NEARLY_ALL * len(texts))
        if (share, alike) > most:
            best, most = regex, (share, alike)
            parted = sum(
                all(one.string.count(run) == text.count(run) for run in runs)
                for one in found
            )
            is_sure = before.is_named or parted >= _MOST * len(found)
    return best, is_sure


class _Head(NamedTuple):
    """A pattern for the text before a value; `is_named` if the pattern contains a
    word."""

    regex: str
    is_named: bool = False


def _heads(head: str, tail: str) -> Iterator[_Head]:
    """Yield patterns that match the text before a value, as in the example."""
    yield _Head(re.escape(head), _WORD.search(head) is not None)
    if word := WORD_BEFORE.search(head):
        yield _Head(rf"(?:.*[\W_])?{re.escape(word[0])}", True)
    if found := BEFORE.search(head):
        delimiter, count = re.escape(found[0]), head.count(found[0])
        yield _Head(f"(?:(?:(?!{delimiter}).)*{delimiter}){{{count}}}")
        yield _Head(f".*{delimiter}")
    elif (found := AFTER.search(tail)) and STRONG.match(found[0]):
        yield _Head(f"(?:.*{re.escape(found[0])})?")


def _tails(tail: str, head: str) -> Iterator[str]:
    """Yield patterns that match the text behind a value, as in the example."""
    yield re.escape(tail)
    if word := WORD_AFTER.search(tail):
        yield rf"{re.escape(word[0])}(?:[\W_].*)?"
    if found := AFTER.search(tail):
        delimiter, count = re.escape(found[0]), tail.count(found[0])
        yield f"{delimiter}.*"
        yield f"(?:{delimiter}(?:(?!{delimiter}).)*){{{count}}}"
        if STRONG.match(found[0]):
            yield f"(?:{delimiter}.*)?"
    elif (found := BEFORE.search(head)) and STRONG.match(found[0]):
        yield f"(?:{re.escape(found[0])}.*)?"


def _left(match: re.Match[str]) -> str:
    """Return the text without the value, reduced to the characters that show its
    form."""
    start, end = match.span("value")
    left = f"{match.string[:start]}\n{match.string[end:]}"
    return _FIGURE.sub("0", _WORD.sub("a", left))
