"""Apply a person's decisions about the columns and pages of a wrapper.

Decisions on names and order are applied by `column_names`, since earlier steps need the
original names.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from lxml import etree

from amber_wrap.dom.page import OWN_TEXT, TEXT, Page
from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic, SelectionError
from amber_wrap.wrapper import ir
from amber_wrap.wrapper.ir import PINNED, AreaRule, Constant, Wrapper
from amber_wrap.wrapper.xpath import HasToken, Pinned
from amber_wrap.wrapper.xpath_parser import parse_path

SHORT_TOKEN = re.compile(r"""@([\w:-]+)~=("[^"]*"|'[^']*')""")
"""A regular expression for `@class~="x"`, the short test for one of an element's
classes in generated files."""
_SOURCE_STEP = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
"""A regular expression for the part to read, `/@name` or `/text()`, at the end of an
XPath expression."""
OPENING = re.compile(r"(?:[^\\\[(]|\\.|\[\^?\]?(?:[^\]\\]|\\.)*\]|\(\?(?!P<))*")
"""A regular expression for the beginning of another regular expression, up to its first
capturing group."""


@dataclass(frozen=True, slots=True)
class ColumnDecision:
    """A person's decision about one column."""

    name: str
    """The key of the column in the records."""
    source: str = ""
    """The automatic name, or "" for a column that only the person defined."""
    kind: ValueKind | None = None
    """The kind of the values, or None if undecided."""
    required: bool | None = None
    """Whether every record must have a value, or None if undecided."""
    constant: Constant | None = None
    """The value that all records get, or None."""
    xpath: str = ""
    """The expression for the value's node, from the page if it begins with "/", else
    from the record."""
    pattern: str = ""
    """A regular expression, of which the group, or else the match, is the value."""

    @property
    def is_pinned(self) -> bool:
        """Whether the person decided an XPath expression for the column."""
        return bool(self.xpath)

    @property
    def known_as(self) -> str:
        """The automatic name of the column, or else the name that the person chose."""
        return self.source or self.name


@dataclass(frozen=True, slots=True)
class Decisions:
    """A person's decisions about a wrapper."""

    columns: tuple[ColumnDecision, ...] = ()
    """The decisions about single columns."""
    dropped: frozenset[str] = frozenset()
    """The columns to leave out."""
    closed: bool = False
    """Whether columns without a decision are left out, too."""
    ordered: bool = True
    """Whether the columns have the order of `columns`, and not that of the wrapper."""
    next_page: str | None = None
    """An XPath expression for the link to the next page, "" to follow no link, or None
    if undecided."""
    urls: str = ""
    """A regular expression for the addresses of the pages, or "" if undecided."""
    records: str = ""
    """An XPath expression for the records, or "" if undecided."""


UNDECIDED = Decisions()
"""The decisions of a person who has decided nothing."""
UNHELD = "decision-unheld"
"""The code of the message that a decision about a column can't be applied."""


def with_column_decisions(
    wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]
) -> Wrapper:
    """Return the wrapper with a person's decisions on how records and columns are read.

    Raise SelectionError if an expression or a pattern is invalid.
    """
    kinds = dict(wrapper.fields)
    patterns = dict(wrapper.patterns)
    areas = list(wrapper.areas)
    if decisions.records:
        areas = [with_records(areas, decisions.records, pages)]
    for decision in decisions.columns:
        name = decision.known_as
        if decision.is_pinned:
            locator, pattern = pinned_locator(decision, pages)
            kinds[name] = decision.kind or _default_kind(locator)
            if locator.pattern:
                patterns[locator.pattern] = pattern
            rule = ir.FieldRule(name, (ir.FieldReading(PINNED, (locator,)),))
            areas = [with_rule(area, rule) for area in areas]
            continue
        if decision.kind and name in kinds:
            kinds[name] = decision.kind
        if decision.pattern:
            patterns[pattern_name(decision)] = value_pattern(decision)
            areas = [with_pattern(area, decision) for area in areas]
    return replace(
        wrapper,
        fields=tuple(kinds.items()),
        patterns=tuple(sorted(patterns.items())),
        areas=tuple(areas),
    )


def with_records(
    areas: Sequence[AreaRule], records: str, pages: Sequence[Page]
) -> AreaRule:
    """Return the only rule in `areas`, with a person's XPath expression for the
    records.

    Raise SelectionError if the expression is invalid or selects nothing, or if there
    are several rules.
    """
    if len(areas) > 1:
        names = ", ".join(area.name for area in areas)
        raise SelectionError(f"records: there are several lists ({names}): choose one")
    locator, _ = pinned_locator(ColumnDecision("records", xpath=records), pages)
    path = Pinned(str(locator.xpath))
    if not any(page.select(path.text) for page in pages):
        raise SelectionError(f"records: {records!r} selects nothing on any sample")
    [area] = areas
    place = ir.RecordLocator(PINNED, parse_path("/html"), path)
    # The key "" has the families of expressions for records, which no longer apply.
    followed = {name: families for name, families in area.followed.items() if name}
    return replace(area, places=(place,), witness=None, followed=followed)


def with_rule(area: AreaRule, rule: ir.FieldRule) -> AreaRule:
    """Return the rule for a list with the rule for a field added.

    It replaces a field rule with the same name.
    """
    rules = {known.name: known for known in area.fields} | {rule.name: rule}
    return replace(area, fields=tuple(rules.values()))


