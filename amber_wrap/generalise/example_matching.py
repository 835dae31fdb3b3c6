"""Find the element that shows a person's example value, and the matching element of
each record.

Matching elements have the same tags and classes from the record down, the same table
column, or the same label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.analysis.words_to_trim import STRONG_DELIMITER
from amber_wrap.annotate.examples import Example, ExampleSighting, Fit, sightings
from amber_wrap.annotate.headers import LABELLED, label_beside
from amber_wrap.annotate.labels_and_titles import COLONS
from amber_wrap.annotate.names import label_in, label_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.area_groups import RowKey, row_kinds

CELL: Final = "td"
"""The HTML tag of table cells."""
UNLABELLED: Final = ":labelled()"
"""The ending that `_label` gives to the key of a table cell without a label. Such a key
distinguishes cells by their table column."""
PageRecords = tuple[Page, Sequence[Record]]
"""A page, and the records of one of its lists."""
_ElementKey = tuple[str, int]
"""The key that matching elements of different records have in common. The text is the
tags and classes, the label or the table column of an element. The number counts the
earlier elements of the record with the same text."""
_RecordKey = tuple[Page, NodeId]
"""A page, and the first node of a record on it."""


class _Site(NamedTuple):
    """An element that shows a person's example value, with its page and record."""

    sighting: ExampleSighting
    page: Page
    record: Record

    @property
    def text(self) -> str:
        """The text of the element or HTML attribute that shows the example."""
        return self.page.source_text(self.sighting.node, self.sighting.source)


@dataclass(frozen=True, slots=True)
class ExampleSite:
    """The element that shows a person's example value, and the matching element of each
    record.
    """

    page: Page
    text: str
    """The text of the element, which may be longer than the example."""
    source: str
    """Where the element has the text: in its content, or in an HTML attribute such as
    `@href`."""
    values: Mapping[_RecordKey, tuple[NodeId, str]]
    """The matching element of each record, with its text."""
    is_moving: bool
    """Whether records have different numbers of matching elements. If so, `values` may
    be wrong."""


def example_site(example: Example, areas: Sequence[PageRecords]) -> ExampleSite | None:
    """Return the element that shows a person's example value, and the matching element
    of each record.

    `areas` are lists of records with their pages. Return None if no record contains the
    example.
    """
    sites = sorted(_sites(areas, example), key=lambda site: site.sighting)
    if not sites:
        return None
    kinds = row_kinds((page, record) for page, records in areas for record in records)
    keys_by_record = {
        (page, start): element_keys
        for page, records in areas
        for start, element_keys in _element_keys(page, records, kinds).items()
    }

    def key_of(site: _Site) -> _ElementKey:
        """Return the key that the element with the example has in common with matching
        elements."""
        return keys_by_record[site.page, site.record.start][site.sighting.node]

    site, example_key = sites[0], key_of(sites[0])
    if site.sighting.fit is Fit.WHOLE:
        # Some records display the value alone, and others within a longer text.
        in_longer_text = (
            candidate
            for candidate in sites
            if key_of(candidate) == example_key and _is_delimited(example, candidate)
        )
        site = next(in_longer_text, site)
    source = site.sighting.source
    values = {
        (page, start): (node, page.source_text(node, source))
        for (page, start), element_keys in keys_by_record.items()
        for node, key in element_keys.items()
        if key == example_key
    }
    example_path, _ = example_key
    counts = {
        sum(path == example_path for path, _ in element_keys.values())
        for element_keys in keys_by_record.values()
    }
    is_moving = len(counts - {0}) > 1
    return ExampleSite(site.page, site.text, source, values, is_moving)


def _is_delimited(example: Example, site: _Site) -> bool:
    """Return whether strong delimiters enclose the example within a longer text, as in
    "Ann Poe | 9 May".

    The start and the end of the text are strong delimiters, too.
    """
    head, _, tail = site.text.partition(example.text)
    if head and not _has_strong_sign(DELIMITERS_BEFORE.search(head)):
        return False
    if tail and not _has_strong_sign(DELIMITERS_AFTER.search(tail)):
        return False
    return bool(head or tail)


def _has_strong_sign(delimiters: re.Match[str] | None) -> bool:
    """Return whether the matched delimiters include a strong one, such as "|".

    Return False if there are no delimiters.
    """
    return bool(delimiters and STRONG_DELIMITER.search(delimiters[0]))


