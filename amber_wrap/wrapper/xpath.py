"""The one gate to XPath: expressions as values, printed and quoted here only."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)
NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


@lru_cache(maxsize=1 << 12)
def is_quotable(text: str) -> bool:
    """Whether a literal can hold the text: XML, hence XPath, lacks some characters."""
    return NO_XML.search(text) is None


def xpath_literal(text: str) -> str:
    """A string literal; XPath 1.0 knows no escapes, so both quotes need `concat`."""
    if '"' not in text:
        return f'"{text}"'
    if "'" not in text:
        return f"'{text}'"
    parts = ", '\"', ".join(f'"{part}"' for part in text.split('"'))
    return f"concat({parts})"


@dataclass(frozen=True, slots=True)
class Equals:
    """The attribute has just this value."""

    attribute: str
    value: str

    def __str__(self) -> str:
        return f"@{self.attribute}={xpath_literal(self.value)}"


@dataclass(frozen=True, slots=True)
class HasToken:
    """The attribute, a list of tokens such as `class`, holds this token."""

    attribute: str
    token: str

    def __str__(self) -> str:
        tokens = f'concat(" ", normalize-space(@{self.attribute}), " ")'
        return f"contains({tokens}, {xpath_literal(f' {self.token} ')})"


@dataclass(frozen=True, slots=True)
class HasStem:
    """A token of the attribute begins so, whatever is appended to it."""

    attribute: str
    stem: str

    def __str__(self) -> str:
        tokens = f'concat(" ", normalize-space(@{self.attribute}))'
        return f"contains({tokens}, {xpath_literal(f' {self.stem}')})"


@dataclass(frozen=True, slots=True)
class Contains:
    """The attribute's value contains this text."""

    attribute: str
    text: str

    def __str__(self) -> str:
        return f"contains(@{self.attribute}, {xpath_literal(self.text)})"


@dataclass(frozen=True, slots=True)
class Position:
    """The element is the `index`-th, from 1, of those that the step selects."""

    index: int

    def __str__(self) -> str:
        return str(self.index)


@dataclass(frozen=True, slots=True)
class Every:
    """Of each `period` elements that the step selects, the one at `offset`, from 0."""

    period: int
    offset: int

    def __str__(self) -> str:
        return f"position() mod {self.period} = {(self.offset + 1) % self.period}"


@dataclass(frozen=True, slots=True)
class Holds:
    """The path, relative to the element, selects something."""

    path: Path

    def __str__(self) -> str:
        return str(self.path)


@dataclass(frozen=True, slots=True)
class Follows:
    """The element right before has this text."""

    text: str

    def __str__(self) -> str:
        return f"preceding-sibling::*[1][normalize-space()={xpath_literal(self.text)}]"


@dataclass(frozen=True, slots=True)
class Headed:
    """The first element in it has this text."""

    text: str

    def __str__(self) -> str:
        return f"*[1][normalize-space()={xpath_literal(self.text)}]"


@dataclass(frozen=True, slots=True)
class Says:
    """The element has this text."""

    text: str

    def __str__(self) -> str:
        return f"normalize-space()={xpath_literal(self.text)}"


@dataclass(frozen=True, slots=True)
class After:
    """The element right before is one that the step selects."""

    step: Step

    def __str__(self) -> str:
        return f"preceding-sibling::*[1]/self::{self.step}"


Test = (
    Equals
    | HasToken
    | HasStem
    | Contains
    | Position
    | Every
    | Holds
    | Follows
    | Headed
    | Says
    | After
)


@lru_cache(maxsize=1 << 10)
def node_test(tag: str) -> str:
    """What selects the elements of a tag, `*` where that can't be quoted."""
    if tag == "*" or not is_quotable(tag):
        return "*"
    return tag if _NAME.fullmatch(tag) else f"*[name()={xpath_literal(tag)}]"


@dataclass(frozen=True, slots=True)
class Step:
    """A child step, or a descendant step where `deep`."""

    tag: str
    tests: tuple[Test, ...] = ()
    deep: bool = False
    _text: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        # Printed once: a step is part of many paths.
        text = node_test(self.tag) + "".join([f"[{test}]" for test in self.tests])
        object.__setattr__(self, "_text", text)

    @property
    def name(self) -> str:
        """The tag, `*` for any one: what no expression can quote isn't told."""
        return self.tag if is_quotable(self.tag) else "*"

    @property
    def quoted(self) -> Iterator[str]:
        """The tests of the page's own names, not of positions."""
        for test in self.tests:
            if not isinstance(test, Position | Every):
                yield str(test)

    def loosened(self) -> Step:
        """The same marks on an element of any tag, at any depth."""
        return Step("*" if self.tests else self.tag, self.tests, deep=True)

    def __str__(self) -> str:
        return self._text


@dataclass(frozen=True, slots=True)
class Path:
    """Steps from the root of the tree (`absolute`) or from the context node.

    Without steps: the context node itself.
    """

    steps: tuple[Step, ...] = ()
    absolute: bool = False
    _text: str = field(default="", init=False, compare=False, repr=False)

    @property
    def is_deep(self) -> bool:
        """Whether it leads to elements at any depth at once."""
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
        """The tests of the page's own names, not of positions."""
        return frozenset(test for step in self.steps for test in step.quoted)

    def loosened(self) -> Path:
        """The same marks on elements of any tag, at any depth."""
        return Path(tuple(step.loosened() for step in self.steps), self.absolute)


@dataclass(frozen=True, slots=True)
class Heading:
    """The nearest element of a tag before the context node and not around it; where the
    tag is `tr`, the nearest row before it that has but one cell."""

    tag: str

    def __str__(self) -> str:
        if self.tag == "tr":
            return "./preceding-sibling::tr[not(*[2])][1]"
        return f"./preceding::{self.tag}[1]"


@dataclass(frozen=True, slots=True)
class Pinned:
    """An XPath 1.0 expression that a person wrote; it selects elements."""

    text: str

    @property
    def is_of_page(self) -> bool:
        """Whether it begins at the page, not at the record."""
        return self.text.startswith("/")

    @property
    def is_deep(self) -> bool:
        """Whether it may lead to elements at any depth at once."""
        return True

    def __str__(self) -> str:
        return self.text


Expression = Path | Heading | Pinned
"""What a wrapper's rules select by."""
