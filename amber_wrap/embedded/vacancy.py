"""A page without records: an honest "no results", or a page that can't be read."""

from collections.abc import Iterator, Mapping
from typing import Final

from amber_wrap.embedded.contract import Clause, Contract, Report
from amber_wrap.embedded.ensemble import Area
from amber_wrap.embedded.markup import is_hidden, read_node
from amber_wrap.embedded.paths import Node, xpath
from amber_wrap.embedded.patterns import SEARCHED
from amber_wrap.embedded.reading import Patterns, record_rows
from amber_wrap.embedded.shapes import shape_of

# The share of the frame that tells a page of the template.
SAME_PAGE: Final = 0.6
# A text in more elements than these isn't read as one value.
SMALL: Final = 6
CHOICES: Final = frozenset({"select", "option"})


def judge_empty(
    areas: list[Area],
    contracts: Mapping[str, Contract],
    frame: list[str],
    root: Node,
    patterns: Patterns,
) -> Report:
    """The report on a page without records.

    All is well if what is around the lists is there, and nothing looks like a record.
    """
    failed: list[Clause] = []
    there = sum(bool(xpath(one)(root)) for one in frame)
    if there < SAME_PAGE * len(frame) or not frame:
        message = f"{there} of {len(frame)} parts of the page around the lists are left"
        failed.append(Clause(clause="frame", area="", field="", message=message))
    for area in areas:
        contract = contracts.get(area["name"])
        if contract and (left := lookalikes(area, contract, root, patterns)):
            message = f"no records, and {left} on the page look like some"
            name = area["name"]
            failed.append(
                Clause(clause="complete", area=name, field="", message=message)
            )
    note = "no records, and nothing on the page looks like one"
    return Report(
        status="BROKEN" if failed else "OK",
        records=0,
        failed=failed,
        notes=[] if failed else [note],
    )


def lookalikes(area: Area, contract: Contract, root: Node, patterns: Patterns) -> int:
    """How many nodes are marked, placed or filled as records are.

    A few that are placed or filled so may be chance.
    """
    if area["witness"] and (marked := len(xpath(area["witness"])(root))):
        return marked
    placed = max(
        sum(1 for _ in record_rows(place, area["span"], root))
        for place in area["places"].values()
    )
    usual = [name for name in area["fields"] if contract["fill"].get(name, 0.0) > 0.5]
    filled = min(
        (count_like(area, contract, name, root, patterns) for name in usual), default=0
    )
    found = max(placed, filled)
    return found if found > max(1, contract["records"][0] // 2) else 0


def count_like(
    area: Area, contract: Contract, name: str, root: Node, patterns: Patterns
) -> int:
    """How many texts of a page could be a field's values, by pattern and shape."""
    locator = next(iter(area["fields"][name].values()))[0]
    pattern, source = locator.get("pattern"), locator.get("source", "text")
    known = contract["shapes"][name]
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
