"""Change the fields of records: their order, and whether they exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from lxml.html import HtmlMixin

from amber_wrap.dom.markup import collapse
from amber_wrap.domain.schema import ValueKind
from operators.draft import (
    ANY_FIELD,
    Change,
    Draft,
    addresses,
    displayed_words,
    squeezed,
)
from operators.located import Element, GoldPlace, GoldValue, LocatedPage, uncut
from operators.wording import LABEL_LENGTH, labels

SOURCES = ("href", "src", "data-src", "srcset", "alt")
"""The HTML attributes that may show a value."""
CELLS = ("td", "th", "dd")
"""The tags of elements that stay, empty, if their value is removed."""

_KIND = {ValueKind.COUNT: ValueKind.NUMBER}
"""The kinds of values that look like another kind: a count looks like a number."""

Fields = frozenset[str]
"""The names of fields that are in one element."""


@dataclass(frozen=True, slots=True)
class Row:
    """Child elements of one parent in a record that hold different fields.

    `parent` is the rank of the parent. `children` has the rank of a child for the names
    of the fields in the child.
    """

    parent: int
    children: Mapping[Fields, int]


def reorder_fields(draft: Draft) -> None:
    """Change the order of sibling elements that hold different fields."""
    page = draft.page
    rows = [
        (page.template[row.parent], row)
        for row in field_rows(page)
        if draft.is_template or page.elements[row.parent].tag != "tr"
    ]
    for group in draft.choose(draft.grouped(rows)):
        longest = max(group, key=lambda row: len(row.children))
        present_order = list(longest.children)
        new_order = present_order[:]
        while new_order == present_order:
            draft.rng.shuffle(new_order)
        for row in group:
            for fields in row.children:
                if fields not in new_order:
                    new_order.insert(draft.rng.randint(0, len(new_order)), fields)
        for row in group:
            old_ranks = list(row.children.values())
            new_ranks = [
                row.children[fields] for fields in new_order if fields in row.children
            ]
            _exchange(draft, old_ranks, new_ranks)
        if page.elements[longest.parent].tag == "tr":
            _exchange_heads(draft, longest, new_order)


def drop_field(draft: Draft) -> None:
    """Remove an optional field from some of the records that display it.

    In the scope ELEMENT, different fields may be removed from different records.
    """
    groups = {}
    for name, record, rank in removable(draft.page):
        groups.setdefault(name if draft.is_template else "", []).append(
            (name, record, rank)
        )
    if not groups:
        return
    field = draft.rng.choice(list(groups))
    chosen = draft.choose(groups[field])
    changed_records: set[int] = set()
    for name, record, rank in chosen:
        gold_record = draft.page.records[record]
        element = draft.elements[rank]
        lost_text = f"{displayed_words([element])} {addresses([element])}".strip()
        if element.tag in CELLS:
            element[:] = []
            element.text = None
        else:
            HtmlMixin.drop_tree(element)
        changed_records.add(record)
        draft.changes.append(Change(name, record, gold_record.given[name], None))
        draft.changes.append(Change(ANY_FIELD, record, lost_text, None))
    for record in sorted(changed_records):
        nodes = [draft.elements[rank] for rank in draft.page.records[record].nodes]
        draft.rest[record] = squeezed(f"{displayed_words(nodes)} {addresses(nodes)}")


@cache
def field_rows(page: LocatedPage) -> list[Row]:
    """Return the rows of sibling elements that hold different fields and can be told
    apart.

    Elements that only their order distinguishes, such as two numbers, stay where they
    are, and so do elements that follow their label. Fields that share an element in
    some record are moved together.
    """
    fields_by_child: dict[int, dict[int, set[str]]] = {}
    ranks_of_values: set[int] = set()
    for record in page.records:
        for name, value in record.values.items():
            holder = _value_holder(page, value)
            if value.source == "text":
                ranks_of_values.update(range(holder, page.end[holder]))
            child = holder
            while child not in record.nodes and child > 0:
                outer = page.parent[child]
                fields_by_child.setdefault(outer, {}).setdefault(child, set()).add(name)
                child = outer
    by_template: dict[int, list[int]] = {}
    for parent in sorted(fields_by_child):
        is_open = parent not in ranks_of_values and parent in page.record_of
        if (
            is_open
            and len(fields_by_child[parent]) > 1
            and not _has_own_text(page, parent)
        ):
            by_template.setdefault(page.template[parent], []).append(parent)
    return [
        row
        for parents in by_template.values()
        for row in _rows(page, {rank: fields_by_child[rank] for rank in parents})
    ]


def _rows(
    page: LocatedPage, fields_by_child: Mapping[int, Mapping[int, set[str]]]
) -> list[Row]:
    """Return the rows whose parents have the same template node.

    `fields_by_child` has, for the rank of each parent, the names of the fields in its
    children by the ranks of the children.
    """
    clusters: list[set[str]] = []
    for children in fields_by_child.values():
        for fields in children.values():
            merged = fields.union(*(one for one in clusters if one & fields))
            clusters = [*(one for one in clusters if not one & fields), merged]
    cluster_of = {name: frozenset(cluster) for cluster in clusters for name in cluster}
    appearances: dict[Fields, set[object]] = {}
    rows = []
    for parent, children in fields_by_child.items():
        child_of_cluster: dict[Fields, int] = {}
        ambiguous: set[Fields] = set()
        for child in sorted(children):
            cluster = cluster_of[min(children[child])]
            if cluster in child_of_cluster or _follows_label(page, child, children):
                ambiguous.add(cluster)
            child_of_cluster.setdefault(cluster, child)
            appearance = _appearance(page, child, children[child])
            appearances.setdefault(cluster, set()).add(appearance)
        rows.append((parent, child_of_cluster, ambiguous))
    shared = Counter(chain.from_iterable(appearances.values()))
    distinct = {
        cluster
        for cluster, looks in appearances.items()
        if all(shared[look] == 1 for look in looks)
    }
    distinct_rows = [
        Row(
            parent,
            {
                cluster: child
                for cluster, child in child_of_cluster.items()
                if cluster in distinct - ambiguous
            },
        )
        for parent, child_of_cluster, ambiguous in rows
    ]
    return [row for row in distinct_rows if len(row.children) > 1]


def _appearance(page: LocatedPage, child: int, fields: set[str]) -> object:
    """Return what an element looks like: its template node, the kinds of its values,
    and its label."""
    record = page.records[page.record_of[child]]
    kinds = sorted(
        _KIND.get(kind, kind)
        for kind in (record.values[field].type.kind for field in fields)
    )
    text = displayed_words([page.elements[child]])
    for name in sorted(fields):
        text = text.replace(record.values[name].value, " ")
    label = " ".join(re.findall(r"[^\W\d_]+", text.casefold()))
    return page.template[child], tuple(kinds), label


def _follows_label(
    page: LocatedPage, child: int, children: Mapping[int, set[str]]
) -> bool:
    """Return whether the sibling before an element displays nothing but a label.

    `children` are the siblings that hold fields; none of them is a label.
    """
    previous = page.elements[child].getprevious()
    while previous is not None and not isinstance(previous.tag, str):
        previous = previous.getprevious()
    if previous is None or any(
        page.elements[sibling] is previous for sibling in children
    ):
        return False
    text = displayed_words([previous])
    return 0 < len(text) <= LABEL_LENGTH and not any(map(str.isdigit, text))


def _value_holder(page: LocatedPage, value: GoldValue) -> int:
    """Return the innermost element that contains everything that displays a value."""
    text_elements = [page.element_of(text) for text in value.spans]
    if not text_elements:
        return value.rank
    holder = text_elements[0]
    while not all(page.holds(holder, element) for element in text_elements):
        holder = page.parent[holder]
    return holder


def _has_own_text(page: LocatedPage, rank: int) -> bool:
    """Return whether an element has text outside of its child elements."""
    element = page.elements[rank]
    texts = (element.text, *(child.tail for child in element))
    return any(text and text.strip() for text in texts)


def _exchange(draft: Draft, old_ranks: list[int], new_ranks: list[int]) -> None:
    """Put elements into the places of their siblings; the texts between the places
    stay."""
    if old_ranks == new_ranks:
        return
    elements = [draft.elements[rank] for rank in old_ranks]
    parent = elements[0].getparent()
    assert parent is not None
    places = [(parent.index(element), element.tail) for element in elements]
    for element in elements:
        element.tail = None
        parent.remove(element)
    for (position, _), rank in zip(places, new_ranks, strict=True):
        parent.insert(position, draft.elements[rank])
    for (_, tail), rank in zip(places, new_ranks, strict=True):
        draft.elements[rank].tail = tail


def _exchange_heads(draft: Draft, row: Row, order: list[Fields]) -> None:
    """Exchange the heads of a table's columns in the same way as the cells of `row`.

    `order` is the new order of the fields.
    """
    page = draft.page
    cells = list(_child_ranks(page, row.parent))
    table = row.parent
    while table > 0 and page.elements[table].tag != "table":
        table = page.parent[table]
    old_columns = [cells.index(cell) for cell in row.children.values()]
    new_columns = [
        cells.index(row.children[fields]) for fields in order if fields in row.children
    ]
    for rank in range(table, page.end[table]):
        is_row = page.elements[rank].tag == "tr" and rank not in page.record_of
        heads = list(_child_ranks(page, rank)) if is_row else []
        if len(heads) == len(cells) and all(
            page.elements[head].tag == "th" for head in heads
        ):
            _exchange(
                draft,
                [heads[column] for column in old_columns],
                [heads[column] for column in new_columns],
            )


def _child_ranks(page: LocatedPage, rank: int) -> Iterator[int]:
    """Yield the ranks (numbers in document order) of an element's child elements."""
    child = rank + 1
    while child < page.end[rank]:
        yield child
        child = page.end[child]


