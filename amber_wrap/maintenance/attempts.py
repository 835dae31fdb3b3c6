"""Make wrappers from new pages, with the help of an old wrapper."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count

from amber_wrap.dom.page import Page
from amber_wrap.domain.learned_lists import LearnedLists, learnable, with_lists
from amber_wrap.domain.schema import FIGURES, NUMBER, Domain
from amber_wrap.errors import NothingFoundError
from amber_wrap.maintenance.matching import AreaMatch, KnownTexts, match_areas
from amber_wrap.maintenance.thresholds import HEALING
from amber_wrap.pipeline import compile_wrapper
from amber_wrap.settings import Options, Source
from amber_wrap.wrapper.ir import Wrapper


@dataclass(frozen=True, slots=True)
class Attempt:
    """A wrapper, and the new pages from which it was made."""

    wrapper: Wrapper
    pages: tuple[Page, ...]
    matches: tuple[AreaMatch, ...]
    """The lists of the old wrapper, each paired with a list of the new wrapper."""

    @property
    def continued(self) -> tuple[AreaMatch, ...]:
        """The pairs of an old list and a new list, leaving out lists without a
        counterpart.
        """
        return tuple(match for match in self.matches if match.old and match.new)

    @property
    def rank(self) -> tuple[float, int]:
        """The rank of the attempt among others: the greatest pair of numbers is best.

        The first number tells how many of the old lists' expected values the new lists
        have. The second is the number of values that the old sample pages display, too.
        """
        fit = sum(match.fit for match in self.continued)
        known_value_count = sum(match.known_value_count for match in self.continued)
        return fit, known_value_count

    @property
    def loses_nothing(self) -> bool:
        """Whether the new wrapper reads all old lists, and all fields that most records
        have.
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
    """Make wrappers for new pages in several ways, and return the best attempt.

    The lists of the attempt get the names of the old lists that they match. Raise
    NothingFoundError if no attempt finds records.
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
    """Yield attempts to make a wrapper from new pages.

    The first attempts use the given domains. The later attempts also look for the
    values in `known`. Each attempt ignores the lists that earlier attempts found. Raise
    NothingFoundError if no attempt finds records.
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
    """Return a copy of `domain` with the values and labels in `known`.

    The values, such as "Oxford", are added to word lists. The labels, such as "Price",
    are added to types. Return `domain` itself if `known` is empty.
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
    """Return whether a displayed value can be an item of a word list.

    Such a value is short and has at least one letter.
    """
    return len(value) <= HEALING.longest_term and any(map(str.isalpha, value))


def with_old_names(attempt: Attempt) -> Wrapper:
    """Return the attempt's wrapper, with each list named like the old list that it is
    paired with.

    An unpaired list with nearly all expected values of an old list gets a name such as
    "results-2". Other unpaired lists are dropped.
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
