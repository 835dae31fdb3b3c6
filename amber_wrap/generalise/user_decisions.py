"""Apply a person's decisions about the columns of a wrapper.

Kinds and expressions are applied before the contract is induced, so that the contract
covers them. Names and order are applied last, since the domain knows a column by its
original name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lxml import etree

from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import (
    AttributeType,
    ValueKind,
    is_column_name,
    key_owners,
)
from amber_wrap.engine.interpret import row_keys
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.wrapper.grammar import parse_path
from amber_wrap.wrapper.ir import (
    PINNED,
    AreaRule,
    Constant,
    Contract,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Wrapper,
)
from amber_wrap.wrapper.xpath import HasToken, Pinned

T = TypeVar("T")
SHORT_TOKEN = re.compile(r"""@([\w:-]+)~=("[^"]*"|'[^']*')""")
"""The token test `@class~="x"` in the short notation of generated files."""
_END = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
OPENING = re.compile(r"(?:[^\\\[(]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\(\?(?!P<))*")
"""A regular expression up to its first group."""


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """A person's decision about one column.

    `name` is the column's key in the records, `source` the name by induction. `source`
    is "" for a column of the person's own: a `constant`, or the nodes that `xpath`
    selects in a record, or on the page if it starts with "/". `pattern` takes its
    group, or the whole match, from the text. A `required` column has a value in every
    record; False states that some records lack one, None states nothing.
    """

    name: str
    source: str = ""
    kind: ValueKind | None = None
    required: bool | None = None
    constant: Constant | None = None
    xpath: str = ""
    pattern: str = ""

    @property
    def is_pinned(self) -> bool:
        """Whether the person's own expression reads the column."""
        return bool(self.xpath)

    @property
    def known_as(self) -> str:
        """The name of the column's rule before the column is renamed."""
        return self.source or self.name


@dataclass(frozen=True, slots=True)
class Decisions:
    """All decisions: the columns, and the names of the columns to leave out.

    If the decisions are `closed`, other columns are left out, too. Otherwise those come
    last, or, unless the decisions are `ordered`, all columns keep the order of
    induction. `next_page` is an expression for the link to the next page; "" states
    that none is followed, None states nothing. `urls` is a regular expression for the
    addresses of the pages. `records` is an expression for the records, "" for those of
    induction.
    """

    columns: tuple[ColumnDecision, ...] = ()
    dropped: frozenset[str] = frozenset()
    closed: bool = False
    ordered: bool = True
    next_page: str | None = None
    urls: str = ""
    records: str = ""


UNDECIDED = Decisions()
UNHELD = "decision-unheld"
"""The code of the finding that a decision can't be applied; the finding names the
column."""


def with_rules(
    wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]
) -> Wrapper:
    """Return the wrapper with the kinds and expressions of the decisions.

    Raises SelectionError for an invalid expression or pattern.
    """
    kinds = dict(wrapper.fields)
    patterns = dict(wrapper.patterns)
    areas = list(wrapper.areas)
    if decisions.records:
        areas = [with_records(areas, decisions.records, pages)]
    for one in decisions.columns:
        if one.is_pinned:
            locator, pattern = pin(one, pages)
            kinds[one.known_as] = one.kind or _kind_of(locator)
            if locator.pattern:
                patterns[locator.pattern] = pattern
            rule = FieldRule(one.known_as, (FieldReading(PINNED, (locator,)),))
            areas = [with_rule(area, rule) for area in areas]
            continue
        if one.kind and one.known_as in kinds:
            kinds[one.known_as] = one.kind
        if one.pattern:
            patterns[pattern_name(one)] = value_pattern(one)
            areas = [through(area, one) for area in areas]
    return replace(
        wrapper,
        fields=tuple(kinds.items()),
        patterns=tuple(sorted(patterns.items())),
        areas=tuple(areas),
    )


def with_records(
    areas: Sequence[AreaRule], records: str, pages: Sequence[Page]
) -> AreaRule:
    """Return the only area, with the person's expression for its records.

    Raises SelectionError if the expression is invalid or selects nothing, or if there
    are several areas.
    """
    if len(areas) > 1:
        names = ", ".join(area.name for area in areas)
        raise SelectionError(f"records: there are several lists ({names}): choose one")
    decided = ColumnDecision("records", xpath=records)
    locator, _ = pin(decided, pages)
    path = Pinned(str(locator.xpath))
    if not any(page.select(path.text) for page in pages):
        raise SelectionError(f"records: {records!r} selects nothing on any sample")
    [area] = areas
    place = RecordLocator(PINNED, parse_path("/html"), path)
    followed = {name: some for name, some in area.followed.items() if name}
    return replace(area, places=(place,), witness=None, followed=followed)


