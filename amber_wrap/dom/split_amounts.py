"""Join amounts of money whose cents are in an element of their own."""

from __future__ import annotations

import re
from itertools import islice
from typing import Final, cast

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


def _join(element: etree._Element) -> bool:
    """Move the cents in an element to the amount before it.

    Return whether the text of the element is cents.
    """
    cents = _CENTS.fullmatch(element.text or "")
    if not cents:
        return False
    before = element.getprevious()
    while before is not None and _is_sign(before):
        before = before.getprevious()
    owner, part = element.getparent(), "text"
    if before is not None:
        owner, part = before, "tail" if (before.tail or "").strip() else "text"
    amount = str(getattr(owner, part, None) or "").rstrip()
    words = r"\D*" if element.tag == "sup" else ""
    form = rf"{words}{_PARTS}(?: ?/\D*|{words})"
    for holder in islice(element.iterancestors(), 2):
        texts = islice(holder.itertext("*"), _MOST_TEXTS)
        line = " ".join(" ".join(map(str, texts)).split())
        match = re.fullmatch(form, line)
        if match and match[1] in amount and len(re.findall(_SIGN, line)) == 1:
            # "1.234" and "50" give "1.234,50".
            end = f"{',' if '.' in amount else '.'}{cents[2]}"
            setattr(owner, part, re.sub(r"(\d)(?=\D*$)", rf"\g<0>{end}", amount))
            element.text = cents[1]
            return True
    return False


def _is_sign(element: etree._Element) -> bool:
    """Return whether an element holds only the sign of a currency, and no other text
    follows before the next tag."""
    return bool(re.fullmatch(rf"\s*{_SIGN}\s*", f"{element.text}{element.tail or ''}"))
