"""Name columns by words on the page, by the markup, or by the kind of the values."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import MappingProxyType

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.annotate.headers import CLICKED
from amber_wrap.annotate.labels_and_titles import in_heading, is_label
from amber_wrap.annotate.names import LABELLING, label_of
from amber_wrap.columns.cells import LINK, Cell
from amber_wrap.columns.icon_names import fields_of_icons
from amber_wrap.columns.name_sources import (
    JsonLdValues,
    field_of_link_folder,
    has_usual_word,
    header_marks,
    headers_of,
    labels_of_value,
    link_folders,
    nodes_with_same_text,
    property_names,
    usual_field,
    words_beside,
)
from amber_wrap.columns.names_from_texts import (
    are_ranks,
    name_by_form,
    words_before_number,
)
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.valid_names import (
    UNNAMED,
    name_of_header,
    name_of_label,
    snake_case_name,
    without_block,
    written_part,
)
from amber_wrap.dom.page import ITEM_PROPERTY, NAMING_ATTRIBUTES, OWN_TEXT, NodeId, Page
from amber_wrap.selectors.volatile_names import (
    CLASS,
    describes_looks,
    has_content_word,
    has_generic_word,
    has_plain_word,
)
from amber_wrap.values.texts_and_urls import DIGIT

NAMELESS = MappingProxyType({UNNAMED: "the page has no name for it"})
"""The name "text" of columns without a name on the page, with a reason for the user."""
NAME, TITLE, ADDRESS = "name", "title", "address"
"""`NAME` is the microdata property `name`. `TITLE` is the name of a column of titles.
`ADDRESS` is both the HTML tag of addresses and the name of a column of addresses."""
ITS_CLASS = "its class"
"""The words that tell the user that a column is named after a class."""
_IMAGE = "image"
"""The name of the field of images, which no column of texts can have."""
_ITS_FORM, _BESIDE_IT = "the form of its texts", "the word beside it"
"""The sources of names such as "date" and "comments", as words for the user."""
OF_TEXTS = frozenset((_ITS_FORM, _BESIDE_IT))
"""The sources of names that come from a column's texts, not from their elements."""
_OF_HEADING = "a heading that links to the page of its record"
"""The words that tell the user why a column is called "title"."""
_HEADLINES = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
"""HTML tags of headings."""

NO_COUNTS = Counter[str]()
"""An empty counter of class names, for callers who have counted none."""
_NameFinder = Callable[[Cell], Iterator[str]]
"""A function that yields the possible names of a column from one of its texts."""


def class_name_counts(records: Iterable[tuple[Page, Record]]) -> Counter[str]:
    """Return, for each column name, how many elements in the records have a class for
    it.

    For example, an element of the class `card__title` counts for "title".
    """
    return Counter(
        name
        for page, record in records
        for row in record.nodes
        for node in page.elements(row)
        for name in dict.fromkeys(_names_in_classes(page, node))
    )


def names_with_origins(
    cells: Sequence[Cell],
    class_counts: Counter[str] = NO_COUNTS,
    own_folders: Collection[str] = (),
    linked: JsonLdValues = MappingProxyType({}),
) -> dict[str, str]:
    """Return a dict from a column's possible names, the best first, to their sources.

    `class_counts` has the number of elements with a class for a name. `own_folders` has
    the first folders of links to the records' pages. `linked` has the JSON-LD
    properties of each record.
    """
    classes = _usual_names(cells, _by_class)
    best_classes = _best_classes(classes, class_counts)
    class_words = "_".join(best_classes).split("_")
    are_vague = all(has_generic_word(name.split("_")) for name in best_classes)
    labels = _usual_names(cells, _by_own_label, COLUMN.nearly_all)
    form = "rank" if are_ranks(cells) else name_by_form([cell.text for cell in cells])
    properties = _usual_names(
        cells, lambda cell: _by_property(cell, linked), COLUMN.all_with_exceptions
    )
    titles = _usual_names(cells, lambda cell: _by_record_folder(cell, own_folders))
    are_different = len({cell.text for cell in cells}) > COLUMN.half * len(cells)
    are_headings = are_different and all(
        in_heading(cell.page, cell.node) and any(map(str.isalpha, cell.text))
        for cell in cells
    )
    is_untitled = has_usual_word(class_words) or not are_different
    folder_names = [
        name for name in _usual_names(cells, _by_folder) if name not in own_folders
    ]
    names_by_origin: list[tuple[str, Iterable[str]]] = [
        *_names_in_words(cells),
        ("its property in JSON-LD", properties),
        ("its label", labels if are_vague else []),
        ("the text of its link", _usual_names(cells, _by_link_text)),
        (_ITS_FORM, [form] if form and are_vague else []),
        (_OF_HEADING, [] if is_untitled else titles),
        (ITS_CLASS, [without_block(name, class_counts) for name in best_classes]),
        ("the folder of its link", _usual_names(cells, _by_usual_folder)),
        (_ITS_FORM, [form] if form else []),
        (_OF_HEADING, titles),
        (_BESIDE_IT, _words_beside(cells)),
        ("the icon beside it", _usual_names(cells, fields_of_icons)),
        ("the folder of its link", folder_names),
        ("the headings of its texts", [TITLE] if are_headings else []),
    ]
    origins: dict[str, str] = {}
    for origin, names in names_by_origin:
        for name in names:
            origins.setdefault(name, origin)
    spelt_classes = [name for name in classes if has_plain_word(name.split("_"))]
    return origins or dict.fromkeys(spelt_classes, ITS_CLASS) or dict(NAMELESS)


