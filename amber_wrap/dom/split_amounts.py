"""Join amounts of money whose cents are in an element of their own."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, NamedTuple, cast

from lxml import etree

_SIGN: Final = "(?:[$€£¥₹₽₺₴]|zł|[Kk]r|Kč|Ft|lei|EUR|USD|GBP|CHF|PLN)"
_SHORT_NUMBERS: Final = etree.XPath(
    "//*[not(*) and string-length(normalize-space()) < 6 "
    "and translate(., '0123456789', '') != .]",
    smart_strings=False,
)
_CENTS: Final = re.compile(rf"\s*({_SIGN}?) ?(\d\d)\s*")
_PARTS: Final = (
    rf"(?:{_SIGN} ?)?(\d{{1,3}}(?:[., ]\d{{3}})+|\d+)"
    rf"(?: ?{_SIGN} ?| )\d\d(?: ?{_SIGN})?"
)
"""The parts of an amount, separated by blanks, such as "$ 34 50". The group is the
whole amount."""
_WHOLE_AMOUNT: Final = re.compile(rf"\s*(?:{_SIGN}\s*\d[\d., ]*|\d[\d., ]*{_SIGN})\s*")
"""An amount without cents, and the sign of its currency."""
_CELLS: Final = frozenset({"td", "th", "li", "dd"})
"""Tags of elements that display values of their own, for example in a table."""
_CENTS_MARK: Final = re.compile(
    r"(?i:cent|decimal|fraction|minor|pence|penny|gros|halé|sup(?![a-z])|small)"
    r"|(?<![a-z])(?:dec|frac)(?![a-z])"
)
"""Matches class tokens of cents."""
_USUAL_CENTS: Final = re.compile(r"\s*(?:00|50|95|\d9)\s*")
"""The cents of most prices, which other numbers rarely are."""
_MOST_TEXTS: Final = 20
"""The greatest number of text nodes of an element that holds one amount."""


def join_cents(root: etree._Element) -> list[etree._Element]:
    """Move cents in elements of their own to the whole amounts before them.

    For example, `$34<sup>50</sup>` becomes `$34.50<sup></sup>`. Return the elements
    that held the cents. Words beside the amount are allowed only if the element is a
    `sup`, because "$10 25 bids" are two numbers. Generated files do the same
    (`with_cents` in `templates/python/helpers.py`).
    """
    elements = cast("list[etree._Element]", _SHORT_NUMBERS(root))
    return [element for element in elements if _join(element)]


def has_other_numbers(root: etree._Element) -> bool:
    """Return whether the numbers behind amounts on a page are probably no cents.

    For example, `<b>$15</b> <b>12</b>` may be a price and a number of pieces. Numbers
    directly behind the digits or in a `sup` are cents, and so are numbers whose class
    says so. Other numbers are judged together: most cents are 99 or 50, for example,
    and none is the cell of a table.
    """
    elements = cast("list[etree._Element]", _SHORT_NUMBERS(root))
    unclear = [element for element in elements if _may_be_other_number(element)]
    if any(element.tag in _CELLS for element in unclear):
        return True
    usual = sum(
        _USUAL_CENTS.fullmatch(element.text or "") is not None for element in unclear
    )
    return 2 * usual < len(unclear)


def _may_be_other_number(element: etree._Element) -> bool:
    """Return whether an element stands behind a whole amount in an element of its own,
    and neither its tag nor its class marks cents."""
    joint = _joint_of(element)
    if joint is None or joint.owner is element.getparent() or element.tag == "sup":
        return False
    is_whole = _WHOLE_AMOUNT.fullmatch(joint.owner.text or "") is not None
    return is_whole and not _CENTS_MARK.search(element.get("class", ""))


class _Joint(NamedTuple):
    """The place of the whole amount before cents: an element, and its attribute `text`
    or `tail`. `rest` is the text beside the cents, which may be a sign."""

    owner: etree._Element
    part: str
    amount: str
    cents: str
    rest: str


def _join(element: etree._Element) -> bool:
    """Move the cents in an element to the amount before it.

    Return whether the text of the element is cents.
    """
    joint = _joint_of(element)
    if joint is None:
        return False
    # "1.234" and "50" give "1.234,50".
    end = f"{',' if '.' in joint.amount else '.'}{joint.cents}"
    whole = re.sub(r"(\d)(?=\D*$)", rf"\g<0>{end}", joint.amount)
    setattr(joint.owner, joint.part, whole)
    element.text = joint.rest
    return True


def _joint_of(element: etree._Element) -> _Joint | None:
    """Return the place of the whole amount before an element with cents.

    Return None if the text of the element isn't cents.
    """
    cents = _CENTS.fullmatch(element.text or "")
    if not cents:
        return None
    before = element.getprevious()
    while before is not None and _is_sign(before):
        before = before.getprevious()
    owner, part = element.getparent(), "text"
    if before is not None:
        owner, part = before, "tail" if (before.tail or "").strip() else "text"
    if owner is None:
        return None
    amount = str(getattr(owner, part, None) or "").rstrip()
    words = r"\D*" if element.tag == "sup" else ""
    form = rf"{words}{_PARTS}(?: ?/\D*|{words})"
    for holder in islice(element.iterancestors(), 2):
        texts = islice(holder.itertext("*"), _MOST_TEXTS)
        line = " ".join(" ".join(map(str, texts)).split())
        match = re.fullmatch(form, line)
        if match and match[1] in amount and len(re.findall(_SIGN, line)) == 1:
            return _Joint(owner, part, amount, cents[2], cents[1])
    return None


def _is_sign(element: etree._Element) -> bool:
    """Return whether an element holds only the sign of a currency, and no other text
    follows before the next tag."""
    return bool(re.fullmatch(rf"\s*{_SIGN}\s*", f"{element.text}{element.tail or ''}"))
