"""Parse a gold page and locate its values: mutations are made of the result.

All elements have a rank, their place in document order, so that what was found out of a
page once holds for every copy of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from corpus import gold_data
from lxml import etree

from amber_wrap.dom.markup import decode, is_hidden, parse_html
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.evaluation.gold import GoldPage

Element = etree._Element

STATES = frozenset(
    "active alt current even featured first highlighted hover last new odd open "
    "promoted selected sponsored visited".split()
)
"""Class tokens that vary between the instances of one template node."""


@dataclass(frozen=True, slots=True)
class Text:
    """The text after the start tag of an element, or after its end tag."""

    rank: int
    is_tail: bool

    def read(self, elements: Sequence[Element]) -> str:
        """Return the text in a page with these elements."""
        one = elements[self.rank]
        return (one.tail if self.is_tail else one.text) or ""

    def write(self, elements: Sequence[Element], text: str) -> None:
        """Write another text into a page with these elements."""
        if self.is_tail:
            elements[self.rank].tail = text
        else:
            elements[self.rank].text = text


Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class GoldValue:
    """A gold value in its place: `spans` are the parts of texts that display it.

    They are empty where an HTML attribute says it, or where it was not found.
    """

    type: AttributeType
    value: str
    source: str
    rank: int
    spans: Mapping[Text, Span]


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A gold record in its place: its top nodes, and its values in the page."""

    nodes: tuple[int, ...]
    values: Mapping[str, GoldValue]
    given: Mapping[str, str]
    """All values, also those whose place is not known."""


