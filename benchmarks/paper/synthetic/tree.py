"""Pages under construction: elements that know which values they show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Term:
    """A name in a location: `kind` is "street", "hamlet", "town" or "county"."""

    kind: str
    name: str


@dataclass(frozen=True, slots=True)
class Value:
    """An attribute that an element shows: in its text or in an HTML attribute."""

    type: str
    text: str
    source: str = "text"
    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment, as it stands between its marks."""

    text: str


@dataclass(frozen=True, slots=True)
class Element:
    """An element; the value None is that of a boolean HTML attribute.

    `record` names the data area and the rank of the record that it is a top node of.
    """

    tag: str
    attributes: tuple[tuple[str, str | None], ...] = ()
    children: tuple[Child, ...] = ()
    values: tuple[Value, ...] = ()
    record: tuple[str, int] | None = None


Child = Element | Comment | str
Content = Child | Sequence["Content"] | None
"""What is put into an element: nested sequences are flattened, None is nothing."""


def h(
    tag: str,
    *content: Content,
    values: Sequence[Value] = (),
    **attributes: str | bool | None,
) -> Element:
    """An element.

    `class_` is the attribute "class", `data_src` is "data-src"; empty classes and
    None are left out, True makes a boolean attribute.
    """
    named = []
    for name, value in attributes.items():
        if value is None or value is False or (name == "class_" and not value):
            continue
        shown = None if value is True else value
        named.append((name.rstrip("_").replace("_", "-"), shown))
    return Element(tag, tuple(named), tuple(flat(content)), tuple(values))


def flat(content: Content) -> Iterator[Child]:
    """The children that are in nested sequences."""
    if content is None or content == "":
        return
    if isinstance(content, (Element, Comment, str)):
        yield content
    else:
        for one in content:
            yield from flat(one)


def extended(element: Element, **attributes: str | None) -> Element:
    """The element with further attributes; "class_" adds class tokens."""
    known = dict(element.attributes)
    for name, value in attributes.items():
        key = name.rstrip("_").replace("_", "-")
        if key == "class":
            value = f"{known.get(key) or ''} {value}".strip()
        known[key] = value
    return replace(element, attributes=tuple(known.items()))


@dataclass(frozen=True, slots=True)
class TrueValue:
    """A value in a finished page: `xpath` is that of its element."""

    value: Value
    xpath: str


@dataclass(slots=True)
class TrueRecord:
    """A record in a finished page: its top nodes and the first value of each type."""

    nodes: list[str]
    values: dict[str, TrueValue]


def truth(root: Element) -> dict[str, list[TrueRecord]]:
    """The records of a page by data area, in document order."""
    areas: dict[str, dict[int, TrueRecord]] = {}

    def visit(element: Element, path: str, record: TrueRecord | None) -> None:
        if element.record:
            area, rank = element.record
            record = areas.setdefault(area, {}).setdefault(rank, TrueRecord([], {}))
            record.nodes.append(path)
        for value in element.values:
            if record is None:
                raise ValueError(f"{path} shows values outside of a record")
            record.values.setdefault(value.type, TrueValue(value, path))
        seen: Counter[str] = Counter()
        for child in element.children:
            if isinstance(child, Element):
                seen[child.tag] += 1
                visit(child, f"{path}/{child.tag}[{seen[child.tag]}]", record)

    visit(root, f"/{root.tag}", None)
    return {name: list(records.values()) for name, records in areas.items()}
