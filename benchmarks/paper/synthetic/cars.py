"""Draw used cars, and how the websites of dealers show them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from synthetic.geography import (
    Region,
    address,
    draw_address_style,
    in_one_line,
    with_postcode,
)
from synthetic.offer import Fact, Offer, Phrase, Span, Trade, joined, phrase
from synthetic.random_choices import (
    drawn,
    makes,
    skewed,
    some,
    stream,
    styles,
    vocabulary,
    weighted,
)
from synthetic.texts import description, draw_price_style, former, pounds, price

DOMAIN = "used-cars"
"""The name of the domain (kind of records): used cars."""
REQUIRED = frozenset({"make", "model"})
"""The attribute types of which each car has a value."""


class Cars(Trade):
    """A dealer of used cars, with the habits of the website.

    `shown` are the types of values that are shown, in order. `franchise` is the make of
    nearly all cars, or empty.
    """

    @property
    def unscored(self) -> tuple[str, ...]:
        """The attribute types that aren't scored.

        The title isn't scored if the site shows no headline, because nobody can tell
        which words are the title.
        """
        return ("title",) if self.headline == "parts" else ()

    def offer(self, rng: Random, number: int, market: str) -> Offer:
        """Draw the offer of one car. `number` is its number on the site.

        `market` is ignored, because cars have only one market.
        """
        models_by_make, words = makes(), vocabulary()[DOMAIN]
        [make] = rng.choices(
            list(models_by_make),
            [1 / (rank + 4) ** 1.3 for rank in range(len(models_by_make))],
        )
        if self.franchise and rng.random() < 0.85:
            make = self.franchise
        model = skewed(rng, models_by_make[make], 1.6)
        values = self._values(rng, make, model)
        age = 2016 - int(values["year"][:4])
        amount = round(rng.uniform(0.75, 1.3) * 19000 * 0.85**age / 5) * 5
        amount = max(495, amount // 100 * 100 + rng.choice((95, 95, 99, 50, 0)))
        headline, subline = self._headline(rng, values)
        headline_types = {name for span in (*headline, *subline) for name in span.types}
        missing_types = {
            name
            for name in self.shown
            if name not in REQUIRED and rng.random() < 0.045 * self.gaps
        }
        facts = [
            self._fact(name, values[name], name in missing_types)
            for name in self.shown
            if name not in headline_types and name != "location"
        ]
        extra = {
            "Body": rng.choice(words["bodies"]),
            "Owners": str(rng.randint(1, 4)),
            "MPG": f"{rng.uniform(28, 70):.1f}",
            "CO2": f"{rng.randint(90, 210)} g/km",
            "Reg": _number_plate(rng),
        }  # fmt: skip
        facts += [Fact("", name, extra[name], f"{name}: ") for name in self.untyped]
        return Offer(
            number=number,
            href=self.link(number, f"{make}-{model}"),
            price=price(rng, self.prices, amount),
            headline=headline,
            subline=subline,
            place=self._place(rng),
            facts=tuple(fact for fact in facts if fact.value),
            badge=phrase(rng.choice(words["news"])) if rng.random() < 0.1 else (),
            former=former(rng, self.prices, amount),
            extras=(self.finance.format(pounds(round(amount / 48))),)
            if self.finance
            else (),
            description=description(rng, self, DOMAIN, "car"),
            alternative=rng.choice((f"{make} {model}", f"Photo {number}", "")),
            agent="",
        )

    def _values(self, rng: Random, make: str, model: str) -> dict[str, str]:
        """Draw the values of a car, by attribute type."""
        year = 2016 - int(rng.triangular(0, 14, 4))
        litres = float(rng.choice(vocabulary()[DOMAIN]["litres"]))
        cubic = round(litres * 1000) - rng.randint(1, 20)
        mileage = max(900, round(rng.gauss(8500, 2500) * (2016.6 - year)))
        fuel = weighted(rng, styles()["cars-fuel"])
        engine = self.engine_form.format(l=litres, c=cubic)
        return {
            "make": make,
            "model": model,
            "year": str(year),
            "mileage": f"{mileage:,}",
            "fuel_type": fuel,
            "transmission": weighted(rng, styles()["cars-gears"]),
            "engine_size": engine if fuel != "Electric" else "",
            "colour": weighted(rng, styles()["cars-colours"]),
            "doors": weighted(rng, {"5": 66, "3": 22, "4": 7, "2": 5}),
            "trim": rng.choice(vocabulary()[DOMAIN]["trims"]),
            "plate": f"{year % 100 + rng.choice((0, 50)):02}",
        }  # fmt: skip

    def _fact(self, name: str, value: str, missing: bool) -> Fact:
        """Return a value such as "12,000", with the words that the site writes beside
        it.

        `name` is its attribute type. A missing value is replaced by the site's
        placeholder.
        """
        label = self.labels[name]
        if missing or not value:
            return Fact("", label, self.placeholder)
        match name:
            case "mileage":
                # Beside "Mileage" the unit is often left out.
                if self.mileage_form == "labelled":
                    return Fact(name, label, value, before="Mileage: ")
                return Fact(name, label, value + self.mileage_form)
            case "doors":
                return Fact(name, label, value, after=self.doors_form)
            case "year" if self.year_form:
                return Fact(name, label, value, after=self.year_form)
        return Fact(name, label, value)

    def _headline(self, rng: Random, values: dict[str, str]) -> tuple[Phrase, Phrase]:
        """Return the title of a record, and the line below the title.

        The line has only values that the title lacks.
        """

        def span(name: str, text: str = "") -> Span:
            return Span(text or values[name], (name,))

        make_and_model = [(span("make"),), (span("model"),)]
        trim = [phrase(values["trim"])]
        is_long = "c" in self.engine_form or not values["engine_size"]
        engine = [] if is_long else [(span("engine_size"),)]
        doors = [phrase(span("doors"), "dr")]
        year = [(span("year"),)]
        words: Sequence[Phrase]
        subline_words: Sequence[Phrase] = ()
        match self.headline:
            case "full":
                words = [*make_and_model, *engine, *trim, *doors]
            case "year":
                words = [*year, *make_and_model, *trim]
            case "plain":
                words = make_and_model
            case "trim":
                words = [*make_and_model, *trim]
            case "sub":
                words, subline_words = make_and_model, [*engine, *trim, *doors]
            case _:
                return (), ()
        if self.used:
            words = [phrase("Used"), *words]
        return self._titled(joined(" ", words)), joined(" ", subline_words)

    def _titled(self, words: Phrase) -> Phrase:
        """Return the words as a title, in capitals if the site writes titles so."""
        change = str.upper if self.upper else str
        return tuple(
            replace(span, text=change(span.text), types=("title", *span.types))
            for span in words
        )

    def _place(self, rng: Random) -> tuple[Phrase, ...]:
        """Draw the lines of a dealer's address, none if the site shows no address."""
        if "location" not in self.shown:
            return ()
        town, style = rng.choice(self.branches), self.address_style
        parts = address(rng, style, town)
        # The domain has no type for postcodes.
        postcode_phrase = tuple(
            replace(span, types=("location",))
            for span in with_postcode(rng, style, town)
        )
        return (in_one_line(style, parts, postcode_phrase),)


