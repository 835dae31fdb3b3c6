"""Compute features (numbers that describe a list) from the tags, class tokens and
positions of records, and from repeated elements in records.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from amber_wrap.analysis.features.list_counts import CandidateView, log_share, mean
from amber_wrap.analysis.features.registry import feature
from amber_wrap.analysis.features.thresholds import FEATURE
from amber_wrap.annotate.labels_and_titles import HEADINGS
from amber_wrap.dom.page import NodeId

_INLINE: Final = frozenset("span b strong em i u font small label".split())
BOXES: Final = frozenset("ul ol table tbody dl section".split())
"""The tags that the feature `are_boxes` counts: lists, tables and sections."""


@feature
def common_columns(view: CandidateView) -> float:
    """Return how many kinds of elements most records contain, on a logarithmic scale.

    Elements of one kind have the same tag, the same classes, and parents with the same
    tag.
    """
    return log_share(len(view.common_kinds), 40)


@feature
def regularity(view: CandidateView) -> float:
    """Return the mean similarity of a record to a typical record, 0 to 1.

    A typical record has the elements that most records contain, compared by tag and
    classes.
    """
    return mean(_similarity(kinds, view.common_kinds) for kinds in view.sample_kinds)


@feature
def odd_records(view: CandidateView) -> float:
    """Return the share of records that lack most elements of a typical record.

    A typical record has the elements that most records contain, compared by tag and
    classes.
    """
    common = view.common_kinds
    return mean(2 * len(kinds & common) < len(common) for kinds in view.sample_kinds)


@feature
def loners(view: CandidateView) -> float:
    """Return the share of records that are similar to no other record.

    Records are similar if enough of their elements agree in tag, classes and parent's
    tag.
    """
    sample = view.sample_kinds
    return mean(
        _is_unlike(kinds, sample[:i] + sample[i + 1 :])
        for i, kinds in enumerate(sample)
    )


@feature
def lone_ends(view: CandidateView) -> float:
    """Return 1 if the first and the last record are both similar to no other record.

    Return 0.5 if only one of the two is, as a header may be, and 0 if neither is.
    """
    first, second, next_to_last, last = view.element_kinds(
        [view.extents[i] for i in (0, 1, -2, -1)]
    )
    sample = view.sample_kinds
    # The sample of a long list doesn't have the last record.
    has_last = len(view.extents) <= FEATURE.most_compared
    before_last = sample[:-1] if has_last else sample
    is_first_unlike = _is_unlike(first, [second, *sample[1:]])
    is_last_unlike = _is_unlike(last, [next_to_last, *before_last])
    return mean([is_first_unlike, is_last_unlike])


def _is_unlike(kinds: frozenset[int], sample: Iterable[frozenset[int]]) -> bool:
    """Return whether a record is similar to no record of a sample.

    A record is given as a set of numbers, each of which stands for elements with the
    same tag and classes.
    """
    least = FEATURE.least_alike_share
    return all(_similarity(kinds, others) < least for others in sample)


def _similarity(left: frozenset[int], right: frozenset[int]) -> float:
    """Return the number of common members of two sets, divided by the size of their
    union.

    Return 0 for two empty sets.
    """
    return len(left & right) / max(1, len(left | right))


@feature
def alternation(view: CandidateView) -> float:
    """Return how regularly different kinds of records alternate, 0 to 1.

    A high result shows that the list divides each result of the page into two or three
    records.
    """
    # The classes of the records themselves may mark odd and even rows.
    compared = view.extents[: FEATURE.most_compared]
    inner_kinds = view.element_kinds([(begin + 1, end) for begin, end in compared])
    if len(inner_kinds) < FEATURE.longest_period + 2:
        return 0.0

    def similarity_at(distance: int) -> float:
        return mean(map(_similarity, inner_kinds, inner_kinds[distance:]))

    best = max(map(similarity_at, range(2, FEATURE.longest_period + 1)))
    return max(0.0, best - similarity_at(1))


@feature
def one_look(view: CandidateView) -> float:
    """Return the share of records with the most frequent combination of tag, classes,
    and attributes that name an element, such as `itemprop`.
    """
    tag, marks = view.page.tag, view.page_counts.looks.marks
    return _share_of_most_frequent([(tag[n], marks[n]) for n in view.starts])


def _share_of_most_frequent(properties: Collection[object]) -> float:
    """Return the share of `properties` that are equal to the most frequent property."""
    return max(Counter(properties).values()) / len(properties)


@feature
def shared_mark(view: CandidateView) -> float:
    """Return the share of records with the most frequent class, or attribute that names
    an element, such as `itemprop`.
    """
    record_counts = _records_by_mark(view)
    return max(record_counts.values(), default=0) / len(view.starts)


@feature
def mark_elsewhere(view: CandidateView) -> float:
    """Return the share of elements outside of the list among all elements that look
    like its records.

    An element looks like the records if it has their tag and their most frequent class
    or naming attribute, such as `itemprop`. Return 0 if the records have neither.
    """
    record_counts = _records_by_mark(view)
    if not record_counts:
        return 0.0
    most_records = max(record_counts.values())
    tag = view.page.tag[view.starts[0]]
    # Of equally frequent marks, the mark that is rarest elsewhere counts. The result
    # then doesn't depend on the order of sets.
    fewest_elements = min(
        view.page_counts.looks.mark_counts[tag, mark]
        for mark, count in record_counts.items()
        if count == most_records
    )
    return 1 - min(1.0, most_records / max(1, fewest_elements))


def _records_by_mark(view: CandidateView) -> Counter[str]:
    """Return for each mark the number of records with the mark.

    A mark is a class, or an attribute that names an element, such as `itemprop`.
    """
    marks = view.page_counts.looks.marks
    return Counter(mark for start in view.starts for mark in marks[start])


@feature
def one_path(view: CandidateView) -> float:
    """Return the share of records with the most frequent tag path.

    The tag path of an element is the sequence of tags from the root to the element.
    """
    tag_paths = view.page_counts.looks.tag_paths
    return _share_of_most_frequent([tag_paths[start] for start in view.starts])


@feature
def one_parent(view: CandidateView) -> float:
    """Return the share of records with the most frequent parent."""
    return max(view.parent_counts.values()) / len(view.starts)


@feature
def parents_per_record(view: CandidateView) -> float:
    """Return the number of the records' parents divided by the number of records."""
    return len(view.parent_counts) / len(view.starts)