class LocatedPage:
    """A page with its gold, parsed once; copies of its tree are what is changed."""

    def __init__(self, name: str, domain: str, body: bytes, gold: Mapping[str, Any]):
        """Locate the records of a gold file; raise ValueError for an XPath that doesn't
        select one node.
        """
        self.name = name
        self.root = parse_html(decode(body))
        self.elements: list[Element] = list(self.root.iter("*"))
        ranks = {element: rank for rank, element in enumerate(self.elements)}
        self.parent = [ranks.get(one.getparent(), -1) for one in self.elements]
        self.end = list(range(1, len(self.elements) + 1))
        for rank in range(len(self.elements) - 1, 0, -1):
            above = self.parent[rank]
            self.end[above] = max(self.end[above], self.end[rank])
        self._ranks = ranks
        types = {one.name: one for one in load_domain(domain).schema.types}
        places = [
            self._place(record, types)
            for area in gold["areas"]
            for record in area["records"]
        ]
        self.records = sorted(places, key=lambda one: one.nodes[0])

    @classmethod
    def of(cls, page: GoldPage) -> Self:
        """Read a page of a gold corpus that says where its values are."""
        return cls(page.name, page.domain, page.path.read_bytes(), gold_data(page))

    def _place(
        self, record: Mapping[str, Any], types: Mapping[str, AttributeType]
    ) -> GoldPlace:
        given = record["attributes"]
        return GoldPlace(
            tuple(sorted(map(self._rank, record["nodes"]))),
            {
                name: self._value(types[name], one)
                for name, one in given.items()
                if one["xpath"]
            },
            {name: one["value"] for name, one in given.items()},
        )

    def _rank(self, xpath: str) -> int:
        found = self.root.xpath(xpath)
        if len(found) != 1:
            raise ValueError(f"{self.name}: {len(found)} nodes are at {xpath}")
        return self._ranks[found[0]]

    def _value(self, kind: AttributeType, given: Mapping[str, Any]) -> GoldValue:
        rank, value = self._rank(given["xpath"]), given["value"]
        is_text = given["source"] == "text"
        spans = self._spans(value, self.texts(rank)) if is_text else {}
        return GoldValue(kind, value, given["source"], rank, spans)

    def texts(self, rank: int) -> Iterator[Text]:
        """Yield the texts below an element, in document order."""
        open_ranks = []
        for one in range(rank, self.end[rank]):
            while open_ranks and self.end[open_ranks[-1]] <= one:
                yield Text(open_ranks.pop(), True)
            yield Text(one, False)
            if one != rank:
                open_ranks.append(one)
        while open_ranks:
            yield Text(open_ranks.pop(), True)

    def _spans(self, value: str, texts: Iterator[Text]) -> dict[Text, Span]:
        """Return where texts display a value, first where no word or number is cut.

        White space is left out of account.
        """
        known = list(texts)
        starts = [0]
        shown = []
        for text in known:
            shown.append(text.read(self.elements))
            starts.append(starts[-1] + len(shown[-1]))
        joined = "".join(shown)
        pattern = spaced(value)
        found = re.search(uncut(pattern), joined) or re.search(pattern, joined)
        if not found:
            return {}
        spans = {}
        first = bisect_right(starts, found.start()) - 1
        for i in range(first, len(known)):
            begin, end = found.start() - starts[i], found.end() - starts[i]
            if end <= 0:
                break
            if shown[i]:
                spans[known[i]] = max(0, begin), min(end, len(shown[i]))
        return spans

    @cached_property
    def record_of(self) -> dict[int, int]:
        """The record that an element stands in."""
        return {
            rank: i
            for i, record in enumerate(self.records)
            for node in record.nodes
            for rank in range(node, self.end[node])
        }

    @cached_property
    def displayed(self) -> list[int]:
        """The elements of the body that are displayed, the body left out."""
        found = []
        rank, count = 0, len(self.elements)
        while rank < count:
            if is_hidden(self.elements[rank]):
                rank = self.end[rank]
                continue
            if self.elements[rank].tag not in ("html", "body"):
                found.append(rank)
            rank += 1
        return found

    @cached_property
    def displayed_texts(self) -> list[Text]:
        """The texts of the body that are displayed and say something."""
        inside = set(self.displayed)
        texts = [Text(rank, False) for rank in self.displayed]
        for rank in range(1, len(self.elements)):
            above = self.parent[rank]
            if above in inside or self.elements[above].tag == "body":
                texts.append(Text(rank, True))
        texts.sort(key=lambda one: (one.rank, one.is_tail))
        return [text for text in texts if text.read(self.elements).strip()]

    def element_of(self, text: Text) -> int:
        """Return the element that a text stands in."""
        return self.parent[text.rank] if text.is_tail else text.rank

    def record_of_text(self, text: Text) -> int | None:
        """Return the record that a text stands in."""
        return self.record_of.get(self.element_of(text))

    @cached_property
    def gold_spans(self) -> dict[Text, list[tuple[Span, AttributeType]]]:
        """The parts of texts that display gold values."""
        found: dict[Text, list[tuple[Span, AttributeType]]] = {}
        for record in self.records:
            for value in record.values.values():
                for text, span in value.spans.items():
                    found.setdefault(text, []).append((span, value.type))
        return found

    @cached_property
    def template(self) -> list[int]:
        """The template node of each element, a number.

        Elements are of one template node if they have the same path of tags and of
        class tokens, apart from tokens that vary: names of states, those with digits,
        and what some have beside all that others have.
        """
        key = [-1] * len(self.elements)
        level: dict[int, list[int]] = {-1: [0]}
        count = 0
        children: dict[int, list[int]] = {}
        for rank, above in enumerate(self.parent):
            children.setdefault(above, []).append(rank)
        while level:
            below: dict[int, list[int]] = {}
            for ranks in level.values():
                groups: dict[tuple[str, frozenset[str]], list[int]] = {}
                for rank in ranks:
                    one = self.elements[rank]
                    groups.setdefault((one.tag, stable_tokens(one)), []).append(rank)
                number: dict[tuple[str, frozenset[str]], int] = {}
                for tag, tokens in sorted(groups, key=lambda one: len(one[1])):
                    base = next(
                        (
                            known
                            for known in number
                            if known[0] == tag and known[1] and known[1] < tokens
                        ),
                        (tag, tokens),
                    )
                    if base not in number:
                        number[base] = count
                        count += 1
                    for rank in groups[tag, tokens]:
                        key[rank] = number[base]
                        below.setdefault(number[base], []).extend(
                            children.get(rank, ())
                        )
            level = below
        return key

    @cached_property
    def names(self) -> frozenset[str]:
        """All class tokens and ids of the page."""
        return frozenset(
            name
            for one in self.elements
            for name in (*one.get("class", "").split(), one.get("id", ""))
        )

    @cached_property
    def urls(self) -> frozenset[str]:
        """The types whose values are URLs."""
        values = (one for record in self.records for one in record.values.values())
        return frozenset(v.type.name for v in values if v.type.kind is ValueKind.URL)

    def copy(self) -> tuple[Element, list[Element]]:
        """Return a copy of the tree: its root, and its elements by rank."""
        root = deepcopy(self.root)
        return root, list(root.iter("*"))

    def holds(self, outer: int, inner: int) -> bool:
        """Return whether an element is another or contains it."""
        return outer <= inner < self.end[outer]


def stable_tokens(element: Element) -> frozenset[str]:
    """Return the class tokens that name no state and have no digit."""
    classes = element.get("class")
    if not classes:
        return frozenset()
    return frozenset(
        token
        for token in classes.split()
        if token not in STATES and not any(map(str.isdigit, token))
    )


def uncut(pattern: str) -> str:
    """Return the pattern where it cuts neither a word nor a number."""
    return (
        r"(?:(?<![^\W_])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]))(?<!\d[.,](?=\d))"
        rf"(?:{pattern})"
        r"(?:(?![^\W_])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d))(?!(?<=\d)[.,]\d)"
    )


def spaced(text: str) -> str:
    """Return the pattern of a text with any white space in it."""
    return r"\s*".join(map(re.escape, "".join(text.split())))