def _number_plate(rng: Random) -> str:
    """Draw a number plate."""
    area = "".join(rng.choices("BCDEFKLMNRSVWY", k=2))
    letters = "".join(rng.choices("ABCDEFGHJKLMNPRSTUVWXYZ", k=3))
    return f"{area}{rng.choice(('09', '11', '61', '64', '15'))} {letters}"


def draw_cars(key: str, region: Region, host: str, noisy: bool) -> Cars:
    """Draw how the website of a dealer shows cars.

    `key` is the seed of random choices. A noisy site shows amounts of money other than
    prices.
    """
    rng, words = stream(key, "cars"), vocabulary()[DOMAIN]
    shown_types = [name for name, shown in drawn(rng, "cars-shown").items() if shown]
    if len(shown_types) < 2:
        shown_types = ["year", "mileage"]
    rng.shuffle(shown_types)
    headline = drawn(rng, "cars")["headline"]
    if headline == "parts":
        shown_types = ["make", "model", *shown_types]
    headline_kind = "in-headline" if headline in ("full", "sub") else "alone"
    engines = styles()["engines"][headline_kind]
    return Cars(
        region=region,
        host=host,
        noisy=noisy,
        shown=tuple(shown_types),
        headline=headline,
        upper=rng.random() < 0.2,
        used=rng.random() < 0.08,
        engine_form=weighted(rng, engines),
        **drawn(rng, "cars-words"),
        address_style=draw_address_style(rng, rng.random() < 0.15, True),
        branches=tuple(
            region.town(rng) for _ in range(weighted(rng, {1: 30, 2: 25, 4: 30, 8: 15}))
        ),
        prices=draw_price_style(
            rng,
            words["qualifiers"],
            {"": 92, " ono": 3, " + VAT": 3, " inc VAT": 2},
            noisy,
        ),
        href=rng.choice(words["hrefs"]),
        labels=drawn(rng, "cars-labels"),
        **drawn(rng, "cars-gaps"),
        untyped=some(rng, words["untyped"], 0, 3) if rng.random() < 0.5 else (),
        finance=weighted(rng, styles()["finance"]["words"]) if noisy else "",
        franchise=rng.choice(list(makes())[:24]) if rng.random() < 0.18 else "",
        sentences=weighted(rng, {0: 38, 1: 30, 2: 20, 4: 12}),
    )  # fmt: skip
