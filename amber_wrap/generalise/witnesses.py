"""Witnesses: what stands once in each record, or most, and hardly anywhere else.

They tell records that an area rule leaves out, and lead to records whose own marks are
gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from amber_wrap.dom.page import NodeId, Page
from amber_wrap.generalise.fields import spread
from amber_wrap.generalise.groups import Group
from amber_wrap.generalise.preferences import COSTS, VETOED
from amber_wrap.generalise.vocabulary import Mark, Vocabulary
from amber_wrap.wrapper.xpath import Path, Step

MAX_LOOKED_AT = 12
"""Records in which marks are sought."""
MAX_TRIED = 40
MAX_WITNESSES = 3
MOST = 0.8
"""The share of the records that have a witness; a partner's card may look otherwise."""
FEW = 0.1
"""So many more than there are typed records may be found: an analysis may miss some."""


def witnesses(
    group: Group,
    known: Sequence[tuple[Page, Set[NodeId], Set[NodeId]]],
    vocabulary: Vocabulary,
) -> dict[str, Path]:
    """Witnesses of a group's records on different elements, the cheapest first.

    `known` are the starts of records on each page, those of the typing and those that
    are likely more.  The names tell what the witnesses rest on.
    """
    found: dict[str, Path] = {}
    taken: set[NodeId] = set()
    for mark, tag, node in _once_each(group, vocabulary):
        path = Path((Step(tag, (mark.test,), deep=True),))
        if node not in taken and all(
            _is_one_each(page, typed, more, str(path)) for page, typed, more in known
        ):
            taken.add(node)
            number = sum(name.startswith(mark.family) for name in found)
            found[f"{mark.family} {number + 1}" if number else mark.family] = path
        if len(found) == MAX_WITNESSES:
            break
    return found


def _once_each(
    group: Group, vocabulary: Vocabulary
) -> Iterator[tuple[Mark, str, NodeId]]:
    """The marks that stand once in most of some records, on one tag, twice in none.

    With the tag, and the element that has it in the first record.
    """
    elements: dict[tuple[Mark, str], NodeId] = {}
    shown: set[tuple[Mark, str]] = set()
    once, twice = Counter[tuple[Mark, str]](), set[tuple[Mark, str]]()
    looked_at = spread(list(group.records()), MAX_LOOKED_AT)
    for page, record in looked_at:
        seen = Counter[tuple[Mark, str]]()
        for node in page.elements(record.start):
            if node == record.start:
                continue
            for mark in (*vocabulary.marks(page, node), *vocabulary.links(page, node)):
                if mark.family not in VETOED:
                    seen[mark, page.tag[node]] += 1
                    elements.setdefault((mark, page.tag[node]), node)
                    if page.text_length(node):
                        shown.add((mark, page.tag[node]))
        once.update(seen.keys())
        twice |= {one for one, count in seen.items() if count > 1}
    # Of equals what displays something: the rest may be there for the looks.
    least = MOST * len(looked_at)
    ranked = sorted(
        (one for one, count in once.items() if count >= least and one not in twice),
        key=lambda one: (
            *(once[one] < len(looked_at), COSTS[one[0].family]),
            *(one not in shown, str(one)),
        ),
    )
    for mark, tag in ranked[:MAX_TRIED]:
        yield mark, tag, elements[mark, tag]


def _is_one_each(
    page: Page, typed: Set[NodeId], more: Set[NodeId], expression: str
) -> bool:
    """Whether an expression selects one node in most records, and few beside them."""
    seen = Counter[NodeId]()
    for node in page.select(expression):
        start = node
        while start >= 0 and start not in typed and start not in more:
            start = page.parent[start]
        seen[start] += 1
    beside = seen.pop(-1, 0)
    is_alone = set(seen.values()) == {1} and beside <= FEW * len(typed)
    return is_alone and len(typed & seen.keys()) >= MOST * len(typed)
