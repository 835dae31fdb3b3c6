r"""Run handwritten CSS wrappers, one per site, as a careful engineer writes them.

Each template folder of the gold corpus has one, `css/<domain>/<folder>.toml`:

    record = ".offer"
    rows = 2
    price = ".price"
    rooms = { css = ".fact", re = '(\d+) rooms' }
    details_page = "h2 a::attr(href)"
    location = [".address", ".place"]

`rows` is the number of siblings that a record consists of, 1 by default. If a page has
several lists, each has a table `[[area]]`. A value is the first text that the selector
finds. With `re`, a value is the group of the first match in these texts, or the whole
match if the pattern has no group. Of several selectors in a list, the first that finds
a value counts.

Selectors are parsel's CSS, relative to the record, which is `:scope`. They name the
class, id or HTML attribute that distinguishes an element, and leave out tags and child
steps that add nothing. Positions are used only where there is nothing else. Types whose
values no reader can determine on a site (`unscored` in the gold) have no selector.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from lxml import etree
from parsel.csstranslator import HTMLTranslator

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.displayed_texts import collapse, text_of
from examples import Row

CSS: Final = Path(__file__).resolve().parent / "css"
"""The folder of the handwritten wrappers, which are TOML files."""


@dataclass(frozen=True, slots=True)
class Rule:
    """The rule that reads a value: the first text at `path` that has a match of
    `pattern`.

    The value is the match of the pattern's group, or the whole match if the pattern has
    no group.
    """

    path: etree.XPath
    pattern: re.Pattern[str]

    def values(self, nodes: Iterable[etree._Element]) -> Iterator[str]:
        """Yield the values in the nodes of a record."""
        for node in nodes:
            for selected in self.path(node):
                is_text = isinstance(selected, str)
                text = collapse(selected) if is_text else text_of(selected)
                if match := self.pattern.search(text):
                    value = match[1 if self.pattern.groups else 0]
                    if value and value.strip():
                        yield value.strip()


@dataclass(frozen=True, slots=True)
class Area:
    """A list of records on a page, as a handwritten wrapper describes it.

    An expression selects the first element of each record. A record has a fixed number
    of elements, and a rule for each attribute type.
    """

    record: etree.XPath
    rows: int
    rules: Mapping[str, Sequence[Rule]]

    def read(self, first: etree._Element) -> Row:
        """Return the values of the record that begins with an element."""
        nodes = [first, *islice(first.itersiblings("*"), self.rows - 1)]
        return {
            name: next((value for rule in rules for value in rule.values(nodes)), None)
            for name, rules in self.rules.items()
        }


@dataclass(frozen=True, slots=True)
class Handwritten:
    """The handwritten wrapper (rules for reading records) of a site."""

    areas: Sequence[Area]

    def __call__(self, body: bytes) -> list[Row]:
        """Return the records of a page in document order."""
        root = parse_html(decode(body))
        area_of = {node: area for area in self.areas for node in area.record(root)}
        return [area_of[node].read(node) for node in root.iter("*") if node in area_of]


@cache
def load(domain: str, folder: str, css: Path = CSS) -> Handwritten:
    """Return the handwritten wrapper of a template folder.

    A wrapper is a set of rules for reading records.
    """
    tables = tomllib.loads((css / domain / f"{folder}.toml").read_text("utf-8"))
    return Handwritten([_area_of(area) for area in tables.get("area", [tables])])


def _area_of(table: Mapping[str, Any]) -> Area:
    """Return the description of a list of records that a TOML table has."""
    rules = {
        name: list(map(_rule_of, value if isinstance(value, list) else [value]))
        for name, value in table.items()
        if name not in ("record", "rows")
    }
    return Area(_xpath(table["record"]), table.get("rows", 1), rules)


def _rule_of(rule: str | Mapping[str, str]) -> Rule:
    """Return the rule for a CSS selector, or for a TOML table with a selector and a
    pattern.
    """
    table = {"css": rule} if isinstance(rule, str) else rule
    return Rule(_xpath(table["css"]), re.compile(table.get("re", ".+")))


def _xpath(css: str) -> etree.XPath:
    """Return the XPath expression of a CSS selector."""
    return etree.XPath(HTMLTranslator().css_to_xpath(css), smart_strings=False)
