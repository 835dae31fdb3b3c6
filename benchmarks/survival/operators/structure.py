"""Change the structure of pages: wrapping elements, tags, and adverts among records.

Each function changes a copy of a page. If the page has nothing that it can change,
nothing changes.
"""

from __future__ import annotations

from collections.abc import Callable

from lxml import etree
from lxml.builder import E
from lxml.html import HtmlMixin

from amber_wrap.dom.displayed_texts import INLINE
from amber_wrap.domain.schema import ValueKind
from operators.draft import VOCABULARY, Draft, has_own_text, nests
from operators.located import Element, GoldPlace
from operators.wording import CURRENCY

WRAPPED_INSIDE = frozenset("td th li dd".split())
"""The tags of elements around which no element can be put, such as <li>.

HTML allows these tags only in some parents. The content of the elements is wrapped
instead.
"""
WRAPPED = INLINE | frozenset(
    "address article aside blockquote button center div dl figure footer form h1 h2 "
    "h3 h4 h5 h6 header img input label main nav ol p pre section select table "
    "ul".split()
) - {"br", "wbr"}
"""The tags of elements that may be wrapped."""
WRAPPERS = frozenset("article aside center div main section span".split())
"""The tags of elements that may be there only to wrap their content."""
LISTS = ("ul", "ol")
"""The tags of lists."""
FOREIGN = frozenset("svg math select object video audio picture".split())
"""The tags of elements whose content isn't changed."""


def wrap_or_unwrap(draft: Draft) -> None:
    """Put elements around elements, or remove elements that only wrap an element or a
    text."""
    ranks = [
        rank
        for rank in _changeable(draft)
        if _can_wrap(draft, rank) or _is_wrapper(draft, rank)
    ]
    for group in draft.choose(draft.units(ranks)):
        wrapper_ranks = [rank for rank in group if _is_wrapper(draft, rank)]
        wrappable_ranks = [rank for rank in group if _can_wrap(draft, rank)]
        is_wrapper = len(wrapper_ranks) == len(group) and draft.rng.random() < 0.5
        if is_wrapper or not wrappable_ranks:
            for rank in wrapper_ranks:
                if _is_wrapper(draft, rank):
                    HtmlMixin.drop_tag(draft.elements[rank])
            continue
        classes = draft.new_name() if draft.rng.random() < 0.5 else ""
        for rank in wrappable_ranks:
            _wrap(draft, rank, classes)


def swap_tags(draft: Draft) -> None:
    """Change tags to tags that display alike, such as div, section, li and span."""
    ranks = [rank for rank in _changeable(draft) if _other_tags(draft.elements[rank])]
    for group in draft.choose(draft.units(ranks)):
        options = (_other_tags(draft.elements[rank]) for rank in group)
        # A list that was changed before has changed the tags of its items, too, so
        # that there may be no option left.
        tag = draft.rng.choice(next(filter(None, options), [""]))
        for rank in group:
            element = draft.elements[rank]
            if tag not in _other_tags(element):
                continue
            if element.tag in LISTS or tag in LISTS:
                for item in element.iterchildren("*"):
                    item.tag = "li" if tag in LISTS else "div"
            element.tag = tag


def _changeable(draft: Draft) -> list[int]:
    """Return the numbers of displayed elements that may change.

    Elements are numbered in document order. Elements inside of an element of `FOREIGN`,
    such as <svg>, may not change.
    """
    page, ranks, end = draft.page, [], 0
    for rank in page.displayed:
        if rank >= end:
            ranks.append(rank)
            end = page.end[rank] if page.elements[rank].tag in FOREIGN else end
    return ranks


def _can_wrap(draft: Draft, rank: int) -> bool:
    """Return whether the element with the number `rank`, or its content, can be
    wrapped.
    """
    element = draft.elements[rank]
    return element.tag in WRAPPED_INSIDE or (
        element.tag in WRAPPED and bool(_fitting_wrapper(parent_of(element), element))
    )


