"""Preferences: measure how often expressions survive changes of a page, and set costs.

    python benchmarks/survival preferences [--seeds N] [--write]

A family is a feature of pages on which expressions rest, such as a class. The
expressions of each family are tried on randomly changed pages. The cost of a family is
the percentage of its expressions that are lost, at least one. A family keeps its cost
if it is tried too seldom.

Three families always keep their costs: positions, beginnings of class names, and shapes
of values. They survive, but on other pages they may select something else.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from operator import eq
from pathlib import Path

from commands import command_line
from corpus import gold_folder, needed, wrapper_of
from mutation import OPERATORS, Specimen
from processes import workers

from amber_wrap.dom.parse import parse
from amber_wrap.engine.locators import PatternCache, TreeValueReader
from amber_wrap.engine.output_rows import interpret
from amber_wrap.evaluation.gold import GoldPage, read_corpus
from amber_wrap.selectors import costs_and_limits
from amber_wrap.selectors.costs_and_limits import COSTS, POSITION, SHAPE, STEM
from amber_wrap.selectors.field_rules import ANY_TAG

RATE, SCOPE = 0.03, "template"
"""The rate and the scope of the changes of pages."""
KEPT = frozenset({STEM, SHAPE, POSITION})
"""The families that keep their costs.

A family is a feature of pages on which expressions rest, such as a class.
"""
LEAST = 200
"""A family gets a new cost only if this many of its groups of expressions were tried.

A family is a feature of pages on which expressions rest, such as a class.
"""
SAME = 0.95
"""The share of values that a group of expressions must return unchanged to survive."""
FILE = Path(costs_and_limits.__file__).with_name("robustness_costs.toml")
"""The TOML file with the costs of the families of expressions."""

Tally = Counter[tuple[str, bool]]
"""The numbers of groups of expressions that survived changes of a page, or were lost.

The key has the family, such as "class", and whether the groups survived.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print how many expressions survive, and write the new costs.

    Return the exit code.
    """
    parser = command_line(__doc__, "--write", "-j", seeds=2)
    options = parser.parse_args(arguments)
    pages = read_corpus(needed(gold_folder())).pages
    seeds = [options.seeds] * len(pages)
    with workers(options.j) as run:
        tally = sum(run(survival_of_readings, pages, seeds), Tally())
    costs = new_costs(tally)
    print(f"{'family':12} {'tried':>6} {'lost %':>7} {'cost':>5}  now")
    for family, cost in COSTS.items():
        lost_count, count = lost_and_tried(tally, family)
        lost_text = f"{100 * lost_count / count:7.2f}" if count else f"{'-':>7}"
        print(f"{family:12} {count:6} {lost_text} {costs[family]:5}  {cost}")
    if options.write:
        FILE.write_text(with_costs(FILE.read_text("utf-8"), costs), "utf-8")
        print(f"wrote {FILE.name}", file=sys.stderr)
    return 0


main.name, main.about = "preferences", __doc__


def survival_of_readings(page: GoldPage, seeds: int) -> Tally:
    """Count the groups of expressions that survive random changes of a page, and the
    others.

    A group has the expressions for a field that rest on the same feature, such as a
    class. `seeds` is the number of random changes of each sort.
    """
    wrapper = wrapper_of(page)
    patterns = PatternCache(dict(wrapper.patterns))
    before = interpret(wrapper, parse(page.path.read_bytes()))
    specimen = Specimen.of(page)
    counts = Tally()
    for operator, seed in product(OPERATORS, range(seeds)):
        mutation = specimen.mutate(operator, RATE, SCOPE, seed)
        if mutation is None or any(change.old for change in mutation.changes):
            continue
        changed = parse(mutation.html)
        after = interpret(wrapper, changed)
        if len(after) != len(before):
            continue
        for area in wrapper.areas:
            pairs = [
                (old.values, [changed.element_of(row) for row in new.rows])
                for old, new in zip(before, after, strict=True)
                if old.area == area.name == new.area
            ]
            for rule in area.fields:
                with_field = [pair for pair in pairs if rule.name in pair[0]]
                texts = [values[rule.name].text for values, _ in with_field]
                records = [rows for _, rows in with_field]
                for reading in rule.readings:
                    reader = TreeValueReader(patterns)
                    values = reader.column(reading.locators, records)
                    shown = [value and value.shown for value in values]
                    survived = sum(map(eq, shown, texts)) >= SAME * len(texts)
                    counts[family_of(reading.family), survived] += 1
    return counts


def family_of(name: str) -> str:
    """Return the family, such as "class", from the name of a group of expressions."""
    return name.removesuffix(ANY_TAG).removeprefix("another ")


def lost_and_tried(tally: Tally, family: str) -> tuple[int, int]:
    """Return how many groups of expressions of a family were lost, and how many were
    tried.
    """
    return tally[family, False], tally[family, False] + tally[family, True]


def new_costs(tally: Tally) -> dict[str, int]:
    """Return the cost of each family, such as "class".

    The cost is the percentage of the family's groups of expressions that were lost, at
    least one. A family that was tried too seldom, or is in `KEPT`, keeps its cost.
    """
    costs = dict(COSTS)
    for family in COSTS:
        lost_count, count = lost_and_tried(tally, family)
        if count >= LEAST and family not in KEPT:
            costs[family] = max(1, round(100 * lost_count / count))
    return costs


def with_costs(text: str, costs: Mapping[str, int]) -> str:
    """Return the text of the file of costs, with new costs. The comments stay."""
    for family, cost in costs.items():
        text = re.sub(rf"(?m)^({family} =) \d+", rf"\g<1> {cost}", text)
    return text
