"""Represent XPath expressions as objects whose `str` is the XPath text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

_TAG_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Matches a character that XML doesn't allow."""
LONGEST_EXPRESSION = 4096
"""The greatest length of an XPath expression in characters. Most have about 100."""
LONGEST_LITERAL = 600
"""The greatest length of a string literal in an XPath expression, in characters."""


@lru_cache(maxsize=1 << 12)
def is_quotable(text: str) -> bool:
    """Return whether a text may be a string literal in an XPath expression of a
    wrapper.

    It must be short, and have only characters that XML allows.
    """
    return not NO_XML.search(text) and len(xpath_literal(text)) <= LONGEST_LITERAL


def check_length(expression: str) -> None:
    """Raise ValueError if an XPath expression is longer than `LONGEST_EXPRESSION`."""
    if len(expression) > LONGEST_EXPRESSION:
        raise ValueError(
            f"an expression has {len(expression):,} characters, which is too long"
        )


def xpath_literal(text: str) -> str:
    """Return the XPath string literal of a text.

    A text with both kinds of quotes becomes a call of `concat`.
    """
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    parts = ", '\"', ".join(f'"{part}"' for part in text.split('"'))
    return f"concat({parts})"


@dataclass(frozen=True, slots=True)
class Equals:
    """A test that the HTML attribute `attribute` has exactly the value `value`."""

    attribute: str
    value: str

    def __str__(self) -> str:
        return f"@{self.attribute}={xpath_literal(self.value)}"


@dataclass(frozen=True, slots=True)
class HasToken:
    """A test that one of the words of an HTML attribute, such as `class`, is
    `token`.
    """

    attribute: str
    token: str

    def __str__(self) -> str:
        tokens = f'concat(" ", normalize-space(@{self.attribute}), " ")'
        return f"contains({tokens}, {xpath_literal(f' {self.token} ')})"


@dataclass(frozen=True, slots=True)
class HasStem:
    """A test that one of the words of an HTML attribute starts with `stem`.

    For example, an element with the class `price-new` passes the test for the stem
    `price`.
    """

    attribute: str
    stem: str

    def __str__(self) -> str:
        tokens = f'concat(" ", normalize-space(@{self.attribute}))'
        return f"contains({tokens}, {xpath_literal(f' {self.stem}')})"


@dataclass(frozen=True, slots=True)
class Contains:
    """A test that the value of the HTML attribute `attribute` contains `text`."""

    attribute: str
    text: str

    def __str__(self) -> str:
        name = f"@{self.attribute}"
        if ":" in self.attribute:  # Pages have no namespaces.
            name = f"@*[name()={xpath_literal(self.attribute)}]"
        return f"contains({name}, {xpath_literal(self.text)})"


@dataclass(frozen=True, slots=True)
class Position:
    """A test that selects the `index`-th of the elements with the same parent, counted
    from 1, such as the second in `li[2]`.
    """

    index: int

    def __str__(self) -> str:
        return str(self.index)


@dataclass(frozen=True, slots=True)
class EveryNth:
    """A test that selects every `period`-th of the elements with the same parent."""

    period: int
    offset: int
    """The index of the first element to select, from 0."""

    def __str__(self) -> str:
        return f"position() mod {self.period} = {(self.offset + 1) % self.period}"


@dataclass(frozen=True, slots=True)
class PathExists:
    """A test that `path` selects at least one element, evaluated from the tested
    element.
    """

    path: Path

    def __str__(self) -> str:
        return str(self.path)


FIRST_CHILD, PREVIOUS = "*[1]", "preceding-sibling::*[1]"
"""The XPath of the first child element of an element, and that of the sibling element
before it."""


@dataclass(frozen=True, slots=True)
class HasText:
    """A test that an element has the text `text`, after its white space is
    collapsed.
    """

    text: str
    of: str = ""
    """`FIRST_CHILD` or `PREVIOUS` if the text is that of another element."""

    def __str__(self) -> str:
        test = f"normalize-space()={xpath_literal(self.text)}"
        return f"{self.of}[{test}]" if self.of else test