def has_own_name(cells: Sequence[Cell]) -> bool:
    """Return whether a page names the column of `cells`.

    The name may come from HTML attributes such as `itemprop`, table headers, labels,
    classes, or folders of links (`/user/17` gives "author").
    """
    return bool(
        any(names for _, names in _names_in_words(cells))
        or _best_classes(_usual_names(cells, _by_class), NO_COUNTS)
        or _usual_names(cells, _by_usual_folder)
    )


def is_named_in_words(cells: Sequence[Cell]) -> bool:
    """Return whether markup, a table header, a label or a word beside the texts names
    the column of `cells`."""
    return any(names for _, names in _names_in_words(cells)) or bool(
        _words_beside(cells)
    )


def _names_in_words(cells: Sequence[Cell]) -> list[tuple[str, Counter[str]]]:
    """Return pairs (source, names) for markup, headers and labels that name a column.

    `source` is a text for the user. `names` counts the column's texts with each name.
    """
    return [
        ("its markup", _usual_names(cells, _by_attribute)),
        ("the header of its column", _usual_names(cells, _by_header)),
        ("its label", _usual_names(cells, _by_label, COLUMN.nearly_all)),
    ]


def _usual_names(
    cells: Sequence[Cell],
    names_of: _NameFinder,
    share: float = COLUMN.least_named_share,
) -> Counter[str]:
    """Return the names that belong to at least `share` of a column's texts, the most
    frequent first.

    `names_of` yields the names of one text. The result counts the texts that have each
    name.
    """
    counts = Counter(
        name for cell in cells for name in dict.fromkeys(filter(None, names_of(cell)))
    )
    least = share * len(cells)
    return Counter(
        {name: count for name, count in counts.most_common() if count >= least}
    )


def _best_classes(names: Counter[str], class_counts: Counter[str]) -> list[str]:
    """Return the class names that describe content, such as "venue", the best first.

    If some of the names stand for a usual field of records, such as "price", only these
    are returned. `names` has the number of the column's texts with a class for the
    name. `class_counts` has the number of all elements with such a class.
    """
    nouns = [name for name in names if has_content_word(name.split("_"))]
    usual = [name for name in nouns if has_usual_word(name.split("_"))]

    def rank(name: str) -> tuple[bool, float, int, bool]:
        """Return a sort key of a name. The best name has the lowest key."""
        is_look, is_vague = describes_looks(name.split("_")), not usual_field(name)
        return is_look, class_counts[name] / names[name], -names[name], is_vague

    return sorted(usual or nouns, key=rank)


def _by_attribute(cell: Cell) -> Iterator[str]:
    """Yield the column names that HTML attributes such as `itemprop` give.

    The attributes belong to the text's element, or to ancestors with the same text.
    """
    page = cell.page
    for node in nodes_with_same_text(page, cell.node):
        if page.attributes[node].get(ITEM_PROPERTY) == NAME:
            yield from _names([_item_of(cell, node)], ITEM_PROPERTY)
        for attribute in NAMING_ATTRIBUTES:
            yield from _names([page.attributes[node].get(attribute, "")], attribute)


def _item_of(cell: Cell, node: NodeId) -> str:
    """Return the `itemprop`, or else the type, of the microdata item around `node`.

    Return "" if the record contains no such item. Also return "" if the item has no
    `itemprop` and holds at least half of the record's text.
    """
    page, record_length = cell.page, cell.page.text_length(cell.start)
    item = page.parent[node]
    while item > cell.start:
        attributes = page.attributes[item]
        if "itemscope" in attributes:
            is_record = 2 * page.text_length(item) >= record_length
            type_ = attributes.get("itemtype", "").rstrip("/").rpartition("/")[2]
            return attributes.get(ITEM_PROPERTY, "") or ("" if is_record else type_)
        item = page.parent[item]
    return ""


def _by_property(cell: Cell, linked: JsonLdValues) -> Iterator[str]:
    """Yield the names of the record's JSON-LD properties whose value is the text of
    `cell`.

    `linked` has the JSON-LD properties of each record.
    """
    values = linked.get(cell.record, ())
    yield from _names(property_names(values, cell.text), ITEM_PROPERTY)


def _by_header(cell: Cell) -> Iterator[str]:
    """Yield the column names that the table headers or `dt` terms of a record's text
    give.

    Yield "" for a header whose text gives no name.
    """
    yield from map(name_of_header, headers_of(cell))
    yield from _names(header_marks(cell), CLASS)


