"""What of a wrapper's fields each target carries, on the pages of the gold corpus.

    python benchmarks/exports.py [--filter TEXT] [--every N] [-j N]

From each page a wrapper is induced, its domain named, and exported; what the target's
own rules then select is compared with what the generated file selects, white space
aside: whole texts where the target has no patterns.  A field is carried where each of
its values on the page is equal; FreshRSS and RSS-Bridge are evaluated by lxml here, and
by PHP in the tests.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from agreement import Task, chosen
from corpus import workers
from lxml import etree

from amber_wrap.codegen.build import build_file
from amber_wrap.dom.markup import decode
from amber_wrap.dom.parse import parse
from amber_wrap.errors import AmberError, Diagnostic
from amber_wrap.evaluation.tasks import load
from amber_wrap.export.roles import Roles, roles
from amber_wrap.export.schemas import PUBLISHED
from amber_wrap.export.selection import Selected, Selection, selection
from amber_wrap.export.target import Exported, Subject
from amber_wrap.export.targets import TARGETS
from amber_wrap.files import read_saved_page
from amber_wrap.lowering.fields import text_found
from amber_wrap.lowering.helpers import helpers
from amber_wrap.lowering.program import Column, List, Program
from amber_wrap.lowering.stored import program_from_data
from amber_wrap.pipeline import compile_wrapper

URL = "https://www.example.com/list"
Rows = list[dict[str, Any]]
Reader = Callable[[Exported, Selection, bytes], Rows]


# --- what each target selects ---------------------------------------------------


def by_xpath(made: Exported, chosen: Selection, body: bytes) -> Rows:
    """The strings of a feed's expressions, those of its content one by one."""
    root = parse(body).root
    return [
        {
            one.name: [squeezed(text_of(node)) for node in row.xpath(one.nodes)]
            if one.several
            else row.xpath(one.text)
            for one in chosen.fields
        }
        for row in root.xpath(chosen.records)
    ]


def by_crawl4ai(made: Exported, chosen: Selection, body: bytes) -> Rows:
    """What crawl4ai extracts with a schema."""
    from crawl4ai.extraction_strategy import JsonXPathExtractionStrategy

    schema = json.loads(only(made))
    rows = JsonXPathExtractionStrategy(schema).extract(URL, unicode_of(body))
    return [
        {
            name: [one["value"] for one in value if "value" in one]
            if isinstance(value, list)
            else value
            for name, value in row.items()
        }
        for row in rows
    ]


def by_selectorlib(made: Exported, chosen: Selection, body: bytes) -> Rows:
    """What selectorlib extracts with a schema."""
    from selectorlib import Extractor

    found = Extractor.from_yaml_string(only(made)).extract(unicode_of(body))
    return found["records"] or []


def by_css(made: Exported, chosen: Selection, body: bytes) -> Rows:
    """What the selectors of an html2rss feed select, by cssselect."""
    import yaml

    selectors = yaml.safe_load(only(made))["selectors"]
    root = parse(body).root
    names = called(roles(chosen.fields))
    fields = {name: one for name, one in selectors.items() if isinstance(one, dict)}
    rows = []
    for row in root.xpath(css(fields.pop("items")["selector"], absolute=True)):
        rows.append({})
        for name, one in fields.items():
            found = row.xpath(css(one["selector"]))
            attribute = one.get("attribute") or ("href" * (one["extractor"] == "href"))
            texts = (
                node.get(attribute) if attribute else text_of(node) for node in found
            )
            rows[-1][names.get(name, name)] = next(texts, None)
    return rows


def called(entry: Roles[Selected]) -> dict[str, str]:
    """The names of fields by what html2rss calls them."""
    found = {
        **{"title": entry.title, "url": entry.link, "enclosure": entry.image},
        **{"author": entry.author, PUBLISHED: entry.date},
    }
    return {name: one.name for name, one in found.items() if one}


def css(selector: str, absolute: bool = False) -> str:
    """The XPath of a selector, by cssselect."""
    from cssselect import HTMLTranslator

    prefix = "descendant-or-self::" if absolute else "descendant::"
    if selector.startswith("> "):
        selector, prefix = selector[2:], ""
    return HTMLTranslator().css_to_xpath(selector, prefix)


READERS: dict[str, Reader] = {
    "crawl4ai": by_crawl4ai,
    "freshrss": by_xpath,
    "html2rss": by_css,
    "rss-bridge": by_xpath,
    "selectorlib": by_selectorlib,
}
PATTERNS = frozenset({"crawl4ai"})
"""The targets that have patterns."""


# --- what should come out -------------------------------------------------------


def expected(program: Program, root: etree._Element, patterns: bool) -> Rows:
    """What the generated file takes of each row that the first expression for records
    selects, before it is converted: with patterns, or whole texts; with its row."""
    known = helpers(program.text)
    main = max(program.lists, key=lambda one: len(one.columns))
    return [
        {one.name: value_of(one, row, known, patterns) for one in main.columns}
        for row in rows_of(main, root)
    ]


