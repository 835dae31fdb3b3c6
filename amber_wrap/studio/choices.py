"""List what a click on an element can mean, and predict what each choice would read.

A prediction uses the shown page only, and is quick.  An example reads the elements at
the same place of the other records, as the compiler does (`generalise.example_sites`);
an expression reads what it selects.  The compiler's result of a step is shown before it
is kept, too (`work`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from amber_wrap.annotate.examples import LONGEST, Example
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.dom.selector import selector_of
from amber_wrap.engine.interpret import PatternCache
from amber_wrap.engine.reading import ValueReader
from amber_wrap.errors import SelectionError
from amber_wrap.generalise.example_sites import example_site
from amber_wrap.generalise.span_patterns import span_pattern
from amber_wrap.generalise.user_decisions import ColumnDecision, full_xpath, pin
from amber_wrap.lowering.paths import joined, short
from amber_wrap.studio.opened import Look

WHOLE_TEXT: Final = "text"
_TAKEN: Final = ("@href", "@src", "@title", "@datetime", "@content", "@alt", "@value")
"""The HTML attributes of an element that a click can choose instead of its text."""
_ENOUGH: Final = 0.8
"""Of the most records that an expression reads, the share that is as good."""
CUT: Final = 120
"""Characters of a text that are shown of an element."""
_RARE: Final = 0.5
"""The largest share of records that may have a name which marks false records."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """The values that a column would have: record number, element and text of each."""

    line: Mapping[str, str]
    values: Mapping[int, tuple[NodeId, str]]

    def data(self, look: Look, name: str) -> dict[str, Any]:
        """Return JSON data for the browser, with the number of changed values."""
        now = {
            number: record.values[name].shown
            for number, record in enumerate(look.found)
            if name in record.values
        }
        then = {number: text for number, (_, text) in self.values.items()}
        others = sum(now.get(one) != then.get(one) for one in now.keys() | then.keys())
        return {
            "line": dict(self.line),
            "values": [
                [n, node, text[:CUT]] for n, (node, text) in self.values.items()
            ],
            "records": len(look.found),
            "changed": others,
        }


def choice(look: Look, node: NodeId) -> dict[str, Any]:
    """Return a description of an element: its text, its attributes and its place."""
    page = look.page
    takes = [[WHOLE_TEXT, page.string(node)[:LONGEST]]] if page.string(node) else []
    takes += [
        [one, said[:LONGEST]] for one in _TAKEN if (said := page.source_text(node, one))
    ]
    above = []
    one = page.parent[node]
    while one >= 0:
        above.append(one)
        one = page.parent[one]
    number = look.record_of(node)
    return {
        "node": node,
        "tag": page.tag[node],
        "text": page.string(node)[:CUT],
        "takes": takes,
        "columns": {take: columns_of(look, node, take) for take, _ in takes},
        "record": number,
        "odd": without_record(look, number),
        "above": above,
        "selector": selector_of(page, node),
        "path": page_expression(page, node),
        "holds": sum(page.contains(node, rows[0]) for rows in look.rows()),
    }


def without_record(look: Look, number: int | None) -> dict[str, Any]:
    """Return an expression for the records without one record and its like.

    The numbers of the excluded records come with it, or the reason if there is no such
    expression.  The expression tests names that few records have, on the record or on
    elements in it.
    """
    if number is None or look.wrapper is None:
        return {"why": "it is in no record"}
    if len(look.wrapper.areas) > 1:
        return {"why": "there are several lists: choose one first"}
    page, rows = look.page, look.rows()
    held = [frozenset(names_in(page, some[0])) for some in rows]
    counts = Counter(name for names in held for name in names)
    rare = [name for name in held[number] if counts[name] < _RARE * len(rows)]
    if not rare:
        return {"why": "nothing tells it from the other records: no class, no element"}
    odd = min(rare, key=lambda name: (name.startswith("."), counts[name], name))
    xpath = f"{records_path(look)}[not({odd})]"
    kept = set(page.select(by_token(xpath)))
    gone = [at for at, some in enumerate(rows) if some[0] not in kept]
    return {"xpath": xpath, "gone": gone}


def records_path(look: Look) -> str:
    """Return an expression for the records, if possible for all of them."""
    page = look.page
    assert look.wrapper
    paths = [short(joined(one)) for one in look.wrapper.areas[0].followed_places]
    starts = {rows[0] for rows in look.rows()}
    for path in paths:
        if starts == set(page.select(by_token(path))):
            return f"({path})" if path.endswith("..") else path
    return f"({' | '.join(paths)})"


def names_in(page: Page, row: NodeId) -> Iterator[str]:
    """Yield tests of the class tokens of a record and of the elements in it."""
    for node in page.elements(row):
        for token in page.classes(node):
            if _is_plain(token):
                test = f'@class~="{token}"'
                yield test if node == row else f".//*[{test}]"


def columns_of(look: Look, node: NodeId, take: str) -> list[str]:
    """Return the columns that read an element's text, or an attribute.

    A column that reads an element around it or in it with the same text reads the text,
    too: a click chooses the innermost element.
    """
    page, number = look.page, look.record_of(node)
    found = []
    for name, value in look.found[number].values.items() if number is not None else ():
        at, is_text = page.node_of(value.node), not value.source.startswith("@")
        if (WHOLE_TEXT if is_text else value.source) != take:
            continue
        is_nested = page.contains(at, node) or page.contains(node, at)
        is_alike = is_text and page.string(at) == page.string(node)
        if at == node or (is_nested and is_alike):
            found.append(name)
    return found


def by_another_name(
    look: Look, name: str, node: NodeId, take: str
) -> Prediction | None:
    """Predict what renaming the column that reads an element would give.

    None where no column reads the element, or a column has the new name already.
    """
    page, columns = look.page, columns_of(look, node, take)
    if not columns or any(name in record.values for record in look.found):
        return None
    values = {
        number: (page.node_of(record.values[columns[0]].node), shown.shown)
        for number, record in enumerate(look.found)
        if (shown := record.values.get(columns[0]))
    }
    return Prediction({"do": "rename", "name": columns[0], "to": name}, values)


def by_example(look: Look, name: str, node: NodeId, part: str = "") -> Prediction:
    """Return what the compiler reads if an element's text, or a part, is an example.

    Raise SelectionError for an element that can't be an example, and if its text stands
    at another place of the records, too, which the compiler would take.
    """
    page, text = look.page, look.page.string(node)
    if not text or len(text) > LONGEST:
        raise SelectionError(f"an example is a text of {LONGEST} characters at most")
    example = Example(name, part or text)
    _span(text, example)
    site = example_site(example, look.areas())
    if site is None:
        raise SelectionError("the records don't show this text in one element")
    there = {rows[0]: number for number, rows in enumerate(look.rows())}
    read = {there[start]: value for (_, start), value in site.values.items()}
    number = look.record_of(node)
    own, _ = read.get(-1 if number is None else number, (-1, ""))
    if own < 0 or not (page.contains(own, node) or page.contains(node, own)):
        raise SelectionError("other elements show this text, too: it is no example")
    values = {number: read[number] for number in sorted(read)}
    if site.text != example.text:
        texts = [shown for _, shown in values.values()]
        cut = re.compile(pattern_of_part(site.text, example.text, texts))
        values = {
            number: (one, match[1])
            for number, (one, shown) in values.items()
            if (match := cut.search(shown))
        }
    line = {"do": "example", "name": name, "value": example.text}
    return Prediction(line, values)


def pattern_for(look: Look, node: NodeId, take: str, part: str, xpath: str) -> str:
    """Return the pattern for a part of an element's text or attribute.

    The pattern also matches the other texts that the expression reads.  Raise
    SelectionError.
    """
    page = look.page
    text = page.string(node) if take == WHOLE_TEXT else page.source_text(node, take)
    read = by_expression(look, "value", xpath).values
    return pattern_of_part(text, part, [shown for _, shown in read.values()])


def pattern_of_part(text: str, part: str, texts: Sequence[str]) -> str:
    """Return the regular expression whose group is a part of a text, and of others.

    Raise SelectionError if the text lacks the part, or no pattern fits.
    """
    regex, _ = span_pattern(text, *_span(text, Example("value", part)), texts)
    if not regex:
        raise SelectionError("nothing tells this part from the rest of the text")
    return regex.replace("(?P<value>", "(", 1)


def _span(text: str, example: Example) -> tuple[int, int]:
    """Return where a text shows an example; raise SelectionError."""
    seen = re.search(example.words, text) if example.text else None
    if seen is None:
        raise SelectionError("write words of the chosen text, as it shows them")
    return seen.span()


def by_expression(look: Look, name: str, xpath: str, pattern: str = "") -> Prediction:
    """Return what an expression reads; raise SelectionError if it is invalid."""
    decided = ColumnDecision(name or "value", xpath=xpath, pattern=pattern)
    locator, form = pin(decided, [look.page])
    patterns = PatternCache({locator.pattern: form} if locator.pattern else {})
    rows = [one.rows for one in look.found]
    column = ValueReader(patterns).column([locator], rows)
    values = {
        number: (look.page.node_of(value.node), value.shown)
        for number, value in enumerate(column)
        if value is not None
    }
    line = {"do": "expression", "name": name, "xpath": xpath, "pattern": pattern}
    return Prediction(line, values)


def expression_for(look: Look, node: NodeId, take: str) -> str:
    """Return an expression for an element's value.

    Outside of records it is the heading before each record, or the same for all.

    Candidates select the element in its record, and read about as many records as the
    best does.  Of these the most robust one is taken: by own names, then names around
    it, tags, and numbers.  Raise SelectionError if there is none.
    """
    page, number = look.page, look.record_of(node)
    end = "" if take == WHOLE_TEXT else f"/{take}"
    if number is None:
        return (heading_expression(look, node) or page_expression(page, node)) + end
    rows = look.rows()
    at = next(i for i, row in enumerate(rows[number]) if page.contains(row, node))
    first = rows[number][at]
    before = f"following-sibling::*[{at}]" if at else "."
    counts: dict[str, int] = {}
    for path in relative(page, first, node):
        whole = f"{before}{path}{end}"
        read = by_expression(look, "value", whole).values
        if number in read and read[number][0] == node:
            counts[whole] = len(read)
    if not counts:
        raise SelectionError("no short expression selects it: write one of your own")
    enough = _ENOUGH * max(counts.values())
    return next(path for path, count in counts.items() if count >= enough)


def heading_expression(look: Look, node: NodeId) -> str:
    """Return an expression for the last element before a record that is like this one.

    Return "" if all records have the same one, or if it isn't the one of the record
    behind it.
    """
    page, rows = look.page, look.rows()
    behind = (number for number, one in enumerate(rows) if one[0] > node)
    number = next(behind, None)
    if number is None:
        return ""
    around, tag = node, page.tag[node]
    while around >= 0 and not page.contains(around, rows[number][0]):
        inside = "" if around == node else f"//{tag}"
        for test in (*tests(page, around), ""):
            xpath = f"./preceding::{page.tag[around]}{test}[1]{inside}"
            read = by_expression(look, "value", xpath).values
            headings = {heading for heading, _ in read.values()}
            outside = all(look.record_of(one) is None for one in headings)
            if read.get(number, (-1, ""))[0] == node and outside and len(headings) > 1:
                return xpath
        around = page.parent[around]
    return ""


def relative(page: Page, row: NodeId, node: NodeId) -> Iterator[str]:
    """Yield paths from a row of a record to an element in the row."""
    if node == row:
        yield ""
        return
    tag = page.tag[node]
    own = [*tests(page, node)]
    yield from (f"//{tag}{test}" for test in own)
    above = page.parent[node]
    while page.contains(row, above) and above != row:
        for test in tests(page, above):
            yield f"//{page.tag[above]}{test}//{tag}"
        above = page.parent[above]
    yield f"//{tag}"
    yield f"/{_positions(page, row, node)}"


def page_expression(page: Page, node: NodeId) -> str:
    """Return an absolute expression that selects one element of a page."""
    tag = page.tag[node]
    for test in (*tests(page, node), ""):
        path = f"//{tag}{test}"
        xpath = by_token(path)
        if page.select(xpath) == [node]:
            return path
    return f"/{page.tag[0]}/{_positions(page, 0, node)}" if node else f"/{page.tag[0]}"


def tests(page: Page, node: NodeId) -> Iterator[str]:
    """Yield tests of an element's names: its id, its data names, its classes."""
    found = page.attributes[node]
    for name in ("id", *NAMING_ATTRIBUTES, "rel"):
        if _is_plain(value := found.get(name, "")):
            yield f'[@{name}="{value}"]'
    for token in page.classes(node):
        if _is_plain(token):
            yield f'[@class~="{token}"]'


def _is_plain(value: str) -> bool:
    """Return whether a value is not empty and can stand in quotes."""
    return bool(value) and not set(value) & set("\"'\\\n<>&") and len(value) < 80


def by_token(path: str) -> str:
    """Return the expression without the functions that only specs and wrappers know."""
    return full_xpath(ColumnDecision("value", xpath=path))


def _positions(page: Page, above: NodeId, node: NodeId) -> str:
    """Return the path down to an element by tags and numbers."""
    steps: list[str] = []
    while node != above:
        tag, up = page.tag[node], page.parent[node]
        alike = [one for one in page.child_elements(up) if page.tag[one] == tag]
        steps.append(f"{tag}[{alike.index(node) + 1}]" if len(alike) > 1 else tag)
        node = up
    return "/".join(reversed(steps))
