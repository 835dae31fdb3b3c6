"""Read schemas of crawl4ai, selectorlib and FreshRSS, and make wrappers of them.

Expressions that a person wrote are pinned: a wrapper uses them without alternatives.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from amber_wrap.dom.markup import EACH
from amber_wrap.dom.page import OWN_TEXT, TEXT
from amber_wrap.domain.schema import ValueKind, is_column_name
from amber_wrap.errors import Diagnostic, SelectionError, WrapperError
from amber_wrap.export.target import lost
from amber_wrap.generalise.user_decisions import ColumnDecision, value_pattern
from amber_wrap.wrapper.ir import (
    PINNED,
    AreaRule,
    FieldReading,
    FieldRule,
    Locator,
    RecordLocator,
    Wrapper,
)
from amber_wrap.wrapper.xpath import Pinned
from amber_wrap.wrapper.xpath_parser import parse_path

_AREA: Final = "results"
_MOST_BYTES: Final = 1_000_000
_PARTS: Final = re.compile(r"\s+\|\s+(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
"""The separator of a union's parts, outside of string literals."""
_END: Final = re.compile(r"/(?:@([\w:-]+)|(text\(\)))$")
_LINKS: Final = ("href", "src", "data-src")
FRSS: Final = "{https://freshrss.org/opml}xPathItem"
_ROLES: Final = {
    "Title": "title",
    "Uri": "link",
    "Author": "author",
    "Timestamp": "date",
    "Thumbnail": "image",
    "Categories": "tags",
}
"""The column names of the fields of a FreshRSS feed."""


@dataclass(frozen=True, slots=True)
class ForeignField:
    """A field of a foreign schema.

    `xpath` selects elements, relative to the record.  The value is the element's
    `attribute`, or the text if `attribute` is "".  `pattern` is a regular expression
    for a part of the text.  If `several`, the value is a list.  `kind` is None if
    unknown.
    """

    name: str
    xpath: str
    attribute: str = ""
    pattern: str = ""
    several: bool = False
    kind: ValueKind | None = None


@dataclass(frozen=True, slots=True)
class Foreign:
    """A foreign schema, with diagnostics about parts that can't be imported.

    `records` is the expression that selects the records.
    """

    records: str
    fields: tuple[ForeignField, ...]
    findings: tuple[Diagnostic, ...] = ()


def read_foreign(tool: str, text: bytes) -> Foreign:
    """Return the schema that the file of a tool contains.

    `tool` is one of `READERS`, and `text` is the content of the file.  Raise
    WrapperError if the text is too long, or has no readable schema with fields.
    """
    if len(text) > _MOST_BYTES:
        raise WrapperError(f"the file is too long: over {_MOST_BYTES:,} bytes")
    found = READERS[tool](text)
    if not found.fields:
        raise WrapperError(f"the {tool} schema has no readable field")
    return found


def wrapper_of(found: Foreign) -> Wrapper:
    """Return a wrapper that selects the same records and fields as a foreign schema.

    Raise WrapperError for an invalid name, expression or pattern.
    """
    place = RecordLocator(PINNED, parse_path("/html"), Pinned(absolute(found.records)))
    patterns: dict[str, str] = {}
    rules, kinds = [], {}
    for field in found.fields:
        if not is_column_name(field.name):
            raise WrapperError(f"{field.name!r} can't be the name of a column")
        locators, kind = locators_of(field)
        if locators[0].pattern:
            patterns[locators[0].pattern] = grouped(field)
        kinds[field.name] = kind
        rules.append(FieldRule(field.name, (FieldReading(PINNED, locators),)))
    area = AreaRule(_AREA, (place,), span=1, least=1, fields=tuple(rules))
    try:
        return Wrapper(
            domain="listing",
            samples=(),
            fields=tuple(kinds.items()),
            patterns=tuple(sorted(patterns.items())),
            areas=(area,),
        )
    except ValueError as error:
        raise WrapperError(str(error)) from error


