"""What a person decides about the columns of a wrapper.

Kinds and expressions of a person's own go into the rules before the contract is made,
so that it tells of them; names and order come last: all that the domain knows of a
column goes by its own name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lxml import etree

from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import AttributeType, ValueKind, is_column_name
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
"""The test of a token as generated files write it."""
_END = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
OPENING = re.compile(r"(?:[^\\\[(]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\(\?(?!P<))*")
"""All of a regular expression up to its first group."""


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """What was decided about one column.

    `name` is its key in the records, `source` what induction calls it, "" for a column
    of the person's own: a `constant`, or what `xpath` selects in a record, on the page
    if it begins with "/".  Of the text `pattern` takes the group, or all that matches,
    wherever it is read.  A `required` column has a value in every record; False
    says that some lack one, None nothing.
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
        """Whether an expression of the person's own reads it."""
        return bool(self.xpath)

    @property
    def known_as(self) -> str:
        """What its rule is called before it gets its name."""
        return self.source or self.name


@dataclass(frozen=True, slots=True)
class Decisions:
    """The columns, and the names of those to leave out.

    Where they are `closed`, other columns are left out, too; else they come last, or
    all in the order of induction unless the decisions are `ordered`.  `next_page` is an
    expression for the link to the next page, "" says that none is followed, None
    nothing; `urls` is a regular expression for the addresses of the pages.  `records`
    is an expression for the records, "" for what induction finds.
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
"""The code of the finding that a decision doesn't hold; it names the column."""


def with_rules(
    wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]
) -> Wrapper:
    """The wrapper with the kinds and the expressions of a person's own.

    Raises SelectionError for an expression or a pattern that is none.
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
    """The one area, with an expression of the person's own for its records.

    Raises SelectionError for an expression that is none, or selects nothing, and where
    there are several areas.
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
    """An area with a rule, instead of the one of the same name if there is one."""
    rules = {one.name: one for one in area.fields} | {rule.name: rule}
    return replace(area, fields=tuple(rules.values()))


def through(area: AreaRule, one: ColumnDecision) -> AreaRule:
    """An area that reads a column through the pattern of a decision."""
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
    """What the pattern of a decision is called among those of the wrapper."""
    return f"{PINNED}:{one.known_as}"


def pin(one: ColumnDecision, pages: Sequence[Page]) -> tuple[Locator, str]:
    """The way to a pinned value, and its pattern, "" without one."""
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
    """The expression of a decision, without what only generated files know; raises
    SelectionError where it is none."""
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
    """Raise SelectionError unless an expression selects elements, or nothing."""
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
    """The pattern of a decision, its group called as the engine wants it."""
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
    """The kind of what a pinned expression reads, if none is given."""
    is_link = locator.source in ("@href", "@src") and not locator.pattern
    return ValueKind.URL if is_link else ValueKind.TEXT


def with_site(wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]) -> Wrapper:
    """The wrapper with the link to the next page and the addresses of its pages.

    Raises SelectionError for an expression that is none.
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
    """The wrapper with the names, the order, the constants and what is required.

    Raises SelectionError for a name that no column can have, or that two have.
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

    def called(name: str) -> str:
        return decided[name].name if name in decided else name

    def keys_of(name: str) -> list[str]:
        """The keys of a column that the samples have, by the name that it gets."""
        if name in constants:
            return [name]
        names = (name, called(name)) if name in kinds else ()
        keys = (AttributeType(one, kinds[name]).keys for one in names)
        return [new for old, new in zip(*keys, strict=True) if old in there]

    kept = [one for one in dict.fromkeys(order) if one not in decisions.dropped]
    keys = [key for name in kept for key in keys_of(name)]
    for key, count in Counter(keys).items():
        if count > 1:
            raise SelectionError(f"two columns are called {key}: rename one of them")
    # What is dropped is read all the same: it helps to tell records from adverts.
    kept = [name for name in kept if name in kinds and name not in constants]
    # What the samples lack comes last, as where only what they have is decided on.
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
    """A contract on the columns that are kept, by their names."""

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
    """The same values by other names."""
    return {called(name): one for name, one in found.items()}


def unheld(
    decisions: Decisions, wrapper: Wrapper, filled: Iterable[str]
) -> Iterator[Diagnostic]:
    """What doesn't hold of the decisions: columns that induction doesn't give, and
    expressions that select nothing.  `filled` are the fields that have values, by the
    names that were decided."""
    there, found = tuple(filled), dict(wrapper.renamed)
    names = ", ".join(dict.fromkeys(found.get(one, one) for one in there)) or "none"
    for one in decisions.columns:
        if one.constant is not None or one.name in there:
            continue
        message = f"no column is called {one.known_as} (but {names})"
        if one.is_pinned:
            message = f"{one.xpath!r} gives no value in any record"
        yield Diagnostic("error", UNHELD, message, one.name)
