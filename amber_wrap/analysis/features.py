"""Named features of candidate lists: what tells the list that a page is for.

Each is a function of a `View`, a candidate on its page, and gives a number of about
0 to 1; `choice` weighs them.  Text is counted in characters.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from math import log2, sqrt
from typing import Final

from amber_wrap.analysis.asides import asides_above, words_of
from amber_wrap.analysis.candidates import common_marks, tag_paths
from amber_wrap.analysis.typing import Record, Segmentation
from amber_wrap.annotate.annotator import Annotation
from amber_wrap.annotate.builtin import HEADINGS, headline_links, links
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.domain.schema import AttributeType, ValueKind
from amber_wrap.memo import remembered

MOST_TEXT: Final = 400
"""Characters that count of a record."""
ENOUGH: Final = 0.6
"""The share of records that makes a place or a type common."""
MOST_LOOKED_AT: Final = 24
"""Records whose elements are compared, evenly drawn."""
CONTROLS: Final = frozenset({"input", "select", "textarea", "button"})
INLINE: Final = frozenset("span b strong em i u font small label".split())
BOXES: Final = frozenset("ul ol table tbody dl section".split())
RESULTS: Final = frozenset(
    "result results item items list listing listings hit hits entry entries product "
    "products card cards post posts search row offer offers article articles "
    "record records".split()
)
"""Class words of what is a result or holds results."""
CLOSED: Final = frozenset(
    "modal popup popover dropdown tooltip dialog lightbox overlay autocomplete suggest "
    "suggestions megamenu flyout offcanvas drawer cookie consent".split()
)
"""Class words of what is closed until somebody opens it."""
CLOSED_ROLES: Final = frozenset(
    "dialog alertdialog menu menubar listbox tooltip".split()
)
PARTS: Final = frozenset("nav footer aside header".split())
ROLES: Final = frozenset("navigation contentinfo complementary banner".split())


class Measures:
    """What is counted on a page once for all of its candidates."""

    def __init__(
        self,
        page: Page,
        annotations: Iterable[Annotation],
        types: Iterable[AttributeType],
        is_named: bool = False,
    ) -> None:
        """It `is_named` of what domain the records are, unless all are headlines."""
        self.page = page
        size = len(page)
        within_link = bytearray(size)
        for node, _ in links(page):
            within_link[node : node + page.size[node]] = b"\1" * page.size[node]
        self.linked = _sums(
            len(text) if inside else 0
            for text, inside in zip(page.text, within_link, strict=True)
        )
        self.digits = _sums(sum(map(str.isdigit, text)) for text in page.text)
        self.texts = _sums(map(bool, page.text))
        self.images = _sums(tag == "img" for tag in page.tag)
        self.controls = _sums(tag in CONTROLS for tag in page.tag)
        headings = {node for node, tag in enumerate(page.tag) if tag in HEADINGS}
        self.headings = _sums(node in headings for node in range(size))
        heads = {node for node, _ in headline_links(page)}
        self.heads = _sums(node in heads for node in range(size))
        self.links = [node for node, _ in links(page)]
        self.targets = [page.attributes[node].get("href", "") for node in self.links]
        aside = bytearray(size)
        for node in page.elements():
            if page.tag[node] in PARTS or page.attributes[node].get("role") in ROLES:
                aside[node : node + page.size[node]] = b"\1" * page.size[node]
        self.aside = aside
        self.outside = _sums(
            0 if inside else len(text)
            for text, inside in zip(page.text, aside, strict=True)
        )
        self.kinds = {kind.name: kind for kind in types}
        regular = [kind for kind in self.kinds.values() if kind.regular]
        # Links alone don't tell one list from another.
        self.is_named = is_named and any(
            kind.kind is not ValueKind.URL for kind in regular
        )
        claimed: dict[str, set[NodeId]] = {}
        for one in annotations:
            claimed.setdefault(one.type, set()).add(page.element(one.node))
        self.claims = {
            name: _sums(node in nodes for node in range(size))
            for name, nodes in claimed.items()
        }
        self.repetition, self.linked_repetition = _repetitions(page, self)

    def in_link(self, begin: NodeId, end: NodeId) -> slice:
        """The links within an interval of nodes."""
        first = bisect_left(self.links, begin)
        return slice(first, bisect_left(self.links, end, first))


def _sums(counts: Iterable[int]) -> Sequence[int]:
    """How much there is before each node, and in all."""
    return list(accumulate(counts, initial=0))


def _repetitions(
    page: Page, measures: Measures
) -> tuple[Sequence[float], Sequence[float]]:
    """The share of each element's text that children of one look repeat.

    Or those of the only child that displays most of it; and the same where each of
    these children has a link of its own.
    """
    repeated, with_links = [0.0] * len(page), [0.0] * len(page)
    looks = common_marks(page)
    links_before = [0] * (len(page) + 1)
    marks = set(measures.links)
    for node in range(len(page)):
        links_before[node + 1] = links_before[node] + (node in marks)
    for node in reversed(page.elements()):
        length = page.text_length(node)
        if not length:
            continue
        groups: dict[tuple[str, frozenset[str]], list[NodeId]] = {}
        best = linked = 0.0
        for child in page.child_elements(node):
            shown = page.text_length(child)
            if not shown:
                continue
            groups.setdefault((page.tag[child], looks[child]), []).append(child)
            if 3 * shown > 2 * length:
                best = max(best, repeated[child] * shown / length)
                linked = max(linked, with_links[child] * shown / length)
        for group in groups.values():
            if len(group) < 2:
                continue
            share = sum(map(page.text_length, group)) / length
            best = max(best, share)
            have = sum(
                links_before[one + page.size[one]] > links_before[one] for one in group
            )
            linked = max(linked, share * have / len(group))
        repeated[node], with_links[node] = best, linked
    return repeated, with_links


@dataclass(frozen=True)
class View:
    """A candidate list on its page, and what its records have in common.

    `most` is the greatest text that a candidate of the page displays in records.
    """

    measures: Measures
    segmentation: Segmentation
    most: int

    @property
    def page(self) -> Page:
        """The page that the list is on."""
        return self.measures.page

    @property
    def records(self) -> tuple[Record, ...]:
        """The records of the list."""
        return self.segmentation.records

    @cached_property
    def extents(self) -> list[tuple[NodeId, NodeId]]:
        """Where each record begins, and where it ends."""
        size = self.page.size
        return [
            (one.nodes[0], one.nodes[-1] + size[one.nodes[-1]]) for one in self.records
        ]

    @cached_property
    def starts(self) -> list[NodeId]:
        """The record starts."""
        return [one.start for one in self.records]

    def counts(self, sums: Sequence[int]) -> list[int]:
        """How much of what was summed up there is in each record."""
        return [sums[end] - sums[begin] for begin, end in self.extents]

    def share(self, sums: Sequence[int]) -> float:
        """The share of the records with any of it."""
        key = id(sums)
        if key not in self._shares:
            self._shares[key] = _mean(map(bool, self.counts(sums)))
        return self._shares[key]

    @cached_property
    def _shares(self) -> dict[int, float]:
        return {}

    @cached_property
    def common_places(self) -> set[int]:
        """The places that most of the records looked at have."""
        enough = ENOUGH * len(self.columns)
        return {place for place, n in self.common.items() if n >= enough}

    @cached_property
    def type_shares(self) -> dict[str, float]:
        """The share of the records in which each type is claimed."""
        return {name: self.share(sums) for name, sums in self.measures.claims.items()}

    @cached_property
    def usual_look(self) -> tuple[str, frozenset[str]]:
        """The commonest tag and marks of a record start."""
        looks, tag = common_marks(self.page), self.page.tag
        counts = Counter((tag[one], looks[one]) for one in self.starts)
        return counts.most_common(1)[0][0]

    @cached_property
    def usual_mark(self) -> str:
        """The commonest mark of record starts, "" for none."""
        looks = common_marks(self.page)
        counts = Counter(mark for one in self.starts for mark in looks[one])
        return max(counts, key=lambda one: (counts[one], one), default="")

    @cached_property
    def usual_tag(self) -> str:
        """The commonest tag of record starts."""
        counts = Counter(self.page.tag[one] for one in self.starts)
        return counts.most_common(1)[0][0]

    @cached_property
    def usual_path(self) -> int:
        """The commonest tags above, as a number."""
        paths = tag_paths(self.page)
        return Counter(paths[one] for one in self.starts).most_common(1)[0][0]

    @cached_property
    def own_targets(self) -> set[str]:
        """Where the links lead that only one record has."""
        return {one for one, n in self.link_counts.items() if n == 1}

    @cached_property
    def said(self) -> set[str]:
        """What the records say."""
        return {self.page.string(one) for one in self.starts}

    @cached_property
    def lengths(self) -> list[int]:
        """The characters that each record displays."""
        return self.counts(self.page.characters)

    @cached_property
    def text(self) -> int:
        """The characters that all records display."""
        return sum(self.lengths)

    @cached_property
    def parents(self) -> Counter[NodeId]:
        """The parents of the records, and how many each has."""
        return Counter(self.page.parent[start] for start in self.starts)

    @cached_property
    def looked_at(self) -> list[NodeId]:
        """The starts of the records whose elements are compared."""
        step = max(1, len(self.starts) // MOST_LOOKED_AT)
        return self.starts[::step][:MOST_LOOKED_AT]

    @cached_property
    def columns(self) -> list[frozenset[int]]:
        """What elements some of the records are made of, as numbers of their places."""
        page, extents = self.page, self.extents
        step = max(1, len(extents) // MOST_LOOKED_AT)
        found = []
        for begin, end in extents[::step][:MOST_LOOKED_AT]:
            base = tag_paths(page)[begin]
            places = _places(page)
            found.append(
                frozenset(
                    places[node]
                    for node in page.elements()[_rank(page, begin) : _rank(page, end)]
                    if page.text_length(node)
                )
                - {base}
            )
        return found

    @cached_property
    def common(self) -> Counter[int]:
        """In how many of these records each place is."""
        return Counter(place for one in self.columns for place in one)

    @cached_property
    def own_links(self) -> list[set[str]]:
        """Where the links of each record lead."""
        targets = self.measures.targets
        return [set(targets[self.measures.in_link(*one)]) for one in self.extents]

    @cached_property
    def link_counts(self) -> Counter[str]:
        """In how many records a link to a target is."""
        return Counter(one for found in self.own_links for one in found)


def _rank(page: Page, node: NodeId) -> int:
    return page._numbered()[1][node]


def _places(page: Page) -> Sequence[int]:
    return _look_numbers(page)


@remembered
def _look_numbers(page: Page) -> Sequence[int]:
    numbers: dict[tuple[str, frozenset[str], str], int] = {}
    looks = common_marks(page)
    found = [-1] * len(page)
    for node in page.elements():
        parent = page.parent[node]
        key = (page.tag[node], looks[node], page.tag[parent] if parent >= 0 else "")
        found[node] = numbers.setdefault(key, len(numbers))
    return found


Feature = Callable[[View], float]
FEATURES: dict[str, Feature] = {}
"""By name, in the order of this module."""


def feature(function: Feature) -> Feature:
    """Have a function among the features."""
    FEATURES[function.__name__] = function
    return function


def features(view: View) -> Mapping[str, float]:
    """All features of a candidate."""
    return {name: function(view) for name, function in FEATURES.items()}


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0


def _variation(values: Sequence[float]) -> float:
    """The standard deviation by the mean, at most 2."""
    mean = _mean(values)
    if not mean:
        return 0.0
    return min(2.0, sqrt(_mean((one - mean) ** 2 for one in values)) / mean)


def _log(value: float, most: float) -> float:
    return min(1.0, log2(1 + value) / log2(1 + most))


@feature
def record_count(view: View) -> float:
    """How many records there are, a logarithm."""
    return _log(len(view.records), 200)


@feature
def few_records(view: View) -> float:
    """Whether there are but two."""
    return float(len(view.records) == 2)


@feature
def three_or_four(view: View) -> float:
    """Whether there are three or four."""
    return float(len(view.records) in (3, 4))


@feature
def text_share(view: View) -> float:
    """The share of the page's text in records."""
    return view.text / max(1, view.page.characters[-1])