def locators_of(field: ForeignField) -> tuple[tuple[Locator, ...], ValueKind]:
    """Return the locators (expressions) of a foreign field, and the kind of its values.

    A union of paths to different attributes becomes several locators, one for each
    path.
    """
    parts = _PARTS.split(_checked(field.xpath))
    ends = [found[0] if (found := _END.search(one)) else "" for one in parts]
    elements = [_END.sub("", one) or "." for one in parts]
    pairs = list(zip(elements, ends, strict=True))
    if len(set(ends)) == 1:
        pairs = [(" | ".join(elements), ends[0])]
    if field.several:
        return (Locator(Pinned(pairs[0][0]), EACH),), ValueKind.TEXTS
    pattern = f"{PINNED}:{field.name}" if field.pattern else None
    locators = []
    for xpath, end in pairs:
        source = f"@{field.attribute}" if field.attribute else TEXT
        if end:
            source = OWN_TEXT if end == "/text()" else end[1:]
        locators.append(Locator(Pinned(xpath), source, pattern))
    links = all(one.source.removeprefix("@") in _LINKS for one in locators)
    kind = ValueKind.URL if links and not pattern else ValueKind.TEXT
    return tuple(locators), field.kind or kind


def grouped(field: ForeignField) -> str:
    """Return a field's regular expression with a group named `value`.

    Raise WrapperError if the regular expression is invalid.
    """
    try:
        return value_pattern(ColumnDecision(field.name, pattern=field.pattern))
    except SelectionError as error:
        raise WrapperError(str(error)) from error


def absolute(xpath: str) -> str:
    """Return a record expression as a path from the root of the page.

    Raise WrapperError if the expression is invalid, or if it doesn't begin at the root.
    """
    parts = _PARTS.split(_checked(xpath))
    found = [one.removeprefix(".") if one.startswith("./") else one for one in parts]
    if not all(one.startswith(("/", "(/")) for one in found):
        raise WrapperError(
            f"{xpath!r} doesn't begin at the root of the page: begin it with // or /"
        )
    return " | ".join(found)


def _checked(xpath: str) -> str:
    """Return an XPath expression without surrounding white space.

    Raise WrapperError if the expression isn't valid XPath 1.0.
    """
    try:
        etree.XPath(xpath, regexp=False)
    except etree.XPathError as error:
        raise WrapperError(
            f"{xpath!r} is not an XPath 1.0 expression: {error}"
        ) from error
    return xpath.strip()


def is_text(xpath: str) -> bool:
    """Return whether an expression yields a string or a number, not a node set."""
    return not isinstance(etree.XPath(xpath)(etree.Element("html")), list)


def of_css(selector: str, prefix: str = "descendant::") -> str:
    """Return the XPath expression of a CSS selector, beginning with `prefix`.

    Raise WrapperError if the selector is invalid.
    """
    try:
        return HTMLTranslator().css_to_xpath(selector, prefix)
    except SelectorError as error:
        raise WrapperError(f"{selector!r} is not a CSS selector: {error}") from error


# --- the tools ------------------------------------------------------------------


