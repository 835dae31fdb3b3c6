"""Name the elements of a site by class tokens and ids."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from string import ascii_letters, digits

from markupsafe import Markup

from synthetic.chance import drawn, stream, weighted
from synthetic.markup import attributes
from synthetic.vocabulary import vocabulary

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

    def of(self, role: str, *more: str) -> Markup:
        """Return the HTML attributes that name an element by what it is."""
        named = {"class": " ".join([_token(self, role), *more]).strip()}
        if self.marks == "testid" and role in TEST_IDS:
            named["data-testid"] = f"{self.block}-{role}"
        elif self.marks == "itemprop" and role in ITEM_PROPERTIES:
            named["itemprop"] = ITEM_PROPERTIES[role]
        return attributes(**named)

    def id(self, role: str) -> Markup:
        """Return the id of what a page has once, as an HTML attribute."""
        if not self.ids:
            return Markup("")
        rng = stream(self.key, "id", role)
        word = rng.choice(vocabulary()["classes"][role])
        name = rng.choice((word, _camel("the", word), f"{word}-{role}"))
        return attributes(id=name)


def draw_naming(key: str, blocks: Sequence[str]) -> Naming:
    """Draw the naming of a template; `blocks` are its words for a record."""
    rng = stream(key, "naming")
    return Naming(
        key=key,
        **drawn(rng, "naming"),
        block=rng.choice(blocks),
        marks=weighted(rng, {"": 84, "testid": 8, "itemprop": 8}),
        ids=rng.random() < 0.75,
    )


@lru_cache(maxsize=65536)
def _token(naming: Naming, role: str) -> str:
    """Draw the class tokens for a role, "" where the template has none."""
    rng = stream(naming.key, "class", role)
    word = rng.choice(vocabulary()["classes"][role])
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
            return " ".join(
                rng.sample(vocabulary()["utilities"]["classes"], rng.randint(2, 5))
            )
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
