"""Run all annotators of a domain on a page, and remove contradictory annotations.

An annotation is a text that may be a value (AMBER paper, sections 3.2 and 5).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import attrgetter

from amber_wrap.annotate.annotator import Annotation, Annotator, Texts
from amber_wrap.annotate.built_in_annotators import BuiltInAnnotator
from amber_wrap.annotate.element_labels import label_of
from amber_wrap.annotate.gazetteer_annotator import GazetteerAnnotator
from amber_wrap.annotate.labels_and_titles import is_label
from amber_wrap.annotate.name_annotator import (
    NAME,
    NameAnnotator,
    number_in_named_element,
)
from amber_wrap.annotate.pattern_annotator import PatternAnnotator, compiled_pattern
from amber_wrap.annotate.plugin_annotators import PluginAnnotator
from amber_wrap.cache import remembered
from amber_wrap.dom.page import TEXT, NodeId, Page
from amber_wrap.domain.schema import NUMBER, AttributeType, Domain, Schema, ValueKind
from amber_wrap.values.regular_expressions import compose


@remembered
def annotators(domain: Domain) -> tuple[Annotator, ...]:
    """Return the objects that find values, such as prices, on a page.

    The patterns, word lists and plugins of `domain` determine the objects.
    """
    return tuple(_annotators(domain))


def readers(domain: Domain) -> Mapping[str, re.Pattern[str]]:
    """Return the patterns that find a value within a longer text, by name.

    `domain` has the patterns for each type of values, such as prices.
    """
    return LazyPatterns(
        {
            name: compose(name, domain.patterns)
            for attribute_type in domain.schema.types
            for name in (*attribute_type.readers, *attribute_type.short)
            if name in domain.patterns
        }
    )


class LazyPatterns(Mapping[str, re.Pattern[str]]):
    """Regular expressions by name.

    An expression is compiled at its first look-up, because most pages need few
    expressions.
    """

    def __init__(self, expressions: Mapping[str, str]) -> None:
        self._expressions = expressions

    def __getitem__(self, name: str) -> re.Pattern[str]:
        return compiled_pattern(self._expressions[name])

    def __contains__(self, name: object) -> bool:
        return name in self._expressions

    def __iter__(self) -> Iterator[str]:
        return iter(self._expressions)

    def __len__(self) -> int:
        return len(self._expressions)


def _annotators(domain: Domain) -> Iterator[Annotator]:
    """Yield the objects that find values, such as prices, on a page."""
    types = domain.schema.types
    patterns = {
        attribute_type.name: attribute_type.patterns for attribute_type in types
    }
    weak_patterns = {
        attribute_type.name: attribute_type.weak for attribute_type in types
    }
    yield PatternAnnotator(patterns, domain.patterns, weak_patterns)
    yield GazetteerAnnotator(
        {
            attribute_type.name: [
                domain.gazetteers[name] for name in attribute_type.gazetteers
            ]
            for attribute_type in types
            if attribute_type.gazetteers
        }
    )
    for attribute_type in types:
        for name in attribute_type.annotators:
            if plugin := domain.plugins.get(name):
                yield PluginAnnotator(attribute_type.name, plugin)
            else:
                yield BuiltInAnnotator(attribute_type.name, name)
        if attribute_type.names or attribute_type.labels:
            yield NameAnnotator(
                type=attribute_type.name,
                names=frozenset(attribute_type.names),
                number=number_in_named_element(domain, attribute_type.kind),
                labels=frozenset(attribute_type.labels),
            )


def annotate(
    page: Page,
    schema: Schema,
    recognisers: Iterable[Annotator],
    texts: Texts | None = None,
) -> tuple[Annotation, ...]:
    """Return the texts on a page that may be values according to `recognisers`, in
    document order.

    Superfluous and contradictory results are left out.
    """
    texts = texts or Texts(page)
    raw_claims = [
        claim for annotator in recognisers for claim in annotator.annotate(page, texts)
    ]
    raw_claims = list(_without_other_labels(page, texts, schema, raw_claims))
    well_labelled = _without_other_quantities(page, schema, raw_claims)
    claims = sorted(filter(texts.spans_parts, well_labelled))
    claims = list(_without_superfluous(page, schema, claims))
    return reconcile(_without_outer(page, texts, schema, claims), schema)


def _without_other_labels(
    page: Page, texts: Texts, schema: Schema, claims: Sequence[Annotation]
) -> Iterator[Annotation]:
    """Yield the possible values in `claims`, except prices and quantities beside a
    label of another type.

    For example, "£20" in "<i>Deposit</i> <b>£20</b>" may be no price.
    """
    joined_claims: dict[tuple[NodeId, str], list[Annotation]] = defaultdict(list)
    for claim in claims:
        if texts.is_composed(claim):
            joined_claims[claim.node, claim.type].append(claim)

    def is_valid_in(element: NodeId, claim: Annotation) -> bool:
        """Return whether the label before a possible value in `element` suits the type
        of the value.

        Return True if there is no label.
        """
        if not texts.has_parts(element):
            return True
        before, match, _ = page.string(element).partition(claim.matched)
        label = before.rstrip(" :")
        if not match or not is_label(label):
            return True
        if _names_type(label, schema[claim.type]):
            return True
        return any(
            claim.text in joined_claim.matched or joined_claim.text in claim.matched
            for joined_claim in joined_claims[element, claim.type]
        )

    for claim in claims:
        value_kind = schema[claim.type].kind
        element = page.element(claim.node)
        if (
            value_kind not in (ValueKind.MONEY, ValueKind.QUANTITY)
            or claim.source != TEXT
            or claim.recogniser == NUMBER
            or (
                is_valid_in(element, claim) and is_valid_in(page.parent[element], claim)
            )
        ):
            yield claim


def _names_type(label: str, attribute_type: AttributeType) -> bool:
    """Return whether a label such as "Price:" is a name of an attribute type."""
    return "".join(label.rstrip(":\uff1a").casefold().split()) in attribute_type.names


def _without_other_quantities(
    page: Page, schema: Schema, claims: Sequence[Annotation]
) -> Iterator[Annotation]:
    """Yield the possible values in `claims`, except quantities whose label names
    something else.

    For example, "300 m²" beside the label "Plot:" is no living area. Such quantities
    are kept if "Plot:" is more than twice as frequent as all labels of living areas.
    """
    labels = {
        claim: label_of(page, page.element(claim.node))
        for claim in claims
        if schema[claim.type].kind is ValueKind.QUANTITY and claim.source == TEXT
    }
    counts = Counter((claim.type, label) for claim, label in labels.items() if label)
    named = Counter[str]()
    for (name, label), count in counts.items():
        named[name] += count * _names_type(label, schema[name])
    for claim in claims:
        label, named_count = labels.get(claim, ""), named[claim.type]
        is_frequent = 2 * named_count < counts[claim.type, label]
        if is_frequent or not label or _names_type(label, schema[claim.type]):
            yield claim


def _without_outer(
    page: Page, texts: Texts, schema: Schema, claims: Sequence[Annotation]
) -> Iterator[Annotation]:
    """Yield the possible values in `claims`, except values that only add words or a
    number to a value in a child element.

    In `<i>Sold</i> <b>Green Lane</b>`, the address "Sold Green Lane" is dropped,
    because "Green Lane" is an address, too.
    """
    for claim in claims:
        is_text = schema[claim.type].kind is ValueKind.TEXT
        may_be_dropped = claim.recogniser != NAME and texts.is_composed(claim)
        if not may_be_dropped or not any(
            inner_claim.type == claim.type
            and inner_claim.text in claim.text
            and (
                is_text
                or claim.matched.removesuffix(inner_claim.matched).strip().isdigit()
            )
            for inner_claim in _claims_below(page, claims, claim.node)
        ):
            yield claim


def _claims_below(
    page: Page, claims: Sequence[Annotation], node: NodeId
) -> Iterator[Annotation]:
    """Yield the possible values in the descendants of an element, except those of HTML
    attributes.

    `claims` are all possible values of the page, in document order.
    """
    for claim in claims[bisect_right(claims, node, key=attrgetter("node")) :]:
        if not page.contains(node, claim.node):
            return
        if claim.source == TEXT:
            yield claim


def _without_superfluous(
    page: Page, schema: Schema, claims: Sequence[Annotation]
) -> Iterator[Annotation]:
    """Yield the possible values in `claims`, except values found by a class or label in
    an element with a better value.

    For example, a number in an element with the class `price` is dropped if the element
    has a price with a currency.
    """
    recognised_nodes: dict[str, list[NodeId]] = defaultdict(list)
    for claim in claims:
        if claim.recogniser not in (NUMBER, NAME) and claim.source == TEXT:
            recognised_nodes[claim.type].append(claim.node)

    def contains_value(claim: Annotation, type_name: str) -> bool:
        """Return whether the element of `claim` contains a value of the type
        `type_name`.

        A value that was found by a class or label doesn't count.
        """
        nodes = recognised_nodes[type_name]
        i = bisect_left(nodes, claim.node)
        return i < len(nodes) and page.contains(claim.node, nodes[i])

    # A type whose values are whole texts doesn't count: a colour may have the name of a
    # town.
    partial_types = [
        attribute_type.name
        for attribute_type in schema.types
        if not attribute_type.whole
    ]
    for claim in claims:
        attribute_type = schema[claim.type]
        contains_own_type = contains_value(claim, attribute_type.name)
        if claim.recogniser == NUMBER and contains_own_type:
            continue
        if (
            claim.recogniser == NAME
            and (attribute_type.gazetteers or contains_own_type)
            and not attribute_type.whole
            and any(
                type_name != attribute_type.name and contains_value(claim, type_name)
                for type_name in partial_types
            )
        ):
            continue
        yield claim


def reconcile(claims: Iterable[Annotation], schema: Schema) -> tuple[Annotation, ...]:
    """Return the possible values in `claims`, without contradictions, in document
    order.

    Of overlapping values that can't both be right, the longest is kept. Of equally long
    values, the one whose type comes first in the schema is kept.
    """
    type_ranks = {
        attribute_type.name: rank for rank, attribute_type in enumerate(schema.types)
    }
    conflicting: dict[str, set[str]] = {name: {name} for name in type_ranks}
    for first, second in schema.disjoint:
        conflicting[first].add(second)
        conflicting[second].add(first)

    def priority(claim: Annotation) -> tuple[int, int, int, str]:
        """Return a sort key of a possible value.

        Of contradictory values, the one with the lowest key is kept.
        """
        length = len(claim.matched)
        return -length, type_ranks[claim.type], claim.start, claim.recogniser

    claims_of_text: dict[tuple[NodeId, str], list[Annotation]] = defaultdict(list)
    for claim in claims:
        claims_of_text[claim.node, claim.source].append(claim)
    accepted: list[Annotation] = []
    for text_claims in claims_of_text.values():
        spans: dict[str, _Spans] = defaultdict(_Spans)
        for claim in sorted(text_claims, key=priority):
            if not any(spans[name].overlap(claim) for name in conflicting[claim.type]):
                spans[claim.type].add(claim)
                accepted.append(claim)
    return tuple(sorted(accepted))


class _Spans:
    """The (start, end) offsets of accepted values of one type in one text.

    The values don't overlap.
    """

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []

    def overlap(self, claim: Annotation) -> bool:
        """Return whether the value `claim` overlaps one of the accepted values."""
        i = bisect_left(self._starts, claim.end)
        return i > 0 and claim.start < self._ends[i - 1]

    def add(self, claim: Annotation) -> None:
        """Add the offsets of the value `claim`, which must not overlap an accepted
        value.
        """
        i = bisect_left(self._starts, claim.start)
        self._starts.insert(i, claim.start)
        self._ends.insert(i, claim.end)
