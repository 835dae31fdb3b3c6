"""Join the items of a list within a record, such as tags, into one value."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from urllib.parse import parse_qsl

from amber_wrap.columns.cells import Cell
from amber_wrap.columns.naming.forms_of_texts import is_time
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.words_around_values import COMMAS, particles
from amber_wrap.dom.displayed_texts import EACH
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.page import ITEMS
from amber_wrap.selectors.node_tests import SHORTEST_VALUE
from amber_wrap.values.texts import ITEM_END, squeeze

Rows = Sequence[Sequence[Cell]]
"""For each record, the texts of its elements that have the same tags and classes."""


def whole_lists(rows: Rows) -> list[Cell]:
    """Return, for each record, one text with all items of its list, such as its tags.

    Return [] if the items in `rows` are separate values.
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
    are_joined = _link_to_one_folder(rows) or _stand_between_commas(rows)
    return list(map(_joined_cell, rows)) if are_joined else []


def names_without_items(names: Iterable[str], lists: Iterable[Cell]) -> list[str]:
    """Return the column names that contain none of the items in `lists`, such as tags.

    Short items are ignored.
    """
    items = {squeeze(item) for cell in lists for item in cell.text.split(ITEM_END)}
    long = [item for item in items if len(item) >= SHORTEST_VALUE]
    return [name for name in names if not any(item in squeeze(name) for item in long)]


def _are_interchangeable(rows: Rows) -> bool:
    """Return whether the items of lists are interchangeable, as tags are.

    For example, items are interchangeable if commas separate them, or if texts such as
    "red" have different indexes in different records.
    """
    if _link_to_one_folder(rows) or _stand_between_commas(rows):
        return True
    if all(is_time(cell.text) for row in rows for cell in row):
        return True
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
    return moving >= max(1, least)


def _stand_between_commas(rows: Rows) -> bool:
    """Return whether only commas, or a comma and a word such as "and", stand between
    the items of each record."""
    between = {
        _text_between(*pair).casefold() for row in rows for pair in pairwise(row)
    }
    return any(map(_has_comma, between)) and all(
        _has_comma(text) or text in particles() for text in between
    )


def _has_comma(text: str) -> bool:
    """Return whether a text between two items has a comma and at most a word such as
    "and".
    """
    rest = text.lstrip(COMMAS).strip()
    return rest != text and (not rest or rest in particles())


def _text_between(cell: Cell, following: Cell) -> str:
    """Return the displayed text between the elements of two texts of a record."""
    page = cell.page
    between = range(cell.node + page.size[cell.node], following.node)
    return " ".join(page.text[node].strip() for node in between if page.is_text(node))


def _link_to_one_folder(rows: Rows) -> bool:
    """Return whether nearly all list items link to similar addresses, such as
    `/tags/red` and `/tags/blue`.

    The addresses may differ only behind the last "/" of the path, or in the values of
    parameters. `rows` has the items of each record.
    """
    cells = [cell for row in rows for cell in row]
    counts = Counter(folder for cell in cells if (folder := _link_folder(cell)))
    return max(counts.values(), default=0) >= COLUMN.nearly_all * len(cells)


def _joined_cell(row: Sequence[Cell]) -> Cell:
    """Return one cell with the texts of all items of a record, and with the first
    item's element.
    """
    text = ITEM_END.join(cell.text for cell in row)
    return replace(row[0], text=text, source=EACH)


def _link_folder(cell: Cell) -> str:
    """Return the folder of an item's link target, such as `/tags` for `/tags/red`.

    A path without a folder gives the path and the names of its parameters: `/list?tag`
    for `/list?tag=red`. Without parameters, it gives "".
    """
    page, link = cell.page, cell.node
    while page.tag[link] != "a" and page.parent[link] > cell.start:
        if squeeze(page.string(page.parent[link])) != squeeze(cell.text):
            break
        link = page.parent[link]
    address = path_and_query(page.attributes[link].get("href", ""))
    path = without_query(address).rstrip("/")
    names = [name for name, _ in parse_qsl(address.removeprefix(path).lstrip("?"))]
    has_names = f"{path}?{'&'.join(names)}" if names else ""
    return path.rpartition("/")[0] or has_names


def _levels_to_list(row: Sequence[Cell]) -> int:
    """Return the number of levels from the first item of a record up to the element of
    the list.

    The element of the list is the nearest ancestor that also contains the last item.
    """
    page, ancestor, last = row[0].page, row[0].node, row[-1].node
    level = 0
    while not page.contains(ancestor, last):
        ancestor = page.parent[ancestor]
        level += 1
    return level


def _list_cell(row: Sequence[Cell], level: int) -> Cell | None:
    """Return one cell with all items of a record's list, such as the tags in a `<ul>`.

    The cell's element is the ancestor of the first item, at `level` levels above it.
    Return None if that element has other texts than items, or isn't within the record.
    """
    page, start, ancestor = row[0].page, row[0].start, row[0].node
    for _ in range(level):
        ancestor = page.parent[ancestor]
    texts = [page.string(child) for child in page.child_elements(ancestor)]
    if ancestor <= start or list(filter(None, texts)) != [cell.text for cell in row]:
        return None
    return Cell(page, start, ancestor, page.source_text(ancestor, ITEMS), ITEMS)