@feature
def text_share_outside(view: View) -> float:
    """The share of the text outside of the page's header, menus and footer."""
    total = view.measures.outside[-1]
    return sum(view.counts(view.measures.outside)) / max(1, total)


@feature
def text_among_candidates(view: View) -> float:
    """The text by that of the candidate with most."""
    return view.text / max(1, view.most)


@feature
def capped_text(view: View) -> float:
    """The same where long records count no more than others, a root."""
    capped = sum(min(MOST_TEXT, one) for one in view.lengths)
    return sqrt(min(1.0, capped / max(1, view.most)))


@feature
def parents_share(view: View) -> float:
    """The share of the text of the records' parents that is in records."""
    return view.text / max(1, sum(map(view.page.text_length, view.parents)))


@feature
def siblings_share(view: View) -> float:
    """The share of the parents' children that are parts of records."""
    page = view.page
    children = sum(
        page.text_length(child) > 0
        for parent in view.parents
        for child in page.child_elements(parent)
    )
    parts = sum(
        page.text_length(node) > 0 for record in view.records for node in record.nodes
    )
    return min(1.0, parts / max(1, children))


@feature
def span_share(view: View) -> float:
    """The share of the text from the first to the last record that is in records."""
    before = view.page.characters
    begin, end = view.extents[0][0], max(end for _, end in view.extents)
    return view.text / max(1, before[end] - before[begin])


