"""How a site names things in class tokens and ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from string import ascii_letters, digits
from typing import Any

from synthetic.chance import stream, weighted

WORDS: Mapping[str, str] = {
    "results": "results listings properties list search-results items grid stock",
    "record": "card listing result item property box entry row tile panel",
    "body": "body content details info text inner desc-wrap right",
    "media": "media image photo thumb picture img-wrap gallery left",
    "heading": "title heading name headline address-title caption",
    "price": "price amount cost guide figure value pricing",
    "qualifier": "qualifier prefix price-text label small",
    "former": "was old-price previous rrp strike",
    "place": "address location locality area where town",
    "facts": "features specs key-info attributes summary meta details-list",
    "fact": "feature spec item attr meta-item detail",
    "label": "label key term name caption",
    "value": "value val data answer text",
    "badge": "badge status flag ribbon label overlay banner",
    "description": "description summary blurb excerpt text copy intro",
    "actions": "actions buttons links cta footer more",
    "button": "btn button link more-link cta",
    "agent": "agent branch office marketed-by contact dealer",
    "extra": "monthly note finance extra sub-price info",
    "advert": "ad advert promo banner mpu sponsor",
    "heading-noise": "section-title subhead list-header heading",
    "sort": "sort toolbar controls options list-controls",
    "pager": "pager pagination pages page-nav paging",
    "wrapper": "wrapper container inner content wrap holder outer",
    "row": "row grid-row line group strip",
    "column": "col column cell unit span4",
    "header": "header masthead top site-header banner",
    "nav": "nav menu navigation main-menu links",
    "side": "sidebar side aside secondary left-col",
    "main": "main content primary page body-content",
    "footer": "footer bottom site-footer foot",
    "search": "search search-form filter refine finder",
    "box": "box widget module panel block section",
    "list": "list links items menu ul",
    "entry": "entry item link li row",
    "figure": "figure number stat total rate",
    "person": "author name by customer who",
}
"""What things are called, by what they are."""

STYLES: Mapping[str, float] = {
    "words": 26,
    "bem": 16,
    "camel": 12,
    "prefixed": 12,
    "utility": 8,
    "hashed": 8,
    "snake": 6,
    "short": 4,
    "none": 8,
}
UTILITIES = (
    "flex block p-2 p-4 mb-2 mt-1 text-sm text-lg font-bold text-gray-700 w-full "
    "md:w-1/2 items-center justify-between rounded border bg-white relative"
).split()
TEST_IDS = {"price", "place", "heading", "record", "badge", "facts"}
ITEM_PROPERTIES = {"price": "price", "place": "address", "heading": "name"}


@dataclass(frozen=True, slots=True)
class Naming:
    """The naming of one template: `key` is its own, `block` stands for a record."""

    key: str
    style: str
    block: str
    marks: str = ""
    """What besides classes names things: "testid", "itemprop" or nothing."""
    ids: bool = True

    def of(self, role: str, *more: str) -> dict[str, Any]:
        """The HTML attributes that name an element by what it is."""
        tokens = " ".join([_token(self, role), *more]).strip()
        named = {"class_": tokens}
        if self.marks == "testid" and role in TEST_IDS:
            named["data_testid"] = f"{self.block}-{role}"
        elif self.marks == "itemprop" and role in ITEM_PROPERTIES:
            named["itemprop"] = ITEM_PROPERTIES[role]
        return named

    def id(self, role: str) -> dict[str, Any]:
        """An id for what a page has once."""
        if not self.ids:
            return {}
        rng = stream(self.key, "id", role)
        word = rng.choice(WORDS[role].split())
        return {"id": rng.choice((word, _camel("the", word), f"{word}-{role}"))}


def draw_naming(key: str, block_words: str) -> Naming:
    """The naming of a template; `block_words` are its words for a record."""
    rng = stream(key, "naming")
    return Naming(
        key=key,
        style=weighted(rng, STYLES),
        block=rng.choice(block_words.split()),
        marks=weighted(rng, {"": 84, "testid": 8, "itemprop": 8}),
        ids=rng.random() < 0.75,
    )


@lru_cache(maxsize=65536)
def _token(naming: Naming, role: str) -> str:
    """The class tokens for a role, "" where the template has none for it."""
    rng = stream(naming.key, "class", role)
    word = rng.choice(WORDS[role].split())
    block = naming.block
    if naming.style == "none" or rng.random() < 0.12:
        return ""
    match naming.style:
        case "bem":
            token = block if role == "record" else f"{block}__{word}"
            return (
                f"{token} {token}--{rng.choice(['lg', 'alt'])}" if _rare(rng) else token
            )
        case "camel":
            return _camel(block, word) if rng.random() < 0.7 else _camel(word)
        case "prefixed":
            return f"{block[:3]}-{word}"
        case "utility":
            return " ".join(rng.sample(UTILITIES, rng.randint(2, 5)))
        case "hashed":
            mark = "".join(rng.choices(ascii_letters + digits, k=5))
            return f"{_camel(block)[0].upper()}{_camel(block)[1:]}_{word}__{mark}"
        case "snake":
            return f"{block}_{word}".replace("-", "_")
        case "short":
            return rng.choice("abcdfhlmprst") + rng.choice("0123456789bcdp")
    return (
        f"{word} {rng.choice(['clearfix', 'cf', 'js-item', 'group'])}"
        if _rare(rng)
        else word
    )


def _rare(rng: Random) -> bool:
    return rng.random() < 0.15


def _camel(*words: str) -> str:
    first, *rest = "-".join(words).split("-")
    return first + "".join(word.capitalize() for word in rest)
