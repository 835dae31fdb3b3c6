"""Draw texts that mention places, rooms and amounts, as descriptions and teasers do."""

from __future__ import annotations

from random import Random

from synthetic.chance import some
from synthetic.geography import Region, street
from synthetic.offer import Trade
from synthetic.vocabulary import prose


def pounds(amount: int) -> str:
    """Return an amount as displayed: "£1,250"."""
    return f"£{amount:,}"


def sentence(
    rng: Random, region: Region, domain: str, subject: str, what: str = "property"
) -> str:
    """Draw a sentence about a subject, its holes filled."""
    big = (
        rng.randint(90, 600) * 1000
        if domain == "real-estate"
        else 500 * rng.randint(6, 30)
    )
    return rng.choice(prose()[domain][subject]).format(
        place=region.locality(rng),
        place2=region.locality(rng),
        county=region.town(rng).county,
        street=street(rng),
        money=pounds(rng.choice((20, 95, 120, 150, 250, 350, 500, 750, 995, 1250))),
        money2=pounds(rng.choice((30, 60, 100, 180, 200, 300))),
        big=pounds(big),
        what=what,
    )


def description(rng: Random, trade: Trade, domain: str, what: str) -> str:
    """Draw a description, "" on sites without; of noisy sites some name amounts."""
    if not trade.sentences:
        return ""
    region, count = trade.region, rng.randint(1, trade.sentences)
    sentences = [sentence(rng, region, domain, "opening", what)]
    while len(sentences) < count:
        more = sentence(rng, region, domain, "more")
        if more not in sentences:
            sentences.append(more)
    if trade.noisy and rng.random() < 0.2:
        sentences.append(sentence(rng, region, domain, "priced"))
    return " ".join(sentences)


def teasers(
    rng: Random, region: Region, domain: str, subject: str, least: int, most: int
) -> list[str]:
    """Draw different sentences about a subject."""
    lines = prose()[domain][subject]
    wanted = some(rng, range(len(lines)), least, most)
    found = {sentence(rng, region, domain, subject): None for _ in wanted}
    return list(found)
