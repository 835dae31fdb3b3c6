"""Change the structure of pages: wrapping elements and tags.

An operator changes a draft; nothing changes where the page offers no unit.
"""

from __future__ import annotations

from lxml.html import HtmlMixin

from amber_wrap.dom.markup import INLINE
from operators.draft import VOCABULARY, Draft
from operators.located import Element
from operators.markup_writer import nests

WRAPPED_INSIDE = frozenset("td th li dd".split())
"""Elements whose place is fixed by their parents: their content is wrapped instead."""
WRAPPED = INLINE | frozenset(
    "address article aside blockquote button center div dl figure footer form h1 h2 "
    "h3 h4 h5 h6 header img input label main nav ol p pre section select table "
    "ul".split()
) - {"br", "wbr"}
WRAPPERS = frozenset("article aside center div main section span".split())
"""Elements that may be there for nothing but their content."""
LISTS = ("ul", "ol")
FOREIGN = frozenset("svg math select object video audio picture".split())
"""Elements whose content is left alone."""


def wrap_or_unwrap(draft: Draft) -> None:
    """Put elements around others, or take elements away that only hold another."""
    ranks = [i for i in _ordinary(draft) if _can_wrap(draft, i) or _is_pure(draft, i)]
    for group in draft.choose(draft.units(ranks)):
        pure = [rank for rank in group if _is_pure(draft, rank)]
        other = [rank for rank in group if _can_wrap(draft, rank)]
        is_wrapper = len(pure) == len(group) and draft.rng.random() < 0.5
        if is_wrapper or not other:
            for rank in pure:
                if _is_pure(draft, rank):
                    HtmlMixin.drop_tag(draft.elements[rank])
            continue
        classes = draft.new_name() if draft.rng.random() < 0.5 else ""
        for rank in other:
            _wrap(draft, rank, classes)


def swap_tags(draft: Draft) -> None:
    """Change tags for others that display alike: div, section, li, span and so on."""
    ranks = [rank for rank in _ordinary(draft) if _tags(draft.elements[rank])]
    for group in draft.choose(draft.units(ranks)):
        options = (_tags(draft.elements[rank]) for rank in group)
        # A list that changed before took its items along: there may be no option left.
        tag = draft.rng.choice(next(filter(None, options), [""]))
        for rank in group:
            one = draft.elements[rank]
            if tag not in _tags(one):
                continue
            if one.tag in LISTS or tag in LISTS:
                for item in one.iterchildren("*"):
                    item.tag = "li" if tag in LISTS else "div"
            one.tag = tag


def _ordinary(draft: Draft) -> list[int]:
    """Return the displayed elements that are in nothing foreign."""
    page = draft.page
    found = []
    closed = 0
    for rank in page.displayed:
        if rank < closed:
            continue
        if page.elements[rank].tag in FOREIGN:
            closed = page.end[rank]
        found.append(rank)
    return found


def _can_wrap(draft: Draft, rank: int) -> bool:
    one = draft.elements[rank]
    return one.tag in WRAPPED_INSIDE or (
        one.tag in WRAPPED and bool(_wrapper(above(one), one))
    )


def _wrapper(parent: Element, one: Element) -> str:
    """Return the tag of an element between two, "" if none fits."""
    for tag in ("span",) if one.tag in INLINE else ("div", "span"):
        if nests(parent.tag, tag) and nests(tag, one.tag):
            return tag
    return ""


def _wrap(draft: Draft, rank: int, classes: str) -> None:
    one = draft.elements[rank]
    if one.tag in WRAPPED_INSIDE:
        inner = draft.new("div", classes)
        inner.text, one.text = one.text, None
        inner.extend(list(one))
        one.append(inner)
    elif tag := _wrapper(above(one), one):
        outer = draft.new(tag, classes)
        outer.tail, one.tail = one.tail, None
        above(one).replace(one, outer)
        outer.append(one)


def _is_pure(draft: Draft, rank: int) -> bool:
    """Return whether an element only holds another, or a text that is all of its
    parent.

    Without it the texts stand in the same lines.
    """
    one = draft.elements[rank]
    if one.tag not in WRAPPERS:
        return False
    parent = above(one)
    inside = list(one.iterchildren("*"))
    is_all = len(parent) == 1 and not f"{parent.text or ''}{one.tail or ''}".strip()
    if not inside:
        return is_all and bool((one.text or "").strip()) and parent.tag != "body"
    texts = (one.text, *(child.tail for child in one))
    if len(inside) > 1 or any(text and text.strip() for text in texts):
        return False
    child = inside[0]
    same_lines = is_all or one.tag in INLINE or child.tag not in INLINE
    return same_lines and nests(parent.tag, child.tag)


def _tags(one: Element) -> list[str]:
    """Return the tags that an element may change to, by its parent and its content."""
    parent = above(one)
    if one.tag in LISTS:
        children = [child.tag for child in one.iterchildren("*")]
        if not children or set(children) != {"li"}:
            return []
        inner = {below.tag for child in one for below in child if is_tag(below)}
        fits = nests(parent.tag, "div") and all(nests("div", tag) for tag in inner)
        return ["div"] if fits else []
    found = [
        tag
        for tag in VOCABULARY["swaps"].get(one.tag, ())
        if nests(parent.tag, tag)
        and all(nests(tag, child.tag) for child in one if is_tag(child))
    ]
    if one.tag == "div" and _may_be_list(one):
        found.append("ul")
    return found


def _may_be_list(one: Element) -> bool:
    """Return whether a <div> holds nothing but several others."""
    children = list(one)
    texts = (one.text, *(child.tail for child in children))
    return (
        len(children) > 1
        and all(child.tag == "div" for child in children)
        and not any(text and text.strip() for text in texts)
        and nests(above(one).tag, "ul")
        and all(
            nests("li", below.tag)
            for child in children
            for below in child
            if is_tag(below)
        )
    )


def is_tag(node: Element) -> bool:
    """Return whether a node is an element, and no comment."""
    return isinstance(node.tag, str)


def above(one: Element) -> Element:
    parent = one.getparent()
    assert parent is not None
    return parent
