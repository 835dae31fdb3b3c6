"""Draw the prices, descriptions and other sentences that a generated site shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

from synthetic.geography import Region, street
from synthetic.offer import Phrase, Span, Trade, phrase
from synthetic.random_choices import Style, drawn, prose, some, vocabulary, weighted


def draw_price_style(
    rng: Random, qualifiers: Sequence[str], suffixes: Mapping[str, float], noisy: bool
) -> Style:
    """Draw how a site writes prices.

    `qualifiers` are words before a price. `suffixes` has the words behind a price, with
    their weights. In the result, `former` is the share of records with a former price.
    It is 0 if the site isn't `noisy`.
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
    """Draw the displayed price of a record.

    The amount is marked as the value. Words such as "POA" (price on application) aren't
    a value.
    """
    if rng.random() < style.on_request:
        return phrase(style.request_words)
    qualifier = ""
    if rng.random() < style.qualified:
        qualifier = rng.choice(style.qualifiers) + " "
    price_text = style.form.format(amount)
    amount_only = price_text.rstrip("*.")
    return phrase(
        qualifier or style.label,
        Span(amount_only, ("price",)),
        price_text[len(amount_only) :],
        style.suffix,
    )


def former(rng: Random, style: Style, amount: int) -> str:
    """Draw the former price of a record, or "" if the record shows none."""
    if rng.random() >= style.former:
        return ""
    former_amount = round(amount * rng.uniform(1.03, 1.2) / 5) * 5
    return style.former_words.format(f"£{former_amount:,}")


def pounds(amount: int) -> str:
    """Return an amount as it is displayed: "£1,250"."""
    return f"£{amount:,}"


def sentence(
    rng: Random, region: Region, domain: str, subject: str, noun: str = "property"
) -> str:
    """Draw a sentence of prose.toml about a subject, with names of places and amounts.

    `noun` is the word for the offer.
    """
    is_home = domain == "real-estate"
    home_or_car_price = (
        rng.randint(90, 600) * 1000 if is_home else 500 * rng.randint(6, 30)
    )
    return rng.choice(prose()[domain][subject]).format(
        place=region.locality(rng),
        place2=region.locality(rng),
        county=region.town(rng).county,
        street=street(rng),
        money=pounds(rng.choice((20, 95, 120, 150, 250, 350, 500, 750, 995, 1250))),
        money2=pounds(rng.choice((30, 60, 100, 180, 200, 300))),
        big=pounds(home_or_car_price),
        what=noun,
    )


def description(rng: Random, trade: Trade, domain: str, noun: str) -> str:
    """Draw a description of an offer, or "" for a site without descriptions.

    Some descriptions of noisy sites name amounts of money.
    """
    if not trade.sentences:
        return ""
    region, count = trade.region, rng.randint(1, trade.sentences)
    sentences = [sentence(rng, region, domain, "opening", noun)]
    while len(sentences) < count:
        further_sentence = sentence(rng, region, domain, "more")
        if further_sentence not in sentences:
            sentences.append(further_sentence)
    if trade.noisy and rng.random() < 0.2:
        sentences.append(sentence(rng, region, domain, "priced"))
    return " ".join(sentences)


def teasers(
    rng: Random, region: Region, domain: str, subject: str, least: int, most: int
) -> list[str]:
    """Draw at most `most` different sentences about a subject."""
    lines = prose()[domain][subject]
    drawn_lines = some(rng, range(len(lines)), least, most)
    sentences = {sentence(rng, region, domain, subject): None for _ in drawn_lines}
    return list(sentences)
