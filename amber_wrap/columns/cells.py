"""Find the elements of a record that display one text or one list of texts.

Each of these elements becomes a cell: the text of one record in a column.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final
from unicodedata import category
from urllib.parse import parse_qsl

from amber_wrap.analysis.extraction_typing import Attribute
from amber_wrap.analysis.secondary_amounts import STRUCK_TAGS
from amber_wrap.annotate.markup_annotators import has_spoken_copy
from amber_wrap.annotate.spoken_texts import is_spoken
from amber_wrap.annotate.thresholds import ANNOTATION
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.markup import CHOICES, EACH, EMPHASIS
from amber_wrap.dom.page import ITEMS, OWN_TEXT, TEXT, NodeId, Page
from amber_wrap.selectors.node_tests import SHORTEST_VALUE, squeeze
from amber_wrap.values.numbers_and_prices import is_amount
from amber_wrap.values.texts_and_urls import ITEM_END

LINK: Final = "@href"
"""The `source` of a cell (a text of one record) that is the target of a link."""
RecordKey = tuple[Page, NodeId]
"""A record, identified by its page and its first node."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A text of one record in a column (the texts that records display in the same
    place).

    `start` is the first node of the record. `node` is the element that holds the text.
    `source` names where the element holds the text, for example in an HTML attribute.
    `label` is a label at the start of the text, such as "Rooms:", or "".
    """

    page: Page
    start: NodeId
    node: NodeId
    text: str
    source: str = TEXT
    label: str = ""

    @property
    def record(self) -> RecordKey:
        """The page and the first node of the record that the text belongs to."""
        return self.page, self.start


_INLINE_TAGS: Final = EMPHASIS | {"wbr", "sub", "sup"}
"""HTML tags of emphasised or marked words within one text."""
_TITLE_TAGS: Final = frozenset({"a", "h1", "h2", "h3", "h4", "h5", "h6"})
"""HTML tags of links and headings, whose text is always read as one text."""
PICTURE: Final = "So"
"""The Unicode category of symbols such as stars and ticks."""
CURRENCY: Final = "Sc"
"""The Unicode category of currency signs."""


def displayed_values(attributes: Iterable[Attribute]) -> Iterator[tuple[str, str]]:
    """Yield (type, text) for each attribute (known value) that may be shown as text.

    Relative links are left out, because a displayed text that equals such a link is
    another value. For example, the name of a file, "notes.txt", may equal the link to
    the file.
    """
    for attribute in attributes:
        text = attribute.text
        if text and (attribute.source != LINK or "//" in text):
            yield attribute.type, text


def squeezed_texts(cell: Cell) -> Iterator[str]:
    """Yield the text of a cell, reduced to letters and digits.

    Some elements repeat their text for screen readers. For such an element, also yield
    the text without the repetition.
    """
    yield squeeze(cell.text)
    if has_spoken_copy(cell.page, cell.node):
        yield squeeze(cell.page.source_text(cell.node, OWN_TEXT))


def leaf_elements(page: Page, top: NodeId) -> Iterator[NodeId]:
    """Yield the elements in the subtree of `top` that display a single text.

    The elements are yielded in document order. Hidden elements are skipped.
    """
    return (node for node, is_whole in _text_elements(page, top) if is_whole)


def mixed_elements(page: Page, top: NodeId) -> Iterator[NodeId]:
    """Yield the elements in the subtree of `top` with several separate texts.

    Such an element has a text of its own, and child elements with further texts. The
    elements are yielded in document order. Hidden elements are skipped.
    """
    return (node for node, is_whole in _text_elements(page, top) if not is_whole)


def _text_elements(page: Page, top: NodeId) -> Iterator[tuple[NodeId, bool]]:
    """Yield (node, is_whole) for each element in the subtree of `top` that holds a
    text.

    An element holds the text that is directly in it or in an inline child element, such
    as `b`. `is_whole` is true if the element displays only one text, parts of which may
    be in child elements. `is_whole` is false if child elements display separate texts.
    Struck-out text is one text. The elements are yielded in document order. Hidden
    elements, choices and pictures are skipped.
    """
    pending = [top]
    while pending:
        node = pending.pop()
        length = page.text_length(node)
        if not length or page.is_hidden(node) or _is_choice_or_picture(page, node):
            continue
        children = [
            child for child in page.child_elements(node) if page.text_length(child)
        ]
        has_own_text = any(page.is_text(child) for child in page.children(node))
        are_inline = all(page.tag[child] in _INLINE_TAGS for child in children)
        child_length = sum(page.text_length(child) for child in children)
        is_title = page.tag[node] in _TITLE_TAGS
        is_mixed = False
        is_struck = page.tag[node] in STRUCK_TAGS and length <= ANNOTATION.longest_value
        if is_struck or (
            length <= COLUMN.longest_amount and _is_amount_in_parts(page, node)
        ):
            yield node, True  # Its currency and number may be in elements of their own.
            continue
        if has_own_text or (are_inline and (len(children) == 1 or is_title)):
            # Several separate texts in one element aren't read as one text.
            is_long = length > ANNOTATION.longest_value
            own_length = length - child_length
            is_passage = is_long and own_length >= COLUMN.least_own_text_share * length
            is_mostly_own = 4 * child_length < 3 * length
            is_whole = is_passage or are_inline or len(children) < 2 or is_mostly_own
            yield node, is_whole
            is_mixed = not is_whole
            if are_inline or is_passage:
                continue
        pending.extend(
            child
            for child in reversed(children)
            if page.tag[child] not in _INLINE_TAGS or is_mixed or not has_own_text
        )


def _is_amount_in_parts(page: Page, node: NodeId) -> bool:
    """Return whether an element shows one amount of money in several parts, such as its
    currency, its digits and its cents.

    None of the parts shows the amount alone. Return False if digits directly follow
    digits of another part: in `<b>£9</b><sup>99</sup>`, the decimal point is missing.
    """
    end = node + page.size[node]
    parts = [page.text[part].strip() for part in range(node, end) if page.is_text(part)]
    are_apart = not any(
        first[-1:].isdigit() and second[:1].isdigit()
        for first, second in pairwise(filter(None, parts))
    )
    return (
        are_apart
        and is_amount(page.string(node))
        and not any(
            is_amount(page.string(child)) for child in page.child_elements(node)
        )
    )


def _is_choice_or_picture(page: Page, node: NodeId) -> bool:
    """Return whether an element is a choice of a control, or a picture made of text.

    By the role `img`, a page declares that the text of an element is only its look. For
    example, the initials of a user stand for the user's picture.
    """
    return page.tag[node] in CHOICES or page.attributes[node].get("role") == "img"


def emphasised_parts(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield the child elements that emphasise or mark a part of an element's text.

    Yield nothing for a link, a heading, or an element with a long text.
    """
    length = page.text_length(node)
    if length > ANNOTATION.longest_value or page.tag[node] in _TITLE_TAGS:
        return
    for child in page.child_elements(node):
        if page.tag[child] in _INLINE_TAGS and page.text_length(child) < length:
            yield child