def _crawl4ai(text: bytes) -> Foreign:
    """Return the foreign schema of a crawl4ai extraction strategy, from its JSON.

    The strategy selects by XPath or CSS.  Raise WrapperError if the text isn't the JSON
    of a crawl4ai schema.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrapperError(f"the file is not JSON: {error}") from error
    if not (isinstance(data, dict) and isinstance(data.get("fields"), list)):
        raise WrapperError(
            "the file is not a crawl4ai schema: it has no list of fields"
        )
    base = string(data, "baseSelector")
    is_css = not base.startswith(("/", ".", "("))
    fields, findings = [], []
    for given in data["fields"]:
        field = _crawl4ai_field(given, is_css)
        if isinstance(field, Diagnostic):
            findings.append(field)
        else:
            fields.append(field)
    records = of_css(base, "//") if is_css else base
    return Foreign(_without_axis(records), tuple(fields), tuple(findings))


def _crawl4ai_field(given: Any, is_css: bool) -> ForeignField | Diagnostic:
    if not isinstance(given, dict):
        raise WrapperError(f"not a crawl4ai field: {given!r}")
    name, types = string(given, "name"), given.get("type", "text")
    steps = types if isinstance(types, list) else [types]
    selector = given.get("selector", ".")
    if not isinstance(selector, str):
        raise WrapperError(f"{name}: the selector is not a text")
    xpath = of_css(selector) if is_css and selector != "." else selector
    if steps == ["list"]:
        return ForeignField(name, xpath, several=True)
    if not set(steps) <= {"text", "attribute", "regex"}:
        return lost(
            name, f"left out: wrappers don't support {', '.join(map(str, steps))}"
        )
    attribute = string(given, "attribute") if "attribute" in steps else ""
    pattern = string(given, "pattern") if "regex" in steps else ""
    if pattern and given.get("group", 1) == 0:
        pattern = f"(?P<value>{pattern})"
    return ForeignField(name, xpath, attribute, pattern)


def _selectorlib(text: bytes) -> Foreign:
    """Return the foreign schema of a selectorlib extractor, from its YAML.

    The item with `children` selects the records.  Raise WrapperError if no item or
    several items have children.
    """
    try:
        import yaml
    except ImportError as error:
        raise WrapperError(
            "reading YAML needs PyYAML: pip install 'amber-wrap[targets]'"
        ) from error
    try:
        data = yaml.safe_load(text)
    except (yaml.YAMLError, RecursionError, UnicodeDecodeError) as error:
        raise WrapperError(
            f"the file is not YAML: {' '.join(str(error).split())}"
        ) from error
    lists = [
        one
        for one in (data.values() if isinstance(data, dict) else ())
        if isinstance(one, dict) and isinstance(one.get("children"), dict)
    ]
    if len(lists) != 1:
        raise WrapperError(
            "the file is not a selectorlib schema of one list: exactly one name "
            "must have children"
        )
    (main,) = lists
    fields = tuple(_selectorlib_fields(main["children"]))
    others = tuple(
        lost(str(name), "left out: it is not a field of the records")
        for name, one in data.items()
        if one is not main
    )
    records = _selector(main, "the records", "//")
    return Foreign(_without_axis(records), fields, others)


ATTRIBUTES: Final = {"Link": "href", "Image": "src"}


def _selectorlib_fields(children: Mapping[str, Any]) -> Iterator[ForeignField]:
    for name, given in children.items():
        if not isinstance(given, dict):
            raise WrapperError(f"{name}: not a selectorlib field")
        kind = given.get("type", "Text")
        attribute = ATTRIBUTES.get(kind, "")
        if kind == "Attribute":
            attribute = string(given, "attribute")
        several = given.get("multiple") is True
        yield ForeignField(
            str(name), _selector(given, str(name)), attribute, several=several
        )


def _selector(given: Mapping[str, Any], name: str, prefix: str = "descendant::") -> str:
    if "xpath" in given:
        return string(given, "xpath")
    css = string(given, "css") if "css" in given else None
    if css is None:
        raise WrapperError(f"{name}: xpath or css is missing")
    return of_css(css, prefix) if css else "."


def _freshrss(text: bytes) -> Foreign:
    """Return the foreign schema of the first feed of type HTML+XPath in an OPML file.

    Raise WrapperError if the file has no such feed.
    """
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise WrapperError("the OPML declares entities: remove them")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise WrapperError(f"the file is not XML: {error}") from error
    feeds = [one for one in root.iter("outline") if one.get("type") == "HTML+XPath"]
    if not feeds:
        raise WrapperError("the OPML has no feed of type HTML+XPath")
    feed = feeds[0]
    fields, findings = [], []
    for role, name in _ROLES.items():
        if (xpath := feed.get(f"{FRSS}{role}")) and is_text(_checked(xpath)):
            findings.append(lost(name, "left out: it joins several texts"))
        elif xpath:
            kind = ValueKind.DATE if role == "Timestamp" else None
            fields.append(ForeignField(name, xpath, "", "", role == "Categories", kind))
    if feed.get(f"{FRSS}Content"):
        findings.append(lost("content", "left out: it joins several texts"))
    if len(feeds) > 1:
        findings.append(
            lost("", f"{len(feeds) - 1} other feeds of the file are left out")
        )
    records = feed.get(FRSS)
    if not records:
        raise WrapperError("the feed has no frss:xPathItem")
    return Foreign(records, tuple(fields), tuple(findings))


def string(given: Mapping[str, Any], key: str) -> str:
    """Return the text under a key; raise WrapperError if the value isn't text."""
    value = given.get(key)
    if not isinstance(value, str):
        raise WrapperError(f"{key} must be a text, not {value!r}")
    return value


def _without_axis(xpath: str) -> str:
    """Return an expression with `//` in place of `//descendant-or-self::`."""
    return xpath.replace("//descendant-or-self::", "//")


READERS: Final[Mapping[str, Callable[[bytes], Foreign]]] = {
    "crawl4ai": _crawl4ai,
    "freshrss": _freshrss,
    "selectorlib": _selectorlib,
}
