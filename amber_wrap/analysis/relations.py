"""Named relations of a chosen list to another candidate, which may be more of it.

Results in another layout, sponsored ones and those of a second box are; what others
bought, menus and copies for small screens are not.  Each function compares a `View` of
the list with one of the other; `choice` weighs them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from amber_wrap.analysis.asides import asides_above
from amber_wrap.analysis.candidates import common_marks, tag_paths
from amber_wrap.analysis.features.numbers import mean
from amber_wrap.analysis.features.view import ENOUGH, View
from amber_wrap.annotate.builtin import HEADINGS
from amber_wrap.dom.measure import lowest_common_ancestor

Relation = Callable[[View, View], float]
RELATIONS: dict[str, Relation] = {}
"""By name, in the order of this module."""
DEEP: Final = 10
"""Levels of the tree that count as far apart."""


def relation(function: Relation) -> Relation:
    """Have a function among the relations."""
    RELATIONS[function.__name__] = function
    return function


def relations(main: View, other: View) -> Mapping[str, float]:
    """All relations of a list to another candidate."""
    return {name: function(main, other) for name, function in RELATIONS.items()}


def _likeness(one: float, other: float) -> float:
    """The smaller by the larger number."""
    return min(one, other) / max(one, other) if max(one, other) else 1.0


@relation
def like_count(main: View, other: View) -> float:
    """The smaller number of records by the larger."""
    return _likeness(len(main.records), len(other.records))


@relation
def fewer_records(main: View, other: View) -> float:
    """Whether the other has fewer records."""
    return float(len(other.records) < len(main.records))


@relation
def like_text(main: View, other: View) -> float:
    """The smaller text of a record by the larger."""
    return _likeness(main.text / len(main.records), other.text / len(other.records))


@relation
def like_number_of_texts(main: View, other: View) -> float:
    """The smaller number of text nodes of a record by the larger."""
    return _likeness(
        mean(main.counts(main.measures.texts)), mean(other.counts(other.measures.texts))
    )


@relation
def like_columns(main: View, other: View) -> float:
    """The share of the places that are in most records of both."""
    own, theirs = main.common_places, other.common_places
    return len(own & theirs) / max(1, len(own | theirs))


@relation
def common_types(main: View, other: View) -> float:
    """The share of the types of most records that most of the other's have."""
    own = [name for name, share in main.type_shares.items() if share > ENOUGH]
    return mean(other.type_shares[name] > 1 - ENOUGH for name in own)


@relation
def named_common_types(main: View, other: View) -> float:
    """The same where the domain is named, else 0."""
    return common_types(main, other) if main.measures.is_named else 0.0


@relation
def like_types(main: View, other: View) -> float:
    """The smaller number of types claimed in a record by the larger."""
    return _likeness(sum(main.type_shares.values()), sum(other.type_shares.values()))


@relation
def same_mark(main: View, other: View) -> float:
    """The share of the other's records that bear the commonest mark."""
    looks = common_marks(main.page)
    return mean(main.usual_mark in looks[one] for one in other.starts)


@relation
def same_path(main: View, other: View) -> float:
    """The share of the other's records with the commonest tags above."""
    paths = tag_paths(main.page)
    usual = paths[main.starts[0]]
    return mean(paths[one] == usual for one in other.starts)


@relation
def same_parents(main: View, other: View) -> float:
    """The share of the other's records that are siblings of records."""
    return mean(main.page.parent[one] in main.parents for one in other.starts)


@relation
def levels_apart(main: View, other: View) -> float:
    """How far above the list's root what holds both is, at most 1."""
    page, root = main.page, main.segmentation.area.root
    both = lowest_common_ancestor(page, [root, other.segmentation.area.root])
    return min(1.0, (page.depth[root] - page.depth[both]) / DEEP)


@relation
def text_between(main: View, other: View) -> float:
    """The text between both by that of the list, at most 1."""
    before = main.page.characters
    begin, end = _between(main, other)
    return min(1.0, (before[end] - before[begin]) / max(1, main.text))


@relation
def heading_between(main: View, other: View) -> float:
    """Whether a heading stands between both."""
    page = main.page
    return float(
        any(
            page.tag[node] in HEADINGS and page.text_length(node)
            for node in range(*_between(main, other))
        )
    )


def _between(main: View, other: View) -> tuple[int, int]:
    """The interval of nodes between both, an empty one where they are mixed."""
    if other.starts[0] > main.starts[-1]:
        return main.extents[-1][1], max(main.extents[-1][1], other.starts[0])
    if other.starts[-1] < main.starts[0]:
        return other.extents[-1][1], max(other.extents[-1][1], main.starts[0])
    return 0, 0


@relation
def stands_behind(main: View, other: View) -> float:
    """Whether the other begins behind the list."""
    return float(other.starts[0] > main.starts[-1])


@relation
def in_other_asides(main: View, other: View) -> float:
    """The share of the other's records under asides that the list isn't under."""
    above = asides_above(main.page, main.starts[0])
    return mean(not asides_above(main.page, one) <= above for one in other.starts)


@relation
def in_other_parts(main: View, other: View) -> float:
    """The share of the other's records in a menu or the like, the list in none."""
    aside = main.measures.aside
    return mean(aside[one] and not aside[main.starts[0]] for one in other.starts)


@relation
def repeated_links(main: View, other: View) -> float:
    """The share of the other's records that link to what single records link to."""
    known = {one for one, n in main.link_counts.items() if n == 1}
    return mean(bool(one & known) for one in other.own_links)


@relation
def like_links(main: View, other: View) -> float:
    """The smaller share of records with a link of their own by the larger."""
    return _likeness(mean(map(bool, main.own_links)), mean(map(bool, other.own_links)))


@relation
def like_images(main: View, other: View) -> float:
    """The smaller share of records with an image by the larger."""
    images = main.measures.images
    return _likeness(
        mean(map(bool, main.counts(images))), mean(map(bool, other.counts(images)))
    )