def has_content(text: str) -> bool:
    """Return whether a text has a letter, a digit or a pictograph."""
    return any(sign.isalnum() or category(sign) == PICTURE for sign in text)


def is_price_level(text: str) -> bool:
    """Return whether a text shows a price level, such as "££".

    The text must contain a currency sign, and no letter, digit or pictograph.
    """
    has_currency_sign = any(category(sign) == CURRENCY for sign in text)
    return has_currency_sign and not has_content(text)


def shows_content(cell: Cell) -> bool:
    """Return whether a text may be a value of a column.

    Signs alone are no value, except price levels such as "££". Words for screen readers
    only, such as "Published in", explain what others see. But a number for them is
    often drawn for others, as stars for "4 of 5".
    """
    if not has_content(cell.text):
        return is_price_level(cell.text)
    page, node = cell.page, cell.node
    has_digit = any(map(str.isdigit, cell.text))
    while not has_digit and node > cell.start:
        if is_spoken(page, node):
            return False
        node = page.parent[node]
    return True


def items_from(page: Page, node: NodeId) -> Iterator[NodeId]:
    """Yield an element, then the siblings right behind it with the same tag and class.

    For example, yield all links behind the label in `<b>Tags:</b> <a>wool</a>,
    <a>red</a>`.
    """
    yield node
    kind = page.tag[node], page.attributes[node].get("class")
    for sibling in page.child_elements(page.parent[node]):
        if sibling > node:
            if kind != (page.tag[sibling], page.attributes[sibling].get("class")):
                return
            yield sibling


