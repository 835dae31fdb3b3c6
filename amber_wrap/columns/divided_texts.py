"""Find texts that no element holds alone: lines of an element, texts beside child
elements, and texts behind records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from amber_wrap.analysis.extraction_typing import AreaTyping, Record
from amber_wrap.analysis.relative_paths import Marks
from amber_wrap.columns.cells import Cell
from amber_wrap.columns.elements_with_texts import has_content, mixed_elements
from amber_wrap.columns.former_prices import is_former_price
from amber_wrap.columns.naming.forms_of_texts import is_clock
from amber_wrap.columns.outer_elements import table_column
from amber_wrap.columns.spaced_texts import spaced_words
from amber_wrap.columns.thresholds import COLUMN
from amber_wrap.columns.value_kinds import column_form, is_date
from amber_wrap.dom.displayed_texts import EMPHASIS, own_lines_of, parts_of, shows_value
from amber_wrap.dom.page import FIRST_LINE, OWN_TEXT, TAIL, TEXT, NodeId, Page
from amber_wrap.domain.schema import ValueKind

ColumnKey = tuple[str, int]
"""The key of a column: the tags and classes from the record down to an element, and an
index. The index distinguishes elements of a record that have the same tags and classes.
"""
LINE_BREAK: Final = "br"
"""The tag of a line break, which divides the text of an element into lines."""


def with_lines(
    columns: Mapping[ColumnKey, list[Cell]], known_counts: Mapping[ColumnKey, int]
) -> dict[ColumnKey, list[Cell]]:
    """Return the columns, with columns of texts over several lines replaced by one
    column per line.

    A column stays whole if more than half of its texts are known values, such as
    addresses. `known_counts` has the number of these texts for each column.
    """
    read = {
        (cell.page, cell.node)
        for column in columns.values()
        for cell in column
        if cell.source == TEXT
    }
    divided: dict[ColumnKey, list[Cell]] = {}
    for (place, index), column in columns.items():
        is_known = 2 * known_counts[place, index] > len(column)
        lines = [] if is_known else _line_columns(column)
        if not lines:
            divided[place, index] = column
        for number, line in enumerate(lines):
            if not all(
                cell.source == TEXT and (cell.page, cell.node) in read for cell in line
            ):
                divided[f"{place} line {number}", index] = line
    return divided


def _line_columns(column: Sequence[Cell]) -> list[list[Cell]]:
    """Return a column for each of the lines into which line breaks divide a column's
    texts.

    Return [] if the lines aren't separate values, or if the texts have different
    numbers of lines.
    """
    if not all(cell.source in (TEXT, OWN_TEXT) and not cell.label for cell in column):
        return []
    lines_by_text = [_lines(cell) for cell in column]
    counts = Counter(map(len, lines_by_text))
    line_count, usual = counts.most_common(1)[0] if counts else (0, 0)
    if line_count < 2 or usual < COLUMN.nearly_all * len(column):
        return []
    lines = [
        [text_lines[number] for text_lines in lines_by_text if number < len(text_lines)]
        for number in range(line_count)
    ]
    return lines if _are_separate(column, lines) else []


def _lines(cell: Cell) -> list[Cell]:
    """Return the lines into which line breaks divide the element of a cell.

    Return [] if a line consists of several texts and elements.
    """
    page, node = cell.page, cell.node
    while len(children := _shown_children(page, node)) == 1:
        if page.tag[children[0]] not in EMPHASIS:
            return []
        node = children[0]  # The whole text is emphasised.
    lines: list[Cell] = []
    before, is_open = -1, False
    for child in children:
        if page.tag[child] == LINE_BREAK:
            before, is_open = child, False
            continue
        if is_open:
            return []
        is_open = True
        line = replace(cell, node=child, text="", source=TEXT)
        if page.is_text(child):
            holder, source = (node, FIRST_LINE) if not lines else (before, TAIL)
            line = replace(line, node=holder, source=source)
        text = page.source_text(line.node, line.source)
        if page.is_text(child) and text != page.text[child].strip():
            return []
        lines.append(replace(line, text=text))
    return lines


def _shown_children(page: Page, node: NodeId) -> list[NodeId]:
    """Return the line breaks, the text nodes and the child elements with text of an
    element."""
    return [
        child
        for child in page.children(node)
        if page.tag[child] == LINE_BREAK or page.text_length(child)
    ]


def _are_separate(column: Sequence[Cell], lines: Sequence[Sequence[Cell]]) -> bool:
    """Return whether the lines of a column's texts are separate values.

    Return False if fewer than two lines vary, or if the lines together are a number, or
    a date and its time.
    """
    texts_of_lines = [[cell.text for cell in line] for line in lines]
    if sum(len(set(texts)) > 1 for texts in texts_of_lines) < 2:
        return False
    kind = column_form([cell.text for cell in column]).kind
    if kind is not ValueKind.DATE:
        return kind in (ValueKind.TEXT, ValueKind.MONEY)
    others = [texts for texts in texts_of_lines if not all(map(is_date, texts))]
    has_date = len(others) < len(lines)
    return has_date and not all(
        is_clock(spaced_words(text)) for texts in others for text in texts
    )


def own_texts_beside_children(
    page: Page, record: Record, places: Marks
) -> Iterator[tuple[ColumnKey, Cell]]:
    """Yield (key of the column, cell) for each text beside child elements, such as
    "Oxford" in `<p>Oxford<span>2 km</span></p>`.

    A text that child elements divide is left out. `places` gives the tags and classes
    above each element.
    """
    paths = places.of_record(page, record.nodes)
    seen: Counter[str] = Counter()
    for row in record.nodes:
        for node in mixed_elements(page, row):
            cell = own_cell(Cell(page, record.start, node, ""))
            place = table_column(page, node) or places.text(paths[node])
            place = f"old {place}" if is_former_price([cell]) else place
            if sum(map(has_content, own_lines_of(page.element_of(node)))) == 1:
                yield (place, seen[place]), cell
            seen[place] += 1


def own_cell(cell: Cell) -> Cell:
    """Return a cell with only the text directly in its element, without texts of child
    elements.
    """
    return replace(cell, text=own_text(cell), source=OWN_TEXT)


def own_text(cell: Cell) -> str:
    """Return the text directly in the element of `cell`, without texts of child
    elements."""
    return cell.page.source_text(cell.node, OWN_TEXT)


def texts_behind_records(
    page: Page, area: AreaTyping
) -> Iterator[tuple[ColumnKey, Cell]]:
    """Yield (key of the column, cell) for each text between two records or behind the
    last one.

    If all these texts have the same number of parts, such as a date and a size, each
    part is yielded separately.
    """
    last_nodes = [record.nodes[-1] for record in area.records]
    tails = [page.element_of(last).tail or "" for last in last_nodes]
    part_counts = {len(parts_of(tail)) for tail in tails} - {0}
    part_count = part_counts.pop() if len(part_counts) == 1 else 1
    sources = [TAIL]
    if part_count != 1:
        sources = [f"{TAIL}-{index + 1}" for index in range(part_count)]
    for record, last in zip(area.records, last_nodes, strict=True):
        for source in sources:
            if shows_value(text := page.source_text(last, source)):
                yield (source, 0), Cell(page, record.start, last, text, source)