@feature
def cells_of_rows(view: CandidateView) -> float:
    """Return the share of records in rows of equal length, as in a grid.

    A row consists of the records with the same parent. Only the row length with the
    most records is counted. Return 0 for a single row, and for rows of one record.
    """
    if len(view.parent_counts) < 2:
        return 0.0
    rows_by_length = Counter(view.parent_counts.values())
    length = max(rows_by_length, key=lambda length: length * rows_by_length[length])
    return length * rows_by_length[length] / len(view.starts) if length > 1 else 0.0


@feature
def several_nodes(view: CandidateView) -> float:
    """Return 1 if records consist of several siblings, else 0."""
    return float(view.segmentation.record_length > 1)


@feature
def alternating_nodes(view: CandidateView) -> float:
    """Return how clearly the first and second element of each record differ, 0 to 1.

    Return 0 if most records are single elements.
    """
    long_records = [record.nodes for record in view.records if len(record.nodes) > 1]
    if 2 * len(long_records) < len(view.records):
        return 0.0
    sample = long_records[: FEATURE.most_compared]

    def kinds_in_row(i: int) -> list[frozenset[int]]:
        rows = [nodes[i] for nodes in sample]
        return view.element_kinds(
            [(row + 1, row + view.page.size[row]) for row in rows]
        )

    first_kinds, second_kinds = kinds_in_row(0), kinds_in_row(1)
    similarity_of_first = mean(map(_similarity, first_kinds, first_kinds[1:]))
    similarity_in_record = mean(map(_similarity, first_kinds, second_kinds))
    return max(0.0, similarity_of_first - similarity_in_record)


@feature
def header_rows(view: CandidateView) -> float:
    """Return the share of records that are header rows of tables or lists."""
    rows = view.page_counts.looks.header_rows
    return mean(start in rows for start in view.starts)


@feature
def first_is_header(view: CandidateView) -> float:
    """Return 1 if the first record is a header row, but not all records are, else 0."""
    rows = view.page_counts.looks.header_rows
    are_headers = [start in rows for start in view.starts]
    return float(are_headers[0] and not all(are_headers))


