"""Find values in HTML attributes of elements without text, and in link targets.

Examples are stars with `title="4.5 out of 5"`, and flags with `alt="Norway"`.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.columns.cells import LINK, Cell, RecordKey
from amber_wrap.columns.elements_with_texts import has_content
from amber_wrap.columns.link_targets import (
    headed_cell,
    leads_to_page,
    may_hide_target,
    scheme_of,
)
from amber_wrap.columns.naming.forms_of_texts import RATING
from amber_wrap.columns.outer_elements import table_column
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import DAY, column_form
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.page import ITEM_PROPERTY, NodeId, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.selectors.node_tests import SHORTEST_VALUE
from amber_wrap.values import dates
from amber_wrap.values.numbers_and_prices import money, to_number
from amber_wrap.values.texts import squeeze

CONTENT: Final = "content"
"""The HTML attribute in which microdata holds a value that isn't displayed."""
_DATA_NAME: Final = re.compile(
    r"data-(?:[a-z-]+-)?(?:rating|score|stars|votes|count|date|time|timestamp|price)"
)
"""A regular expression for names of HTML attributes that hold values, such as
`data-rating`."""
_NUMBER: Final = re.compile(r"[^\d\w]*(\d+(?:[.,]\d+)*)[^\d\w]*")
"""A regular expression for a number with punctuation around it, such as "(12)". Texts
of this form are compared as numbers."""
_TIME: Final = re.compile(r"\d\d?[:.]\d\d(?!\d|[./-])")
"""A regular expression for a time of day. If one of two dates has no time of day, only
their days are compared."""


class ComparableText(NamedTuple):
    """A text in two forms for comparison with other texts: as an exact value, and as
    words.
    """

    exact: str
    """The ISO date, the number or the URL path that the text shows, or else the
    text."""
    words: str = ""
    """The letters and digits of the text, or "" if it shows a date, a number or a
    URL."""


def attribute_columns(
    group: AreaGroup,
    marks: Sequence[Marks],
    columns: Sequence[Sequence[Cell]],
    least: int,
) -> list[list[Cell]]:
    """Return columns of HTML attributes and link targets in similar lists.

    A column is left out if it repeats one of the `columns`, or has values in fewer than
    `least` records. `marks` gives the tags and classes above each element, for each
    list in `group`.
    """
    known_columns = [_comparable_column(column) for column in columns]
    texts_by_type: dict[str, list[tuple[RecordKey, str]]] = defaultdict(list)
    read_places = set()
    for page, start, attributes in group.attributes():
        for attribute in attributes:
            text = attribute.text or ""
            read_places.add((page, attribute.node, attribute.source))
            texts_by_type[attribute.type].append(((page, start), text))
    known_columns += map(_comparable_texts, texts_by_type.values())
    new_columns = []
    record_count = sum(1 for _ in group.records())
    for column in _html_attribute_columns(group, marks):
        is_read = all(
            (cell.page, cell.node, cell.source) in read_places for cell in column
        )
        if is_read and _are_numbers(column):
            continue
        if len(column) >= least and _are_values(column, record_count):
            texts = _comparable_column(column)
            is_link = column[0].source == LINK
            if not any(_repeats(texts, known, is_link) for known in known_columns):
                known_columns.append(texts)
                new_columns.append(column)
    return new_columns


def _html_attribute_columns(
    group: AreaGroup, marks: Sequence[Marks]
) -> Iterable[list[Cell]]:
    """Return columns of HTML attributes, such as `title`.

    The attributes of a column have one name, and their elements have the same tags and
    classes. Items of lists within records, such as the colours of an article, are left
    out.
    """
    columns: dict[tuple[str, int], list[Cell]] = defaultdict(list)
    for (page, area), places in zip(group.members, marks, strict=True):
        for record in area.records:
            paths = places.of_record(page, record.nodes)
            seen: Counter[str] = Counter()
            nodes = (node for row in record.nodes for node in page.elements(row)[1:])
            for node in nodes:
                place = places.text(paths[node])
                if cell := headed_cell(page, node):
                    place = f"{table_column(page, cell)} > {place}"
                if not page.text_length(node) or may_hide_target(page, node):
                    for name in _value_attributes(page, node):
                        source = f"@{name}"
                        text = page.source_text(node, source)
                        if text and (
                            source == LINK or len(text) <= COLUMN.shortest_description
                        ):
                            value = Cell(page, record.start, node, text, source)
                            columns[f"{source} {place}", seen[place]].append(value)
                seen[place] += 1
    record_counts: dict[str, list[int]] = defaultdict(list)
    for (place, _), column in sorted(columns.items(), key=lambda item: item[0][1]):
        record_counts[place].append(len(column))
    return [
        column
        for (place, _), column in columns.items()
        if not _are_items(record_counts[place])
    ]


def _are_items(record_counts: Sequence[int]) -> bool:
    """Return whether similar elements are items of a list, such as the colours of an
    article.

    The first item of `record_counts` is the number of records with such an element. The
    second is the number of records with two or more, and so on.
    """
    are_several = len(record_counts) > 1 and 2 * record_counts[1] > record_counts[0]
    return are_several and 2 * record_counts[-1] < record_counts[0]


