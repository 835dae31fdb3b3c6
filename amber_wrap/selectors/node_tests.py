"""List the tests that an element passes, for use in XPath expressions.

A test that contains an extracted value is left out, since other pages have other
values.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from amber_wrap.annotate.element_icons import drawing_of, is_icon, named_icons
from amber_wrap.annotate.element_labels import label_before_text, label_in, label_of
from amber_wrap.annotate.labels_and_titles import COLONS, is_label
from amber_wrap.annotate.naming_attributes import LABELLING
from amber_wrap.cache import cached_method
from amber_wrap.dom.page import NAMING_ATTRIBUTES, NodeId, Page
from amber_wrap.selectors.costs_and_limits import (
    CLASS,
    DRAWING,
    GENERATED,
    ID,
    LABEL,
    LINK,
    NEIGHBOUR,
    PASSING,
    SEMANTIC,
    STEM,
    VETOED,
)
from amber_wrap.selectors.volatile_names import (
    HASHED,
    NUMERIC,
    Veto,
    part_beside_number,
    stem,
    veto,
)
from amber_wrap.values.texts import squeeze
from amber_wrap.wrapper import xpath
from amber_wrap.wrapper.xpath import Path, Step, Test, is_quotable

SEMANTIC_ATTRIBUTES = (
    *NAMING_ATTRIBUTES,
    *"data-test-id data-cy data-e2e data-automation-id data-hook".split(),
    *"data-component data-role role rel name".split(),
)
"""HTML attributes that describe the purpose of an element, independent of its
appearance."""
TESTED_ATTRIBUTES = frozenset({*SEMANTIC_ATTRIBUTES, "id", "class"})
"""The HTML attributes that `NodeTests.own_tests` tests."""
SHORTEST_VALUE = 3
"""XPath expressions contain no extracted value with at least this number of letters and
digits. Shorter values, such as "3", occur in names by chance."""
LINK_PART = re.compile(r"(?=(/[^/?#\d]{2,}/|[^/?#\d]{3,200}\?|[?&][a-z_]{2,}=))", re.I)
"""Matches the parts of link targets that similar links share: folders and parameter
names. The group is the part."""
FOLLOWS_ROW = xpath.PreviousMatches(Step("tr"))
"""The test that the element directly before an element is a table row. It excludes the
first row of a table, which may have the names of the columns."""
_MARKS = frozenset({SEMANTIC, ID, CLASS})
"""The kinds of HTML attributes that may distinguish an element from its siblings."""


@dataclass(frozen=True, slots=True)
class ElementTest:
    """A condition of an XPath expression, which a given element meets."""

    predicate: Test
    """The test as a predicate of an XPath step."""
    family: str
    """The kind of feature that the test concerns, such as "class"."""


class NodeTests:
    """A finder of the tests that elements pass, for use in XPath expressions.

    No test contains any of the extracted `values`.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._squeezed_values = frozenset(map(squeeze, values))
        long_values = (
            text for text in self._squeezed_values if len(text) >= SHORTEST_VALUE
        )
        self._values = sorted(long_values, key=len)
        self.allows = cached_method(self._allows)
        # Numbers of tuples of tests, the tuples by number, and the numbers by HTML
        # attributes and by element.
        self._number_of_tests: dict[tuple[ElementTest, ...], int] = {}
        self._tests_by_number: list[tuple[ElementTest, ...]] = []
        self._number_of_attributes: dict[tuple[tuple[str, str], ...], int] = {}
        self._number_of_node: dict[tuple[Page, NodeId], int] = {}
        self._tests_of_target = cached_method(self._target_tests)

    def _allows(self, word: str) -> bool:
        """Return whether an XPath expression may contain a word.

        A word that contains an extracted value isn't allowed.
        """
        squeezed_word = squeeze(word)
        shorter = bisect_right(self._values, len(squeezed_word), key=len)
        return is_quotable(word) and not any(
            value in squeezed_word for value in self._values[:shorter]
        )

    def own_tests(self, page: Page, node: NodeId) -> tuple[ElementTest, ...]:
        """Return the tests that an element's own HTML attributes pass.

        An example is the test for the class `price`.
        """
        return self._tests_by_number[self.own_tests_number(page, node)]

    def own_tests_number(self, page: Page, node: NodeId) -> int:
        """Return a number for the tests that `own_tests` returns.

        Elements that pass the same tests have the same number.
        """
        if (number := self._number_of_node.get((page, node))) is None:
            attributes = page.attributes[node].items()
            tested = tuple(
                [pair for pair in attributes if pair[0] in TESTED_ATTRIBUTES]
            )
            if (number := self._number_of_attributes.get(tested)) is None:
                # Different attributes, such as ids with numbers, may allow the same
                # tests.
                tests = tuple(self._own_tests(page, node))
                new_number = len(self._tests_by_number)
                number = self._number_of_tests.setdefault(tests, new_number)
                if number == new_number:
                    self._tests_by_number.append(tests)
                self._number_of_attributes[tested] = number
            self._number_of_node[page, node] = number
        return number

    def _own_tests(self, page: Page, node: NodeId) -> Iterator[ElementTest]:
        """Yield the tests that an element's own HTML attributes pass."""
        attributes = page.attributes[node]
        for name in SEMANTIC_ATTRIBUTES:
            if value := attributes.get(name, ""):
                test = xpath.Equals(name, value)
                yield from self._unless_vetoed(test, value, name, SEMANTIC)
                yield from self._tests_beside_number(value, name)
        if identifier := attributes.get("id", ""):
            test = xpath.Equals("id", identifier)
            yield from self._unless_vetoed(test, identifier, "id", ID)
            yield from self._tests_beside_number(identifier, "id")
        for token in dict.fromkeys(attributes.get("class", "").split()):
            has_token = xpath.HasToken("class", token)
            yield from self._unless_vetoed(has_token, token, "class", CLASS)
            # Build tools append hashes to names.
            class_stem = stem(token) or (None if veto(token, "class") else token)
            if class_stem and self.allows(class_stem):
                yield ElementTest(xpath.HasStem("class", class_stem), STEM)

    def _tests_beside_number(self, value: str, name: str) -> Iterator[ElementTest]:
        """Yield a test that the HTML attribute `name` contains the constant part of
        `value`, such as "price-" in `price-48213`.

        Yield nothing if the value has no number of an item.
        """
        part = part_beside_number(value)
        if part and self.allows(part):
            yield ElementTest(xpath.Contains(name, part), STEM)

    def _unless_vetoed(
        self, test: Test, word: str, name: str, family: str
    ) -> Iterator[ElementTest]:
        """Yield `test`, which looks for `word` in the HTML attribute `name`, unless the
        word has an extracted value or a number.

        For a word that often changes, such as a generated class, `family` is replaced
        by another kind of feature.
        """
        if self.allows(word):
            word_veto = veto(word, name)
            if word_veto is None:
                yield ElementTest(test, family)
            elif word_veto.code == HASHED:
                yield ElementTest(test, GENERATED)
            elif word_veto.code != NUMERIC:
                yield ElementTest(test, PASSING)

    def link_tests(self, page: Page, node: NodeId) -> tuple[ElementTest, ...]:
        """Return tests on parts of a link's address. Other records may have links with
        the same parts.

        A part is a folder such as `/books/`, or the name of a parameter.
        """
        return self._tests_of_target(page.attributes[node].get("href", ""))

    def _target_tests(self, target: str) -> tuple[ElementTest, ...]:
        """Return tests on the folders and the parameter names in a link's target."""
        parts = dict.fromkeys(LINK_PART.findall(target))
        return tuple(
            ElementTest(xpath.Contains("href", part), LINK)
            for part in filter(self.allows, parts)
        )

    def label_tests(self, page: Page, node: NodeId) -> Iterator[ElementTest]:
        """Yield tests on an element's tooltip, on its icon, and on labels in or beside
        the element."""
        for attribute in LABELLING:
            label = page.attributes[node].get(attribute, "")
            if is_label(label) and self.allows(label):
                yield ElementTest(xpath.Equals(attribute, label), LABEL)
        if (label := label_of(page, node)) and self.allows(label):
            yield ElementTest(xpath.HasText(label, xpath.PREVIOUS), LABEL)
        label = label_in(page, node)
        # A first word of a value, such as a make, is no label of the value.
        is_word = squeeze(page.string(node)) in self._squeezed_values
        if label and self.allows(label) and not (is_word and label[-1] not in COLONS):
            yield ElementTest(xpath.HasText(label, xpath.FIRST_CHILD), LABEL)
        if (label := label_before_text(page, node)) and self.allows(label):
            yield ElementTest(xpath.HasText(label), LABEL)
        icon_nodes = named_icons(page, node)
        if len(icon_nodes) == 1:
            for step, family in self._icon_steps(page, icon_nodes[0]):
                yield ElementTest(xpath.PathExists(Path((step,))), family)
        before = page.previous(node)
        if before >= 0 and is_icon(page, before):
            for step, family in self._icon_steps(page, before):
                yield ElementTest(xpath.PreviousMatches(step), family)

    def _icon_steps(self, page: Page, icon: NodeId) -> Iterator[tuple[Step, str]]:
        """Yield pairs (XPath step, kind of feature) that recognise an icon by its names
        or its drawing.
        """
        tests = [*self.own_tests(page, icon), *self.label_tests(page, icon)]
        for test in tests:
            family = test.family if test.family in VETOED else LABEL
            yield Step(page.tag[icon], (test.predicate,)), family
        drawing = drawing_of(page, icon)
        if drawing and self.allows(drawing.text):
            node, attribute, text = drawing
            step = Step(page.tag[node], (xpath.Contains(attribute, text),))
            while node != icon:
                node = page.parent[node]
                step = Step(page.tag[node], (xpath.PathExists(Path((step,))),))
            yield step, DRAWING if attribute == "d" else LABEL

    def neighbour_tests(self, page: Page, node: NodeId) -> Iterator[ElementTest]:
        """Yield a test on the element directly before a given element. The given
        element must have no tests of its own.

        For example, the second `p` in `<p class="meta">1998</p><p>High Street</p>`
        follows an element with the class `meta`.
        """
        before = page.previous(node)
        if before < 0 or self.own_tests(page, node):
            return
        for test in self.own_tests(page, before):
            if test.family in _MARKS:
                step = Step(page.tag[before], (test.predicate,))
                yield ElementTest(xpath.PreviousMatches(step), NEIGHBOUR)
                return


def vetoes_on(page: Page, nodes: Iterable[NodeId]) -> dict[str, Veto]:
    """Return the names of elements, such as classes, that no XPath expression should
    test, with the reasons.

    Such names may change, for example because they are generated.
    """
    vetoes: dict[str, Veto] = {}
    for node in nodes:
        attributes = page.attributes[node]
        words = [
            (name, attributes.get(name, "")) for name in (*SEMANTIC_ATTRIBUTES, "id")
        ]
        words += [("class", token) for token in page.classes(node)]
        for attribute, word in words:
            if word and (word_veto := veto(word, attribute)):
                vetoes.setdefault(word, word_veto)
    return vetoes