def _fitting_wrapper(parent: Element, element: Element) -> str:
    """Return the tag of a new element to put between `parent` and its child `element`.

    Return "" if HTML allows no such element.
    """
    tags = ("span",) if element.tag in INLINE else ("div", "span")
    fitting = (it for it in tags if nests(parent.tag, it) and nests(it, element.tag))
    return next(fitting, "")


def _wrap(draft: Draft, rank: int, classes: str) -> None:
    """Put a new element around the element with the number `rank`, or around its
    content.
    """
    element = draft.elements[rank]
    if element.tag in WRAPPED_INSIDE:
        inner = draft.new("div", classes)
        inner.text, element.text = element.text, None
        inner.extend(list(element))
        element.append(inner)
    elif tag := _fitting_wrapper(parent_of(element), element):
        outer = draft.new(tag, classes)
        outer.tail, element.tail = element.tail, None
        parent_of(element).replace(element, outer)
        outer.append(element)


def _is_wrapper(draft: Draft, rank: int) -> bool:
    """Return whether an element only wraps another element or a text.

    Removing such an element doesn't change the displayed lines.
    """
    element = draft.elements[rank]
    if element.tag not in WRAPPERS:
        return False
    parent = parent_of(element)
    is_only = (
        len(parent) == 1 and not f"{parent.text or ''}{element.tail or ''}".strip()
    )
    child, *others = [*element.iterchildren("*"), None]
    if child is None:
        return is_only and bool((element.text or "").strip()) and parent.tag != "body"
    if len(others) > 1 or has_own_text(element):
        return False
    same_lines = is_only or element.tag in INLINE or child.tag not in INLINE
    return same_lines and nests(parent.tag, child.tag)


def _other_tags(element: Element) -> list[str]:
    """Return the tags that may replace the tag of an element.

    HTML must allow the new tag in the element's parent, and the element's children in
    the new tag.
    """
    parent = parent_of(element)
    if element.tag in LISTS:
        are_items = {child.tag for child in element.iterchildren("*")} == {"li"}
        fits = are_items and nests(parent.tag, "div") and _may_be_in("div", element)
        return ["div"] if fits else []
    tags = [
        tag
        for tag in VOCABULARY["swaps"].get(element.tag, ())
        if nests(parent.tag, tag)
        and all(nests(tag, child.tag) for child in element.iterchildren("*"))
    ]
    if element.tag == "div" and _may_be_list(element):
        tags.append("ul")
    return tags


def _may_be_list(element: Element) -> bool:
    """Return whether a <div> could be a <ul>.

    It could if it consists of several <div>s, which would be its <li>s.
    """
    return (
        len(element) > 1
        and all(child.tag == "div" for child in element)
        and not has_own_text(element)
        and nests(parent_of(element).tag, "ul")
        and _may_be_in("li", element)
    )


def _may_be_in(tag: str, element: Element) -> bool:
    """Return whether each child of `element` could have the tag `tag`.

    HTML must allow the grandchildren of `element` in such a tag.
    """
    inner = (inner for child in element for inner in child.iterchildren("*"))
    return all(nests(tag, one.tag) for one in inner)


def parent_of(element: Element) -> Element:
    """Return the parent of an element that isn't the root."""
    parent = element.getparent()
    assert parent is not None
    return parent


def insert_adverts(draft: Draft) -> None:
    """Insert adverts before, into or beside records.

    The rate is the share of records that get an advert.
    """
    put_advert = _draw_advert(draft)
    for record in draft.choose(draft.page.records):
        put_advert(record)
        if not draft.is_template:
            put_advert = _draw_advert(draft)


