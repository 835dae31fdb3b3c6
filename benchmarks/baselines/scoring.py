"""Count the lists, records and values of pages that a system found right.

The true records are known, with the XPaths of their top nodes. Found lists and records
are compared with the true ones by these nodes. Found values are compared by slots. A
slot has the texts at one position of a template (AMBER paper, section 6.3).
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from corpus import gold_data

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.link_addresses import path_and_query, without_query
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.errors import GoldError
from amber_wrap.evaluation.agreement import agreement_words
from amber_wrap.evaluation.gold import GoldPage
from amber_wrap.evaluation.score import Count
from baselines.roadrunner import String

Nodes = Sequence[NodeId]
"""The top nodes of a record."""
Area = Sequence[Nodes]
"""The top nodes of each record of an area (a list of records)."""


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A known record: its top nodes on the page, and the displayed value of each
    scored type.
    """

    nodes: tuple[NodeId, ...]
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """A page with its known lists of records.

    `urls` are the names of the attribute types whose values are URLs.
    """

    page: Page
    areas: tuple[tuple[PlacedRecord, ...], ...]
    urls: frozenset[str]

    @property
    def records(self) -> list[PlacedRecord]:
        """The known records of all lists on the page."""
        return [record for area in self.areas for record in area]


def read_places(gold: GoldPage, types: Iterable[AttributeType]) -> PlacedPage:
    """Find the nodes of the known records on a page.

    `types` are the scored types. Raise GoldError if a record has no node on the page.
    """
    page = parse(gold.path.read_bytes())
    kinds = {one.name: one.kind for one in types if one.name not in gold.unscored}
    areas = []
    placed_areas = zip(gold.areas, gold_data(gold)["areas"], strict=True)
    for area_number, (area, placed_area) in enumerate(placed_areas, start=1):
        records = []
        pairs = zip(area.records, placed_area["records"], strict=True)
        for record_number, (values, record) in enumerate(pairs, start=1):
            nodes = [
                node for path in record.get("nodes", ()) for node in page.select(path)
            ]
            if not nodes:
                raise GoldError(
                    f"json/{gold.name}.json: area {area_number}, record "
                    f"{record_number}: 'nodes' finds nothing in the page: "
                    "give the XPaths of the record's elements"
                )
            scored_values = {name: values[name] for name in kinds if name in values}
            records.append(PlacedRecord(tuple(nodes), scored_values))
        areas.append(tuple(records))
    urls = frozenset(name for name in kinds if kinds[name] is ValueKind.URL)
    return PlacedPage(page, tuple(areas), urls)


def shown(page: Page, nodes: Iterable[NodeId]) -> frozenset[NodeId]:
    """Return the text nodes and images in the subtrees of nodes."""
    return frozenset(
        inner_node
        for node in nodes
        for inner_node in range(node, node + page.size[node])
        if page.is_text(inner_node) or page.tag[inner_node] == "img"
    )


def score_areas(placed_page: PlacedPage, areas: Iterable[Area]) -> tuple[Count, Count]:
    """Count the lists and the records that a system found.

    A found list is right if it shares most of its texts and images with a known list.
    The same holds for records. Lists that show nothing of a known record, such as
    menus, aren't counted (AMBER paper, section 6.3).
    """
    page = placed_page.page
    gold = [[shown(page, one.nodes) for one in area] for area in placed_page.areas]
    in_gold = frozenset().union(*chain.from_iterable(gold))
    shown_areas = ([shown(page, nodes) for nodes in area] for area in areas)
    found = [area for area in shown_areas if in_gold & frozenset().union(*area)]
    wholes = ([frozenset().union(*area) for area in areas] for areas in (found, gold))
    records = (list(chain.from_iterable(areas)) for areas in (found, gold))
    return _count(*wholes), _count(*records)


def _count(
    found: Sequence[frozenset[NodeId]], gold: Sequence[frozenset[NodeId]]
) -> Count:
    """Count the found and the known sets of nodes.

    A known set counts as found if a found set has most of its nodes. "Most" is more
    than half of the nodes of the larger set.
    """
    right = sum(
        any(2 * len(one & known) > max(len(one), len(known)) for one in found)
        for known in gold
    )
    return Count(right, len(found), len(gold))


MOST_WORDS = 40
"""The greatest mean number of words in the strings of a scored slot.

A slot is a position in a template. A slot with more words is a description.
"""
LEAST_IN_GOLD = 0.5
"""The least share of a slot's strings that must contain a known value.

A slot is a position in a template. Slots with a smaller share, such as telephone
numbers, aren't scored.
"""


Slot = Sequence[String]
"""The strings at the same position of a template, on all pages of a site."""


Found = tuple[Count, Count]
"""Two counts: one of the strings that a system found, and one of the known values.

The first gives the precision, and the second the recall.
"""


def precision_recall_f1(found: Iterable[Found]) -> tuple[float, float, float]:
    """Return precision, recall and their harmonic mean over several pages or sites."""
    pairs = list(found)
    precision = sum((strings for strings, _ in pairs), Count()).precision
    recall = sum((values for _, values in pairs), Count()).recall
    total = precision + recall
    return precision, recall, 2 * precision * recall / total if total else 0.0


