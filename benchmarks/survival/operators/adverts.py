"""Put adverts among the records of a page."""

from __future__ import annotations

from collections.abc import Callable

from lxml.builder import E

from amber_wrap.dom.markup import INLINE
from amber_wrap.domain.schema import ValueKind
from operators.draft import VOCABULARY, Draft
from operators.located import Element, GoldPlace
from operators.markup_writer import nests
from operators.structure import LISTS, WRAPPED_INSIDE, above
from operators.wording import CURRENCY


def insert_adverts(draft: Draft) -> None:
    """Put adverts before records, into them or beside them; the rate is of records."""
    kind = _advert(draft)
    for record in draft.choose(draft.page.records):
        kind(record)
        if not draft.is_template:
            kind = _advert(draft)


def _advert(draft: Draft) -> Callable[[GoldPlace], None]:
    """Draw a kind of advert and its place; the texts are drawn for each advert."""
    rng = draft.rng
    place = rng.choice(("before", "inside", "beside"))
    layout = rng.choice(("banner", "card", "line"))
    classes = draft.new_name()
    has_price = rng.random() < 0.5
    is_first = rng.random() < 0.5
    known: set[Element] = set()

    def content(tag: str) -> Element:
        return _advert_content(draft, tag, layout, classes, has_price)

    def put(record: GoldPlace) -> None:
        node = draft.elements[record.nodes[0]]
        inner = _inside(draft, record) if place == "inside" else None
        if inner is not None:
            inner.insert(0 if is_first else len(inner), content(_block(inner)))
            return
        if place == "beside" and above(node).tag not in ("body", "html", "tbody"):
            node = above(node)
            if node in known:
                return
            known.add(node)
        parent = above(node)
        if node.tag == "tr":
            cell = draft.new("td")
            cell.set("colspan", str(max(1, len(node))))
            cell.append(content("div"))
            one = draft.new("tr", classes)
            one.append(cell)
        else:
            tag = node.tag if node.tag in WRAPPED_INSIDE else _block(parent)
            one = content(tag)
        one.tail = "\n"
        parent.insert(parent.index(node), one)

    return put


def _inside(draft: Draft, record: GoldPlace) -> Element | None:
    """Return the element of a record that an advert may be put into, or None."""
    rank = record.nodes[0]
    one = draft.elements[rank]
    while one.tag in ("table", "tbody", "tr", *LISTS):
        below = [child for child in one.iterchildren("*") if child.tag != "thead"]
        if not below:
            return None
        one = below[-1]
    is_value = any(
        draft.elements[value.rank] in (one, *one.iterancestors())
        for value in record.values.values()
        if value.source == "text"
    )
    return None if is_value or one.tag in ("a", "p", *INLINE) else one


def _block(parent: Element) -> str:
    return "div" if nests(parent.tag, "div") else "span"


def _advert_content(
    draft: Draft, tag: str, layout: str, classes: str, has_price: bool
) -> Element:
    """Return an advert: a link, an image, a text, now and then a price."""
    rng = draft.rng
    number = rng.randrange(10_000, 100_000)
    inner = "div" if nests(tag, "div") else "span"
    one = draft.new(tag, classes)
    image = E.img(src=f"https://ads.example.net/b/{number}.png", alt="Advertisement")
    address = f"https://ads.example.net/click?c={number}"
    link = E.a(image, href=address, rel="sponsored nofollow")
    said = rng.choice(("Advertisement", "Sponsored", "Ad"))
    label = E("small" if layout == "line" else inner, said)
    said = rng.choice(VOCABULARY["adverts"])
    text = [E("strong" if layout == "card" else "span", said)]
    if has_price:
        tag = rng.choice(("b", "span"))
        amount = f"{_sign(draft)}{rng.choice((9, 19, 49, 299, 1_250)):,}"
        text[0].tail = " from "
        text.append(E(tag, amount))
    if layout == "banner":
        link.extend(text)
        one.extend([label, link])
    elif layout == "card":
        link.append(E(inner, *text))
        one.extend([link, label])
    else:
        one.extend([label, link, *text])
    return one


def _sign(draft: Draft) -> str:
    """Return the currency of the page, if it stands before amounts."""
    for record in draft.page.records:
        for value in record.values.values():
            if value.type.kind is ValueKind.MONEY and (
                sign := CURRENCY.match(value.value)
            ):
                return sign.group()
    return "£"
