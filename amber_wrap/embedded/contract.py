"""What a wrapper promises of its records, and whether a page keeps it."""

from typing import TypedDict

from amber_wrap.embedded.reading import Value


class Contract(TypedDict):
    """What the records of an area were like on the samples.

    `records` are the least and the most on a page; `fill`, `distinct`, `agreement` and
    `recognised` are lower bounds of shares, by field; `shapes` are those of a field's
    values; `order` are the fields as they follow one another in a record.
    """

    records: list[int]
    fill: dict[str, float]
    shapes: dict[str, list[str]]
    distinct: dict[str, float]
    order: list[str]
    agreement: dict[str, float]
    recognised: dict[str, float]


def is_kept(contract: Contract, name: str, values: list[Value | None]) -> bool:
    """Whether a field's values, one for each record, are as filled as promised."""
    filled = sum(value is not None for value in values)
    return filled >= contract["fill"].get(name, 0.0) * len(values)
