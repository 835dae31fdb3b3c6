"""Move values to corresponding elements on all sample pages, and test wrappers on pages
that weren't used to make them.

For example, the title may be a table cell on one page, and the link within the cell on
another page.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.contract.comparison_with_analysis import agreement
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import AttributeType, Domain, ValueKind
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.generalise.wrapper_rules import generalise
from amber_wrap.selectors.area_groups import (
    AreaGroup,
    TypedPage,
    groups_of,
    with_attributes,
)
from amber_wrap.wrapper.ir import Sample

_ElementsByPath = Mapping[NodeId, Mapping[str, NodeId]]
"""For each record of a list, its elements with text, by the tags and classes from the
record down. The record is identified by its first node."""


class _TypedArea(NamedTuple):
    """A list of records on a page, and the values of one type in the records."""

    page: Page
    elements: _ElementsByPath
    """The first element with text at each path of tags and classes, by the record's
    first node."""
    typed_nodes: Mapping[NodeId, NodeId]
    """The element with the value of the type, by the record's first node."""

    def usual_path(self) -> str:
        """Return the path of tags and classes, from the record down, at which most
        values of the type are.

        Return "" if no value is in `elements`.
        """
        first_elements = {
            start: set(by_path.values()) for start, by_path in self.elements.items()
        }
        counts = Counter(
            path
            for start, typed_node in self.typed_nodes.items()
            if typed_node in first_elements[start]
            for path, node in self.elements[start].items()
            if node == typed_node
        )
        return max(counts, key=lambda path: (counts[path], path), default="")

    def may_use(self, path: str) -> bool:
        """Return whether the elements at the path `path` can replace the elements of
        the values.

        Most records must have a value. In nearly all of these records, one of two
        elements must contain the other: the element at `path`, and the element of the
        value.
        """
        suitable = sum(
            self.page.are_nested(
                by_path[path], self.typed_nodes.get(start, by_path[path])
            )
            for start, by_path in self.elements.items()
            if path in by_path
        )
        record_count = len(self.elements)
        are_most = 2 * len(self.typed_nodes) > record_count
        return are_most and suitable >= RULE.nearly_all * record_count


def with_common_paths(
    typed_pages: Sequence[TypedPage], kinds: Sequence[AttributeType]
) -> tuple[TypedPage, ...]:
    """Return the sample pages, with the values of a type moved to elements with the
    same tags and classes on all pages.

    Only values of types in `kinds` that are whole texts of elements are moved.
    """
    moved: dict[str, dict[tuple[Page, NodeId], NodeId]] = defaultdict(dict)
    names = [kind.name for kind in kinds if kind.kind is ValueKind.TEXT and kind.whole]
    for group in groups_of(typed_pages):
        if len({page for page, _ in group.members}) < 2:
            continue
        elements = list(_elements_by_path(group))
        for name in names:
            areas = list(_typed_areas(group, elements, name))
            if path := _common_path(areas):
                moved[name] |= {
                    (area.page, start): by_path[path]
                    for area in areas
                    for start, by_path in area.elements.items()
                    if path in by_path
                }

    def with_moved(
        page: Page, record: Record, attributes: Sequence[Attribute]
    ) -> Sequence[Attribute]:
        """Return the values of a record, each moved to the element with the common tags
        and classes of its type.
        """
        changed = []
        for attribute in attributes:
            new_nodes = moved.get(attribute.type, {})
            if (page, record.start) in new_nodes:
                attribute = _moved(page, attribute, new_nodes[page, record.start])
            changed.append(attribute)
        return changed

    if not moved:
        return tuple(typed_pages)
    return tuple(with_attributes(typed_page, with_moved) for typed_page in typed_pages)


def _common_path(areas: Sequence[_TypedArea]) -> str | None:
    """Return the path of tags and classes to which the values of a type can be moved on
    all pages.

    Return None if there is no such path, or if the values of all lists already have the
    same path.
    """
    usual = dict.fromkeys(filter(None, (area.usual_path() for area in areas)))
    if len(usual) < 2:
        return None
    common = [path for path in usual if all(area.may_use(path) for area in areas)]
    return min(common, key=lambda path: _length(areas, path), default=None)


def _moved(page: Page, attribute: Attribute, node: NodeId) -> Attribute:
    """Return a value moved to the element `node`, so that the whole text of `node` is
    the value.

    A value from an HTML attribute stays unchanged.
    """
    if attribute.node == node or attribute.source != TEXT:
        return attribute
    text = page.string(node)
    return replace(attribute, node=node, text=text, matched=text, recogniser=None)


def _elements_by_path(group: AreaGroup) -> Iterator[_ElementsByPath]:
    """Yield, for each list of a group, the elements with text by record and by path.

    A record is identified by its first node. A path is the tags and classes from the
    record down to the element.
    """
    for (page, area), places in zip(group.members, group.tag_paths(), strict=True):
        by_record: dict[NodeId, dict[str, NodeId]] = {}
        for record in area.records:
            by_path: dict[str, NodeId] = {}
            for node, path in places.of_record(page, record.nodes).items():
                if page.text_length(node):
                    by_path.setdefault(places.text(path), node)
            by_record[record.start] = by_path
        yield by_record


def _typed_areas(
    group: AreaGroup, elements: Sequence[_ElementsByPath], name: str
) -> Iterator[_TypedArea]:
    """Yield each list of a group of similar lists, with the elements of the values of
    the type `name`.

    `elements` has the elements with text of each list.
    """
    for (page, area), area_elements in zip(group.members, elements, strict=True):
        typed_nodes = {
            record.start: attribute.node
            for record, attributes in zip(area.records, area.attributes, strict=True)
            for attribute in attributes
            if attribute.type == name and attribute.source == TEXT and attribute.text
        }
        yield _TypedArea(page, area_elements, typed_nodes)


def _length(areas: Sequence[_TypedArea], path: str) -> int:
    """Return the number of characters in all elements with the given path of tags and
    classes."""
    return sum(
        area.page.text_length(by_path[path])
        for area in areas
        for by_path in area.elements.values()
        if path in by_path
    )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The F1 scores of a wrapper on a sample page that wasn't used to make it."""

    name: str
    """The name of the left-out page."""
    records: float
    """The score for the records, from 0 to 1."""
    values: float
    """The score for the values, from 0 to 1."""


def leave_one_out(
    typed_pages: Sequence[TypedPage],
    samples: Sequence[Sample],
    domain: Domain,
    kinds: Sequence[AttributeType] = (),
) -> Iterator[LeftOut]:
    """Yield, for each sample page, the scores of a wrapper made from all other sample
    pages.

    A page is skipped if the other pages have no records. `kinds` are the types of
    values to read, by default all types of the domain.
    """
    for index, (left_out, sample) in enumerate(zip(typed_pages, samples, strict=True)):
        other_pages = [*typed_pages[:index], *typed_pages[index + 1 :]]
        if not any(typed_page.typing.record_count for typed_page in other_pages):
            continue
        other_samples = [*samples[:index], *samples[index + 1 :]]
        wrapper = generalise(other_pages, other_samples, domain, kinds)
        counts = agreement(wrapper, left_out.page, left_out.typing)
        yield LeftOut(sample.name, _f1(counts.records), _f1(counts.values))


def _f1(counts: tuple[int, int, int]) -> float:
    """Return an F1 score from 0 to 1.

    `counts` are three numbers: of agreeing items, of items that were read, and of items
    that should be read. Return 1 if no item was read and none should be read.
    """
    agreeing, extracted, found = counts
    return 2 * agreeing / (extracted + found) if extracted + found else 1.0
