"""Parse a gold page and find the places of its values, for many mutations of the page.

Each element has a rank, its number in document order. What was found on the page once
can therefore be used in each copy of the page.
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
"""An element of lxml's tree."""

STATES = frozenset(
    "active alt current even featured first highlighted hover last new odd open "
    "promoted selected sponsored visited".split()
)
"""The class tokens for states of an element, which are ignored when similar elements
are grouped."""


@dataclass(frozen=True, slots=True)
class Text:
    """The text after the start tag of an element, or after the end tag if `is_tail`.

    `rank` is the number of the element in document order.
    """

    rank: int
    is_tail: bool

    def read(self, elements: Sequence[Element]) -> str:
        """Return the text in the copy of the page that has `elements`; "" if there is
        none."""
        element = elements[self.rank]
        return (element.tail if self.is_tail else element.text) or ""

    def write(self, elements: Sequence[Element], text: str) -> None:
        """Set the text in the copy of the page that has `elements`."""
        if self.is_tail:
            elements[self.rank].tail = text
        else:
            elements[self.rank].text = text


Span = tuple[int, int]
"""The first position of a part of a text, and the position after the part."""


@dataclass(frozen=True, slots=True)
class GoldValue:
    """A gold value with its place; `spans` are the parts of texts that display the
    value.

    `rank` is the number of the value's element in document order. `source` is "text" or
    an HTML attribute such as "@href". `spans` is empty if the value is in an HTML
    attribute, or if it wasn't found.
    """

    type: AttributeType
    value: str
    source: str
    rank: int
    spans: Mapping[Text, Span]


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A gold record with its place: its top nodes, and its values on the page."""

    nodes: tuple[int, ...]
    values: Mapping[str, GoldValue]
    given: Mapping[str, str]
    """All values by type, including those whose place isn't known."""


