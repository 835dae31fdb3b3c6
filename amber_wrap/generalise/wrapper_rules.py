"""Make a wrapper from the records and values that were found on sample pages.

Of the XPath expressions that are right on the samples, the most robust and simplest are
taken.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from amber_wrap.analysis.attribute_choice import part_pattern
from amber_wrap.analysis.words_to_trim import Trimming
from amber_wrap.domain.gazetteer_patterns import gazetteer_pattern, whole_words
from amber_wrap.domain.pattern_file import with_parts
from amber_wrap.domain.schema import AttributeType, Domain
from amber_wrap.engine.locators import PageValueReader, PatternCache
from amber_wrap.errors import Diagnostic
from amber_wrap.generalise.thresholds import RULE
from amber_wrap.selectors.area_groups import TypedPage, groups_of
from amber_wrap.selectors.costs_and_limits import GENERATED
from amber_wrap.selectors.field_rules import field_rule
from amber_wrap.selectors.node_tests import NodeTests
from amber_wrap.selectors.record_locators import record_locators
from amber_wrap.selectors.xpath_candidates import PathGenerator
from amber_wrap.wrapper.ir import AreaRule, Sample, Wrapper


def generalise(
    typed_pages: Sequence[TypedPage],
    samples: Sequence[Sample],
    domain: Domain,
    kinds: Sequence[AttributeType] = (),
) -> Wrapper:
    """Return the wrapper made from the sample pages: rules for reading all pages with
    the same template.

    `kinds` are the types of values to read, by default all types of the domain.
    """
    kinds = kinds or domain.schema.types
    node_tests = NodeTests(_unquotable_texts(typed_pages))
    patterns = {**value_patterns(domain), **_part_patterns(typed_pages)}
    paths = PathGenerator(node_tests)
    pages = [typed_page.page for typed_page in typed_pages]
    readout = PageValueReader(PatternCache(patterns))
    record_starts = {
        typed_page.page: {
            record.start for area in typed_page.typing.areas for record in area.records
        }
        for typed_page in typed_pages
    }
    area_rules = []
    for rank, group in enumerate(groups_of(typed_pages)):
        field_rules = (
            field_rule(kind, list(group.typed_records(kind.name)), readout, paths)
            for kind in kinds
        )
        fields = tuple(rule for rule in field_rules if rule)
        places, witness = record_locators(group, pages, record_starts, paths)
        area_rules.append(
            AreaRule(
                name="results" if rank == 0 else f"results-{rank + 1}",
                places=places,
                span=group.span,
                least=group.least_values,
                fields=fields,
                witness=witness,
            )
        )
    used_patterns = frozenset[str]().union(*(rule.patterns for rule in area_rules))
    return Wrapper(
        domain=domain.name,
        samples=tuple(samples),
        fields=tuple((kind.name, kind.kind) for kind in kinds),
        patterns=tuple(with_parts(used_patterns, patterns).items()),
        areas=tuple(area_rules),
        joins_cents=any(map(_has_split_amounts, typed_pages)),
    )


def _has_split_amounts(typed_page: TypedPage) -> bool:
    """Return whether a record on a page shows an amount whose cents are in their own
    element."""
    page = typed_page.page
    return any(
        page.contains(record_node, node)
        for area in typed_page.typing.areas
        for record in area.records
        for record_node in record.nodes
        for node in page.split_amounts
    )


def _unquotable_texts(typed_pages: Sequence[TypedPage]) -> set[str]:
    """Return the texts of values that XPath expressions must not contain, because other
    pages have other values.

    A recurring text such as "Sale" isn't returned if at most half of the records have a
    value of its type.
    """
    texts_of = defaultdict[str, list[str]](list)
    record_count = 0
    for typed_page in typed_pages:
        for area in typed_page.typing.areas:
            record_count += len(area.records)
            for attribute in chain.from_iterable(area.attributes):
                if attribute.text:
                    texts_of[attribute.type].append(attribute.text)
    return {
        text
        for texts in texts_of.values()
        for text in texts
        if 2 * len(texts) > record_count or 2 * len(set(texts)) > len(texts)
    }


def value_patterns(domain: Domain) -> Mapping[str, str]:
    """Return the regular expressions that a wrapper may contain, by name.

    These are the regular expressions of the domain, and one expression for each short
    word list of the domain.
    """
    gazetteer_patterns = {
        gazetteer_pattern(name): whole_words(gazetteer)
        for name, gazetteer in domain.gazetteers.items()
        if len(gazetteer.terms) <= RULE.most_terms
    }
    return {**gazetteer_patterns, **domain.patterns}


def _part_patterns(typed_pages: Iterable[TypedPage]) -> dict[str, str]:
    """Return regular expressions that find values in longer texts, by name.

    There is one for each type with values in longer texts, such as titles with a date
    behind them.
    """
    trimmings_by_type: dict[str, list[Trimming]] = defaultdict(list)
    for typed_page in typed_pages:
        for area in typed_page.typing.areas:
            for type_name, trimming in area.cuts.items():
                trimmings_by_type[type_name].append(trimming)
    return {
        part_pattern(type_name): Trimming.union(trimmings).pattern
        for type_name, trimmings in trimmings_by_type.items()
    }


def generated_name_warnings(wrapper: Wrapper) -> Iterator[Diagnostic]:
    """Yield a warning if the best expression for records or a field tests a generated
    name.

    A generated name, such as the class `css-1x2y3z`, is likely to change.
    """
    for area in wrapper.areas:
        place = area.places[0]
        expressions = [("the records", place.family, str(place.record))]
        for rule in area.fields:
            reading = rule.readings[0]
            xpath = str(reading.locators[0].xpath)
            expressions.append((rule.name, reading.family, xpath))
        for target, family, xpath in expressions:
            if family == GENERATED:
                yield Diagnostic(
                    "warning",
                    "last-resort",
                    f"{target}: the only expression found, {xpath}, is likely to "
                    "break: 'amber-wrap explain' says why; a second sample may help",
                    area.name,
                )
