"""Learn wrappers of XPath expressions in the ways in which people commonly write them.

Three languages are learned from the gold (the known records) of one page:

* `ABSOLUTE`: the result of a browser's "copy full XPath", tags with positions. One path
  leads from the root to the records, and leaves out the position in which records
  differ. Other paths lead from a record to its values.
* `INDEX_FREE`: the same without positions.
* `FULL_CLASS`: ROBULA+ (Leotta et al. 2016) with whole class attributes. It is the
  shortest `//tag[@class="all of it"]` that selects the wanted elements; if there is
  none, steps for ancestors are added.

A wrapper is a list of rules. A rule has an expression for records and an expression for
each type. The first rule is right for the most records, the next for the most of the
remaining records. For each type, the expression is chosen that is right in the most
records. A type is left out if its expression is wrong in many records. A record without
values doesn't count as a record.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from lxml import etree

from amber_wrap.dom.decoding import decode, parse_html
from amber_wrap.dom.displayed_texts import read_node
from amber_wrap.evaluation.gold import GoldPage
from examples import Example, Excerpt, Row, Rows, Target, gold_examples, learn_excerpt

DEEPEST = 5
"""The greatest number of steps in an expression with classes.

A whole path from a record to a value may have more steps.
"""
LEAST_RIGHT = 0.8
"""The least share of records in which an expression must find the right value.

A type without such an expression is left out.
"""
MOST = 60
"""The greatest number of expressions that are tried for records or for one type.

The ones that most examples propose are tried.
"""

Step = tuple[str, etree._Element]
"""An axis of XPath, such as "following-sibling", and the element that the step leads
to.

The axis is "" for a step to a child.
"""
Propose = Callable[[Sequence[Step]], Iterable[str]]
"""A function that returns expressions for an element, the best first.