def _value_attributes(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the names of an element's HTML attributes that may hold a value, such as
    `title`, or `href` for a link.
    """
    attributes = page.attributes[node]
    if ITEM_PROPERTY in attributes and CONTENT in attributes:
        yield CONTENT
    yield from (name for name in attributes if _DATA_NAME.fullmatch(name))
    labelling = (name for name in LABELLING if attributes.get(name, "").strip())
    yield from islice(labelling, 1)
    if page.tag[node] == "a" and leads_to_page(page, node):
        yield "href"


def _are_values(column: Sequence[Cell], record_count: int) -> bool:
    """Return whether the texts of an HTML attribute are values rather than decoration.

    For example, numbers, dates, `mailto:` links and recurring texts are values.
    `record_count` is the number of all records of the list.
    """
    texts = [cell.text for cell in column]
    distinct = len(set(map(_without_subject, texts)))
    if distinct < COLUMN.least_records or not all(map(has_content, texts)):
        return False
    if column[0].source == LINK:
        if all(map(scheme_of, texts)):
            return True
        labels = {cell.page.string(cell.node) for cell in column}
        return len(labels) == 1 and distinct >= COLUMN.nearly_all * len(texts)
    is_repeated = 2 * (distinct - 1) <= len(texts) > distinct
    has_names = is_repeated or all(map(_is_logo, column))
    are_names = has_names and len(texts) >= record_count / 2
    is_microdata = column[0].source == f"@{CONTENT}"
    return are_names or is_microdata or column_form(texts).kind is not ValueKind.TEXT


def _is_logo(cell: Cell) -> bool:
    """Return whether a text belongs to an image of a logo.

    The word "logo" must be in the address of the image, or in a class. The class may be
    that of the image, or of one of the two elements around it.
    """
    page, node = cell.page, cell.node
    parent = page.parent[node]
    names = [page.attributes[node].get("src", "")]
    for element in (node, parent, page.parent[parent]):
        names += page.classes(element)
    return page.tag[node] == "img" and "logo" in " ".join(names).lower()


def _are_numbers(column: Sequence[Cell]) -> bool:
    """Return whether the texts of a column are numbers, alone or with constant words,
    as in "12 comments"."""
    form = column_form([cell.text for cell in column])
    return form.kind in (ValueKind.COUNT, ValueKind.NUMBER)


def _without_subject(text: str) -> str:
    """Return a `mailto:` link without its parameters, such as the subject of the email.

    Return any other text unchanged.
    """
    return text.partition("?")[0] if text.startswith("mailto:") else text


def _comparable_column(column: Iterable[Cell]) -> dict[RecordKey, ComparableText]:
    """Return the texts of a column by record, each in a form that can be compared.

    Empty texts are left out.
    """
    return _comparable_texts((cell.record, cell.text) for cell in column)


def _comparable_texts(
    texts: Iterable[tuple[RecordKey, str]],
) -> dict[RecordKey, ComparableText]:
    """Return the texts by record, each in a form that can be compared.

    Empty texts are left out.
    """
    return {record: _comparable_text(text) for record, text in texts if text}


def _comparable_text(text: str) -> ComparableText:
    """Return a text in a form that can be compared with other texts.

    For example, "4,5 von 5 Sternen" has the same form as the number "4.5". Two
    spellings of one date have the same form, too.
    """
    if DAY.match(day := dates.date(text) or ""):
        return ComparableText(day if _TIME.search(text) else day[:10])
    number = _NUMBER.fullmatch(text) or RATING.fullmatch(text)
    if number and number[1]:
        return ComparableText(f"{float(to_number(number[1]))}")
    amount, currency, _ = money(text)
    if amount is not None and currency:
        return ComparableText(f"{float(amount)}")
    if "/" in text and " " not in text:
        return ComparableText(without_query(path_and_query(text)))
    return ComparableText(text, squeeze(text))


def _repeats(
    texts: Mapping[RecordKey, ComparableText],
    known: Mapping[RecordKey, ComparableText],
    is_link: bool,
) -> bool:
    """Return whether nearly all texts of a column repeat the text that `known` has for
    the same record.

    Equal texts are repetitions. If `is_link` is false, a long text that contains the
    known text, or is contained in it, is a repetition, too.
    """

    def is_repeated(text: ComparableText, known_text: ComparableText | None) -> bool:
        """Return whether two texts are equal, or both are long and one contains the
        other."""
        if known_text is None:
            return False
        if text.exact == known_text.exact:
            return True
        words, known_words = text.words, known_text.words
        are_long = min(len(words), len(known_words)) >= SHORTEST_VALUE
        is_nested = words in known_words or known_words in words
        return not is_link and are_long and is_nested

    repeated = sum(
        is_repeated(text, known.get(record)) for record, text in texts.items()
    )
    return repeated >= COLUMN.nearly_all * len(texts)
