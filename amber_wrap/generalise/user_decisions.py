"""Apply a person's decisions about the columns and pages of a wrapper.

`column_names` later applies the decisions on names and order, since the steps in
between need the original names.
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
"""A regular expression for a test such as `@class~="x"` in an XPath expression. In
generated files, this short notation tests for one of an element's classes."""
_SOURCE_STEP = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
"""A regular expression for the end of an XPath expression that selects an attribute or
texts of an element: `/@name` or `/text()`."""
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
    """The kind of the values, such as date, or None if the person hasn't decided it."""
    required: bool | None = None
    """Whether every record must have a value, or None if the person hasn't decided it.
    """
    constant: Constant | None = None
    """The value that all records get, or None if the values are read from the page."""
    xpath: str = ""
    """An XPath expression for the node of the value. It is evaluated from the page if
    it begins with "/", else from the record."""
    pattern: str = ""
    """A regular expression for the value in a text. The value is the group, or the
    whole match if there is no group."""

    @property
    def is_pinned(self) -> bool:
        """Whether the person gave an XPath expression for the column."""
        return bool(self.xpath)

    @property
    def known_as(self) -> str:
        """The automatic name of the column.

        If there is none, the name that the person chose.
        """
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
    """Whether the columns are in the order of `columns`, instead of the wrapper's
    order."""
    next_page: str | None = None
    """An XPath expression for the link to the next page. It is "" if no link shall be
    followed, and None if the person hasn't decided it."""
    urls: str = ""
    """A regular expression for the addresses of the pages, or "" if the person gave
    none."""
    records: str = ""
    """An XPath expression for the records, or "" if the person gave none."""


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
    """Return the rule in `areas`, changed to find records by the expression `records`.

    `areas` must have one rule. Raise SelectionError if it has several, or if the XPath
    expression is invalid or selects nothing on `pages`.
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

    The added rule replaces a rule for the field of the same name.
    """
    rules = {known.name: known for known in area.fields} | {rule.name: rule}
    return replace(area, fields=tuple(rules.values()))


def with_pattern(area: AreaRule, decision: ColumnDecision) -> AreaRule:
    """Return the rule for a list with a person's regular expression for a column.

    The regular expression finds the value in the text of the column.
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
    """Return a person's XPath expression for a value, and the regular expression that
    finds the value.

    The regular expression is "" if the value is the whole text. Raise SelectionError if
    one of the expressions is invalid.
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
    """Return the XPath expression of a decision in standard XPath.

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
    """Raise SelectionError if `xpath` is invalid, or selects anything but elements on a
    page.

    `decision` has the expression as the person wrote it, which the error message
    quotes.
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
    """Return the kind of the values that a person's XPath expression selects, if the
    person chose none.

    The kind is URL for whole `@href` and `@src` attributes, and text otherwise.
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
    """Yield a message for the user for each decision that can't be applied.

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