def with_rule(area: AreaRule, rule: FieldRule) -> AreaRule:
    """Return the area with this rule, in place of the rule with the same name."""
    rules = {one.name: one for one in area.fields} | {rule.name: rule}
    return replace(area, fields=tuple(rules.values()))


def through(area: AreaRule, one: ColumnDecision) -> AreaRule:
    """Return the area with a column read through the pattern of a decision."""
    rules = []
    for rule in area.fields:
        if rule.name == one.known_as:
            readings = (
                replace(
                    reading,
                    locators=tuple(
                        replace(locator, pattern=pattern_name(one))
                        for locator in reading.locators
                    ),
                )
                for reading in rule.readings
            )
            rule = replace(rule, readings=tuple(readings))
        rules.append(rule)
    return replace(area, fields=tuple(rules))


def pattern_name(one: ColumnDecision) -> str:
    """Return the name of a decision's pattern among the wrapper's patterns."""
    return f"{PINNED}:{one.known_as}"


def pin(one: ColumnDecision, pages: Sequence[Page]) -> tuple[Locator, str]:
    """Return the locator of a pinned value, and its pattern or ""."""
    xpath = full_xpath(one)
    end = _END.search(xpath)
    source = TEXT if not end else f"@{end[1]}" if end[1] else OWN_TEXT
    xpath = _END.sub("", xpath) or "."
    for page in pages:
        check_elements(one, xpath, page)
    if not one.pattern:
        return Locator(Pinned(xpath), source), ""
    return Locator(Pinned(xpath), source, pattern_name(one)), value_pattern(one)


def full_xpath(one: ColumnDecision) -> str:
    """Return the expression of a decision as standard XPath, without the short
    notation of generated files; raises SelectionError if it is invalid."""
    xpath = SHORT_TOKEN.sub(
        lambda found: str(HasToken(found[1], found[2][1:-1])), one.xpath
    )
    try:
        etree.XPath(xpath, regexp=False)
    except etree.XPathError as error:
        raise SelectionError(
            f"{one.name}: {one.xpath!r} is no XPath 1.0 expression: {error}"
        ) from error
    return xpath


def check_elements(one: ColumnDecision, xpath: str, page: Page) -> None:
    """Raise SelectionError unless an expression selects only elements, or nothing."""
    try:
        found = etree.XPath(xpath, regexp=False)(page.root)
    except etree.XPathError as error:
        raise SelectionError(f"{one.name}: {one.xpath!r}: {error}") from error
    if not isinstance(found, list) or not all(map(etree.iselement, found)):
        raise SelectionError(
            f"{one.name}: {one.xpath!r} selects no elements: let it end with an "
            "element, with /@name, or with /text()"
        )


def value_pattern(one: ColumnDecision) -> str:
    """Return the pattern of a decision, with its group named as the engine expects."""
    try:
        groups = re.compile(one.pattern).groups
    except re.error as error:
        raise SelectionError(
            f"{one.name}: {one.pattern!r} is no regular expression: {error}"
        ) from error
    if groups > 1:
        raise SelectionError(
            f"{one.name}: {one.pattern!r} has {groups} groups: put (?:...) around "
            "what is not the value"
        )
    if not groups or "(?P<value>" in one.pattern:
        return one.pattern
    start = OPENING.match(one.pattern)
    at = start.end() if start else 0
    return f"{one.pattern[:at]}(?P<value>{one.pattern[at + 1 :]}"


def _kind_of(locator: Locator) -> ValueKind:
    """Return the default kind of the values that a pinned expression reads."""
    is_link = locator.source in ("@href", "@src") and not locator.pattern
    return ValueKind.URL if is_link else ValueKind.TEXT


def with_site(wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]) -> Wrapper:
    """Return the wrapper with the decided link to the next page and the decided
    addresses.

    Raises SelectionError for an invalid expression.
    """
    wrapper = replace(wrapper, urls=decisions.urls)
    if decisions.next_page is None:
        return wrapper
    if not decisions.next_page:
        return replace(wrapper, next_page=None)
    decided = ColumnDecision("next_page", xpath=decisions.next_page)
    locator, _ = pin(decided, pages)
    return replace(wrapper, next_page=Pinned(str(locator.xpath)))