Rows = Sequence[Sequence[Cell]]
"""The cells of each record at one tag path (the tags and classes from the record down
to an element)."""


def whole_lists(rows: Rows) -> list[Cell]:
    """Return one cell for each record, with the texts of all items of a list.

    For example, the items are keywords or authors. `rows` holds the items of each
    record at one tag path (the tags and classes from the record down). The items are a
    list if their number differs between records, and if they are interchangeable. For
    example, the third keyword of one record is the first keyword of another. Return an
    empty list if the items are separate values.
    """
    record_counts = Counter(map(len, rows))
    several = sum(n for length, n in record_counts.items() if length > 1)
    is_varied = len(record_counts) > 1 and several >= COLUMN.least_records
    if not is_varied or not _are_interchangeable(rows):
        return []
    levels = Counter(_levels_to_list(row) for row in rows if len(row) > 1)
    level = levels.most_common(1)[0][0]
    list_cells = [_list_cell(row, level) for row in rows]
    ancestor_cells = [cell for cell in list_cells if cell is not None]
    if len(ancestor_cells) >= COLUMN.nearly_all * len(rows):
        return ancestor_cells
    are_items = _are_behind_one_label(rows) or _link_to_one_folder(rows)
    return list(map(_joined_cell, rows)) if are_items else []


def names_without_items(names: Iterable[str], lists: Iterable[Cell]) -> list[str]:
    """Return those of the column names in `names` that contain no item of a list.

    The cells in `lists` hold the items, such as tags. A name that contains an item may
    come from the search query of the sample page, and would be wrong on pages for other
    queries. For example, `python_results` contains the item "python". Items of few
    characters are ignored.
    """
    items = {squeeze(item) for cell in lists for item in cell.text.split(ITEM_END)}
    long = [item for item in items if len(item) >= SHORTEST_VALUE]
    return [name for name in names if not any(item in squeeze(name) for item in long)]


def _are_interchangeable(rows: Rows) -> bool:
    """Return whether the items of a list are interchangeable.

    `rows` holds the items of each record. Items are interchangeable if many of their
    texts occur at different indexes. For example, "red" is the first item of one record
    and the third item of another. Texts that all records have at the same index don't
    count. Items are also interchangeable if nearly all of them link to pages in the
    same folder.
    """
    ranks: dict[str, set[int]] = defaultdict(set)
    for row in rows:
        for rank, cell in enumerate(row):
            ranks[cell.text].add(rank)
    counts = Counter(cell.text for row in rows for cell in row)
    moving = sum(n for text, n in counts.items() if len(ranks[text]) > 1)
    fixed = sum(
        n for text, n in counts.items() if len(ranks[text]) == 1 and n == len(rows)
    )
    least = COLUMN.least_repeated_share * (counts.total() - fixed)
    return moving >= max(1, least) or _link_to_one_folder(rows)