@dataclass(frozen=True, slots=True)
class PreviousMatches:
    """A test that the sibling element before an element has the tag of `step`, and
    passes all tests of `step`.
    """

    step: Step

    def __str__(self) -> str:
        return f"preceding-sibling::*[1]/self::{self.step}"


Test = (
    Equals
    | HasToken
    | HasStem
    | Contains
    | Position
    | EveryNth
    | PathExists
    | HasText
    | PreviousMatches
)
"""A condition in brackets in an XPath step."""


@lru_cache(maxsize=1 << 10)
def node_test(tag: str) -> str:
    """Return the XPath node test for elements with a tag, such as `li`.

    Return `*`, the test for any element, for a tag that XPath can't express.
    """
    if tag == "*" or not is_quotable(tag):
        return "*"
    return tag if _TAG_NAME.fullmatch(tag) else f"*[name()={xpath_literal(tag)}]"


@dataclass(frozen=True, slots=True)
class Step:
    """An XPath step to elements with a tag that pass all `tests`."""

    tag: str
    """The tag, or `*` for any tag."""
    tests: tuple[Test, ...] = ()
    deep: bool = False
    """Whether the step goes to descendants, not only to children."""
    _text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Printed once: a step is part of many paths.
        text = node_test(self.tag) + "".join([f"[{test}]" for test in self.tests])
        object.__setattr__(self, "_text", text)

    @property
    def name(self) -> str:
        """The node test of the step: its tag, or `*` for a tag that XPath can't
        express.
        """
        return self.tag if is_quotable(self.tag) else "*"

    @property
    def quoted(self) -> Iterator[str]:
        """Yield the tests of the step as texts, except for tests of an element's
        position among its siblings.
        """
        for test in self.tests:
            if not isinstance(test, Position | EveryNth):
                yield str(test)

    def loosened(self) -> Step:
        """Return a looser copy of the step, which selects descendants at any depth.

        If the step has tests, the copy accepts any tag.
        """
        return Step("*" if self.tests else self.tag, self.tests, deep=True)

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True, slots=True)
class Path:
    """An XPath location path, from the root if `absolute`, else from the context node.

    A path without steps selects the context node itself.
    """

    steps: tuple[Step, ...] = ()
    absolute: bool = False
    _text: str = field(default="", init=False, compare=False, repr=False)

    @property
    def is_deep(self) -> bool:
        """Whether the path begins with a step to descendants at any depth."""
        return bool(self.steps) and self.steps[0].deep

    def __str__(self) -> str:
        if not self._text:
            steps = [
                "//" + step._text if step.deep else "/" + step._text
                for step in self.steps
            ]
            start = "" if self.absolute else "."
            object.__setattr__(self, "_text", start + "".join(steps))
        return self._text

    @property
    def quoted(self) -> frozenset[str]:
        """The tests of all steps as texts, except for tests of an element's position
        among its siblings.
        """
        return frozenset(test for step in self.steps for test in step.quoted)

    def loosened(self) -> Path:
        """Return a looser copy of the path, whose steps select descendants at any
        depth.

        A step with tests accepts any tag in the copy.
        """
        return Path(tuple(step.loosened() for step in self.steps), self.absolute)


@dataclass(frozen=True, slots=True)
class Heading:
    """An expression for the nearest element with the tag `tag` before the context node.

    For the tag `tr`, it is the nearest preceding sibling row with a single cell.
    """

    tag: str

    def __str__(self) -> str:
        if self.tag == "tr":
            return "./preceding-sibling::tr[not(*[2])][1]"
        return f"./preceding::{self.tag}[1]"


@dataclass(frozen=True, slots=True)
class Pinned:
    """An XPath 1.0 expression that a person wrote, and that selects elements."""

    text: str

    @property
    def is_of_page(self) -> bool:
        """Whether the expression is evaluated from the page's root, not from the
        record.
        """
        return self.text.startswith("/")

    @property
    def is_deep(self) -> bool:
        """Always true, because the expression may select elements at any depth."""
        return True

    def __str__(self) -> str:
        return self.text


Expression = Path | Heading | Pinned
"""An XPath expression in a rule for reading pages."""