def _draw_advert(draft: Draft) -> Callable[[GoldPlace], None]:
    """Draw a layout for adverts, and their position before, in or beside a record.

    Return a function that inserts an advert at a record. Each advert has a text of its
    own.
    """
    rng = draft.rng
    place = rng.choice(("before", "inside", "beside"))
    layout = rng.choice(("banner", "card", "line"))
    classes = draft.new_name()
    has_price = rng.random() < 0.5
    is_first = rng.random() < 0.5
    parents_used: set[Element] = set()

    def content(tag: str) -> Element:
        return _advert_content(draft, tag, layout, classes, has_price)

    def put_advert(record: GoldPlace) -> None:
        node = draft.elements[record.nodes[0]]
        container = _advert_parent(draft, record) if place == "inside" else None
        if container is not None:
            position = 0 if is_first else len(container)
            container.insert(position, content(_advert_tag(container)))
            return
        if place == "beside" and parent_of(node).tag not in ("body", "html", "tbody"):
            node = parent_of(node)
            if node in parents_used:
                return
            parents_used.add(node)
        parent = parent_of(node)
        if node.tag == "tr":
            advert = draft.new("tr", classes)
            cell = etree.SubElement(advert, "td", colspan=str(max(1, len(node))))
            cell.append(content("div"))
        else:
            is_inside = node.tag in WRAPPED_INSIDE
            advert = content(node.tag if is_inside else _advert_tag(parent))
        advert.tail = "\n"
        parent.insert(parent.index(node), advert)

    return put_advert


def _advert_parent(draft: Draft, record: GoldPlace) -> Element | None:
    """Return the element inside a record that can take an advert, or None."""
    element = draft.elements[record.nodes[0]]
    while element.tag in ("table", "tbody", "tr", *LISTS):
        children = [it for it in element.iterchildren("*") if it.tag != "thead"]
        if not children:
            return None
        element = children[-1]
    with_ancestors = {element, *element.iterancestors()}
    values = (it for it in record.values.values() if it.source == "text")
    holds_value = any(draft.elements[it.rank] in with_ancestors for it in values)
    return None if holds_value or element.tag in ("a", "p", *INLINE) else element


def _advert_tag(parent: Element) -> str:
    """Return the tag of an advert that is put into the element `parent`."""
    return "div" if nests(parent.tag, "div") else "span"


def _advert_content(
    draft: Draft, tag: str, layout: str, classes: str, has_price: bool
) -> Element:
    """Return an advert with a link, an image and a text, and with a price if
    `has_price`.

    `layout` is "banner", "card" or "line".
    """
    rng = draft.rng
    number = rng.randrange(10_000, 100_000)
    block_tag = "div" if nests(tag, "div") else "span"
    advert = draft.new(tag, classes)
    image = E.img(src=f"https://ads.example.net/b/{number}.png", alt="Advertisement")
    address = f"https://ads.example.net/click?c={number}"
    link = E.a(image, href=address, rel="sponsored nofollow")
    words = rng.choice(("Advertisement", "Sponsored", "Ad"))
    label = E("small" if layout == "line" else block_tag, words)
    words = rng.choice(VOCABULARY["adverts"])
    texts = [E("strong" if layout == "card" else "span", words)]
    if has_price:
        tag = rng.choice(("b", "span"))
        amount = f"{_currency_sign(draft)}{rng.choice((9, 19, 49, 299, 1_250)):,}"
        texts[0].tail = " from "
        texts.append(E(tag, amount))
    if layout == "banner":
        link.extend(texts)
        advert.extend([label, link])
    elif layout == "card":
        link.append(E(block_tag, *texts))
        advert.extend([link, label])
    else:
        advert.extend([label, link, *texts])
    return advert


def _currency_sign(draft: Draft) -> str:
    """Return the currency with which an amount on the page begins, "£" if there is
    none.
    """
    values = (it for record in draft.page.records for it in record.values.values())
    amounts = (it.value for it in values if it.type.kind is ValueKind.MONEY)
    matches = filter(None, map(CURRENCY.match, amounts))
    return next((match.group() for match in matches), "£")