class LocatedPage:
    """A parsed page with the places of its gold records; only copies of the tree are
    changed."""

    def __init__(self, name: str, domain: str, body: bytes, gold: Mapping[str, Any]):
        """Find the records of a gold file on a page.

        Raise ValueError for an XPath that doesn't select exactly one node.
        """
        self.name = name
        self.root = parse_html(decode(body))
        self.elements: list[Element] = list(self.root.iter("*"))
        ranks = {element: rank for rank, element in enumerate(self.elements)}
        self.parent = [ranks.get(element.getparent(), -1) for element in self.elements]
        self.end = list(range(1, len(self.elements) + 1))
        for rank in range(len(self.elements) - 1, 0, -1):
            parent = self.parent[rank]
            self.end[parent] = max(self.end[parent], self.end[rank])
        self._ranks = ranks
        types = {kind.name: kind for kind in load_domain(domain).schema.types}
        places = [
            self._place(record, types)
            for area in gold["areas"]
            for record in area["records"]
        ]
        self.records = sorted(places, key=lambda place: place.nodes[0])

    @classmethod
    def of(cls, page: GoldPage) -> Self:
        """Return the located page of a gold page, whose gold file must have the XPaths
        of records and values."""
        return cls(page.name, page.domain, page.path.read_bytes(), gold_data(page))

    def _place(
        self, record: Mapping[str, Any], types: Mapping[str, AttributeType]
    ) -> GoldPlace:
        """Return a record of a gold file with its place."""
        values_by_type = record["attributes"]
        return GoldPlace(
            tuple(sorted(map(self._rank, record["nodes"]))),
            {
                name: self._value(types[name], attribute)
                for name, attribute in values_by_type.items()
                if attribute["xpath"]
            },
            {name: attribute["value"] for name, attribute in values_by_type.items()},
        )

    def _rank(self, xpath: str) -> int:
        """Return the rank (number in document order) of the element that an XPath
        selects."""
        selected = self.root.xpath(xpath)
        if len(selected) != 1:
            raise ValueError(f"{self.name}: {len(selected)} nodes are at {xpath}")
        return self._ranks[selected[0]]

    def _value(self, kind: AttributeType, attribute: Mapping[str, Any]) -> GoldValue:
        """Return a value of a gold file with its place."""
        rank, value = self._rank(attribute["xpath"]), attribute["value"]
        is_text = attribute["source"] == "text"
        spans = self._spans(value, self.texts(rank)) if is_text else {}
        return GoldValue(kind, value, attribute["source"], rank, spans)

    def texts(self, rank: int) -> Iterator[Text]:
        """Yield the texts below an element, in document order."""
        open_ranks = []
        for inner_rank in range(rank, self.end[rank]):
            while open_ranks and self.end[open_ranks[-1]] <= inner_rank:
                yield Text(open_ranks.pop(), True)
            yield Text(inner_rank, False)
            if inner_rank != rank:
                open_ranks.append(inner_rank)
        while open_ranks:
            yield Text(open_ranks.pop(), True)

    def _spans(self, value: str, texts: Iterator[Text]) -> dict[Text, Span]:
        """Return the parts of texts that display a value; return nothing if it isn't
        displayed.

        White space is ignored. An occurrence that cuts no word or number is preferred.
        """
        all_texts = list(texts)
        starts = [0]
        strings = []
        for text in all_texts:
            strings.append(text.read(self.elements))
            starts.append(starts[-1] + len(strings[-1]))
        joined = "".join(strings)
        pattern = spaced(value)
        match = re.search(uncut(pattern), joined) or re.search(pattern, joined)
        if not match:
            return {}
        spans = {}
        first = bisect_right(starts, match.start()) - 1
        for number in range(first, len(all_texts)):
            begin, end = match.start() - starts[number], match.end() - starts[number]
            if end <= 0:
                break
            if strings[number]:
                spans[all_texts[number]] = max(0, begin), min(end, len(strings[number]))
        return spans

    @cached_property
    def record_of(self) -> dict[int, int]:
        """The number of the record that an element is in, by the element's rank."""
        return {
            rank: number
            for number, record in enumerate(self.records)
            for node in record.nodes
            for rank in range(node, self.end[node])
        }

    @cached_property
    def displayed(self) -> list[int]:
        """The ranks (numbers in document order) of the displayed elements in the body,
        without the body."""
        ranks = []
        rank, count = 0, len(self.elements)
        while rank < count:
            if is_hidden(self.elements[rank]):
                rank = self.end[rank]
                continue
            if self.elements[rank].tag not in ("html", "body"):
                ranks.append(rank)
            rank += 1
        return ranks

    @cached_property
    def displayed_texts(self) -> list[Text]:
        """The displayed texts of the body that have more than white space."""
        displayed_ranks = set(self.displayed)
        texts = [Text(rank, False) for rank in self.displayed]
        for rank in range(1, len(self.elements)):
            parent = self.parent[rank]
            if parent in displayed_ranks or self.elements[parent].tag == "body":
                texts.append(Text(rank, True))
        texts.sort(key=lambda text: (text.rank, text.is_tail))
        return [text for text in texts if text.read(self.elements).strip()]

    def element_of(self, text: Text) -> int:
        """Return the rank of the element that a text is in."""
        return self.parent[text.rank] if text.is_tail else text.rank

    def record_of_text(self, text: Text) -> int | None:
        """Return the number of the record that a text is in, None outside of
        records."""
        return self.record_of.get(self.element_of(text))

    @cached_property
    def gold_spans(self) -> dict[Text, list[tuple[Span, AttributeType]]]:
        """The parts of texts that display gold values, with the types of the values."""
        spans_of_text: dict[Text, list[tuple[Span, AttributeType]]] = {}
        for record in self.records:
            for value in record.values.values():
                for text, span in value.spans.items():
                    spans_of_text.setdefault(text, []).append((span, value.type))
        return spans_of_text

    @cached_property
    def template(self) -> list[int]:
        """For each element, in document order, the number of its template node.

        Elements have the same template node if their ancestors and they have the same
        tags and class tokens. Class tokens that vary are ignored: names of states,
        tokens with digits, and tokens that only some of otherwise equal elements have.
        """
        node_of_rank = [-1] * len(self.elements)
        level: dict[int, list[int]] = {-1: [0]}
        count = 0
        children: dict[int, list[int]] = {}
        for rank, parent in enumerate(self.parent):
            children.setdefault(parent, []).append(rank)
        while level:
            next_level: dict[int, list[int]] = {}
            for ranks in level.values():
                groups: dict[tuple[str, frozenset[str]], list[int]] = {}
                for rank in ranks:
                    element = self.elements[rank]
                    key = element.tag, stable_tokens(element)
                    groups.setdefault(key, []).append(rank)
                node_of_group: dict[tuple[str, frozenset[str]], int] = {}
                for tag, tokens in sorted(groups, key=lambda group: len(group[1])):
                    bases = (
                        (base_tag, base_tokens)
                        for base_tag, base_tokens in node_of_group
                        if base_tag == tag and base_tokens and base_tokens < tokens
                    )
                    base = next(bases, (tag, tokens))
                    if base not in node_of_group:
                        node_of_group[base] = count
                        count += 1
                    for rank in groups[tag, tokens]:
                        node_of_rank[rank] = node = node_of_group[base]
                        next_level.setdefault(node, []).extend(children.get(rank, ()))
            level = next_level
        return node_of_rank

    @cached_property
    def names(self) -> frozenset[str]:
        """All class tokens and ids of the page."""
        return frozenset(
            name
            for element in self.elements
            for name in (*element.get("class", "").split(), element.get("id", ""))
        )

    @cached_property
    def urls(self) -> frozenset[str]:
        """The types of the page's values that are URLs."""
        values = (value for record in self.records for value in record.values.values())
        return frozenset(
            value.type.name for value in values if value.type.kind is ValueKind.URL
        )

    def copy(self) -> tuple[Element, list[Element]]:
        """Return a copy of the tree: the root, and the elements by rank."""
        root = deepcopy(self.root)
        return root, list(root.iter("*"))

    def holds(self, outer: int, inner: int) -> bool:
        """Return whether an element contains another element or is the same."""
        return outer <= inner < self.end[outer]


def stable_tokens(element: Element) -> frozenset[str]:
    """Return the class tokens of an element, without tokens for states such as "active"
    and without tokens that have digits."""
    classes = element.get("class")
    if not classes:
        return frozenset()
    return frozenset(
        token
        for token in classes.split()
        if token not in STATES and not any(map(str.isdigit, token))
    )


def uncut(pattern: str) -> str:
    """Return a pattern that matches only where the match cuts neither a word nor a
    number."""
    return (
        r"(?:(?<![^\W_])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]))(?<!\d[.,](?=\d))"
        rf"(?:{pattern})"
        r"(?:(?![^\W_])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d))(?!(?<=\d)[.,]\d)"
    )


def spaced(text: str) -> str:
    """Return a pattern of a text with any white space between its characters."""
    return r"\s*".join(map(re.escape, "".join(text.split())))