@feature
def root_share(view: View) -> float:
    """The share of the text of the list's root that is in records."""
    root = view.segmentation.area.root
    return view.text / max(1, view.page.text_length(root))


@feature
def record_text(view: View) -> float:
    """The text of a record, a logarithm."""
    return _log(view.text / len(view.records), 2000)


@feature
def short_records(view: View) -> float:
    """The share of the records of less than 20 characters."""
    return _mean(one < 20 for one in view.lengths)


@feature
def long_records(view: View) -> float:
    """The share of the records of more than 1,500 characters."""
    return _mean(one > 1500 for one in view.lengths)


@feature
def text_variation(view: View) -> float:
    """How much the texts of records vary in length."""
    return _variation([min(2 * MOST_TEXT, one) for one in view.lengths])


@feature
def smallest_text(view: View) -> float:
    """The text of the smallest record by the mean."""
    return min(view.lengths) * len(view.records) / max(1, view.text)


@feature
def linked_records(view: View) -> float:
    """The share of the records with a link."""
    return _mean(bool(one) for one in view.own_links)


@feature
def own_links(view: View) -> float:
    """The share of the records with a link that no other record has."""
    counts = view.link_counts
    return _mean(any(counts[one] == 1 for one in found) for found in view.own_links)


@feature
def links_per_record(view: View) -> float:
    """The links of a record to different targets, a logarithm."""
    return _log(_mean(map(len, view.own_links)), 30)