def rows_of(main: List, root: etree._Element) -> list[etree._Element]:
    """The rows that the first expression for records selects, if they are shown."""
    rows = root.xpath(main.records[0])
    if main.is_shown:
        shown = helpers("helpers").is_shown
        rows = [row for row in rows if shown(row)]
    return rows


def value_of(column: Column, row: Any, known: Any, patterns: bool) -> Any:
    """The text of a column in a row: all of it that its pattern is found in, or what
    the pattern takes."""
    if column.convert == "texts":
        return known.texts(row, *(one.xpath for one in column.reads))
    for one in column.reads:
        for text in filter(None, map(known.text, row.xpath(one.xpath))):
            if found := text_found([text], one.pattern):
                return found if patterns else text
    return None


def same(value: Any, other: Any) -> bool:
    """Whether two values are equal but for white space, and nothing is like none."""
    if isinstance(value, list) or isinstance(other, list):
        mine, its = ([squeezed(one) for one in some or ()] for some in (value, other))
        return [one for one in mine if one] == [one for one in its if one]
    return squeezed(value) == squeezed(other)


def squeezed(value: Any) -> str:
    return "".join(str(value or "").split())


def text_of(node: Any) -> str:
    return node if isinstance(node, str) else "".join(node.itertext())


def only(made: Exported) -> str:
    (text,) = made.files.values()
    return text


def unicode_of(body: bytes) -> str:
    """A page as text, for tools that take no bytes."""
    return decode(body)


# --- the corpus ------------------------------------------------------------------


def lossy(findings: Sequence[Diagnostic], words: Sequence[str]) -> frozenset[str]:
    """The fields of which is told that they are carried otherwise."""
    return frozenset(
        one.where for one in findings if any(word in one.message for word in words)
    )


NOT_CARRIED = (
    "left out",
    "all of its element",
    "another text",
    "second expression",
    "first item",
    "first of its items",
)
"""The words of findings that say that a field's values may differ."""


def compare(task: Task, targets: Sequence[str]) -> dict[str, Counter[str]]:
    """Of each target how many fields of a page's wrapper are carried, and which not."""
    source = read_saved_page(str(task.sample))
    made = compile_wrapper([source], [load(task.domain)])
    try:
        built = build_file(made.wrapper, [source.saved.body], "benchmark")
    except AmberError:
        return {}
    program = program_from_data(built.stored.program)
    subject = Subject("page", program, built.stored.wrapper, built.source, URL)
    chosen, _ = selection(program)
    root = parse(source.saved.body).root
    columns = max((one.columns for one in program.lists), key=len)
    found = {}
    for name in targets:
        found[name] = Counter[str]()
        try:
            exported = TARGETS[name].make(subject)
        except AmberError:
            found[name]["refused"] += 1
            found[name]["fields not said"] += len(columns)
            continue
        rows = READERS[name](exported, chosen, source.saved.body)
        wanted = expected(program, root, name in PATTERNS)
        told = lossy(exported.findings, NOT_CARRIED)
        found[name]["fields not said"] += len(columns) - len(chosen.fields)
        for field in chosen.fields:
            found[name].update(
                judged(field, rows, wanted, field.name in told, f"{task.sample}")
            )
    return found


def judged(
    field: Selected, rows: Rows, wanted: Rows, is_told: bool, page: str
) -> Iterator[str]:
    """Whether a field is carried, and if not whether that was told."""
    pairs = zip(rows, wanted, strict=False)
    values = [(one.get(field.name), row.get(field.name)) for row, one in pairs]
    is_same = len(rows) == len(wanted) and all(same(*one) for one in values)
    if is_told:
        yield "told and equal" if is_same else "fields not said"
        return
    yield "carried" if is_same else "differs"
    if not is_same:
        yield f"! {page}: {field.name}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a line for each target, and each field that differs; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--to", default="", metavar="TARGET", help="one target only")
    options, found = chosen(parser, arguments)
    tasks = [one for one in found if one.domain]
    if not tasks:
        return 0
    targets = [options.to] if options.to else sorted(READERS)
    with workers(options.j) as run:
        counts = list(run(partial(compare, targets=targets), tasks))
    total: Mapping[str, Counter[str]] = {name: Counter() for name in targets}
    for one in counts:
        for name, count in one.items():
            total[name] += count
    code = 0
    for name, count in total.items():
        for what in sorted(one for one in count if one.startswith("!")):
            print(f"{name} {what}")
    for name, count in total.items():
        can = count["carried"] + count["differs"] + count["told and equal"]
        share = (can - count["differs"]) / max(1, can)
        every = can + count["fields not said"]
        print(
            f"{name:12} {share:.3f} of {can} fields that it can say, of {every}; pages "
            f"refused: {count['refused']}"
        )
        code |= share < FLOOR
    return code


FLOOR = 0.9

if __name__ == "__main__":
    sys.exit(main())