def _sites(areas: Iterable[PageRecords], example: Example) -> Iterator[_Site]:
    """Yield the elements that show a person's example value.

    `areas` are the lists of records in which the elements are sought.
    """
    for page, records in areas:
        for sighting in sightings(example, page):
            for record in records:
                if any(page.contains(row, sighting.node) for row in record.nodes):
                    yield _Site(sighting, page, record)


def _element_keys(
    page: Page, records: Sequence[Record], kinds: Mapping[RowKey, int]
) -> Mapping[NodeId, Mapping[NodeId, _ElementKey]]:
    """Return a key for each element in the records of a page, by record and element.

    Matching elements of different records have equal keys. A key has a label or the
    tags and classes from the record down, and an index. `kinds` has, for each table
    row, the number of its group of similar rows.
    """
    places = Marks(page, [record.nodes for record in records])
    paths_by_record = {
        record.start: {
            node: places.text(path)
            for node, path in places.of_record(page, record.nodes).items()
        }
        for record in records
    }
    labels = {
        node: _label(page, node) for paths in paths_by_record.values() for node in paths
    }
    unlabelled_paths = _unlabelled_paths(paths_by_record.values(), labels)
    keys_by_record = {}
    for record in records:
        paths = paths_by_record[record.start]
        keys: dict[NodeId, _ElementKey] = {}
        # The label of each element, or of its nearest ancestor with a label.
        nearest_labels: dict[NodeId, str] = {}
        seen = Counter[str]()
        for row in record.nodes:
            kind = kinds.get((page, row), 0)
            for node in page.elements(row):
                label = "" if paths[node] in unlabelled_paths else labels[node]
                if label.endswith(UNLABELLED) and kind and page.parent[node] == row:
                    label = f"{label} of kind {kind}"
                parent_label = nearest_labels.get(page.parent[node], "")
                nearest_labels[node] = label or parent_label
                is_labelled_cell = label and page.tag[node] == CELL
                path = "" if is_labelled_cell else paths[node]
                place = f"{nearest_labels[node]} {path}"
                keys[node] = place, seen[place]
                seen[place] += 1
        keys_by_record[record.start] = keys
    return keys_by_record


def _unlabelled_paths(
    records: Iterable[Mapping[NodeId, str]], labels: Mapping[NodeId, str]
) -> frozenset[str]:
    """Return the paths of tags and classes whose elements are matched without regard to
    labels.

    At such a path, only a few elements have a label, such as "Pinned:" before a few
    titles. `records` has, for each record, the path of each element. `labels` has the
    labels by element.
    """
    record_counts, labelled_counts = Counter[str](), Counter[str]()
    repeated = set[str]()
    for paths in records:
        element_counts = Counter(paths.values())
        record_counts.update(element_counts.keys())
        repeated |= {path for path, count in element_counts.items() if count > 1}
        labelled_counts.update({path for node, path in paths.items() if labels[node]})
    return frozenset(
        path
        for path, count in labelled_counts.items()
        if count < RULE.least_labelled_share * record_counts[path]
        and path not in repeated
    )


def _label(page: Page, node: NodeId) -> str:
    """Return a text that identifies an element in its record, by a label or by the
    table column.

    For example, return `:labelled(Rooms:)` for an element with a label, or
    `td2:labelled()` for the third cell. Return "" for any other element.
    """
    if page.tag[node] not in LABELLED:
        label = label_of(page, node) or label_in(page, node)
        return f":labelled({label})" if label.endswith(COLONS) else ""
    label = label_beside(page, node)
    siblings = page.child_elements(page.parent[node])
    sibling_labels = [label_beside(page, sibling) for sibling in siblings]
    has_unique_label = label and sibling_labels.count(label) == 1
    column = ""
    if page.tag[node] == CELL and not has_unique_label:
        column = f"{siblings.index(node)}"
    return f"{page.tag[node]}{column}:labelled({label})" if column or label else ""


_WORD: Final = re.compile(r"[^\W\d_]+")
"""A regular expression for a word, which `_surroundings` replaces by "a"."""
_FIGURE: Final = re.compile(r"\d+")
"""A regular expression for a number, which `_surroundings` replaces by "0"."""
DELIMITERS_BEFORE, DELIMITERS_AFTER = re.compile(r"[\W_]+$"), re.compile(r"^[\W_]+")
"""Regular expressions for the delimiters, such as " | ", before and behind a value."""
WORD_BEFORE, WORD_AFTER = re.compile(r"\w+[\W_]+$"), re.compile(r"^[\W_]+\w+")
"""Regular expressions for the word before a value and the word behind it, each with the
delimiters between the word and the value."""


