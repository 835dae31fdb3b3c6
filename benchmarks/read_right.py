"""Whether a wrapper reads a page right, by the truth that its corpus has.

Records are right as each corpus tells (`is_whole`).  Where the truth has cells, a page
isn't read right whose records show fewer of them than on the sample: the wrapper reads
something there that it lost here.
"""

from __future__ import annotations

from typing import NamedTuple

import row_score
from lxml import etree
from truths import TruePage, true_records

from amber_wrap.dom.markup import text_of
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.engine.interpret import to_rows
from amber_wrap.evaluation.gold import GoldPage, scored_types
from amber_wrap.evaluation.score import ScoredRow, score_page
from amber_wrap.evaluation.tasks import load
from amber_wrap.wrapper.ir import Wrapper

RIGHT = 0.9
"""The F1 of each type's values from which on a gold page is read right; the share of
the sample's share of cells from which on another page is."""


class Quality(NamedTuple):
    """Whether all records of a page are read, and how many of the truth's cells they
    show."""

    is_whole: bool
    shown: float


def is_right(wrapper: Wrapper, target: TruePage, sample: TruePage) -> bool:
    """Whether a wrapper reads a page right, as right as its sample."""
    found = quality(wrapper, target)
    if not found.is_whole or target.gold or target == sample:
        return found.is_whole
    return found.shown >= RIGHT * quality(wrapper, sample).shown


def quality(wrapper: Wrapper, target: TruePage) -> Quality:
    """How good a page is read."""
    page = parse(target.file.read_bytes())
    read: list[ScoredRow] = to_rows(wrapper, page, raw=True)
    if target.gold:
        return Quality(is_gold(target.gold, read), 1.0)
    rows = target.rows or cells(page, target)
    count, _ = row_score.score(rows, read)
    is_whole = (
        row_score.f1(count) >= row_score.GOOD if target.rows else len(read) == len(rows)
    )
    return Quality(is_whole, count["shown"] / max(1, count["cells"]))


def is_gold(gold: GoldPage, read: list[ScoredRow]) -> bool:
    """Whether all records are read, and the values of each type well enough."""
    score, _ = score_page(gold, read, scored_types(load(gold.domain), [gold]))
    records = sum(len(area.records) for area in gold.areas)
    each = (one.f1 for one in score.types.values() if one.gold)
    return len(read) == records and min(each, default=0.0) >= RIGHT


def cells(page: Page, target: TruePage) -> list[tuple[str, ...]]:
    """The rows of a page whose records and fields are told by XPath."""
    return [
        tuple(
            text_of(found[0]) if isinstance(found[0], etree._Element) else str(found[0])
            for field in target.fields
            if (found := page.element_of(record).xpath(field))
        )
        for (record,) in true_records(page, target.nodes)
    ]
