"""Complete the wrapper of a foreign schema with value kinds and a contract.

The contract says what to expect of other pages, for example the number of records.
Value kinds and contract are learned from saved pages.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

from amber_wrap.annotate.locale import dollar_of
from amber_wrap.columns.assembly import column_pattern
from amber_wrap.columns.value_kinds import column_form
from amber_wrap.contract.induction import expectations
from amber_wrap.contract.verification import check_patterns
from amber_wrap.dom.page import Page
from amber_wrap.dom.parse import parse
from amber_wrap.domain.schema import ValueKind
from amber_wrap.engine.interpret import found_on, with_keys
from amber_wrap.errors import NothingFoundError
from amber_wrap.settings import Source
from amber_wrap.wrapper.ir import AreaRule, FieldRule, Sample, Wrapper


def with_samples(wrapper: Wrapper, sources: Sequence[Source], url: str = "") -> Wrapper:
    """Return the wrapper with value kinds and a contract, learned from saved pages.

    Raise NothingFoundError if the wrapper reads no records on the pages.
    """
    saved = [one.saved for one in sources]
    pages = [parse(one.body, url or one.url) for one in saved]
    wrapper = with_kinds(wrapper, pages)
    wrapper = replace(
        wrapper, samples=tuple(Sample(one.name, one.sha256) for one in sources)
    )
    found = [found_on(wrapper, page.root) for page in pages]
    if not any(found):
        names = ", ".join(one.name for one in sources)
        raise NothingFoundError(
            f"the schema reads no records from {names}: check that it is for these "
            "pages, and that they are saved as its tool fetches them"
        )
    wrapper = expectations(wrapper, pages, found, [() for _ in pages])
    check_patterns(wrapper)
    return with_keys(wrapper, list(chain.from_iterable(found)), dollar_of(pages))


def with_kinds(wrapper: Wrapper, pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper with value kinds for its text columns.

    The kind of a column must fit the column's values on the pages.  A common label at
    the beginning of the values, such as `Price:`, is ignored.
    """
    kinds, patterns = dict(wrapper.fields), dict(wrapper.patterns)
    records = list(chain.from_iterable(found_on(wrapper, page.root) for page in pages))
    through: dict[str, str] = {}
    for name, kind in wrapper.fields:
        texts = [one.values[name].shown for one in records if name in one.values]
        if kind is not ValueKind.TEXT or not texts or _has_pattern(wrapper, name):
            continue
        form = column_form(texts, [name])
        kinds[name] = form.kind
        if form.pattern:
            through[name] = column_pattern(name)
            patterns[through[name]] = form.pattern
    (area,) = wrapper.areas
    rules = tuple(_through(one, through.get(one.name)) for one in area.fields)
    return replace(
        wrapper,
        fields=tuple(kinds.items()),
        patterns=tuple(sorted(patterns.items())),
        areas=(replace(area, fields=rules),),
    )


def _has_pattern(wrapper: Wrapper, name: str) -> bool:
    (area,) = wrapper.areas
    return bool(_rule(area, name).readings[0].locators[0].pattern)


def _rule(area: AreaRule, name: str) -> FieldRule:
    return next(one for one in area.fields if one.name == name)


def _through(rule: FieldRule, pattern: str | None) -> FieldRule:
    """Return the rule of a field with a pattern added to each expression.

    `pattern` is the name of the pattern.  If it is None, return the rule unchanged.
    """
    if pattern is None:
        return rule
    (reading,) = rule.readings
    locators = tuple(replace(one, pattern=pattern) for one in reading.locators)
    return replace(rule, readings=(replace(reading, locators=locators),))
