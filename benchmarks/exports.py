"""Measure which fields are read right by files for other scraping tools.

    python benchmarks/exports.py [--filter TEXT] [--every N] [-j N]

Extraction rules are made from a page, and exported to the file format of each tool.
Each exported file reads the page, and its texts are compared with those that
amber-wrap's own generated file reads. White space is ignored. A field is right if all
its values on the page are equal.

If a format has no regular expressions, whole texts are compared instead of values. The
files of FreshRSS and RSS-Bridge are evaluated by lxml here, and by PHP in the tests.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from agreement import CHOICE, Task, chosen
from commands import command_line
from corpus import built
from lxml import etree
from processes import workers

from amber_wrap.dom.decoding import decode
from amber_wrap.dom.parse import parse
from amber_wrap.errors import AmberError, Diagnostic
from amber_wrap.export.feed_roles import roles
from amber_wrap.export.foreign_schemas import xpath_of_css
from amber_wrap.export.html2rss import html2rss_names
from amber_wrap.export.plain_xpath import SelectedColumn, Selection, selection
from amber_wrap.export.target import Exported, Subject
from amber_wrap.export.target_list import TARGETS
from amber_wrap.files import read_saved_page
from amber_wrap.lowering.helpers import helpers, text_found
from amber_wrap.lowering.program import Column, Program, program_from_data

URL = "https://www.example.com/list"
"""The address that all pages are said to have."""
Rows = list[dict[str, Any]]
"""Records as dicts of values by field."""
Reader = Callable[[Exported, Selection, bytes], Rows]
"""A function that reads a page by an exported file, and returns the records.

The second argument has the XPath expressions of the extraction rules. The third
argument is the page.
"""


# --- what each target selects ---------------------------------------------------


def by_xpath(exported: Exported, plain_selection: Selection, body: bytes) -> Rows:
    """Return the records that the XPath expressions of a feed select on a page.

    A field with several values has a list of strings.
    """

    def value(row: etree._Element, field: SelectedColumn) -> Any:
        if field.several:
            return [squeezed(text_of(node)) for node in row.xpath(field.nodes)]
        return row.xpath(field.text)

    rows = parse(body).root.xpath(plain_selection.records)
    fields = plain_selection.fields
    return [{field.name: value(row, field) for field in fields} for row in rows]


def by_crawl4ai(exported: Exported, plain_selection: Selection, body: bytes) -> Rows:
    """Return the records that crawl4ai reads on a page by an exported schema."""
    from crawl4ai.extraction_strategy import JsonXPathExtractionStrategy

    def texts(value: Any) -> Any:
        if not isinstance(value, list):
            return value
        return [item["value"] for item in value if "value" in item]

    schema = json.loads(only(exported))
    rows = JsonXPathExtractionStrategy(schema).extract(URL, decode(body))
    return [{name: texts(value) for name, value in row.items()} for row in rows]


def by_selectorlib(exported: Exported, plain_selection: Selection, body: bytes) -> Rows:
    """Return the records that selectorlib reads on a page by an exported schema."""
    from selectorlib import Extractor

    extracted = Extractor.from_yaml_string(only(exported)).extract(decode(body))
    return extracted["records"] or []


def by_css(exported: Exported, plain_selection: Selection, body: bytes) -> Rows:
    """Return the records that an exported html2rss feed reads on a page.

    The feed's CSS selectors are translated to XPath and evaluated by lxml.
    """
    import yaml

    selectors = yaml.safe_load(only(exported))["selectors"]
    names = html2rss_names(roles(plain_selection.fields))
    field_names = {name: field for field, name in names.items()}
    fields = {name: it for name, it in selectors.items() if isinstance(it, dict)}

    def value(row: etree._Element, selector: dict[str, str]) -> str | None:
        child = selector["selector"].removeprefix("> ")
        axis = "descendant::" if child == selector["selector"] else ""
        default = "href" if selector["extractor"] == "href" else None
        attribute = selector.get("attribute", default)
        nodes = row.xpath(xpath_of_css(child, axis))
        texts = (node.get(attribute) if attribute else text_of(node) for node in nodes)
        return next(texts, None)

    records = xpath_of_css(fields.pop("items")["selector"], "descendant-or-self::")
    return [
        {field_names.get(name, name): value(row, fields[name]) for name in fields}
        for row in parse(body).root.xpath(records)
    ]


READERS: dict[str, Reader] = {
    "crawl4ai": by_crawl4ai,
    "freshrss": by_xpath,
    "html2rss": by_css,
    "rss-bridge": by_xpath,
    "selectorlib": by_selectorlib,
}
"""For each export format, the function that reads a page by an exported file."""
PATTERNS = frozenset({"crawl4ai"})
"""The export formats that can cut values out of a text by regular expressions."""


# --- what should come out -------------------------------------------------------


def expected(program: Program, root: etree._Element, patterns: bool) -> Rows:
    """Return the texts of each record as the generated file reads them, before
    conversion.

    The records are those of the list with the most columns. If `patterns` is True, a
    text is the match of the column's regular expression. Otherwise it is the whole text
    with the match.
    """
    text_helpers, is_shown = helpers(program.text), helpers("helpers").is_shown
    main_list = max(program.lists, key=lambda program_list: len(program_list.columns))
    columns = main_list.columns
    return [
        {one.name: value_of(one, row, text_helpers, patterns) for one in columns}
        for row in root.xpath(main_list.records[0])
        if not main_list.is_shown or is_shown(row)
    ]


def value_of(column: Column, row: Any, text_helpers: Any, patterns: bool) -> Any:
    """Return the text of a column in a record, before conversion.

    Return None if there is no value, and a list of texts for a column with several
    values. If `patterns` is True, the text is the match of the column's regular
    expression. Otherwise it is the whole text with the match.
    """
    if column.convert == "texts":
        return text_helpers.texts(row, *(read.xpath for read in column.reads))
    for read in column.reads:
        for text in filter(None, map(text_helpers.text, row.xpath(read.xpath))):
            if match := text_found([text], read.pattern):
                return match if patterns else text
    return None


def same(value: Any, expected_value: Any) -> bool:
    """Return whether two values are equal apart from white space.

    None equals an empty value.
    """
    pair = value, expected_value
    if any(isinstance(one, list) for one in pair):
        found, wanted = (list(filter(None, map(squeezed, it or ()))) for it in pair)
        return found == wanted
    return squeezed(value) == squeezed(expected_value)


def squeezed(value: Any) -> str:
    """Return a value as text without white space, "" for None."""
    return "".join(str(value or "").split())


def text_of(node: Any) -> str:
    """Return the text of an element, or a string as it is."""
    return node if isinstance(node, str) else "".join(node.itertext())


def only(exported: Exported) -> str:
    """Return the text of the only file that an export has."""
    (text,) = exported.files.values()
    return text


# --- the corpus ------------------------------------------------------------------


NOT_CARRIED = (
    "left out",
    "text of the whole element",
    "another text",
    "second expression",
    "first item",
)
"""Words in the messages of an export which say that a field's values may differ."""


