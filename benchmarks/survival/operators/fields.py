"""Change the fields of records on a page: reorder them, or remove one."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain

from lxml.html import HtmlMixin

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.domain.schema import ValueKind
from operators.draft import (
    ANY_FIELD,
    Change,
    Draft,
    addresses,
    displayed_words,
    has_own_text,
    squeezed,
)
from operators.located import Element, GoldPlace, GoldValue, LocatedPage, uncut
from operators.wording import LABEL_LENGTH, labels

SOURCES = ("href", "src", "data-src", "srcset", "alt")
"""The HTML attributes that may show a value."""
CELLS = ("td", "th", "dd")
"""The tags of table cells and the like, which stay as empty elements without a
value.
"""

_KIND = {ValueKind.COUNT: ValueKind.NUMBER}
"""The kinds of values that look like values of another kind: a count looks like a
number.
"""

Fields = frozenset[str]
"""The names of fields that some record shows in one element."""


FieldsByChild = Mapping[int, set[str]]
"""The names of the fields in child elements, by the number of the child.

Elements are numbered in document order.
"""


@dataclass(frozen=True, slots=True)
class Row:
    """Sibling elements in a record that hold different fields.

    `parent` is the number of the parent in document order. `children` maps the names of
    fields to the number of the child that holds these fields.
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
        order = present_order[:]
        while order == present_order:
            draft.rng.shuffle(order)
        for fields in (fields for row in group for fields in row.children):
            if fields not in order:
                order.insert(draft.rng.randint(0, len(order)), fields)
        for row in group:
            new_ranks = [row.children[it] for it in order if it in row.children]
            _exchange(draft, list(row.children.values()), new_ranks)
        if page.elements[longest.parent].tag == "tr":
            _exchange_heads(draft, longest, order)


def drop_field(draft: Draft) -> None:
    """Remove an optional field from some of the records that display it.

    A field is optional if some records lack it. In the scope `ELEMENT`, different
    fields may be removed from different records.
    """
    groups: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for place in removable(draft.page):
        groups[place[0] if draft.is_template else ""].append(place)
    if not groups:
        return
    field = draft.rng.choice(list(groups))
    chosen = draft.choose(groups[field])
    for name, record, rank in chosen:
        element = draft.elements[rank]
        lost_text = f"{displayed_words([element])} {addresses([element])}".strip()
        if element.tag in CELLS:
            element[:] = []
            element.text = None
        else:
            HtmlMixin.drop_tree(element)
        old_value = draft.page.records[record].given[name]
        draft.changes.append(Change(name, record, old_value, None))
        draft.changes.append(Change(ANY_FIELD, record, lost_text, None))
    for record in sorted({record for _, record, _ in chosen}):
        nodes = [draft.elements[rank] for rank in draft.page.records[record].nodes]
        draft.rest[record] = squeezed(f"{displayed_words(nodes)} {addresses(nodes)}")


@cache
def field_rows(page: LocatedPage) -> list[Row]:
    """Return the groups of sibling elements that hold different fields.

    An element is left out if it follows its label. It is also left out if only its
    position distinguishes it from another, as with two numbers. Fields that share an
    element in any record are treated as one.
    """
    fields_by_child: dict[int, FieldsByChild] = defaultdict(lambda: defaultdict(set))
    ranks_of_values: set[int] = set()
    for record in page.records:
        for name, value in record.values.items():
            child = holder = _value_holder(page, value)
            if value.source == "text":
                ranks_of_values.update(range(holder, page.end[holder]))
            while child not in record.nodes and child > 0:
                outer = page.parent[child]
                fields_by_child[outer][child].add(name)
                child = outer
    by_template: dict[int, dict[int, FieldsByChild]] = defaultdict(dict)
    for parent, children in sorted(fields_by_child.items()):
        is_open = parent not in ranks_of_values and parent in page.record_of
        if is_open and len(children) > 1 and not has_own_text(page.elements[parent]):
            by_template[page.template[parent]][parent] = children
    return [row for parents in by_template.values() for row in _rows(page, parents)]


def _rows(page: LocatedPage, fields_by_child: Mapping[int, FieldsByChild]) -> list[Row]:
    """Return the groups of sibling elements that hold different fields, below some
    parents.

    The parents have the same path of tags and classes. `fields_by_child` maps the
    number of a parent to the fields in its children. Elements are numbered in document
    order.
    """
    clusters: list[set[str]] = []
    for children in fields_by_child.values():
        for fields in children.values():
            merged = fields.union(*(one for one in clusters if one & fields))
            clusters = [*(one for one in clusters if not one & fields), merged]
    cluster_of = {name: frozenset(cluster) for cluster in clusters for name in cluster}
    appearances: dict[Fields, set[object]] = defaultdict(set)
    rows = []
    for parent, children in fields_by_child.items():
        child_of_cluster: dict[Fields, int] = {}
        ambiguous: set[Fields] = set()
        for child in sorted(children):
            cluster = cluster_of[min(children[child])]
            if cluster in child_of_cluster or _follows_label(page, child, children):
                ambiguous.add(cluster)
            child_of_cluster.setdefault(cluster, child)
            appearances[cluster].add(_appearance(page, child, children[child]))
        rows.append((parent, child_of_cluster, ambiguous))
    shared = Counter(chain.from_iterable(appearances.values()))
    distinct = {
        cluster
        for cluster, looks in appearances.items()
        if all(shared[look] == 1 for look in looks)
    }
    distinct_rows = [
        Row(parent, {it: child_of[it] for it in child_of if it in distinct - ambiguous})
        for parent, child_of, ambiguous in rows
    ]
    return [row for row in distinct_rows if len(row.children) > 1]