@feature
def common_links(view: View) -> float:
    """The share of the links that several records have."""
    total = sum(view.link_counts.values())
    return sum(n for n in view.link_counts.values() if n > 1) / max(1, total)


@feature
def linked_text(view: View) -> float:
    """The share of the text that is in links."""
    return sum(view.counts(view.measures.linked)) / max(1, view.text)


@feature
def single_link(view: View) -> float:
    """The share of the records that are one link and nothing else."""
    linked = view.counts(view.measures.linked)
    return _mean(
        len(found) == 1 and have >= 0.95 * length
        for found, have, length in zip(
            view.own_links, linked, view.lengths, strict=True
        )
    )


@feature
def headed_by_links(view: View) -> float:
    """The share of the records with a link that reads like a headline."""
    return _mean(map(bool, view.counts(view.measures.heads)))


@feature
def one_heading(view: View) -> float:
    """The share of the records with one heading."""
    return _mean(one == 1 for one in view.counts(view.measures.headings))


@feature
def several_headings(view: View) -> float:
    """The share of the records with three headings and more."""
    return _mean(one > 2 for one in view.counts(view.measures.headings))


@feature
def with_images(view: View) -> float:
    """The share of the records with an image."""
    return _mean(map(bool, view.counts(view.measures.images)))


@feature
def with_controls(view: View) -> float:
    """The share of the records with a part of a form."""
    return _mean(map(bool, view.counts(view.measures.controls)))


