"""Find possible names of a column in words beside its values, in JSON-LD properties,
and in folders of links.

Usual fields of records, such as "price", are recognised by words in many languages.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.annotate.headers import (
    CELLS,
    header_above,
    header_cell,
    marks_of_header,
    name_above,
    term_before,
)
from amber_wrap.annotate.labels_and_titles import COLONS, is_label
from amber_wrap.annotate.names import (
    LABELLING,
    label_before_text,
    label_in,
    label_of,
    noun_behind,
)
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.cells import LINK, Cell, RecordKey
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.json_in_scripts import JSON_LD, JsonItem, item_lists, item_values
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.page import TAIL, NodeId, Page
from amber_wrap.selectors.area_groups import AreaGroup
from amber_wrap.selectors.node_tests import squeeze
from amber_wrap.values.dates import date
from amber_wrap.values.numbers_and_prices import number

HEADER_ATTRIBUTES: Final = (
    "data-label",
    "data-title",
    "data-th",
    "data-header",
    "data-column",
)
"""HTML attributes in which table cells repeat the column header for small screens."""
ARIA_LABEL: Final = "aria-label"
"""The HTML attribute with a label for screen readers."""
LABEL_BEFORE: Final = re.compile(r"([^\d:\uff1a]{2,40}?) ?[:\uff1a] ?(?=\S)")
"""A regular expression for a label at the start of a text, such as "Rooms: "."""
_COUNTED_NOUN: Final = re.compile(
    r"\(?[\d.,' \u00a0]+(?:[kKmM]\b)? ?([^\W\d_]{3,}(?: [^\W\d_]{2,})?)\)?"
)
"""A regular expression for a number and the noun that it counts, such as "12
comments"."""