def _by_label(cell: Cell) -> Iterator[str]:
    """Yield the column names from texts that are certainly labels, such as texts that
    end with a colon.

    Yield "" for a label whose text gives no name.
    """
    yield from map(name_of_label, labels_of_value(cell))


def _by_own_label(cell: Cell) -> Iterator[str]:
    """Yield the column names that an element's tooltip and the text directly before it
    give.

    The tooltips of links are left out.
    """
    page, length = cell.page, cell.page.text_length(cell.node)
    descendants = page.elements(cell.node)[1:]
    inner = (node for node in descendants if page.text_length(node) == length)
    for node in (*inner, *nodes_with_same_text(page, cell.node)):
        yield name_of_label(label_of(page, node))
        if page.tag[node] not in CLICKED:
            labels = (page.attributes[node].get(name, "") for name in LABELLING)
            yield from map(name_of_label, filter(is_label, labels))


def _by_link_text(cell: Cell) -> Iterator[str]:
    """Yield the column name that the text of a link gives, such as "pdf" for "PDF".

    Long texts give no name.
    """
    length = cell.page.text_length(cell.node)
    if cell.source == LINK and 0 < length <= COLUMN.longest_label:
        yield name_of_label(cell.page.string(cell.node))


def _words_beside(cells: Sequence[Cell]) -> Counter[str]:
    """Return the column names from words that stand beside nearly all texts of a
    column.

    The result counts the texts that have each name. A singular and its plural count as
    one word.
    """
    counts = Counter(
        word for cell in cells for word in dict.fromkeys(_words_around(cell))
    )
    by_stem = defaultdict(list)
    for word, _ in counts.most_common():
        for ending in range(COLUMN.longest_plural_ending + 2):
            by_stem[word[: len(word) - ending]].append(word)

    def names_and_plurals(cell: Cell) -> Iterator[str]:
        for word in _words_around(cell):
            # The last letter of a long word may change: "reply" and "replies".
            stem = word[:-1] if len(word) > COLUMN.longest_plural_ending + 1 else word
            forms = [other for other in by_stem[stem] if len(other) >= len(word)]
            yield from map(name_of_label, forms)

    return _usual_names(cells, names_and_plurals, COLUMN.nearly_all)


def _words_around(cell: Cell) -> Iterator[str]:
    """Yield the texts that may be labels of a value, such as "comments".

    For a part of a text, also yield the words before its number: "Room" in "Room B12".
    """
    yield from words_beside(cell)
    if cell.part:
        yield from words_before_number(cell.text)


def _by_class(cell: Cell) -> Iterator[str]:
    """Yield the column names from classes of a text's element and of ancestors with the
    same text.

    Classes for images, such as `card__image`, name only the values of HTML attributes.
    """
    # Classes of ancestors also name texts beside the element's own text.
    is_own_text = cell.source == OWN_TEXT
    for node in (
        [cell.node] if is_own_text else nodes_with_same_text(cell.page, cell.node)
    ):
        for name in _names_in_classes(cell.page, node):
            is_of_image = usual_field(name.rpartition("_")[2]) == _IMAGE
            if not is_of_image or cell.source.startswith("@"):
                yield name


def _names_in_classes(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the column names that the classes of an element give, the last class first.

    For an `<address>` with a digit, also yield "address". An `<address>` without a
    digit may name the author of an article.
    """
    is_address = page.tag[node] == ADDRESS and DIGIT.search(page.string(node))
    tags = [ADDRESS] if is_address else []
    return _names([*reversed(page.classes(node)), *tags], CLASS)


def _by_usual_folder(cell: Cell) -> Iterator[str]:
    """Yield the usual field that a folder of a link names, such as "author" for
    `/user/17`.

    The link is the text's element or an ancestor with the same text.
    """
    for node in nodes_with_same_text(cell.page, cell.node):
        yield field_of_link_folder(cell.page, node)


def _by_record_folder(cell: Cell, own_folders: Collection[str]) -> Iterator[str]:
    """Yield "title" if a text is a heading with a link into one of the `own_folders`.

    `own_folders` has the first folders of links to the records' pages.
    """
    page, nodes = cell.page, list(nodes_with_same_text(cell.page, cell.node))
    leads_to_record = any(
        snake_case_name(folder) in own_folders
        for node in nodes
        for folder in link_folders(page, node)
    )
    if leads_to_record and any(page.tag[node] in _HEADLINES for node in nodes):
        yield TITLE


def _by_folder(cell: Cell) -> Iterator[str]:
    """Yield the first folder of a link's target as a name, for example `shelves` for
    `/shelves/17`."""
    for node in nodes_with_same_text(cell.page, cell.node):
        yield from _names(list(link_folders(cell.page, node))[-1:], "href")


def _names(words: Iterable[str], attribute: str) -> Iterator[str]:
    """Yield the valid column names among the words in an HTML attribute.

    Words that give no valid name are skipped.
    """
    for word in words:
        if word and (name := snake_case_name(written_part(word, attribute))):
            yield name
