"""Find the template of a site by matching its pages, with the algorithm RoadRunner.

The algorithm is that of Crescenzi, Mecca and Merialdo: RoadRunner: Towards Automatic
Data Extraction from Large Web Sites (VLDB 2001). It makes a wrapper: a regular
expression of tags and texts, with fields (#PCDATA), optional parts (Hook) and repeated
parts (Plus). The wrapper is matched with one page after the other. Where texts differ,
it gets a field. Where tags differ, it gets an optional or repeated part.

Pages are read as trees. Optional and repeated parts consist of siblings.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from amber_wrap.dom.displayed_texts import collapse
from amber_wrap.dom.hidden_elements import UNSEEN
from amber_wrap.dom.page import TEXT, NodeId, Page

SLOT_ATTRIBUTES = ("href", "src")
"""The HTML attributes whose values are compared in the same way as texts."""


@dataclass(frozen=True, slots=True)
class String:
    """A text node or the value of an HTML attribute, on one page of a site.

    `page` is the number of the page. `source` is "text", or an attribute such as
    "@href".
    """

    page: int
    node: NodeId
    source: str
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The strings that several pages have at the same position of their template.

    Equal strings are a text of the template. Other strings are a data field.
    """

    strings: tuple[String, ...]

    @property
    def is_field(self) -> bool:
        """Whether the strings are a data field, because they differ from page to
        page.
        """
        return len({string.text for string in self.strings}) > 1


@dataclass(frozen=True, slots=True, eq=False)
class Element:
    """An element of the template. Its HTML attributes are its first children."""

    tag: str
    children: Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Hook:
    """Nodes of a template that are optional: (...)? in the paper."""

    body: Nodes


@dataclass(frozen=True, slots=True, eq=False)
class Plus:
    """Nodes of a template that are repeated: (...)+ in the paper."""

    body: Nodes


Node = Text | Element | Hook | Plus
"""A node of a wrapper, which is a template with fields."""
Nodes = tuple[Node, ...]


def fields(wrapper: Node) -> Iterator[Text]:
    """Yield the fields of a wrapper in order, each with its strings on all pages."""
    pending = [wrapper]
    while pending:
        node = pending.pop()
        if isinstance(node, Text):
            if node.is_field:
                yield node
        else:
            pending += reversed(
                node.children if isinstance(node, Element) else node.body
            )


def tree(page: Page, page_number: int) -> Element:
    """Return the displayed part of a page as a wrapper that matches this page alone."""
    node_of: dict[NodeId, Node] = {}
    for node in reversed(range(len(page))):
        if page.is_text(node):
            string = String(page_number, node, TEXT, page.text[node])
            node_of[node] = Text((string,))
        elif page.tag[node] not in UNSEEN:
            children = tuple(
                node_of.pop(child) for child in page.children(node) if child in node_of
            )
            attributes = tuple(
                Text((String(page_number, node, f"@{name}", collapse(value)),))
                for name in SLOT_ATTRIBUTES
                if (value := page.attributes[node].get(name)) is not None
            )
            node_of[node] = Element(page.tag[node], attributes + children)
    root = node_of[0]
    assert isinstance(root, Element)
    return root


def first_token(node: Node) -> str:
    """Return what a node begins with: a tag such as "<li>", or the kind of a text.

    The kind of a text is "text", or an HTML attribute such as "@href".
    """
    while isinstance(node, Hook | Plus):
        node = node.body[0]
    return node.strings[0].source if isinstance(node, Text) else f"<{node.tag}>"


def last_token(node: Node) -> str:
    """Return what a node ends with: a tag such as "<li>", or the kind of a text.

    The kind of a text is "text", or an HTML attribute such as "@href".
    """
    while isinstance(node, Hook | Plus):
        node = node.body[-1]
    return first_token(node)


FAN_OUT = 3
"""The greatest number of solutions that are tried for a mismatch of two pages.

The nearest are tried first (section 6 of the paper).
"""
BUDGET = 100_000
"""The number of steps after which no repeated parts are searched any more."""
NESTING = 3
"""The greatest depth to which repeated parts are searched within repeated parts among
the same siblings."""


def induce(pages: Sequence[Page]) -> Node:
    """Return the wrapper of two or more pages of a site."""
    wrapper: Node = tree(pages[0], 0)
    for number, page in enumerate(pages[1:], start=1):
        wrapper = _Matching().nodes(wrapper, tree(page, number), False) or wrapper
    return wrapper


