"""Find the elements and texts of a page that display known values.

They are found once for each page, and then changed in copies of the page. Elements are
numbered in document order, so that a number stands for the same element in every copy.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

from corpus import gold_data
from lxml import etree

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.hidden_elements import is_hidden
from amber_wrap.domain.loader import load_domain
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.evaluation.gold import GoldPage

Element = etree._Element
"""An element of lxml's tree."""

STATES = frozenset(
    "active alt current even featured first highlighted hover last new odd open "
    "promoted selected sponsored visited".split()
)
"""Class names for states of an element.

They are ignored when similar elements are grouped.
"""


@dataclass(frozen=True, slots=True)
class Text:
    """The position of a text in the tree of a page.

    A text is behind the start tag of an element, or behind the end tag if `is_tail`.
    `rank` is the number of the element in document order.
    """

    rank: int
    is_tail: bool

    def read(self, elements: Sequence[Element]) -> str:
        """Return this text in a copy of the page, "" if there is none.

        `elements` are the elements of the copy in document order.
        """
        element = elements[self.rank]
        return (element.tail if self.is_tail else element.text) or ""

    def write(self, elements: Sequence[Element], text: str) -> None:
        """Set this text in a copy of the page.

        `elements` are the elements of the copy in document order.
        """
        if self.is_tail:
            elements[self.rank].tail = text
        else:
            elements[self.rank].text = text


Span = tuple[int, int]
"""The start and the end of a part of a text, as indices for a slice."""


@dataclass(frozen=True, slots=True)
class GoldValue:
    """A known value, and the position at which a page displays it.

    `rank` is the number of the value's element in document order. `source` is "text" or
    an HTML attribute such as "@href". `spans` has the parts of texts that make up the
    value. It is empty for an HTML attribute, or if the value wasn't found.
    """

    type: AttributeType
    value: str
    source: str
    rank: int
    spans: Mapping[Text, Span]


@dataclass(frozen=True, slots=True)
class GoldPlace:
    """A known record, with its top elements and the positions of its values on the
    page.
    """

    nodes: tuple[int, ...]
    values: Mapping[str, GoldValue]
    given: Mapping[str, str]
    """All values by attribute type, including those that weren't found on the page."""


