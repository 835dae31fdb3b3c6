"""Induce wrappers (rules for reading pages) for new pages with the knowledge of an old
wrapper.

To induce a wrapper is to find the records on sample pages, and XPath expressions for
them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from amber_wrap.dom.page import Page
from amber_wrap.domain.gazetteers import LearnedLists, learnable, with_lists
from amber_wrap.domain.schema import FIGURES, NUMBER, Domain
from amber_wrap.errors import NothingFoundError
from amber_wrap.maintenance.matching import AreaMatch, KnownTexts, match_areas
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.wrapper.ir import Wrapper


@dataclass(frozen=True, slots=True)
class Attempt:
    """A wrapper (rules for reading pages), and the new pages from which it was made.

    `matches` pair areas (lists) of the old wrapper with areas of this wrapper.
    """

    wrapper: Wrapper
    pages: tuple[Page, ...]
    matches: tuple[AreaMatch, ...]

    @property
    def continued(self) -> tuple[AreaMatch, ...]:
        """The matches of an area (list) of the old wrapper with an area of the new
        wrapper."""
        return tuple(match for match in self.matches if match.old and match.new)

    @property
    def rank(self) -> tuple[float, int]:
        """A pair of numbers by which attempts are compared: the best attempt has the
        greatest.

        The first number says how many of the old values the new wrapper has. It is the
        sum of `AreaMatch.fit` over all old areas (lists) with a new area. The second
        number is the number of new values in these areas that the old samples display,
        too.
        """
        fit = sum(match.fit for match in self.continued)
        known_value_count = sum(match.known_value_count for match in self.continued)
        return fit, known_value_count

    @property
    def loses_nothing(self) -> bool:
        """Whether the new wrapper reads all old areas (lists) and their usual fields.

        A field is usual if the old wrapper expects a value in at least the share
        `HEALING.least_continued_share` of records.
        """
        for match in self.matches:
            if match.old and not match.new:
                return False
            if match.old and any(
                field.verdict == "lost"
                and field.expected_share >= HEALING.least_continued_share
                for field in match.fields
            ):
                return False
        return True


def best_attempt(
    old: Wrapper,
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
    known: KnownTexts,
) -> Attempt:
    """Induce wrappers (rules for pages) for new pages in several ways, and return the
    best attempt.

    To induce a wrapper is to make it from pages. `old` is the old wrapper, and
    `sources` are the new pages. `domains` (kinds of records) and `options` are passed
    to induction. `known` has the values on the old samples. The attempt with the
    greatest `rank` is the best. No further attempt is made after an attempt that loses
    nothing of the old wrapper. A new area (list) that is matched with an old area gets
    the old area's name. Raise NothingFoundError if no attempt finds records.
    """
    best: Attempt | None = None
    for attempt in attempts(old, sources, domains, options, known):
        if best is None or attempt.rank > best.rank:
            best = attempt
        if best.loses_nothing:
            break
    assert best  # Otherwise, `attempts` has raised NothingFoundError.
    return replace(best, wrapper=with_old_names(best)) if best.continued else best


def attempts(
    old: Wrapper,
    sources: Sequence[Source],
    domains: Sequence[Domain],
    options: Options,
    known: KnownTexts,
) -> Iterator[Attempt]:
    """Yield wrappers (rules for reading pages) that are made from the new pages.

    `old` is the wrapper to be replaced, and `sources` are the new pages. Each attempt
    makes one wrapper. The first may find any lists of records. Each further attempt
    ignores the lists that the attempts before it found, so that it may find others. The
    series ends after an attempt that loses no list and no usual field of `old`, or that
    finds no records. It has at most `HEALING.most_attempts` attempts. It has only one
    attempt if `options.without`, the user's selector of elements to be skipped, isn't
    empty.

    A second such series follows. For this series, the values and labels in `known`,
    which come from the old samples, are added to the domains (sets of value types). The
    second series is left out if they add nothing. Raise NothingFoundError if no attempt
    finds records.
    """
    first_error: NothingFoundError | None = None
    has_attempt = False
    domain_lists = [list(domains)]
    taught_domains = [with_known_values(domain, known) for domain in domains]
    if taught_domains != domain_lists[0]:
        domain_lists.append(taught_domains)
    for domain_list in domain_lists:
        ignored = options.without
        for _ in range(HEALING.most_attempts):
            attempt_options = replace(options, without=ignored)
            try:
                compilation = compile_wrapper(sources, domain_list, attempt_options)
            except NothingFoundError as error:
                first_error = first_error or error
                break
            has_attempt = True
            wrapper, pages = compilation.wrapper, compilation.pages
            attempt = Attempt(wrapper, pages, match_areas(old, wrapper, pages, known))
            yield attempt
            if attempt.loses_nothing or options.without:
                break
            found_areas = [str(area.places[0].root) for area in wrapper.areas]
            ignored = " | ".join(filter(None, (ignored, *found_areas)))
    if first_error and not has_attempt:
        raise first_error


def with_known_values(domain: Domain, known: KnownTexts) -> Domain:
    """Return the domain (set of value types) with known values and labels added.

    The values of a type become terms of its gazetteer, a list of possible values. The
    labels become labels of the type. Return the domain unchanged if nothing is known.
    """
    if not known.values and not known.labels:
        return domain
    terms = {}
    for attribute_type in learnable(domain.schema):
        known_values = known.values.get(attribute_type.name, frozenset())
        terms[attribute_type.name] = tuple(sorted(filter(_is_term, known_values)))
    taught_domain = with_lists(domain, LearnedLists(terms))
    types = []
    for attribute_type in taught_domain.schema.types:
        labels = known.labels.get(attribute_type.name, frozenset())
        # Numbers beside a label are recognised only by the pattern `NUMBER`.
        can_use_labels = attribute_type.kind not in FIGURES or NUMBER in domain.patterns
        if labels and can_use_labels:
            all_labels = sorted(labels.union(attribute_type.labels))
            attribute_type = replace(attribute_type, labels=tuple(all_labels))
        types.append(attribute_type)
    schema = replace(taught_domain.schema, types=tuple(types))
    return replace(taught_domain, schema=schema)


def _is_term(value: str) -> bool:
    """Return whether a displayed value can be a term of a gazetteer (list of values).

    A term is short and has at least one letter.
    """
    return len(value) <= HEALING.longest_term and any(map(str.isalpha, value))


def with_old_names(attempt: Attempt) -> Wrapper:
    """Return the attempt's wrapper with the old names of areas (lists), and some areas
    dropped.

    An area that is matched with an area of the old wrapper gets the old area's name.
    Any other area gets a new name if it has nearly all expected values of an old area
    (`AreaMatch.is_kept`). Otherwise, it is dropped.
    """
    old_names = {
        match.new.name: match.old.name
        for match in attempt.matches
        if match.new and match.old
    }
    kept_names = {
        match.new.name for match in attempt.matches if match.new and match.is_kept
    }
    numbered_names = (f"results-{number}" for number in count(2))
    areas = []
    for area in attempt.wrapper.areas:
        if area.name not in kept_names:
            continue
        name = old_names.get(area.name) or next(
            free for free in numbered_names if free not in old_names.values()
        )
        areas.append(replace(area, name=name))
    return replace(attempt.wrapper, areas=tuple(areas))
