"""Draw homes for sale and to let, and how the websites of estate agents show them."""

from __future__ import annotations

from random import Random

from synthetic.geography import (
    Region,
    address,
    draw_address_style,
    in_one_line,
    with_postcode,
)
from synthetic.offer import Fact, Offer, Phrase, Span, Trade, joined, phrase
from synthetic.random_choices import drawn, some, stream, styles, vocabulary, weighted
from synthetic.texts import description, draw_price_style, former, pounds, price

DOMAIN = "real-estate"
"""The name of the domain (kind of records): homes."""
SALE, LET = "sale", "let"
"""The names of the two markets."""
MISSING = {
    "bedrooms": 0.04,
    "bathrooms": 0.09,
    "receptions": 0.15,
    "property_type": 0.04,
}
"""The probability that a home lacks a value, by attribute type."""
OPEN = {SALE: "For Sale", LET: "To Let"}
"""The legal status of a home that is still available, by market."""


class Homes(Trade):
    """An estate agent, with the habits of the website.

    `status` says where the legal status, such as "For Sale", is shown: in the "badge",
    a "fact", the "tenure", the "headline", or nowhere. With `open_status`, the badge or
    fact is also shown for homes that are still available. `gaps` multiplies the
    probabilities that values are missing.
    """

    def offer(self, rng: Random, number: int, market: str) -> Offer:
        """Draw a home on a market, or on the site's market if `market` is ""."""
        market = market or self.market
        town = self.region.town(rng)
        style = self.address_style
        bedroom_count = max(1, min(6, 1 + int(rng.gauss(2.1, 1))))
        property_type = _in_case(weighted(rng, styles()["houses"]), self.case)
        rooms = {
            "bedrooms": bedroom_count,
            "bathrooms": max(1, round(bedroom_count / 2 - 0.4 + rng.random())),
            "receptions": max(1, round(bedroom_count / 2.2)),
        }
        shown_types = {
            name
            for name, rate in MISSING.items()
            if name in self.shown and rng.random() >= rate * self.gaps
        }
        count_facts = {name: self._count(name, rooms[name]) for name in rooms}
        address_parts = address(rng, style, town)
        postcode_phrase = (
            () if rng.random() < 0.05 * self.gaps else with_postcode(rng, style, town)
        )
        amount = _price_amount(rng, market, bedroom_count, self.weekly)
        prices = self.rents if market == LET else self.prices
        badge, status_fact, status_words = self._status(rng, market)
        headline = self._headline(
            count_facts,
            property_type,
            shown_types,
            status_words,
            address_parts,
            postcode_phrase,
        )
        headline_types = {name for span in headline for name in span.types}
        fact_types = shown_types - headline_types
        facts = [fact for name, fact in count_facts.items() if name in fact_types]
        if "property_type" in fact_types:
            type_fact = Fact("property_type", "Type", property_type)
            facts.insert(rng.choice((0, len(facts))), type_fact)
        facts += self._missing(shown_types) + status_fact + self._untyped(rng, number)
        if "property_type" not in shown_types:
            noun = rng.choice(("property", "home"))
        elif "bedrooms" in shown_types:
            noun = f"{bedroom_count} bedroom {property_type}"
        else:
            noun = property_type
        lines = self._lines(address_parts, postcode_phrase)
        return Offer(
            number=number,
            href=self.link(
                number, f"{property_type} {town.name}".replace("'", ""), market
            ),
            price=price(rng, prices, amount),
            headline=headline,
            subline=(),
            place=() if "location" in headline_types else lines,
            facts=tuple(facts),
            badge=badge,
            former=former(rng, prices, amount) if market == SALE else "",
            extras=self._extras(rng, amount, market),
            description=description(rng, self, DOMAIN, noun.lower()),
            alternative=rng.choice(
                (f"{noun} in {town.name}", town.name, f"Photo {number}")
            ),
            agent=rng.choice(self.agents) if self.agents else "",
        )

    def _count(self, name: str, number: int) -> Fact:
        """Return a number of rooms with its unit, such as "3 bedrooms"."""
        label, unit = self.labels[name]
        is_plural = (
            number > 1 and not unit.endswith("s") and self.plural and unit != " bed"
        )
        return Fact(name, label, str(number), after=unit + ("s" if is_plural else ""))

    def _missing(self, shown_types: set[str]) -> list[Fact]:
        """Return placeholders, such as "-", for the numbers of rooms that a home lacks.

        `shown_types` are the attribute types that the home has.
        """
        if not self.placeholder:
            return []
        return [
            Fact("", label, self.placeholder, after=unit)
            for name, (label, unit) in self.labels.items()
            if name in self.shown - shown_types and self.headline != "rooms"
        ]

    def _untyped(self, rng: Random, number: int) -> list[Fact]:
        """Return facts of a home for which there is no attribute type, such as
        "Parking: Garage".
        """
        values = {
            "Ref": f"{self.host[:2].upper()}{number}",
            "EPC": rng.choice("BCDE"),
            "Added": f"{rng.randint(1, 28):02}/{rng.randint(1, 12):02}/2016",
            "Furnished": rng.choice(("Unfurnished", "Furnished", "Part furnished")),
            "Parking": rng.choice(("Off road", "Garage", "Permit")),
        }
        return [
            Fact("", name, values[name], before=f"{name}: ") for name in self.untyped
        ]

    def _status(self, rng: Random, market: str) -> tuple[Phrase, list[Fact], str]:
        """Draw the texts that show the legal status of a home, such as "For Sale".

        The result has the text of the badge, the facts, and words for the headline.
        """
        words = vocabulary()[DOMAIN]
        news = rng.choice(words["news"]) if rng.random() < 0.12 else ""
        badge, facts, status_words = phrase(news), [], ""
        match self.status:
            case "badge" | "fact":
                status_list = words[f"{market}-taken"]
                word = rng.choice(status_list) if rng.random() < 0.3 else ""
                if not word and self.open_status:
                    word = OPEN[market]
                word = _in_case(word, self.case) if self.case != "lower" else word
                if self.status == "badge":
                    badge = phrase(Span(word, ("legal_status",))) or badge
                elif word:
                    facts = [Fact("legal_status", "Status", word)]
            case "tenure" if market == SALE and rng.random() > 0.1:
                word = weighted(rng, styles()["tenures"])
                facts = [Fact("legal_status", "Tenure", word)]
            case "headline":
                status_words = rng.choice(words[f"{market}-said"])
        return badge, facts, status_words

    def _headline(
        self,
        count_facts: dict[str, Fact],
        property_type: str,
        shown_types: set[str],
        status_words: str,
        address_parts: tuple[Phrase, ...],
        postcode_phrase: Phrase,
    ) -> Phrase:
        """Return the headline of a home's record, made from the given facts and
        texts.
        """
        status = Span(status_words, ("legal_status",))
        type_span = Span("property")
        if "property_type" in shown_types:
            type_span = Span(property_type, ("property_type",))
        bedrooms = count_facts["bedrooms"].phrase if "bedrooms" in shown_types else ()
        whole_address = in_one_line(self.address_style, address_parts, postcode_phrase)
        match self.headline:
            case "address":
                return phrase(whole_address, " " if status_words else "", status)
            case "rooms":
                return joined(" ", [bedrooms, phrase(type_span), phrase(status)])
            case "rooms-in":
                rooms = joined(" ", [bedrooms, phrase(type_span), phrase(status)])
                return phrase(rooms, " in ", whole_address)
            case "address-rooms":
                words = joined(" ", [bedrooms, phrase(status)])
                return phrase(whole_address, " - ", words) if words else whole_address
            case "slogan":
                index = sum(map(ord, property_type)) + len(address_parts[0][0].text)
                slogans = vocabulary()[DOMAIN]["slogans"]
                slogan = slogans[index % len(slogans)]
                return phrase(slogan, " " if status_words else "", status)
        return joined(" ", [phrase("Property"), phrase(status)]) if status_words else ()

    def _lines(
        self, address_parts: tuple[Phrase, ...], postcode_phrase: Phrase
    ) -> tuple[Phrase, ...]:
        """Return the lines of an address: two lines if it has several parts."""
        style = self.address_style
        if len(address_parts) < 2:
            return (in_one_line(style, address_parts, postcode_phrase),)
        return (
            address_parts[0],
            phrase(joined(style.separator, address_parts[1:]), postcode_phrase),
        )

    def _extras(self, rng: Random, amount: int, market: str) -> tuple[str, ...]:
        """Return the amounts of money that a record shows besides the price.

        Most sites show none.
        """
        if "extras" not in self.shown:
            return ()
        if market == SALE:
            return (f"Mortgage from {pounds(round(amount * 0.0047))} pcm",)
        if self.weekly:
            return (f"({pounds(round(amount * 52 / 12))} pcm)",)
        return (f"({pounds(round(amount * 12 / 52))} pw)",)


