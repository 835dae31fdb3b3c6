"""Make sample pages agree on the elements with the values of an attribute type.

The analysis treats each page by itself. For example, the title may be a table cell on
one page, and the link within the cell on another page. If all pages have one of the two
elements, the value is moved to this element.

This module also tests wrappers (rules for reading pages) on sample pages from which
they weren't made.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from amber_wrap.analysis.extraction_typing import Attribute, Record
from amber_wrap.contract.verification import agreement
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
"""The elements with text in each record of a list.

The outer keys stand for the records: each is the first node of a record. The inner keys
are tag paths: the tags and classes from the record down to an element. The inner values
are the elements.
"""


class _TypedArea(NamedTuple):
    """A list of records on a page, and the values of one attribute type in the records.

    `elements` maps the first node of each record, and a tag path (the tags and classes
    from the record down), to the first element with text at the path. `typed_nodes`
    maps the first node of a record to the element with the record's value of the type.
    """

    page: Page
    elements: _ElementsByPath
    typed_nodes: Mapping[NodeId, NodeId]

    def usual_path(self) -> str:
        """Return the most frequent tag path at which the values of the type were found.

        A tag path is the tags and classes from the record down. Return "" if no value
        is in an element of `elements`.
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
        """Return whether the values of the type may move to a tag path.

        `path` is the tag path: the tags and classes from the record down. More than
        half of the list's records must have a value of the type. Nearly all records
        must have an element at `path`. If the record has a value, the element at `path`
        must contain the value's element, or be within it.
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
    """Return the sample pages with attributes moved to the same tag path on all pages.

    An attribute is a value with a type of the domain (a set of value types). A tag path
    is the tags and classes from the record down. For example, a title in a table cell
    on one sample page is moved to the link in the cell, if other sample pages have the
    title in the link. `typed_pages` are the sample pages with their records and
    attributes. Only types in `kinds` whose values are whole texts are moved.
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
        """Return the attributes (values) of a record, moved to common tag paths.

        A tag path is the tags and classes from the record down. The common one of a
        type is where the values are on all pages. An attribute stays unchanged if the
        type has no common tag path, or if the record has no element with text at the
        common tag path.
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
    """Return the tag path to which the values of an attribute type are moved.

    A tag path is the tags and classes from the record down. Each list has a most
    frequent tag path of the values. Return the one that suits all lists
    (`_TypedArea.may_use`), and of several the one with the shortest texts. Return None
    if none suits, or if the most frequent tag path is the same in all lists.
    """
    usual = dict.fromkeys(filter(None, (area.usual_path() for area in areas)))
    if len(usual) < 2:
        return None
    common = [path for path in usual if all(area.may_use(path) for area in areas)]
    return min(common, key=lambda path: _length(areas, path), default=None)


def _moved(page: Page, attribute: Attribute, node: NodeId) -> Attribute:
    """Return an attribute moved to the element `node`.

    The whole text of the element becomes the value of the attribute. An attribute that
    isn't read from a text stays unchanged.
    """
    if attribute.node == node or attribute.source != TEXT:
        return attribute
    text = page.string(node)
    return replace(attribute, node=node, text=text, matched=text, recogniser=None)


def _elements_by_path(group: AreaGroup) -> Iterator[_ElementsByPath]:
    """Yield, for each list of a group, the elements with text in each record.

    The keys are the first nodes of the records. The values map a tag path (the tags and
    classes from the record down) to the first element with text at the path.
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
    """Yield each list of a group, with the elements with values of the type `name`.

    `group` has the lists of all sample pages that have the same structure. `elements`
    has an item for each list of the group: its elements with text, by record and tag
    path (the tags and classes from the record down).
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
    """Return the number of characters that are displayed at a tag path in all records.

    A tag path is the tags and classes from the record down. The number is smaller for
    inner elements than for their ancestors.
    """
    return sum(
        area.page.text_length(by_path[path])
        for area in areas
        for by_path in area.elements.values()
        if path in by_path
    )


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The scores of a wrapper (rules for reading pages) on a sample page from which it
    wasn't made.

    The wrapper was made from all other sample pages. `name` is the name of the left-out
    page. `records` and `values` are F1 scores in [0, 1] for the records and for the
    values.
    """

    name: str
    records: float
    values: float


def leave_one_out(
    typed_pages: Sequence[TypedPage],
    samples: Sequence[Sample],
    domain: Domain,
    kinds: Sequence[AttributeType] = (),
) -> Iterator[LeftOut]:
    """Yield the scores of a leave-one-out test, one for each sample page.

    A wrapper (rules for reading pages) is made from the other sample pages, and reads
    the sample page. The records and values that the analysis found on the sample page
    serve as the truth. A sample page is skipped if the other sample pages have no
    records. `kinds` are the types of values that the wrapper reads, by default all
    types of the domain (a set of value types).
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
    """Return the F1 score in [0, 1] of the items that a wrapper (rules for reading
    pages) read.

    `counts` are three numbers of items: the items that were both read by the wrapper
    and found by the analysis, the items that were read, and the items that were found.
    Return 1 if nothing was read or found.
    """
    agreeing, extracted, found = counts
    return 2 * agreeing / (extracted + found) if extracted + found else 1.0
