"""Read the schemas by which crawl4ai, selectorlib and FreshRSS extract records."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from cssselect import HTMLTranslator, SelectorError
from lxml import etree

from amber_wrap.domain.schema import ValueKind
from amber_wrap.errors import Diagnostic, WrapperError
from amber_wrap.export.target import lost

_MOST_BYTES: Final = 1_000_000
"""The largest size, in bytes, of a file with another tool's schema."""
FRSS: Final = "{https://freshrss.org/opml}xPathItem"
"""The XML attribute with the XPath of a FreshRSS feed's records.  With a suffix such as
"Title", the attribute has the XPath of a part of the record."""
_ROLES: Final = {
    "Title": "title",
    "Uri": "link",
    "Author": "author",
    "Timestamp": "date",
    "Thumbnail": "image",
    "Categories": "tags",
}
"""A dict from the parts of a FreshRSS feed's entry to the names of a record's fields.
"""


@dataclass(frozen=True, slots=True)
class ForeignField:
    """A field of another tool's schema."""

    name: str
    xpath: str
    """The XPath expression for the elements with the field's value, relative to the
    record.
    """
    attribute: str = ""
    """The attribute with the value, "" for the element's text."""
    pattern: str = ""
    """A regular expression for a part of the text, "" for the whole text."""
    several: bool = False
    """Whether the field's value is a list."""
    kind: ValueKind | None = None
    """The kind of the value, such as number, or None if unknown."""


@dataclass(frozen=True, slots=True)
class ForeignSchema:
    """A schema of another tool: expressions for records and their fields."""

    records: str
    """The XPath expression for the records."""
    fields: tuple[ForeignField, ...]
    findings: tuple[Diagnostic, ...] = ()
    """Warnings about parts of the schema that can't be imported."""


def read_foreign(tool: str, text: bytes) -> ForeignSchema:
    """Return the schema in a file of another tool, such as "crawl4ai".

    Raise WrapperError if the file is too long, or has no field that can be read.
    """
    if len(text) > _MOST_BYTES:
        raise WrapperError(f"the file is too long: over {_MOST_BYTES:,} bytes")
    schema = READERS[tool](text)
    if not schema.fields:
        raise WrapperError(f"the {tool} schema has no readable field")
    return schema


def checked_xpath(xpath: str) -> str:
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
    """Return whether a valid XPath expression gives a text, a number or a boolean.

    Return False if the expression selects nodes.
    """
    return not isinstance(etree.XPath(xpath)(etree.Element("html")), list)


def xpath_of_css(selector: str, prefix: str = "descendant::") -> str:
    """Return the XPath expression of a CSS selector, beginning with `prefix`.

    Raise WrapperError if the selector is invalid.
    """
    try:
        return HTMLTranslator().css_to_xpath(selector, prefix)
    except SelectorError as error:
        raise WrapperError(f"{selector!r} is not a CSS selector: {error}") from error


def _crawl4ai(text: bytes) -> ForeignSchema:
    """Return the records and fields of a crawl4ai extraction strategy, from its JSON.

    Raise WrapperError if the text isn't the JSON of a crawl4ai schema.
    """
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise WrapperError(f"the file is not JSON: {error}") from error
    if not (isinstance(data, dict) and isinstance(data.get("fields"), list)):
        raise WrapperError(
            "the file is not a crawl4ai schema: it has no list of fields"
        )
    base = required_text(data, "baseSelector")
    is_css = not base.startswith(("/", ".", "("))
    fields, findings = [], []
    for field_data in data["fields"]:
        field = _crawl4ai_field(field_data, is_css)
        if isinstance(field, Diagnostic):
            findings.append(field)
        else:
            fields.append(field)
    records = xpath_of_css(base, "//") if is_css else base
    return ForeignSchema(_without_axis(records), tuple(fields), tuple(findings))


def _crawl4ai_field(field_data: Any, is_css: bool) -> ForeignField | Diagnostic:
    """Return a field of a crawl4ai schema, or a warning that the field isn't supported.

    Raise WrapperError if the field is malformed.
    """
    if not isinstance(field_data, dict):
        raise WrapperError(f"not a crawl4ai field: {field_data!r}")
    name, types = required_text(field_data, "name"), field_data.get("type", "text")
    steps = types if isinstance(types, list) else [types]
    selector = field_data.get("selector", ".")
    if not isinstance(selector, str):
        raise WrapperError(f"{name}: the selector is not a text")
    xpath = xpath_of_css(selector) if is_css and selector != "." else selector
    if steps == ["list"]:
        return ForeignField(name, xpath, several=True)
    if not set(steps) <= {"text", "attribute", "regex"}:
        return lost(
            name, f"left out: wrappers don't support {', '.join(map(str, steps))}"
        )
    attribute = required_text(field_data, "attribute") if "attribute" in steps else ""
    pattern = required_text(field_data, "pattern") if "regex" in steps else ""
    if pattern and field_data.get("group", 1) == 0:
        pattern = f"(?P<value>{pattern})"
    return ForeignField(name, xpath, attribute, pattern)