@dataclass(slots=True)
class _Matching:
    """An execution of the matching algorithm ACME, which stores the result for two
    nodes.
    """

    spent: int = 0
    nesting: int = 0
    known_pairs: dict[tuple[int, int, bool], tuple[Node, Node, Node | None]] = field(
        default_factory=dict
    )

    def nodes(self, first: Node, second: Node, strict: bool) -> Node | None:
        """Return a node of the template that matches both nodes, or None if they don't
        match.

        Nodes match if they begin alike and their children match. Children that can't be
        matched become optional, unless `strict` is True.
        """
        key = id(first), id(second), strict
        if key not in self.known_pairs:
            self.spent += 1
            self.known_pairs[key] = first, second, self._nodes(first, second, strict)
        return self.known_pairs[key][2]

    def _nodes(self, first: Node, second: Node, strict: bool) -> Node | None:
        """Do the work of the method `nodes`, for two nodes that weren't compared
        before.
        """
        if isinstance(first, Text) and isinstance(second, Text):
            is_same_source = first_token(first) == first_token(second)
            return Text(first.strings + second.strings) if is_same_source else None
        if isinstance(first, Element) and isinstance(second, Element):
            if first.tag != second.tag:
                return None
            nesting, self.nesting = self.nesting, 0
            children = self.runs(first.children, second.children, strict)
            self.nesting = nesting
            return None if children is None else Element(first.tag, children)
        if isinstance(first, Hook | Plus) and type(first) is type(second):
            body = self.runs(first.body, second.body, True)
            return None if body is None else replace(first, body=body)
        return None

    def runs(self, first: Nodes, second: Nodes, strict: bool) -> Nodes | None:
        """Return nodes of the template that match both sequences of siblings.

        Siblings that can't be matched become optional. If `strict` is True, return None
        instead.
        """
        return self._rest(_Place(first, 0, second, 0), (), strict)

    def _rest(self, place: _Place, matched_nodes: Nodes, strict: bool) -> Nodes | None:
        """Return nodes of the template that match both sequences of siblings in
        `place`.

        `matched_nodes` match the siblings before `place`. Siblings that can't be
        matched become optional. If `strict` is True, return None instead.
        """
        while not place.at_end:
            step = self._step(place, strict)
            if step is None:
                break
            node, place = step
            matched_nodes += (node,)
        else:
            return matched_nodes
        self.spent += 1
        if strict and self.spent > BUDGET:
            return None
        for square in self._squares(place):
            generalised = self._rest(square, (), strict)
            if generalised is not None:
                return generalised
        hooks = sorted(place.hooks(), key=lambda hook: len(hook[0].body))
        for hook, place_after in hooks[: FAN_OUT if strict else 1]:
            generalised = self._rest(place_after, (*matched_nodes, hook), strict)
            if generalised is not None:
                return generalised
        if strict:
            return None
        left, right = place.first_run[place.i], place.second_run[place.j]
        return self._rest(
            place.moved(1, 1), (*matched_nodes, Hook((left,)), Hook((right,))), False
        )

    def _step(self, place: _Place, strict: bool) -> tuple[Node, _Place] | None:
        """Return a node that matches the next siblings at `place`, and the place behind
        them.

        Return None if the siblings don't match.
        """
        first_node = next(iter(place.first_run[place.i : place.i + 1]), None)
        second_node = next(iter(place.second_run[place.j : place.j + 1]), None)
        if first_node and second_node:
            node = self.nodes(first_node, second_node, strict)
            if node:
                return node, place.moved(1, 1)
        for node, oriented in ((first_node, place), (second_node, place.turned)):
            if not isinstance(node, Hook | Plus):
                continue
            repetition = self._repeated(node, oriented.second_run, oriented.j)
            if repetition:
                merged, end = repetition
                place_after = replace(oriented, i=oriented.i + 1, j=end)
                return merged, place_after if oriented is place else place_after.turned
        for node, moved in ((first_node, (1, 0)), (second_node, (0, 1))):
            if isinstance(node, Hook):
                return node, place.moved(*moved)
        return None

    def _repeated(
        self, node: Hook | Plus, run: Nodes, start: int
    ) -> tuple[Node, int] | None:
        """Match an optional or repeated node with the siblings in `run` from the index
        `start`.

        Return the node after the match, and the index behind the matched siblings.
        Return None if the node matches no sibling.
        """
        body, end = node.body, start
        while match := self._prefix(body, run, end):
            body, end = match
            if isinstance(node, Hook):
                break
        return (replace(node, body=body), end) if end > start else None

    def _prefix(self, body: Nodes, run: Nodes, start: int) -> tuple[Nodes, int] | None:
        """Match `body` with the siblings in `run` from the index `start`.

        Return nodes that match both, and the index behind the matched siblings. Return
        None if they don't match.
        """
        if start == len(run) or first_token(body[0]) != first_token(run[start]):
            return None
        for end in islice(_ends(last_token(body[-1]), run, start), FAN_OUT):
            if match := self._as_iterated(body, run[start:end]):
                return match, end
        return None

    def _suffix(self, body: Nodes, run: Nodes, end: int) -> tuple[Nodes, int] | None:
        """Match `body` with the siblings in `run` before the index `end`.

        Return nodes that match both, and the index of the first matched sibling. Return
        None if they don't match.
        """
        if not end or last_token(body[-1]) != last_token(run[end - 1]):
            return None
        for start in islice(_starts(body, run, end), FAN_OUT):
            if match := self._as_iterated(body, run[start:end]):
                return match, start
        return None

    def _as_iterated(self, body: Nodes, run: Nodes) -> Nodes | None:
        """Return nodes that match both `body` and `run`, as two repetitions of the same
        nodes.

        Return None if they don't match. The first and the last node may not be optional
        (section 6 of the paper).
        """
        if self.nesting == NESTING:
            return None
        self.nesting += 1
        match = self.runs(body, run, True)
        self.nesting -= 1
        if not match or isinstance(match[0], Hook) or isinstance(match[-1], Hook):
            return None
        return match

    def _squares(self, place: _Place) -> Iterator[_Place]:
        """Yield places from which to match again, after repeated siblings became a
        `Plus`.

        At a mismatch, the next siblings up to one that ends like the last matched
        sibling are a *square*. If they match the siblings before the mismatch, they are
        repetitions of them (section 5.2 of the paper).
        """
        for oriented in (place.turned, place):
            run, position = oriented.first_run, oriented.i
            if self.spent > BUDGET or not position or position == len(run):
                continue
            end = next(_ends(last_token(run[position - 1]), run, position), position)
            square = run[position:end]
            if not square or not self._suffix(square, run, position):
                continue
            collapsed = self._collapsed(place.first_run, place.i, square)
            if collapsed:
                yield _Place(collapsed, 0, place.second_run, 0)

    def _collapsed(self, run: Nodes, position: int, square: Nodes) -> Nodes | None:
        """Return the siblings of `run` with a `Plus` in place of all repetitions of
        `square`.

        The repetitions are before and behind the index `position`. Return None if there
        are no repetitions.
        """
        match = self._suffix(square, run, position)
        if not match:
            return None
        start, end = match[1], position
        body = run[start:end]
        while match := self._suffix(body, run, start):
            body, start = match
        while match := self._prefix(body, run, end):
            body, end = match
        if not isinstance(body[0], Plus) or len(body) > 1:
            return (*run[:start], Plus(body), *run[end:])
        return (*run[:start], *body, *run[end:]) if end - start > 1 else None