def with_names(wrapper: Wrapper, decisions: Decisions) -> Wrapper:
    """Return the wrapper with the decided names, order, constants and required fields.

    Raises SelectionError for an invalid name, or for one that two columns have.
    """
    for one in decisions.columns:
        if not is_column_name(one.name):
            raise SelectionError(
                f"no column can be called {one.name!r}: use letters in lower case, "
                "digits and underscores, a letter first, and no Python keyword"
            )
    kinds = dict(wrapper.fields)
    decided = {one.known_as: one for one in decisions.columns}
    constants = {
        one.name: one.constant for one in decisions.columns if one.constant is not None
    }
    others = () if decisions.closed else kinds
    order = (*decided, *others) if decisions.ordered else (*others, *decided)
    there = set(row_keys(wrapper))
    owners = {k: owner for k, owner in key_owners(kinds).items() if k not in decided}

    def called(name: str) -> str:
        if owner := owners.get(name):
            return called(owner) + name.removeprefix(owner)
        return decided[name].name if name in decided else name

    def keys_of(name: str) -> list[str]:
        """Return the keys of a column that the samples have, by the name that it
        gets.
        """
        if name in constants:
            return [name]
        names = (name, called(name)) if name in kinds else ()
        keys = (AttributeType(one, kinds[name]).keys for one in names)
        pairs = (one for one in zip(*keys, strict=True) if one[0] in there)
        return [new for old, new in pairs if old == name or old not in kinds]

    kept = [
        one
        for name in dict.fromkeys(order)
        if name not in owners and name not in decisions.dropped
        for one in (name, *(k for k, owner in owners.items() if owner == name))
        if one not in decisions.dropped
    ]
    keys = [key for name in kept for key in keys_of(name)]
    for key, count in Counter(keys).items():
        if count > 1:
            raise SelectionError(f"two columns are called {key}: rename one of them")
    # Dropped columns are read, too, because they help to distinguish records from
    # adverts.
    kept = [name for name in kept if name in kinds and name not in constants]
    # Columns that the samples lack come last, as in a spec that lists only existing
    # ones.
    kept.sort(key=lambda name: not keys_of(name))
    used = {*map(called, kept), *constants}
    read = [*kept, *(one for one in kinds if one not in kept and one not in used)]
    required = {one.name for one in decisions.columns if one.required}
    return replace(
        wrapper,
        fields=tuple((called(name), kinds[name]) for name in read),
        areas=tuple(
            replace(
                area,
                fields=tuple(
                    replace(rule, name=called(rule.name))
                    for rule in area.fields
                    if rule.name in read
                ),
                contract=area.contract
                and _contract(area.contract, called, set(kept), required),
            )
            for area in wrapper.areas
        ),
        keys=tuple(keys),
        firsts=tuple((called(name), one) for name, one in wrapper.firsts),
        dollars=tuple((called(name), one) for name, one in wrapper.dollars),
        constants=tuple(constants.items()),
        renamed=tuple(
            (one.name, one.source)
            for one in decisions.columns
            if one.source and one.source != one.name and one.source in kinds
        ),
    )


def _contract(
    contract: Contract,
    called: Callable[[str], str],
    kept: set[str],
    required: set[str],
) -> Contract:
    """Return a contract for the columns that are kept, under their new names."""

    def of_kept(found: Mapping[str, T]) -> dict[str, T]:
        return _renamed({k: v for k, v in found.items() if k in kept}, called)

    return replace(
        contract,
        fill=of_kept(contract.fill) | dict.fromkeys(sorted(required), 1.0),
        shapes=of_kept(contract.shapes),
        distinct=of_kept(contract.distinct),
        order=tuple(called(name) for name in contract.order if name in kept),
        agreement=of_kept(contract.agreement),
        recognised=of_kept(contract.recognised),
        varied=tuple(sorted(called(one) for one in contract.varied if one in kept)),
        claimed=of_kept(contract.claimed),
        unread=of_kept(contract.unread),
        least_fill=of_kept(contract.least_fill),
    )


def _renamed(found: Mapping[str, T], called: Callable[[str], str]) -> dict[str, T]:
    """Return the mapping with its keys renamed by `called`."""
    return {called(name): one for name, one in found.items()}


def unheld(
    decisions: Decisions, wrapper: Wrapper, filled: Iterable[str]
) -> Iterator[Diagnostic]:
    """Yield findings about decisions that can't be applied: columns that induction
    doesn't have, and expressions that select nothing. `filled` are the fields with
    values, by their new names."""
    there, found = tuple(filled), dict(wrapper.renamed)
    names = ", ".join(dict.fromkeys(found.get(one, one) for one in there)) or "none"
    for one in decisions.columns:
        if one.constant is not None or one.name in there:
            continue
        message = f"no column is called {one.known_as} (but {names})"
        if one.is_pinned:
            message = f"{one.xpath!r} gives no value in any record"
        yield Diagnostic("error", UNHELD, message, one.name)
