"""Write prices, former prices and other amounts of a record as a site does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from synthetic.chance import Style, drawn, weighted
from synthetic.offer import Phrase, Span, phrase
from synthetic.vocabulary import vocabulary


def draw_price_style(
    rng: Random, qualifiers: Sequence[str], suffixes: Mapping[str, float], noisy: bool
) -> Style:
    """Draw how a site writes prices; only a `noisy` one shows other amounts.

    `former` is the share of records that show what they cost before.
    """
    words, cards = qualifiers, vocabulary()["cards"]
    return Style(
        **drawn(rng, "price"),
        qualifiers=tuple(rng.sample(words, min(len(words), rng.randint(1, 4)))),
        **drawn(rng, "price-label"),
        suffix=weighted(rng, suffixes),
        **drawn(rng, "on-request"),
        request_words=rng.choice(cards["on_request"]),
        former=weighted(rng, {0.0: 55, 0.12: 25, 0.3: 15, 0.9: 5}) if noisy else 0.0,
        former_words=rng.choice(cards["former"]),
    )


def price(rng: Random, style: Style, amount: int) -> Phrase:
    """Draw the price of a record: the amount is its value, or it has none."""
    if rng.random() < style.on_request:
        return phrase(style.request_words)
    qualifier = ""
    if rng.random() < style.qualified:
        qualifier = rng.choice(style.qualifiers) + " "
    shown = style.form.format(amount)
    amount_only = shown.rstrip("*.")
    return phrase(
        qualifier or style.label,
        Span(amount_only, ("price",)),
        shown[len(amount_only) :],
        style.suffix,
    )


def former(rng: Random, style: Style, amount: int) -> str:
    """Draw the former price of a record, "" where the site doesn't show it."""
    if rng.random() >= style.former:
        return ""
    before = round(amount * rng.uniform(1.03, 1.2) / 5) * 5
    return style.former_words.format(f"£{before:,}")