@dataclass(frozen=True, slots=True)
class _Place:
    """The positions that a comparison of two sequences of siblings has reached.

    `i` is the index in `first_run`, and `j` the index in `second_run`.
    """

    first_run: Nodes
    i: int
    second_run: Nodes
    j: int

    @property
    def at_end(self) -> bool:
        """Whether both sequences of siblings are compared to their end."""
        return self.i == len(self.first_run) and self.j == len(self.second_run)

    @property
    def turned(self) -> _Place:
        """The same positions, with the two sequences of siblings exchanged."""
        return _Place(self.second_run, self.j, self.first_run, self.i)

    def moved(self, i: int, j: int) -> _Place:
        """Return the positions after skipping `i` siblings of the first sequence
        and `j` of the second.
        """
        return replace(self, i=self.i + i, j=self.j + j)

    def hooks(self) -> Iterator[tuple[Hook, _Place]]:
        """Yield siblings of one sequence that may be optional, as a `Hook`.

        The sibling behind them begins like the next sibling of the other sequence (the
        paper's cross-search). Each `Hook` comes with the positions behind it.
        """
        for oriented in (self, self.turned):
            next_nodes = oriented.second_run[oriented.j : oriented.j + 1]
            next_token = first_token(next_nodes[0]) if next_nodes else ""
            run = oriented.first_run
            for end in range(oriented.i + 1, len(run) + 1):
                token = first_token(run[end]) if end < len(run) else ""
                if token == next_token:
                    place_after = replace(oriented, i=end)
                    place = place_after if oriented is self else place_after.turned
                    yield Hook(run[oriented.i : end]), place


def _ends(token: str, run: Nodes, start: int) -> Iterator[int]:
    """Yield the indices behind nodes of `run` that end with `token`, the nearest first.

    Nodes before the index `start` are left out.
    """
    for end in range(start + 1, len(run) + 1):
        if last_token(run[end - 1]) == token:
            yield end


def _starts(body: Nodes, run: Nodes, end: int) -> Iterator[int]:
    """Yield the indices of nodes of `run` that begin like `body`, the nearest first.

    Nodes from the index `end` on are left out.
    """
    token = first_token(body[0])
    for start in range(end - 1, -1, -1):
        if first_token(run[start]) == token:
            yield start