@feature
def texts_per_record(view: View) -> float:
    """The text nodes of a record, a logarithm."""
    return _log(_mean(view.counts(view.measures.texts)), 60)


@feature
def single_text(view: View) -> float:
    """The share of the records of one text node."""
    return _mean(one < 2 for one in view.counts(view.measures.texts))


@feature
def texts_variation(view: View) -> float:
    """How much the number of texts varies."""
    return _variation(view.counts(view.measures.texts))


@feature
def digits(view: View) -> float:
    """The share of the text that are digits."""
    return sum(view.counts(view.measures.digits)) / max(1, view.text)


@feature
def common_columns(view: View) -> float:
    """The places of texts that most records share, a logarithm."""
    enough = 0.6 * len(view.columns)
    return _log(sum(n >= enough for n in view.common.values()), 40)


@feature
def regularity(view: View) -> float:
    """The share of a record's places that most records have."""
    enough = 0.6 * len(view.columns)
    common = {place for place, n in view.common.items() if n >= enough}
    return _mean(len(one & common) / max(1, len(one | common)) for one in view.columns)


@feature
def one_look(view: View) -> float:
    """The share of the records of one look."""
    looks = common_marks(view.page)
    counts = Counter((view.page.tag[one], looks[one]) for one in view.starts)
    return max(counts.values()) / len(view.starts)


@feature
def shared_mark(view: View) -> float:
    """The share of the records that bear the commonest mark."""
    looks = common_marks(view.page)
    counts = Counter(mark for one in view.starts for mark in looks[one])
    return max(counts.values(), default=0) / len(view.starts)


@feature
def mark_elsewhere(view: View) -> float:
    """The share of the elements with that mark and tag that are no records."""
    page, looks = view.page, common_marks(view.page)
    counts = Counter(mark for one in view.starts for mark in looks[one])
    if not counts:
        return 0.0
    mark, n = counts.most_common(1)[0]
    tag = page.tag[view.starts[0]]
    return 1 - min(1.0, n / max(1, _bearers(page, tag, mark)))


@remembered
def _bearers(page: Page, tag: str, mark: str) -> int:
    looks = common_marks(page)
    return sum(
        mark in looks[node]
        for node in page.elements()
        if page.tag[node] == tag and page.text_length(node)
    )


@feature
def one_path(view: View) -> float:
    """The share of the records with one way down to them."""
    paths = tag_paths(view.page)
    counts = Counter(paths[one] for one in view.starts)
    return max(counts.values()) / len(view.starts)


@feature
def one_parent(view: View) -> float:
    """The share of the records that one parent has."""
    return max(view.parents.values()) / len(view.starts)


@feature
def parents_per_record(view: View) -> float:
    """The number of parents by that of records."""
    return len(view.parents) / len(view.starts)


@feature
def cells_of_rows(view: View) -> float:
    """The share of the records whose parents hold equally many, if these are several."""
    counts = Counter(view.parents.values())
    if len(view.parents) < 2:
        return 0.0
    number, n = max(counts.items(), key=lambda one: one[0] * one[1])
    return number * n / len(view.starts) if number > 1 else 0.0


@feature
def several_nodes(view: View) -> float:
    """Whether records are several siblings each."""
    return float(view.segmentation.record_length > 1)


