"""Find where the gold values of a page stand in its tree, as examples to learn from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from corpus import gold_records
from lxml import etree

from amber_wrap.dom.markup import collapse
from amber_wrap.evaluation.gold import GoldPage

Row = dict[str, str | None]
"""A record: the displayed value of each type, None where it has none."""
Rows = list[Row]


@dataclass(frozen=True, slots=True)
class Target:
    """A gold value and the element that shows it, in its text or an attribute."""

    element: etree._Element
    source: str
    value: str


@dataclass(frozen=True, slots=True)
class Example:
    """A gold record: its top elements, and its values as far as their place is known.

    `names` are all types that it has a value of.
    """

    rows: tuple[etree._Element, ...]
    targets: dict[str, Target]
    names: frozenset[str]

    def value_of(self, name: str) -> str | None:
        """Return the gold value of a type."""
        return self.targets[name].value if name in self.targets else None


def examples(gold: GoldPage, root: etree._Element) -> list[Example]:
    """Return the gold records of a page that are found in the tree, of all areas."""
    return [
        Example(
            rows, dict(_targets(record, gold, root)), frozenset(record["attributes"])
        )
        for record in gold_records(gold)
        if (rows := tuple(_elements(root, *record.get("nodes", ()))))
    ]


def _targets(
    record: dict[str, dict[str, dict[str, str]]], gold: GoldPage, root: etree._Element
) -> Iterator[tuple[str, Target]]:
    for name, one in record["attributes"].items():
        if name not in gold.unscored and one.get("xpath"):
            for element in _elements(root, one["xpath"]):
                yield name, Target(element, one["source"], collapse(one["value"]))


def _elements(root: etree._Element, *paths: str) -> Iterator[etree._Element]:
    tree = root.getroottree()
    return (element for path in paths for element in tree.xpath(path))
