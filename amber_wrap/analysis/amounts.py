"""Amounts of money that aren't the one which their record is for: what it was, what is
saved, what is paid by the month."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from amber_wrap.analysis.claims import Claim, Claims
from amber_wrap.annotate.names import words_of
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.values.typed import money

STRUCK: Final = frozenset({"del", "s", "strike"})
"""Tags of what is struck out."""
LINE_THROUGH: Final = "line-through"
"""What says so in a style, and in the classes of some."""
FORMER: Final = frozenset(
    "old was former before previous original regular strike striked strikethrough "
    "crossed rrp uvp msrp".split()
)
"""Words of classes of what a price was."""
SAVED: Final = frozenset("save saved saving savings discount off".split())
"""Words of classes of what is saved."""
BESIDE: Final = frozenset(
    "deposit fee fees tax shipping delivery postage finance financing mortgage monthly "
    "installment instalment cashback converted".split()
)
"""Words of classes of what is paid beside a price, or for it by and by."""
ABOUT: Final = re.compile(
    r"(?:≈|~|(?<!\w)(?i:approx\.?|approximately|about|circa|environ|ungefähr|cirka"
    r"|circa|aprox\.?|około|cca\.?|noin|kb\.?|примерно)) ?\Z"
)
"""What stands before an amount in another currency."""
PER_UNIT: Final = re.compile(
    r" ?\S{0,4} ?/ ?(?:m²|m2|m\b|sq|kvm|qm|㎡|坪|м|кв|kg|100|l\b|ft)", re.IGNORECASE
)
"""What stands behind an amount for a part of the object."""
YEAR: Final = 12
"""How many times an instalment a whole price is at least."""


def are_beside(page: Page, claims: Sequence[Claim]) -> bool:
    """Whether most amounts at a place are others than the prices of their records."""
    return 2 * sum(_is_beside(page, one) for one in claims) > len(claims)


def _is_beside(page: Page, claim: Claim) -> bool:
    at, source, start, end = claim.annotation[:4]
    shown = page.text[at] if page.is_text(at) else page.source_text(at, source)
    return (
        ABOUT.search(shown[:start]) is not None
        or PER_UNIT.match(shown, end) is not None
        or is_struck(page, claim.node)
        or bool(_words(page, claim.node) & (SAVED | BESIDE))
    )


def is_struck(page: Page, node: NodeId, start: NodeId = 0) -> bool:
    """Whether an element is struck out, or one around it with nothing else in it.

    So is what is called former.  `start` is where its record begins, if that is known.
    """
    for one in _around(page, node, start):
        classes = page.classes(one)
        if (
            page.tag[one] in STRUCK
            or LINE_THROUGH in classes
            or LINE_THROUGH in page.attributes[one].get("style", "")
        ):
            return True
        words = frozenset().union(*map(words_of, classes))
        if words & FORMER:
            return not words & SAVED
    return False


def _words(page: Page, node: NodeId) -> frozenset[str]:
    """The words of the classes of an element and of those with nothing else in them."""
    classes = (one for at in _around(page, node, 0) for one in page.classes(at))
    return frozenset().union(*map(words_of, classes))


def _around(page: Page, node: NodeId, start: NodeId) -> list[NodeId]:
    """The element and those around it that show no more, within its record."""
    found, length = [], page.text_length(node)
    while node > start and page.text_length(node) == length:
        found.append(node)
        node = page.parent[node]
    return found


def without_instalments(claims: Claims) -> Claims:
    """The claims of a type of money without those of what is paid for by and by.

    Beside a whole price, an amount for a month or a year that is that much less is an
    instalment or a charge; a rent has but amounts for a period, and maybe a deposit.
    """
    return [
        _without_instalments(found) if len(found) > 1 else found for found in claims
    ]


def _without_instalments(claims: Sequence[Claim]) -> Sequence[Claim]:
    paid = [(one, *_paid(one)) for one in claims]
    whole = max((amount for _, amount, is_part in paid if not is_part), default=0)
    return [
        one for one, amount, is_part in paid if not (is_part and whole >= YEAR * amount)
    ]


def _paid(claim: Claim) -> tuple[float, bool]:
    """The amount of a claim, 0 for a range, and whether it is for a period."""
    amount, _, period = money(claim.annotation.matched)
    return (amount if isinstance(amount, int | float) else 0), period is not None
