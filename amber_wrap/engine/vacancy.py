"""A page without records: an honest "no results", or a page that can't be read."""

from collections.abc import Iterator
from typing import Final

from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.markup import is_hidden, read_node
from amber_wrap.engine.contract import Clause, Report
from amber_wrap.engine.reading import Patterns, record_rows
from amber_wrap.values.patterns import SEARCHED
from amber_wrap.values.shapes import shape_of
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule, Wrapper

# The share of the frame that tells a page of the template.
SAME_PAGE: Final = 0.6
# A text in more elements than these isn't read as one value.
SMALL: Final = 6
CHOICES: Final = frozenset({"select", "option"})


def judge_empty(wrapper: Wrapper, root: Node, patterns: Patterns) -> Report:
    """The report on a page without records.

    All is well if what is around the lists is there, and nothing looks like a record.
    """
    failed: list[Clause] = []
    total = len(wrapper.frame)
    there = sum(bool(xpath(str(one))(root)) for one in wrapper.frame)
    if there < SAME_PAGE * total or not total:
        message = f"{there} of {total} parts of the page around the lists are left"
        failed.append(Clause(clause="frame", area="", field="", message=message))
    for area in wrapper.areas:
        if area.contract and (left := lookalikes(area, area.contract, root, patterns)):
            message = f"no records, and {left} on the page look like some"
            failed.append(
                Clause(clause="complete", area=area.name, field="", message=message)
            )
    note = "no records, and nothing on the page looks like one"
    return Report(
        status="BROKEN" if failed else "OK",
        records=0,
        failed=failed,
        notes=[] if failed else [note],
    )


def lookalikes(
    area: AreaRule, contract: Contract, root: Node, patterns: Patterns
) -> int:
    """How many nodes are marked, placed or filled as records are.

    A few that are placed or filled so may be chance.
    """
    if area.witness and (marked := len(xpath(str(area.witness))(root))):
        return marked
    placed = max(
        sum(1 for _ in record_rows(place, area.span, root)) for place in area.places
    )
    usual = [one for one in area.fields if contract.fill.get(one.name, 0.0) > 0.5]
    filled = min(
        (count_like(rule, contract, root, patterns) for rule in usual), default=0
    )
    found = max(placed, filled)
    return found if found > max(1, contract.records[0] // 2) else 0


def count_like(
    rule: FieldRule, contract: Contract, root: Node, patterns: Patterns
) -> int:
    """How many texts of a page could be a field's values, by pattern and shape."""
    locator = rule.readings[0].locators[0]
    pattern, source = locator.pattern, locator.source
    known = contract.shapes[rule.name]
    count = 0
    for shown in texts(root, source if source.startswith("@") else "text"):
        if pattern is None:
            count += shape_of(shown) in known
        elif match := patterns(pattern).search(shown, 0, SEARCHED):
            count += shape_of(match[match.re.groupindex.get("value", 0)]) in known
    return count


def texts(root: Node, source: str) -> Iterator[str]:
    """What small elements say, hidden ones and choices in forms left out."""
    for node in root.iter("*"):
        if len(node) > SMALL or node.tag in CHOICES or is_hidden(node):
            continue
        if shown := read_node(node, source):
            yield shown