class LocatedPage:
    """A parsed page, with the positions of its known records and values in the tree.

    The tree stays unchanged. Copies of the tree are changed instead.
    """

    def __init__(self, name: str, domain: str, body: bytes, gold: Mapping[str, Any]):
        """Find the known records of a page in its tree.

        `gold` is the content of the file with the known records. Raise ValueError for
        an XPath that doesn't select exactly one node.
        """
        self.name = name
        self.root = parse_html(decode(body))
        self.elements: list[Element] = list(self.root.iter("*"))
        self._ranks = {element: rank for rank, element in enumerate(self.elements)}
        self.parent = [self._ranks.get(it.getparent(), -1) for it in self.elements]
        self.end = list(range(1, len(self.elements) + 1))
        for rank in range(len(self.elements) - 1, 0, -1):
            parent = self.parent[rank]
            self.end[parent] = max(self.end[parent], self.end[rank])
        types = {kind.name: kind for kind in load_domain(domain).schema.types}
        records = (record for area in gold["areas"] for record in area["records"])
        places = [self._place(record, types) for record in records]
        self.records = sorted(places, key=lambda place: place.nodes[0])

    @classmethod
    def of(cls, page: GoldPage) -> Self:
        """Return a page whose known records and values are found in its tree.

        The page's file of known records must have the XPaths of records and values.
        """
        return cls(page.name, page.domain, page.path.read_bytes(), gold_data(page))

    def _place(
        self, record: Mapping[str, Any], types: Mapping[str, AttributeType]
    ) -> GoldPlace:
        """Return a known record, with the positions of its elements and values in the
        tree.

        `record` is the record in the file of known records. `types` are the attribute
        types by name.
        """
        given = record["attributes"]
        nodes = tuple(sorted(map(self._rank, record["nodes"])))
        placed = [name for name, value in given.items() if value["xpath"]]
        values = {name: self._value(types[name], given[name]) for name in placed}
        return GoldPlace(
            nodes, values, {name: it["value"] for name, it in given.items()}
        )

    def _rank(self, xpath: str) -> int:
        """Return the rank (number in document order) of the element that an XPath
        selects."""
        selected = self.root.xpath(xpath)
        if len(selected) != 1:
            raise ValueError(f"{self.name}: {len(selected)} nodes are at {xpath}")
        return self._ranks[selected[0]]

    def _value(self, kind: AttributeType, attribute: Mapping[str, Any]) -> GoldValue:
        """Return a known value of the type `kind`, with the texts that display it.

        `attribute` is the value in the file of known records.
        """
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
        """Return the parts of texts that display a value, none if it isn't displayed.

        White space is ignored. If the value occurs several times, an occurrence that
        cuts no word or number is preferred.
        """
        strings = {text: text.read(self.elements) for text in texts}
        joined, pattern = "".join(strings.values()), spaced(value)
        match = re.search(uncut(pattern), joined) or re.search(pattern, joined)
        spans, start = {}, 0
        for text, string in strings.items() if match else ():
            begin, end = match.start() - start, match.end() - start
            if begin < len(string) and end > 0:
                spans[text] = max(0, begin), min(end, len(string))
            start += len(string)
        return spans

    @cached_property
    def record_of(self) -> dict[int, int]:
        """For the number of each element in a record, the number of the record."""
        return {
            rank: number
            for number, record in enumerate(self.records)
            for node in record.nodes
            for rank in range(node, self.end[node])
        }

    @cached_property
    def displayed(self) -> list[int]:
        """The numbers of the displayed elements in the body, without the body itself.

        Elements are numbered in document order.
        """
        ranks, end = [], 0
        for rank, element in enumerate(self.elements):
            if rank >= end and is_hidden(element):
                end = self.end[rank]
            elif rank >= end and element.tag not in ("html", "body"):
                ranks.append(rank)
        return ranks

    @cached_property
    def displayed_texts(self) -> list[Text]:
        """The displayed texts of the body that have more than white space."""
        ranks = set(self.displayed)
        bodies = {
            it for it, element in enumerate(self.elements) if element.tag == "body"
        }
        tails = {it for it, one in enumerate(self.parent) if one in ranks | bodies}
        texts = [Text(rank, False) for rank in ranks] + [Text(it, True) for it in tails]
        texts.sort(key=lambda text: (text.rank, text.is_tail))
        return [text for text in texts if text.read(self.elements).strip()]

    def element_of(self, text: Text) -> int:
        """Return the number of the element that contains a text.

        Elements are numbered in document order.
        """
        return self.parent[text.rank] if text.is_tail else text.rank

    def record_of_text(self, text: Text) -> int | None:
        """Return the number of the record that contains a text, or None."""
        return self.record_of.get(self.element_of(text))

    @cached_property
    def gold_spans(self) -> dict[Text, list[tuple[Span, AttributeType]]]:
        """The parts of texts that display known values, with the types of the
        values.
        """
        spans: dict[Text, list[tuple[Span, AttributeType]]] = defaultdict(list)
        for value in (it for record in self.records for it in record.values.values()):
            for text, span in value.spans.items():
                spans[text].append((span, value.type))
        return spans

    @cached_property
    def template(self) -> list[int]:
        """For each element, the number of its group of similar elements.

        Similar elements have the same tags and class names, and so have their
        ancestors. Class names that vary are ignored, such as "active" and names with
        digits.
        """
        node_of_rank = [-1] * len(self.elements)
        children: dict[int, list[int]] = defaultdict(list)
        for rank, parent in enumerate(self.parent):
            children[parent].append(rank)
        level, count = [[0]], 0
        while level:
            next_level: dict[int, list[int]] = defaultdict(list)
            for ranks in level:
                groups: dict[tuple[str, frozenset[str]], list[int]] = defaultdict(list)
                for rank in ranks:
                    element = self.elements[rank]
                    groups[element.tag, stable_tokens(element)].append(rank)
                nodes: dict[tuple[str, frozenset[str]], int] = {}
                for tag, tokens in sorted(groups, key=lambda group: len(group[1])):
                    bases = (
                        it for it in nodes if it[0] == tag and it[1] and it[1] < tokens
                    )
                    base = next(bases, (tag, tokens))
                    if base not in nodes:
                        nodes[base] = count
                        count += 1
                    for rank in groups[tag, tokens]:
                        node_of_rank[rank] = nodes[base]
                        next_level[nodes[base]] += children[rank]
            level = list(next_level.values())
        return node_of_rank

    @cached_property
    def names(self) -> frozenset[str]:
        """All class names and ids that occur on the page."""
        return frozenset(
            name
            for element in self.elements
            for name in (*element.get("class", "").split(), element.get("id", ""))
        )

    @cached_property
    def urls(self) -> frozenset[str]:
        """The types of the page's values that are URLs."""
        types = (it.type for record in self.records for it in record.values.values())
        return frozenset(kind.name for kind in types if kind.kind is ValueKind.URL)

    def copy(self) -> tuple[Element, list[Element]]:
        """Return a copy of the tree: the root, and all elements in document order."""
        root = deepcopy(self.root)
        return root, list(root.iter("*"))

    def holds(self, outer: int, inner: int) -> bool:
        """Return whether the element `outer` contains the element `inner`, or is the
        same.

        Both are numbers of elements in document order.
        """
        return outer <= inner < self.end[outer]


def stable_tokens(element: Element) -> frozenset[str]:
    """Return the class names of an element that don't vary.

    Names of states such as "active", and names with digits, are left out.
    """
    tokens = element.get("class", "").split()
    stable = (it for it in tokens if it not in STATES and not any(map(str.isdigit, it)))
    return frozenset(stable)


def uncut(pattern: str) -> str:
    """Return a pattern whose matches don't begin or end inside a word or number."""
    return (
        r"(?:(?<![^\W_])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]))(?<!\d[.,](?=\d))"
        rf"(?:{pattern})"
        r"(?:(?![^\W_])|(?<=\d)(?=[^\W\d_])|(?<=[^\W\d_])(?=\d))(?!(?<=\d)[.,]\d)"
    )


def spaced(text: str) -> str:
    """Return a pattern for a text that allows white space between its characters."""
    return r"\s*".join(map(re.escape, "".join(text.split())))
