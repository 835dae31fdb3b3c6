"""Choose the names of columns among those from all sources."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from types import MappingProxyType

from amber_wrap.annotate.labels_and_titles import in_heading
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.naming.distinct_names import UNNAMED
from amber_wrap.columns.naming.folders_of_links import (
    names_by_folder,
    names_by_record_folder,
    names_by_usual_folder,
)
from amber_wrap.columns.naming.forms_of_texts import are_ranks, name_by_form
from amber_wrap.columns.naming.icons import fields_of_icons
from amber_wrap.columns.naming.json_ld import JsonLdValues, names_by_property
from amber_wrap.columns.naming.labels_and_nouns import (
    names_by_label,
    names_by_link_text,
    names_by_own_label,
    words_around,
)
from amber_wrap.columns.naming.names_in_attributes_and_classes import (
    TITLE,
    best_class_names,
    names_by_attribute,
    names_by_class,
    without_block,
)
from amber_wrap.columns.naming.names_in_headers import names_by_header
from amber_wrap.columns.naming.spelling import name_of_label
from amber_wrap.columns.naming.usual_fields import has_usual_word
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.selectors.words_in_class_names import has_generic_word, has_plain_word

NAMELESS = MappingProxyType({UNNAMED: "the page has no name for it"})
"""The name "text" of columns without a name on the page, with a reason for the user."""

_ITS_FORM, _BESIDE_IT = "the form of its texts", "the word beside it"
"""The sources of names such as "date" and "comments", as words for the user."""

ITS_CLASS = "its class"
"""The words that tell the user that a column is named after a class."""

OF_TEXTS = frozenset((_ITS_FORM, _BESIDE_IT))
"""The sources of names that come from a column's texts, not from their elements."""

_OF_HEADING = "a heading that links to the page of its record"
"""The words that tell the user why a column is called "title"."""

NO_COUNTS = Counter[str]()
"""An empty counter of class names, for callers who have counted none."""

_NameFinder = Callable[[Cell], Iterator[str]]
"""A function that yields the possible names of a column from one of its texts."""


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
    classes = _usual_names(cells, names_by_class)
    best_classes = best_class_names(classes, class_counts)
    class_words = "_".join(best_classes).split("_")
    are_vague = all(has_generic_word(name.split("_")) for name in best_classes)
    labels = _usual_names(cells, names_by_own_label, COLUMN.nearly_all)
    form = "rank" if are_ranks(cells) else name_by_form([cell.text for cell in cells])
    properties = _usual_names(
        cells, lambda cell: names_by_property(cell, linked), COLUMN.all_with_exceptions
    )
    titles = _usual_names(cells, lambda cell: names_by_record_folder(cell, own_folders))
    are_different = len({cell.text for cell in cells}) > COLUMN.half * len(cells)
    are_headings = are_different and all(
        in_heading(cell.page, cell.node) and any(map(str.isalpha, cell.text))
        for cell in cells
    )
    is_untitled = has_usual_word(class_words) or not are_different
    folder_names = [
        name for name in _usual_names(cells, names_by_folder) if name not in own_folders
    ]
    names_by_origin: list[tuple[str, Iterable[str]]] = [
        *_names_in_words(cells),
        ("its property in JSON-LD", properties),
        ("its label", labels if are_vague else []),
        ("the text of its link", _usual_names(cells, names_by_link_text)),
        (_ITS_FORM, [form] if form and are_vague else []),
        (_OF_HEADING, [] if is_untitled else titles),
        (ITS_CLASS, [without_block(name, class_counts) for name in best_classes]),
        ("the folder of its link", _usual_names(cells, names_by_usual_folder)),
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
        or best_class_names(_usual_names(cells, names_by_class), NO_COUNTS)
        or _usual_names(cells, names_by_usual_folder)
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
        ("its markup", _usual_names(cells, names_by_attribute)),
        ("the header of its column", _usual_names(cells, names_by_header)),
        ("its label", _usual_names(cells, names_by_label, COLUMN.nearly_all)),
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


def _words_beside(cells: Sequence[Cell]) -> Counter[str]:
    """Return the column names from words that stand beside nearly all texts of a
    column.

    The result counts the texts that have each name. A singular and its plural count as
    one word.
    """
    counts = Counter(
        word for cell in cells for word in dict.fromkeys(words_around(cell))
    )
    by_stem = defaultdict(list)
    for word, _ in counts.most_common():
        for ending in range(COLUMN.longest_plural_ending + 2):
            by_stem[word[: len(word) - ending]].append(word)

    def names_and_plurals(cell: Cell) -> Iterator[str]:
        for word in words_around(cell):
            # The last letter of a long word may change: "reply" and "replies".
            stem = word[:-1] if len(word) > COLUMN.longest_plural_ending + 1 else word
            forms = [other for other in by_stem[stem] if len(other) >= len(word)]
            yield from map(name_of_label, forms)

    return _usual_names(cells, names_and_plurals, COLUMN.nearly_all)