def changed_fields(findings: Sequence[Diagnostic]) -> frozenset[str]:
    """Return the names of the fields that an export reports as changed.

    `findings` are the messages of the export.
    """
    return frozenset(
        finding.where
        for finding in findings
        if any(words in finding.message for words in NOT_CARRIED)
    )


def compare(task: Task, targets: Sequence[str]) -> dict[str, Counter[str]]:
    """Return, for each target, how many fields of a page's wrapper it carries or not.

    `targets` are the formats. The counts have names such as "carried" and "differs".
    The result is empty if no extraction rules can be made from the page.
    """
    source = read_saved_page(str(task.sample))
    try:
        built_file = built(source, task.domain)
    except AmberError:
        return {}
    program, wrapper = (
        program_from_data(built_file.stored.program),
        built_file.stored.wrapper,
    )
    subject = Subject("page", program, wrapper, built_file.source, URL)
    plain_selection, _ = selection(program)
    root, fields = parse(source.body).root, plain_selection.fields
    columns = max((program_list.columns for program_list in program.lists), key=len)
    counts = {}
    for name in targets:
        counts[name] = count = Counter[str]()
        try:
            exported = TARGETS[name].make(subject)
        except AmberError:
            count.update({"refused": 1, "fields not said": len(columns)})
            continue
        rows = READERS[name](exported, plain_selection, source.body)
        wanted = expected(program, root, name in PATTERNS)
        reported = changed_fields(exported.findings)
        count["fields not said"] = len(columns) - len(fields)
        for field in fields:
            is_reported = field.name in reported
            count.update(verdicts(field, rows, wanted, is_reported, f"{task.sample}"))
    return counts


def verdicts(
    field: SelectedColumn, rows: Rows, expected_rows: Rows, is_reported: bool, page: str
) -> Iterator[str]:
    """Yield the names of the counts that increase for one field of an exported file.

    A name tells whether the values are as expected, and whether the export reported a
    change (`is_reported`). For a change that wasn't reported, also yield a message with
    the page and the field.
    """
    is_same = len(rows) == len(expected_rows) and all(
        same(row.get(field.name), expected_row.get(field.name))
        for row, expected_row in zip(rows, expected_rows, strict=True)
    )
    if is_reported:
        yield "told and equal" if is_same else "fields not said"
        return
    yield "carried" if is_same else "differs"
    if not is_same:
        yield f"! {page}: {field.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print for each export format the share of fields that it reads right.

    Also print the fields that differ, and return the exit code.
    """
    options = command_line(__doc__, *CHOICE).parse_args(arguments)
    tasks = [task for task in chosen(options.filter, options.every) if task.domain]
    counts: dict[str, Counter[str]] = {name: Counter() for name in sorted(READERS)}
    with workers(options.j) as run:
        for page_counts in run(partial(compare, targets=list(counts)), tasks):
            for name, count in page_counts.items():
                counts[name] += count
    for name, count in counts.items():
        for message in sorted(key for key in count if key.startswith("!")):
            print(f"{name} {message}")
    exit_code = 0
    for name, count in counts.items():
        expressible = count["carried"] + count["differs"] + count["told and equal"]
        share = (expressible - count["differs"]) / max(1, expressible)
        field_count = expressible + count["fields not said"]
        print(
            f"{name:12} {share:.3f} of {expressible} fields that it can say, "
            f"of {field_count}; pages refused: {count['refused']}"
        )
        exit_code |= share < FLOOR
    return exit_code


FLOOR = 0.9
"""The least share of fields that an export must read like amber-wrap's own file."""

if __name__ == "__main__":
    sys.exit(main())