def _are_behind_one_label(rows: Rows) -> bool:
    """Return whether the parents of all list items begin with the same label.

    An example is `<p><b>Tags:</b> <i>wool</i>, <i>red</i></p>`. The parent of a
    record's items must have no other child elements with a text. `rows` holds the items
    of each record.
    """
    labels: set[str] = set()
    for row in rows:
        page, parent = row[0].page, row[0].page.parent[row[0].node]
        shown = [child for child in page.child_elements(parent) if page.string(child)]
        if shown[1:] != [cell.node for cell in row]:
            return False
        labels.add(page.string(shown[0]))
    return len(labels) == 1


def are_action_links(rows: Rows) -> bool:
    """Return whether the items of lists are links for actions, such as "edit".

    `rows` holds the items of each record. They are actions if nearly all records have
    most of them, and if the same text leads to another address in each record. In
    contrast, the same keyword always leads to one address.
    """
    cells = [cell for row in rows for cell in row]
    targets = {cell.page.attributes[cell.node].get("href", "") for cell in cells}
    record_counts = Counter(text for row in rows for text in {it.text for it in row})
    usual = sum(n for n in record_counts.values() if n >= COLUMN.nearly_all * len(rows))
    is_one_each = len(targets) >= COLUMN.nearly_all * len(cells)
    return is_one_each and 2 * usual > len(cells) > len(rows)


def _link_to_one_folder(rows: Rows) -> bool:
    """Return whether nearly all list items link to addresses that differ only behind
    the last "/" of the path, or in the values of parameters.

    `rows` holds the items of each record.
    """
    cells = [cell for row in rows for cell in row]
    counts = Counter(folder for cell in cells if (folder := _link_folder(cell)))
    return max(counts.values(), default=0) >= COLUMN.nearly_all * len(cells)


def _joined_cell(row: Sequence[Cell]) -> Cell:
    """Return one cell with the texts of all items in `row`.

    `row` holds the list items of one record. The cell has the element of the first
    item.
    """
    text = ITEM_END.join(cell.text for cell in row)
    return replace(row[0], text=text, source=EACH)


def _link_folder(cell: Cell) -> str:
    """Return the path of an item's link target up to the last "/".

    If the path has no folder, return the path and the names of the parameters, such as
    `?tag` for `?tag=red`. Return "" if there are no parameters, or if neither the
    element of the item nor an element around the same text is a link.
    """
    page, link = cell.page, cell.node
    while page.tag[link] != "a" and page.parent[link] > cell.start:
        if page.text_length(page.parent[link]) != page.text_length(cell.node):
            break
        link = page.parent[link]
    address = path_and_query(page.attributes[link].get("href", ""))
    path = without_query(address)
    names = [name for name, _ in parse_qsl(address.removeprefix(path).lstrip("?"))]
    has_names = f"{path}?{'&'.join(names)}" if names else ""
    return path.rpartition("/")[0] or has_names


def _levels_to_list(row: Sequence[Cell]) -> int:
    """Return the number of levels from the first item of a list up to the list's
    element.

    `row` holds the items of one record. The list's element is the lowest common
    ancestor of the first and the last item.
    """
    page, ancestor, last = row[0].page, row[0].node, row[-1].node
    level = 0
    while not page.contains(ancestor, last):
        ancestor = page.parent[ancestor]
        level += 1
    return level


def _list_cell(row: Sequence[Cell], level: int) -> Cell | None:
    """Return a cell with the texts of all items in `row`, at their common ancestor.

    The items are the list items of one record. The ancestor is `level` levels above the
    items. Return None if the ancestor contains other texts, or isn't within the record.
    """
    page, start, ancestor = row[0].page, row[0].start, row[0].node
    for _ in range(level):
        ancestor = page.parent[ancestor]
    texts = [page.string(child) for child in page.child_elements(ancestor)]
    if ancestor <= start or list(filter(None, texts)) != [cell.text for cell in row]:
        return None
    return Cell(page, start, ancestor, page.source_text(ancestor, ITEMS), ITEMS)
