"""Read pages with other tools, in the way in which people use them by hand.

Each function takes extraction rules, and returns a function that reads pages with one
library. Only the first expression for each record and field is used, which costs the
least. The result is None if the tool can't express the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

from parsel import Selector

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.expressions import xpath
from amber_wrap.export import css_selectors
from amber_wrap.wrapper.ir import Wrapper

Read = Callable[[bytes], Sequence[object]]
"""A function that returns the records of a page, given as bytes."""


class Sketch(NamedTuple):
    """The expressions of an area (a list of records), in XPath or CSS.

    `records` selects the records. `fields` has an expression for each field, and the
    name of the HTML attribute to read, "" for the text.
    """

    records: str
    fields: dict[str, tuple[str, str]]


def in_xpath(wrapper: Wrapper) -> list[Sketch]:
    """Return the first XPath expressions for the records and fields of each area.

    An area is a list of records that the wrapper reads.
    """
    sketches = []
    for area in wrapper.areas:
        place, fields = area.places[0], {}
        for rule in area.fields:
            locator = rule.readings[0].locators[0]
            is_attribute = locator.source.startswith("@")
            attribute = locator.source[1:] if is_attribute else ""
            fields[rule.name] = str(locator.xpath), attribute
        sketches.append(
            Sketch(f"{place.root}{str(place.record).removeprefix('.')}", fields)
        )
    return sketches


def in_css(wrapper: Wrapper) -> list[Sketch]:
    """Return the first expressions of each area (list of records) as CSS selectors.

    Fields and areas that CSS can't express are left out.
    """
    sketches = []
    for sketch in in_xpath(wrapper):
        fields = {
            name: (css_of(path), it) for name, (path, it) in sketch.fields.items()
        }
        if records := css_of(sketch.records):
            possible = {name: field for name, field in fields.items() if field[0]}
            sketches.append(Sketch(records, possible))
    return sketches


def css_of(expression: str) -> str:
    """Return the CSS selector that is equivalent to an XPath expression.

    Return "" if there is none. Selectors with `:has` are left out, because few people
    write them. Table rows are selected at any depth, because browsers add a tbody.
    """
    try:
        selector = css_selectors.css_of(expression)
        selector = selector.removeprefix(css_selectors.CHILD.lstrip())
    except ValueError:
        return ""
    return "" if ":has(" in selector else re.sub(r" > tr\b", " tr", selector)


def parsel_spider(wrapper: Wrapper) -> Read | None:
    """Return a function that reads pages as most spiders do.

    The function calls `.xpath(...).get()` for each field of each record.
    """

    def value(record: Selector, path: str, attribute: str) -> str | None:
        node = f"@{attribute}" if attribute else "text()"
        return record.xpath(f"{path}/{node}").get()

    return script(in_xpath(wrapper), Selector, Selector.xpath, value)


def lxml_script(wrapper: Wrapper) -> Read:
    """Return a function that reads pages by compiled XPath expressions and lxml.

    Only the first text of each element is read. Hardly anything is faster in Python.
    """
    areas = []
    for sketch in in_xpath(wrapper):
        fields = [(name, xpath(it[0]), it[1]) for name, it in sketch.fields.items()]
        areas.append((xpath(sketch.records), fields))

    def value(nodes: Any, attribute: str) -> str | None:
        if not nodes:
            return None
        text: str | None = nodes[0].get(attribute) if attribute else nodes[0].text
        return text

    def read(body: bytes) -> list[dict[str, str | None]]:
        root = parse_html(body)
        return [
            {name: value(select(record), it) for name, select, it in fields}
            for records, fields in areas
            for record in records(root)
        ]

    return read


def selectolax_script(wrapper: Wrapper) -> Read | None:
    """Return a function that reads pages by CSS selectors and selectolax (lexbor).

    Return None if CSS can express no list of the wrapper.
    """
    from selectolax.lexbor import LexborHTMLParser

    def value(record: Any, css: str, attribute: str) -> str | None:
        node = record.css_first(css)
        if node is None:
            return None
        return node.attributes.get(attribute) if attribute else node.text(strip=True)

    return script(in_css(wrapper), LexborHTMLParser, LexborHTMLParser.css, value)


def soup_script(wrapper: Wrapper, parser: str) -> Read | None:
    """Return a function that reads pages by CSS selectors and BeautifulSoup.

    `parser` is "lxml", the fastest, or "html.parser", which most tutorials use. Return
    None if CSS can express no list of the wrapper.
    """
    from bs4 import BeautifulSoup

    def value(record: Any, css: str, attribute: str) -> str | None:
        node = record.select_one(css)
        if node is None:
            return None
        return node.get(attribute) if attribute else node.get_text(" ", strip=True)

    make_tree = partial(BeautifulSoup, features=parser)
    return script(in_css(wrapper), make_tree, BeautifulSoup.select, value)


def script(
    sketches: Sequence[Sketch],
    make_tree: Callable[[str], Any],
    select: Callable[[Any, str], Sequence[Any]],
    value: Callable[[Any, str, str], str | None],
) -> Read | None:
    """Return a function that reads pages by the expressions in `sketches`.

    `make_tree` parses a page. `select` returns the records for an expression. `value`
    returns a field's value from a record, an expression and an HTML attribute. Return
    None without sketches.
    """

    def read(body: bytes) -> list[dict[str, str | None]]:
        page = make_tree(decode(body))
        return [
            {name: value(record, *field) for name, field in sketch.fields.items()}
            for sketch in sketches
            for record in select(page, sketch.records)
        ]

    return read if sketches else None


def crawl4ai_schema(wrapper: Wrapper) -> Read:
    """Return a function that reads pages by crawl4ai with XPath expressions.

    No language model is used.
    """
    from crawl4ai import JsonXPathExtractionStrategy

    strategies = []
    for sketch in in_xpath(wrapper):
        fields = [
            {
                **{"name": name, "selector": path, "attribute": attribute},
                "type": "attribute" if attribute else "text",
            }
            for name, (path, attribute) in sketch.fields.items()
        ]
        schema = {"name": "records", "baseSelector": sketch.records, "fields": fields}
        strategies.append(JsonXPathExtractionStrategy(schema))

    def read(body: bytes) -> list[object]:
        text = decode(body)
        return [row for strategy in strategies for row in strategy.extract("", text)]

    return read