def _appearance(page: LocatedPage, child: int, fields: set[str]) -> object:
    """Return a key for the look of an element: equal for elements that look alike.

    The key has the path of tags and classes, the kinds of values, and the words that
    belong to no value. `fields` are the fields in the element.
    """
    values = page.records[page.record_of[child]].values
    kinds = (values[field].type.kind for field in fields)
    text = displayed_words([page.elements[child]])
    for name in sorted(fields):
        text = text.replace(values[name].value, " ")
    label = " ".join(re.findall(r"[^\W\d_]+", text.casefold()))
    alike = sorted(_KIND.get(kind, kind) for kind in kinds)
    return page.template[child], tuple(alike), label


def _follows_label(page: LocatedPage, child: int, children: FieldsByChild) -> bool:
    """Return whether the sibling before an element displays nothing but a label.

    `child` is the element's number. `children` are the siblings that hold fields. A
    sibling that holds a field isn't a label.
    """
    previous = next(page.elements[child].itersiblings("*", preceding=True), None)
    if previous is None or any(page.elements[it] is previous for it in children):
        return False
    text = displayed_words([previous])
    return 0 < len(text) <= LABEL_LENGTH and not any(map(str.isdigit, text))


def _value_holder(page: LocatedPage, value: GoldValue) -> int:
    """Return the number of the innermost element that displays all of a value.

    Elements are numbered in document order.
    """
    ranks = [page.element_of(text) for text in value.spans]
    holder = ranks[0] if ranks else value.rank
    while not all(page.holds(holder, rank) for rank in ranks):
        holder = page.parent[holder]
    return holder


def _exchange(draft: Draft, old_ranks: list[int], new_ranks: list[int]) -> None:
    """Move each element to the position of another among its siblings.

    Both lists have numbers of elements in document order. The texts between the
    elements stay.
    """
    if old_ranks == new_ranks:
        return
    elements = [draft.elements[rank] for rank in old_ranks]
    parent = elements[0].getparent()
    assert parent is not None
    places = [(parent.index(element), element.tail) for element in elements]
    for element in elements:
        element.tail = None
        parent.remove(element)
    moved = [draft.elements[rank] for rank in new_ranks]
    for (position, _), element in zip(places, moved, strict=True):
        parent.insert(position, element)
    for (_, tail), element in zip(places, moved, strict=True):
        element.tail = tail


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
    new_cells = (row.children[fields] for fields in order if fields in row.children)
    new_columns = [cells.index(cell) for cell in new_cells]
    for rank in range(table, page.end[table]):
        is_row = page.elements[rank].tag == "tr" and rank not in page.record_of
        heads = list(_child_ranks(page, rank)) if is_row else []
        are_heads = all(page.elements[head].tag == "th" for head in heads)
        if are_heads and len(heads) == len(cells):
            columns = old_columns, new_columns
            _exchange(draft, *([heads[it] for it in one] for one in columns))


def _child_ranks(page: LocatedPage, rank: int) -> Iterator[int]:
    """Yield the numbers of an element's child elements.

    Elements are numbered in document order.
    """
    child = rank + 1
    while child < page.end[rank]:
        yield child
        child = page.end[child]


@cache
def removable(page: LocatedPage) -> list[tuple[str, int, int]]:
    """Return the optional fields that can be removed from records.

    A triple has the field, the record's number, and the number of the element to
    remove. This element displays only the field's value and labels. A field is left out
    for records that display its value in other elements, too.
    """
    known_labels = {
        collapse(text.read(page.elements)[slice(*span)]) for text, span in labels(page)
    }
    removable_fields = []
    for record_number, record in enumerate(page.records):
        for name, value in record.values.items():
            rank = value.rank
            is_missing = value.source == "text" and not value.spans
            if value.type.regular or len(record.values) < 2 or is_missing:
                continue
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
    """Return whether an element is in a record, and shows no value of other fields.

    `name` is the field whose value it may show. `rank` is the element's number in
    document order.
    """
    is_inside = any(page.holds(node, rank) and node != rank for node in record.nodes)
    nodes = (node for one in page.records for node in one.nodes)
    if not is_inside or any(page.holds(rank, node) for node in nodes):
        return False
    others = (value for field, value in record.values.items() if field != name)
    return page.elements[rank].tag != "tr" and not any(
        any(page.holds(rank, page.element_of(text)) for text in value.spans)
        if value.spans
        else page.holds(rank, value.rank)
        or (value.source == "text" and page.holds(value.rank, rank))
        for value in others
    )


def _is_shown_beside(
    page: LocatedPage, record: GoldPlace, name: str, rank: int
) -> bool:
    """Return whether a record displays a field's value outside of a given element, too.

    `name` is the field. `rank` is the number of the element in document order.
    """
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
    others = (other for field, other in record.given.items() if field != name)
    for other in sorted(others, key=len, reverse=True):
        if value.casefold() not in other.casefold() or value == other:
            text = text.replace(other, " ", 1)
    return bool(re.search(uncut(re.escape(value)), text, re.IGNORECASE))
