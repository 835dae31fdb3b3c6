"""Find names of columns in HTML attributes such as `itemprop` and in classes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from amber_wrap.analysis.extraction_typing import Record
from amber_wrap.columns.cells import Cell, nodes_with_same_text
from amber_wrap.columns.naming.spelling import snake_case_name
from amber_wrap.columns.naming.usual_fields import has_usual_word, usual_field
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.page import ITEM_PROPERTY, NAMING_ATTRIBUTES, OWN_TEXT, NodeId, Page
from amber_wrap.dom.utility_classes import is_component_class, utility_kind
from amber_wrap.domain.schema import IMAGE
from amber_wrap.selectors.volatile_names import (
    CLASS,
    HASHED,
    NUMERIC,
    part_beside_number,
    stem,
    veto,
)
from amber_wrap.selectors.words_in_class_names import describes_looks, has_content_word
from amber_wrap.values.texts import DIGIT

NAME, TITLE, ADDRESS = "name", "title", "address"
"""`NAME` is the microdata property `name`. `TITLE` is the name of a column of titles.
`ADDRESS` is both the HTML tag of addresses and the name of a column of addresses."""


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


def best_class_names(names: Counter[str], class_counts: Counter[str]) -> list[str]:
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


def names_by_attribute(cell: Cell) -> Iterator[str]:
    """Yield the column names that HTML attributes such as `itemprop` give.

    The attributes belong to the text's element, or to ancestors with the same text.
    """
    page = cell.page
    for node in nodes_with_same_text(page, cell.node):
        if page.attributes[node].get(ITEM_PROPERTY) == NAME:
            yield from names_of_words([_item_of(cell, node)], ITEM_PROPERTY)
        for attribute in NAMING_ATTRIBUTES:
            yield from names_of_words(
                [page.attributes[node].get(attribute, "")], attribute
            )


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


def names_by_class(cell: Cell) -> Iterator[str]:
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
            is_of_image = usual_field(name.rpartition("_")[2]) == IMAGE
            if not is_of_image or cell.source.startswith("@"):
                yield name


def _names_in_classes(page: Page, node: NodeId) -> Iterator[str]:
    """Yield the column names that the classes of an element give, the last class first.

    For an `<address>` with a digit, also yield "address". An `<address>` without a
    digit may name the author of an article.
    """
    is_address = page.tag[node] == ADDRESS and DIGIT.search(page.string(node))
    tags = [ADDRESS] if is_address else []
    return names_of_words([*reversed(page.classes(node)), *tags], CLASS)


def names_of_words(words: Iterable[str], attribute: str) -> Iterator[str]:
    """Yield the valid column names among the words in an HTML attribute.

    Words that give no valid name are skipped.
    """
    for word in words:
        if word and (name := snake_case_name(written_part(word, attribute))):
            yield name


def without_block(name: str, class_names: Iterable[str]) -> str:
    """Return a class name without the first words that most of the `class_names` share,
    such as "title" for `event_card_title`.

    Return the whole name if the rest is no valid name, or if only the first words name
    a usual field.
    """
    words = name.split("_")
    others = [parts for it in class_names if len(parts := it.split("_")) > 1]
    least = max(COLUMN.least_sharing, COLUMN.half * len(others))
    length = 0
    while length < len(words) - 1:
        start = words[: length + 1]
        sharing = [it for it in others if it[: length + 1] == start != it]
        if len(sharing) < least:
            break
        length += 1
    first, rest = words[:length], words[length:]
    says_less = has_usual_word(first) and not has_usual_word(rest)
    short = snake_case_name("_".join(rest)) if has_content_word(rest) else ""
    return name if says_less or short != "_".join(rest) else short


def written_part(word: str, attribute: str) -> str:
    """Return the part of a class or other attribute value that people wrote, or "".

    For example, return `readTime` for `Teaser_readTime__x7Ym`, whose ending is
    generated.
    """
    if attribute == CLASS and (is_component_class(word) or _HOOK.match(word)):
        last = re.split("[-_]", word)[-1]
        return last if has_usual_word([last]) else ""
    doubt = veto(word, attribute)
    if doubt is None:
        return word
    if attribute != CLASS and doubt.code == NUMERIC:
        return part_beside_number(word)
    is_built = attribute == CLASS and doubt.code == HASHED
    part = (stem(word) or "").rpartition("_")[2] if is_built else ""
    return part if utility_kind(part) is None else ""


_HOOK = re.compile("js[-_]")
"""A regular expression for the start of a class such as `js-title`, by which a script
finds an element."""