def nodes_with_same_text(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield an element, and each ancestor that has the same text.

    For a line break, begin with its parent, since a line break has no text.
    """
    node = page.parent[node] if page.tag[node] == "br" else node
    length = page.text_length(node)
    while node > 0 and page.text_length(node) == length:
        yield node
        node = page.parent[node]


def headers_of(cell: Cell) -> Iterator[str]:
    """Yield the table headers above a cell's text, and the `dt` term before it."""
    page = cell.page
    for node in nodes_with_same_text(page, cell.node):
        if term := term_before(page, node):
            yield term
        yield from _short_headers(page, node)
        if header := name_above(page, cell.start, node):
            yield header
        for name in HEADER_ATTRIBUTES:
            if is_label(label := page.attributes[node].get(name, "")):
                yield label
    table_cell = _table_cell_begun_by(cell)
    if table_cell >= 0:
        yield from _short_headers(page, table_cell)


def _short_headers(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the table header above an element, if it is short.

    If there is a second header above the first, also yield both headers as one text.
    """
    header, group = (header_above(page, node, level) for level in (0, 1))
    for text in (header, f"{group} {header}" if header and group else ""):
        if 0 < len(text) <= ANNOTATION.longest_header:
            yield text


def _table_cell_begun_by(cell: Cell) -> NodeId:
    """Return the `td` or `th` whose text begins with the text of `cell`, or -1."""
    page, node = cell.page, cell.node
    while node > cell.start and page.tag[node] not in CELLS:
        node = page.parent[node]
    is_at_start = page.characters[node] == page.characters[cell.node]
    return node if is_at_start and page.tag[node] in CELLS else -1


def header_marks(cell: Cell) -> Iterator[str]:
    """Yield the classes of the header above a text in a table, if the header has no
    text.

    Classes that other headers of the table have, too, are left out.
    """
    for node in nodes_with_same_text(cell.page, cell.node):
        if (header := header_cell(cell.page, node)) >= 0:
            yield from marks_of_header(cell.page, header)


def labels_of_value(cell: Cell) -> Iterator[str]:
    """Yield the texts beside a value that can only be labels of the value.

    Such a text ends with a colon, names a usual field such as "price", or is a short
    ARIA label.
    """
    for label in words_beside(cell):
        if label.endswith(COLONS) or usual_field(label):
            yield label
    for node in nodes_with_same_text(cell.page, cell.node):
        if is_label(label := cell.page.attributes[node].get(ARIA_LABEL, "")):
            yield label


def words_beside(cell: Cell) -> Iterator[str]:
    """Yield the texts that may be labels of a value, such as "comments" for "12
    comments".

    Such a text is beside the value's element, in an HTML attribute of the element, or
    within the value.
    """
    page, node = cell.page, cell.node
    if cell.source == TAIL and (label := label_before_text(page, node)):
        yield label if label.endswith(COLONS) else f"{label}:"
    if cell.source != LINK and (label_match := LABEL_BEFORE.match(cell.text)):
        yield f"{label_match[1]}:"
    for outer in nodes_with_same_text(page, node):
        for attribute in LABELLING:
            if is_label(label := page.attributes[outer].get(attribute, "")):
                yield label
        yield from filter(None, [_text_before(page, outer), noun_behind(page, outer)])
    yield from filter(None, [label_of(page, node), label_in(page, node)])
    if noun_match := _COUNTED_NOUN.fullmatch(cell.text):
        yield noun_match[1]


def _text_before(page: Page, node: NodeId) -> str:
    """Return the label with a colon that is the text directly before an element, or ""
    if there is none."""
    before = [child for child in page.children(page.parent[node]) if child < node]
    if not before or not page.is_text(before[-1]):
        return ""
    text = " ".join(page.text[before[-1]].split())
    return text if text.endswith(COLONS) and is_label(text) else ""


_MOST_ITEMS: Final = 200
"""The limit for the JSON-LD items that are compared with a page's records. It is also
the limit for these records."""
_NAMING_PROPERTIES: Final = ("name", "headline", "title")
"""The schema.org properties whose texts distinguish one item from others."""
_SHORTEST_NAME: Final = 4
"""The least number of letters and digits of a text that distinguishes an item."""
_NUMBER: Final = re.compile(r"\d{1,15}(?:\.\d+)?")
"""A regular expression for a JSON-LD value that is a number."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d(?!\d)")
"""A regular expression for a JSON-LD value that begins with an ISO date."""
_ITEM_PREFIX: Final = "item."
"""The prefix of the properties of an item within a schema.org ListItem."""
_PLAIN_PROPERTIES: Final = frozenset({"name", "value", "text", "url", "@id", "@value"})
"""JSON-LD properties whose names are too general for a column. For example, the `name`
of an `author` is an author."""

PropertyValues = Sequence[tuple[str, object]]
"""The properties and values of a JSON-LD item, as pairs (path of the property,
value)."""
JsonLdValues = Mapping[RecordKey, PropertyValues]
"""The properties and values of the JSON-LD item of each record."""


def json_ld_values(group: AreaGroup) -> JsonLdValues:
    """Return the properties and values of the JSON-LD item that describes each record.

    The items come from the first JSON-LD list on a page that describes at least half of
    the page's records. Records that this list doesn't describe are left out.
    """
    records_by_page: dict[Page, list[Record]] = {}
    for page, record in group.records():
        records_by_page.setdefault(page, []).append(record)
    linked: dict[RecordKey, PropertyValues] = {}
    for page, records in records_by_page.items():
        for item_list in item_lists(page):
            if item_list.script != JSON_LD:
                continue
            items = item_list.items[:_MOST_ITEMS]
            matched = _values_by_record(page, records[:_MOST_ITEMS], items)
            if len(matched) >= COLUMN.half * len(records):
                linked |= {(page, start): values for start, values in matched.items()}
                break
    return linked


def property_names(values: PropertyValues, text: str) -> Iterator[str]:
    """Yield the names of the JSON-LD properties in `values` whose values equal a
    displayed text."""
    for key, value in values:
        if _is_same(text, value) and (name := _property_name(key)):
            yield name


def _values_by_record(
    page: Page, records: Sequence[Record], items: Sequence[JsonItem]
) -> dict[NodeId, PropertyValues]:
    """Return the JSON-LD properties and values of each record, by the record's first
    node.

    A record has the properties of the JSON-LD item whose name it displays. Records
    without an item are left out.
    """
    values_of_items = [list(item_values(item)) for item in items]
    names_of_items = [list(_identifying_texts(values)) for values in values_of_items]
    record_texts = [
        squeeze(" ".join(map(page.string, record.nodes))) for record in records
    ]
    shows_name = [
        [any(name in text for name in names) for names in names_of_items]
        for text in record_texts
    ]
    # The greatest number of pairs among the records and items from these indexes on.
    pairs = [[0] * (len(items) + 1) for _ in range(len(records) + 1)]
    for row in reversed(range(len(records))):
        for column in reversed(range(len(items))):
            with_pair = shows_name[row][column] + pairs[row + 1][column + 1]
            pairs[row][column] = max(
                with_pair, pairs[row + 1][column], pairs[row][column + 1]
            )
    values_by_record: dict[NodeId, PropertyValues] = {}
    column = 0
    for row, record in enumerate(records):
        pairs_left = pairs[row][column]
        if pairs_left == pairs[row + 1][column]:
            continue
        while pairs[row][column + 1] == pairs_left:
            column += 1
        values_by_record[record.start] = values_of_items[column]
        column += 1
    return values_by_record


def _identifying_texts(values: PropertyValues) -> Iterator[str]:
    """Yield the names and titles of a JSON-LD item, reduced to lower-case letters and
    digits.

    Names and titles with fewer than `_SHORTEST_NAME` letters and digits are left out.
    """
    for key, value in values:
        is_name = key.removeprefix(_ITEM_PREFIX) in _NAMING_PROPERTIES
        if is_name and isinstance(value, str):
            text = squeeze(value)
            if len(text) >= _SHORTEST_NAME:
                yield text


def _is_same(text: str, value: object) -> bool:
    """Return whether a displayed text and a JSON-LD value are the same text, number or
    date.

    `value` is the value of a JSON-LD property.
    """
    wanted = str(value)
    if squeeze(text) == squeeze(wanted) != "":
        return True
    if _NUMBER.fullmatch(wanted):
        return number(text) == float(wanted)
    return bool(_DAY.match(wanted)) and (date(text) or "")[:10] == wanted[:10]


def _property_name(key: str) -> str:
    """Return the part of a JSON-LD property's path that may name a column, or "".

    For example, return "author" for "author.name".
    """
    parts = key.removeprefix(_ITEM_PREFIX).split(".")
    while len(parts) > 1 and parts[-1] in _PLAIN_PROPERTIES:
        parts.pop()
    return "" if parts[-1].startswith("@") else parts[-1]


UNSHOWN: Final = frozenset({"image", "website"})
"""Fields whose values pages don't display as texts. If a text is in an element with a
class such as `card-image`, the text isn't the value of this field."""
_ENGLISH, _OTHER = "english", "other"
"""The keys in `data/fields.toml` of the English words for fields, and of the words in
other languages."""
_SHORTEST_WORD: Final = 3
"""The least number of letters of a word that names a field in a class, such as "price"
in `card-price`."""
_OUTER_SIGNS: Final = re.compile(r"^[\s\W_]+|[\s.:\uff1a*]+$")
"""A regular expression for punctuation around the words of a label, such as a colon."""
_FIELD_OF_FOLDER: Final = {
    **dict.fromkeys(("author", "username"), "author"),
    **{name: name for name in ("tags", "category", "company", "brand", "artist")},
    **{name: name for name in ("team", "player", "country", "region", "city", "venue")},
}
"""The column names that folders in links give, by the field that the folder stands for.
For example, a folder for user names gives the column name "author"."""


def usual_field(label: str) -> str:
    """Return the name of the field that a label in any language stands for, such as
    "price" for "Preis".

    Return "" if the label stands for none of the usual fields of records.
    """
    fields, text = fields_by_word(), " ".join(label.split()).casefold()
    return fields.get(text) or fields.get(_without_outer_signs(text), "")


def is_english_field(label: str) -> bool:
    """Return whether a label is an English word for a usual field, such as "price"."""
    word = _without_outer_signs(" ".join(label.split()).casefold())
    return word in fields_by_word(_ENGLISH)


def _without_outer_signs(text: str) -> str:
    """Return a label without the punctuation around its words, such as a colon."""
    return _OUTER_SIGNS.sub("", text)


def has_usual_word(words: Iterable[str]) -> bool:
    """Return whether one of the lower-case words names a usual field, such as
    "price"."""
    return not _class_words().isdisjoint(words)


@cache
def fields_by_word(*lists: str) -> Mapping[str, str]:
    """Return a dict from words to the usual fields that the words name, such as "Preis"
    to "price".

    `lists` are the keys of word lists in `data/fields.toml`. The default is the lists
    of all languages.
    """
    path = files(__package__).joinpath("data/fields.toml")
    fields: dict[str, str] = {}
    for field, words in tomllib.loads(path.read_text("utf-8")).items():
        phrases = ",".join(words.get(key, "") for key in lists or (_ENGLISH, _OTHER))
        for phrase in phrases.split(","):
            if word := " ".join(phrase.split()).casefold():
                fields.setdefault(word, field)
    return fields


@cache
def _class_words() -> frozenset[str]:
    """Return the words that name a usual field in a class, such as "price" in
    `card-price`.

    Short words, and words for images and websites, are left out.
    """
    return frozenset(
        word
        for word, field in fields_by_word().items()
        if word.isalpha() and len(word) >= _SHORTEST_WORD and field not in UNSHOWN
    )


def link_folders(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the folders in the path of a link's target, the innermost first.

    Yield nothing if the element is no link.
    """
    path = without_query(path_and_query(page.attributes[node].get("href", "")))
    names = path.strip("/").split("/")[:-1]
    yield from (name for name in reversed(names) if name)


def field_of_link_folder(page: Page, node: NodeId) -> str:
    """Return the usual field of records that a folder in a link's target names, or "".

    For example, return "author" for a link to `/user/17`.
    """
    fields = (
        _FIELD_OF_FOLDER.get(usual_field(folder), "")
        for folder in link_folders(page, node)
    )
    return next(filter(None, fields), "")
