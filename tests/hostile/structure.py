"""Trees that no author meant: broken nesting, foreign elements, odd places."""

from __future__ import annotations

import re
from random import Random

from hostile.case import Case, Family, learned, listing

TAGS = (
    "div p span a b i ul li table tr td th tbody dl dt dd form select option button "
    "svg math template noscript script style textarea iframe frameset frame plaintext "
    "xmp title head body html col caption br hr img input base meta object video "
    "details summary center font marquee nobr ruby rt x-card a:b ns:tag h1 h7"
).split()
ATTRIBUTES = (
    "class id href src title alt name content itemprop style hidden data-x @click "
    ":href v-if xml:lang xlink:href xmlns xmlns:a {{x}} [x] (x) # $ \" ' < = a\u00a0b ü"
).split()
BRACKETS = (
    ("<!--", "-->"), ("<?php", "?>"), ("<![CDATA[", "]]>"), ("<!--", "--!>"),
    ("<!", ">"), ("<!---->", "<!-- --"), ("</ ", ">"), ("<!DOCTYPE x [", "]>"),
)  # fmt: skip
WORDS = ("£12.50", "Lamp", "3 bedrooms", "1 May 2024", "", " ", "\u00a0", "&amp", "]]>")


def soup(random: Random) -> Case:
    """Tags and texts in any order, over and over: lists may come of it."""
    row = "".join(_piece(random) for _ in range(random.randrange(3, 20)))
    rows = (row.replace("Lamp", f"Lamp {number}") for number in range(8))
    return learned("".join(rows))


def noise(random: Random) -> Case:
    """Tags and texts in any order."""
    return learned("".join(_piece(random) for _ in range(random.randrange(1, 200))))


def unclosed(random: Random) -> Case:
    """The listing without some of its end tags."""
    share = random.random()
    page = re.sub(
        "</[a-z0-9]+>",
        lambda tag: "" if random.random() < share else tag[0],
        listing(random),
    )
    return learned(page)


def crossed(random: Random) -> Case:
    """The listing with tags of other elements in between."""
    tags = re.split("(<)", listing(random))
    for _ in range(random.randrange(1, 9)):
        tags.insert(2 * random.randrange(len(tags) // 2), _tag(random))
    return learned("".join(tags))


def wrapped(random: Random) -> Case:
    """Records in an element that doesn't hold such things, or hides them."""
    tag = random.choice(TAGS)
    page = listing(random, first=f"<{tag}>", last=f"</{tag}>")
    if random.random() < 0.5:
        page = listing(random, before=f"<{tag}>", after=f"</{tag}>")
    return learned(page)


def renamed(random: Random) -> Case:
    """Records of other elements: rows, options, forms, what no standard knows."""
    page = listing(random)
    for old in ("ul", "li", "h2", "span"):
        if random.random() < 0.6:
            page = re.sub(rf"<(/?){old}\b", rf"<\1{random.choice(TAGS)}", page)
    return learned(page)


def named_oddly(random: Random) -> Case:
    """Attributes that no expression can name, given twice or without a value."""
    name, other = random.choices(ATTRIBUTES, k=2)
    shown = f"<b {name}=x%d {other} {name}='y' {other}=%d>%d things</b>"
    return learned(listing(random, last=shown))


def within_comments(random: Random) -> Case:
    """Records in comments, instructions and sections that aren't HTML."""
    start, end = random.choice(BRACKETS)
    place = random.choice(["first", "last", "before"])
    return learned(listing(random, **{place: f"{start} <p>%d lamps</p> {end}"}))


def several_lists(random: Random) -> Case:
    """Lists that are alike, beside and within each other."""
    one = listing(random, random.randrange(1, 5))
    return learned(one * random.randrange(2, 5) + listing(random, 2, last=one[:400]))


def small(random: Random) -> Case:
    """One record, or none; nothing but a few tags."""
    tags = ("<p>", "<a>a", "<html></html>", "x", "<!---->", "<?", "</html>")
    pages = (listing(random, count) for count in range(3))
    return learned(random.choice([*pages, *tags, "<table><tr><td>£1"]))


def _piece(random: Random) -> str:
    return random.choice((_tag, _tag, _end, _word))(random)


def _tag(random: Random) -> str:
    given = "".join(
        f' {random.choice(ATTRIBUTES)}="{random.choice(WORDS)}"'
        for _ in range(random.randrange(3))
    )
    return f"<{random.choice(TAGS)}{given}>"


def _end(random: Random) -> str:
    return f"</{random.choice(TAGS)}>"


def _word(random: Random) -> str:
    return random.choice(WORDS)


KINDS: Family = {
    "soup": soup,
    "noise": noise,
    "unclosed": unclosed,
    "crossed": crossed,
    "wrapped": wrapped,
    "renamed": renamed,
    "named oddly": named_oddly,
    "in comments": within_comments,
    "several lists": several_lists,
    "small": small,
}