@feature
def like_parents(view: CandidateView) -> float:
    """Compare the records of each parent with a typical record, and return the lowest
    similarity, 0 to 1.

    The similarity of a parent is the mean over its records. Return 1 if all records
    have the same parent.
    """
    groups: dict[NodeId, list[frozenset[int]]] = {}
    for (begin, _), kinds in zip(view.sample_extents, view.sample_kinds, strict=True):
        groups.setdefault(view.page.parent[begin], []).append(kinds)
    if len(groups) < 2:
        return 1.0
    return min(
        mean(_similarity(kinds, view.common_kinds) for kinds in group)
        for group in groups.values()
    )


@feature
def same_tag_left_out(view: CandidateView) -> float:
    """Return the share of possible records that don't belong to the list.

    Possible records are the records and their siblings with the same tag and a text.
    """
    page = view.page
    tags = {page.tag[start] for start in view.starts}
    siblings = [
        child
        for parent in view.parent_counts
        for child in page.child_elements(parent)
        if page.tag[child] in tags and page.text_length(child)
    ]
    rows = {node for record in view.records for node in record.nodes}
    return 1 - sum(child in rows for child in siblings) / max(1, len(siblings))


@feature
def root_depth(view: CandidateView) -> float:
    """Return the depth of the list's root element in the tree, on a logarithmic scale.

    The root is the lowest element that contains the whole list.
    """
    return log_share(view.page.depth[view.segmentation.area.root], 40)


@feature
def inner_repetition(view: CandidateView) -> float:
    """Return the mean share of a record's text that is in repeated elements.

    Repeated elements are siblings with the same tag and the same classes.
    """
    return _mean_over_records(view, view.page_counts.repetition)


@feature
def inner_linked_repetition(view: CandidateView) -> float:
    """Return the mean share of a record's text that is in repeated elements with links.

    Repeated elements are siblings with the same tag and the same classes.
    """
    return _mean_over_records(view, view.page_counts.linked_repetition)


def _mean_over_records(view: CandidateView, shares: Sequence[float]) -> float:
    """Return the mean of a share over all records.

    `shares` has the share for each node of the page. In a record of several siblings,
    each sibling is weighted by the length of its text.
    """
    text_length = view.page.text_length
    return mean(
        sum(shares[node] * text_length(node) for node in record.nodes) / max(1, length)
        for record, length in zip(view.records, view.record_lengths, strict=True)
    )


@feature
def outer_repetition(view: CandidateView) -> float:
    """Return the mean share of a grandparent's text that is in repeated elements.

    Grandparents are the parents of the records' parents. Repeated elements are siblings
    with the same tag and the same classes.
    """
    parent_of = view.page.parent
    grandparents = {parent_of[parent] for parent in view.parent_counts} - {-1}
    return mean(view.page_counts.repetition[node] for node in grandparents)


@feature
def are_alike_in_tag(view: CandidateView) -> float:
    """Return the share of records with the most frequent tag."""
    return _share_of_most_frequent([view.page.tag[start] for start in view.starts])


def _register_tag_share(name: str, *tags: str) -> None:
    """Register a feature called `name`: the share of records with one of the `tags`."""

    def share(view: CandidateView) -> float:
        return mean(view.page.tag[start] in tags for start in view.starts)

    share.__name__ = name
    share.__doc__ = f"Return the share of records that are {' or '.join(tags)}."
    feature(share)


_register_tag_share("are_items", "li")
_register_tag_share("are_rows", "tr")
_register_tag_share("are_cells", "td", "th")


@feature
def are_links(view: CandidateView) -> float:
    """Return the share of records that are `a` elements.

    Return 0 if any record includes a text after its element.
    """
    if view.has_texts_behind:
        return 0.0
    return mean(view.page.tag[start] == "a" for start in view.starts)


_register_tag_share("are_articles", "article")
_register_tag_share("are_boxes", *sorted(BOXES))
_register_tag_share("are_divisions", "div")
_register_tag_share("are_paragraphs", "p", "blockquote", "pre")
_register_tag_share("are_headings", *sorted(HEADINGS))
_register_tag_share("are_inline", *sorted(_INLINE))
_register_tag_share("are_terms", "dt", "dd")
_register_tag_share("are_forms", "form", "fieldset", "label", "select", "button")