def score_slots(
    truths: Sequence[PlacedPage], slots: Iterable[Slot]
) -> tuple[Found, Found]:
    """Return two counts of the values that a system found on a site's pages.

    A slot has the strings at one position of the template. In the first count, a string
    must equal a known value of its record. In the second, it must only contain one.
    Strings outside of records aren't counted, and neither are slots that show few known
    values.
    """
    pages = [_GoldOfPage(truth) for truth in truths]
    texts_of_record: dict[tuple[int, int], list[str]] = defaultdict(list)
    seen_urls: set[tuple[int, str]] = set()
    for slot in slots:
        strings = [
            (string.page, record, pages[string.page].form(string))
            for string in slot
            if (record := pages[string.page].record_of(string.node)) is not None
        ]
        for page, record, text in strings if _is_in_gold(pages, strings) else ():
            if text.startswith(URL_MARK):
                if (page, text) in seen_urls:
                    continue
                seen_urls.add((page, text))
            texts_of_record[page, record].append(text)
    equal, in_string, in_value = Count(), Count(), Count()
    for page_number, gold_of_page in enumerate(pages):
        for record_number, values in enumerate(gold_of_page.values):
            texts = texts_of_record[page_number, record_number]
            both = Counter(map(_comparable, texts)) & Counter(map(_comparable, values))
            equal += Count(both.total(), len(texts), len(values))
            right = sum(any(holds(text, value) for value in values) for text in texts)
            in_string += Count(right, len(texts))
            shown = sum(any(holds(text, value) for text in texts) for value in values)
            in_value += Count(shown, 0, len(values))
    return (equal, equal), (in_string, in_value)


def _is_in_gold(
    pages: Sequence[_GoldOfPage], strings: Sequence[tuple[int, int, str]]
) -> bool:
    """Return whether the strings at one position of a template are scored.

    Enough of them must contain a known value of their record. They must be shorter than
    descriptions. An item of `strings` has the numbers of the page and the record, and
    the text.
    """
    right_count = sum(
        any(holds(text, value) for value in pages[page].values[record])
        for page, record, text in strings
    )
    word_count = sum(len(text.split()) for _, _, text in strings)
    is_short = word_count <= MOST_WORDS * len(strings)
    return 0 < right_count >= LEAST_IN_GOLD * len(strings) and is_short


def holds(string: str, value: str) -> bool:
    """Return whether a string contains a known value, without cutting a number or a
    word.
    """
    if string.startswith(URL_MARK) or value.startswith(URL_MARK):
        return string == value
    begin, end = _uncut(value[0], "<"), _uncut(value[-1], "")
    is_found = re.search(begin + re.escape(value) + end, string)
    return bool(is_found) or agreement_words(string) == agreement_words(value)


def _uncut(character: str, lookbehind: str) -> str:
    """Return a regular expression that forbids to cut a word or number at one end of a
    value.

    Beside a digit it forbids a digit, and beside a letter a letter. `character` is the
    first or last character of the value. `lookbehind` is "<" for the beginning of the
    value, and "" for its end.
    """
    character_class = r"\d" if character.isdigit() else r"[^\W\d_]"
    return f"(?{lookbehind}!{character_class})" if character.isalnum() else ""


class _GoldOfPage:
    """The known values of each record of a page, in the form in which they are
    compared.
    """

    def __init__(self, truth: PlacedPage) -> None:
        pairs = [pair for record in truth.records for pair in record.values.items()]
        urls = {path_and_query(value) for name, value in pairs if name in truth.urls}
        self._keeps_query = len(set(map(without_query, urls))) < len(urls)
        self._record = {
            inner_node: record_number
            for record_number, record in enumerate(truth.records)
            for node in record.nodes
            for inner_node in range(node, node + truth.page.size[node])
        }
        self.values = [
            [self._form(value, name in truth.urls) for name, value in it.values.items()]
            for it in truth.records
        ]

    def record_of(self, node: NodeId) -> int | None:
        """Return the number of the record that contains a node, None outside of
        records.
        """
        return self._record.get(node)

    def form(self, string: String) -> str:
        """Return a string in the form for comparison: casefolded, or the path of a
        URL."""
        is_url = string.source[0] == "@" and string.source.endswith(("href", "src"))
        return self._form(string.text, is_url)

    def _form(self, text: str, is_url: bool) -> str:
        if not is_url:
            return collapse(unicodedata.normalize("NFKC", text).casefold())
        path = path_and_query(text)
        return URL_MARK + (path if self._keeps_query else without_query(path))


URL_MARK = "url:"
"""The prefix that marks a string as a URL before it is compared."""


def _comparable(form: str) -> str:
    """Return the lower-case words of a text for comparison, or a URL unchanged.

    `form` is a result of `_GoldOfPage.form`.
    """
    return form if form.startswith(URL_MARK) else agreement_words(form)