def draw_homes(key: str, region: Region, host: str, noisy: bool) -> Homes:
    """Draw how the website of an estate agent shows homes.

    `key` is the seed of random choices. A noisy site shows amounts of money other than
    prices.
    """
    rng, words = stream(key, "homes"), vocabulary()[DOMAIN]
    count_words = styles()["counts"]
    market = weighted(rng, {SALE: 72, LET: 28})
    shown_types = {name for name, shown in drawn(rng, "homes-shown").items() if shown}
    if noisy and rng.random() < (0.6 if market == LET else 0.16):
        shown_types.add("extras")
    headline = drawn(rng, "homes")["headline"]
    if headline.startswith("rooms") and not shown_types & {"bedrooms", "property_type"}:
        headline = "address"
    if headline == "address-rooms" and "bedrooms" not in shown_types:
        headline = "address"
    address_style = draw_address_style(rng, rng.random() < 0.34, rng.random() < 0.12)
    if headline == "rooms-in":
        # Headlines name the street, not the number.
        address_style = address_style.but(
            parts=tuple(part for part in address_style.parts if part != "house")
        )
    status = drawn(rng, "homes-status")["status"]
    if headline.startswith("rooms") and rng.random() < 0.6:
        status = "headline"
    weekly = market == LET and rng.random() < 0.2
    rent_suffixes = styles()["rents"]["week" if weekly else "month"]
    return Homes(
        region=region,
        host=host,
        noisy=noisy,
        market=market,
        shown=frozenset(shown_types),
        headline=headline,
        status=status,
        **drawn(rng, "homes-case"),
        address_style=address_style,
        prices=draw_price_style(rng, words["qualifiers"], {"": 97, " ono": 3}, noisy),
        rents=draw_price_style(rng, ("Rent", "From"), rent_suffixes, noisy),
        weekly=weekly,
        href=rng.choice(words["hrefs"]),
        labels={
            name: tuple(rng.choice(count_words[key]) for key in (name, f"{name}-words"))
            for name in ("bedrooms", "bathrooms", "receptions")
        },
        **drawn(rng, "homes-details"),
        untyped=some(rng, words["untyped"], 0, 2) if rng.random() < 0.45 else (),
        sentences=weighted(rng, {0: 18, 1: 30, 2: 27, 4: 20, 7: 5}),
        agents=_draw_agents(rng, region, host),
    )


def _draw_agents(rng: Random, region: Region, host: str) -> tuple[str, ...]:
    """Draw the names of the agent's branches, one of which each record shows.

    Most sites show none.
    """
    if rng.random() > 0.15:
        return ()
    name = host.partition(".")[0].replace("-", " ").title()
    return tuple(f"{name}, {region.town(rng).name}" for _ in range(rng.randint(1, 3)))


def _price_amount(rng: Random, market: str, bedroom_count: int, weekly: bool) -> int:
    """Draw a price, or a monthly or weekly rent."""
    if market == LET:
        monthly = round(rng.lognormvariate(6.3 + 0.2 * bedroom_count, 0.22) / 5) * 5
        return round(monthly * 12 / 52) if weekly else monthly
    unrounded = rng.lognormvariate(11.6 + 0.25 * bedroom_count, 0.32)
    return round(unrounded / 5000) * 5000 - rng.choice((0, 0, 0, 5, 50, 500))


def _in_case(text: str, case: str) -> str:
    """Return a text in a case: "title", "upper" or "capital".

    For any other case, return the text unchanged.
    """
    match case:
        case "title":
            return text.title()
        case "upper":
            return text.upper()
        case "capital":
            return text[:1].upper() + text[1:]
    return text
