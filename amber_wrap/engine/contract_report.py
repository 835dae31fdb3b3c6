"""Define the report on how far a page meets a contract.

A contract has conditions that hold on the sample pages of a site. The module also has
the statistical functions that the check of a page uses.
"""

from math import comb, sqrt
from typing import Final, Literal, NamedTuple, TypedDict

from amber_wrap.engine.thresholds import CHECK
from amber_wrap.values.texts_and_urls import shape_of
from amber_wrap.wrapper.ir import Contract

Z: Final = 1.96
"""The quantile of the standard normal distribution for a 95 % interval."""


PageStatus = Literal["OK", "DEGRADED", "BROKEN"]
"""The result of checking a page, from the best to the worst."""


class Clause(TypedDict):
    """A clause (condition) of a contract that a page breaks.

    A contract has the conditions that each page must meet if a wrapper (the rules for
    reading one site's pages) still fits the site. `clause` is the name of the clause,
    such as "fill". `area` is the name of the area, which is a list on the page, or ""
    for a clause about the page. `field` is "" for a clause about the records or the
    page. `message` tells the user what is wrong.
    """

    clause: str
    area: str
    field: str
    message: str


class ContractReport(TypedDict):
    """The result of checking whether a page meets a contract.

    A contract has the conditions that each page must meet if a wrapper (the rules for
    reading one site's pages) still fits the site. Each condition is a clause.

    `status` is "BROKEN" if too many values are wrong or missing, or if the page has no
    records and isn't a page without results. `status` is "DEGRADED" for another page
    that breaks a clause, and "OK" otherwise. `records` is the number of records on the
    page. `failed` has the clauses that the page breaks. `notes` are messages on small
    deviations from the contract.
    """

    status: PageStatus
    records: int
    failed: list[Clause]
    notes: list[str]


EXIT_CODES: Final = {"OK": 0, "DEGRADED": 1, "BROKEN": 3}
"""The exit codes of commands that check pages, by the status in the report. The code 2
stands for wrong arguments of the command."""


class ContractFinding(NamedTuple):
    """A sign that a page breaks a clause (condition) of a contract.

    A contract has the conditions that each page must meet if a wrapper (the rules for
    reading one site's pages) still fits the site. `clause` is the name of the clause.
    `field` is "" for a finding about the records or the page. `message` is for the
    user. `wrong` and `missing` are the estimated numbers of wrong and missing values.

    If `is_sure` is True, the page breaks the clause. Otherwise, the page breaks the
    clause only if `wrong` or `missing` isn't 0, and if the whole page has too many
    wrong and missing values.
    """

    clause: str
    field: str
    message: str
    wrong: float = 0.0
    missing: float = 0.0
    is_sure: bool = False


def report_lines(name: str, report: ContractReport) -> list[str]:
    """Return the report on the page `name` as lines of text.

    The first line has the status. A line follows for each condition that the page
    doesn't meet, and for each note.
    """
    lines = [f"{name}: {report['status']}, {report['records']} records"]
    for clause in report["failed"]:
        field = f"{clause['field']}: " if clause["field"] else ""
        lines.append(f"  {field}{clause['message']} [{clause['clause']}]")
    return lines + [f"  note: {note}" for note in report["notes"]]


def regular_fields(contract: Contract) -> set[str]:
    """Return the names of the fields that every record should have.

    These are the fields with values in more than the share `CHECK.regular_fill` of the
    records on the sample pages, according to `contract`.
    """
    return {name for name, share in contract.fill.items() if share > CHECK.regular_fill}


def count_known_shapes(contract: Contract, name: str, shown: list[str]) -> int:
    """Return how many of a field's values have a shape that occurs on the sample pages.

    `shown` are the displayed values of the field `name`. A shape is a kind of text and
    a length, such as "number 4" (`shape_of`). The shapes of the sample pages are in
    `contract`. Lengths aren't compared if the values have no type that can be
    recognised. If no shapes of the field are known, return the number of all values.
    """
    known_shapes = contract.shapes.get(name)
    if known_shapes is None:
        return len(shown)
    shapes = [shape_of(text) for text in shown]
    if name in contract.recognised:
        return sum(shape in known_shapes for shape in shapes)
    known_kinds = {shape.partition(" ")[0] for shape in known_shapes}
    return sum(shape.partition(" ")[0] in known_kinds for shape in shapes)


def wilson_interval(count: float, total: int) -> tuple[float, float]:
    """Return the 95 % Wilson score interval (1927) of the share `count` / `total`.

    The bounds are between 0 and 1. Return (0, 1) if `total` is 0.
    """
    if not total:
        return 0.0, 1.0
    share, z_term = count / total, Z * Z / total
    centre = share + z_term / 2
    margin = Z * sqrt(max(0.0, share * (1 - share)) / total + z_term / total / 4)
    return (centre - margin) / (1 + z_term), (centre + margin) / (1 + z_term)


def chance_of_unseen(odd: int, total: int, seen: int) -> float:
    """Return the probability that `odd` or more of `total` values are new by chance.

    A value is new if it has a property, such as a length, that no earlier value had.
    `seen` is the number of earlier values. The probability follows from Laplace's rule
    of succession (1814).
    """
    return comb(seen + 1 + total - odd, seen + 1) / comb(seen + 1 + total, seen + 1)