@feature
def in_asides(view: View) -> float:
    """The share of the records under something called a menu, a footer and the like."""
    return _mean(bool(asides_above(view.page, one)) for one in view.starts)


@feature
def in_parts(view: View) -> float:
    """The share of the records in a header, menu or footer by tag or role."""
    return _mean(view.measures.aside[one] for one in view.starts)


@feature
def in_closed(view: View) -> float:
    """The share of the records in what is closed until somebody opens it."""
    return _mean(_is_closed(view.page, one) for one in view.starts)


@remembered
def _is_closed(page: Page, node: NodeId) -> bool:
    while node >= 0:
        attributes = page.attributes[node]
        if (
            (page.tag[node] == "details" and "open" not in attributes)
            or page.tag[node] in ("dialog", "menu", "datalist")
            or attributes.get("role") in CLOSED_ROLES
            or attributes.get("aria-hidden") == "true"
            or attributes.get("aria-expanded") == "false"
        ):
            return True
        if not CLOSED.isdisjoint(words_of(page, node)):
            return True
        node = page.parent[node]
    return False


@feature
def header_rows(view: View) -> float:
    """The share of the records that are headers of a table."""
    return _mean(_is_header(view.page, one) for one in view.starts)


def _is_header(page: Page, node: NodeId) -> bool:
    cells = page.child_elements(node)
    return page.tag[node] == "th" or (
        page.tag[node] == "tr"
        and bool(cells)
        and all(page.tag[one] == "th" for one in cells)
    )


@feature
def first_is_header(view: View) -> float:
    """Whether the first record is a header, others aren't."""
    found = [_is_header(view.page, one) for one in view.starts]
    return float(found[0] and not all(found))


@feature
def filled_gaps(view: View) -> float:
    """The share of the neighbours under one parent with a text between them."""
    return _mean(gap > 0 for gap in _gaps(view))


@feature
def text_in_gaps(view: View) -> float:
    """The text between neighbours by that of a record, at most 1."""
    mean = view.text / len(view.records)
    return _mean(min(1.0, gap / max(1, mean)) for gap in _gaps(view))


def _gaps(view: View) -> list[int]:
    before, parent = view.page.characters, view.page.parent
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return [
        max(0, before[begin] - before[end])
        for (first, end), (begin, _) in pairs
        if parent[first] == parent[begin]
    ]


@feature
def gaps_everywhere(view: View) -> float:
    """The share of the neighbours, under whatever parents, with much between them."""
    before = view.page.characters
    least = 0.1 * view.text / len(view.records)
    pairs = zip(view.extents, view.extents[1:], strict=False)
    return _mean(before[begin] - before[end] > least for (_, end), (begin, _) in pairs)


@feature
def unlike_nodes(view: View) -> float:
    """How unlike the siblings are that one record is made of; 0 for a single one."""
    page, before = view.page, view.page._numbered()[1]
    places = _places(page)

    def looks(node: NodeId) -> set[int]:
        found = page.elements()[before[node] : before[node + page.size[node]]]
        return {places[one] for one in found}

    records = [one for one in view.records if len(one.nodes) > 1][:MOST_LOOKED_AT]
    found = []
    for record in records:
        first, *others = map(looks, record.nodes)
        found.append(
            1 - max(len(first & one) / max(1, len(first | one)) for one in others)
        )
    return _mean(found)


@feature
def like_parents(view: View) -> float:
    """How much the places of records have in common from parent to parent."""
    groups: dict[NodeId, list[frozenset[int]]] = {}
    for start, places in zip(view.looked_at, view.columns, strict=True):
        groups.setdefault(view.page.parent[start], []).append(places)
    if len(groups) < 2:
        return 1.0
    enough = 0.6 * len(view.columns)
    common = {place for place, n in view.common.items() if n >= enough}
    return min(
        _mean(len(one & common) / max(1, len(one | common)) for one in found)
        for found in groups.values()
    )


