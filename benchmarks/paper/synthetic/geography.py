"""Draw an imaginary country of towns, counties, hamlets and streets for generated
sites.

The towns lie on a line in random order. Neighbouring sites share towns. Some towns are
named far more often than others. Some places are missing in the package's place lists.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from random import Random

from synthetic.markup import Term
from synthetic.offer import Phrase, Span, joined, phrase
from synthetic.random_choices import (
    COUNTIES,
    NATIONS,
    TOWNS,
    Style,
    drawn,
    gazetteer,
    listed_places,
    skewed,
    stream,
    styles,
    vocabulary,
    weighted,
)

TOWN_COUNT = 600
"""The number of towns."""
COUNTY_SIZE = 9
"""The number of towns in a county."""
REACH = 14
"""The number of towns on each side of its home town that a site names."""
UNLISTED = 0.14
"""The share of drawn places that are hamlets. The package's place lists have no
hamlets.
"""


@dataclass(frozen=True, slots=True)
class Town:
    """A town with its county, the hamlets and suburbs around it, and its postcode
    district."""

    name: str
    county: str
    hamlets: tuple[str, ...]
    district: str


@cache
def country(seed: int) -> tuple[Town, ...]:
    """Return the towns of an imaginary country, in their order on a line.

    The same seed gives the same country.
    """
    rng = stream(seed, "country")
    names = sorted(
        {name for list_name in TOWNS for name in gazetteer(list_name) if name.isascii()}
    )
    counties = [name for name in gazetteer(COUNTIES) if name not in NATIONS]
    rng.shuffle(counties)
    postcode_areas = vocabulary()["postcodes"]["areas"]
    shuffled_areas = rng.sample(postcode_areas, len(postcode_areas))
    towns = []
    for rank, name in enumerate(rng.sample(names, TOWN_COUNT)):
        number = rank // COUNTY_SIZE
        area = shuffled_areas[number % len(shuffled_areas)]
        county = counties[number % len(counties)]
        hamlets = tuple(hamlet(rng) for _ in range(rng.randint(1, 3)))
        towns.append(Town(name, county, hamlets, f"{area}{rng.randint(1, 29)}"))
    return tuple(towns)


def hamlet(rng: Random) -> str:
    """Draw the name of a hamlet that is missing in the package's place lists."""
    words = vocabulary()["hamlets"]
    while True:
        name = rng.choice(words["first"]) + rng.choice(words["last"])
        form = weighted(rng, {"plain": 60, "before": 20, "after": 20})
        if form == "before":
            name = f"{rng.choice(words['before'])} {name}"
        elif form == "after":
            name = f"{name} {rng.choice(words['after'])}"
        if name.casefold() not in listed_places():
            return name


@dataclass(frozen=True, slots=True)
class Region:
    """The towns that a site names, the most frequent first."""

    towns: tuple[Town, ...]

    def town(self, rng: Random) -> Town:
        """Draw a town of the region. Towns near the home town are drawn more often."""
        return skewed(rng, self.towns, 1.8)

    def locality(self, rng: Random) -> str:
        """Draw the name of a town or hamlet of the region."""
        town = self.town(rng)
        return rng.choice(town.hamlets) if rng.random() < UNLISTED else town.name


def region(seed: int, key: str) -> Region:
    """Return the region of a site: the town of the site and the towns around it."""
    rng = stream(key, "region")
    towns = country(seed)
    home = rng.randrange(len(towns))
    offsets = sorted(
        range(-REACH, REACH + 1), key=lambda offset: abs(offset) + 6 * rng.random()
    )
    return Region(tuple(towns[(home + offset) % len(towns)] for offset in offsets))


def street(rng: Random) -> str:
    """Draw the name of a street. Some names occur in every town."""
    words = vocabulary()["streets"]
    if rng.random() < 0.35:
        return skewed(rng, words["common"], 1.5)
    return f"{rng.choice(words['stems'])} {rng.choice(words['kinds'])}"


def postcode(rng: Random, town: Town) -> str:
    """Draw a full postcode of a town."""
    letters = "".join(rng.choices("ABDEFGHJLNPQRSTUWXYZ", k=2))
    return f"{town.district} {rng.randint(1, 9)}{letters}"


def draw_address_style(rng: Random, has_postcode: bool, is_short: bool) -> Style:
    """Draw how a site writes addresses.

    In the result, `parts` names the parts of an address, such as "street". `postcode`
    is "full", "outward" (only the first half) or empty. `glue` is the text before the
    postcode. If `is_short`, addresses have no street and no house.
    """
    parts = styles()["short-addresses" if is_short else "addresses"]
    return Style(
        parts=tuple(weighted(rng, parts).split()),
        postcode=weighted(rng, {"full": 50, "outward": 50}) if has_postcode else "",
        **drawn(rng, "address"),
    )


def address(rng: Random, style: Style, town: Town) -> tuple[Phrase, ...]:
    """Draw the parts of an address, each as a text that is marked as a location."""
    parts: list[Phrase] = []
    for part in style.parts:
        kind = part
        if part == "locality":
            kind = "hamlet" if rng.random() < UNLISTED else "town"
        if kind == "house":
            if rng.random() < 0.6:
                parts.append((Span(_house_name(rng), ("location",)),))
            continue
        name = _part_name(rng, kind, town)
        displayed_name = name.upper() if style.upper_town and kind == "town" else name
        parts.append((Span(displayed_name, ("location",), (Term(kind, name),)),))
    return tuple(_with_street_number(rng, parts) if "house" in style.parts else parts)


def _part_name(rng: Random, kind: str, town: Town) -> str:
    """Return the name of a part of an address in a town."""
    match kind:
        case "street":
            return street(rng)
        case "hamlet":
            return rng.choice(town.hamlets)
        case "county":
            return town.county
    return town.name


def _house_name(rng: Random) -> str:
    """Draw the name of a house, or a flat with its number, such as "Flat 3"."""
    houses = vocabulary()["streets"]["houses"]
    return rng.choice(houses) if rng.random() < 0.5 else f"Flat {rng.randint(1, 24)}"


def _with_street_number(rng: Random, parts: Sequence[Phrase]) -> list[Phrase]:
    """Return the parts of an address after adding a house number to most streets."""
    numbered = []
    for part in parts:
        if part[0].terms and part[0].terms[0].kind == "street" and rng.random() < 0.8:
            number = Span(f"{rng.randint(1, 190)} ", ("location",))
            part = phrase(number, part)
        numbered.append(part)
    return numbered


def with_postcode(rng: Random, style: Style, town: Town) -> Phrase:
    """Return the postcode behind an address as text, empty if the site shows none."""
    if not style.postcode:
        return ()
    code = town.district if style.postcode == "outward" else postcode(rng, town)
    return phrase(Span(style.glue, ("location",)), Span(code, ("location", "postcode")))


def in_one_line(style: Style, parts: Sequence[Phrase], code: Phrase) -> Phrase:
    """Return an address in one line: its parts, and then the postcode `code`."""
    return phrase(joined(style.separator, parts), code)
