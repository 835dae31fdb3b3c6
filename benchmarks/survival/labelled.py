"""Use autoscraper to extract records, after learning from a value of each type.

The library returns a list of values for each of its rules, and knows no records. For
each attribute type, such as "price", the rule is kept whose values agree best with the
known values of the page. It must find one value for each record. The n-th values of all
types make the n-th record. A type that some records lack is left out.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from pathlib import Path
from typing import Any

from baselines.label_scraper import LabelScraperError, Service
from expressions import tree

from amber_wrap.dom.decoding import decode
from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.evaluation.gold import GoldPage
from examples import Rows, gold_examples

FOLDER = Path(__file__).resolve().parents[2] / "build" / "paper" / "autoscraper"
"""The folder in which autoscraper is installed."""
LEAST_RIGHT = 0.8
"""The least share of records in which a rule must be right.

A type without such a rule is left out.
"""


@dataclass(frozen=True, slots=True)
class LabelledWrapper:
    """A wrapper (rules for records) with one rule of autoscraper for each type."""

    rules: Mapping[str, Mapping[str, Any]]

    def __call__(self, body: bytes) -> Rows:
        """Return the records of a page.

        The n-th record has the n-th value that each rule finds.
        """
        rules = list(map(dict, self.rules.values()))
        try:
            columns = service(os.getpid()).apply(rules, decode(body))
        except LabelScraperError:
            # The process may be gone: the next page gets another process.
            service.cache_clear()
            raise
        rows = zip_longest(*(map(collapse, column) for column in columns))
        return [dict(zip(self.rules, values, strict=True)) for values in rows]


def learn(body: bytes, gold: GoldPage) -> LabelledWrapper | None:
    """Return the wrapper that autoscraper learns from the first value of each type on a
    page.

    Return None if no rule is right, or if autoscraper fails.
    """
    records = gold_examples(gold, tree(body))
    first_values: dict[str, str] = {}
    for record in records:
        for name, target in record.targets.items():
            first_values.setdefault(name, target.value)
    try:
        rules = service(os.getpid()).learn(first_values, decode(body))
        columns = service(os.getpid()).apply(rules, decode(body))
    except LabelScraperError:
        service.cache_clear()
        return None
    best_rules: dict[str, Mapping[str, Any]] = {}
    best_share: dict[str, float] = defaultdict(float)
    for rule, column in zip(rules, columns, strict=True):
        name = rule["alias"]
        right = rightness(column, [record.value_of(name) for record in records])
        if right >= max(LEAST_RIGHT, best_share[name] + 1e-9):
            best_rules[name], best_share[name] = rule, right
    return LabelledWrapper(best_rules) if best_rules else None


def rightness(column: Sequence[str], gold_values: Sequence[str | None]) -> float:
    """Return the share of known records whose value is right in `column`.

    A column has the values of one attribute type, in the order of the records. Return 0
    if it has another length than the list of records.
    """
    if len(column) != len(gold_values):
        return 0.0
    pairs = zip(map(collapse, column), gold_values, strict=True)
    return sum(value == gold_value for value, gold_value in pairs) / len(gold_values)


@lru_cache(maxsize=1)
def service(process: int) -> Service:
    """Return the autoscraper process that works for a process of the benchmark.

    `process` is the ID of the benchmark's process. Each process of the benchmark needs
    its own autoscraper.
    """
    return Service(FOLDER)