@feature
def same_tag_left_out(view: View) -> float:
    """The share of the parents' children with the records' tags that are none."""
    page, starts = view.page, set(view.starts)
    tags = {page.tag[one] for one in starts}
    children = [
        child
        for parent in view.parents
        for child in page.child_elements(parent)
        if page.tag[child] in tags and page.text_length(child)
    ]
    rows = {node for record in view.records for node in record.nodes}
    return 1 - sum(one in rows for one in children) / max(1, len(children))


@feature
def labels(view: View) -> float:
    """The share of the texts that most records show, too."""
    shown = _shown(view)
    counts = Counter(text for one in shown for text in set(one))
    enough = max(2.0, 0.5 * len(shown))
    total = sum(map(len, shown))
    return sum(counts[text] >= enough for one in shown for text in one) / max(1, total)


@feature
def different_texts(view: View) -> float:
    """The share of the texts that no other record shows."""
    shown = _shown(view)
    counts = Counter(text for one in shown for text in set(one))
    total = sum(map(len, shown))
    return sum(counts[text] == 1 for one in shown for text in one) / max(1, total)


@feature
def longest_text(view: View) -> float:
    """The longest text node of a record, a logarithm."""
    return _log(_mean(max(map(len, one), default=0) for one in _shown(view)), 400)