def span_pattern(
    text: str, start: int, end: int, texts: Sequence[str]
) -> tuple[str, bool]:
    """Return a regular expression for the part from `start` to `end` of a text, and
    whether it is reliable.

    The expression also matches most of `texts`, the texts of the matching elements. If
    the part is the whole text, the expression is "".
    """
    head, value, tail = text[:start], text[start:end], text[end:]
    if not head + tail:
        return "", True
    has_strong_sign = STRONG_DELIMITER.search(value)
    delimiters = [
        match[0]
        for match in (DELIMITERS_BEFORE.search(head), DELIMITERS_AFTER.search(tail))
        if match
    ]
    best_regex, best_score, is_sure = "", (-1.0, -1), True
    for before, after in product(
        _head_patterns(head, tail), _tail_patterns(tail, head)
    ):
        regex = f"^{before.regex}(?P<value>.+?){after}$"
        pattern = re.compile(regex)
        own_match = pattern.search(text)
        if own_match is None or own_match.span("value") != (start, end):
            continue
        matches = [
            match
            for record_text in texts
            if (match := pattern.search(record_text))
            and (has_strong_sign or not STRONG_DELIMITER.search(match["value"]))
        ]
        own_surroundings = _surroundings(own_match)
        alike = sum(_surroundings(match) == own_surroundings for match in matches)
        matched = min(len(matches), RULE.least_matching_share * len(texts))
        if (matched, alike) > best_score:
            best_regex, best_score = regex, (matched, alike)
            equally_delimited = sum(
                all(match.string.count(run) == text.count(run) for run in delimiters)
                for match in matches
            )
            are_most = equally_delimited >= RULE.least_same_delimiters_share * len(
                matches
            )
            is_sure = before.is_named or are_most
    return best_regex, is_sure


class _HeadPattern(NamedTuple):
    """A regular expression for the text before a value.

    `is_named` is true if the expression contains a word.
    """

    regex: str
    is_named: bool = False


def _head_patterns(head: str, tail: str) -> Iterator[_HeadPattern]:
    """Yield regular expressions for the text `head` before an example, from exact to
    general.

    For example, "Tel: " gives expressions for the exact text, the last word and the
    colon. `tail` is the text behind the example.
    """
    yield _HeadPattern(re.escape(head), _WORD.search(head) is not None)
    if word := WORD_BEFORE.search(head):
        yield _HeadPattern(rf"(?:.*[\W_])?{re.escape(word[0])}", True)
    if before := DELIMITERS_BEFORE.search(head):
        delimiter, count = re.escape(before[0]), head.count(before[0])
        yield _HeadPattern(f"(?:(?:(?!{delimiter}).)*{delimiter}){{{count}}}")
        yield _HeadPattern(f".*{delimiter}")
    elif (after := DELIMITERS_AFTER.search(tail)) and STRONG_DELIMITER.match(after[0]):
        yield _HeadPattern(f"(?:.*{re.escape(after[0])})?")


def _tail_patterns(tail: str, head: str) -> Iterator[str]:
    """Yield regular expressions for the text `tail` behind an example, from exact to
    general.

    The expressions match the exact text, the first word or the first delimiter. `head`
    is the text before the example.
    """
    yield re.escape(tail)
    if word := WORD_AFTER.search(tail):
        yield rf"{re.escape(word[0])}(?:[\W_].*)?"
    if after := DELIMITERS_AFTER.search(tail):
        delimiter, count = re.escape(after[0]), tail.count(after[0])
        yield f"{delimiter}.*"
        yield f"(?:{delimiter}(?:(?!{delimiter}).)*){{{count}}}"
        if STRONG_DELIMITER.match(after[0]):
            yield f"(?:{delimiter}.*)?"
    elif (before := DELIMITERS_BEFORE.search(head)) and STRONG_DELIMITER.match(
        before[0]
    ):
        yield f"(?:{re.escape(before[0])}.*)?"


def _surroundings(match: re.Match[str]) -> str:
    """Return the text around the value in a match, with "a" for each word and "0" for
    each number.
    """
    start, end = match.span("value")
    text = f"{match.string[:start]}\n{match.string[end:]}"
    return _FIGURE.sub("0", _WORD.sub("a", text))