def with_pattern(area: AreaRule, decision: ColumnDecision) -> AreaRule:
    """Return the rule for a list with a person's pattern for a column.

    The pattern is a regular expression for the part of the text that is the value.
    """
    rules = {rule.name: rule for rule in area.fields}
    if (rule := rules.get(decision.known_as)) is None:
        return area
    readings = []
    for reading in rule.readings:
        pattern = pattern_name(decision)
        locators = tuple(replace(one, pattern=pattern) for one in reading.locators)
        readings.append(replace(reading, locators=locators))
    return with_rule(area, replace(rule, readings=tuple(readings)))


def pattern_name(decision: ColumnDecision) -> str:
    """Return the name of the regular expression that a person decided for a column."""
    return f"{PINNED}:{decision.known_as}"


def pinned_locator(
    decision: ColumnDecision, pages: Sequence[Page]
) -> tuple[ir.Locator, str]:
    """Return a person's XPath expression as a locator, and the pattern of the value.

    The pattern is "" if the value is the whole text. Raise SelectionError if the
    expression or the pattern is invalid.
    """
    xpath = full_xpath(decision)
    source = TEXT
    if source_step := _SOURCE_STEP.search(xpath):
        attribute = source_step[1]
        source = f"@{attribute}" if attribute else OWN_TEXT
    xpath = _SOURCE_STEP.sub("", xpath) or "."
    for page in pages:
        check_elements(decision, xpath, page)
    if not decision.pattern:
        return ir.Locator(Pinned(xpath), source), ""
    locator = ir.Locator(Pinned(xpath), source, pattern_name(decision))
    return locator, value_pattern(decision)


def full_xpath(decision: ColumnDecision) -> str:
    """Return the expression of a decision as standard XPath.

    A test such as `@class~="x"` is replaced by a standard test. Raise SelectionError if
    the expression is invalid.
    """
    xpath = SHORT_TOKEN.sub(
        lambda match: str(HasToken(match[1], match[2][1:-1])), decision.xpath
    )
    try:
        etree.XPath(xpath, regexp=False)
    except etree.XPathError as error:
        raise SelectionError(
            f"{decision.name}: {decision.xpath!r} is not an XPath 1.0 expression: "
            f"{error}"
        ) from error
    return xpath


def check_elements(decision: ColumnDecision, xpath: str, page: Page) -> None:
    """Raise SelectionError if the expression `xpath` is invalid, or selects anything
    but elements on a page.

    `decision` has the expression as a person wrote it, for the message.
    """
    try:
        selected = etree.XPath(xpath, regexp=False)(page.root)
    except etree.XPathError as error:
        raise SelectionError(f"{decision.name}: {decision.xpath!r}: {error}") from error
    if not isinstance(selected, list) or not all(map(etree.iselement, selected)):
        raise SelectionError(
            f"{decision.name}: {decision.xpath!r} selects no elements: end it with an "
            "element, with /@name, or with /text()"
        )


def value_pattern(decision: ColumnDecision) -> str:
    """Return the regular expression of a decision, with its group renamed to "value".

    Raise SelectionError if the regular expression is invalid or has several groups.
    """
    pattern = decision.pattern
    try:
        groups = re.compile(pattern).groups
    except re.error as error:
        raise SelectionError(
            f"{decision.name}: {pattern!r} is not a regular expression: {error}"
        ) from error
    if groups > 1:
        raise SelectionError(
            f"{decision.name}: {pattern!r} has {groups} groups: use (?:...) for all "
            "groups but the value"
        )
    if not groups or "(?P<value>" in pattern:
        return pattern
    opening = OPENING.match(pattern)
    parenthesis = opening.end() if opening else 0
    return f"{pattern[:parenthesis]}(?P<value>{pattern[parenthesis + 1 :]}"


def _default_kind(locator: ir.Locator) -> ValueKind:
    """Return the kind of values for a person's expression, if the person chose none.

    It is URL for `@href` and `@src` without a pattern, and text otherwise.
    """
    is_link = locator.source in ("@href", "@src") and not locator.pattern
    return ValueKind.URL if is_link else ValueKind.TEXT


def with_page_decisions(
    wrapper: Wrapper, decisions: Decisions, pages: Sequence[Page]
) -> Wrapper:
    """Return the wrapper with a person's decisions on the link to the next page and on
    the pages' addresses.

    Raise SelectionError if the expression for the link is invalid.
    """
    wrapper = replace(wrapper, urls=decisions.urls)
    if decisions.next_page is None:
        return wrapper
    if not decisions.next_page:
        return replace(wrapper, next_page=None)
    locator, _ = pinned_locator(
        ColumnDecision("next_page", xpath=decisions.next_page), pages
    )
    return replace(wrapper, next_page=Pinned(str(locator.xpath)))


def inapplicable_decisions(
    decisions: Decisions, wrapper: Wrapper, filled: Iterable[str]
) -> Iterator[Diagnostic]:
    """Yield a finding for the user for each decision that has no effect.

    `filled` has the new names of the columns with values.
    """
    filled_names, old_names = tuple(filled), dict(wrapper.renamed)
    induced_names = dict.fromkeys(old_names.get(name, name) for name in filled_names)
    listed = ", ".join(induced_names) or "none"
    for decision in decisions.columns:
        if decision.constant is not None or decision.name in filled_names:
            continue
        message = f"no column is called {decision.known_as} (columns: {listed})"
        if decision.is_pinned:
            message = f"{decision.xpath!r} gives no value in any record"
        yield Diagnostic("error", UNHELD, message, decision.name)
