"""Make pages of homes for sale, with any number of records and any length of text."""

from __future__ import annotations

KINDS = ("semi-detached house", "apartment", "detached house", "bungalow")
"""The kinds of homes in records."""
SYLLABLES = "ba ke li mo nu ra se ti vo wy dor fen gal hul jen".split()
"""The syllables of words."""
TEXT = "of all that there is to say about it, this is a part; " * 40
"""The text with which descriptions are filled up."""


def homes(count: int, first: int = 0, text_length: int = 0) -> bytes:
    """Return a page with `count` homes, numbered from `first`.

    Homes with other numbers have other links. `text_length` is the length of the text
    that each description has besides its sentence.
    """
    records = "".join(
        f'<li class="card"><a class="card__link" href="/property/{48_000 + i}">'
        f'<h2 class="card__title">{1 + i % 5} bedroom {KINDS[i % 4]}</h2></a>'
        f'<p class="price">£{200 + i % 700},{i % 1000:03}</p>'
        f"<address>{1 + i % 90} {word(i).title()} Street, Oxford, "
        f"OX{1 + i % 20} {1 + i % 9}{chr(65 + i % 20)}{chr(66 + i % 20)}</address>"
        f'<ul class="facts"><li>{1 + i % 5} beds</li><li>{1 + i % 3} baths</li></ul>'
        f'<img class="thumb" src="/img/{i}.jpg" alt="">'
        f'<p class="desc">A home of the {1900 + i % 90}s, close to the centre.'
        f"{TEXT[: max(0, text_length - i % 50)]}</p></li>"
        for i in range(first, first + count)
    )
    menu = '<nav><a href="/">Home</a> <a href="/sale">For sale</a></nav>'
    head = "<head><title>Homes</title></head>"
    body = f"<body>{menu}<ul id='list'>{records}</ul></body>"
    return f"<!doctype html><html>{head}{body}</html>".encode()


def word(number: int) -> str:
    """Return a word that looks like a name.

    Each number has its own word.
    """
    syllables = ""
    while number or not syllables:
        number, syllable = divmod(number, len(SYLLABLES))
        syllables += SYLLABLES[syllable]
    return syllables