@cache
def removable(page: LocatedPage) -> list[tuple[str, int, int]]:
    """Return the optional fields that can be removed: the field, the record's number,
    and the rank of the element to remove.

    The element is the largest that displays nothing but the value and labels. A field
    isn't returned if the element contains a part of another gold value of the record,
    or if the record displays the value again.
    """
    known_labels = {
        collapse(text.read(page.elements)[slice(*span)]) for text, span in labels(page)
    }
    removable_fields = []
    for record_number, record in enumerate(page.records):
        for name, value in record.values.items():
            if value.type.regular or len(record.values) < 2:
                continue
            if value.source == "text" and not value.spans:
                continue
            rank = value.rank
            if not _is_free(page, record, name, rank):
                continue
            while page.elements[rank].tag not in CELLS:
                parent = page.parent[rank]
                if not _is_free(page, record, name, parent):
                    break
                element = page.elements[rank]
                text_beside = displayed_words([page.elements[parent]], within=element)
                if text_beside and text_beside not in known_labels:
                    break
                rank = parent
            if not _is_shown_beside(page, record, name, rank):
                removable_fields.append((name, record_number, rank))
    return removable_fields


def _is_free(page: LocatedPage, record: GoldPlace, name: str, rank: int) -> bool:
    """Return whether an element is inside a record and displays none of the record's
    other values."""
    is_inside = any(page.holds(node, rank) and node != rank for node in record.nodes)
    if not is_inside or page.elements[rank].tag == "tr":
        return False
    if any(page.holds(rank, node) for one in page.records for node in one.nodes):
        return False
    for other_field, value in record.values.items():
        if other_field == name:
            continue
        if value.spans:
            if any(page.holds(rank, page.element_of(text)) for text in value.spans):
                return False
        elif page.holds(rank, value.rank) or (
            value.source == "text" and page.holds(value.rank, rank)
        ):
            return False
    return True


def _is_shown_beside(
    page: LocatedPage, record: GoldPlace, name: str, rank: int
) -> bool:
    """Return whether a record displays the value of a field also outside of the element
    with a rank."""
    nodes = [page.elements[node] for node in record.nodes]
    within = page.elements[rank]
    value = record.given[name]
    if record.values[name].source != "text":

        def count(*tops: Element) -> int:
            elements = (element for top in tops for element in top.iter("*"))
            shown = (one.get(source, "") for one in elements for source in SOURCES)
            return sum(value in text for text in shown)

        return count(*nodes) > count(within)
    text = displayed_words(nodes, within=within)
    other_values = (
        other_text for field, other_text in record.given.items() if field != name
    )
    for other_value in sorted(other_values, key=len, reverse=True):
        if value.casefold() not in other_value.casefold() or value == other_value:
            text = text.replace(other_value, " ", 1)
    return bool(re.search(uncut(re.escape(value)), text, re.IGNORECASE))