def _selectorlib(text: bytes) -> ForeignSchema:
    """Return the records and fields of a selectorlib extractor, from its YAML.

    Raise WrapperError unless exactly one item has children.
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
        item
        for item in (data.values() if isinstance(data, dict) else ())
        if isinstance(item, dict) and isinstance(item.get("children"), dict)
    ]
    if len(lists) != 1:
        raise WrapperError(
            "the file is not a selectorlib schema of one list: exactly one name "
            "must have children"
        )
    (record_list,) = lists
    fields = tuple(_selectorlib_fields(record_list["children"]))
    findings = tuple(
        lost(str(name), "left out: it is not a field of the records")
        for name, item in data.items()
        if item is not record_list
    )
    records = _selector(record_list, "the records", "//")
    return ForeignSchema(_without_axis(records), fields, findings)


ATTRIBUTES: Final = {"Link": "href", "Image": "src"}
"""The HTML attribute that selectorlib reads for a type of values such as `Link`."""


def _selectorlib_fields(children: Mapping[str, Any]) -> Iterator[ForeignField]:
    """Yield the fields of a selectorlib item, which are the entries of its `children`.

    Raise WrapperError for a malformed field.
    """
    for name, field_data in children.items():
        if not isinstance(field_data, dict):
            raise WrapperError(f"{name}: not a selectorlib field")
        kind = field_data.get("type", "Text")
        attribute = ATTRIBUTES.get(kind, "")
        if kind == "Attribute":
            attribute = required_text(field_data, "attribute")
        xpath = _selector(field_data, str(name))
        several = field_data.get("multiple") is True
        yield ForeignField(str(name), xpath, attribute, several=several)


def _selector(
    item: Mapping[str, Any], name: str, css_prefix: str = "descendant::"
) -> str:
    """Return the XPath expression of the item `name` of a selectorlib schema.

    An expression made from CSS begins with `css_prefix`. Raise WrapperError if the item
    has neither XPath nor CSS.
    """
    if "xpath" in item:
        return required_text(item, "xpath")
    if "css" not in item:
        raise WrapperError(f"{name}: xpath or css is missing")
    css = required_text(item, "css")
    return xpath_of_css(css, css_prefix) if css else "."


def _freshrss(text: bytes) -> ForeignSchema:
    """Return the records and fields of an OPML file's first feed of type HTML+XPath.

    Raise WrapperError if the file is invalid, or has no feed of this type with records.
    """
    if b"<!DOCTYPE" in text or b"<!ENTITY" in text:
        raise WrapperError("the OPML declares entities: remove them")
    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        root = etree.fromstring(text, parser)
    except etree.XMLSyntaxError as error:
        raise WrapperError(f"the file is not XML: {error}") from error
    feeds = [
        outline
        for outline in root.iter("outline")
        if outline.get("type") == "HTML+XPath"
    ]
    if not feeds:
        raise WrapperError("the OPML has no feed of type HTML+XPath")
    feed = feeds[0]
    fields, findings = [], []
    for role, name in _ROLES.items():
        xpath = feed.get(f"{FRSS}{role}")
        if not xpath:
            continue
        if is_text(checked_xpath(xpath)):
            findings.append(lost(name, "left out: it joins several texts"))
            continue
        several = role == "Categories"
        kind = ValueKind.DATE if role == "Timestamp" else None
        fields.append(ForeignField(name, xpath, several=several, kind=kind))
    if feed.get(f"{FRSS}Content"):
        findings.append(lost("content", "left out: it joins several texts"))
    if len(feeds) > 1:
        findings.append(
            lost("", f"{len(feeds) - 1} other feeds of the file are left out")
        )
    records = feed.get(FRSS)
    if not records:
        raise WrapperError("the feed has no frss:xPathItem")
    return ForeignSchema(records, tuple(fields), tuple(findings))


def required_text(data: Mapping[str, Any], key: str) -> str:
    """Return the text under a key of a schema's data.

    Raise WrapperError if the key is missing, or if its value isn't text.
    """
    value = data.get(key)
    if not isinstance(value, str):
        raise WrapperError(f"{key} must be a text, not {value!r}")
    return value


def _without_axis(xpath: str) -> str:
    """Return an XPath expression in which "//" replaces "//descendant-or-self::"."""
    return xpath.replace("//descendant-or-self::", "//")


READERS: Final[Mapping[str, Callable[[bytes], ForeignSchema]]] = {
    "crawl4ai": _crawl4ai,
    "freshrss": _freshrss,
    "selectorlib": _selectorlib,
}
"""The functions that read the schemas of other tools, by the tool's name."""
