"""A page without records: an honest "no results", or a page that can't be read."""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import Final

from amber_wrap.dom.blocks import CHOICES, blocks
from amber_wrap.dom.ending import Ending
from amber_wrap.dom.expressions import Node, xpath
from amber_wrap.dom.markup import is_hidden, read_node
from amber_wrap.dom.page import TEXT
from amber_wrap.dom.texts import texts_within
from amber_wrap.engine.contract import Clause, ContractReport
from amber_wrap.engine.notices import denials, gate
from amber_wrap.engine.reading import PatternLookup, record_rows
from amber_wrap.engine.wholeness import is_cut, told_cut
from amber_wrap.values.patterns import SEARCHED
from amber_wrap.values.shapes import shape_of
from amber_wrap.wrapper.ir import AreaRule, Contract, FieldRule, Signs, Wrapper

# The share of the frame that tells a page of the template.
SAME_PAGE: Final = 0.6
# A text in more elements than these isn't read as one value.
_SMALL: Final = 6
NO_SIGNS: Final = Signs()


def judge_empty(
    wrapper: Wrapper, root: Node, patterns: PatternLookup, ending: Ending | None = None
) -> ContractReport:
    """The report on a page without records.

    All is well if it says that there are none, what is around the lists is there, and
    nothing more than on the samples looks like a record.
    """
    failed: list[Clause] = []

    def fail(clause: str, message: str, area: str = "") -> None:
        failed.append(Clause(clause=clause, area=area, field="", message=message))

    signs = wrapper.signs or NO_SIGNS
    if wrapper.signs and ending and is_cut(signs, ending):
        fail("ending", told_cut(0, 0))
    total = len(wrapper.frame)
    there = sum(bool(xpath(str(one))(root)) for one in wrapper.frame)
    if there < SAME_PAGE * total:
        message = f"{there} of {total} parts of the page around the lists are left"
        fail("frame", message)
    for area in wrapper.areas:
        if area.contract and (left := lookalikes(area, area.contract, root, patterns)):
            fail(
                "complete",
                f"no records, and {left} on the page look like some",
                area.name,
            )
    said = list(blocks(root))
    if not is_said(signs, said):
        why = gate(root, said)
        if why or not failed:
            why = why or "the page doesn't say that there are none"
            fail("nothing", f"no records, and {why}")
    note = "no records, and nothing on the page looks like one"
    return ContractReport(
        status="BROKEN" if failed else "OK",
        records=0,
        failed=failed,
        notes=[] if failed else [note],
    )


def is_said(signs: Signs, texts: list[str]) -> bool:
    """Whether the texts of a page say that there are no results: in words that the
    samples don't have, or as a page that was given for that."""
    known = set(signs.empty)
    return denials(texts) > signs.denials or not known.isdisjoint(texts)


def lookalikes(
    area: AreaRule, contract: Contract, root: Node, patterns: PatternLookup
) -> int:
    """How many nodes are marked, placed or filled as records are.

    A few that are placed or filled so may be chance, and as many as on the samples
    outside of their records are none.
    """
    marked, found = alike(area, contract, root, patterns)
    if marked > contract.beside:
        return marked
    least = max(1, contract.records[0] // 2)
    return found if found - contract.beside > least else 0


def alike(
    area: AreaRule,
    contract: Contract,
    root: Node,
    patterns: PatternLookup,
    records: Collection[Node] = (),
) -> tuple[int, int]:
    """How many nodes are marked as records are, and how many placed or filled so,
    outside of `records`."""

    def is_out(node: Node) -> bool:
        return not records or (
            node not in records
            and not any(one in records for one in node.iterancestors())
        )

    marks = xpath(str(area.witness))(root) if area.witness else []
    placed = max(
        sum(is_out(rows[0]) for rows in record_rows(place, area.span, root))
        for place in area.places
    )
    usual = [one for one in area.fields if contract.fill.get(one.name, 0.0) > 0.5]
    said: dict[str, Counter[str]] = {}
    filled: list[int] = []
    for rule in usual:
        source = rule.readings[0].locators[0].source
        source = source if source.startswith("@") else "text"
        if source not in said:
            said[source] = Counter(_texts(root, source, records))
        filled.append(count_like(rule, contract, said[source], patterns))
    return sum(map(is_out, marks)), max(placed, min(filled, default=0))


def count_like(
    rule: FieldRule, contract: Contract, said: Counter[str], patterns: PatternLookup
) -> int:
    """How many of the texts that a page says so many times could be a field's values,
    by pattern and shape."""
    pattern = rule.readings[0].locators[0].pattern
    known = contract.shapes.get(rule.name, ())
    count = 0
    for shown, times in said.items():
        if pattern is None:
            count += times * (shape_of(shown) in known)
        elif match := patterns(pattern).search(shown, 0, SEARCHED):
            value = match[match.re.groupindex.get("value", 0)]
            count += times * (shape_of(value) in known)
    return count


def _texts(root: Node, source: str, records: Collection[Node]) -> Iterator[str]:
    """What small elements outside of `records` say, hidden ones and choices in forms
    left out."""
    for node, text in texts_within(root, records):
        if len(node) > _SMALL or node.tag in CHOICES or is_hidden(node):
            continue
        if shown := text if source == TEXT else read_node(node, source):
            yield shown