Its argument is the list of steps that lead to the element.
"""


@dataclass(frozen=True, slots=True)
class Language:
    """A way of writing expressions, as two functions.

    `records` proposes expressions from the root to records, and `values` proposes
    expressions from a record to a value.
    """

    records: Propose
    values: Propose


@dataclass(frozen=True, slots=True)
class Value:
    """The rule that reads the value of one attribute type from a record.

    An expression selects elements. The first element's text, or one of its HTML
    attributes, is read. The value is cut out of this text.
    """

    path: etree.XPath
    source: str
    excerpt: Excerpt

    def __call__(self, record: etree._Element) -> str | None:
        """Return the value of a record, read from the first element that the expression
        selects.

        Return None if the expression selects no element.
        """
        selected = self.path(record)
        return self.excerpt(read_node(selected[0], self.source)) if selected else None


@dataclass(frozen=True, slots=True)
class Rule:
    """An expression that selects records, and for each attribute type a rule for its
    values.
    """

    records: etree.XPath
    values: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Rules:
    """A wrapper: a list of rules that read records.

    An element that two rules select is read by the first rule.
    """

    rules: tuple[Rule, ...]

    def __call__(self, body: bytes) -> Rows:
        """Return the records of a page in document order."""
        root = tree(body)
        empty_row = {name: None for rule in self.rules for name in rule.values}
        row_of: dict[etree._Element, Row] = {}
        for rule in self.rules:
            for record in rule.records(root):
                values = {name: value(record) for name, value in rule.values.items()}
                row_of.setdefault(record, {**empty_row, **values})
        rows = (row_of[element] for element in root.iter("*") if element in row_of)
        return [row for row in rows if any(row.values())]


@lru_cache(maxsize=1)
def tree(body: bytes) -> etree._Element:
    """Return the tree of a page. The last tree is cached, because many systems use
    it in turn.
    """
    return parse_html(decode(body))


def learn(language: Language, body: bytes, gold: GoldPage) -> Rules | None:
    """Return the rules for a page whose records are known.

    Return None if the elements of the records aren't known.
    """
    root = tree(body)
    remaining = {example.rows[0]: example for example in gold_examples(gold, root)}
    known_records = set(remaining)
    rules = []
    while remaining:
        proposals = ranked(language.records(steps(None, one)) for one in remaining)
        best_path, best_score = None, 0
        for path in map(compiled, proposals):
            selected = set(path(root))
            right, wrong = selected & remaining.keys(), selected - known_records
            score = len(right) - len(wrong)
            if right and (best_path is None or score > best_score):
                best_path, best_score = path, score
        if best_path is None or (rules and best_score <= 0):
            break
        chosen = [remaining.pop(it) for it in best_path(root) if it in remaining]
        rules.append(Rule(best_path, dict(values(language, chosen))))
    return Rules(tuple(rules)) if rules else None


def values(
    language: Language, examples: Sequence[Example]
) -> Iterator[tuple[str, Value]]:
    """Yield the attribute types that can be read, each with the rule that reads its
    values.

    A type can be read if an expression finds the right value in enough of the records.
    """
    names = dict.fromkeys(name for example in examples for name in example.targets)
    for name in names:
        with_value = [example for example in examples if name in example.targets]
        chains = (chain(example, example.targets[name]) for example in with_value)
        proposals = ranked(language.values(path) for path in chains if path is not None)
        if not proposals:
            continue
        path = max(
            map(compiled, proposals),
            key=lambda candidate, name=name: rightness(candidate, name, examples),
        )
        sources = Counter(example.targets[name].source for example in with_value)
        source = sources.most_common(1)[0][0]
        pairs = [
            (read_node(selected[0], source), example.value_of(name))
            for example in examples
            if (selected := path(example.rows[0]))
            and (name in example.targets or name not in example.names)
        ]
        value = Value(path, source, learn_excerpt(pairs))
        right_count = sum(value(it.rows[0]) == it.value_of(name) for it in examples)
        if right_count >= LEAST_RIGHT * len(examples):
            yield name, value


def rightness(path: etree.XPath, name: str, examples: Sequence[Example]) -> int:
    """Return in how many records an expression is right, less those in which it is
    wrong.

    It is right if the first element that it selects has the value of the type `name`. A
    record in which it selects nothing doesn't count.
    """
    score = 0
    for example in examples:
        selected, target = path(example.rows[0])[:1], example.targets.get(name)
        if selected:
            score += 1 if target and selected[0] is target.element else -1
    return score


def ranked(proposals: Iterable[Iterable[str]]) -> list[str]:
    """Return the `MOST` expressions that occur in the largest number of lists.

    Each list in `proposals` is for another element, with the best expression first. Of
    two equally frequent expressions, the one that is nearer to the top of a list comes
    first.
    """
    votes: Counter[str] = Counter()
    rank: dict[str, int] = {}
    for proposal in proposals:
        for place, path in enumerate(dict.fromkeys(proposal)):
            votes[path] += 1
            rank[path] = min(place, rank.get(path, place))
    return sorted(votes, key=lambda path: (-votes[path], rank[path]))[:MOST]


@lru_cache(maxsize=4096)
def compiled(path: str) -> etree.XPath:
    """Return a compiled XPath expression."""
    return etree.XPath(path, smart_strings=False)


# --- steps --------------------------------------------------------------------------


def steps(top: etree._Element | None, element: etree._Element) -> list[Step]:
    """Return the steps down to an element, from below `top` or from the root if `top`
    is None."""
    path = []
    while element is not None and element is not top:
        path.insert(0, ("", element))
        element = element.getparent()
    return path


def chain(record: Example, target: Target) -> list[Step] | None:
    """Return the steps from the first element of a record to the element of a value.

    If the value is in a later sibling of the first element, the first step leads to
    this sibling. Return None if there are no such steps.
    """
    with_ancestors = {target.element, *target.element.iterancestors()}
    first = record.rows[0]
    for row in record.rows:
        if row in with_ancestors:
            if row is first:
                return steps(row, target.element)
            if row.getparent() is not first.getparent():
                return None
            return [("following-sibling::", row), *steps(row, target.element)]
    return None


def tag(element: etree._Element) -> str:
    """Return the name test of an XPath step for an element.

    Return "*" for a name that XPath can't express.
    """
    return element.tag if re.fullmatch(r"[a-z][\w-]*", element.tag) else "*"


def with_position(step: Step) -> str:
    """Return a step with a position, such as "li[2]".

    A step has no position if the element has no siblings of the same name.
    """
    axis, element = step
    test = tag(element)
    if axis:
        return f"{axis}{test}[1]"
    before = sum(1 for _ in element.itersiblings(test, preceding=True))
    is_only = not before and next(element.itersiblings(test), None) is None
    return test if is_only else f"{test}[{before + 1}]"


def with_class(step: Step) -> str:
    """Return a step with a test of the whole class attribute.

    A step has no test if the element has no class.
    """
    test, value = without_positions(step), step[1].get("class")
    if value is None or ('"' in value and "'" in value):
        return test
    quote = "'" if '"' in value else '"'
    return f"{test}[@class={quote}{value}{quote}]"


def without_positions(step: Step) -> str:
    """Return a step as its axis and tag only, without a position."""
    return step[0] + tag(step[1])


# --- the languages ------------------------------------------------------------------


def absolute_records(path: Sequence[Step]) -> Iterator[str]:
    """Yield expressions for records: the whole path, then variants of it.

    Each variant lacks the position in one step, such as "li" for "li[2]". The last step
    comes first.
    """
    written_steps = [with_position(step) for step in path]
    yield "/" + "/".join(written_steps)
    for position in reversed(range(len(written_steps))):
        if written_steps[position].endswith("]"):
            changed = [*written_steps]
            changed[position] = without_positions(path[position])
            yield "/" + "/".join(changed)


def path_from(start: str, write_step: Callable[[Step], str]) -> Propose:
    """Return a function that writes the path to an element as a single expression.

    The expression is `start`, followed by all steps as `write_step` writes them.
    """
    return lambda path: ["/".join([start, *map(write_step, path)])]


def class_records(path: Sequence[Step]) -> Iterator[str]:
    """Yield expressions for records: first the last step alone, such as `//li`.

    Longer ones such as `//ul/li` follow.
    """
    written_steps = [with_class(step) for step in path]
    for length in range(1, min(DEEPEST, len(written_steps)) + 1):
        yield "//" + "/".join(written_steps[-length:])


def class_values(path: Sequence[Step]) -> Iterator[str]:
    """Yield expressions for a value: first the last step alone, such as `.//b`.

    Longer ones such as `.//li/b` follow, up to the whole path. If the steps begin at a
    later sibling of the record's first element, all expressions begin there.
    """
    sibling_steps = [with_class(step) for step in path if step[0]]
    written_steps = [with_class(step) for step in path if not step[0]]
    start = "/".join([".", *sibling_steps])
    for length in range(1, min(DEEPEST, len(written_steps)) + 1):
        yield f"{start}//{'/'.join(written_steps[-length:])}"
    yield "/".join([start, *written_steps])


ABSOLUTE = Language(absolute_records, path_from(".", with_position))
"""Paths of tags with positions."""
INDEX_FREE = Language(
    path_from("", without_positions), path_from(".", without_positions)
)
"""Paths of tags without positions."""
FULL_CLASS = Language(class_records, class_values)
"""The shortest paths of tags with whole class attributes."""
