"""Choose the simplest XPath expressions for the records of a list.

A generated Python file selects the records by these expressions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from itertools import product

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.engine.record_reading import family_basis, single_record_starts
from amber_wrap.errors import WrapperError
from amber_wrap.lowering.conversions import conversion_of
from amber_wrap.lowering.program import Column, List
from amber_wrap.lowering.sample_cases import Samples
from amber_wrap.lowering.xpath_simplification import (
    by_likeness,
    expression_names,
    records_xpath,
)
from amber_wrap.wrapper.ir import AreaRule, RecordLocator


def lower_list(
    area: AreaRule,
    columns: Sequence[Column],
    samples: Samples,
    text: Callable[..., str],
    earlier_rows: Set[Node],
) -> tuple[List, tuple[str, ...]]:
    """Return how a generated file selects the records of a list, and the names of the
    wrapper's XPath expressions for it.

    `earlier_rows` are the records of earlier lists. `text` is the file's function for
    the text of an element. Raise WrapperError if no expression selects exactly the
    list's records.
    """
    wanted_rows = [
        [record.rows[0] for record in page_records if record.area == area.name]
        for page_records in samples.records
    ]
    page_fields = {rule.name for rule in area.fields if rule.is_of_page}
    counted = [column for column in columns if column.name not in page_fields]
    counts = [_filled(counted, row, text) for rows in wanted_rows for row in rows]
    full = min((area.least, *counts))
    # A record may have no values but those of fields that the file leaves out.
    fewer = max(1, full - (len(area.fields) - len(columns)))

    def selects_records(paths: Sequence[str], least: int, is_shown: bool) -> bool:
        """Return whether XPath expressions select exactly the records of the list.

        Selected elements with values of fewer than `least` fields don't count. If
        `is_shown` is true, hidden elements don't count, either.
        """
        return wanted_rows == [
            [
                row
                for row in _selected(root, paths)
                if (not is_shown or is_displayed(row))
                and row not in earlier_rows
                and _filled(counted, row, text) >= least
            ]
            for root in samples.roots
        ]

    locators = [
        locator
        for locator in area.places
        if locator is area.places[0] or family_basis(locator.family) != "movable"
    ]
    paths = {locator.family: records_xpath(locator) for locator in locators}
    for least, is_shown in product(dict.fromkeys((full, fewer)), (False, True)):
        first = next(
            (
                locator
                for locator in locators
                if selects_records([paths[locator.family]], least, is_shown)
            ),
            None,
        )
        if first is None:
            continue
        first_path = paths[first.family]
        families = [first.family]
        for spare in by_likeness(locator_names(first), locators, locator_names):
            spare_path = paths[spare.family]
            if (
                spare_path != first_path
                and selects_records([spare_path], least, is_shown)
                and selects_records([first_path, spare_path], least, is_shown)
            ):
                families.append(spare.family)
                break
        used_paths = tuple(paths[family] for family in families)
        page_list = List(area.name, used_paths, tuple(columns), least, is_shown)
        return page_list, tuple(families)
    raise WrapperError(
        f"area {area.name!r}: no single expression selects its records on the samples"
    )


def locator_names(locator: RecordLocator) -> set[str]:
    """Return the tags and attribute values in the XPath expressions of `locator`."""
    return expression_names([locator.root, locator.record])


def _selected(root: Node, paths: Sequence[str]) -> list[Node]:
    """Return the elements that a generated file selects as records on a page.

    If there are several expressions, an element around several other selected elements
    is left out.
    """
    rows: list[Node] = xpath(" | ".join(paths))(root)
    return single_record_starts(rows) if len(paths) > 1 else rows


def _filled(columns: Iterable[Column], row: Node, text: Callable[..., str]) -> int:
    """Return the number of columns that have a value in a record.

    `row` is the first element of the record, and `text` returns the text of an element.
    """
    return sum(
        any(
            conversion_of(column)(list(map(text, xpath(read.xpath)(row))), read.pattern)
            is not None
            for read in column.reads
        )
        for column in columns
    )


def is_displayed(node: Node) -> bool:
    """Return whether an element and all its ancestors are displayed."""
    return not any(map(is_hidden, [node, *node.iterancestors()]))
