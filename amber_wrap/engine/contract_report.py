"""Define the report on whether a page meets the conditions that a wrapper sets for
pages.
"""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypedDict

from amber_wrap.engine.thresholds import CHECK
from amber_wrap.values.texts import shape_of
from amber_wrap.wrapper.ir import Contract

PageStatus = Literal["OK", "DEGRADED", "BROKEN"]
"""The result of checking a page, from the best to the worst."""


class Clause(TypedDict):
    """A condition that a wrapper sets for pages, and that the checked page breaks."""

    clause: str
    """The name of the condition, such as "fill"."""
    area: str
    """The name of the list on the page, or "" for a condition on the whole page."""
    field: str
    """The name of the field, or "" for a condition on records or the page."""
    message: str
    """The text for the user."""


class ContractReport(TypedDict):
    """The result of checking whether a page meets the conditions that a wrapper sets
    for pages.
    """

    status: PageStatus
    """"BROKEN" if probably most values are wrong or all records are missing, "DEGRADED"
    for other broken conditions, else "OK"."""
    records: int
    """The number of records on the page."""
    failed: list[Clause]
    """The conditions that the page breaks."""
    notes: list[str]
    """Messages for the user on deviations that are too small to break a condition."""


EXIT_CODES: Final = {"OK": 0, "DEGRADED": 1, "BROKEN": 3}
"""The exit codes of commands that check pages, by the result of the check. The code 2
stands for wrong arguments of the command."""


class ContractFinding(NamedTuple):
    """An observation that a page may break one of the conditions that a wrapper sets
    for pages.
    """

    clause: str
    """The name of the condition."""
    field: str
    """The name of the field, or "" for a condition on records or the page."""
    message: str
    """The text for the user."""
    wrong: float = 0.0
    """The estimated number of wrong values."""
    missing: float = 0.0
    """The estimated number of missing values."""
    is_sure: bool = False
    """Whether the page breaks the condition no matter how few of its values are
    wrong."""


def report_lines(name: str, report: ContractReport) -> list[str]:
    """Return the report on the page `name` as lines of text.

    The first line has the result of the check. Each other line has a broken condition
    or a small deviation.
    """
    lines = [f"{name}: {report['status']}, {report['records']} records"]
    for clause in report["failed"]:
        field = f"{clause['field']}: " if clause["field"] else ""
        lines.append(f"  {field}{clause['message']} [{clause['clause']}]")
    return lines + [f"  note: {note}" for note in report["notes"]]


def regular_fields(contract: Contract) -> set[str]:
    """Return the names of the fields that nearly every record should have.

    These are the fields of which more than the share `CHECK.regular_fill` of the sample
    pages' records have a value.
    """
    return {name for name, share in contract.fill.items() if share > CHECK.regular_fill}


def count_known_shapes(contract: Contract, name: str, shown: list[str]) -> int:
    """Return how many of a field's displayed values, `shown`, look like values on the
    sample pages.

    If the sample pages have no values of the field, return the number of all values.
    """
    known_shapes = contract.shapes.get(name)
    if known_shapes is None:
        return len(shown)
    shapes = [shape_of(text) for text in shown]
    if name in contract.recognised:
        return sum(shape in known_shapes for shape in shapes)
    known_kinds = {shape.partition(" ")[0] for shape in known_shapes}
    return sum(shape.partition(" ")[0] in known_kinds for shape in shapes)