def _shown(view: View) -> list[list[str]]:
    page = view.page
    step = max(1, len(view.extents) // MOST_LOOKED_AT)
    return [
        [text for text in page.text[begin:end] if text]
        for begin, end in view.extents[::step][:MOST_LOOKED_AT]
    ]


@feature
def root_depth(view: View) -> float:
    """How deep the list is, a logarithm."""
    return _log(view.page.depth[view.segmentation.area.root], 40)


@feature
def are_alike_in_tag(view: View) -> float:
    """The share of the records with the commonest tag."""
    counts = Counter(view.page.tag[one] for one in view.starts)
    return max(counts.values()) / len(view.starts)


@feature
def in_main(view: View) -> float:
    """Whether the list is in what its author calls the main part."""
    return float(_has_above(view, lambda tag, words: tag == "main" or "main" in words))


@feature
def result_words(view: View) -> float:
    """The share of the records called results, items and the like."""
    words = (words_of(view.page, one) for one in view.starts)
    return _mean(not RESULTS.isdisjoint(one) for one in words)


@feature
def result_words_above(view: View) -> float:
    """Whether the parent of records or its parent is called results and the like."""
    page = view.page
    parent = page.parent[view.starts[0]]
    above = [parent, page.parent[parent]] if parent >= 0 else []
    found = (words_of(page, one) for one in above if one >= 0)
    return float(any(not RESULTS.isdisjoint(one) for one in found))


def _has_above(view: View, test: Callable[[str, set[str]], bool]) -> bool:
    page, node = view.page, view.segmentation.area.root
    while node >= 0:
        if page.tag[node] not in ("html", "body") and test(
            page.tag[node], words_of(page, node)
        ):
            return True
        node = page.parent[node]
    return False


@feature
def begins_at(view: View) -> float:
    """The share of the page's text before the first record."""
    before = view.page.characters
    return before[view.starts[0]] / max(1, before[-1])


@feature
def ends_at(view: View) -> float:
    """The share of the page's text after the last record."""
    before = view.page.characters
    return 1 - before[view.extents[-1][1]] / max(1, before[-1])


@feature
def equal_records(view: View) -> float:
    """The share of the records that say what another says."""
    said = {view.page.string(one) for one in view.starts}
    return 1 - len(said) / len(view.starts)


@feature
def more_around(view: View) -> float:
    """The share of the records with an ancestor that displays more and holds no other."""
    return _mean(gain > 0.02 for gain in _gains(view))


@feature
def text_around(view: View) -> float:
    """By how much more the widest of such ancestors displays, at most 1."""
    return _mean(min(1.0, gain) for gain in _gains(view))


def _gains(view: View) -> list[float]:
    page, size = view.page, view.page.size
    found = []
    for i, (record, length) in enumerate(zip(view.records, view.lengths, strict=True)):
        before = view.extents[i - 1][1] if i else 0
        after = view.starts[i + 1] if i + 1 < len(view.starts) else len(page)
        top = record.start
        if len(record.nodes) == 1:
            while True:
                parent = page.parent[top]
                if parent < 0 or (parent < before and i):
                    break
                if parent + size[parent] > after or page.tag[parent] in (
                    "body",
                    "html",
                ):
                    break
                if i == 0 and len(view.starts) > 1 and parent + size[parent] > after:
                    break
                top = parent
        found.append(
            page.text_length(top) / max(1, length) - 1 if top != record.start else 0.0
        )
    return found


@feature
def inner_repetition(view: View) -> float:
    """The share of a record's text that like parts repeat."""
    found = view.measures.repetition
    return _mean(found[one] for one in view.starts)


@feature
def inner_linked_repetition(view: View) -> float:
    """The same of like parts that all have links."""
    found = view.measures.linked_repetition
    return _mean(found[one] for one in view.starts)


@feature
def outer_repetition(view: View) -> float:
    """The share of the text of what holds the list's parents that like parts repeat."""
    page = view.page
    above = {page.parent[one] for one in view.parents if page.parent[one] >= 0}
    return _mean(view.measures.repetition[one] for one in above)


def _type_shares(view: View) -> dict[str, float]:
    return {
        name: _mean(map(bool, view.counts(sums)))
        for name, sums in view.measures.claims.items()
    }


@feature
def types_per_record(view: View) -> float:
    """The types claimed in a record, a logarithm."""
    return _log(sum(_type_shares(view).values()), 15)


@feature
def types_in_most(view: View) -> float:
    """The types claimed in most records, a logarithm."""
    return _log(sum(one > 0.6 for one in _type_shares(view).values()), 15)


@feature
def prices(view: View) -> float:
    """The share of the records with an amount of money."""
    return _share_of_kind(view, ValueKind.MONEY)


@feature
def dates(view: View) -> float:
    """The share of the records with a date."""
    return _share_of_kind(view, ValueKind.DATE)


@feature
def one_price_or_date(view: View) -> float:
    """The share of the records that claim one amount or one date, no more."""
    shares = [
        _mean(one == 1 for one in view.counts(sums))
        for name, sums in view.measures.claims.items()
        if view.measures.kinds[name].kind in (ValueKind.MONEY, ValueKind.DATE)
    ]
    return max(shares, default=0.0)


def _share_of_kind(view: View, kind: ValueKind) -> float:
    shares = [
        share
        for name, share in _type_shares(view).items()
        if view.measures.kinds[name].kind is kind
    ]
    return max(shares, default=0.0)


def _tagged(name: str, *tags: str) -> None:
    def share(view: View) -> float:
        return _mean(view.page.tag[one] in tags for one in view.starts)

    share.__name__ = name
    share.__doc__ = f"The share of the records that are {' or '.join(tags)}."
    feature(share)


_tagged("are_items", "li")
_tagged("are_rows", "tr")
_tagged("are_cells", "td", "th")
_tagged("are_links", "a")
_tagged("are_articles", "article")
_tagged("are_boxes", *sorted(BOXES))
_tagged("are_divisions", "div")
_tagged("are_paragraphs", "p", "blockquote", "pre")
_tagged("are_headings", *sorted(HEADINGS))
_tagged("are_inline", *sorted(INLINE))
_tagged("are_terms", "dt", "dd")
_tagged("are_forms", "form", "fieldset", "label", "select", "button")


def _named(function: Feature) -> None:
    def named(view: View) -> float:
        return function(view) if view.measures.is_named else 0.0

    named.__name__ = f"named_{function.__name__}"
    named.__doc__ = f"`{function.__name__}` where the domain is named, else 0."
    feature(named)


for _one in (prices, types_in_most, types_per_record, one_price_or_date):
    _named(_one)
