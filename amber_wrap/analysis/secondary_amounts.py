"""Recognise amounts of money that aren't the price of a record.

Examples are former prices, savings, instalments and fees.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from amber_wrap.analysis.record_annotations import AnnotationsByRecord, PlacedAnnotation
from amber_wrap.analysis.thresholds import ALIGNMENT
from amber_wrap.annotate.element_labels import label_of
from amber_wrap.annotate.labels_and_titles import COLONS, name_words
from amber_wrap.annotate.name_annotator import FORMER
from amber_wrap.dom.page import NodeId, Page
from amber_wrap.values.numbers_and_prices import money

STRUCK_TAGS: Final = frozenset({"del", "s", "strike"})
"""Tags of struck-out texts."""
LINE_THROUGH: Final = "line-through"
"""The CSS value, and on some websites the class token, of struck-out texts."""
FORMER_PRICE_WORDS: Final = FORMER | frozenset(
    "regular strike striked strikethrough "
    "crossed compare rrp uvp msrp pvp ancien anterior antiguo antigo antes vecchio oud "
    "statt streich barre barré stara puvodni".split()
)
"""Words in class tokens of former prices, such as "old"."""
SAVING_WORDS: Final = frozenset("save saved saving savings discount off".split())
"""Words in class tokens of savings, such as "discount"."""
SECONDARY_AMOUNT_WORDS: Final = frozenset(
    "deposit fee fees tax shipping delivery postage finance financing mortgage monthly "
    "installment instalment cashback converted".split()
)
"""Words in class tokens of fees and instalments, such as "deposit"."""
LIST_PRICE: Final = re.compile(r"list[-_]?price", re.IGNORECASE)
"""Matches the start of class tokens such as `list-price`. Such a token belongs to
former prices, or to the prices of all records in a list."""
CONVERTED_AMOUNT: Final = re.compile(
    r"(?:≈|~|(?<!\w)(?i:approx\.?|approximately|about|circa|environ|ungefähr|cirka"
    r"|circa|aprox\.?|około|cca\.?|noin|kb\.?|примерно)) ?\Z"
)
"""Matches the words before an amount that is converted from another currency."""
FORMER_PRICE_LABEL: Final = re.compile(
    r"(?<!\w)(?i:was|rrp|msrp|srp|reg\.|(?:list|old|original|previous|initial) price"
    r"|instead of|before|previously|statt|uvp|bisher|(?:alter|ursprünglicher) preis"
    r"|originalpreis|au lieu de|prix (?:conseillé|initial|barré|d'origine)|ancien prix"
    r"|precio (?:anterior|original|inicial)|preço (?:anterior|original)|antes|era|prima"
    r"|prezzo (?:iniziale|originale|precedente)|adviesprijs|oorspronkelijke prijs"
    r"|tidigare|ord\. pris|ursprungligt pris|før|oprindelig pris|opprinnelig pris|ovh"
    r"|norm\.|stara cena|cena pierwotna|było|původní(?: cena)?|раньше|старая цена"
    r"|(?:de|van)(?=:)|参考価格|定価|通常価格|정가|원가|原价|市场价) ?[:：]? ?\Z"
)
"""Matches the words before a former price, such as "was"."""
PER_UNIT: Final = re.compile(
    r" ?\S{0,4} ?/ ?(?:m²|m2|m\b|sq|kvm|qm|㎡|坪|м|кв|kg|100|l\b|ft)", re.IGNORECASE
)
"""Matches the text after a price per unit, such as "/m²" for a square metre."""
_BEFORE_DIGIT: Final = re.compile(r"(?=\d)")
_AMOUNT: Final = re.compile(r"\d[\d.,'’ ]*")


def are_secondary_amounts(
    page: Page, claims: Sequence[PlacedAnnotation], current: AnnotationsByRecord
) -> bool:
    """Return whether most of the amounts `claims` are fees or the like, and not prices.

    All of them are at one path in the records. `current` has all amounts of each
    record, without former prices.
    """
    by_node = {claim.node: record for record in current for claim in record}
    secondary_count = sum(
        _is_secondary(page, claim)
        or _is_saving(page, claim, by_node.get(claim.node, ()))
        for claim in claims
    )
    return 2 * secondary_count > len(claims)


def _is_secondary(page: Page, claim: PlacedAnnotation) -> bool:
    """Return whether words, tags or class tokens at an amount show that it isn't the
    price of its record.

    Words for savings, such as "discount", are ignored.
    """
    text = _text_with_amount(page, claim)
    label = _label_before(text, claim.annotation.start)
    return (
        CONVERTED_AMOUNT.search(label) is not None
        or _is_labelled_former(page, claim)
        or PER_UNIT.match(text, claim.annotation.end) is not None
        or is_struck(page, claim.node)
        or not SECONDARY_AMOUNT_WORDS.isdisjoint(_class_words(page, claim.node))
    )


def _is_saving(
    page: Page, claim: PlacedAnnotation, record_claims: Sequence[PlacedAnnotation]
) -> bool:
    """Return whether a class name such as `saving` shows that a buyer saves an amount.

    The class `discount` counts only if another amount of the record can be the price.
    """
    words = _class_words(page, claim.node) & SAVING_WORDS
    return bool(words) and (
        "discount" not in words
        or any(
            money(other.annotation.matched)[0] != money(claim.annotation.matched)[0]
            and not _is_secondary(page, other)
            for other in record_claims
        )
    )


def _text_with_amount(page: Page, claim: PlacedAnnotation) -> str:
    """Return the text node, element text or HTML attribute with a recognised amount."""
    node = claim.annotation.node
    if page.is_text(node):
        return page.text[node]
    return page.source_text(node, claim.annotation.source)


def is_struck(page: Page, node: NodeId, start: NodeId = 0) -> bool:
    """Return whether an amount is struck out or marked as a former price.

    `start` is the first node of the record, or 0 if the record is unknown.
    """
    for element in _with_label(page, node, start):
        classes = page.classes(element)
        if (
            page.tag[element] in STRUCK_TAGS
            or LINE_THROUGH in classes
            or LINE_THROUGH in page.attributes[element].get("style", "")
        ):
            return True
        words = frozenset().union(*map(name_words, classes))
        if words & FORMER_PRICE_WORDS:
            return not words & SAVING_WORDS
    return False


def _class_words(page: Page, node: NodeId) -> frozenset[str]:
    """Return the words in the class tokens of an element and of its wrappers.

    A wrapper is an ancestor that displays only the element, as in `<p
    class="old"><b>£9</b></p>`.
    """
    return frozenset().union(
        *(
            name_words(token)
            for element in _self_and_wrappers(page, node, 0)
            for token in page.classes(element)
        )
    )


def _self_and_wrappers(page: Page, node: NodeId, start: NodeId) -> list[NodeId]:
    """Return an element, and then its wrappers from the inside out.

    A wrapper is an ancestor that displays only the element. The node `start` and the
    nodes before it are left out.
    """
    elements, length = [], page.text_length(node)
    while node > start and page.text_length(node) == length:
        elements.append(node)
        node = page.parent[node]
    return elements


def _with_label(page: Page, node: NodeId, start: NodeId) -> list[NodeId]:
    """Return an element and the ancestors that display only the element and a label.

    The node `start` and its ancestors are left out.
    """
    elements = _self_and_wrappers(page, node, start)
    while elements and (parent := page.parent[elements[-1]]) > start:
        label_length = page.text_length(parent) - page.text_length(node)
        # Long texts are not searched for amounts: parents of records can be huge.
        if label_length > ALIGNMENT.longest_price_label:
            break
        if len(_AMOUNT.findall(page.string(parent))) > 1:
            break
        elements.append(parent)
    return elements


def without_former(page: Page, claims: AnnotationsByRecord) -> AnnotationsByRecord:
    """Return the recognised amounts of money of each record, without former prices.

    A record that has only former prices keeps all amounts.
    """
    has_list_price = [
        any(_is_list_price(page, claim) for claim in record_claims)
        for record_claims in claims
    ]
    current = []
    for record_claims in claims:
        not_former = [claim for claim in record_claims if not _is_former(page, claim)]
        others = [claim for claim in not_former if not _is_list_price(page, claim)]
        if not all(has_list_price) and not are_secondary_amounts(
            page, others, [others]
        ):
            not_former = others
        current.append(not_former or record_claims)
    # The first of two amounts close to each other may be a former price, too.
    are_pairs = [_is_pair(page, record_claims) for record_claims in current]
    ratios = {
        _ratio(record_claims)
        for record_claims, is_pair in zip(current, are_pairs, strict=True)
        if is_pair
    }
    are_discounts = all(ALIGNMENT.least_discount_ratio <= ratio < 1 for ratio in ratios)
    # A range has its greater amount last. A price before taxes has a constant ratio.
    if len(ratios) < ALIGNMENT.least_discount_ratios or not are_discounts:
        return current
    return [
        record_claims[1:] if is_pair else record_claims
        for record_claims, is_pair in zip(current, are_pairs, strict=True)
    ]


def _is_former(page: Page, claim: PlacedAnnotation) -> bool:
    """Return whether an amount is struck out, marked or labelled as a former price."""
    return is_struck(page, claim.node) or _is_labelled_former(page, claim)


def _is_labelled_former(page: Page, claim: PlacedAnnotation) -> bool:
    """Return whether a label before an amount calls it a former price."""
    label = _label_before(_text_with_amount(page, claim), claim.annotation.start)
    if label:
        return FORMER_PRICE_LABEL.search(label) is not None
    return is_called_former(page, claim.node)


def is_called_former(page: Page, node: NodeId) -> bool:
    """Return whether the label of an amount's element calls it a former price.

    The label is another element, or the text directly before the element, such as
    "Was:" in `<p>Was: <b>£9</b></p>`.
    """
    if label := label_of(page, node):
        return FORMER_PRICE_LABEL.search(label) is not None
    if not (wrappers := _self_and_wrappers(page, node, 0)):
        return False
    before, parent = wrappers[-1] - 1, page.parent[wrappers[-1]]
    if not page.is_text(before) or page.parent[before] != parent:
        return False  # The text of another element, such as "£12 RRP", is about that.
    label = page.text[before].strip()
    found = FORMER_PRICE_LABEL.search(label)
    is_first = found and not any(map(str.isalnum, label[: found.start()]))
    return found is not None and bool(is_first or label.endswith(COLONS))


def _is_list_price(page: Page, claim: PlacedAnnotation) -> bool:
    """Return whether an amount is in an element with a class such as `list-price`."""
    return any(
        LIST_PRICE.match(token) is not None
        for element in _self_and_wrappers(page, claim.node, 0)
        for token in page.classes(element)
    )


def _label_before(text: str, start: int) -> str:
    """Return the end of the text before the offset `start`, such as "was " in "was
    £100".

    A label has no digits, so the result begins with the last digit, if there is one.
    """
    end = text[max(0, start - ALIGNMENT.longest_price_label) : start]
    return _BEFORE_DIGIT.split(end)[-1]


def _is_pair(page: Page, claims: Sequence[PlacedAnnotation]) -> bool:
    """Return whether a record has exactly two amounts, near each other and in one
    currency.

    Return False if an amount is for a period, such as a month.
    """
    nodes = list(dict.fromkeys(claim.node for claim in claims))
    if not len(claims) == len(nodes) == 2:
        return False
    first, second = (money(claim.annotation.matched) for claim in claims)
    first_amount, first_currency, first_period = first
    second_amount, second_currency, second_period = second
    if first_amount is None or second_amount is None:
        return False
    container = nodes[0]
    while not page.contains(container, nodes[1]):
        container = page.parent[container]
    other_length = page.text_length(container) - sum(map(page.text_length, nodes))
    return (
        other_length <= ALIGNMENT.longest_price_label
        and first_currency == second_currency
        and not (first_period or second_period)
    )


def _ratio(claims: Sequence[PlacedAnnotation]) -> float:
    """Return the second of two amounts divided by the first, for example 0.8 for £100
    and £80.

    An amount of 0 counts as 1.
    """
    first_amount, second_amount = (
        money(claim.annotation.matched)[0] or 1 for claim in claims
    )
    return round(second_amount / first_amount, 2)


def without_instalments(claims: AnnotationsByRecord) -> AnnotationsByRecord:
    """Return the recognised amounts of money of each record, without instalments.

    An instalment is an amount per month or the like, in a record with a much larger
    amount for no period.
    """
    return [
        _without_instalments(record_claims) if len(record_claims) > 1 else record_claims
        for record_claims in claims
    ]


def _without_instalments(
    record_claims: Sequence[PlacedAnnotation],
) -> Sequence[PlacedAnnotation]:
    """Return the recognised amounts of money of one record, without instalments."""
    paid = [(claim, *_amount_and_period(claim)) for claim in record_claims]
    whole_price = max(
        (amount for _, amount, has_period in paid if not has_period), default=0
    )
    return [
        claim
        for claim, amount, has_period in paid
        if not has_period or whole_price < ALIGNMENT.least_instalment_ratio * amount
    ]


def _amount_and_period(claim: PlacedAnnotation) -> tuple[float, bool]:
    """Return a recognised amount of money, and whether it is for a period such as a
    month.

    The amount is 0 for a range of amounts, and for a text without an amount.
    """
    amount, _, period = money(claim.annotation.matched)
    number = amount if isinstance(amount, int | float) else 0
    return number, period is not None
