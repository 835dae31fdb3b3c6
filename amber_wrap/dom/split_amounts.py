"""Join amounts of money whose cents are in a separate element."""

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
"""A regular expression for an amount with separate cents, such as "$ 34 50".

The group is the amount without the cents, such as "34".
"""
_WHOLE_AMOUNT: Final = re.compile(rf"\s*(?:{_SIGN}\s*\d[\d., ]*|\d[\d., ]*{_SIGN})\s*")
"""Matches an amount of money without cents, with its currency, such as "$34"."""
_CELLS: Final = frozenset({"td", "th", "li", "dd"})
"""Tags of table cells and list items.

A number in such an element is a value of its own. It isn't the cents of an amount in
the element before.
"""
_CENTS_MARK: Final = re.compile(
    r"(?i:cent|decimal|fraction|minor|pence|penny|gros|halé|sup(?![a-z])|small)"
    r"|(?<![a-z])(?:dec|frac)(?![a-z])"
)
"""Matches a class token that marks the cents of a price, such as `decimal`."""
_USUAL_CENTS: Final = re.compile(r"\s*(?:00|50|95|\d9)\s*")
"""Matches the usual cents of prices: 00, 50, 95, and all that end in 9."""
_MOST_TEXTS: Final = 20
"""The greatest number of text nodes of an element in which an amount is sought."""


def join_cents(root: etree._Element) -> list[etree._Element]:
    """Move cents in separate elements to the amounts before them.

    For example, `$34<sup>50</sup>` becomes `$34.50<sup></sup>`. Return the elements
    that held the cents.
    """
    # The function `with_cents` in `templates/python/helpers.py` does the same.
    elements = cast("list[etree._Element]", _SHORT_NUMBERS(root))
    return [element for element in elements if _join(element)]


def has_other_numbers(root: etree._Element) -> bool:
    """Return whether the numbers after amounts of money are probably not cents.

    For example, `<b>$15</b> <b>12</b>` may be a price and a number of pieces.
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
    """Return whether the number in an element after an amount of money may not be
    cents.

    The number is surely cents if the element is a `sup`, has a class such as `decimal`,
    or is within the element with the amount.
    """
    joint = _joint_of(element)
    if joint is None or joint.owner is element.getparent() or element.tag == "sup":
        return False
    is_whole = _WHOLE_AMOUNT.fullmatch(joint.owner.text or "") is not None
    return is_whole and not _CENTS_MARK.search(element.get("class", ""))


class _Joint(NamedTuple):
    """The whole part of a price whose cents are in the next element, and its position.

    In `12<sup>99</sup>`, the whole part is "12".
    """

    owner: etree._Element
    part: str
    """The name of the property of `owner` with the whole part: "text" or "tail"."""
    amount: str
    """The complete `text` or `tail` of `owner`, which contains the whole part."""
    cents: str
    """The two digits of the cents, such as "99"."""
    rest: str
    """The currency sign beside the cents, or ""."""


def _join(element: etree._Element) -> bool:
    """Move the cents in an element to the amount before it.

    Return False, and change nothing, if the element contains no cents.
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
    """Return the whole part of the price whose cents are in `element`.

    Return None if the element contains no cents.
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
    # Beside other words, only a `sup` has cents: "$10 25 bids" are two numbers.
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
    """Return whether an element's text and tail together are only a currency sign."""
    return bool(re.fullmatch(rf"\s*{_SIGN}\s*", f"{element.text}{element.tail or ''}"))
