"""Find the elements of known values in the tree of a page, as examples to learn from.

`learn_excerpt` learns which part of an element's text is the value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from os.path import commonprefix

from corpus import gold_records
from lxml import etree

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.evaluation.gold import GoldPage

Row = dict[str, str | None]
"""A record: the displayed value by attribute type, None for a missing value."""
Rows = list[Row]
"""The records of a page."""


@dataclass(frozen=True, slots=True)
class Target:
    """A known value of a record, and the element that displays it.

    `source` is "text", or the HTML attribute that has the value, such as "@href".
    """

    element: etree._Element
    source: str
    value: str


@dataclass(frozen=True, slots=True)
class Example:
    """A known record of a page with its elements, as an example to learn from.

    `targets` has the values whose elements were found. `names` are the attribute types
    of all values, found or not.
    """

    rows: tuple[etree._Element, ...]
    targets: dict[str, Target]
    names: frozenset[str]

    def value_of(self, name: str) -> str | None:
        """Return the known value of an attribute type.

        Return None if the record has no such value, or if the element of the value
        isn't known.
        """
        return self.targets[name].value if name in self.targets else None


def gold_examples(gold: GoldPage, root: etree._Element) -> list[Example]:
    """Return the known records whose elements are found in the tree of a page."""
    examples = []
    for record in gold_records(gold):
        if rows := tuple(_selected(root, *record.get("nodes", ()))):
            targets = dict(_targets_of(record, gold, root))
            examples.append(Example(rows, targets, frozenset(record["attributes"])))
    return examples


def _targets_of(
    record: dict[str, dict[str, dict[str, str]]], gold: GoldPage, root: etree._Element
) -> Iterator[tuple[str, Target]]:
    """Yield the attribute type of each value of a record, with the value and its
    element.

    Values whose element isn't known are left out.
    """
    for name, value in record["attributes"].items():
        if name not in gold.unscored and value.get("xpath"):
            for element in _selected(root, value["xpath"]):
                yield name, Target(element, value["source"], collapse(value["value"]))


def _selected(root: etree._Element, *paths: str) -> Iterator[etree._Element]:
    """Yield the elements that any of the XPaths selects."""
    tree = root.getroottree()
    return (element for path in paths for element in tree.xpath(path))


MANY = 3
"""The number of forms that are always allowed in a pattern for values.

The form of the value "12 km" is any number with " km" behind it. If the values have
more forms, such a pattern is tried only for at least three values per form.
"""

Pair = tuple[str, str | None]
"""The text of an element, and the known value in this text or None."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A function that cuts a value out of a text, by the first group of a pattern."""

    pattern: str

    def __call__(self, text: str) -> str | None:
        """Return the value in a text, or None if the pattern doesn't match."""
        match = re.search(self.pattern, text, re.DOTALL)
        return (match[1].strip() or None) if match else None


def learn_excerpt(pairs: Sequence[Pair]) -> Excerpt:
    """Return the function that cuts the right value out of the most texts.

    A pair has the text of an element and its known value. One pattern takes the whole
    text. Others take the text between the words around all values. The last one takes
    texts of the same form as a known value. In a tie, the earlier pattern wins.
    """
    return max(
        map(Excerpt, _patterns(pairs)),
        key=lambda excerpt: sum(excerpt(text) == value for text, value in pairs),
    )


def _patterns(pairs: Sequence[Pair]) -> Iterator[str]:
    """Yield regular expressions to try for the values in `pairs`, the most general
    first.

    A pair has the text of an element and its known value.
    """
    yield "(.+)"
    shown = [(text, value) for text, value in pairs if value and value in text]
    if not shown:
        return
    parts = (text.partition(value) for text, value in shown)
    texts_before, values, texts_after = zip(*parts, strict=True)
    before = _common_literal(texts_before, at_end=True)
    yield f"{before}(.+?){_common_literal(texts_after, at_end=False)}"
    yield rf"{before}(\S+)"
    forms = set(map(_pattern_of_form, values))
    if len(forms) <= max(MANY, len(values) / MANY):
        longest_first = sorted(forms, key=lambda form: (-len(form), form))
        yield rf"(?<!\w)({'|'.join(longest_first)})(?!\w)"


def _common_literal(texts: Sequence[str], at_end: bool) -> str:
    """Return a pattern of the characters beside a value that all texts share.

    If `at_end`, `texts` are the texts before the values, and their ends are compared.
    Otherwise, they are the texts after the values, and their beginnings are compared.
    """
    texts_from_value = {text[::-1] if at_end else text for text in texts}
    common = commonprefix(list(texts_from_value))  # noqa: RUF071 (letters are meant)
    is_whole = texts_from_value == {common}
    if at_end:
        return "^" * is_whole + re.escape(common[::-1])
    return re.escape(common) + "$" * is_whole


def _pattern_of_form(value: str) -> str:
    """Return a pattern of texts that look like a value, with any number for a
    number.
    """
    number = r"\d+(?:[.,]\d+)*"
    return number.join(map(re.escape, re.split(number, value)))
