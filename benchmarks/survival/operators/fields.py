"""Change the fields of records: their order, and whether they are there."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

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
from operators.located import GoldPlace, GoldValue, LocatedPage, uncut
from operators.wording import LABEL_LENGTH, labels

CELLS = ("td", "th", "dd")
"""Elements that stay, empty, where their value is not there."""

_KIND = {ValueKind.COUNT: ValueKind.NUMBER}
"""Kinds of values that look like another kind."""

Fields = frozenset[str]


@dataclass(frozen=True, slots=True)
class Row:
    """Sibling elements of a record that hold different fields, by these fields."""

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
        known = list(longest.children)
        order = known[:]
        while order == known:
            draft.rng.shuffle(order)
        for row in group:
            for one in row.children:
                if one not in order:
                    order.insert(draft.rng.randint(0, len(order)), one)
        for row in group:
            old = list(row.children.values())
            new = [row.children[one] for one in order if one in row.children]
            _permute(draft, old, new)
        if page.elements[longest.parent].tag == "tr":
            _permute_head(draft, longest, order)


def drop_field(draft: Draft) -> None:
    """Take an optional field out of some of the records that display it."""
    groups = {}
    for name, record, rank in removable(draft.page):
        groups.setdefault(name if draft.is_template else "", []).append(
            (name, record, rank)
        )
    if not groups:
        return
    field = draft.rng.choice(list(groups))
    chosen = draft.choose(groups[field])
    gone: set[int] = set()
    for name, record, rank in chosen:
        place = draft.page.records[record]
        one = draft.elements[rank]
        lost = f"{displayed_words([one])} {addresses([one])}".strip()
        if one.tag in CELLS:
            one[:] = []
            one.text = None
        else:
            HtmlMixin.drop_tree(one)
        gone.add(record)
        draft.changes.append(Change(name, record, place.given[name], None))
        draft.changes.append(Change(ANY_FIELD, record, lost, None))
    for record in sorted(gone):
        nodes = [draft.elements[i] for i in draft.page.records[record].nodes]
        draft.rest[record] = squeezed(f"{displayed_words(nodes)} {addresses(nodes)}")


@cache
def field_rows(page: LocatedPage) -> list[Row]:
    """Return the sibling elements that hold different fields and can be told apart.

    What only their order tells apart (two bare numbers) is left where it is, and so is
    what follows its label.  Fields that share an element in some record go together.
    """
    held: dict[int, dict[int, set[str]]] = {}
    closed: set[int] = set()
    for record in page.records:
        for name, value in record.values.items():
            holder = _holder(page, value)
            if value.source == "text":
                closed.update(range(holder, page.end[holder]))
            child = holder
            while child not in record.nodes and child > 0:
                above = page.parent[child]
                held.setdefault(above, {}).setdefault(child, set()).add(name)
                child = above
    by_template: dict[int, list[int]] = {}
    for parent in sorted(held):
        is_open = parent not in closed and parent in page.record_of
        if is_open and len(held[parent]) > 1 and not _has_own_text(page, parent):
            by_template.setdefault(page.template[parent], []).append(parent)
    return [
        row
        for parents in by_template.values()
        for row in _rows(page, {one: held[one] for one in parents})
    ]


def _rows(page: LocatedPage, held: Mapping[int, Mapping[int, set[str]]]) -> list[Row]:
    """Return the rows of one template node."""
    clusters: list[set[str]] = []
    for children in held.values():
        for fields in children.values():
            joined = set(fields).union(*(one for one in clusters if one & fields))
            clusters = [one for one in clusters if not one & fields] + [joined]
    cluster_of = {name: frozenset(one) for one in clusters for name in one}
    looks: dict[Fields, set[object]] = {}
    rows = []
    for parent, children in held.items():
        found: dict[Fields, int] = {}
        twice: set[Fields] = set()
        for child in sorted(children):
            cluster = cluster_of[min(children[child])]
            if cluster in found or _follows_label(page, child, children):
                twice.add(cluster)
            found.setdefault(cluster, child)
            look = _look(page, child, children[child])
            looks.setdefault(cluster, set()).add(look)
        rows.append((parent, {k: v for k, v in found.items() if k not in twice}))
    clear = {
        one
        for one in looks
        if not any(looks[one] & looks[other] for other in looks if other != one)
    }
    kept = [
        Row(parent, {k: v for k, v in found.items() if k in clear})
        for parent, found in rows
    ]
    return [row for row in kept if len(row.children) > 1]


def _look(page: LocatedPage, child: int, fields: set[str]) -> object:
    """Return the markup, the kinds of values and the label of an element."""
    record = page.records[page.record_of[child]]
    kinds = sorted(
        _KIND.get(k, k) for k in (record.values[f].type.kind for f in fields)
    )
    shown = displayed_words([page.elements[child]])
    for name in sorted(fields):
        shown = shown.replace(record.values[name].value, " ")
    label = " ".join(re.findall(r"[^\W\d_]+", shown.casefold()))
    return page.template[child], tuple(kinds), label


def _follows_label(
    page: LocatedPage, child: int, children: Mapping[int, set[str]]
) -> bool:
    """Return whether the sibling before an element displays nothing but a label."""
    before = page.elements[child].getprevious()
    while before is not None and not isinstance(before.tag, str):
        before = before.getprevious()
    if before is None or any(page.elements[one] is before for one in children):
        return False
    shown = displayed_words([before])
    return 0 < len(shown) <= LABEL_LENGTH and not any(map(str.isdigit, shown))


def _holder(page: LocatedPage, value: GoldValue) -> int:
    """Return the innermost element that holds all that displays a value."""
    ranks = [page.element_of(text) for text in value.spans]
    if not ranks:
        return value.rank
    holder = ranks[0]
    while not all(page.holds(holder, one) for one in ranks):
        holder = page.parent[holder]
    return holder


def _has_own_text(page: LocatedPage, rank: int) -> bool:
    one = page.elements[rank]
    texts = (one.text, *(child.tail for child in one))
    return any(text and text.strip() for text in texts)


def _permute(draft: Draft, old: list[int], new: list[int]) -> None:
    """Put elements into the places of their siblings; what parts these stays."""
    if old == new:
        return
    slots = [draft.elements[rank] for rank in old]
    parent = slots[0].getparent()
    assert parent is not None
    places = [(parent.index(one), one.tail) for one in slots]
    for one in slots:
        one.tail = None
        parent.remove(one)
    for (at, _), rank in zip(places, new, strict=True):
        parent.insert(at, draft.elements[rank])
    for (_, tail), rank in zip(places, new, strict=True):
        draft.elements[rank].tail = tail


def _permute_head(draft: Draft, row: Row, order: list[Fields]) -> None:
    """Change the order of column heads as that of the cells below them."""
    page = draft.page
    cells = list(_children(page, row.parent))
    table = row.parent
    while table > 0 and page.elements[table].tag != "table":
        table = page.parent[table]
    old = [cells.index(one) for one in row.children.values()]
    new = [cells.index(row.children[one]) for one in order if one in row.children]
    for rank in range(table, page.end[table]):
        is_row = page.elements[rank].tag == "tr" and rank not in page.record_of
        heads = list(_children(page, rank)) if is_row else []
        if len(heads) == len(cells) and all(
            page.elements[one].tag == "th" for one in heads
        ):
            _permute(draft, [heads[i] for i in old], [heads[i] for i in new])


def _children(page: LocatedPage, rank: int) -> Iterator[int]:
    child = rank + 1
    while child < page.end[rank]:
        yield child
        child = page.end[child]


@cache
def removable(page: LocatedPage) -> list[tuple[str, int, int]]:
    """Return the optional fields that can go: field, record, and the element to remove.

    That is the largest one that displays nothing but the value and labels; none where
    it holds something of another gold value, or the record displays the value again.
    """
    known = {
        collapse(text.read(page.elements)[slice(*span)]) for text, span in labels(page)
    }
    found = []
    for i, record in enumerate(page.records):
        for name, value in record.values.items():
            if value.type.regular or len(record.values) < 2:
                continue
            if value.source == "text" and not value.spans:
                continue
            rank = value.rank
            if not _is_free(page, record, name, rank):
                continue
            while page.elements[rank].tag not in CELLS:
                above = page.parent[rank]
                if not _is_free(page, record, name, above):
                    break
                inside = page.elements[rank]
                beside = displayed_words([page.elements[above]], within=inside)
                if beside and beside not in known:
                    break
                rank = above
            if not _is_shown_beside(page, record, name, rank):
                found.append((name, i, rank))
    return found


def _is_free(page: LocatedPage, record: GoldPlace, name: str, rank: int) -> bool:
    """Return whether an element of a record displays none of its other values."""
    inside = any(page.holds(node, rank) and node != rank for node in record.nodes)
    if not inside or page.elements[rank].tag == "tr":
        return False
    ends = rank, page.end[rank]
    if any(ends[0] <= node < ends[1] for one in page.records for node in one.nodes):
        return False
    for other, value in record.values.items():
        if other == name:
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
    """Return whether a record displays a value again outside of an element."""
    nodes = [page.elements[node] for node in record.nodes]
    within = page.elements[rank]
    value = record.given[name]
    if record.values[name].source != "text":
        everywhere = [one for node in nodes for one in node.iter("*")]
        inside = list(within.iter("*"))
        sources = ("href", "src", "data-src", "srcset", "alt")
        count = sum(value in one.get(s, "") for one in everywhere for s in sources)
        return count > sum(value in one.get(s, "") for one in inside for s in sources)
    shown = displayed_words(nodes, within=within)
    others = (one for other, one in record.given.items() if other != name)
    for other in sorted(others, key=len, reverse=True):
        if value.casefold() not in other.casefold() or value == other:
            shown = shown.replace(other, " ", 1)
    return bool(re.search(uncut(re.escape(value)), shown, re.IGNORECASE))
